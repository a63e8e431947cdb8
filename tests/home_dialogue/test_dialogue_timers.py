"""service.md, Timers: which timers a turn is about; none that was not named is touched, and of several it is asked."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tingdong.api.homes import Home
from tingdong.home.model import ReplyKind

Say = Callable[[str, str], Any]
GRANDMA = Path(__file__).parent.parent / "corpus" / "homes" / "grandma22.json"
SET = "客厅电视四十分钟后关，空调一小时后关，回音壁两个小时后关"
TELEVISION, AIR, BAR = "L10", "L09", "L11"
NAMED = {"电视": TELEVISION, "空调": AIR, "回音壁": BAR}


def three(dialogue: Say) -> tuple[Any, dict[str, str]]:
    """A dialogue with three timers, and the id of each by its device."""
    held = dialogue("loft30", "客厅")
    return held, {one.id: one.timer_id for one in held.say(SET).scheduled}


def cancelled(turn: Any) -> set[str]:
    return {one.cancel for one in turn.scheduled if one.cancel}


def set_anew(turn: Any) -> dict[str, str]:
    return {one.id: one.when for one in turn.scheduled if one.when}


@pytest.mark.parametrize("thing", NAMED)
@pytest.mark.parametrize("said", ["{}那个不要了", "取消{}的定时", "{}的定时取消", "{}的别关了", "{}那个定时撤了吧"])
def test_only_the_timer_of_what_is_named_is_taken_back(dialogue: Say, said: str, thing: str) -> None:
    """A cancel that names a thing leaves the others, also those set in the same breath."""
    held, timers = three(dialogue)
    assert cancelled(held.say(said.format(thing))) == {timers[NAMED[thing]]}


@pytest.mark.parametrize("thing", NAMED)
@pytest.mark.parametrize("said", ["{}那个改成三个小时", "{}的定时改成三小时后", "把{}那个改到三个小时以后"])
def test_only_the_timer_of_what_is_named_is_moved(dialogue: Say, said: str, thing: str) -> None:
    """So does a change."""
    held, timers = three(dialogue)
    turn = held.say(said.format(thing))
    assert (set_anew(turn), cancelled(turn)) == ({NAMED[thing]: "PT3H"}, {timers[NAMED[thing]]})


@pytest.mark.parametrize(
    ("said", "when"),
    [
        ("空调那个再加十分钟", "PT1H10M"),
        ("空调的延长半小时", "PT1H30M"),
        ("空调那个推迟一刻钟", "PT1H15M"),
        ("空调那个再晚二十分钟", "PT1H20M"),
        ("空调那个提前半小时", "PT30M"),
        ("把空调的缩短二十分钟", "PT40M"),
        ("空调少开十分钟", "PT50M"),
        ("空调再多开半小时", "PT1H30M"),
    ],
)
def test_a_timer_is_put_off_and_brought_forward_by_a_length(dialogue: Say, said: str, when: str) -> None:
    """推迟 and 提前 with a length of time count from the timer, and switch nothing now."""
    held, _ = three(dialogue)
    turn = held.say(said)
    assert (turn.instructs, set_anew(turn)) == ((), {AIR: when})


def test_a_timer_is_not_brought_forward_into_the_past(dialogue: Say) -> None:
    """It is left as it is, and that is said."""
    held, _ = three(dialogue)
    turn = held.say("电视那个提前五十分钟")
    assert (turn.kind, turn.scheduled) == (ReplyKind.ANSWER, ())
    assert "没有动" in turn.text


@pytest.mark.parametrize("said", ["改成九十分钟", "那个改成九十分钟", "取消那个定时"])
@pytest.mark.parametrize(
    ("answer", "chosen"), [("第二个", {TELEVISION}), ("空调", {AIR}), ("都要", set(NAMED.values()))]
)
def test_of_several_it_is_asked_which(dialogue: Say, said: str, answer: str, chosen: set[str]) -> None:
    """One of several fits and it is not said which: it is asked, none is touched, and the answer goes on."""
    held, timers = three(dialogue)
    asked = held.say(said)
    assert (asked.kind, asked.instructs, asked.scheduled) == (ReplyKind.QUESTION, (), ())
    assert cancelled(held.say(answer)) == {timers[one] for one in chosen}


def test_a_question_about_timers_can_be_dismissed(dialogue: Say) -> None:
    """算了 to the question touches no timer; another request stands for itself."""
    held, timers = three(dialogue)
    held.say("那个改成九十分钟")
    assert held.say("算了").scheduled == ()
    held.say("那个改成九十分钟")
    assert cancelled(held.say("电视那个不要了")) == {timers[TELEVISION]}


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        ("最后一个定时取消", {BAR}),
        ("九点半之前的定时都取消", {TELEVISION, AIR}),
        ("两个小时的那个定时取消", {BAR}),
        ("定时都取消", {TELEVISION, AIR, BAR}),
        ("电视那个定时不要了空调的保留", {TELEVISION}),
    ],
)
def test_timers_are_named_by_order_time_and_length(dialogue: Say, said: str, gone: set[str]) -> None:
    """What is to be kept is not among them."""
    held, timers = three(dialogue)
    assert cancelled(held.say(said)) == {timers[one] for one in gone}


def test_a_clause_about_a_timer_stands_apart(dialogue: Say) -> None:
    """A cancel beside an order, a question or a new time is its own; what is not understood is named."""
    held, timers = three(dialogue)
    turn = held.say("电视那个取消，窗帘拉上")
    assert (cancelled(turn), [one.id for one in turn.instructs]) == ({timers[TELEVISION]}, ["L12"])
    turn = held.say("空调的定时取消，十五分钟后再关")
    assert (cancelled(turn), set_anew(turn)) == ({timers[AIR]}, {AIR: "PT15M"})
    turn = held.say("回音壁那个改成一个小时，另外湿度不超过60")
    assert (turn.instructs, set_anew(turn)) == ((), {BAR: "PT1H"})
    assert "没听懂" in turn.text


def test_a_time_after_a_device_does_not_apply_to_the_next_one(dialogue: Say) -> None:
    """饮水机九点关，新风打开: the second is for now; a time said first is for both."""
    turn = dialogue("office14", "茶水间").say("饮水机九点关，新风打开高档")
    assert ([one.id for one in turn.instructs], set_anew(turn)) == (["o8"], {"o4": "T21:00"})
    turn = dialogue("office14", "茶水间").say("九点关饮水机，打开新风")
    assert turn.instructs == ()


@pytest.mark.parametrize("said", ["床头灯也是，一小时后", "床头灯也是一小时", "床头灯一小时后也关"])
def test_the_same_request_may_name_its_own_time(dialogue: Say, said: str) -> None:
    """长虹也是 keeps the time that is said with it."""
    held = dialogue("couple12", "大间")
    held.say("主灯半小时后关")
    assert set_anew(held.say(said)) == {"a2": "PT1H"}


@given(
    set_for=st.lists(st.sampled_from(sorted(NAMED)), min_size=1, max_size=3, unique=True),
    named=st.sampled_from(sorted(NAMED)),
    said=st.sampled_from(
        ["{}那个不要了", "取消{}的定时", "{}的定时改成五十分钟", "{}那个推迟十分钟", "把{}打开", "{}开着吗"]
    ),
)
def test_no_timer_changes_that_no_clause_names(dialogue: Say, set_for: list[str], named: str, said: str) -> None:
    """Law: whatever is said of one thing, the timers of the others stay."""
    held = dialogue("loft30", "客厅")
    timers = {}
    for count, thing in enumerate(set_for, start=1):
        timers |= {one.timer_id: one.id for one in held.say(f"{thing}{count * 20}分钟后关").scheduled}
    gone = cancelled(held.say(said.format(named)))
    assert {timers[one] for one in gone} <= {NAMED[named]}


def test_a_correction_moves_the_timer_of_what_it_names(dialogue: Say) -> None:
    """不对，灯二十分钟 sets the lamp's anew; 两个都 moves both; the same elsewhere is for later as well."""
    held = dialogue("couple12", "厨房")
    held.say("油烟机十五分钟后关")
    lamp = held.say("灯也十五分钟后关").scheduled[0]
    turn = held.say("不对，灯二十分钟")
    assert (set_anew(turn), cancelled(turn)) == ({lamp.id: "PT20M"}, {lamp.timer_id})
    assert set_anew(held.say("两个都推迟十分钟")) == {"a9": "PT25M", "a8": "PT30M"}
    turn = held.say("灯那个改成一个小时，卫生间的灯也一样")
    assert (turn.instructs, set_anew(turn)) == ((), {"a8": "PT1H", "a11": "PT1H"})


def test_a_request_for_bedtime_is_not_done_now() -> None:
    """一会儿我睡着了再关，十五分钟 sets the length that is said; without one nothing is done, and that is said."""
    turn = Home.load(GRANDMA, local="小屋").say("华生也关，一会儿我睡着了再关，十五分钟")
    assert (turn.instructs, set_anew(turn)) == ((), {"g17": "PT15M"})
    turn = Home.load(GRANDMA, local="小屋").say("华生也关，一会儿我睡着了再关")
    assert (turn.instructs, turn.scheduled) == ((), ())
    assert "没有做" in turn.text


def test_a_cancel_and_a_new_time_are_one_change(dialogue: Say) -> None:
    """电视的取消，改为一小时后 moves the one that is named; a bare hour is the next one; a condition waits for more."""
    held, timers = three(dialogue)
    turn = held.say("电视的取消，改为一小时后")
    assert (set_anew(turn), cancelled(turn)) == ({TELEVISION: "PT1H"}, {timers[TELEVISION]})
    assert set_anew(held.say("空调那个改到十点半")) == {AIR: "T22:30"}
    held = dialogue("flat25", "卧室")
    held.say("如果卧室温度高于28度就把空调调到24度")
    turn = held.say("刚才那个条件改成29度")
    assert (turn.instructs, set_anew(turn)) == ((), {"dev-14": "卧室温度>29C"})


def test_a_correction_takes_the_wrong_timer_back(dialogue: Say) -> None:
    """不是它，是台灯: what was set by mistake does not come due."""
    held = dialogue("taipei36", "書房")
    wrong = held.say("印表機插座十分鐘後關").scheduled[0].timer_id
    turn = held.say("不是它，是 Desk Lamp 十分鐘後關")
    assert (set_anew(turn), cancelled(turn)) == ({"t27": "PT10M"}, {wrong})
