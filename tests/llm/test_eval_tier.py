"""`tingdong eval commands --tier llm`: a model scored beside the local tier (docs/llm.md, "Score a model")."""

import asyncio
import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from context_retrieval.models import Action, Command, DeviceType, Quantifier, Scope, Target
from tingdong.cli.measuring_models import Recording, score_model
from tingdong.commands.reading import Reading, Verdict
from tingdong.errors import BackendError, DataError
from tingdong.evaluate import RunOptions
from tingdong.evaluate.corpus import Case
from tingdong.evaluate.tiers import TierRow, TierScorer, compare
from tingdong.llm import Budget, ChatRequest, Exchange, Usage, read_answer
from tingdong.llm.cassette import CassettePlayer, Recorded, request_key

sys.path.insert(0, str(Path(__file__).parent))

from wire_server import WireServer, tells

OPENED = '["打开-客厅-*#Light#all"]'
CASES = [
    {"id": "a", "tags": ["one"], "text": "打开客厅的灯", "gold": ["打开-客厅-*#Light#all"]},
    {"id": "b", "tags": ["one"], "text": "劳驾把厅里搞得亮堂些行不", "gold": ["调高亮度-客厅-*#Light#all"]},
    {"id": "c", "tags": ["none"], "text": "你昨天睡得好吗", "gold": ["UNKNOWN-*-*#Unknown#one"]},
]


def model_says(text: str) -> str:
    """A model that knows one word: whatever is said, the lights of the living room are opened."""
    return '["ok"]' if "hello" in text else OPENED


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    path = tmp_path / "few.jsonl"
    path.write_text("".join(json.dumps(case, ensure_ascii=False) + "\n" for case in CASES), encoding="utf-8")
    return path


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[WireServer]:
    """A model server on a loop of its own, which the settings name."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def opened() -> WireServer:
        return await WireServer(tells(model_says)).__aenter__()

    wire = asyncio.run_coroutine_threadsafe(opened(), loop).result(10)
    monkeypatch.setenv("TINGDONG_LLM__BASE_URL", wire.base_url)
    monkeypatch.setenv("TINGDONG_LLM__MODEL", "m")
    yield wire
    asyncio.run_coroutine_threadsafe(wire.__aexit__(), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)
    loop.close()


def rows(folder: Path) -> dict[str, TierRow]:
    """The comparison that a run left behind, by tag."""
    written = json.loads((folder / "few.llm.cost.json").read_bytes())
    return {row["tag"]: row for row in written}


def test_a_recorded_run_repeats_without_a_server(
    tingdong: Any, server: WireServer, cases: Path, tmp_path: Path
) -> None:
    """`--record`, then `--replay`: the same shares, tokens and seconds, and not one request more."""
    cassette, first, second = tmp_path / "run.jsonl", tmp_path / "first", tmp_path / "second"
    options = ["--tier", "llm", "--out"]
    done = tingdong("eval", "commands", str(cases), *options, str(first), "--record", str(cassette))
    assert done.status == 0, done.err
    assert "right by local tier, model, chain" in " ".join(done.out.split())
    asked = len(server.requests)
    done = tingdong("eval", "commands", str(cases), *options, str(second), "--replay", str(cassette))
    assert done.status == 0, done.err
    assert len(server.requests) == asked
    told, again = rows(first)["all"], rows(second)["all"]
    for field in ("total", "local", "model", "chain", "asked", "reasons"):
        assert told[field] == again[field], field
    assert told["cost"]["prompt_tokens"] == again["cost"]["prompt_tokens"] > 0
    assert sum(again["cost"]["seconds"]) > 0
    assert [path.name for path in sorted(second.iterdir())] == [
        "few.llm.cost.json",
        "few.llm.failures.jsonl",
        "few.llm.html",
        "few.llm.json",
    ]


def test_every_sentence_is_put_to_the_model(server: WireServer, cases: Path, tmp_path: Path) -> None:
    """Columns by leading tag; an answer that is not believed is wrong where a command was wanted."""
    (summary,) = score_model([cases], RunOptions(tmp_path), Recording(), None)
    assert summary.name == "few.llm"
    table = rows(tmp_path)
    assert (table["one"]["local"], table["one"]["model"], table["one"]["total"]) == (1, 1, 2)
    assert (table["none"]["local"], table["none"]["model"]) == (1, 1)
    assert table["all"]["cost"]["calls"] == 5  # two sentences were asked again, with what was wrong
    assert table["all"]["reasons"]["invented_room"] >= 1


@pytest.mark.parametrize(
    ("verdict", "confidence", "asked"),
    [
        (Verdict.ACCEPT, 0.9, False),
        (Verdict.ACCEPT, 0.3, True),
        (Verdict.ABSTAIN, 0.9, True),
        (Verdict.REJECT, 0.9, False),
    ],
)
def test_the_chain_asks_about_what_is_open(verdict: Verdict, confidence: float, asked: bool) -> None:
    """Right by the model counts for the chain only where it would be asked; so does its cost."""
    case = Case("a", ("one",), CASES[0])
    light = Command(Action("打开"), Scope(("客厅",)), Target("*", DeviceType.LIGHT, Quantifier.ALL))
    other = Command(Action("关闭"), Scope(("客厅",)), Target("*", DeviceType.LIGHT, Quantifier.ALL))
    local = Reading("", (other,), confidence, verdict=verdict)
    model = Reading("", (light,), 0.9, "llm", Verdict.ACCEPT)
    spent = Exchange("commands", usage=Usage(100, 10), seconds=2.0)
    scorer = TierScorer(lambda _: local, lambda _: (model, [spent]))
    (outcome,) = scorer.score(case)
    assert outcome.right
    row = compare(scorer.scored)[-1]
    assert (row.local, row.model, row.chain, row.asked) == (0, 1, int(asked), int(asked))
    assert row.cost.prompt_tokens == 100
    assert row.chain_cost.prompt_tokens == (100 if asked else 0)
    assert scorer.figures()["asked by the chain"] == float(asked)


def test_a_closed_set_is_not_recorded(tmp_path: Path) -> None:
    """A closed set is scored, never shown; a cassette would show what it asks."""
    closed = tmp_path / "few_aside.jsonl"
    closed.write_text("", encoding="utf-8")
    with pytest.raises(DataError, match="few_aside"):
        score_model([closed], RunOptions(tmp_path), Recording(record=tmp_path / "run.jsonl"), None)


def test_a_recording_that_lacks_a_sentence_ends_the_run(cases: Path, tmp_path: Path) -> None:
    """What was not asked was not measured: a changed prompt is never scored on an old recording."""
    empty = tmp_path / "run.jsonl"
    empty.write_bytes(b"")
    with pytest.raises(BackendError, match="not_recorded"):
        score_model([cases], RunOptions(tmp_path), Recording(replay=empty), None)


def test_without_a_model_the_settings_are_named(cases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bad input gets a clear error."""
    monkeypatch.delenv("TINGDONG_LLM__BASE_URL", raising=False)
    with pytest.raises(DataError, match="TINGDONG_LLM__BASE_URL"):
        score_model([cases], RunOptions(tmp_path), Recording(), None)


async def test_a_replay_takes_as_long_as_it_was_recorded_to(tmp_path: Path) -> None:
    """Latency columns of a replay are the recorded ones."""

    asked = ChatRequest(())
    path = tmp_path / "run.jsonl"
    path.write_bytes(msgspec.json.encode(Recorded(request_key(asked), "好", Usage(7, 1, 2.5))))
    answer = await read_answer(CassettePlayer(path), asked, Budget(1.0))
    assert (answer.seconds, answer.usage.prompt_tokens) == (2.5, 7)
