"""The open retrieval set with hand-written commands: retrieval scored apart from any parser (retrieval.md)."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from context_retrieval.catalog import Catalog
from context_retrieval.injection import count_tokens, summarize_devices_for_prompt, summarize_result_for_prompt
from context_retrieval.models import QueryIR, RetrievalResult, Role
from context_retrieval.pipeline import retrieve_ir, says_whole_home
from context_retrieval.protocol import decode
from context_retrieval.state import ConversationState
from tingdong.home.cache import HomeStore, load_home

TESTS = Path(__file__).parents[1]
COMMANDS: dict[str, dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "retrieval_dev_commands.yaml").read_text(encoding="utf-8")
)
CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (TESTS / "corpus" / "retrieval_dev.jsonl").read_text(encoding="utf-8").splitlines()
    if line
]


@cache
def catalog(home: str) -> Catalog:
    raw = (TESTS / "corpus" / "homes" / f"{home}.json").read_bytes()
    return load_home(raw, HomeStore()).shape.catalog


def queries(commands: Sequence[str]) -> list[QueryIR]:
    if not commands:
        return [QueryIR("UNKNOWN")]
    return [QueryIR.from_command(command) for command in decode(json.dumps(commands)).commands]


def run(case: dict[str, Any]) -> RetrievalResult:
    home, state, said = catalog(case["home"]), ConversationState(), COMMANDS[case["id"]]
    for earlier in said.get("before", ()):
        retrieve_ir(queries(earlier), home, state, location=case["location"])
    return retrieve_ir(
        queries(said["commands"]),
        home,
        state,
        location=case["location"],
        explicit_all=says_whole_home(case["text"]),
    )


def selected(result: RetrievalResult, role: Role) -> set[str]:
    return {candidate.entity_id for candidate in result.candidates if candidate.role is role}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_open_set_is_retrieved_exactly(case: dict[str, Any]) -> None:
    """retrieval.md: exactly the necessary entities, the sensor of a condition, and a hint only where one is due."""
    result = run(case)
    got = (selected(result, Role.TARGET), selected(result, Role.CONDITION), result.hint is not None)
    wanted = [case, *({**case, **other} for other in case.get("accept", ()))]
    assert got in [(set(one["gold"]), set(one["condition"]), one["hint"]) for one in wanted]


def test_every_case_has_its_commands() -> None:
    """The hand-written commands and the open set name the same cases."""
    assert set(COMMANDS) == {case["id"] for case in CASES}


def test_prompt_is_a_fraction_of_the_home() -> None:
    """retrieval.md: tokens of one request against the whole home of 120 devices."""
    home = catalog("villa120")
    whole = count_tokens(summarize_devices_for_prompt(home, compact=True))
    shares = sorted(
        count_tokens(summarize_result_for_prompt(result)) / whole
        for case in CASES
        if case["home"] == "villa120" and (result := run(case)).entities
    )
    assert shares[len(shares) // 2] <= 0.025
    assert shares[int(len(shares) * 0.95)] <= 0.08


def test_same_request_same_result() -> None:
    """Architecture: retrieval is a pure function of query, home and conversation."""
    for case in CASES[:20]:
        assert msgspec.json.encode(run(case)) == msgspec.json.encode(run(case))
