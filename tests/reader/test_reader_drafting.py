"""Drafts save steps and never change what is decoded (docs/reader.md, How it reads)."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_retrieval.models import Command
from context_retrieval.protocol import decode
from tingdong.commands import LocalParser
from tingdong.reader.drafting import Draft
from tingdong.reader.grammar import Grammar, Places, last_marker
from tingdong.reader.learned import LearnedReader, shipped
from tingdong.reader.spots import SentenceSpotter
from tingdong.reader.symbols import END, Symbols
from tingdong.reader.writing import Row

VERBS = ("打开", "关闭", "设置亮度", "设置模式", "调高亮度")
SYMBOLS = Symbols(VERBS, ("最大", "除湿"))
GRAMMAR = Grammar(SYMBOLS)
SENTENCES = ("客厅的灯调到五成，卧室空调除湿", "十分钟后关掉卧室和书房的台灯", "除了小夜灯都关", "开")
RULES: Row = ["verb:打开", "room", 0, 1, "Light:all", "verb:设置亮度", "value", 6, "name", 3, 3, "Light:one"]


def commands(*strings: str) -> tuple[Command, ...]:
    return decode(json.dumps(strings, ensure_ascii=False)).commands


@given(st.sampled_from(SENTENCES), st.sampled_from((0, 5, len(RULES))), st.randoms(use_true_random=False))
def test_a_draft_can_always_be_run(text: str, at: int, rng: random.Random) -> None:
    """Whatever comes instead of the draft, the next one is of known symbols and positions of the sentence."""
    spots = SentenceSpotter().read(text)
    places, rules = Places(spots), [i if isinstance(i, str) else i % len(spots.text) for i in RULES]
    draft, row = Draft(spots, lambda token: "Light", rules, at), rules[:at]
    for _ in range(30):
        item = _drawn(row, places, rng)
        if item == END:
            return
        row.append(item)
        if draft.items()[:1] == [item]:
            draft.came_true()
        else:
            draft.missed(row, last_marker(row)[0])
        assert all(i in SYMBOLS.number if isinstance(i, str) else 0 <= i < len(text) for i in draft.items())


def _drawn(row: Row, places: Places, rng: random.Random) -> str | int:
    symbols, positions = GRAMMAR.legal(row, places)
    legal = positions if symbols is None else symbols
    assert legal is not None
    at = rng.choice([int(i) for i in legal.nonzero()[0]])
    return at if symbols is None else SYMBOLS.all[at]


def test_a_command_put_in_leaves_the_rest_of_the_draft() -> None:
    """The network reads one command more than the rules: behind it theirs are expected as they were."""
    spots = SentenceSpotter().read("客厅开灯，再调暗")
    rules: Row = ["verb:打开", "room", 0, 1, "Light:all"]
    draft, row = Draft(spots, lambda token: "Light", list(rules), 0), ["verb:调高亮度"]
    draft.missed(row, "")
    assert draft.items()[-len(rules) :] == rules
    row += ["@last", "Light:all"]
    for count in (2, 3):
        draft.missed(row[:count], "")
    assert draft.items() == rules


def test_a_span_begun_elsewhere_is_ended_with_its_token() -> None:
    """Another room than the rules' is expected to reach as far as its word does, and the command to go on as theirs."""
    spots = SentenceSpotter().read("客厅不动，卧室开灯")
    draft = Draft(spots, lambda token: "Light", ["verb:打开", "room", 0, 1, "Light:all"], 2)
    draft.missed(["verb:打开", "room", 5], "room")
    assert draft.items() == [6, "Light:all"]


@pytest.fixture(scope="module")
def reader() -> LearnedReader:
    found = shipped()
    assert found is not None
    return found


@pytest.mark.parametrize(
    "text",
    ["打开客厅的灯，把卧室空调调到26度，书房窗帘拉上", "除了小夜灯别的灯都关了", "大灯熄了，换台灯", "今天天气怎么样"],
)
def test_what_is_decoded_is_the_same_for_any_draft(text: str, reader: LearnedReader) -> None:
    """The guess is the network's own, whatever array the rules bring: theirs, half of it, another one or none."""
    sitting = reader.open(text)
    assert sitting is not None
    alone = sitting.guess()
    rules = LocalParser().read(text).commands
    others = ((), rules[:1], rules[1:], (*rules, *rules), commands("关闭-*-*#Light#all", "打开-*-*#Television#all"))
    for brought in (rules, *others):
        guess, _ = sitting.weigh(brought)
        assert guess.commands == alone.commands
        assert guess.score == pytest.approx(alone.score, abs=1e-3)
        assert guess.worst == pytest.approx(alone.worst, abs=1e-3)
