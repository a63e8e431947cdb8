"""Rows of symbols and pointers: what can be said by them, and that nothing else can come out (seeds 000, 001)."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_retrieval.models import Command
from context_retrieval.protocol import decode, encode
from tingdong.evaluate.commands import canonical
from tingdong.reader.grammar import Grammar, Places
from tingdong.reader.spots import SentenceSpotter
from tingdong.reader.symbols import END, Symbols
from tingdong.reader.writing import Row, RowWriter

CORPUS = Path(__file__).parents[1] / "corpus" / "commands_dev.jsonl"
VERBS = ("打开", "关闭", "设置亮度", "设置温度", "设置模式", "调高亮度", "调低温度", "查询状态", "执行", "静音", "设置")
SYMBOLS = Symbols(VERBS, ("最大", "最小", "自动", "除湿"))
SENTENCES = (
    "把客厅空调调到26度半",
    "十分钟后关掉卧室和书房的灯",
    "除了小夜灯别的灯都关了",
    "随便开两盏灯",
    "客厅温度超过28度就开空调",
    "开",
)


@pytest.fixture(scope="module")
def spotter() -> SentenceSpotter:
    return SentenceSpotter()


def test_open_sentences_can_be_said_by_pointing(spotter: SentenceSpotter) -> None:
    """Seed 000: nearly every labelled array is made of closed symbols and words of its sentence, and reads back."""
    cases = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    golds = [decode(json.dumps(case["gold"], ensure_ascii=False)).commands for case in cases]
    verbs = sorted({command.action.verb for gold in golds for command in gold})
    symbols = Symbols(tuple(verbs), ("暖", "冷", "自然", "低", "中", "高", "自动", "最大", "最小"))
    same = 0
    for case, gold in zip(cases, golds, strict=True):
        wanted = [command for command in gold if not command.is_unknown]
        writer = RowWriter(spotter, spotter.read(case["text"]), symbols)
        row = writer.to_row(wanted)
        back = writer.commands(row) if row is not None else ()
        same += [canonical(str(c)) for c in back] == [canonical(str(c)) for c in wanted] and row is not None
    assert same >= 0.98 * len(cases)


@given(st.sampled_from(SENTENCES), st.randoms(use_true_random=False))
def test_whatever_the_grammar_allows_is_valid(text: str, rng: random.Random) -> None:
    """Seed 001: every row drawn under the grammar is a valid array whose rooms and names stand in the sentence."""
    spotter = SentenceSpotter()
    spots = spotter.read(text)
    writer, grammar, places = RowWriter(spotter, spots, SYMBOLS), Grammar(SYMBOLS), Places(spots)
    commands = writer.commands(_drawn(grammar, places, rng))
    if commands:
        assert decode(encode(commands)).commands == tuple(commands)
        assert decode(encode(commands)).issues == ()
    for command in commands:
        assert _words(command) <= {spots.text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1)}
        assert command.action.verb in VERBS
        assert not command.action.verb.startswith("设置") or command.action.value


def _drawn(grammar: Grammar, places: Places, rng: random.Random) -> Row:
    row: Row = []
    while len(row) < 40:
        symbols, positions = grammar.legal(row, places)
        legal = symbols if symbols is not None else positions
        assert legal is not None
        assert legal.any()
        at = rng.choice([int(i) for i in legal.nonzero()[0]])
        if symbols is not None and grammar.symbols.all[at] == END:
            assert grammar.completed(row) == row
            return row
        row.append(grammar.symbols.all[at] if symbols is not None else at)
    return list(grammar.completed(row))


def _words(command: Command) -> set[str]:
    target = command.target
    named = {target.name} - {"*", "@last"}
    return {*command.scope.include, *command.scope.exclude, *target.excluded} | named


def test_a_word_that_is_not_there_cannot_be_said(spotter: SentenceSpotter) -> None:
    """Law 3 of the architecture in small: a room that is not in the sentence has no row."""
    writer = RowWriter(spotter, spotter.read("打开客厅的灯"), SYMBOLS)
    assert writer.to_row(decode('["打开-书房-*#Light#all"]').commands) is None
    assert writer.to_row(decode('["打开-客厅-*#Light#all"]').commands) is not None
