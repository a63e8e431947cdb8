"""Devices that a sentence mentions and its reading ignores (retrieval.md, Names).

A clause with an action, or one that is read nearly completely, adds the devices it names; a question adds the sensor
that answers it; an action alone continues with the previous device. The action is 操作: the agent decides. Only certain
matches are added (law 1); refusals and stories add nothing.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

import msgspec
from msgspec import structs

from context_retrieval.by_type import type_of_action
from context_retrieval.capability import OPERATE
from context_retrieval.catalog import Catalog
from context_retrieval.counted import SpanPart
from context_retrieval.grounding import CLAUSE, Grounded, but_for, ground, plainer, spans_of, working
from context_retrieval.ir_compiler import ReadSpan
from context_retrieval.kind_table import kind_table
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import DeviceType, Quantifier, QueryIR, Reference, ResolutionStatus
from context_retrieval.near_rooms import asked_rooms, near_rooms
from context_retrieval.resolve import resolve_ir
from context_retrieval.telling import rooms_of, said_table, telling
from context_retrieval.text import normalise, spoken
from context_retrieval.unsaid_conditions import AFTER, said_events, supposing
from context_retrieval.weighing import is_of

__all__ = ["beside", "unread"]

_LONGEST = 80
"""A longer text is no request."""
_MOST = 4
_CONFIDENCE = 0.5
_UNREAD = 0.25
"""So much of a clause without an action may be words that the reading knows nothing of."""
_REFUSES = frozenset({"negation", "correction", "except"})
_THINGS = frozenset({"device", "name"})
_ANY_ROOM = "*"
_ASK = "查询"
_STATE = f"{_ASK}状态"


class _Clause(msgspec.Struct, frozen=True):
    """One clause: its text, what the reading found in it, and what of it no part covers."""

    text: str
    said: tuple[ReadSpan, ...]
    runs: tuple[str, ...]

    def has(self, kind: str) -> bool:
        return any(one.kind == kind for one in self.said)

    @property
    def rooms(self) -> tuple[str, ...]:
        """The rooms said, whether the home has them or not."""
        any_room = default_lexicon().places
        return tuple(dict.fromkeys(one.value for one in self.said if one.kind == "room" and one.value not in any_room))

    @property
    def refuses(self) -> bool:
        """Whether it denies or spares; a question's 没 or 不 at its end does not."""
        asking = default_lexicon().grammar["ask"]
        ends = {len(self.text)} if self.text.endswith(asking) else set()
        return any(one.kind in _REFUSES and not (one.end in ends and one.value in asking) for one in self.said)


def unread(
    text: str, said: Sequence[ReadSpan], catalog: Catalog, places: Sequence[str], *, explicit_all: bool = False
) -> tuple[QueryIR, ...]:
    """Queries for what `text` speaks of, at most four; empty where it speaks of nothing of this home for certain."""
    if len(text) > _LONGEST or any(one.kind == "cancel" for one in said):
        return ()
    clauses = _clauses(text, said)
    found: list[QueryIR] = []
    before: tuple[str, ...] = ()
    waits: str | None = None
    for clause in clauses:
        waits, clause = _waited(clause) or (waits, clause)
        if not clause.text:
            continue
        asked = list(_asked(clause, catalog))
        asked = asked or list(_all_but(clause, catalog))
        if (
            not asked
            and (not clause.refuses or _either().search(clause.text))
            and not (len(clauses) > 1 and _is_call(clause))
        ):
            asked = list(_things(clause, catalog, explicit_all=explicit_all))
        asked = [structs.replace(one, include=one.include or before, when=waits) for one in asked]
        found += [query for query in asked if _is_certain(query, catalog, places, explicit_all=explicit_all)]
        before = () if asked else ground(spoken(clause.text), catalog).said(catalog)[0] or clause.rooms or before
    return tuple(dict.fromkeys(found))[:_MOST] or _going_on(clauses, catalog) or _wished(clauses, catalog, places)


def beside(
    text: str, said: Sequence[ReadSpan], known: Sequence[QueryIR], catalog: Catalog, places: Sequence[str]
) -> Iterator[QueryIR]:
    """Queries for the things of clauses that act and of which none of the `known` speaks (爱普生打开，幕布放下来)."""
    clauses = _clauses(text, said)
    if len(clauses) < 2 or any(query.when is not None or query.reference is not None for query in known):
        return
    for clause in clauses:
        form = spoken(clause.text)
        spans, does = spans_of(form, catalog), telling(catalog).does
        named = any(one.part is SpanPart.HEAD for one in spans) or any(
            one.part is SpanPart.TELLS and form[one.start : one.end] not in does for one in spans
        )
        told = named and clause.has("action") and not (clause.refuses or clause.has("when") or _asks(clause))
        if told and not any(is_of(query, form) for query in known):
            found = _things(clause, catalog, explicit_all=False)
            yield from (one for one in found if _is_certain(one, catalog, places))


def _waited(clause: _Clause) -> tuple[str, _Clause] | None:
    """What a clause waits for that the protocol cannot say (喷漆房VOC超过300就), as a WHEN; and the rest of it."""
    when = next((one for one in clause.said if one.kind == "when" and not one.value), None)
    if when is None:
        return None
    thing, value = clause.text[: when.start], clause.text[when.start : when.end]
    rest = AFTER.sub("", clause.text[when.end :], count=1)
    gone = len(clause.text) - len(rest)
    said = tuple(structs.replace(one, start=one.start - gone, end=one.end - gone) for one in clause.said)
    said = tuple(one for one in said if one.start >= 0)
    return f"{supposing().sub('', thing)}={value}", _Clause(rest, said, clause.runs)


def _clauses(text: str, said: Sequence[ReadSpan]) -> list[_Clause]:
    found = []
    for match in CLAUSE.finditer(text):
        start, end = match.span()
        parts = [one for one in said if start <= one.start and one.end <= end]
        here = tuple(structs.replace(one, start=one.start - start, end=one.end - start) for one in parts)
        rest = [*match[0]]
        for one in here:
            if one.kind != "device" or one.value == _ANY_ROOM:
                rest[one.start : one.end] = [" " if match[0][one.start] != "的" else ""] * (one.end - one.start)
        found.append(_Clause(match[0], here, tuple("".join(rest).replace("的", "").split())))
    return found


def _is_call(clause: _Clause) -> bool:
    """A name before a pause is called, or belongs to what the reading could not say."""
    return len(clause.said) == 1 and clause.said[0].kind == "name" and not clause.runs


def _is_covered(clause: _Clause, heard: Grounded | None = None) -> bool:
    """Whether next to nothing of the clause is left beside what the reading and the home's words know."""
    if heard is None:
        return sum(map(len, clause.runs)) <= _UNREAD * len(clause.text)
    left = set(range(len(heard.form)))
    for span in heard.spans:
        left -= set(range(span.start, span.end))
    for word in (spoken(clause.text[one.start : one.end]) for one in clause.said if one.value != _ANY_ROOM):
        if (at := heard.form.find(word)) >= 0:
            left -= set(range(at, at + len(word)))
    return len(left) <= _UNREAD * len(clause.text)


def _rooms(clause: _Clause, catalog: Catalog) -> tuple[str, ...]:
    return tuple(room for room in clause.rooms if catalog.rooms.find(room))


# ---- what is asked


def _asked(clause: _Clause, catalog: Catalog) -> Iterator[QueryIR]:
    """What the clause asks a sensor (现在PM2.5多少, 走廊有没有人, 哪几间房的门还开着)."""
    form = normalise(clause.text)
    which = asked_rooms().search(form)
    if clause.has("name") or not (which or _asks(clause) or any(word in form for word in _asking())):
        return
    heard = ground(spoken(clause.text), catalog)
    kind: str = which["room"] or "" if which is not None else ""
    own = () if kind in ("", *default_lexicon().places) else (kind, near_rooms().every[0] + kind)
    rooms = _rooms(clause, catalog) or heard.rooms or tuple(one for one in own if catalog.rooms.find(one))[:1]
    queried = {one.value.removeprefix(_ASK) for one in clause.said if one.kind in ("query", "attribute")}
    said = queried & {*kind_table().attributes} | {one for word, one in _attributes().items() if word in form}
    said |= {own for own in catalog.senses if own in form}
    for attribute in sorted(said):
        if sensing := catalog.sensing(attribute):
            if heard.has(SpanPart.HEAD) and not any(_has(one, attribute, catalog) for one in heard.positions):
                continue
            several = which is not None or len([room for word in rooms for room in catalog.rooms.find(word)]) != 1
            named = heard.has(SpanPart.HEAD) or set(heard.positions) < set(sensing)
            name = heard.said(catalog)[1] if heard.positions and named else None
            yield structs.replace(_query(rooms, name=name, action=f"{_ASK}{attribute}"), quantifier=_all_if(several))


def _asks(clause: _Clause) -> bool:
    """Whether it asks how something is, not what it costs."""
    ends = clause.text.endswith(_asking_ends())
    return clause.has("query") or ends or _either().search(normalise(clause.text)) is not None


def _has(position: int, attribute: str, catalog: Catalog) -> bool:
    """Whether a thing senses an attribute, or is set by it."""
    profile = catalog.profiles[position]
    return attribute in profile.senses or attribute in profile.attributes


def _all_if(several: bool) -> Quantifier:
    return Quantifier.ALL if several else Quantifier.ONE


@cache
def _asking_ends() -> tuple[str, ...]:
    return default_lexicon().grammar["ask"]


@cache
def _asking() -> tuple[str, ...]:
    return tuple(word for word in default_lexicon().grammar["ask"] if len(word) > 1)


@cache
def _either() -> re.Pattern[str]:
    """漏不漏, 热不热, 开没开."""
    return re.compile(f"(.)[{said_table().either}]\\1")


@cache
def _attributes() -> dict[str, str]:
    """Words for what can be sensed, in their normal form, and the attribute."""
    words = {normalise(word): attribute for attribute, words in kind_table().attributes.items() for word in words}
    return {**words, **{word: attribute for word, attribute, _ in said_events()}}


# ---- what is to be done


def _things(clause: _Clause, catalog: Catalog, *, explicit_all: bool) -> Iterator[QueryIR]:
    """The things that the clause tells of: one query for all of one head, in the rooms said."""
    form = spoken(clause.text)
    told = (one for one in (ground(other, catalog) for other in (form, *plainer(form))) if one.positions)
    heard = next((one for one in told if one.has(SpanPart.HEAD, SpanPart.TELLS)), None)
    if heard is None:
        return
    things = [span for span in heard.spans if span.part is not SpanPart.ROOM]
    form = heard.form
    asks = _asks(clause)
    acts = asks or clause.has("action") or not working(form, catalog).isdisjoint(heard.positions)
    if not acts and not _is_covered(clause, heard):
        return
    rooms, name = heard.said(catalog)
    if (
        len(things) == 1
        and len(form[things[0].start : things[0].end]) == 1
        and not (rooms or explicit_all or clause.has("all"))
    ):
        return
    several = clause.has("all") or asks or len(name) == 1
    action = _STATE if asks else _action(clause)
    query = _query(rooms, name=name, action=action)
    yield structs.replace(query, quantifier=_all_if(several))


def _all_but(clause: _Clause, catalog: Catalog) -> Iterator[QueryIR]:
    """草坪灯除了3号都关了: the things before the exception, but for those of them that it tells of."""
    found = but_for(clause.text, catalog) if clause.has("action") else None
    if found is not None:
        rooms, name, but = found
        query = _query(rooms, name=name, action=_action(clause))
        yield structs.replace(query, quantifier=Quantifier.EXCEPT, excluded_names=(but,))


def _action(clause: _Clause) -> str:
    verbs = default_lexicon().actions.verbs
    done = [one.value for one in clause.said if one.kind == "action" and one.value in verbs]
    return done[-1] if done else OPERATE


def _going_on(clauses: Sequence[_Clause], catalog: Catalog) -> tuple[QueryIR, ...]:
    """The query for what was spoken of last, where the sentence only goes on with it (再升高一点, 左边的也亮一点)."""
    if len(clauses) != 1 or clauses[0].refuses:
        return ()
    clause = clauses[0]
    new = any(span.part is SpanPart.HEAD for span in spans_of(spoken(clause.text), catalog))
    joins = clause.has("also") or any(word in clause.text for word in said_table().alike)
    new = new or any(one.kind in _THINGS for one in clause.said)
    if not joins and (new or not (clause.has("action") and _is_covered(clause))):
        return ()
    if not joins and any(one.kind in ("room", "whole_home") for one in clause.said):
        return ()
    several = any(one.kind == "reference" and one.value != "last" for one in clause.said)
    return (QueryIR(OPERATE, reference=Reference.LAST, quantifier=_all_if(several), confidence=_CONFIDENCE),)


def _wished(clauses: Sequence[_Clause], catalog: Catalog, places: Sequence[str]) -> tuple[QueryIR, ...]:
    """What is wished of the place where one is by saying what it is like (太亮了, 有点黑, 这屋冷得要命)."""
    if len(clauses) > 2:
        return ()
    for clause in clauses:
        left = clause.text
        parts = (clause.text[one.start : one.end] for one in clause.said if one.kind != "action")
        for one in (*parts, *_light_words()):
            left = left.replace(one, "")
        words = sorted(_adjectives(), key=len, reverse=True)
        said = next((word for word in words if word in left), None)
        if said is None:
            continue
        left = left.replace(said, "", 1)
        if len(left) <= _UNREAD * len(clause.text) and (found := _easing(said, clause, catalog, places)) is not None:
            return (found,)
    return ()


def _easing(adjective: str, clause: _Clause, catalog: Catalog, places: Sequence[str]) -> QueryIR | None:
    """The query for what changes what an adjective says: by the type of its attribute, else the kind that is there."""
    kind_type = type_of_action(f"设置{_adjectives()[adjective]}")
    rooms = _rooms(clause, catalog) or ground(spoken(clause.text), catalog).said(catalog)[0]
    where = [room for word in rooms for room in rooms_of(word, catalog)] or list(places[:1])
    there = [catalog.profiles[one] for one in catalog.in_rooms(where)]
    if kind_type is None or (there and not any(one.type is kind_type for one in there)):
        kinds = map(kind_table().kinds.__getitem__, said_table().eased.get(adjective, ()))
        words = ((kind, kind.words[0].rstrip(said_table().ends)) for kind in kinds)
        names = [catalog.devices[one].name for one in catalog.in_rooms(where)]
        found = (
            kind.words[0] if any(kind.id in one.kinds for one in there) else next((n for n in names if work in n), None)
            for kind, work in words
        )
        name = next(filter(None, found), None)
        return _query(rooms, name=name) if name is not None else None
    return structs.replace(_query(rooms, kind_type=kind_type), reference=Reference.LAST)


@cache
def _adjectives() -> dict[str, str]:
    """What is said of a place, and the attribute of it; none where only certain kinds ease it (闷)."""
    found = dict.fromkeys(said_table().eased, "")
    for one in default_lexicon().actions.adjectives:
        if one.attribute:
            found.update(dict.fromkeys((*one.up.split(), *one.down.split()), one.attribute))
    return found


@cache
def _light_words() -> tuple[str, ...]:
    grammar = default_lexicon().grammar
    return tuple(sorted({*grammar["too"], *grammar["particle"], *said_table().very}, key=len, reverse=True))


def _query(
    rooms: tuple[str, ...], *, action: str = OPERATE, name: str | None = None, kind_type: DeviceType | None = None
) -> QueryIR:
    return QueryIR(
        action,
        include=rooms,
        name=name,
        type=kind_type or DeviceType.UNKNOWN,
        quantifier=_all_if(kind_type is not None),
        confidence=_CONFIDENCE,
    )


def _is_certain(query: QueryIR, catalog: Catalog, places: Sequence[str], *, explicit_all: bool = False) -> bool:
    found = resolve_ir(query, catalog, places=places, explicit_all=explicit_all, text=query.name or "")
    return found.status is ResolutionStatus.FOUND or 0 < len(found.choices) <= _MOST
