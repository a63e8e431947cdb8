"""`python -m bench.worst [seconds]`: the slowest turn of 2,000 characters that a search finds, in median turns.

Each desk is searched for half the time: sentences of a few pieces (words of the corpora, signs, digits), said over and
over, are changed and kept where that made them slower. A turn is timed alone, in processor time, from question to
reply, on a new page of a home of 120 devices. Prints the slowest found; 1 when one takes over fifty medians.
"""

import asyncio
import random
import statistics
import sys
import time
import weakref
from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec

from bench.harness import CORPUS, home, labelled
from bench.slowest import FOUND, SIZE, said
from bench.verdicts import Verdict, conclude
from tingdong.cli.routing import RoutingDesk
from tingdong.front_desk.model import IntentContext
from tingdong.home_turn import TurnRequest, Understander
from tingdong.stores import MemoryPageStore

__all__ = ["Found", "climb", "front_desk", "home_desk", "main", "measured"]

MOST = 50.0
"""Medians that the slowest may take."""
ROUNDS, USUAL = 5, 60
"""Rounds of the last measurement, and usual turns in each."""
NOW = datetime.fromisoformat("2026-11-23T09:30:00+08:00")
SIGNS = tuple("，。！？、；：和或再也不没别把的了吗一二三十百1 2%./#-“”（）\n😀aA")

Turn = Callable[[str], object]


class Found(msgspec.Struct, frozen=True):
    """The pieces whose repetition was slowest, and the seconds it took."""

    pieces: tuple[str, ...]
    seconds: float

    @property
    def text(self) -> str:
        """The turn."""
        return said(self.pieces)


def home_desk() -> tuple[Turn, list[str]]:
    """A turn at home, and the questions of the open set."""
    understander = Understander(MemoryPageStore(capacity=1))
    raw = msgspec.json.encode(home("villa120"))
    numbers, loop = iter(range(10**9)), asyncio.new_event_loop()

    def turn(text: str) -> object:
        page = str(next(numbers))
        request = TurnRequest("r", page, text, home=raw, local="客厅", now=NOW)
        return loop.run_until_complete(understander.turn(request))

    weakref.finalize(turn, loop.close)
    return turn, [case["turns"][0]["question"] for case in labelled("service_dev") if case["home"] == "villa120"]


def front_desk() -> tuple[Turn, list[str]]:
    """A turn of the front desk, and the texts of the open set."""
    router = RoutingDesk(CORPUS / "hospital_directory.yaml").router
    questions = [case["turns"][0]["text"] for case in labelled("hospital_dev")]
    return lambda text: router.turn(IntentContext(), text, now=NOW), questions


def seconds_of(turn: Turn, text: str) -> float:
    """Processor time of this thread and of what the turn leaves to others."""
    started = time.process_time()
    turn(text)
    return time.process_time() - started


def measured(turn: Turn, questions: Sequence[str], slowest: str) -> tuple[float, float]:
    """Seconds of a usual turn and of the slowest, taken in turns: the least of each, as a slow spell meets both."""
    rounds = []
    for _ in range(ROUNDS):
        usual = statistics.median(seconds_of(turn, text) for text in questions[:USUAL])
        rounds.append((usual, seconds_of(turn, slowest)))
    return min(usual for usual, _ in rounds), min(slow for _, slow in rounds)


def climb(turn: Turn, questions: Sequence[str], known: Sequence[str], *, seconds: float, seed: int = 0) -> Found:
    """The slowest that is found in so many seconds: the known and a few beginnings, the best of which are changed and
    kept."""
    rng = random.Random(seed)
    words = sorted({text[at : at + size] for text in questions for size in (1, 2, 3, 4, 8) for at in range(len(text))})
    pool = (*SIGNS, *words)
    until = time.monotonic() + seconds
    best = [Found((text,), seconds_of(turn, said([text]))) for text in known]
    while time.monotonic() < until:
        if len(best) < BEAM or rng.random() < FRESH:
            pieces = [rng.choice(pool) for _ in range(rng.choice((1, 1, 2, 3, 5, 40)))]
        else:
            pieces = _changed(list(rng.choice(best).pieces), pool, rng)
        best.append(Found(tuple(pieces), seconds_of(turn, said(pieces))))
        best = sorted(best, key=lambda found: -found.seconds)[:BEAM]
    # A slow spell of the machine is no slow sentence.
    again = [Found(one.pieces, min(one.seconds, *(seconds_of(turn, one.text) for _ in range(2)))) for one in best]
    return max(again, key=lambda found: found.seconds)


BEAM, FRESH = 8, 0.25
"""Sentences that are kept, and the share of new beginnings."""


def _changed(pieces: list[str], pool: Sequence[str], rng: random.Random) -> list[str]:
    at = rng.randrange(len(pieces))
    match rng.randrange(4):
        case 0:
            pieces[at] = rng.choice(pool)
        case 1:
            pieces.insert(at, rng.choice(pool))
        case 2 if len(pieces) > 1:
            del pieces[at]
        case _:
            pieces[at] = pieces[at] * 2
    return pieces


def main() -> int:
    """Both desks; a minute unless told otherwise."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    verdicts = []
    for name, desk in (("home", home_desk), ("front desk", front_desk)):
        turn, questions = desk()
        found = climb(turn, questions, FOUND[name], seconds=seconds / 2)
        median, slowest = measured(turn, questions, found.text)
        print(f"{name}: {slowest * 1e3:.0f} ms, a median turn {median * 1e3:.2f} ms: {''.join(found.pieces)!r}")
        verdicts.append(Verdict(f"slowest turn of {SIZE} characters found, {name}", slowest / median, MOST, "× median"))
    return conclude(verdicts, "worst")


if __name__ == "__main__":
    sys.exit(main())
