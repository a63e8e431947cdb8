"""`python -m bench.offers`: what lists of alternatives (n-best) are worth, at home and at the front desk.

    python -m bench.offers [--home SET ...] [--desk SET ...] [--pairs CLEAN NOISE ...]

In each turn the first text has a slip (`bench.noise`, seeded; or it is that of the noise set of a pair, whose clean set
has the same turns). Beside it stand the true text and two to four others with slips of their own, in any order. Played
twice: with the first text only, and with the list.
"""

import argparse
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.noise import garbled
from bench.slips import DESK, HOME, SEED, Score, cases_of, desk_scorer, home_scorer, scored
from tingdong.evaluate.corpus import Case
from tingdong.evaluate.score import ScoredItem

__all__ = ["offered"]

FEWEST, MOST = 2, 4
"""Texts with slips beside the true one."""

Raw = Mapping[str, Any]


def offered(clean: Raw, rng: random.Random, noise: Raw | None = None) -> dict[str, Any]:
    """The dialogue with a garbled text and a list beside it in each turn; a turn that cannot be garbled has none."""
    turns = []
    field = "question" if "question" in clean["turns"][0] else "text"
    for place, turn in enumerate(clean["turns"]):
        true = turn[field]
        first = noise["turns"][place][field] if noise is not None else garbled(true, rng)
        others = [true, *(garbled(true, rng) for _ in range(rng.randint(FEWEST, MOST)))]
        rng.shuffle(others)
        turns.append({**turn, field: first, **({"alternatives": others} if first != true else {})})
    return {**clean, "turns": turns}


def _played(cases: Iterable[Raw], score: Score, *, alternatives: bool) -> Iterator[ScoredItem]:
    for raw in cases:
        if not alternatives:
            turns = [{key: value for key, value in turn.items() if key != "alternatives"} for turn in raw["turns"]]
            raw = {**raw, "turns": turns}
        yield from score(Case(str(raw["id"]), tuple(raw.get("tags", ())), raw))


def _tell(name: str, cases: Sequence[Raw], score: Score) -> None:
    for alternatives in (False, True):
        one = scored(name, 1, list(_played(cases, score, alternatives=alternatives)))
        how = "with the list" if alternatives else "first text only"
        print(f"{one.name:28} {how:16} {one.share:6.1%} of {one.turns:5}"
              f"  wrong instructs {one.wrong_instructs / one.turns:5.1%}", flush=True)  # fmt: skip


def main(arguments: list[str] | None = None) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", nargs="*", default=HOME)
    parser.add_argument("--desk", nargs="*", default=DESK)
    parser.add_argument("--pairs", nargs="*", default=(), metavar="FILE", help="clean and noise sets of homes, in turn")
    given = parser.parse_args(arguments)
    for names, make in ((given.home, home_scorer), (given.desk, desk_scorer)):
        score = make() if names else None
        for name in names:
            rng = random.Random(f"{SEED} {Path(name).stem} offers")
            _tell(Path(name).stem, [offered(case, rng) for case in cases_of(name)], score)
    score = home_scorer() if given.pairs else None
    for clean, noise in zip(given.pairs[::2], given.pairs[1::2], strict=True):
        rng = random.Random(f"{SEED} {Path(noise).stem} offers")
        pairs = zip(cases_of(clean), cases_of(noise), strict=True)
        _tell(Path(noise).stem, [offered(true, rng, heard) for true, heard in pairs], score)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
