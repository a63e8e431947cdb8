"""Desks that are only files: a bank's counter and a veterinary practice, with what was learned from their sentences
(hospital.md, Per turn: a new agent is data)."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from tingdong.front_desk import directory
from tingdong.front_desk.desk import local_reader
from tingdong.front_desk.directory import EMPTY
from tingdong.front_desk.domain import load
from tingdong.front_desk.model import IntentContext
from tingdong.front_desk.router import Router

NOW = datetime.fromisoformat("2026-11-23T09:30:00+08:00")
DOMAINS = Path(__file__).parents[2] / "examples" / "domains"
SETS = Path(__file__).parents[1] / "corpus" / "desks"
LEAST_RIGHT = 0.85


def labelled(path: Path) -> Iterator[list[tuple[str, list[list[str]]]]]:
    """Dialogues of a set: each turn's words, and the operations that are right, one of several."""
    turns: list[tuple[str, list[list[str]]]] = []
    for line in [*path.read_text("utf-8").splitlines(), ""]:
        if line.startswith("#"):
            continue
        if not line:
            if turns:
                yield turns
            turns = []
            continue
        text, _, told = line.partition(" | ")
        ways = (way.strip().split(", ") for way in told.split(" or "))
        turns.append((text, [sorted(op for op in way if op != "-") for way in ways]))


def router_of(name: str) -> Router:
    people = DOMAINS / f"{name}.directory.yaml"
    domain = load(DOMAINS / f"{name}.yaml")
    return Router(domain, local_reader(domain, directory.load(people) if people.exists() else EMPTY))


def wrong(router: Router, path: Path) -> tuple[int, list[str]]:
    """How many turns there are, and those that lead to something else."""
    count, found = 0, []
    for turns in labelled(path):
        context = IntentContext()
        for text, right in turns:
            turn = router.turn(context, text, now=NOW)
            context = turn.context
            ops = sorted(f"{op.op.value} {op.target}" for op in context.intent_ops)
            count += 1
            if ops not in right:
                found.append(f"{text}: {ops}, not {right}")
    return count, found


@pytest.mark.parametrize("name", ["bank", "vet"])
def test_a_desk_made_of_files_reads_new_sentences(name: str) -> None:
    """Of turns in other voices than the files' own, single ones and dialogues, 85 % lead to the right operations."""
    count, found = wrong(router_of(name), SETS / f"{name}.txt")
    assert count >= 60
    assert len(found) <= (1 - LEAST_RIGHT) * count, "\n".join(found)


if __name__ == "__main__":
    for desk in ("bank", "vet"):
        told = wrong(router_of(desk), SETS / f"{desk}.txt")
        print(desk, told[0], len(told[1]), *told[1], sep="\n")
