"""What distinguishes the devices of a home: the head noun of a name, and the words before or behind it.

小鹿的加湿器 is a 加湿器 with 小鹿, 百叶（靠街） a 百叶 with 靠街, 1床床头灯 a 床头灯 with 1床, 大金2号 a 大金 with the
number 2. The maker in a description and the functions of a kind (`kinds.yaml`, `does`) count, too.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources
from weakref import WeakKeyDictionary

import msgspec

from context_retrieval.catalog import Catalog
from context_retrieval.kind_table import kind_table
from context_retrieval.kinds import gloss
from context_retrieval.lexicon import default_lexicon
from context_retrieval.name_forms import lettered_family
from context_retrieval.strict_yaml import parse_yaml
from context_retrieval.text import normalise, spoken

__all__ = ["LONGEST", "Telling", "person_in", "rooms_of", "row_of", "said_table", "telling", "theirs_in"]

LONGEST = 10
_BRACKET = re.compile(r"[（(\[【](.+?)[）)\]】]")
_LATIN = re.compile(r"[a-z][a-z\d]+")
_NUMBER = re.compile(r"\d+")
_MARK_FIRST = re.compile(r"(?P<mark>\d{1,2})[号#](?P<name>.{2,})")
_LEAST = 2


class SaidTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`data/said.yaml`: the small words around a thing's name."""

    brands: tuple[str, ...]
    titles: tuple[str, ...]
    surnames: str
    familiar: str
    sides: str
    side_ends: str
    leans: str
    edges: tuple[str, ...]
    beside: dict[str, tuple[str, ...]]
    counters: str
    row_counters: str
    two: str
    labels: str
    units: str
    marks: str
    joints: tuple[str, ...]
    ranges: tuple[str, ...]
    gaps: tuple[str, ...]
    first: str
    last: str
    end: tuple[str, ...]
    from_end: str
    middle: tuple[str, ...]
    other_one: tuple[str, ...]
    reduced: str
    either: str
    pointers: str
    alike: tuple[str, ...]
    very: tuple[str, ...]
    theirs: tuple[str, ...]
    their_side: tuple[str, ...]
    holding: str
    eased: dict[str, tuple[str, ...]]
    inside: tuple[str, ...]
    things: tuple[str, ...]
    ends: str


@cache
def said_table() -> SaidTable:
    """The table of the package's own data. Raises `msgspec.ValidationError` naming the key that is wrong."""
    source = resources.files("context_retrieval").joinpath("data", "said.yaml")
    table = msgspec.convert(parse_yaml(source.read_bytes()), SaidTable)
    return msgspec.structs.replace(
        table,
        titles=tuple(sorted(table.titles, key=len, reverse=True)),
        gaps=tuple(sorted(table.gaps, key=len, reverse=True)),
        theirs=tuple(sorted(table.theirs, key=len, reverse=True)),
    )


class Telling(msgspec.Struct):
    """Words of a home's names. `heads` say what things are, `tells` what tells them apart, both word → positions;
    `bare` are the names without their mark, `marks` the number, letter or side of each thing, `does` the words for what
    a kind does."""

    heads: dict[str, set[int]]
    tells: dict[str, set[int]]
    bare: dict[int, str]
    marks: dict[int, tuple[str, ...]]
    does: set[str]


MOST_THINGS = 5_000
"""Devices of a home whose names are taken to words, some 35 µs each; larger ones are found by name, kind and room."""
_KNOWN: WeakKeyDictionary[Catalog, tuple[int, Telling]] = WeakKeyDictionary()


def telling(catalog: Catalog) -> Telling:
    """The words of a catalog's names, made once for each version of it."""
    known = _KNOWN.get(catalog)
    if known is None or known[0] != catalog.version:
        positions = catalog.all_positions()
        made = _made(positions, catalog) if len(catalog.devices) <= MOST_THINGS else _silent(positions)
        known = _KNOWN[catalog] = (catalog.version, made)
    return known[1]


def row_of(position: int, catalog: Catalog) -> dict[int, str]:
    """The things of one room that are called alike but for a number, letter or side, with that mark; it is one of them.
    Empty where it has none."""
    words, room = telling(catalog), catalog.in_rooms([catalog.room_of(position)])
    row = {one: words.marks[one][0] for one in room if words.marks[one] and words.bare[one] == words.bare[position]}
    return row if position in row else {}


def _silent(positions: Iterable[int]) -> Telling:
    """Words of a home so large that finding them would hold up its first request: none."""
    every = tuple(positions)
    return Telling({}, {}, dict.fromkeys(every, ""), dict.fromkeys(every, ()), set())


def rooms_of(word: str, catalog: Catalog) -> tuple[str, ...]:
    """The rooms that a word means, by their own names or whose they are: 院长屋里 for 周院长办公室, 孙奶奶屋 for where
    the things called after 孙奶奶 stand."""
    if found := catalog.rooms.find(word):
        return found
    form = spoken(word)
    inside = _ending(form, said_table().inside)
    if inside is not None and (found := catalog.rooms.find(form.removesuffix(inside))):
        return found
    person = theirs_in(form)
    if person is None:
        return ()
    if found := catalog.rooms.find(person):
        return found
    own = [room for one, rooms in catalog.rooms.telling.items() if person in _persons(one) for room in rooms]
    if own:
        return tuple(dict.fromkeys(own))
    rooms = {catalog.room_of(position) for position in telling(catalog).tells.get(person, ())}
    return tuple(rooms) if len(rooms) == 1 else ()


def _made(positions: Iterable[int], catalog: Catalog) -> Telling:
    made = Telling({}, {}, {}, {}, set())
    for position in positions:
        _add(made, position, catalog)
    _add_kinds(made, catalog)
    return made


def _add(made: Telling, position: int, catalog: Catalog) -> None:
    device = catalog.devices[position]
    for name in (device.name, *device.aliases):
        inside = [spoken(one) for one in _BRACKET.findall(name)]
        full = spoken(_BRACKET.sub("", name)) or spoken(name)
        full = gloss(normalise(full)) or full
        form = catalog.rooms.without_room(device.room, full) or full
        family, mark = _split_mark(form)
        mark = mark or next((one for one in inside if one in said_table().sides), "")
        if (lettered := lettered_family(name)) is not None and form.startswith(lettered):
            family, mark = lettered, form[len(lettered) :]
        noun = _noun(family)
        modifier = family[: len(family) - noun]
        called = "" if noun else catalog.profiles[position].described_as
        for head in (full, family, *(family[at:] for at in range(1, len(modifier) + 1) if noun), *_endings(called)):
            if len(head) >= _LEAST:
                made.heads.setdefault(head, set()).add(position)
        if len(family) == _LEAST + 1 and not noun:
            made.heads.setdefault(family[0] + family[-1], set()).add(position)
        places = (word for one in (*inside, modifier) for word in _beside(one))
        for word in (*inside, *places, *_of_modifier(modifier, name, noun), *_of_thing(family, noun)):
            made.tells.setdefault(word, set()).add(position)
        side = modifier[:1] if modifier[:1] in said_table().sides and not mark else ""
        made.bare.setdefault(position, family[len(side) :].lstrip(said_table().side_ends) if side else family)
        found = tuple(one for one in (mark, *_NUMBER.findall(modifier), side) if one)
        made.marks[position] = (*made.marks.get(position, ()), *found)
    table = said_table()
    said = normalise(device.name + device.description)
    latin = _LATIN.findall(f"{device.name} {device.description}".lower())
    for brand in table.brands:
        called, _, other = map(normalise, brand.partition("/"))
        if called in said or other in latin:
            made.tells.setdefault(called, set()).add(position)


def _add_kinds(made: Telling, catalog: Catalog) -> None:
    """The words of the kinds that the home has, and what such things do."""
    table = kind_table()
    of_kind: dict[str, set[int]] = {}
    for position, one in enumerate(catalog.profiles):
        form = spoken(catalog.devices[position].name)
        for key in one.kinds or _by_noun(made.bare.get(position, form)):
            of_kind.setdefault(key, set()).add(position)
            if (root := table.kinds[key].root) != key:
                of_kind.setdefault(root, set()).add(position)
    for key, positions in of_kind.items():
        kind = table.kinds[key]
        for word in map(spoken, kind.words):
            if len(word) >= _LEAST or not kind.generic:
                _join(made.heads, word, positions)
        for word in map(spoken, kind.does):
            for either in (word, word[1:] + word[0]):
                _join(made.tells, either, positions)
                made.does.add(either)

    opening = {p for key, positions in of_kind.items() if key in _doors() for p in positions}
    for word in table.doors:
        _join(made.heads, word, opening)


def _join(words: dict[str, set[int]], word: str, positions: set[int]) -> None:
    """Words of one kind share its set: a home holds hundreds of them."""
    words[word] = words[word] | positions if word in words else positions


@cache
def _doors() -> frozenset[str]:
    """The kinds that are heard of as a door: what opens it, locks it, and tells whether it is open."""
    kinds = kind_table().kinds
    door = (kinds["garage_door"].home or {})["opens"]
    opens = {key for key, kind in kinds.items() if (kind.home or {}).get("opens") == door}
    return frozenset({*opens, "lock", "contact_sensor"})


@cache
def _nouns() -> dict[str, str]:
    """Nouns that name a kind at home and are no synonyms of it, and the kind."""
    return {
        spoken(noun): key for key, kind in kind_table().kinds.items() for noun in (kind.home or {}).get("nouns", ())
    }


def _by_noun(family: str) -> tuple[str, ...]:
    key = next((_nouns()[family[at:]] for at in range(len(family) - 1) if family[at:] in _nouns()), None)
    return (key,) if key is not None else ()


def _split_mark(form: str) -> tuple[str, str]:
    """A name without the number, letter or side at its end, or the number before it, and that mark."""
    match = _mark_last().fullmatch(form) or _MARK_FIRST.fullmatch(form)
    return (match["name"], match["mark"]) if match is not None else (form, "")


@cache
def _mark_last() -> re.Pattern[str]:
    table = said_table()
    mark = rf"\d+|(?<=..)(?:(?<![a-z])[a-z]|[{table.sides}{table.marks}])"
    return re.compile(rf"(?P<name>.+?)(?P<mark>{mark})[{table.side_ends}号]?")


def _noun(family: str) -> int:
    """How many characters at the end of a name say its kind."""
    kind = kind_table().of_ending(family)
    words = map(spoken, kind.words) if kind is not None else ()
    return max((len(word) for word in words if family.endswith(word)), default=0)


def _endings(called: str) -> Iterator[str]:
    """What a description calls a thing, and its endings that say what it is (双柱举升机 → 举升机)."""
    return (called[at:] for at in range(len(called) - _LEAST))


def _of_modifier(modifier: str, name: str, noun: int) -> Iterator[str]:
    """What the words before a noun may be called by: each stretch of them, whose it is, and its side."""
    for start in range(len(modifier) if noun else 1):
        for end in range(start + _LEAST, len(modifier) + 1):
            yield modifier[start:end]
    yield from _persons(modifier)
    owner = spoken(name.partition(default_lexicon().grammar["of"][0])[0])
    if len(owner) >= _LEAST and spoken(name).startswith(owner) and owner != spoken(name):
        yield owner
        yield from _persons(owner)


def _beside(modifier: str) -> Iterator[str]:
    """How else the place is called that a name begins with: 门口 and 门边 for 靠门, 靠窗 and 临窗 for 窗边."""
    table = said_table()
    leaning = modifier[:1] in table.leans
    at = min((at for edge in table.edges if (at := modifier.find(edge)) > 0), default=0)
    own = [modifier[1:end] for end in range(2, len(modifier) + 1)] if leaning else [modifier[:at]][: at > 0]
    for place in (other for one in own for other in (one, *table.beside.get(one, ()))):
        yield from (place + edge for edge in table.edges)
        yield from (lean + after + place for lean in table.leans for after in ("", "着"))


def _persons(modifier: str) -> Iterator[str]:
    """How else a person is called: 老钱 for 钱老师, 院长 for 周院长."""
    table = said_table()
    title = next((one for one in table.titles if modifier[1:].startswith(one)), None)
    if title is None or modifier[0] not in table.surnames:
        return
    yield modifier[: 1 + len(title)]
    yield from (familiar + modifier[0] for familiar in table.familiar)
    if len(title) > 1:
        yield title


def _ending(form: str, words: tuple[str, ...]) -> str | None:
    """The first of the words in which the form ends, and before which something is said."""
    if not form.endswith(words):
        return None
    return next((one for one in words if form.endswith(one) and len(form) > len(one) + 1), None)


def theirs_in(form: str, ends: Sequence[str] | None = None) -> str | None:
    """Whose room the form says, where it ends in a word for a room (孙奶奶屋里, 院长办公室), or one of the `ends`."""
    end = _ending(form, tuple(ends or said_table().theirs))
    return form.removesuffix(end) if end is not None else None


def _of_thing(family: str, noun: int) -> Iterator[str]:
    """A name without the last character, where that says little (油烟机 → 油烟), and the Latin word in it."""
    if len(family) > _LEAST and (
        family[-1] in said_table().ends or (noun and default_lexicon().is_generic(family[-1]))
    ):
        yield family[:-1]
    yield from (word for word in _LATIN.findall(family) if word != family)


def person_in(text: str) -> str | None:
    """A surname with a title, of whom something is said to be (李阿婆的, 王总屋里): in a home without that person it is
    nothing of anybody else's."""
    match = _whose().search(text)
    return match[1] if match is not None else None


@cache
def _whose() -> re.Pattern[str]:
    table, grammar = said_table(), default_lexicon().grammar
    titles, before = "|".join(table.titles), "|".join(map(re.escape, grammar["before_target"]))
    behind = "|".join(
        dict.fromkeys(one[0] for one in (grammar["of"][0], *table.theirs, *table.labels, *table.pointers))
    )
    return re.compile(f"(?:^|[，,。 ]|{before})([{table.surnames}](?:{titles}))(?={behind})")
