"""The sentences that the front desk's models learn from: the labelled sets and phrases under `tests/corpus`.

Never the sets put aside, nor the one developed against.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from context_retrieval.strict_yaml import parse_yaml
from tingdong.front_desk.model import TurnType
from tingdong.front_desk.sentences import OpeningTurns

_TURN_SETS = ("train", "second", "third", "fourth", "dialogues")


def told(corpus: Path) -> OpeningTurns:
    """All texts that are labelled with segments."""
    turns = [turn for name in _TURN_SETS for turn in _opening(corpus / f"hospital_{name}.jsonl")]
    return OpeningTurns(turns, list(own(corpus / "hospital_phrases.yaml")))


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a labelled set."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def own(path: Path) -> Iterator[tuple[str, str]]:
    """Sentences with the label that they stand under."""
    labels: dict[str, str] = parse_yaml(path.read_text(encoding="utf-8"))
    for label, told in labels.items():
        for sentence in told.strip().splitlines():
            yield sentence, label


def turns(corpus: Path) -> Iterator[dict[str, Any]]:
    """Every turn of the labelled sets, also those that answer, end or go on."""
    for name in _TURN_SETS:
        for row in rows(corpus / f"hospital_{name}.jsonl"):
            yield from row.get("turns", [row])


def _opening(path: Path) -> Iterator[dict[str, Any]]:
    """Turns that stand by themselves: the first of a dialogue, and those that only open something new."""
    for row in rows(path):
        turns = row.get("turns", [row])
        yield from (
            turn
            for number, turn in enumerate(turns)
            if turn.get("segments") and (not number or turn.get("turn_type") == TurnType.NEW_REQUEST.value)
        )
