"""Homes and places that nobody learned from: how many of their requests bring exactly what they need."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tingdong.cli.retrieving import HomeFile

PLACES = Path(__file__).parents[1] / "corpus" / "places"
LEAST = {
    "retrieval_places": 40,
    "retrieval_floors": 86,
    "retrieval_inn": 55,
    "retrieval_studio": 45,
    "retrieval_care": 47,
    "retrieval_restaurant": 56,
    "retrieval_farm": 46,
    "retrieval_school": 27,
    "retrieval_elders": 52,
    "retrieval_offices": 61,
    "retrieval_postpartum": 52,
    "retrieval_kindergarten": 36,
    "retrieval_workshop": 28,
    "retrieval_gym": 36,
    "retrieval_orchard": 20,
    "retrieval_vet": 26,
}
"""Right at least, of each open set; the closed halves are measured apart and read by nobody."""


@cache
def place(name: str) -> HomeFile:
    return HomeFile(PLACES / "homes" / f"{name}.json")


def is_right(row: dict[str, Any]) -> bool:
    found = place(row["home"]).retrieve(row["text"], location=row["location"], before=row.get("before", ()))
    got = {role: {one.entity_id for one in found.candidates if one.role == role} for role in ("target", "condition")}
    return any(
        (got["target"], got["condition"], found.hint is not None)
        == (set(one["gold"]), set(one["condition"]), one["hint"])
        for one in (row, *({**row, **other} for other in row.get("accept", ())))
    )


@pytest.mark.parametrize("name", LEAST)
def test_only_the_needed_devices_are_returned(name: str) -> None:
    """retrieval.md: function, brand, owner, position, ordinal, range, exception, what is carried or left implicit."""
    lines = (PLACES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    wrong = [row["text"] for row in map(json.loads, lines) if not is_right(row)]
    assert len(lines) - len(wrong) >= LEAST[name], wrong
