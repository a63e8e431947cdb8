"""Starts and ends of clauses (`data/pauses.yaml`), the same for the whole dialogue."""

import re
from bisect import bisect_left, bisect_right
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from tingdong.home.vocabulary import read_table
from zhtext.remembering import remembered

__all__ = ["around", "has_pause", "pauses", "pieces", "spans", "unnumbered"]


class Pauses(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`pauses.yaml`."""

    signs: tuple[str, ...]
    listing: tuple[str, ...]
    joints: tuple[str, ...]
    after: "After"
    numbering: tuple[str, ...]
    tying: tuple[str, ...]


class After(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a clause ends without a sign: behind a word of `ends`, before a pattern of `begins`."""

    ends: tuple[str, ...]
    begins: tuple[str, ...]


@cache
def pauses() -> Pauses:
    """The table. Raises `DataError` naming file and key."""
    return read_table(Path(__file__).parent / "data" / "pauses.yaml", Pauses)


def pieces(text: str) -> list[str]:
    """The clauses of a sentence and the things of its lists, without signs and blanks."""
    return [piece for piece in _any_sign().split(text) if piece]


def spans(text: str) -> list[tuple[int, int]]:
    """Where each clause begins and ends: at a sign, at a blank between Chinese characters, before 然后 and its like."""
    found, start = [], 0
    for end in (*_borders(text), (len(text), len(text))):
        inside = text[start : end[0]]
        left = len(inside) - len(inside.lstrip())
        if inside.strip():
            found.append((start + left, start + len(inside.rstrip())))
        start = end[1]
    return found


def around(text: str, place: int) -> tuple[int, int]:
    """Where the clause, or the thing of a list, that holds this place begins and ends."""
    starts, ends = _signs(text)
    before, after = bisect_right(ends, place), bisect_left(starts, place)
    start = ends[before - 1] if before else 0
    if after > before:  # the place is within signs
        return start, place
    return start, starts[after] if after < len(starts) else len(text)


@lru_cache(maxsize=4)
def _signs(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Where the signs of a text begin, and where they end."""
    spans = [sign.span() for sign in _any_sign().finditer(text)]
    return tuple(start for start, _ in spans), tuple(end for _, end in spans)


def has_pause(text: str) -> bool:
    """Whether more than one clause, or a list, is said."""
    return bool(_borders(text)) or any(sign in text for sign in pauses().listing)


@lru_cache(maxsize=4)
def _borders(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in _ending().finditer(text))


@cache
def _ending() -> re.Pattern[str]:
    signs = "".join(map(re.escape, pauses().signs))
    joints = "|".join(map(re.escape, pauses().joints))
    blank = r"(?<=[\u4e00-\u9fff\d%])\s+(?=[\u4e00-\u9fff])"
    after = pauses().after
    ends = "|".join(rf"(?<={end})" for end in after.ends)
    seam = rf"(?:{ends})(?={'|'.join(after.begins)})"
    return re.compile(rf"(?:(?!(?<=\d)[.．](?=\d))[{signs}])+|{blank}|(?<=.)(?={joints})|{seam}")


@cache
def _any_sign() -> re.Pattern[str]:
    signs = "".join(map(re.escape, (*pauses().signs, *pauses().listing)))
    return re.compile(rf"[{signs}\s]+")


@remembered(1_024)
def unnumbered(text: str) -> str:
    """The text without the numbers of a list (1、开灯，2、关电视), where they count on from one."""
    marks = [_VALUE.get(found[2], found[2]) for found in _numbering().finditer(text)]
    if len(marks) < 2 or marks != [str(place + 1) for place in range(len(marks))]:
        return text
    return _numbering().sub(lambda found: found[1], text)


_VALUE = {figure: str(place + 1) for place, figure in enumerate("一二三四五六七八九")}


@cache
def _numbering() -> re.Pattern[str]:
    signs = "".join(map(re.escape, pauses().signs))
    marks = "".join(map(re.escape, pauses().numbering))
    return re.compile(rf"(^|[{signs}\s])\s*([1-9一二三四五六七八九])[{marks}]\s*(?!\d)")
