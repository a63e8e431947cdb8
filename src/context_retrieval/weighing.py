"""Refines a query's result by the words of its clause (retrieval.md, Names).

If the query found nothing, was ambiguous or matched too much, the devices that fit the whole description are taken
(`grounding`), without excluded ones. A spoken room is never left (architecture, law 1).
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from msgspec import structs

from context_retrieval.carried import carried
from context_retrieval.catalog import Catalog
from context_retrieval.counted import Span, SpanPart
from context_retrieval.found_otherwise import able, answering, running, shortened
from context_retrieval.grounding import ROOM_DIGITS, Grounded, assign, clauses_of, plainer, spans_of
from context_retrieval.keeping import keeps, spared
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import DeviceType, EntityKind, Quantifier, QueryIR, Resolution, ResolutionStatus
from context_retrieval.near_rooms import asked_rooms, without_end
from context_retrieval.outcome import TOLD, Asking, positions_of
from context_retrieval.state import ConversationState
from context_retrieval.telling import person_in, rooms_of, said_table, theirs_in
from context_retrieval.text import spoken

__all__ = ["is_of", "weighed"]

_OPEN = (
    ResolutionStatus.NO_ROOM,
    ResolutionStatus.NO_DEVICE,
    ResolutionStatus.NO_REFERENCE,
    ResolutionStatus.NO_CAPABILITY,
)
_LEAST_SHARE = 0.5


def weighed(result: Resolution, asking: Asking, text: str, state: ConversationState | None) -> Resolution:
    """`result`, or what the sentence tells of in its place."""
    if result.kind is EntityKind.SCENE or (not text and result.found):
        return result
    if (again := carried(result, asking, text, state)) is not None:
        return again
    return spared(_told(result, asking, text), asking, text)


def _told(result: Resolution, asking: Asking, text: str) -> Resolution:
    query, catalog = asking.query, asking.catalog
    if (query.exclude or query.excluded_names) and not result.found:
        return result
    heard = _heard(asking, text or _words_of(query))
    if (person := _stranger(asking, heard, text)) is not None:
        return structs.replace(asking.no_room(), missing=(person,))
    if (number := _number_of_nothing(heard)) is not None:
        return structs.replace(asking.no_room(), missing=(number,))
    found = _fitting(heard, asking)
    if query.quantifier is Quantifier.EXCEPT:
        found = [position for position in found if position in positions_of(result, catalog)]
    if not found:
        if heard.rooms and not query.include:
            asking = structs.replace(asking, query=structs.replace(query, include=heard.said(catalog)[0]))
        pointing = result.status is ResolutionStatus.NO_REFERENCE
        otherwise = running(asking) or (able(asking) if pointing else None) if result.status in _OPEN else None
        taken = shortened(asking) or otherwise or result
        return answering(taken, asking, text)
    before = positions_of(result, catalog)
    match result.status:
        case ResolutionStatus.AMBIGUOUS:
            own = (
                query.name is None or bool(before.intersection(found)) or _is_told(spoken(query.name), heard, share=1.0)
            )
            stands = set(found) < before or (own and _tells(heard, query) and set(found) != before)
        case ResolutionStatus.FOUND:
            stands = _is_closer(heard, set(found), before, asking)
        case _:
            sure = heard.has(SpanPart.TELLS) or len(found) == 1 or result.status is not ResolutionStatus.NO_REFERENCE
            stands = result.status in _OPEN and sure and _says_enough(heard, result, query)
    taken = _taken(asking, heard, found, result if before.issuperset(found) else None) if stands else result
    taken = answering(taken, asking, text)
    row = any(span.part is SpanPart.ROOM and len(span.numbers) > 1 for span in heard.spans)
    row = row or _one_a_room(heard, positions_of(taken, catalog), catalog)
    if taken.status is ResolutionStatus.AMBIGUOUS and (row or _says_all(heard.form, len(taken.choices))):
        taken = asking.chosen(sorted(positions_of(taken, catalog)), exact=taken.exact, single=False)
    return taken


def _one_a_room(heard: Grounded, found: set[int], catalog: Catalog) -> bool:
    """Whether several room words each have one of these things (太阳花和向日葵班的黑板灯)."""
    words = [span.rooms for span in heard.spans if span.part is SpanPart.ROOM]
    rooms = [catalog.room_of(position) for position in found]
    return len(words) > 1 and all(sum(room in word for room in rooms) == 1 for word in words)


def _words_of(query: QueryIR) -> str:
    """What a query says of its thing, in the order it is said."""
    plain = default_lexicon().generic_words[query.type] if query.type is not DeviceType.UNKNOWN else ()
    return "".join((*query.include, query.name or next(iter(plain), "")))


# ---- what the query's clause tells of


def _heard(asking: Asking, text: str) -> Grounded:
    """What the query's clause tells of, with what the clauses right before it say without a thing of their own."""
    query, catalog = asking.query, asking.catalog
    told = (*query.excluded_names, *query.exclude)
    forms = [_without(asked_rooms().sub(_blank, form), told) for form in clauses_of(text)]
    own = [at for at, form in enumerate(forms) if is_of(query, form)]
    at = own[-1] if own else len(forms) - 1
    if not forms:
        return Grounded()
    form = forms[at]
    while at and len(form) + len(forms[at - 1]) <= 40 and not _has_thing(forms[at - 1], catalog):
        at -= 1
        form = forms[at] + form
    every = query.quantifier is Quantifier.ALL
    found = Grounded(form)
    for other in (form, *plainer(form)):
        spans = _of_own_head(spans_of(other, catalog), query, other, catalog)
        found = _assigned(other, spans, asking, every=every)
        if found.has(SpanPart.HEAD, SpanPart.TELLS, SpanPart.NUMBER):
            break
    return found


def _assigned(form: str, spans: Sequence[Span], asking: Asking, *, every: bool) -> Grounded:
    """What the spans tell of, where one is first (the place rule: 床头灯 is 靠窗床头灯 here, not 床头灯 elsewhere)."""
    catalog, pool = asking.catalog, _pool(asking, form, spans)
    if asking.places and not asking.explicit_all and not any(span.part is SpanPart.ROOM for span in spans):
        here = set(catalog.in_rooms(asking.places[:1]))
        found = assign(form, spans, catalog, list(here if pool is None else here.intersection(pool)), every=every)
        if found.has(SpanPart.HEAD) and not found.unfit:
            return found
    return assign(form, spans, catalog, pool, every=every)


def _has_thing(form: str, catalog: Catalog) -> bool:
    return bool(keeps().search(form)) or any(span.part is SpanPart.HEAD for span in spans_of(form, catalog))


def is_of(query: QueryIR, form: str) -> bool:
    """Whether a clause, in its spoken form, names what the query is about."""
    if query.name is not None:
        return spoken(query.name) in form
    if query.type is not DeviceType.UNKNOWN:
        return any(word in form for word in default_lexicon().generic_words[query.type])
    return any(spoken(word) in form for word in query.include)


def _of_own_head(spans: Sequence[Span], query: QueryIR, form: str, catalog: Catalog) -> list[Span]:
    """The spans that belong to the query's thing: from the head before it to its own, and the numbers behind it."""
    heads = [at for at, span in enumerate(spans) if span.part is SpanPart.HEAD and _is_head(span, query, form, catalog)]
    if not heads:
        return list(spans) if query.name is not None or query.type is DeviceType.UNKNOWN else []
    at = heads[-1]
    first = next(
        (back + 1 for back in range(at - 1, -1, -1) if spans[back].part is SpanPart.HEAD and back not in heads), 0
    )
    behind, name = at + 1, spoken(query.name or "")
    while behind < len(spans) and (
        (spans[behind].part is SpanPart.NUMBER and spans[behind].start == spans[behind - 1].end)
        or form[spans[at].start : spans[behind].end] in name
    ):
        behind += 1
    rooms = [span for span in spans[:first] if span.part is SpanPart.ROOM]
    return (
        [*rooms, *spans[first:behind]]
        if not any(s.part is SpanPart.ROOM for s in spans[first:at])
        else list(spans[first:behind])
    )


def _is_head(span: Span, query: QueryIR, form: str, catalog: Catalog) -> bool:
    said = form[span.start : span.end]
    if query.name is not None:
        name = spoken(query.name)
        return said in name or name in said or name.endswith(said)
    if query.type is not DeviceType.UNKNOWN:
        return any(catalog.profiles[position].type is query.type for position in span.positions)
    return True


def _pool(asking: Asking, form: str, spans: Sequence[Span]) -> list[int] | None:
    """What the query leaves to choose from: things of its type, in its rooms where these are known."""
    query, catalog = asking.query, asking.catalog
    told = [form[span.start : span.end] for span in spans if span.part is SpanPart.TELLS]
    words = (word for word in query.include if not any(spoken(word) in one for one in told))
    rooms = [room for word in words for room in rooms_of(word, catalog)]
    if any(set(rooms) < set(span.rooms) for span in spans):
        rooms = []
    if asking.query.here and asking.places:
        rooms = [asking.places[0]]
    spared = {room for word in query.exclude for room in catalog.rooms.find(word)}
    if not rooms and not spared and query.type is DeviceType.UNKNOWN:
        return None
    pool: Iterable[int] = catalog.in_rooms(rooms) if rooms else catalog.all_positions()
    pool = (position for position in pool if catalog.room_of(position) not in spared)
    if query.type is not DeviceType.UNKNOWN:
        pool = (p for p in pool if catalog.profiles[p].type in (query.type, DeviceType.UNKNOWN))
    return list(pool)


def _fitting(heard: Grounded, asking: Asking) -> list[int]:
    """The things told of that can do what is asked; near by, where no room was said (the place rule)."""
    capable = list(asking.capable(heard.positions)[0]) if heard.positions else []
    if heard.rooms or asking.explicit_all or len(capable) < 2:
        return capable
    for place in asking.places:
        if here := [position for position in capable if asking.catalog.room_of(position) == place]:
            return here
    return capable


def _stranger(asking: Asking, heard: Grounded, text: str) -> str | None:
    """Whose the query's thing is said to be, where the home knows nobody of that name (law 1)."""
    query, person = asking.query, person_in(text)
    if person is None or query.include or query.here or query.reference is not None:
        return None
    at = heard.form.find(spoken(person))
    told = {one for span in (*heard.spans, *heard.unfit) for one in range(span.start, span.end)}
    return None if at < 0 or at in told or rooms_of(person, asking.catalog) else person


def _number_of_nothing(heard: Grounded) -> str | None:
    """A room's number before the thing that the home does not have (三零九空调); None where there is none (law 1)."""
    heads = {span.start for span in heard.spans if span.part in (SpanPart.HEAD, SpanPart.ROOM)}
    numbers = (span for span in heard.unfit if span.part is SpanPart.NUMBER and span.end in heads and not span.ordinal)
    return next((span.numbers[0] for span in numbers if len(span.numbers[0]) >= ROOM_DIGITS), None)


# ---- which of both stands


def _tells(heard: Grounded, query: QueryIR) -> bool:
    """Whether more is said than what the thing is, and all of it fits."""
    if any(span.part is SpanPart.TELLS for span in heard.unfit):
        return False
    named = [heard.form[span.start : span.end] for span in heard.spans if span.part is SpanPart.HEAD]
    plain = default_lexicon().generic_words[query.type] if query.type is not DeviceType.UNKNOWN else named
    return heard.has(SpanPart.TELLS, SpanPart.NUMBER) or (
        query.name is None and any(word not in plain for word in named)
    )


def _is_closer(heard: Grounded, found: set[int], before: set[int], asking: Asking) -> bool:
    """Whether the words tell a part of what the query took, the rest of a row, or the things of a room it left."""
    query, catalog = asking.query, asking.catalog
    if query.reference is not None:
        return not found & before and heard.has(SpanPart.TELLS) and _tells(heard, query)
    if found < before:
        places = (heard.form[span.start : span.end] for span in heard.spans if span.part is SpanPart.ROOM)
        every = asking.explicit_all and not any(map(theirs_in, places))  # 屋里 of 王总屋里 is not all of the home
        return _tells(heard, query) or (bool(heard.rooms) and len(query.include) != 1 and not every)
    if before < found:
        row = any(len(span.numbers) > 1 for span in heard.spans)
        named_all = query.quantifier is Quantifier.ALL and query.name is not None
        return row or (named_all and (asking.explicit_all or bool(query.include)))
    if query.include or found & before:
        return False
    if asking.places and not heard.rooms and {*map(catalog.room_of, found)} == {asking.places[0]}:
        return True
    elsewhere = heard.rooms and not any(catalog.room_of(position) in heard.rooms for position in before)
    return bool(elsewhere) or (heard.has(SpanPart.TELLS) and _tells(heard, query))


def _says_enough(heard: Grounded, result: Resolution, query: QueryIR) -> bool:
    """Whether something of what was missing is among what the words tell of, and nothing that tells is left over."""
    if not heard.has(SpanPart.HEAD, SpanPart.TELLS) or any(span.part is SpanPart.ROOM for span in heard.unfit):
        return False
    name = (query.name,) if query.name and query.name not in said_table().things else ()
    missing = [spoken(word) for word in (*result.missing, *name)]
    if result.status is ResolutionStatus.NO_ROOM:
        words = (word.lstrip(said_table().holding) for word in missing)
        return all(
            _is_told(word, heard, share=1.0) or _is_told(without_end(word) or word, heard, share=1.0) for word in words
        )
    if not missing or result.status is ResolutionStatus.NO_CAPABILITY:
        return True
    return all(_is_told(word, heard) for word in missing)


def _is_told(word: str, heard: Grounded, share: float = _LEAST_SHARE) -> bool:
    """Whether so much of a word is among what fits, and every number and letter of it."""
    word = next((one for one in (word, *plainer(word)) if one in heard.form), word)
    at = heard.form.find(word)
    if at < 0:
        return False
    inside = range(at, at + len(word))
    told = {one for span in heard.spans for one in range(span.start, span.end)}
    counted = [place for place in inside if heard.form[place].isascii()]
    return sum(place in told for place in inside) >= share * len(word) and told.issuperset(counted)


@cache
def _all_words() -> tuple[str, ...]:
    return tuple(word for word in default_lexicon().grammar["all"] if not word.isascii())


def _says_all(form: str, number: int) -> bool:
    """Whether a clause says all, or just so many (两个)."""
    counted = any(f"{count}{one}" in form for count in (number, said_table().two) for one in said_table().counters)
    return any(word in form for word in _all_words()) or (number == 2 and counted)


def _taken(asking: Asking, heard: Grounded, found: Sequence[int], whole: Resolution | None) -> Resolution:
    """What is told of; as sure as the `whole` that the query found by its name, where it is part of that."""
    rows = any(span.part is SpanPart.NUMBER and len(span.numbers) > 1 for span in heard.spans)
    exact, score = (whole.exact, whole.score) if whole is not None else (False, TOLD)
    taken = asking.chosen(found, exact=exact, score=score, single=not rows)
    return structs.replace(taken, rooms=heard.rooms or taken.rooms, missing=())


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _without(form: str, words: Iterable[str]) -> str:
    for word in words:
        form = form.replace(spoken(word), " " * len(spoken(word)))
    return form
