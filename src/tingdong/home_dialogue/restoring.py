"""Wordings of undo (`data/restoring.yaml`), and the changes of the ledger they select.

撤销 · 变回刚才那样 · 除了窗帘都恢复 · 温度变回去，风不变 · 恢复到我睡觉之前. Each clause undoes, excludes, or only
describes; a turn with an order of its own is handled clause by clause.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import msgspec

from tingdong.commands.reading import Mention, MentionKind
from tingdong.home.states import is_active
from tingdong.home.vocabulary import read_table
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.leaving import leaving, refusal_in
from tingdong.home_dialogue.mentioned import THINGS
from tingdong.home_dialogue.page import LedgerChange
from tingdong.home_dialogue.referents import by_place, number_said
from tingdong.home_dialogue.selecting import Depth, Selector
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.sparing import named_in
from zhtext.numerals import find_numbers

__all__ = ["NAMING", "THINGS", "RestoringRequest", "asked_in", "refused", "says_redo", "says_undo", "words"]

NAMING = (*THINGS, MentionKind.ROOM)
_OWN = (MentionKind.ACTION, MentionKind.VALUE, MentionKind.WHEN)
MOST_BEFORE_UNDO = 8
"""Characters between 变回 and the time to which it goes back (恢复到我睡觉之前)."""


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`restoring.yaml`."""

    back: tuple[str, ...]
    taking: tuple[str, ...]
    returning: tuple[str, ...]
    rather: tuple[str, ...]
    enough: tuple[str, ...]
    last: tuple[str, ...]
    first: tuple[str, ...]
    before: tuple[str, ...]
    whole: tuple[str, ...]
    every: tuple[str, ...]
    way_back: dict[str, bool]
    way_behind: tuple[str, ...]
    no_more: tuple[str, ...]
    aside: tuple[str, ...]
    kept: tuple[str, ...]
    redo: tuple[str, ...]
    stepping: tuple[str, ...]
    denied: tuple[str, ...]
    step: str
    ordinal: str
    degrees: tuple[str, ...]
    too: tuple[str, ...]


@cache
def words() -> Words:
    """The table. Raises `DataError` naming file and key."""
    return read_table(Path(__file__).parent / "data" / "restoring.yaml", Words)


class RestoringRequest(msgspec.Struct, frozen=True):
    """What is to be taken back. `surely`: a word for it was said, so that it is told where there is nothing."""

    selector: Selector
    surely: bool


class _Said(msgspec.Struct, frozen=True):
    """A wording in a clause, at `[start, end)`: how deep, until what was then to be done (`until`), which way, and
    whether a word says it by itself (`plain`) or it is only said to be enough."""

    start: int
    end: int
    first: bool = False
    until: str = ""
    opens: bool | None = None
    plain: bool = False
    enough: bool = False


def says_undo(text: str) -> bool:
    """Whether a word for taking back is said."""
    return _said_in(text) is not None


def says_redo(text: str) -> bool:
    """Whether what was just taken back is to be done again."""
    return any(word in text for word in words().redo)


def asked_in(situation: Situation) -> RestoringRequest | None:
    """What the sentence takes back; None where it takes nothing back, or orders something of its own."""
    backs, kept, others = [], [], []
    spans = situation.clause_spans
    if not any(_said_in(situation.text[start:end]) for start, end in spans):
        return None
    for start, end in spans:
        part = situation.part(start, end)
        said = _said_in(part.text)
        if said is not None and not _has_own_order(part, said):
            backs.append((part, said))
        elif part.has(MentionKind.ACTION) and refused(part):  # 窗帘别关，恢复
            others.append(part)
        elif _leaves(part):
            kept.append(part)
        elif _orders(situation, start, end):
            return None
        else:
            others.append(part)
    if not backs or any(part.asks for part, _ in backs):
        return None
    if situation.page.pending is not None and all(one.enough for _, one in backs):
        return None  # 刚才那个就行 answers the question
    if any(one.opens is None and one.plain for _, one in backs):  # 窗帘不用，拉回去
        backs = [(part, said) for part, said in backs if said.opens is None or part.has(*NAMING)]
    return RestoringRequest(_selector(situation, backs, kept, others), any(said.plain for _, said in backs))


# ---- the words


@cache
def _pattern() -> re.Pattern[str]:
    table = words()
    times = f"(?P<first>{_any(table.first)})|(?P<last>{_any((*table.last, *table.whole))})"
    between = f"[^，,。；;！!]{{0,{MOST_BEFORE_UNDO}}}?"
    return re.compile(
        f"(?:{_any(table.returning)})(?P<between>{between})(?:{times}|(?P<before>{_any(table.before)}))"
        f"|(?:{_any(table.rather)})[^，,。；;！!]{{0,3}}?(?:(?P<rather_first>{_any(table.first)})"
        f"|(?P<rather_last>{_any(table.last)}))"
        f"|(?P<good>(?:(?P<good_first>{_any(table.first)})|(?:{_any(table.last)}))[^，,。；;！!]{{0,8}}(?:{_any(table.enough)}))"
        f"|(?P<way>{_any(tuple(table.way_back))})(?:{_any(table.way_behind)})"
        f"|(?P<plain>{_any(table.back)}|(?:{_any(table.stepping)})[^，,。；;！!]{{1,2}}{table.step})"
    )


def _any(said: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(said, key=len, reverse=True))


def _said_in(text: str) -> _Said | None:
    """The wording of a clause that takes back, from its first word for it to its last (上一步也撤了)."""
    found = [one for one in _pattern().finditer(text) if not text[: one.start()].endswith(words().denied)]
    if not found:
        return None
    one = found[0]
    first = any(each["first"] or each["rather_first"] or each["good_first"] for each in found)
    way = words().way_back.get(one["way"]) if one["way"] else None
    until = (one["between"] or "") if one["before"] else ""
    return _Said(
        one.start(), found[-1].end(), first, until, way, any(each["plain"] for each in found), one["good"] is not None
    )


def _has_own_order(part: Situation, said: _Said) -> bool:
    """Whether an act or a value is said behind the wording (音量调回去，到20; 刚才那个灯关了)."""
    for mention in part.of(*_OWN):
        if mention.start >= said.end and not part.text[: mention.start].endswith(words().degrees):
            return True
    return said.opens is None and not said.plain and any(one.end <= said.start for one in part.of(MentionKind.ACTION))


def _leaves(part: Situation) -> bool:
    """Whether the clause leaves something as it now is (风不变, 院灯别动, 窗帘除外)."""
    left = part.says(words().kept) or part.says(words().aside) or refusal_in(part) is not None
    return left or any(_excepts(one, part) for one in part.of(MentionKind.EXCEPT))


def _orders(situation: Situation, start: int, end: int) -> bool:
    """Whether the clause requests something by itself."""
    parts = [one for one in situation.reading.parts if one.start < end and start < one.end]
    if parts:
        return any(one.reading.commands for one in parts)
    return bool(situation.queries)


# ---- what is meant


def _selector(
    situation: Situation,
    backs: Sequence[tuple[Situation, _Said]],
    kept: Sequence[Situation],
    others: Sequence[Situation],
) -> Selector:
    spared = [_excepted(part, said) for part, said in backs]
    things = [one for (part, _), cut in zip(backs, spared, strict=True) for one in _groups(part, cut)]
    things = things or [one for part in others for one in _groups(part, (0, 0))]
    things = things or [frozenset(one) for part, _ in backs if (one := _by_place(part))]
    but = {i for (part, _), cut in zip(backs, spared, strict=True) if cut[1] for i in named_in(part.part(*cut))}
    but |= {i for part in kept for i in (named_in(part) or _by_place(part))}
    said = backs[0][1]
    attributes, last = _attributes([part for part, _ in backs]), situation.page.last
    changed = {change.id for entry in situation.page.ledger for change in entry.changes}
    if attributes and not things and last is not None and changed.intersection(last.ids) and not situation.page.pending:
        things = [frozenset(last.ids)]  # 开回来，还是刚才那个温度
    text = situation.text
    everything = situation.says(words().every) or situation.says(words().whole)
    summed = any(part.has(MentionKind.ALL) for part, _ in backs)
    steps = _steps(text) or _turns_of(number_said(backs[0][0]), situation)
    depth = Depth.LAST
    if (everything or (summed and not any(one.first for _, one in backs))) and not steps:
        depth = Depth.EVERY
    elif any(one.first for _, one in backs):
        depth = Depth.FIRST
    since = _since(said.until, situation) if said.until else None
    return Selector(
        things=tuple(things),
        but=frozenset(but),
        attributes=attributes,
        kept=() if but else _attributes(kept),
        depth=Depth.EVERY if since is not None else depth,
        steps=steps or 1,
        since=since or 0,
        batch=not everything and since is None,
        opens=said.opens,
    )


def _excepted(part: Situation, said: _Said) -> tuple[int, int]:
    """Where the clause says what is not taken back (除了电视都恢复, 电视除外都恢复); (0, 0) for nowhere."""
    for word in words().aside:
        if (at := part.text.find(word)) >= 0:
            return (0, at)
    for mention in part.of(MentionKind.EXCEPT):
        if not _excepts(mention, part):
            continue
        ends = [one.start for one in part.of(MentionKind.ALL, MentionKind.EXCEPT) if one.start > mention.start]
        return (mention.end, min((*ends, said.start if said.start > mention.end else len(part.text))))
    return (0, 0)


def _excepts(mention: Mention, part: Situation) -> bool:
    """除了电视 makes an exception; 其他 is all beside one."""
    return not any(word in part.text[mention.start : mention.end] for word in answers().others)


def _groups(part: Situation, but: tuple[int, int]) -> Iterator[frozenset[str]]:
    """One set of devices for each thing that the clause names outside of `but`; the room's, where only that is said."""
    named = [one for one in part.of(*NAMING) if not (but[0] <= one.start < but[1])]
    things = [one for one in named if one.kind in THINGS]
    start = 0
    for mention in things or named[-1:]:
        rooms = [one for one in named if one.kind is MentionKind.ROOM and one.end <= mention.start]
        start = rooms[-1].start if rooms else mention.start
        yield named_in(part.part(start, mention.end))


def refused(situation: Situation) -> list[LedgerChange]:
    """What the last turn has just switched and a clause refuses (别关空调): of the things it names, else all of it."""
    last, ledger = situation.page.last, situation.page.ledger
    if last is None or not ledger or ledger[-1].turn != last.turn:
        return []
    spans = situation.clause_spans
    parts = (
        [situation.part(*span) for span in spans] if len(spans) > 1 and refusal_in(situation) is None else [situation]
    )
    rather = situation.has(MentionKind.CORRECTION)
    found = {id(one): one for part in parts for one in _refused_by(part, ledger[-1].changes, rather=rather)}
    return [one for one in ledger[-1].changes if id(one) in found]


def _refused_by(part: Situation, done: Sequence[LedgerChange], *, rather: bool) -> Sequence[LedgerChange]:
    """The changes of `done` that the clause refuses; `rather`: it puts them right (不对，顶灯不用动)."""
    refusal, named, home = refusal_in(part), named_in(part), part.home
    if refusal is None:
        return ()
    changes = [one for one in done if one.id in named or not part.has(*NAMING)]
    if refusal.on is None:
        return changes if refusal.waits or (rather and part.says(leaving().undone)) else ()
    devices = home.shape.devices
    return [one for one in changes if one.id in devices and is_active(home, devices[one.id]) is refusal.on]


def _attributes(parts: Sequence[Situation]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.value for part in parts for one in part.of(MentionKind.ATTRIBUTE) if one.value))


def _steps(text: str) -> int:
    """撤销两步, 后面三步都撤了: how many turns; 0 where none is said."""
    for number in find_numbers(text):
        if text[number.end :].startswith(words().step) and not text[: number.start].endswith(words().ordinal):
            return int(number.value)
    return 0


def _turns_of(count: int | None, situation: Situation) -> int:
    """撤销这两个: in how many of the newest turns so many things were changed; 0 where no number is said."""
    changed: set[str] = set()
    for n, entry in enumerate(reversed(situation.page.ledger), start=1):
        changed |= {change.id for change in entry.changes}
        if count is not None and count > 1 and len(changed) >= count:
            return n
    return 0


def _by_place(part: Situation) -> tuple[str, ...]:
    """第一个恢复: of what the newest turn did, by its place in it."""
    ledger = part.page.ledger
    done = sorted(ledger[-1].changes, key=lambda one: one.clause) if ledger else []
    return by_place(part, tuple(dict.fromkeys(one.id for one in done)))


def _since(until: str, situation: Situation) -> int | None:
    """The place of the first entry of the newest turn that was said in the words of `until` (我睡觉, 开电视)."""
    ledger = situation.page.ledger
    pairs = {until[n : n + 2] for n in range(len(until) - 1)}
    shared = [sum(pair in entry.said for pair in pairs) for entry in ledger]
    best = max(shared, default=0)
    return max(n for n, count in enumerate(shared) if count == best) if best else None
