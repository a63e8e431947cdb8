"""Selects an option by its distinguishing name (左边那个, 射灯2的那盏), appearance or position (小的那个, 头顶上那盏),
or state (开着的那个) (service.md: a place or a name)."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from context_retrieval.grounding import marks_in
from context_retrieval.kinds import gloss
from context_retrieval.telling import row_of, said_table
from context_retrieval.text import normalise, spoken
from tingdong.commands.reading import Mention
from tingdong.home.home import HomeSnapshot
from tingdong.home.states import is_active
from tingdong.home_dialogue.answers import answers
from zhtext.remembering import remembered

__all__ = [
    "described",
    "described_in",
    "described_span",
    "describes",
    "in_state",
    "place_of",
    "rest_of_row",
    "siblings",
    "singled_out",
]

_CONTRASTS = frozenset("左右上下大小前后东西南北内外里男女主次新旧高低长短一二三四五六123456ABCDEFLR")


def siblings(home: HomeSnapshot, text: str, ids: Sequence[str]) -> tuple[str, ...]:
    """The devices beside the one spoken of that the sentence tells by their number or side (四号, 右边的, 另一边)."""
    catalog = home.shape.catalog
    position = catalog.position(ids[0]) if len(ids) == 1 else None
    row = row_of(position, catalog) if position is not None else {}
    if len(row) < 2:
        return ()
    if len(row) == 2 and any(word in spoken(text) for word in said_table().other_one):
        return catalog.ids(one for one in row if one != position)
    said = dict.fromkeys(marks_in(spoken(text), catalog))
    marks = {mark: one for one, mark in row.items()}
    return catalog.ids(marks[mark] for mark in said) if len(marks) > 1 and said.keys() <= marks.keys() else ()


def rest_of_row(home: HomeSnapshot, ids: Sequence[str]) -> tuple[str, ...]:
    """The others of the row that all of `ids` stand in (射灯1 and 2 of 射灯1 to 4); empty where they are no row."""
    catalog = home.shape.catalog
    positions = [position for position in map(catalog.position, ids) if position is not None]
    row = row_of(positions[0], catalog) if positions else {}
    return catalog.ids(one for one in row if one not in positions) if row.keys() >= set(positions) else ()


def place_of(mention: Mention, count: int) -> int | None:
    """The 1-based place that an ordinal names among `count`; 最后一个 is the last."""
    number = int(mention.value) if mention.value.lstrip("-").isdigit() else 0
    if number < 0:
        number += count + 1
    return number if 1 <= number <= count else None


def singled_out(home: HomeSnapshot, text: str, options: Sequence[str]) -> tuple[str, ...]:
    """The options whose names have something in `text` that the others lack, else those that it describes; empty when
    nothing tells them apart."""
    names = {option: _spoken(home.shape.devices[option].name) for option in options if option in home.shape.devices}
    text = text.upper()
    if len(set(names.values())) < 2:
        return described(home, text, options)
    scores = {option: _own_part(name, text, [o for o in names.values() if o != name]) for option, name in names.items()}
    best = max(scores.values())
    found = tuple(option for option, score in scores.items() if score == best)
    return found if best else described(home, text, options)


def described(home: HomeSnapshot, text: str, options: Sequence[str]) -> tuple[str, ...]:
    """The options that `text` tells by their looks or by how they stand; empty where it tells nothing, all of them, or
    in two ways."""
    devices = [home.shape.devices[one] for one in options if one in home.shape.devices]
    found = []
    for words, marks in answers().looks.items():
        if re.search(words, text):
            fits = (tuple(one.id for one in devices if re.search(mark, one.plain)) for mark in marks)
            found.append(next((one for one in fits if one), ()))
    found.append(in_state(home, text, options))
    meant = {one for one in found if one}
    return meant.pop() if len(meant) == 1 and meant != {tuple(one.id for one in devices)} else ()


def in_state(home: HomeSnapshot, text: str, options: Sequence[str]) -> tuple[str, ...]:
    """The options that are in the state that `text` describes (没关的那个); empty where it describes none."""
    wanted, devices = described_in(text), home.shape.devices
    return tuple(i for i in options if wanted is not None and i in devices and is_active(home, devices[i]) is wanted)


@cache
def _state_said() -> re.Pattern[str]:
    on, off, lit = (f"(?:{'|'.join(words)})" for words in answers().states)
    return re.compile(f"(?:(?P<on>{on})|{off})的(?![吧吗呢]|$)|(?P<lit>{lit})的(?=那?[个盏台只些几])")


def described_span(text: str) -> tuple[int, int]:
    """Where a state stands that only describes (没开的); (0, 0) where none does."""
    found = _state_said().search(text)
    return (0, 0) if found is None else found.span()


@lru_cache(maxsize=8)
def described_in(text: str) -> bool | None:
    """The state that a text describes its target in (开着的空调: True); None where it describes none."""
    found = _state_said().search(text)
    return None if found is None else (found["on"] or found["lit"]) is not None


@remembered(1_024)
def describes(text: str) -> bool:
    """Whether a text tells one of several by its looks or by how it stands."""
    return described_in(text) is not None or any(re.search(words, text) for words in answers().looks)


def _spoken(name: str) -> str:
    """The name as it may be said: an English one also as a Chinese speaker puts it (Bedside Lamp L, 床头灯左)."""
    chinese = gloss(normalise(name))
    return name.upper() if chinese is None else f"{name.upper()}|{chinese}"


def _own_part(name: str, text: str, others: Sequence[str]) -> int:
    """Length of the longest part of `name` that is said and stands in none of the other names."""
    for length in range(len(name), 0, -1):
        for start in range(len(name) - length + 1):
            part = name[start : start + length]
            telling = length > 1 or part in _CONTRASTS
            if telling and part in text and not any(part in other for other in others):
                return length
    return 0
