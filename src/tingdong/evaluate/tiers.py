"""A language model scored beside the local tier: what each gets right, what the chain of both would, and the cost.

Every sentence is read by both. The chain (architecture, tiers) asks the model only about what the local tier leaves
open, so its share right and its cost follow from the same answers (docs/llm.md, "Score a model").
"""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

import msgspec
from rich.console import Console
from rich.table import Table

from tingdong.commands.reading import Reading, Verdict
from tingdong.consult import is_unsure
from tingdong.evaluate.commands import Read, score_case
from tingdong.evaluate.corpus import Case
from tingdong.evaluate.score import ScoredItem
from tingdong.llm import Exchange

__all__ = ["Ask", "Cost", "Scored", "TierRow", "TierScorer", "compare", "show_comparison", "write_comparison"]

ALL = "all"

Ask = Callable[[Reading], tuple[Reading, Sequence[Exchange]]]
"""The model tier: its reading, given the local one, and every exchange with the model on the way."""


class Cost(msgspec.Struct, frozen=True):
    """What some sentences cost: calls, tokens, and the seconds of each sentence's calls."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: tuple[float, ...] = ()

    def quantile(self, share: float) -> float:
        """Seconds that `share` of the sentences stay under or at; 0 without any."""
        if not self.seconds:
            return 0.0
        ranked = sorted(self.seconds)
        return ranked[min(len(ranked) - 1, max(0, math.ceil(share * len(ranked)) - 1))]


class Scored(msgspec.Struct, frozen=True):
    """One sentence: the outcome of each tier, whether the chain would ask the model, and what asking cost."""

    tag: str
    local: bool
    model: bool
    chain: bool
    asked: bool
    reasons: tuple[str, ...]
    cost: Cost


class TierRow(msgspec.Struct, frozen=True):
    """The sentences of one leading tag, or of the whole set (`all`): counts of right ones by tier, and the cost."""

    tag: str
    total: int
    local: int
    model: int
    chain: int
    asked: int
    cost: Cost
    chain_cost: Cost
    reasons: Mapping[str, int]


class TierScorer:
    """Scores sentences with both tiers; `scored` keeps what the comparison needs."""

    def __init__(self, read: Read, ask: Ask) -> None:
        self._read = read
        self._ask = ask
        self.scored: list[Scored] = []

    def score(self, case: Case) -> list[ScoredItem]:
        """The model's outcome. Raises `BackendError` when the model cannot be asked at all."""
        local = self._read(case.raw["text"])
        said, exchanges = self._ask(local)
        asked = is_unsure(local)
        stands = said if asked and said.verdict is Verdict.ACCEPT else local
        outcome = score_case(case, lambda _: said)
        self.scored.append(
            Scored(
                case.tag,
                score_case(case, lambda _: local).right,
                outcome.right,
                score_case(case, lambda _: stands).right,
                asked,
                exchanges[-1].reasons if exchanges else (),
                _cost(exchanges),
            )
        )
        return [outcome]

    def figures(self) -> Mapping[str, float]:
        """Shares right of the local tier and of the chain on the same sentences, and the share that the chain asks."""
        count = len(self.scored) or 1
        return {
            "local tier right": sum(one.local for one in self.scored) / count,
            "chain right": sum(one.chain for one in self.scored) / count,
            "asked by the chain": sum(one.asked for one in self.scored) / count,
        }


def _cost(exchanges: Sequence[Exchange]) -> Cost:
    return Cost(
        len(exchanges),
        sum(one.usage.prompt_tokens for one in exchanges),
        sum(one.usage.completion_tokens for one in exchanges),
        (sum(one.seconds for one in exchanges),),
    )


def _sum(costs: Sequence[Cost]) -> Cost:
    return Cost(
        sum(cost.calls for cost in costs),
        sum(cost.prompt_tokens for cost in costs),
        sum(cost.completion_tokens for cost in costs),
        tuple(seconds for cost in costs for seconds in cost.seconds),
    )


def compare(scored: Sequence[Scored]) -> list[TierRow]:
    """A row for each leading tag, the most frequent first, and one for all."""
    tags: dict[str, list[Scored]] = {}
    for one in scored:
        tags.setdefault(one.tag, []).append(one)
    ranked = sorted(tags.items(), key=lambda item: -len(item[1]))
    return [_row(tag, group) for tag, group in [*ranked, (ALL, list(scored))]]


def _row(tag: str, group: Sequence[Scored]) -> TierRow:
    reasons: dict[str, int] = {}
    for one in group:
        for reason in one.reasons:
            reasons[reason] = reasons.get(reason, 0) + 1
    return TierRow(
        tag,
        len(group),
        sum(one.local for one in group),
        sum(one.model for one in group),
        sum(one.chain for one in group),
        sum(one.asked for one in group),
        _sum([one.cost for one in group]),
        _sum([one.cost for one in group if one.asked]),
        reasons,
    )


def show_comparison(rows: Sequence[TierRow], name: str, console: Console) -> None:
    """Print shares right by tier, the cost of asking about every sentence, and that of the chain."""
    title = f"{name}: right by local tier, model, chain; calls, tokens in and out, seconds a sentence"
    table = Table(title=title, title_justify="left", padding=(0, 0), pad_edge=False)
    table.add_column("tag")
    for header in ("total", "local", "model", "chain", "calls", "in", "out", "p50", "p95"):
        table.add_column(header, justify="right", no_wrap=True)
    for row in rows:
        if row.tag == ALL:
            table.add_section()
        table.add_row(row.tag, *_cells(row), style="bold" if row.tag == ALL else None)
    console.print(table)
    whole = rows[-1]
    chain = whole.chain_cost
    console.print(
        f"the chain asks about {whole.asked} of {whole.total}: {chain.calls} calls,"
        f" {chain.prompt_tokens} tokens in, {chain.completion_tokens} out,"
        f" median {median(chain.seconds) if chain.seconds else 0.0:.2f} s"
    )
    if whole.reasons:
        told = sorted(whole.reasons.items(), key=lambda item: -item[1])
        console.print("not believed: " + ", ".join(f"{reason} {count}" for reason, count in told))


def _cells(row: TierRow) -> list[str]:
    shares = [f"{right / row.total:.1%}" if row.total else "-" for right in (row.local, row.model, row.chain)]
    cost = row.cost
    counts = [str(cost.calls), str(cost.prompt_tokens), str(cost.completion_tokens)]
    return [str(row.total), *shares, *counts, f"{cost.quantile(0.5):.2f}", f"{cost.quantile(0.95):.2f}"]


def write_comparison(rows: Sequence[TierRow], path: Path) -> None:
    """The rows as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(rows), indent=2))
