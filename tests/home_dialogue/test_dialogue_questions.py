"""Questions as residents put them: two in a breath, either-or, asked on, how long still (service.md, Token frame,
询问回答)."""

import asyncio
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tingdong.commands import LocalParser
from tingdong.home.model import ReplyKind
from tingdong.home_turn import Turn, TurnRequest, Understander
from tingdong.stores import MemoryPageStore

HOMES = Path(__file__).parents[1] / "corpus" / "homes"
PARSER = LocalParser()
NOW = datetime.fromisoformat("2026-11-22T20:30:00+08:00")


def said(home: str, local: str, *texts: str, minutes: int = 0) -> list[Turn]:
    """The turns of a dialogue; `minutes` pass between one and the next."""
    served = Understander(MemoryPageStore(), local=PARSER)
    raw = (HOMES / f"{home}.json").read_bytes()
    turns = []
    for number, text in enumerate(texts):
        now = NOW + timedelta(minutes=minutes * number)
        request = TurnRequest(str(number), "p", text, home=raw, local=local, now=now)
        turns.append(asyncio.run(served.turn(request)))
    return turns


def state_of(home: str, device: str) -> dict[str, Any]:
    devices = json.loads((HOMES / f"{home}.json").read_bytes())["devices"]
    state: dict[str, Any] = next(one["device"]["state"] for one in devices if one["id"] == device)
    return state


@pytest.mark.parametrize(
    ("home", "text", "facts"),
    [
        ("loft30", "门锁了吗，电量还剩多少", ("锁好", "64%")),
        ("loft30", "客厅空调开着吗，卧室的呢", ("客厅空调开着", "主卧空调关着")),
        ("loft30", "客厅温度多少，湿度呢", ("28度", "58%")),
        ("villa120", "车库门关了吗，充电桩开着没", ("车库门关着", "充电桩开着")),
    ],
)
def test_each_clause_of_a_question_is_answered_once(home: str, text: str, facts: tuple[str, ...]) -> None:
    """Answers are true to the state, one for each clause; a clause without a thing or place takes the one before."""
    (turn,) = said(home, "客厅" if home == "loft30" else "一楼客厅", text)
    assert (turn.kind, turn.instructs) == (ReplyKind.ANSWER, ())
    assert all(turn.text.count(fact) == 1 for fact in facts)


@pytest.mark.parametrize("text", ["客厅空调开着还是关着", "客厅空调是关着还是开着"])
def test_either_or_is_answered_by_the_state(text: str) -> None:
    """Neither yes nor no answers 开着还是关着."""
    (turn,) = said("loft30", "客厅", text)
    assert turn.text == "客厅空调开着。"


@pytest.mark.parametrize(
    ("text", "fact"),
    [("晒台壁灯怎么不亮", "离线"), ("空调怎么没反应", "客厅空调开着"), ("客厅灯怎么打不开", "射灯开着")],
)
def test_why_something_does_not_work_gets_its_state(text: str, fact: str) -> None:
    """A resident who asks why gets how the thing stands, neither yes nor no, and nothing is switched (law 2)."""
    (turn,) = said("loft30", "客厅", text)
    assert (turn.kind, turn.instructs) == (ReplyKind.ANSWER, ())
    assert fact in turn.text
    assert "是的" not in turn.text


def test_the_remaining_time_of_a_timer_is_told() -> None:
    """service.md, Timers: of twenty minutes set ten minutes ago ten are left, asked in whatever words."""
    turns = said("flat25", "客厅", "电视20分钟后关", "还有几分钟关", "有哪些定时", minutes=6)
    assert "14分钟后" in turns[1].text
    assert "8分钟后" in turns[2].text
    assert all(not turn.instructs for turn in turns[1:])


def test_without_a_timer_its_question_words_mean_something_else() -> None:
    """Without a timer 还有几分钟 is about something else."""
    assert said("flat25", "客厅", "还有几分钟")[0].kind is ReplyKind.NONE


def test_a_follow_up_question_about_places_is_answered() -> None:
    """After a count 分别在哪几个房间 asks where those are that were counted; a count of many names their rooms."""
    turns = said("villa120", "一楼客厅", "家里总共有几盏灯开着", "分别在哪几个房间")
    assert all(room in turns[0].text for room in ("一楼客厅", "二楼书房", "花园"))
    assert all(room in turns[1].text for room in ("一楼客厅", "二楼书房", "花园"))


@pytest.mark.parametrize("text", ["对对", "对对对", "嗯嗯嗯", "好好好"])
def test_a_yes_may_be_said_twice(text: str) -> None:
    """service.md, Dialogue: an offered name is taken up by a yes, however often it is said."""
    turns = said("sample8", "厨房", "打开油烟鸡", text)
    asked = turns[0].kind is ReplyKind.QUESTION
    changed = [one.id for turn in turns for one in turn.instructs]
    assert changed == ["dev-8"]
    assert asked == (not turns[0].instructs)


@pytest.mark.parametrize("text", ["你能做什么", "帮助", "怎么用啊"])
def test_help_shows_what_works_here(text: str) -> None:
    """A resident's first question is answered by sentences about this home, each of which works."""
    (turn,) = said("sample8", "客厅", text)
    examples = turn.text.split("：")[1].rstrip("。").split("、")
    assert turn.kind is ReplyKind.ANSWER
    assert len(examples) >= 3
    for example in examples[:2]:
        (tried,) = said("sample8", "客厅", example.strip("“”"))
        assert tried.kind is ReplyKind.INSTRUCT


@pytest.mark.parametrize("text", ["谢谢", "多谢你", "谢谢谢谢"])
def test_thanks_are_returned(text: str) -> None:
    """A courtesy gets one, asks nothing of the home (service.md, Token frame, none) and never acts."""
    (turn,) = said("sample8", "客厅", text)
    assert (turn.kind, turn.text, turn.instructs) == (ReplyKind.NONE, "不客气。", ())


@pytest.mark.parametrize(
    ("hour", "text", "when"),
    [
        (20, "电视十点关", "T22:00"),
        (7, "九点关电视", "T09:00"),
        (19, "七点半关电视", "T19:30"),
        (13, "十二点关电视", "T00:00"),
        (20, "早上十点关电视", "T10:00"),
        (20, "每天十点关电视", "RRULE:FREQ=DAILY;BYHOUR=10;BYMINUTE=0"),
    ],
)
def test_a_bare_hour_is_the_next_there_is(hour: int, text: str, when: str) -> None:
    """service.md, the user's clock: 十点 said in the evening is tonight; beside 早上 or 每天 it is as said."""
    request = TurnRequest(
        "1", "p", text, home=(HOMES / "flat25.json").read_bytes(), local="客厅", now=NOW.replace(hour=hour, minute=5)
    )
    turn = asyncio.run(Understander(MemoryPageStore(), local=PARSER).turn(request))
    assert [one.when for one in turn.scheduled] == [when]


def test_a_timer_is_named_in_its_own_clause() -> None:
    """What another clause is about does not hide the timer that is to be cancelled."""
    turns = said("loft30", "客厅", "电视半小时后关", "鱼缸水泵别停，电视定时取消")
    assert [one.cancel is not None for one in turns[1].scheduled] == [True]


@pytest.mark.parametrize("asked", ["卧室多少度，和客厅比哪个热", "卧室现在几度，跟客厅比哪边冷"])
def test_a_room_is_compared_with_the_one_asked_about_before(held: Callable[..., Any], asked: str) -> None:
    """Law 2: the answer compares the two rooms that are said, and no third one."""
    told = held("flat25", "客厅").say(asked).text
    assert "卧室" in told
    assert "28度" in told
    assert "厨房" not in told
