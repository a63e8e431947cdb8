"""What a clause does decides what may come of it: a learned veto and a router (service.md, Scene; laws 1 and 2)."""

from collections.abc import Callable
from typing import Any

import pytest
from bench.said_at_home import HOMES
from bench.train_turns import voices

from tingdong.home.model import ReplyKind
from tingdong.home_dialogue.functions import Function, functions_of
from tingdong.home_dialogue.quiet import SURE

Start = Callable[[str, str], Any]


@pytest.mark.parametrize(
    ("sentence", "switched"),
    [
        ("我们也看会儿电视，落地灯打开", ["dev-2"]),
        ("老师说晚上要少看电视，吸顶灯关掉", ["dev-1"]),
        ("昨天我闺女打电话来说她那边降温了，吸顶灯关掉", ["dev-1"]),
    ],
)
def test_a_statement_beside_an_order_gives_no_command(dialogue: Start, sentence: str, switched: list[str]) -> None:
    """Background beside an order is neither carried out nor said to be not understood."""
    turn = dialogue("flat25", "客厅").say(sentence)
    assert [one.id for one in turn.instructs] == switched
    assert "没听懂" not in turn.text


MARKED = (
    "{}灯都关了",
    "{}把空调打开了",
    "我{}开着窗帘睡",
    "{}电视开了",
)
"""A thing and an act, told."""


@pytest.mark.parametrize(
    "sign", ["难怪", "幸亏", "以为", "还以为", "总算", "可惜", "从来", "自从", "恐怕", "哪怕", "没想到", "犯不着"]
)
def test_a_clause_with_a_sign_of_telling_never_acts(dialogue: Start, sign: str) -> None:
    """Law 2: what an adverb or a verb of thinking makes a fact, a habit or a supposition is no order."""
    for frame in MARKED:
        sentence = frame.format(sign)
        assert not dialogue("flat25", "客厅").say(sentence).instructs, sentence


def test_a_sign_of_telling_ends_with_its_clause(dialogue: Start) -> None:
    """An order behind what is told is carried out."""
    assert [one.id for one in dialogue("flat25", "客厅").say("怪不得这么亮，吸顶灯关掉").instructs] == ["dev-1"]


def test_a_sure_statement_or_question_never_acts(dialogue: Start) -> None:
    """Law 2: a turn that surely only tells or asks sends nothing, whatever the reading makes of it."""
    seen = 0
    for turn in (one for told in voices(closed=False).values() for one in told[::6]):
        told = functions_of(turn.said.text, turn.mentions, turn.facts)
        if any(turn.facts) or min(one.chance(Function.TELL, Function.ASK) for one in told) < SURE:
            continue
        seen += 1
        assert not dialogue("flat25", "客厅").say(turn.said.text).instructs, turn.said.text
    assert seen


@pytest.mark.parametrize("sentence", ["说反了", "你弄错啦", "你听岔了", "弄反了，不是这样"])
def test_a_correction_that_nothing_places_is_asked_about(dialogue: Start, sentence: str) -> None:
    """A word about what was just done gets a question about exactly that, never 无关会话."""
    talk = dialogue("flat25", "客厅")
    talk.say("打开落地灯")
    turn = talk.say(sentence)
    assert turn.kind is ReplyKind.QUESTION
    assert "打开落地灯" in turn.text
    assert not turn.instructs


def test_dialogue_is_still_no_request(dialogue: Start) -> None:
    """service.md, Token frame: 今天收益不错，我很开心 is no request."""
    assert dialogue("flat25", "客厅").say("今天收益不错，我很开心").kind is ReplyKind.NONE


def test_the_homes_of_the_turns_are_there() -> None:
    """The folders that the labelled turns name homes of."""
    assert all(folder.is_dir() for folder in HOMES)


@pytest.mark.parametrize("sentence", ["开着的话空调开26度", "阳台的窗关着吗，关着就开空调", "亮着的话把电视关了"])
def test_an_act_with_a_state_as_condition_waits(dialogue: Start, sentence: str) -> None:
    """Law 2: a condition whose thing is not said in its clause is never lost in silence."""
    assert not dialogue("flat25", "客厅").say(sentence).instructs
