"""Whatever a turn asks for is done, noted, asked back, or named as not understood (hospital.md, Per turn)."""

from typing import Any

import pytest

from .conftest import Talk


def standing(turn: dict[str, Any], agent: str) -> list[dict[str, str]]:
    """The slots of the open tasks of an agent, oldest first."""
    return [f["slots"] for f in turn["frames"] if f["agent_code"] == agent and f["status"] in ("active", "pending")]


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("你们食堂在几楼，还有轮椅押金要多少", ("食堂", "轮椅")),
        ("陪床的能办饭卡吗 晚上几点关大门 停车怎么算钱", ("饭卡", "停车")),
        ("诊断证明在哪开 还有病历能不能邮寄", ("证明", "病历")),
        ("能不能刷医保卡 身份证没带行不行", ("医保卡", "身份证")),
    ],
)
def test_two_questions_in_one_breath_are_both_told(talk: Talk, said: str, named: tuple[str, str]) -> None:
    """Segments: each question is a task of its own, or stands in the words of the one that holds both."""
    for standing_before in ((), ("挂骨科明天上午",)):
        turn = talk(*standing_before, said)[-1]
        assert all(one in turn["reply"] for one in named), turn["reply"]


@pytest.mark.parametrize(
    "said",
    [
        "挂个骨科周四上午，最好找个女医生",
        "约眼科下周一，要个专家号",
        "挂皮肤科后天 希望早点看上",
    ],
)
def test_a_wish_that_no_task_holds_is_named(talk: Talk, said: str) -> None:
    """Per turn: what is booked is booked, and what cannot be kept beside it is said back."""
    turn = talk(said)[-1]
    (booked,) = standing(turn, "dept-direct")
    assert booked["date"]
    assert f"“{said.replace('，', ' ').split(' ', 1)[1]}”" in turn["reply"]


@pytest.mark.parametrize("said", ["明天吧", "那就明天上午", "不用了谢谢", "今天人真多啊", "我自己看，明天"])
def test_a_turn_that_asks_nothing_more_is_told_nothing_more(talk: Talk, said: str) -> None:
    """Per turn: only what asks or wishes is named as not understood."""
    assert "还没有记下" not in talk("挂骨科", said)[-1]["reply"]


@pytest.mark.parametrize(
    ("open_task", "said", "kept"),
    [
        ("挂骨科明天上午", "她那个换到大后天 我的别动", {"department": "骨科", "date": "2026-11-24", "period": "上午"}),
        ("挂眼科周五下午", "他那个改周六 我的不变", {"department": "眼科", "date": "2026-11-27", "period": "下午"}),
    ],
)
def test_what_is_to_stay_is_not_what_else_is_changed(
    talk: Talk, open_task: str, said: str, kept: dict[str, str]
) -> None:
    """Segments, Ops: a change beside one that stays is another's; where there is none, it is asked about."""
    turn = talk(open_task, said)[-1]
    assert standing(turn, "dept-direct") == [kept]
    assert "还没有改动" in turn["reply"]


@pytest.mark.parametrize("said", ["投诉我先不投了", "投诉先不投了", "那投诉就不投了", "算了 投诉不投了"])
def test_a_complaint_that_is_taken_back_is_given_up(talk: Talk, said: str) -> None:
    """Ops: what is not wanted any more is canceled, neither done nor asked for again."""
    turn = talk("我要投诉收费处", said)[-1]
    assert [(op["op"], op["target"]) for op in turn["intent_ops"]] == [("cancel", "smartCS")]


@pytest.mark.parametrize(
    ("said", "allergy"),
    [("对了 我孩子对头孢过敏 那布洛芬还能吃吗", "对头孢过敏"), ("他磺胺过敏，布洛芬行不行", "磺胺过敏")],
)
def test_what_is_told_beside_a_question_about_drugs_is_kept(talk: Talk, said: str, allergy: str) -> None:
    """Slots: an allergy told in another clause goes with the drugs; no drug that was asked about is lost."""
    (drugs,) = standing(talk("美林和布洛芬能一起吃吗", said)[-1], "drug")
    assert drugs == {"drug": "美林、布洛芬", "allergy": allergy}


@pytest.mark.parametrize("said", ["美林那个不问了", "美林就不问了，就问布洛芬"])
def test_one_of_several_is_given_up_alone(talk: Talk, said: str) -> None:
    """Ops: of several things that one task is about those go that are refused."""
    (drugs,) = standing(talk("美林和布洛芬能一起吃吗", said)[-1], "drug")
    assert drugs == {"drug": "布洛芬"}


@pytest.mark.parametrize("asked", ["我们俩的号分别是几号", "他的号现在是哪天来着", "我那个号是几号来着"])
def test_asking_what_is_booked_tells_it_and_opens_nothing(talk: Talk, asked: str) -> None:
    """Ops: a question about what is noted is answered by what is noted."""
    *_, before, turn = talk("给我爸挂骨科明天上午", "再给我自己挂个眼科后天", asked)
    assert [f["slots"] for f in turn["frames"]] == [f["slots"] for f in before["frames"]]
    assert "现在记着的是" in turn["reply"]


@pytest.mark.parametrize(
    ("said", "name"), [("我想找个叫孙国强的大夫", "孙国强"), ("是叫孙国强的医生，不是别人", "孙国强")]
)
def test_somebody_who_is_called_by_name_is_named(talk: Talk, said: str, name: str) -> None:
    """Class: a name that is told as one is one, in the directory or not."""
    turn = talk(said)[-1]
    assert standing(turn, "doc-direct")[0]["doctor"] == name
    assert f"没有找到{name}" in turn["reply"]
