"""Danger that is told bit by bit, and what follows an alarm (hospital.md, Frames "Safety"; hospital.md, "Safety")."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from tingdong.front_desk import directory, domain
from tingdong.front_desk.model import DeskTurn, IntentContext, OpKind, SafetyLabel
from tingdong.front_desk.read import default_reader
from tingdong.front_desk.router import Router

CORPUS = Path(__file__).parents[1] / "corpus"
NOW = datetime.fromisoformat("2026-11-23T09:30:00+08:00")
BOOKED = "我想挂周五上午的骨科"
ALARM = "我爸突然叫不醒了"


@pytest.fixture(scope="module")
def router() -> Router:
    return Router(domain.default(), default_reader(directory.load(CORPUS / "hospital_directory.yaml")))


def held(router: Router, said: Sequence[str]) -> list[DeskTurn]:
    """The turns of a dialogue."""
    turns: list[DeskTurn] = []
    for text in said:
        turns.append(router.turn(turns[-1].context if turns else IntentContext(), text, now=NOW))
    return turns


@pytest.mark.parametrize(
    "said",
    [
        ("我胸口有点闷", "现在冒冷汗", "左边胳膊也麻"),
        ("老人摔了一跤", "他一直吃抗凝药", "现在头疼得厉害，叫他也不怎么应"),
        ("肚子里的孩子这两天动得少", "今天数了两个小时，一下都没有"),
        ("娃儿拉了三天肚子", "现在眼窝都凹进去了，没有尿，软绵绵的"),
        ("打完针身上痒", "起了一片疙瘩，嗓子发紧，喘不上气"),
    ],
)
def test_signs_told_one_by_one_are_one_danger(router: Router, said: Sequence[str]) -> None:
    """What ails somebody is told over two or three turns: by the last of them an alarm was given."""
    assert SafetyLabel.EMERGENCY in {turn.context.safety.label for turn in held(router, said)}


@pytest.mark.parametrize(
    "said",
    [
        ("我胸口有点闷", "是鼻子不通气闷的", "鼻炎挂哪个科"),
        ("老人摔了一跤", "没破皮，能走", "想拍个片子看看"),
        ("我爸去年心梗放过支架", "恢复得不错", "今天来复查"),
        ("孩子烧了三天", "今天退了，精神很好", "还用吃药吗"),
        ("最近老睡不着", "工作太忙了", "想开点助眠的药"),
    ],
)
def test_mild_or_past_signs_are_no_danger(router: Router, said: Sequence[str]) -> None:
    """What came before makes no danger of a turn that says that it is over, mild or of the past."""
    assert {turn.context.safety.label for turn in held(router, said)} == {SafetyLabel.NORMAL}


@pytest.mark.parametrize("after", ["明天上午吧", "停车怎么收费", "好的谢谢", "改成周四下午"])
def test_a_harmless_turn_after_an_alarm_is_served(router: Router, after: str) -> None:
    """An alarm holds for its own turn: the next one is judged by itself, and what was under way is as it was."""
    booked, alarmed, served = held(router, [BOOKED, ALARM, after])
    assert [op.op for op in alarmed.context.intent_ops] == [OpKind.BLOCK]
    assert alarmed.context.frames == booked.context.frames
    assert served.context.safety.label is SafetyLabel.NORMAL
    assert {frame.frame_id for frame in booked.context.frames} <= {frame.frame_id for frame in served.context.frames}
    assert all(op.op is not OpKind.BLOCK for op in served.context.intent_ops)


@pytest.mark.parametrize("link", ["，顺便说一声", "，跟您说一声", "，对了说一下", "忘了说", "还有"])
@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ("我妈刚才嘴歪了，话也说不清", SafetyLabel.EMERGENCY),
        ("孩子抽起来了叫不应", SafetyLabel.EMERGENCY),
        ("我那个药快吃完了", SafetyLabel.NORMAL),
        ("我对青霉素过敏", SafetyLabel.NORMAL),
        ("我爸两年前中过风", SafetyLabel.NORMAL),
    ],
)
def test_an_aside_is_judged_by_its_content(router: Router, link: str, told: str, wanted: SafetyLabel) -> None:
    """What is told by the way is judged by what it says, whatever links it to a request (hospital.md, Segments)."""
    turn = held(router, [f"我想把周四的号改到周五{link}{told}"])[0]
    assert turn.context.safety.label is wanted
