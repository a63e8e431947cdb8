"""`python -m bench.slips`: how right turns are as a recogniser slips more often, at home and at the front desk.

    python -m bench.slips [--slips 0 1 2 3] [--rounds 3] [--language FILE] [--home SET ...] [--desk SET ...]

Slips are those of `bench.noise`, seeded: the same in every run. `--language` listens with another model, such as one
that has seen no sentence of the sets (`bench.train_hearing --without`). Prints and writes reports/slips.json; where
matplotlib is, draws the curves of docs/hearing.md too.
"""

import argparse
import asyncio
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from bench.harness import CORPUS, home
from bench.noise import garbled_case
from bench.verdicts import pyplot
from tingdong.cli.routing import RoutingDesk
from tingdong.evaluate.corpus import Case, load
from tingdong.evaluate.hospital import HospitalScorer
from tingdong.evaluate.score import ScoredItem
from tingdong.evaluate.service import AskedTurn, ServiceReply, ServiceScorer
from tingdong.hearing import hearer
from tingdong.hearing.language import TrigramModel
from tingdong.home_turn import TurnRequest, Understander
from tingdong.reader import sentence_reader
from tingdong.stores import MemoryPageStore

__all__ = ["Point", "cases_of", "desk_scorer", "home_scorer", "point", "scored"]

HOME = ("service_dev", "service_rich_dev", "service_second", "service_more", "service_more_b")
DESK = ("hospital_dev", "hospital_dialogues", "hospital_second")
REPORT, PICTURE = Path("reports/slips.json"), Path(__file__).parents[1] / "docs" / "images" / "slips.svg"
SEED = 2026

Score = Callable[[Case], Sequence[ScoredItem]]


class Point(msgspec.Struct, frozen=True):
    """One set at one rate of slips: turns, those right, and those that sent an instruct that was wrong."""

    name: str
    slips: int
    turns: int
    right: int
    wrong_instructs: int = 0

    @property
    def share(self) -> float:
        return self.right / self.turns if self.turns else 0.0


def home_scorer() -> Score:
    """Plays smart-home dialogues in this process, with the readers that a service has."""
    served = Understander(MemoryPageStore(), local=sentence_reader())
    loop = asyncio.new_event_loop()
    rids = iter(range(1 << 62))

    def ask(asked: AskedTurn) -> ServiceReply:
        request = TurnRequest(
            rid=str(next(rids)), page_id=asked.page_id, question=asked.question, instruct=asked.instruct,
            home=msgspec.json.encode(asked.home), local=asked.local or "",
            now=datetime.fromisoformat(asked.now) if asked.now else None, alternatives=tuple(asked.alternatives),
        )  # fmt: skip
        said = loop.run_until_complete(served.turn(request))
        sent, later = (msgspec.to_builtins(some) for some in (said.instructs, said.scheduled))
        return ServiceReply(0, said.kind.value, said.text, sent, later)

    return ServiceScorer(ask, cache(home)).score


def desk_scorer() -> Score:
    """Plays front-desk dialogues with the directory of the sets."""
    return HospitalScorer(RoutingDesk(CORPUS / "hospital_directory.yaml").route).score


def point(name: str, cases: Iterable[Mapping[str, Any]], score: Score, slips: int, rounds: int) -> Point:
    """The set with so many slips a turn, garbled anew in each round."""
    found: list[ScoredItem] = []
    cases = list(cases)
    for number in range(rounds if slips else 1):
        rng = random.Random(f"{SEED} {name} {slips} {number}")
        for case in cases:
            raw = garbled_case(case, rng, slips) if slips else case
            found += score(Case(str(raw["id"]), tuple(raw.get("tags", ())), raw))
    return scored(name, slips, found)


def scored(name: str, slips: int, found: Sequence[ScoredItem]) -> Point:
    """The outcomes of a set, counted."""
    wrong = sum(_sends_wrong(one) for one in found)
    return Point(name, slips, len(found), sum(one.right for one in found), wrong)


def _sends_wrong(outcome: ScoredItem) -> bool:
    """Whether something was sent, at once or for later, that nobody wanted so."""
    if not {"instructs", "scheduled"} & set(outcome.wrong):
        return False
    return bool(outcome.got["instructs"] or outcome.got.get("scheduled"))


def cases_of(name: str) -> list[Mapping[str, Any]]:
    """The dialogues of a set of the corpus, or of a file."""
    path = Path(name) if name.endswith(".jsonl") else CORPUS / f"{name}.jsonl"
    whole = (case.raw for case in load(path))
    return [raw if "turns" in raw else {**raw, "turns": [raw]} for raw in whole]


def _draw(points: Sequence[Point], parts: Mapping[str, Sequence[str]]) -> None:
    if (plots := pyplot()) is None:
        return
    figure, axes = plots.subplots(figsize=(6, 3.5), layout="constrained")
    for title, names in parts.items():
        rates = sorted({one.slips for one in points if one.name in names})
        shares = [_share([one for one in points if one.name in names and one.slips == rate]) for rate in rates]
        axes.plot(rates, shares, marker="o", label=title)
    axes.set_xticks(rates)
    axes.set_ylim(0.5, 1)
    axes.set_xlabel("slips a turn")
    axes.set_ylabel("turns right")
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(PICTURE, metadata={"Date": None})
    plots.close(figure)


def _share(points: Sequence[Point]) -> float:
    return sum(one.right for one in points) / sum(one.turns for one in points)


def main(arguments: list[str] | None = None) -> int:
    """Prints the table; writes report and picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slips", type=int, nargs="+", default=(0, 1, 2, 3))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--language", type=Path)
    parser.add_argument("--home", nargs="*", default=HOME)
    parser.add_argument("--desk", nargs="*", default=DESK)
    parser.add_argument("--draw", action="store_true", help="draw docs/images/slips.svg")
    given = parser.parse_args(arguments)
    if given.language is not None:
        hearer.default_hearer()._given = TrigramModel.load(given.language.read_bytes())
    points = []
    for names, make in ((given.home, home_scorer), (given.desk, desk_scorer)):
        score = make() if names else None
        for name in names:
            cases = cases_of(name)
            for slips in given.slips:
                points.append(one := point(Path(name).stem, cases, score, slips, given.rounds))
                print(f"{one.name:24} {slips} slips {one.share:6.1%} of {one.turns:5}"
                      f"  wrong instructs {one.wrong_instructs / one.turns:5.1%}", flush=True)  # fmt: skip
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_bytes(msgspec.json.format(msgspec.json.encode(points), indent=2))
    if given.draw:
        _draw(points, {"home": given.home, "front desk": given.desk})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
