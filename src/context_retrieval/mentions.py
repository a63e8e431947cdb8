"""Things of the home that a sentence names where no client could read it, or read only part (seed 002, 召回负责"不漏").

What is to be done is for the agent to see: a mentioned thing comes with all its commands (action 操作). Only a thing
that is found for certain is taken (law 1), and a clause that forbids, spares or tells a story takes none.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import msgspec
from msgspec import structs

from context_retrieval.by_type import generic_type
from context_retrieval.capability import OPERATE
from context_retrieval.catalog import Catalog
from context_retrieval.kind_table import kind_table
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import DeviceType, Quantifier, QueryIR, Reference, ResolutionStatus
from context_retrieval.name_forms import likeness
from context_retrieval.resolve import resolve_ir
from context_retrieval.said_beside import family_but
from context_retrieval.text import normalise

__all__ = ["going_on", "in_rooms_said", "is_talk", "left_out", "mentioned", "nearly_named"]

_CLAUSE_END = re.compile(r"[，,。.！!？?；;\n]+(?!\d)")
_ALL = re.compile("所有|全部|全都|每[个盏台间]|都|统统|通通")
_ASKS = re.compile("多少|几|高不高|低不低|高吗|低吗|怎么样|如何|有没有|吗|咋样")
_ANYONE = re.compile("有没有人|有人[吗没么]|有人在")
_CHATTER = re.compile(
    "你|好久|谢|辛苦|[真很挺贵卖剧又才]|好[看听用吃喝]|为什么|怎么|说|想|讲|里的|上的|过了|会不会|一般"
)
_EXCEPT = re.compile("除|以外|之外|不包括|不算")
_ALL_BUT = re.compile("除[了开]?(?P<spared>.{1,8}?)(?:以外|之外|外)?[，,]?(?:其他|其它|其余|别的|剩下)的?(?P<rest>.+)")
_WHEN_SOMEONE = re.compile("(?P<before>.{2,8}?)(?:一有人|有人)(?:的?时候?|的话|来了?)?[，,]?就(?P<then>.+)")
_GOING_ON = re.compile(
    "(?:再|还要|还|继续|接着)(?:往?[上下])?[开调拉升降放关弄]?[高低大小亮暗快慢多少响轻暖冷升降](?:高|低)?"
    "(?:[一]?[点些档格度]|一点点|点儿|两[档格度])[儿吧嘛咯嘞]?"
)
_POINTING = re.compile("(?:[喊叫让请把给]|帮我把?|麻烦)(?P<it>它们|它|他们|这两个)")
_LONGEST_TEXT = 80
_LONGEST_WORD = 10
_LONGEST_ROOM = 6
_MOST = 4
_MOST_NAMES, _FEWEST, _SHORT = 300, 4, 14
"""How many names a misheard one is looked for in, how long it must be, and the sentence at most."""
_CONFIDENCE = 0.5
_SPARING = ("negation", "keep", "only", "except_before", "except_after", "correction", "cancel", "idioms", "from")
"""Word lists of the grammar after which a thing in the clause is not what is to be acted on."""


class _Words(msgspec.Struct, frozen=True):
    """One clause taken apart: rooms, the home's own names, words for kinds, words for whole types."""

    rooms: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    types: tuple[DeviceType, ...] = ()


def mentioned(text: str, catalog: Catalog, places: Sequence[str], *, explicit_all: bool = False) -> tuple[QueryIR, ...]:
    """Queries for what `text` mentions, at most four; empty when it mentions nothing of this home for certain."""
    found: list[QueryIR] = list(_all_but(text, catalog)) or list(_when_someone(text, catalog))
    if found:
        return tuple(query for query in found if _is_certain(query, catalog, places, explicit_all=explicit_all))
    clauses = list(_clauses(text))
    for clause in clauses:
        if _tells().search(clause) is not None:
            continue
        words = _take_apart(clause, catalog)
        if len(clauses) > 1 and words.names == (clause,):
            continue  # a name before a pause is called, or belongs to what the reading could not say
        asked = list(_asked(clause, words))
        if not asked and _spares().search(clause) is None:
            asked = list(_things(clause, words))
        found += [query for query in asked if _is_certain(query, catalog, places, explicit_all=explicit_all)]
    return tuple(dict.fromkeys(found))[:_MOST]


def going_on(text: str) -> tuple[QueryIR, ...]:
    """The query for what was spoken of last, where the sentence only goes on with it (再升高一点, 喊它回去充电)."""
    form = text.strip("。！!，, ")
    pointing = _POINTING.match(form)
    if pointing is None and _GOING_ON.fullmatch(form) is None:
        return ()
    together = pointing is not None and len(pointing["it"]) > 1
    quantifier = Quantifier.ALL if together else Quantifier.ONE
    return (QueryIR(OPERATE, reference=Reference.LAST, quantifier=quantifier, confidence=_CONFIDENCE),)


def nearly_named(text: str, catalog: Catalog) -> tuple[QueryIR, ...]:
    """The query for the one name of four or more characters that the sentence begins with but for one character, or by
    its sound (收音闸子小声点); a name that says a kind is not taken for another."""
    form = normalise(text)
    if len(catalog) > _MOST_NAMES or len(form) > _SHORT:
        return ()
    found: dict[str, str] = {}
    for device in catalog.devices:
        name = normalise(device.name)
        if _FEWEST <= len(name) < len(form) and not name.isascii() and likeness(form[: len(name)], name):
            found[name] = device.name
    if len(found) != 1:
        return ()
    name, said = found.popitem()
    rest = form[len(name) :]
    if is_talk(rest) or _tells().search(rest) or _spares().search(rest) or _CHATTER.search(rest):
        return ()
    query = _query((), name=said)
    return (query,) if _is_certain(query, catalog, ()) else ()


def _all_but(text: str, catalog: Catalog) -> Iterator[QueryIR]:
    """书房里除了台灯，其余的灯 and 草坪灯除了3号: all of a kind in the rooms said, but what is named."""
    counted = family_but(text, catalog)
    if counted is not None:
        yield _sparing_some(_query((), name=counted[0]), counted[1])
        return
    match = _ALL_BUT.search(text)
    if match is None:
        return
    spared, before = (_take_apart(normalise(part), catalog) for part in (match["spared"], text[: match.start()]))
    names, rest = spared.names or spared.kinds, normalise(match["rest"])
    kind_type = next(filter(None, (generic_type(rest[:size]) for size in range(_LONGEST_ROOM, 0, -1))), None)
    if names and kind_type is not None and not spared.rooms:
        yield _sparing_some(_query(before.rooms, kind_type=kind_type), names)


def _sparing_some(query: QueryIR, names: tuple[str, ...]) -> QueryIR:
    return structs.replace(query, quantifier=Quantifier.EXCEPT, excluded_names=names)


def _when_someone(text: str, catalog: Catalog) -> Iterator[QueryIR]:
    """玄关有人就把感应灯打开: what is to be done hangs on the sensor that sees people there."""
    match = _WHEN_SOMEONE.fullmatch(text.strip("。！!， "))
    if match is None:
        return
    where, then = _take_apart(normalise(match["before"]), catalog), normalise(match["then"])
    words = _take_apart(then, catalog)
    if len(where.rooms) != 1 or _spares().search(then) is not None:
        return
    rooms = words.rooms or where.rooms
    for query in _things(then, structs.replace(words, rooms=rooms)):
        yield structs.replace(query, when=f"{where.rooms[0]}有人=是")


def in_rooms_said(queries: Sequence[QueryIR], text: str, catalog: Catalog) -> tuple[QueryIR, ...]:
    """The queries, the only one of a whole type narrowed to the rooms that the sentence says and it has lost.

    给103客人把空调打开 is one room's; a sentence of several requests, of a condition or of an exception stays as read.
    """
    if len(queries) != 1 or not _is_bare(queries[0]) or _EXCEPT.search(text) is not None:
        return tuple(queries)
    any_room = default_lexicon().places
    rooms = [room for clause in _clauses(text) for room in _take_apart(clause, catalog).rooms if room not in any_room]
    return (structs.replace(queries[0], include=tuple(dict.fromkeys(rooms))),) if rooms else tuple(queries)


def _is_bare(query: QueryIR) -> bool:
    """Whether a query means a type and says no more of where or which."""
    told = (query.name, query.reference, query.when)
    placed = query.include or query.exclude or query.here or query.excluded_names
    return query.type is not DeviceType.UNKNOWN and not placed and all(one is None for one in told)


def is_talk(text: str) -> bool:
    """Whether a sentence that no client could read is none of the home's business as a whole."""
    return len(text) > _LONGEST_TEXT or _talk().search(normalise(text)) is not None


def left_out(text: str, queries: Sequence[QueryIR], catalog: Catalog, places: Sequence[str]) -> tuple[QueryIR, ...]:
    """Queries for the devices that a clause names and that no query speaks of (浇花器浇会儿水，串灯也点起来)."""
    clauses = list(_clauses(text))
    if len(clauses) < 2:
        return ()
    said = normalise("|".join(_said(query) for query in queries))
    found: list[QueryIR] = []
    for clause in clauses:
        if _tells().search(clause) is not None or _spares().search(clause) is not None:
            continue
        words = _take_apart(clause, catalog)
        names = [name for name in words.names if name not in said and generic_type(name) is None]
        found += [_query(words.rooms, name=name) for name in names]
    return tuple(query for query in found if _is_certain(query, catalog, places))[:_MOST]


def _said(query: QueryIR) -> str:
    return "|".join((query.name or "", *query.excluded_names, query.when or "", *query.include, *query.exclude))


def _clauses(text: str) -> Iterator[str]:
    """The normal forms of the clauses; none of a text too long to be a request."""
    if len(text) <= _LONGEST_TEXT:
        yield from filter(None, map(normalise, _CLAUSE_END.split(text)))


@cache
def _tells() -> re.Pattern[str]:
    """Signs that a clause tells, asks about the world, or forbids; a supposition (如果) may name what is meant."""
    lexicon = default_lexicon()
    supposing = set(lexicon.grammar["condition_start"]) | {"如果", "要是", "假如", "万一"}
    words = {*lexicon.talk.sentence.split(), *lexicon.talk.clause.split(), *lexicon.talk.nouns.split()} - supposing
    forbidding = (word for word in lexicon.grammar["negation"] if word not in ("不", "没", "没有", "未"))
    return _any_of({*words, *forbidding} - {""})


@cache
def _talk() -> re.Pattern[str]:
    """Signs that take away the whole sentence: people spoken to, other services, questions about the world, 算了."""
    lexicon = default_lexicon()
    talk = lexicon.talk
    words = {*talk.people.split(), *talk.sentence.split(), *talk.addressed.split(), *lexicon.grammar["cancel"]}
    domains = {word for text in talk.domains.values() for word in text.split() if len(word) > 1}
    return _any_of({*words, *domains, "老公", "老婆", "买", "谁"})


@cache
def _spares() -> re.Pattern[str]:
    return _any_of({word for name in _SPARING for word in default_lexicon().grammar[name]})


def _any_of(words: set[str]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word))))


def _take_apart(clause: str, catalog: Catalog) -> _Words:
    """The words of this home in the clause, the longest at each place; names before rooms before kinds."""
    names, rest = _spot(clause, catalog.names.bears, longest=_LONGEST_WORD)
    rooms, rest = _spot(rest, catalog.rooms.is_spoken, longest=_LONGEST_ROOM)
    kinds, rest = _spot(rest, _is_kind, longest=_LONGEST_WORD)
    types, _ = _spot(rest, lambda word: generic_type(word) is not None, longest=_LONGEST_ROOM, shortest=1)
    if not rooms and _ALL.search(rest) is None:
        types = [word for word in types if len(word) > 1]
    return _Words(tuple(rooms), tuple(names), tuple(kinds), tuple(filter(None, map(generic_type, types))))


def _spot(text: str, is_word: Callable[[str], bool], *, longest: int, shortest: int = 2) -> tuple[list[str], str]:
    """The words for which `is_word` holds, and the text with a blank in place of each."""
    found: list[str] = []
    rest: list[str] = []
    start = 0
    while start < len(text):
        for size in range(min(longest, len(text) - start), shortest - 1, -1):
            if is_word(text[start : start + size]):
                found.append(text[start : start + size])
                rest.append(" ")
                start += size
                break
        else:
            rest.append(text[start])
            start += 1
    return found, "".join(rest)


def _is_kind(word: str) -> bool:
    kind = kind_table().by_word.get(word)
    return kind is not None and not kind.generic and not word.isascii() and generic_type(word) is None


def _asked(clause: str, words: _Words) -> Iterator[QueryIR]:
    """What the clause asks a sensor (现在PM2.5多少, 走廊有没有人)."""
    if _ANYONE.search(clause) is not None:
        yield _query(words.rooms, action="查询有人")
    elif _ASKS.search(clause) is not None and not words.names:
        said = {attribute for word, attribute in _attributes().items() if word in clause}
        for attribute in sorted(said):
            yield _query(words.rooms, action=f"查询{attribute}")


@cache
def _attributes() -> dict[str, str]:
    """Words for what can be measured, in their normal form, and the attribute."""
    return {normalise(word): attribute for attribute, words in kind_table().attributes.items() for word in words}


def _things(clause: str, words: _Words) -> Iterator[QueryIR]:
    spoken = (*words.names, *words.kinds)
    bare = clause
    for word in (*spoken, *words.rooms):
        bare = bare.replace(word, " ")
    if _CHATTER.search(bare) is not None:
        return
    for word in spoken:
        yield _query(words.rooms, name=word)
    if not spoken:
        for kind_type in words.types:
            yield _query(words.rooms, kind_type=kind_type)


def _query(
    rooms: tuple[str, ...], *, action: str = OPERATE, name: str | None = None, kind_type: DeviceType | None = None
) -> QueryIR:
    return QueryIR(
        action,
        include=rooms,
        name=name,
        type=kind_type or DeviceType.UNKNOWN,
        quantifier=Quantifier.ONE if kind_type is None else Quantifier.ALL,
        confidence=_CONFIDENCE,
    )


def _is_certain(query: QueryIR, catalog: Catalog, places: Sequence[str], *, explicit_all: bool = False) -> bool:
    found = resolve_ir(query, catalog, places=places, explicit_all=explicit_all)
    return found.status is ResolutionStatus.FOUND and found.exact
