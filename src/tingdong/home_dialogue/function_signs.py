"""Features for the learned functions of clauses (`functions`).

Devices, rooms, scenes, times and values are one symbol each, so that no name decides. Clauses end at pauses, else at
learned places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from tingdong.commands.reading import Mention, MentionKind
from tingdong.home_dialogue import pauses

__all__ = ["Facts", "Symbol", "clauses", "ending", "places", "signs", "symbols"]

_SYMBOLS = {
    MentionKind.NAME: "D",
    MentionKind.DEVICE: "D",
    MentionKind.ROOM: "R",
    MentionKind.SCENE: "S",
    MentionKind.WHEN: "T",
    MentionKind.VALUE: "V",
    MentionKind.COUNT: "N",
}
"""How what is mentioned stands in a clause."""
_OUTER = 4
"""Kinds that are looked at in a row, and symbols at either end of a neighbour."""
_LEAST = 2
"""Symbols of a clause that is cut off without a pause."""


class Facts(NamedTuple):
    """What of the page bears on what a turn does: a question of ours is open, we have just acted, a timer runs."""

    asked: bool = False
    acted: bool = False
    timed: bool = False


class Symbol(NamedTuple):
    """A character of a turn, or what is mentioned as one."""

    start: int
    end: int
    sign: str


Row = list[Symbol]


def symbols(text: str, mentions: Sequence[Mention]) -> Row:
    """A turn as symbols, without blanks."""
    masked = {one.start: one for one in mentions if one.kind in _SYMBOLS}
    found: Row = []
    place = 0
    while place < len(text):
        one = masked.get(place)
        if one is not None and one.end > place:
            found.append(Symbol(place, one.end, _SYMBOLS[one.kind]))
            place = one.end
            continue
        if not text[place].isspace():
            found.append(Symbol(place, place + 1, text[place].lower()))
        place += 1
    return found


def places(row: Row) -> list[tuple[int, list[str]]]:
    """The places in a row at which a clause may end, each with what stands on both sides of it."""
    return [(place, _beside(before, behind)) for place, before, behind in _around(row)]


def _around(row: Row) -> Iterator[tuple[int, str, str]]:
    """The places in a row, each with the three signs before and behind it."""
    line = f"^{''.join([one.sign for one in row])}$"
    for place in range(_LEAST, len(row) - _LEAST + 1):
        yield place, line[place - 2 : place + 1], line[place + 1 : place + 4]


def _beside(before: str, behind: str) -> list[str]:
    shorter = (before[-1:], before[-2:], before)
    longer = (behind[:1], behind[:2], behind)
    between = (before[-1:] + behind[:1], before[-2:] + behind[:2])
    return [*(f"<{one}" for one in shorter), *(f">{one}" for one in longer), *(f"={one}" for one in between)]


Ends = Callable[[str, str], bool]


def ending(leanings: Mapping[str, float]) -> Ends:
    """Whether a clause ends, as likely as not, between three signs and three others, by what was learned."""

    @lru_cache(maxsize=8_192)
    def ends(before: str, behind: str) -> bool:
        known = [leaning for leaning in map(leanings.get, _beside(before, behind)) if leaning is not None]
        return bool(known) and sum(known) >= 0

    return ends


def clauses(text: str, row: Row, ends: Ends) -> list[Row]:
    """The clauses of a turn: between pauses, and cut where that is likely by what was learned."""
    found: list[Row] = []
    for start, end in pauses.spans(text):
        part = [one for one in row if start <= one.start and one.end <= end]
        cut = 0
        for place, before, behind in _around(part):
            if place - cut >= _LEAST and ends(before, behind):
                found.append(part[cut:place])
                cut = place
        if part[cut:]:
            found.append(part[cut:])
    return found


def signs(parts: Sequence[Row], mentions: Sequence[Mention], facts: Facts) -> list[set[str]]:
    """The signs of each clause: its characters, what it mentions, its neighbours, and the page."""
    told = [one for one in mentions if one.kind is not MentionKind.FILLER]
    lines = ["".join(one.sign for one in part) for part in parts]
    kinds = [_kinds(part, told) for part in parts]
    page = [name for name, holds in zip(("?", "!", "@"), facts, strict=True) if holds] or ["-"]
    return [_signs(place, lines, kinds, page) for place in range(len(parts))]


def _kinds(part: Row, mentions: Sequence[Mention]) -> list[str]:
    start, end = part[0].start, part[-1].end
    inside = [one for one in mentions if start <= one.start and one.end <= end]
    return [f"{one.kind}:{one.value}" if one.kind is MentionKind.ACTION else one.kind.value for one in inside]


def _signs(place: int, lines: Sequence[str], kinds: Sequence[Sequence[str]], page: Sequence[str]) -> set[str]:
    line = lines[place]
    marked = f"^{line}$"
    seen = {marked[at : at + size] for size in (1, 2, 3, 4) for at in range(len(marked) - size + 1)}
    own = kinds[place]
    plain = [kind.partition(":")[0] for kind in own]
    seen.update(f"@{kind}" for kind in (*own, *plain))
    seen.add(f"@{' '.join(plain[:_OUTER])}")
    if not plain:
        seen.add("@none")
    where = "only" if len(lines) == 1 else "first" if not place else "last" if place == len(lines) - 1 else "within"
    size = min(len(line), 12) // 3
    seen.update((f"#{where}", f"#{size}", f"#{where}{size}"))
    for fact in page:
        seen.update((fact, f"{fact}{where}", f"{fact}{size}", f"{fact}{marked[:3]}", f"{fact}{marked[-3:]}"))
        seen.update(f"{fact}@{kind}" for kind in plain or ("none",))
        if len(line) <= _OUTER:
            seen.add(f"{fact}={line}")
    for name, other in (("<", place - 1), (">", place + 1)):
        if 0 <= other < len(lines):
            beside = f"^{lines[other]}$"
            seen.update((f"{name}{beside[:3]}", f"{name}{beside[-3:]}", f"{name}{beside[-2:]}", f"{name}{beside[:2]}"))
            seen.update(f"{name}@{kind.partition(':')[0]}" for kind in kinds[other] or ("none",))
    return seen
