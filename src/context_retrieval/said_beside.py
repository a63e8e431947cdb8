"""What the words around a query add to it, where the reading of the sentence lost them (retrieval.md, Names).

A row of numbers beside a name (1号跟4号射灯), an exception from a family of names (除了射灯2，其他射灯), the room
after 其他, a number read out (二零一), a count of rooms (两个会议室). Each
needs its words in the sentence and its things in the home; what is added never widens a scope (law 1).
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import structs

from context_retrieval.catalog import Catalog
from context_retrieval.models import DeviceType, Quantifier, QueryIR
from context_retrieval.text import normalise

__all__ = ["family_but", "with_what_is_beside"]

_NUMBER = r"(?:十[一二]?|[一二三四五六七八九]|1[0-2]|[1-9])(?![\d%度档级点成个十百])"
_LETTER = r"(?:[A-Za-z](?![A-Za-z\d]))"
_JOINT = r"(?:[、,，和跟与及同\s]|还有|以及)+"
_ONE = rf"(?:第?{_NUMBER}号?)"
_ROW = rf"{_ONE}(?:{_JOINT}{_ONE})+"
_LETTERS = rf"{_LETTER}(?:{_JOINT}{_LETTER})+"
_HAS_ROW = re.compile(f"{_ROW}|{_LETTERS}")
_MARKS = re.compile(f"{_NUMBER}|{_LETTER}")
_OTHERS = re.compile("(?:其他|其它|其余|别的|剩下|另外)的?")
_EXCEPT = re.compile("除")
_BUT_NUMBER = re.compile(rf"除了?({_ONE}(?:{_JOINT}{_ONE})*)")
_READ_OUT = re.compile(
    "(?<![第十百点])[一二三四五六七八九幺][零〇一二三四五六七八九幺]{2,3}(?![度点分秒成档个天月年%K千百十万])"
)
_COUNTED = re.compile(rf"第?({_NUMBER}|\d{{1,2}})号?\Z")


def with_what_is_beside(queries: Sequence[QueryIR], text: str, catalog: Catalog) -> tuple[QueryIR, ...]:
    """`queries` with what `text` says beside them; they themselves where it says nothing more."""
    if _EXCEPT.search(text) is not None or _OTHERS.search(text) is not None:
        queries = [_with_exception(query, text, catalog) for query in queries]
    if (number := _READ_OUT.search(text)) is not None:
        queries = _of_number(queries, number[0], catalog)
    queries = [_in_said_rooms(query, text, catalog) for query in queries]
    if _HAS_ROW.search(text) is None:
        return tuple(queries)
    named = {normalise(query.name) for query in queries if query.name is not None}
    found: list[QueryIR] = []
    for query in queries:
        row = list(_row(query, text, catalog))
        own = normalise(query.name or "")
        found += [one for one in row if (form := normalise(one.name or "")) == own or form not in named] or [query]
    return tuple(found)


# ---- a row of numbers


def _row(query: QueryIR, text: str, catalog: Catalog) -> Iterator[QueryIR]:
    """The query once for each number of the row that its name stands in."""
    family = _family(query.name) if query.name is not None and query.reference is None else None
    if family is None:
        return
    match = _row_of(family).search(text)
    if match is None:
        return
    numbers = _MARKS.findall(match["before"] or match["behind"])
    names = [f"{family}{number}" for number in numbers]
    if not all(catalog.names.bears(normalise(name)) for name in names):
        return
    for name in names:
        yield structs.replace(query, name=name, quantifier=Quantifier.ONE, count=None)


def _family(name: str) -> str | None:
    """A name without the number at either end of it (4号射灯, 射灯四 → 射灯); the name itself when it has none."""
    bare = re.sub(
        rf"\A第?{_NUMBER}[号个盏]?的?|\s*(?:第?(?:{_NUMBER}|\d{{1,2}})号?|(?<![A-Za-z]){_LETTER})\Z", "", name
    )
    return bare if len(bare) > 1 else None


@lru_cache(maxsize=256)
def _row_of(family: str) -> re.Pattern[str]:
    name = re.escape(family)
    return re.compile(
        rf"(?P<before>{_ROW})的?{name}(?!第?\d)|{name}[的\s]*(?P<behind>{_ROW}|{_LETTERS})", re.IGNORECASE
    )


# ---- rooms


def _of_number(queries: Sequence[QueryIR], spoken: str, catalog: Catalog) -> list[QueryIR]:
    """二零一空调关了: a number that is read out digit by digit tells a room or a thing, and is no value to set; where
    the home has neither, it is still what was said (law 1)."""
    number = normalise(spoken.replace("幺", "一"))
    kept = [query for query in queries if not (query.value or "").startswith(number)]
    return [_at_number(query, number, catalog) for query in kept] if len(kept) < len(queries) else list(queries)


def _at_number(query: QueryIR, number: str, catalog: Catalog) -> QueryIR:
    if query.name is not None or query.include or query.here or query.reference is not None:
        return query
    rooms, devices = catalog.rooms.find(number), catalog.devices
    named = [devices[p].name for p in catalog.of_type(query.type) if normalise(devices[p].name).endswith(number)]
    if not rooms and len(named) == 1:
        return structs.replace(query, name=named[0], quantifier=Quantifier.ONE)
    return structs.replace(query, include=(number,))


def _in_said_rooms(query: QueryIR, text: str, catalog: Catalog) -> QueryIR:
    """As many rooms as there are of a word are all of them (两个会议室)."""
    if query.quantifier is Quantifier.ANY and query.include and query.count is not None:
        for word in query.include:
            counted = re.search(rf"([一两二三四五六七八九十\d]+)[个间]{re.escape(word)}", text)
            if counted is not None and query.count == len(catalog.rooms.find(word)) > 1:
                return structs.replace(query, quantifier=Quantifier.ALL, count=None)
    return query


# ---- an exception


def _with_exception(query: QueryIR, text: str, catalog: Catalog) -> QueryIR:
    if query.reference is not None:
        return query
    if query.name is None and query.excluded_names and query.type is not DeviceType.UNKNOWN:
        return _of_family(query, text, catalog)
    if query.exclude and not query.include:
        return _in_other_rooms(query, text, catalog)
    return query


def _of_family(query: QueryIR, text: str, catalog: Catalog) -> QueryIR:
    """除了射灯2，其他射灯 and 草坪灯除了3号 mean the others of that name, not of the whole type."""
    spared: list[str] = []
    families: set[str] = set()
    for name in query.excluded_names:
        counted = _COUNTED.fullmatch(name)
        family = _before_exception(text, catalog, name) if counted is not None else _family(name)
        if family is None or (counted is None and family == name):
            return query
        families.add(family)
        spared.append(f"{family}{counted[1]}" if counted is not None else name)
    if len(families) != 1:
        return query
    family = families.pop()
    again = re.search(rf"{re.escape(family)}(?!\s*第?\d|第?{_NUMBER})", text)
    if again is None or not all(catalog.names.bears(normalise(name)) for name in spared):
        return query
    return structs.replace(query, name=family, excluded_names=tuple(spared))


def family_but(text: str, catalog: Catalog) -> tuple[str, tuple[str, ...]] | None:
    """草坪灯除了3号: the family before 除了 and the names in it that are spared; None where nothing is counted so."""
    counted = _BUT_NUMBER.search(text)
    numbers = _MARKS.findall(counted[1]) if counted is not None else []
    family = _before_exception(text, catalog, numbers[0]) if numbers else None
    if family is None:
        return None
    spared = tuple(f"{family}{number}" for number in numbers)
    return (family, spared) if all(catalog.names.bears(normalise(name)) for name in spared) else None


def _before_exception(text: str, catalog: Catalog, number: str) -> str | None:
    """The name before 除了 that the number counts in (草坪灯除了3号)."""
    before = text[: text.find("除")]
    for size in range(min(len(before), 8), 1, -1):
        family = before[-size:]
        if catalog.names.bears(normalise(f"{family}{number}")):
            return family
    return None


def _in_other_rooms(query: QueryIR, text: str, catalog: Catalog) -> QueryIR:
    """除了301，其他客房: the rooms that the word after 其他 means."""
    match = _OTHERS.search(text)
    if match is None:
        return query
    behind = text[match.end() : match.end() + 6]
    for size in range(len(behind), 1, -1):
        rooms = catalog.rooms.find(behind[:size])
        if rooms and normalise(behind[:size]) not in map(normalise, query.exclude):
            spared = {room for word in query.exclude for room in catalog.rooms.find(word)}
            return structs.replace(query, include=(behind[:size],)) if spared < set(rooms) else query
    return query
