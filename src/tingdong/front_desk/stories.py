"""Past events in a turn, of anybody (我爸去年查出糖尿病，在骨科做的手术): they open no task (hospital.md, Segments)."""

from __future__ import annotations

from tingdong.front_desk.for_whom import whom_kind
from tingdong.front_desk.kinds import NAMED, signals_of
from tingdong.front_desk.lexicon import any_of
from tingdong.front_desk.pieces import clauses
from tingdong.front_desk.spotting import Spots, Spotter

__all__ = ["Stories"]

Span = tuple[int, int]


class Stories:
    """Finds the clauses of turns that only tell what was, or how many are asked for, by the words of one domain."""

    def __init__(self, spotter: Spotter) -> None:
        domain = spotter.domain
        words = domain.operating
        self._was, self._done, self._now = map(any_of, (words.was, words.done, words.now))
        self._wishes = spotter.bits(domain.cutting.asks)
        self._asks = self._wishes | spotter.bits(domain.cutting.questions)
        self._ails = spotter.bits(domain.people.ails)
        self.listed: int = spotter.bits(tuple(NAMED))
        own = (name for names in domain.cutting.own.values() for name in names)
        self._several = any_of(domain.correcting.several)
        self._people = spotter.bits(signals_of(whom_kind(domain)))
        self._things = self._ails | self.listed | spotter.bits(tuple(own))

    def find(self, spots: Spots) -> list[Span]:
        """Clauses that tell what was, and those that go on with it; none that wishes or asks for anything."""
        found: list[Span] = []
        spans = clauses(spots.text)
        for at, (start, end) in enumerate(spans):
            if self._announces(spots, start, end):
                found.append((start, end))
                continue
            was = self._was.search(spots.text, start, end)
            if was is None and found and found[-1] == spans[at - 1] and not spots.mask(start, end) & self._ails:
                was = self._done.search(spots.text, start, end)
            if was is None or self._now.search(spots.text, start, end):
                continue
            asks = spots.inside(start, end, self._asks)  # 去年换了关节 asks for no change
            if all(was.start() <= first and last <= was.end() for first, last in asks):
                found.append((start, end))
        return found

    def _announces(self, spots: Spots, start: int, end: int) -> bool:
        """Whether a clause only counts what is asked for behind it (给我爸妈各挂一个，我爸挂骨科，我妈挂眼科)."""
        last = len(spots.text)
        told = len(set(spots.inside(end, last, self.listed))) > 1 and spots.mask(end, last) & self._people
        counts = self._several.search(spots.text, start, end) is not None
        return bool(told) and counts and not spots.mask(start, end) & self.listed

    def parted(self, spots: Spots) -> tuple[list[Span], list[Span]]:
        """Those of them that are no part of what the turn wishes; and those that say what it is about, where its wish
        names nothing itself (在骨科做的手术，想约个复查)."""
        told = self.find(spots)
        rest = [span for span in clauses(spots.text) if span not in told]
        wishes = [span for span in rest if spots.mask(*span) & self._wishes]
        if not told or not wishes or any(spots.mask(*span) & self._things for span in rest):
            return told, []
        named = [span for span in told if spots.mask(*span) & self.listed]
        return [span for span in told if named and span not in named], named
