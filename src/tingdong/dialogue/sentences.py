"""The sentences that the local models learn from: the labelled sets and phrases under `tests/corpus`.

Never the sets put aside, nor the one developed against.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from tingdong.dialogue.lexicon import PUNCTUATION
from tingdong.dialogue.model import UNKNOWN_AGENT, SafetyLabel

_TURN_SETS = ("train", "second", "third")


def class_sentences(corpus: Path) -> Iterator[tuple[str, str]]:
    """Single tasks with their agent."""
    for turn in _first_turns(corpus):
        for segment in turn["segments"]:
            yield segment["text"], segment["agent"]
    yield from _own(corpus / "hospital_phrases.yaml")


_RED_FLAG_SETS = ("train", "second", "third")
_DANGER = frozenset({SafetyLabel.EMERGENCY.value, SafetyLabel.SELF_HARM.value})


def safety_sentences(corpus: Path) -> list[tuple[str, str]]:
    """Turns with their safety label; whatever asks for an agent is normal."""
    told = [
        (row["text"], row["safety"])
        for name in _RED_FLAG_SETS
        for row in _rows(corpus / f"hospital_redflags_{name}.jsonl")
    ]
    told += _own(corpus / "hospital_alarm_phrases.yaml")
    told += [(row["text"], SafetyLabel.NORMAL.value) for row in _rows(corpus / "hospital_train.jsonl")]
    told += [(sentence, SafetyLabel.NORMAL.value) for sentence, _ in _own(corpus / "hospital_phrases.yaml")]
    danger = [(text, label) for text, label in told if label in _DANGER]
    return told + [(sentence, SafetyLabel.NORMAL.value) for sentence in framed_sentences(corpus, danger)]


def framed_sentences(corpus: Path, danger: list[tuple[str, str]]) -> Iterator[str]:
    """Red flags in frames that take them back (没有…, 去年…过): each term in every sixth, each of `danger` in one."""
    parts: dict[str, str] = yaml.safe_load((corpus / "hospital_alarm_frames.yaml").read_text(encoding="utf-8"))
    frames, terms, around = (parts[key].strip().splitlines() for key in ("frames", "terms", "sentences"))
    told = [sentence for sentence, agent in _own(corpus / "hospital_phrases.yaml") if agent == "triage"]
    for number, term in enumerate(terms):
        for index in range(number % 6, len(frames), 6):
            yield frames[index].format(x=term, y=told[(7 * number + index) % len(told)])
    for number, (sentence, _) in enumerate(danger):
        yield around[number % len(around)].format(s=sentence.rstrip("。！，!？ "))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _own(path: Path) -> Iterator[tuple[str, str]]:
    own: dict[str, str] = yaml.safe_load(path.read_text(encoding="utf-8"))
    for label, sentences in own.items():
        for sentence in sentences.strip().splitlines():
            yield sentence, label


def border_texts(corpus: Path) -> list[tuple[str, frozenset[int]]]:
    """Texts with the places where a request begins: turns as said and without their signs, single requests, and
    requests put one behind the other."""
    turns = list(_first_turns(corpus))
    told = [(segment["text"], segment["agent"]) for turn in turns for segment in turn["segments"]]
    told += _own(corpus / "hospital_phrases.yaml")
    single = list(dict.fromkeys(text for text, agent in told if agent != UNKNOWN_AGENT))
    single = [text for text in single if len(text) >= _LEAST_REQUEST]
    texts = [(text, frozenset[int]()) for text in single]
    texts += [(_unsigned(text), frozenset[int]()) for text in single if _unsigned(text) != text]
    texts += [(turn["text"], _begins(turn, turn["text"], str)) for turn in turns]
    texts += [(_unsigned(turn["text"]), _begins(turn, _unsigned(turn["text"]), _unsigned)) for turn in turns]
    chance = random.Random(1)
    for _ in single:
        parts = chance.sample(single, chance.choice((2, 2, 2, 3)))
        sign = chance.choice(_SIGNS)
        parts = parts if sign else [_unsigned(part) for part in parts]
        texts.append((sign.join(parts), _sums(parts, len(sign))))
    return texts


_SIGNS = ("", "", "，", "？")
_LEAST_REQUEST = 3


def _begins(turn: dict[str, Any], text: str, written: Callable[[str], str]) -> frozenset[int]:
    """Where the later segments of a turn begin in its text, as it is written; what links them stands before."""
    at, begins = 0, set()
    for number, segment in enumerate(turn["segments"]):
        words = written(segment["text"])
        start = text.find(words, at)
        if number and start >= 0:
            begins.add(start)
        at = start + len(words) if start >= 0 else at
    return frozenset(begins)


def _sums(parts: list[str], between: int) -> frozenset[int]:
    ends = [sum(len(part) + between for part in parts[:number]) for number in range(1, len(parts))]
    return frozenset(ends)


def _unsigned(text: str) -> str:
    return "".join(char for char in text if char not in PUNCTUATION and not char.isspace())


def _first_turns(corpus: Path) -> Iterator[dict[str, Any]]:
    for name in _TURN_SETS:
        for row in _rows(corpus / f"hospital_{name}.jsonl"):
            turn = row["turns"][0] if "turns" in row else row
            if turn.get("segments"):
                yield turn
