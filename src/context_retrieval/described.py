"""A thing by what is said of it in place of its name: whose it is, where it stands, its maker, what it is for.

李阿婆的床头灯, 靠窗那床的灯, 佳能那台, 卡纸的那个. What can tell a thing is taken from the home itself (the words of a
name before its noun) and from `data/described.yaml`. All that is said must fit: the things that one word tells are
narrowed by the next, and words that agree on nothing tell nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources
from weakref import WeakKeyDictionary

import msgspec

from context_retrieval.catalog import Catalog
from context_retrieval.kind_table import kind_table
from context_retrieval.kinds import gloss, strip_prefixes
from context_retrieval.lexicon import default_lexicon
from context_retrieval.rooms import split_zone
from context_retrieval.strict_yaml import parse_yaml
from context_retrieval.text import normalise, without_last_side, without_number

__all__ = [
    "Described",
    "described",
    "described_table",
    "nth_of",
    "person_in",
    "pointed_at",
    "tells_all",
    "without_ordinal",
]

_LONGEST = 8
_LARGEST = 2_000
"""In a larger home things are told so only within a room."""
_SIDES = "东南西北左右前后里外"
_SIDE = re.compile(f"([{_SIDES}])[头边侧面排]")
_COUNTERS = "个台盏只扇条把张部间位款块路排根"
_POINTER = re.compile(f"的?[那这]一?[{_COUNTERS}]")
_POINTING = re.compile(f"[那这里最侧手床{_COUNTERS}]*[室房厅处区]?")
_NUMBER = "[一二三四五六七八九十两\\d]{1,3}"
_FROM = "(?:(?:从)?(?:左|右|左手|右手|里|外|前|后|东|西)[边面侧]?(?:数|起|往.{1,2}数)?的?)?"
_ORDINAL = re.compile(
    f"{_FROM}(?:(?P<last>倒数)?第(?P<number>{_NUMBER})|(?P<end>最后一?)|(?P<middle>正?中间(?:的)?那?))(?:[{_COUNTERS}](?:的)?)"
)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    brands: tuple[str, ...]
    titles: tuple[str, ...]
    surnames: str
    events: dict[str, dict[str, tuple[str, ...]]]


class Described(msgspec.Struct, frozen=True):
    """`data/described.yaml`, and what kinds do (`kinds.yaml`): makers and titles in their normal form, and `events` as
    (word, attribute, value), longest word first."""

    does: dict[str, tuple[str, ...]]
    brands: tuple[str, ...]
    titles: tuple[str, ...]
    surnames: str
    events: tuple[tuple[str, str, str], ...]


@cache
def described_table() -> Described:
    """The table of the package's own data. Raises ValueError naming file and key when the data is inconsistent."""
    source = resources.files("context_retrieval").joinpath("data", "described.yaml")
    file = msgspec.convert(parse_yaml(source.read_bytes()), _File)
    kinds = kind_table().kinds
    senses = {sense for kind in kinds.values() for sense in kind.senses}
    if unknown := set(file.events) - senses - set(kind_table().attributes):
        raise ValueError(f"described.yaml: events: no such attributes {sorted(unknown)}")
    events = [
        (normalise(word), attribute, value)
        for attribute, values in file.events.items()
        for value, words in values.items()
        for word in words
    ]
    return Described(
        {key: tuple(_either_way(map(normalise, kind.does))) for key, kind in kinds.items() if kind.does},
        tuple(map(normalise, file.brands)),
        tuple(sorted(file.titles, key=len, reverse=True)),
        file.surnames,
        tuple(sorted(events, key=lambda event: -len(event[0]))),
    )


def _either_way(words: Iterable[str]) -> Iterator[str]:
    """What is done to what, with the thing first as well (浇花 and 花浇)."""
    for word in words:
        yield from (word, word[1:] + word[0])


_TELLING: WeakKeyDictionary[Catalog, tuple[int, dict[str, set[int]]]] = WeakKeyDictionary()


def described(form: str, catalog: Catalog, within: Sequence[int] | None = None) -> list[int]:
    """Positions, of those `within`, that all telling words in the normal form `form` fit; empty where none is said."""
    if within is None and len(catalog) > _LARGEST:
        return []
    form = _sided(form)
    telling = _telling(catalog) if within is None or len(catalog) <= _LARGEST else _words_of(within, catalog)
    pool = None if within is None else set(within)
    found: set[int] | None = None
    for word in _words_in(form, telling):
        fitting = telling[word] if pool is None else telling[word] & pool
        if not fitting:
            continue
        found = fitting if found is None else found & fitting
    return sorted(found or ())


def tells_all(form: str, catalog: Catalog, within: Sequence[int]) -> bool:
    """Whether nothing is left of `form` beside what tells things apart and words that point (not 东边看台 by 东边)."""
    rest = _sided(form)
    for word in _words_in(rest, _words_of(within, catalog)):
        rest = rest.replace(word, "", 1)
    return _POINTING.fullmatch(rest) is not None


def _words_in(form: str, telling: dict[str, set[int]]) -> Iterator[str]:
    """The telling words of a sentence, the longest at each place."""
    start = 0
    while start < len(form):
        size = next(
            (n for n in range(min(_LONGEST, len(form) - start), 1, -1) if form[start : start + n] in telling), 0
        )
        if size:
            yield form[start : start + size]
        start += size or 1


def _telling(catalog: Catalog) -> dict[str, set[int]]:
    known = _TELLING.get(catalog)
    if known is None or known[0] != catalog.version:
        known = _TELLING[catalog] = (catalog.version, _words_of(catalog.all_positions(), catalog))
    return known[1]


def _sided(form: str) -> str:
    """南面, 南边, 南头 and 南排 as 南侧."""
    return _SIDE.sub(r"\1侧", form)


def _words_of(positions: Iterable[int], catalog: Catalog) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for position in positions:
        for word in _telling_words(catalog, position):
            found.setdefault(word, set()).add(position)
    return found


def _telling_words(catalog: Catalog, position: int) -> Iterator[str]:
    """The words that tell a thing from others of its kind: before the noun of its name, its maker, what it does."""
    device, table = catalog.devices[position], described_table()
    form = normalise(device.name)
    form = gloss(form) or without_number(form) or form
    form = catalog.rooms.without_room(device.room, form) or form
    kind = kind_table().of_ending(form)
    noun = max((len(word) for word in map(normalise, kind.words) if form.endswith(word)), default=0) if kind else 0
    modifier = _sided(form[: len(form) - noun])
    if noun and len(modifier) > 1:
        yield modifier
        yield from filter(None, (modifier[:2] if len(modifier) == 3 else "", split_zone(modifier)[0]))
        if (bare := strip_prefixes(modifier)) != modifier:
            yield bare
    elif len(form) > 2 and default_lexicon().is_generic(form[-1]):
        yield form[:-1]
    mark = modifier if noun else form[-1] if without_last_side(form) else ""
    if mark and mark in _SIDES:
        yield f"{mark}侧"
    said = form + normalise(device.description)
    yield from (brand for brand in table.brands if brand in said)
    for one in catalog.profiles[position].kinds:
        yield from table.does.get(one, ())


def pointed_at(text: str) -> str | None:
    """What stands before a pointing word (佳能那台, 卡纸的那个, 烧水的那个), in its clause; None where nothing does."""
    match = _POINTER.search(text)
    if match is None:
        return None
    before = re.split("[，,。；;！!？? ]", text[: match.start()])[-1]
    return before if len(before) > 1 else None


# ---- counted things


def without_ordinal(name: str) -> tuple[str, str] | None:
    """A spoken name as (ordinal, rest): 左手边第二盏壁灯 as (左手边第二盏, 壁灯); None when nothing is counted."""
    match = _ORDINAL.search(name)
    if match is None:
        return None
    rest = (name[: match.start()] + name[match.end() :]).removeprefix("的")
    return match[0], rest


def nth_of(ordinal: str, positions: Sequence[int], catalog: Catalog) -> int | None:
    """The one of a row that `ordinal` counts to: by the numbers in the names, else in the home's order."""
    match = _ORDINAL.search(ordinal)
    if match is None or len(positions) < 2:
        return None
    marks = {position: _mark(catalog, position) for position in positions}
    row = sorted(positions, key=lambda p: (marks[p] if marks[p] is not None else 0, p))
    if match["middle"]:
        return row[len(row) // 2] if len(row) % 2 else None
    if match["end"]:
        return row[-1]
    number = normalise(match["number"]).replace("两", "2")
    count = int(number) if number.isdigit() else 0
    if not 1 <= count <= len(row):
        return None
    if match["last"]:
        return row[-count]
    marked = [position for position in row if marks[position] == count]
    if all(mark is not None for mark in marks.values()):
        return marked[0] if len(marked) == 1 else None
    return row[count - 1]


def _mark(catalog: Catalog, position: int) -> int | None:
    digits = re.search(r"(\d+)\Z", normalise(catalog.devices[position].name))
    return int(digits[1]) if digits else None


# ---- whose


def person_in(text: str) -> str | None:
    """A surname with a title, of whom something is said to be (李阿婆的, 王总屋里): in a home without that person it is
    nothing of anybody else's."""
    match = _persons().search(text)
    return match[1] if match is not None else None


@cache
def _persons() -> re.Pattern[str]:
    titles = "|".join(map(re.escape, described_table().titles))
    return re.compile(f"(?:^|[，,。 把给让帮])([{described_table().surnames}](?:{titles}))(?=的|那|屋|房|床)")
