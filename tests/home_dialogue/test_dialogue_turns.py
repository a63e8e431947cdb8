"""Dialogues of the smart home, turn by turn through the use case (service.md, Dialogue, Token frame; service.md)."""

import asyncio
import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tingdong.home_turn import HomeOptions, Turn, TurnRequest, Understander
from tingdong.stores import MemoryPageStore

HOMES = Path(__file__).parent.parent / "corpus" / "homes"
NOW = datetime(2026, 11, 21, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


class Talker:
    """A client: sends sentences, applies what comes back to its home."""

    def __init__(self, home: str, local: str, **options: Any) -> None:
        self.home = json.loads((HOMES / f"{home}.json").read_text("utf-8"))
        self.local = local
        self.instruct = True
        self.count = 0
        self.understander = Understander(MemoryPageStore(), options=HomeOptions(**options))

    def state(self, device_id: str) -> dict[str, Any]:
        state: dict[str, Any] = next(d for d in self.home["devices"] if d["id"] == device_id)["device"]["state"]
        return state

    def say(self, text: str) -> Turn:
        self.count += 1
        request = TurnRequest(
            rid=f"r{self.count}",
            page_id="page",
            question=text,
            instruct=self.instruct,
            home=json.dumps(self.home, ensure_ascii=False).encode(),
            local=self.local,
            now=NOW,
        )
        turn = asyncio.run(self.understander.turn(request))
        for instruct in turn.instructs:
            self.state(instruct.id).update(instruct.state)
        return turn


def ids(turn: Turn) -> list[str]:
    return [instruct.id for instruct in turn.instructs]


def test_a_question_is_asked_and_its_short_answer_understood() -> None:
    """service.md, Token frame: 打开空调 where several rooms could be meant is a question, and 客厅 answers it."""
    talker = Talker("sample8", "厨房")
    asked = talker.say("打开空调")
    assert (asked.kind, asked.instructs) == ("question", ())
    assert "哪" in asked.text
    answered = talker.say("客厅")
    assert (answered.kind, ids(answered)) == ("instruct", ["dev-6"])


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("第二个", ["dev-7"]), ("都要", ["dev-6", "dev-7"]), ("两个都开", ["dev-6", "dev-7"]), ("卧室的", ["dev-7"])],
)
def test_short_answers(answer: str, expected: list[str]) -> None:
    """service.md: a pending question is answered by 都要, 第N个, a place, and keeps its value."""
    talker = Talker("sample8", "厨房")
    talker.say("空调调到24度")
    turn = talker.say(answer)
    assert ids(turn) == expected
    assert all(instruct.state["level"] == 24 for instruct in turn.instructs)


def test_a_question_can_be_dropped_and_survives_something_else() -> None:
    """service.md: 算了 drops the question; an unrelated command leaves it open for two more turns."""
    talker = Talker("sample8", "厨房")
    talker.say("打开空调")
    assert talker.say("算了").kind == "answer"
    assert talker.say("客厅").kind != "instruct"
    talker.say("打开空调")
    assert ids(talker.say("厨房灯关了")) == ["dev-3"]
    assert ids(talker.say("客厅的")) == ["dev-6"]


def test_references_follow_what_was_spoken_of() -> None:
    """service.md, Dialogue: 关了 resolves from the dialogue; after several devices 它们 is all of them."""
    talker = Talker("flat25", "餐厅")
    talker.say("客厅吸顶灯跟落地灯都打开")
    assert ids(talker.say("把它们关了")) == ["dev-1", "dev-2"]
    talker.say("卧室空调开着吗")
    assert ids(talker.say("关了")) == ["dev-14"]


def test_a_correction_undoes_and_redoes() -> None:
    """service.md: 不对，X redoes the last action on X; what was switched by mistake is switched back, and said."""
    talker = Talker("flat25", "客厅")
    talker.say("打开落地灯")
    turn = talker.say("不对，我说的是餐厅吊灯")
    assert {i.id: i.state for i in turn.instructs} == {"dev-2": {"power": False}, "dev-7": {"power": True}}
    assert "落地灯" in turn.text
    talker.say("打开吸顶灯")  # it was on already: nothing to undo
    assert ids(talker.say("说错了，是餐厅的吊灯")) == ["dev-7"]


def test_wishes_step_up() -> None:
    """service.md, Token frame: 好热 switches the fan on, 还是好热 turns it up."""
    talker = Talker("flat25", "客厅")
    first, second = talker.say("好热！"), talker.say("还是好热！")
    assert [i.state for i in (*first.instructs, *second.instructs)] == [{"power": True}, {"level": 3}]


def test_timers_are_set_listed_and_cancelled() -> None:
    """service.md, Timers: each timed instruct has a timer_id; cancelling sends it back; listing tells the time."""
    talker = Talker("sample8", "客厅")
    timed = talker.say("晚上十点关灯").scheduled[0]
    assert (timed.when, timed.state) == ("T22:00", {"power": False})
    assert timed.timer_id
    assert "10点" in talker.say("有哪些定时").text
    cancel = talker.say("取消刚才的定时").scheduled[0]
    assert (cancel.id, cancel.state, cancel.cancel) == (timed.id, {}, timed.timer_id)
    assert "没有" in talker.say("还有定时吗").text


def test_a_consumer_without_when_gets_a_question() -> None:
    """service.md: a consumer that does not know `when` is served with a question, and its yes acts now."""
    talker = Talker("sample8", "客厅", timed=False)
    asked = talker.say("十分钟后关灯")
    assert (asked.kind, asked.instructs) == ("question", ())
    now = talker.say("好的")
    assert [(i.id, i.when) for i in now.instructs] == [("dev-1", None)]


def test_risky_requests_wait_for_a_yes() -> None:
    """service.md: unlocking needs a confirming turn; anything else said forgets it."""
    talker = Talker("loft30", "客厅")
    assert talker.say("打开门锁").kind == "question"
    assert talker.say("确定").instructs[0].state == {"locked": False}
    talker.state("L02")["locked"] = True
    talker.say("打开门锁")
    talker.say("电视关掉")
    assert talker.say("好的").instructs == ()


def test_protected_devices_are_left_out_and_named() -> None:
    """service.md: 全关 leaves out what is protected and names it; named itself, it is switched."""
    talker = Talker("loft30", "客厅")
    turn = talker.say("客厅的设备全部关掉")
    assert "L13" not in ids(turn)
    assert "鱼缸水泵" in turn.text
    assert ids(talker.say("鱼缸水泵关一下")) == ["L13"]


def test_the_possible_half_is_done() -> None:
    """service.md: the possible part is done and the rest explained."""
    talker = Talker("sample8", "客厅")
    turn = talker.say("打开客厅灯，再打开书房的空调")
    assert ids(turn) == ["dev-1"]
    assert "书房" in turn.text


def test_without_the_switch_nothing_is_sent_or_remembered() -> None:
    """service.md, Request frame `instruct`: false gives the same text, no instructs, and nothing to undo or cancel."""
    talker = Talker("sample8", "客厅")
    told = talker.say("十分钟后关灯").text
    silent = Talker("sample8", "客厅")
    silent.instruct = False
    turn = silent.say("十分钟后关灯")
    assert (turn.kind, turn.text, turn.instructs) == ("instruct", told, ())
    assert silent.say("有哪些定时").text == "现在没有定时。"


def test_dialogue_and_other_people_are_left_alone() -> None:
    """service.md, Token frame: 今天收益不错 is 无关会话, 小爱，开灯 is 无关对象."""
    talker = Talker("sample8", "客厅")
    assert talker.say("小牛，今天收益不错，我很开心。").text == "无关会话"
    assert talker.say("小爱，开灯。").text == "无关对象"
    assert talker.say("妈，把灯关一下").text == "无关对象"


def test_timers_can_be_moved() -> None:
    """A time said right after a timed request moves it: the old timer is taken back, the day and its half stay."""
    talker = Talker("sample8", "客厅")
    first = talker.say("明天晚上十点关灯").scheduled[0]
    moved = talker.say("改到十一点")
    assert [(i.when, i.cancel) for i in moved.scheduled] == [("2026-11-22T23:00", None), (None, first.timer_id)]


def test_undoing_puts_back_what_changed() -> None:
    """撤销 puts back what the last turn changed, and only that."""
    talker = Talker("flat25", "客厅")
    talker.say("把吸顶灯和落地灯打开")  # the first was on already
    assert [(i.id, i.state) for i in talker.say("撤销").instructs] == [("dev-2", {"power": False})]


def test_options_are_told_apart_by_their_names() -> None:
    """service.md: a pending question is answered by a name; what tells the names apart is enough."""
    talker = Talker("villa120", "二楼主卧")
    talker.say("床头灯打开")
    assert ids(talker.say("右边那个")) == ["v49"]


def test_a_described_state_picks_the_targets() -> None:
    """把开着的空调关了 is for those that are on; the description switches nothing."""
    talker = Talker("flat25", "卧室")
    talker.say("打开床头灯")
    turn = talker.say("把开着的灯关了")
    assert [(i.id, i.state) for i in turn.instructs] == [("dev-12", {"power": False})]


def test_a_question_word_never_repeats_an_action() -> None:
    """Law 2: after an action, a fragment that asks is answered, not carried out."""
    talker = Talker("loft30", "客厅")
    talker.say("打开吸顶灯")
    for question in ("门锁了没", "空调是开着还是关着", "电视呢，开着吗"):
        turn = talker.say(question)
        assert (turn.kind, turn.instructs) == ("answer", ()), question


def test_the_attribute_finds_its_device() -> None:
    """湿度多少 after the air conditioner asks the room's sensor; its setting is not answered for it."""
    talker = Talker("loft30", "客厅")
    talker.say("打开空调")
    assert "58" in talker.say("湿度多少").text


def test_a_missed_answer_is_asked_again_once() -> None:
    """service.md: a question is asked at most twice, then what is possible is said."""
    talker = Talker("sample8", "卫生间")
    talker.say("打开空调")
    again = talker.say("厨房的")
    assert (again.kind, again.instructs) == ("question", ())
    assert "哪" in again.text
    last = talker.say("卫生间的")
    assert (last.kind, last.instructs) == ("answer", ())
    assert "客厅空调" in last.text
