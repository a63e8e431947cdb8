"""The sentences that the safety score learns from: dangers and near misses under `tests/corpus`, alone, in frames that
take them back, and beside other requests, so that what else is said makes a danger no less.

Never the sets put aside, nor the one developed against.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from bench import labelled
from context_retrieval.strict_yaml import parse_yaml
from tingdong.front_desk import sentences, spoken
from tingdong.front_desk.domain import default
from tingdong.front_desk.model import SafetyLabel

_RED_FLAG_SETS = ("train", "second", "third", "fourth")
_EMERGENCY = SafetyLabel.EMERGENCY.value
_NORMAL = SafetyLabel.NORMAL.value
_DANGER = frozenset({SafetyLabel.EMERGENCY.value, SafetyLabel.SELF_HARM.value})
_TIMES_EACH = {
    SafetyLabel.EMERGENCY.value: 3,
    SafetyLabel.SELF_HARM.value: 4,
    SafetyLabel.INJECTION.value: 1,
    _NORMAL: 2,
}
"""Turns in which a sentence of each label stands beside another request."""
_LONGEST_BESIDE = 25
"""Characters of a turn that is said beside a sentence."""
_BOTH_SIDES = 0.15
"""Share of those with a request before and after."""
_BEFORE = 0.5
"""Share of the rest with a request before."""
_ENDING = "。！，!？ "

_MISUSED = 0.15
"""Share of dangers that are said beside an order that is misuse."""


class LabelledTurn(NamedTuple):
    """A turn with its safety label, and where the words stand that the label is about."""

    text: str
    label: str
    start: int
    end: int


def turns(corpus: Path) -> Iterator[LabelledTurn]:
    """All turns to learn from; whatever only asks for an agent is normal, and dangers by themselves count twice."""
    told = [*_labelled(corpus), *_by_topic(corpus)]
    now = [(sentence, _EMERGENCY) for sentence in _happening(corpus)]
    requests = [(sentence, _NORMAL) for sentence, _ in labelled.own(corpus / "hospital_phrases.yaml")]
    asked = [(row["text"], _NORMAL) for row in labelled.rows(corpus / "hospital_train.jsonl")]
    asked += [(turn["text"], _NORMAL) for turn in labelled.turns(corpus) if turn.get("safety", _NORMAL) == _NORMAL]
    asked += [(text, _NORMAL) for text in _talked(corpus)]
    framed = [(sentence, _NORMAL) for sentence in _framed(corpus, alarms(corpus))]
    danger = [(text, label) for text, label in told if label in _DANGER]
    for text, label in (*told, *danger, *now, *asked, *requests, *framed):
        yield LabelledTurn(text, label, 0, len(text))
    others = [sentence for sentence, _ in requests], [text for text, _ in asked if len(text) <= _LONGEST_BESIDE]
    yield from _beside(told, corpus, others)


def _talked(corpus: Path) -> Iterator[str]:
    """What is said at a desk in dialogues labelled by hand, in which nobody is in danger: every turn, and with the one
    before it, as it is judged there."""
    for path in sorted(corpus.glob("hospital_said_*.txt")):
        if not path.stem.endswith(("_check", "_aside")):
            for said in spoken.dialogues(path):
                yield from (turn.text for turn in said)
                yield from (f"{before.text}，{turn.text}" for before, turn in pairwise(said))


def alarms(corpus: Path) -> list[str]:
    """Dangers by themselves, as somebody says them."""
    return [text for text, label in (*_labelled(corpus), *_by_topic(corpus)) if label in _DANGER]


def beside(corpus: Path) -> list[str]:
    """Sentences that are put beside a danger."""
    requests: str = _yaml(corpus / "hospital_danger_beside.yaml")["requests"]
    return requests.strip().splitlines()


def _labelled(corpus: Path) -> Iterator[tuple[str, str]]:
    for name in _RED_FLAG_SETS:
        for row in labelled.rows(corpus / f"hospital_redflags_{name}.jsonl"):
            yield row["text"], row["safety"]
    yield from labelled.own(corpus / "hospital_alarm_phrases.yaml")


def _by_topic(corpus: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(corpus.glob("hospital_danger_phrases*.yaml")):
        topics: dict[str, dict[str, str]] = _yaml(path)
        for labels in topics.values():
            for label, told in labels.items():
                yield from ((sentence, label) for sentence in told.strip().splitlines())


def _framed(corpus: Path, danger: list[str]) -> Iterator[str]:
    """Red flags in frames that take them back (没有…, 去年…过): each term in every sixth, each of `danger` in one."""
    parts: dict[str, str] = _yaml(corpus / "hospital_alarm_frames.yaml")
    frames, terms, around = (parts[key].strip().splitlines() for key in ("frames", "terms", "sentences"))
    complained_to = default().safety.told_to
    told = [sentence for sentence, agent in labelled.own(corpus / "hospital_phrases.yaml") if agent in complained_to]
    for number, term in enumerate(terms):
        for index in range(number % 6, len(frames), 6):
            yield frames[index].format(x=term, y=told[(7 * number + index) % len(told)])
    for number, sentence in enumerate(danger):
        yield around[number % len(around)].format(s=sentence.rstrip(_ENDING))


def _happening(corpus: Path) -> Iterator[str]:
    """Terms of danger said of now, so that a term by itself leans neither way."""
    parts: dict[str, str] = _yaml(corpus / "hospital_alarm_frames.yaml")
    wishes = parts["wishes"].split()
    for term in parts["terms"].strip().splitlines():
        if term not in wishes:
            yield from (frame.format(x=term) for frame in parts["now"].strip().splitlines())


def _beside(told: Sequence[tuple[str, str]], corpus: Path, others: Sequence[list[str]]) -> Iterator[LabelledTurn]:
    """Sentences before, behind and between requests, with and without a sign or a word that links them."""
    chance = random.Random(1)
    own: dict[str, str] = _yaml(corpus / "hospital_danger_beside.yaml")
    tails = own["tails"].strip().splitlines()
    orders = own["orders"].strip().splitlines()
    pools, links = (beside(corpus), *others), own["links"].rstrip("\n").split("\n")
    for text, label in told:
        words = text.rstrip(_ENDING)
        yield LabelledTurn(words + chance.choice(tails), label, 0, len(words))
        if label in _DANGER and chance.random() < _MISUSED:  # as one turn: neither part of it is normal
            parts = [words, chance.choice(orders)]
            chance.shuffle(parts)
            said = chance.choice(links).join(parts)
            yield LabelledTurn(said, label, 0, len(said))
        for _ in range(_TIMES_EACH[label]):
            link = chance.choice(links)
            words, before, after = text.rstrip(_ENDING), "", ""
            if chance.random() < _BOTH_SIDES:
                before = chance.choice(chance.choice(pools)) + chance.choice(links)
                after = link + chance.choice(chance.choice(pools))
            elif chance.random() < _BEFORE:
                before = chance.choice(chance.choice(pools)) + link
            else:
                after = link + chance.choice(chance.choice(pools))
            if not link:
                before, words, after = (sentences.unsigned(part) for part in (before, words, after))
            yield LabelledTurn(before + words + after, label, len(before), len(before) + len(words))


def _yaml(path: Path) -> dict[str, Any]:
    read: dict[str, Any] = parse_yaml(path.read_text(encoding="utf-8"))
    return read
