"""Slots and pointers: what can be said by them, and that nothing else can come out (commands.md)."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_retrieval.models import Command
from context_retrieval.protocol import decode, encode
from tingdong.evaluate.commands import canonical
from tingdong.reader.filling import Filler, PointerPlaces
from tingdong.reader.network import Scores
from tingdong.reader.slots import MARKS, MOODS, POINTERS, SLOTS, Alphabet
from tingdong.reader.spots import SentenceSpotter
from tingdong.reader.writing import SlotWriter

CORPUS = Path(__file__).parents[1] / "corpus" / "commands_dev.jsonl"
VERBS = ("打开", "关闭", "设置亮度", "设置温度", "设置模式", "调高亮度", "调低温度", "查询状态", "执行", "静音", "设置")
ALPHABET = Alphabet(VERBS, ("最大", "最小", "自动", "除湿"))
SENTENCES = (
    "把客厅空调调到26度半",
    "十分钟后关掉卧室和书房的灯",
    "除了小夜灯别的灯都关了",
    "随便开两盏灯",
    "客厅温度超过28度就开空调",
    "开",
)
SPOTTER = SentenceSpotter()


def test_labelled_commands_can_be_built_from_their_sentence() -> None:
    """commands.md: nearly every labelled array is made of closed classes and words of its sentence, and reads back."""
    cases = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    golds = [decode(json.dumps(case["gold"], ensure_ascii=False)).commands for case in cases]
    verbs = sorted({command.action.verb for gold in golds for command in gold})
    alphabet = Alphabet(tuple(verbs), ("暖", "冷", "自然", "低", "中", "高", "自动", "最大", "最小"))
    same = 0
    for case, gold in zip(cases, golds, strict=True):
        wanted = [command for command in gold if not command.is_unknown]
        writer = SlotWriter(SPOTTER, SPOTTER.read(case["text"]), alphabet)
        slots = writer.slots_of(wanted)
        back = writer.commands_of(slots) if slots is not None else ()
        same += [canonical(str(c)) for c in back] == [canonical(str(c)) for c in wanted] and slots is not None
    assert same >= 0.98 * len(cases)


def scores_of(length: int, seed: int) -> Scores:
    """What a network that knows nothing might say of a sentence."""
    rng = np.random.default_rng(seed)

    def some(*shape: int) -> np.ndarray:
        return (3 * rng.standard_normal(shape)).astype(np.float32)

    return Scores(
        some(SLOTS, sum(ALPHABET.sizes())),
        some(SLOTS, len(POINTERS), length),
        some(SLOTS, MARKS - 1, length),
        some(length, length),
        some(len(MOODS)),
    )


@given(st.sampled_from(SENTENCES), st.integers(0, 2**32 - 1))
def test_whatever_the_network_says_is_valid(text: str, seed: int) -> None:
    """commands.md: slots filled by any scores are a valid array whose rooms and names stand in the sentence."""
    spots = SPOTTER.read(text)
    writer = SlotWriter(SPOTTER, spots, ALPHABET)
    filled = Filler(ALPHABET).likeliest(scores_of(len(spots.text), seed), PointerPlaces(spots))
    commands = writer.commands_of(filled.slots)
    if commands:
        assert decode(encode(commands)).commands == tuple(commands)
        assert decode(encode(commands)).issues == ()
    for command in commands:
        assert _words(command) <= {spots.text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1)}
        assert command.action.verb in VERBS
        assert not command.action.verb.startswith("设置") or command.action.value


@given(st.sampled_from(SENTENCES), st.integers(0, 2**32 - 1))
def test_a_guess_and_the_same_given_array_have_one_probability(text: str, seed: int) -> None:
    """The same scores say how likely any array is: the guess, given back, has the probability it was made with."""
    spots = SPOTTER.read(text)
    scores, filler, places = scores_of(len(spots.text), seed), Filler(ALPHABET), PointerPlaces(spots)
    guess = filler.likeliest(scores, places)
    again = filler.score(scores, places, guess.slots)
    assert again.score == pytest.approx(guess.score, abs=1e-3)
    assert again.worst == pytest.approx(guess.worst, abs=1e-3)


def _words(command: Command) -> set[str]:
    target = command.target
    named = {target.name} - {"*", "@last"}
    return {*command.scope.include, *command.scope.exclude, *target.excluded} | named


def test_a_word_outside_the_sentence_cannot_be_in_the_answer() -> None:
    """Law 3 of the architecture in small: a room that is not in the sentence has no slot."""
    writer = SlotWriter(SPOTTER, SPOTTER.read("打开客厅的灯"), ALPHABET)
    assert writer.slots_of(decode('["打开-书房-*#Light#all"]').commands) is None
    assert writer.slots_of(decode('["打开-客厅-*#Light#all"]').commands) is not None
