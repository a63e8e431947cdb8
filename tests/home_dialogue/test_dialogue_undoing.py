"""What was done can be taken back (service.md, Dialogue): a ledger of turns, and undoing as an operation on it."""

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest

Say = Callable[[str, str], Any]
DOINGS = (
    "把灯都关了",
    "打开电视",
    "卧室空调调到28度",
    "电视声音调到30%",
    "打开加湿器",
    "把客厅灯调到20%",
    "关掉油烟机",
    "打开书房台灯，亮度调到60%",
    "卧室窗帘拉上",
    "家里的灯全打开",
    "十分钟后关电视",
    "暗一点",
    "不对，是卧室的",
    "空调现在多少度",
)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("said", ["撤销", "全部撤销，恢复到我第一句话之前的样子"])
def test_undoing_is_the_inverse_of_doing(dialogue: Say, said: str, seed: int) -> None:
    """undo ∘ do is the identity on the state, for any sequence of turns, step by step and all at once."""
    held = dialogue("flat25", "客厅")
    before = copy.deepcopy(held.home)
    for question in random.Random(seed).sample(DOINGS, 6):
        held.say(question)
    for _ in range(7):
        turn = held.say(said)
        if turn.kind == "answer":
            break
    assert (turn.kind, turn.instructs, turn.scheduled) == ("answer", (), ())
    assert "没有可以撤销" in turn.text
    assert held.home == before


def test_an_undo_without_effect_says_so(dialogue: Say) -> None:
    """What is said is true: a turn that could take nothing back does not say that it did."""
    for home, local in (("sample8", "客厅"), ("flat25", "卧室")):
        turn = dialogue(home, local).say("撤销刚才的")
        assert (turn.kind, turn.instructs) == ("answer", ())
        assert "没有" in turn.text


def test_undoing_leaves_later_changes_of_others_alone(dialogue: Say) -> None:
    """What changed since by another hand is not put back, and is named."""
    held = dialogue("flat25", "卧室")
    held.say("卧室空调调到28度")
    held.state("dev-14")["level"] = 20
    turn = held.say("撤销")
    assert turn.instructs == ()
    assert "空调" in turn.text
    assert held.state("dev-14")["level"] == 20


def test_only_what_is_named_is_taken_back(dialogue: Say) -> None:
    """A thing that is named is put back alone, also from an earlier turn."""
    held = dialogue("flat25", "客厅")
    for question in ("打开客厅落地灯和客厅电视", "卧室空调调到28度"):
        held.say(question)
    assert {one.id: one.state for one in held.say("落地灯恢复一下").instructs} == {"dev-2": {"power": False}}


def test_a_correction_puts_back_only_the_part_it_replaces(dialogue: Say) -> None:
    """不对，是X after several requests: what the others did stays, and nothing is put back twice."""
    held = dialogue("flat25", "客厅")
    held.say("打开客厅落地灯，卧室空调调到28度")
    turn = held.say("不对，是餐厅的灯")
    touched = {one.id: one.state for one in turn.instructs}
    assert "dev-14" not in touched
    assert touched["dev-7"]["power"] is True
    again = held.say("不是，打开卧室床头灯")
    assert "dev-2" not in {one.id for one in again.instructs}
    assert held.state("dev-12")["power"] is True


@pytest.mark.parametrize(
    "said", ["不是卧室，是书房", "我说的是书房，不是卧室", "不对，不是卧室是书房", "错了，是书房不是卧室"]
)
def test_denied_devices_are_not_switched(dialogue: Say, said: str) -> None:
    """不是X，是Y puts X back and does Y; never both."""
    held = dialogue("flat25", "客厅")
    held.say("打开卧室的灯")
    states = {one.id: one.state for one in held.say(said).instructs}
    assert states == {"dev-11": {"power": False}, "dev-12": {"power": False}, "dev-23": {"power": True}}


def test_an_undo_can_be_undone(dialogue: Say) -> None:
    """撤销 right after 恢复刚才的温度 takes that back; after 撤销 it goes one step further."""
    held = dialogue("flat25", "卧室")
    for question, level in (("卧室空调调到28度", 28), ("恢复刚才的温度", 26), ("撤销", 28), ("撤销", 26)):
        held.say(question)
        assert held.state("dev-14")["level"] == level
    held.say("卧室空调调到28度")
    held.say("打开卧室顶灯")
    for _ in range(2):
        held.say("撤销")
    assert (held.state("dev-11")["power"], held.state("dev-14")["level"]) == (False, 26)


def test_less_of_what_was_wrongly_switched_off(dialogue: Say) -> None:
    """A correction that refuses what was done puts it back first; less of it then is less of what is on."""
    held = dialogue("flat25", "客厅")
    held.state("dev-4").update({"power": True, "level": 40})
    held.say("关掉电视")
    held.say("不对，声音小点就行，别关")
    assert held.state("dev-4")["power"] is True
    assert held.state("dev-4")["level"] < 40


@pytest.mark.parametrize(
    ("done", "refused", "device"),
    [("关掉卧室空调和客厅电视", "卧室的空调别关", "dev-14"), ("关掉卧室空调", "别关", "dev-14")],
)
def test_what_was_just_done_and_is_refused_is_put_back(dialogue: Say, done: str, refused: str, device: str) -> None:
    """What is said is true: nothing is called unchanged that this dialogue has just changed."""
    held = dialogue("flat25", "卧室")
    held.state(device)["power"] = True
    held.say(done)
    assert {one.id: one.state for one in held.say(refused).instructs} == {device: {"power": True}}


def test_a_word_of_delay_undoes_the_last_act_only_when_alone(dialogue: Say) -> None:
    """A word that holds back takes back what was just done where it is all that is said, and not where it begins what
    is told (等会儿孩子睡了)."""
    for said, takes_back in (
        ("等等，先别", True),
        ("待会儿客人就到了", False),
        ("等会儿我妈要过来", False),
        ("等下快递要来", False),
    ):
        held = dialogue("flat25", "卧室")
        held.state("dev-14")["power"] = False
        held.say("打开卧室空调")
        assert bool(held.say(said).instructs) is takes_back, said
