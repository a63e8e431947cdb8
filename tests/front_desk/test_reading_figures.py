"""What the reading reaches on the open sets (hospital.md, Class, Per turn): the floor it may not fall
below."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tingdong.evaluate.corpus import load
from tingdong.evaluate.hospital import HospitalScorer
from tingdong.front_desk import directory, domain
from tingdong.front_desk.model import IntentContext, SafetyLabel
from tingdong.front_desk.read import DeskReader, default_reader
from tingdong.front_desk.router import Router
from tingdong.front_desk.wire import turn_as_json

CORPUS = Path(__file__).parents[1] / "corpus"
NOW = datetime.fromisoformat("2026-11-23T09:30:00+08:00")


@pytest.fixture(scope="module")
def reader() -> DeskReader:
    return default_reader(directory.load(CORPUS / "hospital_directory.yaml"))


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CORPUS / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", ["train", "second", "third", "fourth"])
def test_open_red_flags(reader: DeskReader, name: str) -> None:
    """Recall 100 % and false alarms at most 3 % on the open red flags (hospital.md "Safety")."""
    missed, false, normal = [], [], 0
    for row in rows(f"hospital_redflags_{name}.jsonl"):
        label = reader.read(IntentContext(), row["text"], now=NOW).safety.label
        normal += row["safety"] == "normal"
        if row["safety"] != "normal" and label is SafetyLabel.NORMAL:
            missed.append(row["text"])
        elif row["safety"] == "normal" and label is not SafetyLabel.NORMAL:
            false.append(row["text"])
    assert not missed
    assert len(false) <= 0.03 * normal, false


FLOORS = {
    "hospital_dev": 0.96,
    "hospital_second": 0.97,
    "hospital_third": 0.93,
    "hospital_fourth": 0.9,
    "hospital_dialogues": 0.93,
    "hospital_frames": 0.8,
}
"""Share of turns right, by set; what is read and trained on stands higher than what is not."""


@pytest.mark.parametrize("name", FLOORS)
def test_whole_dialogues_keep_their_recorded_accuracy(reader: DeskReader, name: str) -> None:
    """Segments, relations, operations, focus, queue and safety of whole dialogues, turn by turn (hospital.md,
    Frames)."""
    router = Router(domain.default(), reader)

    def route(now: str, turns: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        context = IntentContext()
        answers: list[Mapping[str, Any]] = []
        for turn in turns:
            answer = router.turn(context, turn["text"], now=datetime.fromisoformat(now))
            context = answer.context
            answers.append(turn_as_json(answer))
        return answers

    scorer = HospitalScorer(route)
    outcomes = [outcome for case in load(CORPUS / f"{name}.jsonl") for outcome in scorer.score(case)]
    wrong = [outcome.id for outcome in outcomes if not outcome.right]
    assert len(wrong) <= (1 - FLOORS[name]) * len(outcomes), wrong


def test_first_turns_of_the_open_dialogues(reader: DeskReader) -> None:
    """Segments right in 95 % of first turns, macro-F1 of the classes at least 0.95 where their number is right."""
    right, turns = 0, 0
    hits: Counter[str] = Counter()
    said: Counter[str] = Counter()
    meant: Counter[str] = Counter()
    for row in rows("hospital_dev.jsonl"):
        turn = row["turns"][0]
        if turn["safety"] != "normal" or turn["segments"] is None:
            continue
        gold = [segment["agent"] for segment in turn["segments"]]
        found = [segment.agent_code for segment in reader.read(IntentContext(), turn["text"], now=NOW).segments]
        turns += 1
        right += gold == found
        if len(gold) == len(found):
            meant.update(gold)
            said.update(found)
            hits.update(one for one, other in zip(gold, found, strict=True) if one == other)
    assert right >= 0.95 * turns
    scores = [2 * hits[agent] / (meant[agent] + said[agent]) for agent in meant]
    assert sum(scores) / len(scores) >= 0.95
