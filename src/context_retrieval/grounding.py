"""Which devices a clause describes: one assignment of all its words to devices (retrieval.md, Names).

Words are matched with the home's names (`telling`), kinds and rooms, longest first. A device is selected if everything
said fits it: rooms, kind, attributes, number or position in a row. Words that fit no remaining device are kept in
`unfit`. A spoken room is never left (architecture, law 1).
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

import msgspec

from context_retrieval.catalog import Catalog
from context_retrieval.counted import Span, SpanPart, rows_of
from context_retrieval.lexicon import default_lexicon
from context_retrieval.telling import LONGEST, Telling, rooms_of, said_table, telling, theirs_in
from context_retrieval.text import spoken

__all__ = [
    "CLAUSE",
    "ROOM_DIGITS",
    "Grounded",
    "assign",
    "but_for",
    "clauses_of",
    "ground",
    "marks_in",
    "plainer",
    "spans_of",
    "working",
]

_SHORTEST_ROOM = 2
_LONGEST_PHRASE = 60
ROOM_DIGITS = 3
"""A number of so many digits before a thing is a room's, or a name's."""


CLAUSE = re.compile(r"[^，,。.！!？?；;\n]+(?:\.\d[^，,。！!？?；;\n]*)?")


class Grounded(msgspec.Struct, frozen=True):
    """What is meant: `positions` in the home's order; `spans` that all of them fit, and `unfit` ones."""

    form: str = ""
    positions: tuple[int, ...] = ()
    spans: tuple[Span, ...] = ()
    unfit: tuple[Span, ...] = ()
    rooms: tuple[str, ...] = ()

    def has(self, *parts: SpanPart) -> bool:
        """Whether any of these parts is said."""
        return any(span.part in parts for span in self.spans)

    def said(self, catalog: Catalog) -> tuple[tuple[str, ...], str]:
        """The room words, and the words from the first to the last that tell of the thing."""
        rooms = (self.form[span.start : span.end] for span in self.spans if span.part is SpanPart.ROOM)
        things = [span for span in self.spans if span.part is not SpanPart.ROOM]
        name = self.form[min(span.start for span in things) : max(span.end for span in things)] if things else ""
        return tuple(room for room in rooms if rooms_of(room, catalog)), name


def clauses_of(text: str) -> list[str]:
    """The spoken forms of a sentence's clauses; a row's comma (1、3号) joins."""
    joined = text.replace("、", said_table().joints[0])
    return [form for match in CLAUSE.finditer(joined) if (form := spoken(match[0]))]


def ground(form: str, catalog: Catalog, within: Sequence[int] | None = None) -> Grounded:
    """The things, of those `within`, that the spoken form tells of; none where it tells of nothing."""
    if not form or len(form) > _LONGEST_PHRASE:
        return Grounded(form)
    return assign(form, spans_of(form, catalog), catalog, within)


def assign(
    form: str, spans: Sequence[Span], catalog: Catalog, within: Sequence[int] | None = None, *, every: bool = False
) -> Grounded:
    """The things that all spans fit, taken in their order of weight: rooms, what it is, what tells it, its number.

    `every` says that all of what the head says are meant, not the one that is called just so.
    """
    rooms = _rooms_said(spans)
    left = set(catalog.in_rooms(rooms) if rooms else catalog.all_positions())
    if within is not None:
        left &= set(within)
    used = [span for span in spans if span.part is SpanPart.ROOM]
    unfit: list[Span] = []
    heads = [span for span in spans if span.part is SpanPart.HEAD]
    head = next((span for span in reversed(heads) if span.positions & left), None)
    if head is not None:
        left &= head.positions
        used.append(head)
    unfit += [span for span in heads if head is None or not span.positions & left]
    others = [span for span in (*heads, *spans) if span.part in (SpanPart.HEAD, SpanPart.TELLS) and span not in used]
    for span in dict.fromkeys(others):
        if span.positions & left:
            left &= span.positions
            used.append(span)
        elif beside := left.intersection(_beside(span, spans, form, catalog)):
            left = beside
            used.append(span)
        elif span not in unfit:
            unfit.append(span)
    words = telling(catalog)
    for span in spans:
        if span.part is not SpanPart.NUMBER:
            continue
        counted = _counted(span, sorted(left), words, catalog, rows=form[span.end - 1] in said_table().row_counters)
        if counted:
            left = set(counted)
            used.append(span)
        else:
            unfit.append(span)
    told = any(span.part is not SpanPart.ROOM for span in used)
    kept = sorted(left) if told else []
    if not every:
        kept = _barely(kept, head, form, used, words)
    return Grounded(form, tuple(kept), tuple(used), tuple(unfit), rooms)


def _beside(span: Span, spans: Sequence[Span], form: str, catalog: Catalog) -> list[int]:
    """What stands in the room of a thing that only says where (招牌左边的射灯, 奶奶的窗帘)."""
    if span.rooms:
        return catalog.in_rooms(span.rooms)
    sides = said_table().sides
    sided = any(one.start == span.end and one.part is SpanPart.NUMBER and one.numbers[0] in sides for one in spans)
    if not sided and not form.startswith(said_table().edges, span.end):
        return []
    return catalog.in_rooms([catalog.room_of(position) for position in sorted(span.positions)])


def _barely(left: list[int], head: Span | None, form: str, used: Sequence[Span], words: Telling) -> list[int]:
    """Of things that only their head tells of, those that are called just so, where one is (台灯 beside 王姐台灯)."""
    if head is None or any(span.part in (SpanPart.TELLS, SpanPart.NUMBER) for span in used):
        return left
    called = form[head.start : head.end]
    return [position for position in left if words.bare[position] == called] or left


def but_for(text: str, catalog: Catalog) -> tuple[tuple[str, ...], str, str] | None:
    """草坪灯除了3号: room words, the things' name, and what of them is excepted; None where it excepts none of them."""
    form, grammar = spoken(text), default_lexicon().grammar
    match = words_in(grammar["except_before"]).search(form)
    if match is None or len(form) > _LONGEST_PHRASE:
        return None
    things = ground(form[: match.start()], catalog)
    but = words_in((*grammar["all"], *grammar["other"])).split(form[match.end() :])[0]
    if not things.positions or not ground(but, catalog, things.positions).positions:
        return None
    return *things.said(catalog), but


@lru_cache(maxsize=8)
def words_in(words: tuple[str, ...]) -> re.Pattern[str]:
    """What finds any of the words in a spoken form, the longest first."""
    forms = sorted(filter(None, map(spoken, words)), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, forms)))


# ---- what is said


def spans_of(form: str, catalog: Catalog) -> list[Span]:
    """The home's words in a spoken form, in its order, the longest at each place; numbers that stand in none."""
    words = telling(catalog)
    rows = list(rows_of(form, catalog))
    found = [span for span, _ in rows if span.part is SpanPart.ROOM]
    taken = {at for span in found for at in range(span.start, span.end)}
    several = {at for span, row in rows if len(row) > 1 for at in range(span.start, span.end)}
    start = 0
    while start < len(form):
        size, span = 1, None
        if start not in taken:
            span = _longest(form, start, words, catalog, taken | several, found)
        if span is not None:
            found.append(span)
            size = span.end - span.start
            taken |= set(range(span.start, span.end))
        start += size
    numbers = [
        msgspec.structs.replace(span, end=min((at for at in taken if at > span.start), default=span.end))
        if taken & set(range(span.start, span.end))
        else span
        for span, _ in rows
        if span.part is SpanPart.NUMBER and span.start not in taken
    ]
    edges = {edge for span in found for edge in (span.start, span.end)}
    if any(span.part is SpanPart.HEAD for span in found):
        numbers = [span for span in numbers if span.ordinal or span.start in edges or span.end in edges]
    return sorted([*found, *numbers], key=lambda span: span.start)


def marks_in(form: str, catalog: Catalog) -> list[str]:
    """The numbers and sides that a spoken form tells one of a row by (第2盏, 4号, 左边), not those that it sets."""
    table = said_table()
    numbers = (span for span in spans_of(form, catalog) if span.part is SpanPart.NUMBER)
    named = (
        span for span in numbers if span.ordinal or form[span.end - 1] in table.labels + table.sides + table.side_ends
    )
    return [number for span in named for number in span.numbers]


@cache
def _twice() -> tuple[re.Pattern[str], re.Pattern[str]]:
    table = said_table()
    gaps = "|".join(map(re.escape, table.gaps))
    return re.compile(f"(.)[{table.reduced}]?\\1"), re.compile(f"(?<=.)(?:{gaps})(?!\\d)")


def plainer(form: str) -> Iterator[str]:
    """The form with its verbs said once and with nothing inside them: 补补光 as 补光, 烧点水 as 烧水."""
    twice, gap = _twice()
    once = twice.sub(r"\1", form)
    single = (form[:at] + form[match.end() :] for at in range(1, len(form)) if (match := gap.match(form, at)))
    yield from dict.fromkeys(o for o in (once, *single, gap.sub("", form), gap.sub("", once)) if o != form)


def working(text: str, catalog: Catalog) -> set[int]:
    """The things whose work a text speaks of beside their names (摇起来 of a bed, 洗个床单; not 碎纸 in 碎纸机)."""
    found, does = set[int](), telling(catalog).does
    for form in (spoken(text), *plainer(spoken(text))):
        for span in spans_of(form, catalog):
            if span.part is SpanPart.TELLS and form[span.start : span.end] in does:
                found |= span.positions
    return found


def _longest(
    form: str, start: int, words: Telling, catalog: Catalog, closed: set[int], said: Sequence[Span]
) -> Span | None:
    """The longest word of the home that begins there. What tells of a thing and names a room is no second room behind
    those `said` (206门边那盏)."""
    most = min(start + LONGEST, len(form))
    for end in range(next((at for at in range(start, most) if at in closed), most), start, -1):
        word = form[start:end]
        if (found := words.heads.get(word)) is not None:
            return Span(SpanPart.HEAD, start, end, frozenset(found))
        rooms = rooms_of(word, catalog) if len(word) >= _SHORTEST_ROOM else ()
        whose = word if word in _persons() else theirs_in(word, said_table().their_side) if rooms else None
        own = words.tells.get(whose, set()).intersection(catalog.in_rooms(rooms)) if whose is not None else None
        if own:
            return Span(SpanPart.TELLS, start, end, frozenset(own), rooms)
        if rooms and not (word in words.tells and (before := _rooms_said(said)) and set(before).isdisjoint(rooms)):
            return Span(SpanPart.ROOM, start, end, rooms=rooms)
        if (found := words.tells.get(word)) is not None:
            return Span(SpanPart.TELLS, start, end, frozenset(found))
        if (sided := _side().fullmatch(word)) is not None:
            return Span(SpanPart.NUMBER, start, end, numbers=(sided[1] or sided[2],))
    return None


@cache
def _persons() -> frozenset[str]:
    """Words for somebody whose room or thing it is: a thing of theirs goes before their room."""
    owned = default_lexicon().rooms.owned.values()
    return frozenset(word for owners in owned for word in (*owners.all.split(), *owners.each.split()))


@cache
def _side() -> re.Pattern[str]:
    table = said_table()
    return re.compile(f"[{table.leans}]?([{table.sides}])[{table.side_ends}]+|[{table.leans}]([{table.sides}])")


# ---- what it tells of


def _rooms_said(spans: Sequence[Span]) -> tuple[str, ...]:
    """The rooms of all room words; words that stand together say one place (二楼 + 走廊)."""
    rooms: list[str] = []
    before: Span | None = None
    for span in spans:
        if span.part is not SpanPart.ROOM:
            continue
        both = tuple(room for room in span.rooms if before is not None and room in before.rooms)
        if before is not None and before.end == span.start and both:
            rooms = [room for room in rooms if room not in before.rooms] + list(both)
            span = msgspec.structs.replace(span, rooms=both)
        else:
            rooms += span.rooms
        before = span
    return tuple(dict.fromkeys(rooms))


def _counted(span: Span, left: Sequence[int], words: Telling, catalog: Catalog, *, rows: bool) -> list[int]:
    """Those of `left` that bear one of the numbers, or are so many in a row of one room and name; `rows` says that what
    is counted are such (第3组, 最后1排), whatever else is there."""
    own = [position for position in left if not catalog.profiles[position].is_protected]
    alike = {(catalog.room_of(position), words.bare[position]) for position in own}
    bearing = [position for position in left if set(words.marks[position]) & set(span.numbers)]
    borne = {number for number in span.numbers for position in left if number in words.marks[position]}
    if span.ordinal and len(alike) > 1 and span.numbers[0].isdigit():
        own = _of_one_row(own, words, catalog, plain=not rows)
        alike = {(catalog.room_of(position), words.bare[position]) for position in own}
        bearing = [position for position in bearing if position in own]
    told = not span.ordinal or len(alike) == 1 or not span.numbers[0].isdigit()
    if borne == set(span.numbers) and not span.last and told:
        return bearing
    if not span.ordinal or len(alike) != 1 or len(own) < 2:
        return []
    row = sorted(own, key=lambda position: (_number(words.marks[position]), position))
    if span.numbers == ("中",):
        return [row[len(row) // 2]] if len(row) % 2 else []
    counts = [int(number) for number in span.numbers if number.isdigit()]
    if len(counts) != len(span.numbers) or max(counts, default=0) > len(row) or min(counts, default=0) < 1:
        return []
    return [row[-count if span.last else count - 1] for count in counts]


def _of_one_row(own: Sequence[int], words: Telling, catalog: Catalog, *, plain: bool) -> list[int]:
    """Of things in one room those of its only row (第3组灯 of 灯组1 to 4 beside a lamp without a number); `plain` where
    they are called just what they are (第2盏灯 of 灯1 and 灯2 beside 台灯)."""
    row = [position for position in own if words.marks[position]]
    if plain:
        row = [position for position in row if words.bare[position] in _plain_words()]
    return row if len(row) > 1 and len({*map(catalog.room_of, own)}) == 1 else list(own)


@cache
def _plain_words() -> frozenset[str]:
    return frozenset(word for words in default_lexicon().generic_words.values() for word in words)


def _number(marks: Sequence[str]) -> int:
    return next((int(mark) for mark in marks if mark.isdigit()), 0)
