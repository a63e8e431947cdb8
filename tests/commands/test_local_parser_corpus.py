"""The open sets: scored per leading tag, with a strict ledger of what is known to fail.

The sets put aside are scored as totals only; their sentences are never shown.
"""

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import yaml

from context_retrieval.protocol import or_unknown
from tingdong.commands import LocalParser, Verdict
from tingdong.evaluate.commands import canonical

CORPUS = Path(__file__).parents[1] / "corpus"
LEDGER = Path(__file__).with_name("known_failures.yaml")
UNKNOWN = ["UNKNOWN-*-*#Unknown#one"]
LEAST = {"commands_dev": 0.95, "commands_train": 0.95}
LEDGERED = (
    "commands_dev",
    "commands_train",
    "commands_second",
    *(f"commands_more_{letter}" for letter in "abcdefghijklmnopqrstuvwx"),
)
LEAST_TAG = 0.90
LEAST_ASIDE = 0.88


@cache
def scored(name: str) -> list[tuple[dict, list[str], bool, Verdict]]:  # type: ignore[type-arg]
    parser = LocalParser()
    rows = []
    for line in (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        reading = parser.read(case["text"])
        got = [canonical(str(command)) for command in or_unknown(reading.commands)]
        golds = [case["gold"], *case.get("accept", ())]
        rows.append((case, got, any(got == [canonical(c) for c in gold] for gold in golds), reading.verdict))
    return rows


def share(name: str) -> float:
    rows = scored(name)
    return sum(right for _, _, right, _ in rows) / len(rows)


@pytest.mark.parametrize("name", LEAST)
def test_readable_sets_are_read(name: str) -> None:
    """At least 95 % of the readable open sets come out exactly (seed 001, 验收标准)."""
    assert share(name) >= LEAST[name]


def test_each_leading_tag_of_the_open_set_is_read() -> None:
    """At least 90 % in each leading tag of the open set."""
    total, right = Counter[str](), Counter[str]()
    for case, _, good, _ in scored("commands_dev"):
        total[case["tags"][0]] += 1
        right[case["tags"][0]] += good
    assert {tag: right[tag] / total[tag] for tag in total if right[tag] / total[tag] < LEAST_TAG} == {}


def test_sets_put_aside_are_read() -> None:
    """What was set aside, scored and never read, is read nearly as well."""
    rows = [*scored("commands_aside"), *scored("commands_check")]
    assert sum(right for _, _, right, _ in rows) / len(rows) >= LEAST_ASIDE


def test_ledger_of_known_failures_is_exact() -> None:
    """A failure is listed; an entry that passes must be removed."""
    listed = set(yaml.safe_load(LEDGER.read_text(encoding="utf-8")) or [])
    failing = {case["id"] for name in LEDGERED for case, _, right, _ in scored(name) if not right}
    assert {"unlisted": sorted(failing - listed), "passing": sorted(listed - failing)} == {
        "unlisted": [],
        "passing": [],
    }


def test_no_negative_of_the_open_set_becomes_a_command() -> None:
    """Talk that asks nothing of the home never yields a command (seed 000, 解析失败统一降级)."""
    found = {c["text"]: got for c, got, _, _ in scored("commands_dev") if c["gold"] == UNKNOWN and got != UNKNOWN}
    assert found == {}
