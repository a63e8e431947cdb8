"""Room words that are neither a name nor a synonym (retrieval.md, Names).

三二班 is 三年二班, 电梯口 the 电梯厅, 三年级 every room that begins with 三年, 爸妈厕所 the 老人卫生间. Only if exactly
one room fits, or a whole row.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import resources

import msgspec

from context_retrieval.lexicon import default_lexicon
from context_retrieval.strict_yaml import parse_yaml

__all__ = ["abbreviated", "asked_rooms", "near_rooms", "not_apart", "theirs", "without_end"]

_SHORTEST = 2


class _Near(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`data/near_rooms.yaml`."""

    ends: tuple[str, ...]
    also: dict[str, tuple[str, ...]]
    apart: str
    pairs: tuple[str, ...]
    years: str
    every: tuple[str, ...]
    which: tuple[str, ...]
    asked: tuple[str, ...]


@cache
def near_rooms() -> _Near:
    """The table of the package's own data. Raises ValueError naming file and key when the data is inconsistent."""
    source = resources.files("context_retrieval").joinpath("data", "near_rooms.yaml")
    table = msgspec.convert(parse_yaml(source.read_bytes()), _Near)
    if unknown := [word for word in table.also if not default_lexicon().is_room_word(word)]:
        raise ValueError(f"near_rooms.yaml: also: no room words {unknown}")
    return table


@cache
def asked_rooms() -> re.Pattern[str]:
    """What asks which of the rooms (哪几间房, 哪个走廊, 哪里): with a word of an attribute it asks its sensors."""
    table, lexicon = near_rooms(), default_lexicon()
    ends = (one for also in table.also.values() for one in also)
    rooms = {*lexicon.room_groups, *lexicon.room_endings, *lexicon.places, *ends}
    longest = sorted((re.escape(word) for word in rooms if not word.isascii()), key=len, reverse=True)
    which = sorted(table.which, key=len, reverse=True)
    return re.compile(f"(?:{'|'.join(which)})(?P<room>{'|'.join(longest)})|{'|'.join(table.asked)}")


def not_apart(form: str, rooms: Sequence[str]) -> list[str]:
    """Those of `rooms` that the word's own mark (女 in 女厕) does not tell apart from it."""
    marks = [mark for mark in near_rooms().apart if mark in form]
    if not marks:
        return list(rooms)
    own = [room for room in rooms if marks[0] in room]
    return own or [room for room in rooms if not any(mark in room for mark in near_rooms().apart)]


def abbreviated(form: str, heads: Iterable[str]) -> list[str]:
    """The one name of which `form` keeps first, last and some between (4二班 → 4年二班), or that keeps so much of it
    (客人休息区 → 客休区), or only the beginning (电梯口 → 电梯厅, 财务 → 财务部); all names that begin with it where it
    says a year (三年级).
    """
    names = list(heads)
    if form.endswith(near_rooms().years):
        return [name for name in names if len(form) > _SHORTEST and name.startswith(form[:-1])]
    bare = [name for name in names if form != name and {form, without_end(form)} & {name, without_end(name)} - {""}]
    if len(bare) == 1 and len(form) >= _SHORTEST:
        return bare
    short = [name for name in names if _keeps(form, name) or _is_short(name, form)]
    found = short if len(short) == 1 else [name for name in names if len(form) > _SHORTEST and _ends_alike(form, name)]
    return found if len(found) == 1 else []


def _keeps(form: str, name: str) -> bool:
    if len(form) <= _SHORTEST or len(form) >= len(name) or (form[0], form[-1]) != (name[0], name[-1]):
        return False
    rest = iter(name)
    return all(character in rest for character in form)


def _is_short(name: str, form: str) -> bool:
    """Whether a name has the first character of each word of the form (客休区 of 客人休息区)."""
    told = len(name) > _SHORTEST and not any(map(str.isascii, name))
    return told and re.fullmatch(".?".join(map(re.escape, name)), form) is not None


def _ends_alike(form: str, name: str) -> bool:
    beginning, other = without_end(form), without_end(name)
    return beginning == other != "" and len(beginning) >= _SHORTEST


def without_end(name: str) -> str:
    """A room's name without the word for a room in which it ends; "" where it ends in none."""
    return next((name.removesuffix(end) for end in near_rooms().ends if name.endswith(end)), "")


def theirs(form: str, find: Callable[[str], Sequence[str]]) -> list[str]:
    """The rooms of a kind that are a person's (爸妈厕所 → 老人卫生间): called after that one or such a one."""
    lexicon = default_lexicon()
    for end in range(len(form) - 1, 0, -1):
        person, word = form[:end], form[end:]
        callings = {
            calling
            for owned in lexicon.rooms.owned.values()
            for callings in [{*owned.all.split(), *owned.each.split()}]
            if person in callings
            for calling in (*owned.all.split(), person)
        }
        if callings and lexicon.room_group(word) is not None:
            return [room for room in find(word) if any(calling in room for calling in callings)]
    return []
