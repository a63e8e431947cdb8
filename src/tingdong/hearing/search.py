"""Beam search for the most probable sentence behind a recognised one, and for its rivals.

The beam is open only at improbable characters. Callers decide whether a rival would change the action.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import NamedTuple

from tingdong.hearing.channel import DOUBLED, LOST, SoundCandidate
from tingdong.hearing.guards import decides, turns
from tingdong.hearing.names import HomeLanguage, Names, keep
from tingdong.hearing.signs import CHANCES, END, MARK, START, symbol

__all__ = ["CLOSE", "MOST_RIVALS", "Edit", "costs", "improbable", "rivals_of", "search", "with_edits"]

IMPROBABLE = -5.0
"""log P of a character below which it, or one of the two before it, is looked at."""
BEAM = 8
"""Beginnings that are followed at once."""
HOPELESS = 12.0
"""A beginning so much worse than the best is not followed."""
FILLED_IN = 24
"""Characters that are tried where one may be lost."""
FILLED_PATHS = 2
"""Beginnings that one is tried after."""
CLOSE = 2.0
"""How much less probable another text has to be, not to be a rival."""
NAMED = 6.0
"""The same of one that makes another name whole: which thing, or which department, was named."""
MOST_RIVALS = 2
"""Rivals that are told."""
REACH = 3
"""Characters whose probability hangs on one of them: itself, and the two after it."""

_BEGIN = START + START


class Edit(NamedTuple):
    """A replacement of the character at `at`: "" for a doubled one, two characters if one was lost before it."""

    at: int
    said: str
    cost: float


_Path = tuple[float, "_Edits | None"]
"""A beginning of the sentence: log P, and its edits, the last first."""
_Edits = tuple[Edit, "_Edits | None"]


def costs(text: str, spoken: HomeLanguage, context: str = _BEGIN, *, ends: bool = True) -> list[float]:
    """log P of each character of the text after those before it, and of its end where it `ends` there."""
    found, row = [], spoken.row(context)
    for character in text:
        sign = symbol(character)
        if sign == MARK and context[1] in (MARK, START):
            found.append(0.0)
            continue
        found.append(row.of(sign) - CHANCES.get(sign, 0.0))
        context = spoken.after(context, sign)
        row = spoken.row(context)
    if ends:
        found.append(0.0 if context[1] == MARK else row.of(END))
    return found


def with_edits(text: str, edits: Sequence[Edit]) -> str:
    """The text with the edits."""
    parts: list[str] = []
    at = 0
    for edit in edits:
        parts += (text[at : edit.at], edit.said)
        at = edit.at + 1
    return "".join((*parts, text[at:]))


def improbable(found: Sequence[float]) -> set[int]:
    """Places to be searched, by the costs of the text."""
    places: set[int] = set()
    for at, cost in enumerate(found):
        if cost < IMPROBABLE:
            places.update(range(max(0, at - 2), min(at + 2, len(found) - 1)))
    return places


def search(text: str, spoken: HomeLanguage, places: AbstractSet[int], whole: AbstractSet[int]) -> list[Edit]:
    """The edits at some of these places that make the text most probable, in order; nothing `whole` is doubled.

    Two characters behind a place all beginnings have come together again; what was found between is remembered.
    """
    found: list[Edit] = []
    context, at, size = _BEGIN, 0, len(text)
    signs = [*map(symbol, text), END]
    while at < size:
        if at not in places:
            context, at = _passed(context, signs[at], spoken), at + 1
            continue
        end = _end_of_stretch(at, places, size)
        marks = "".join(["2" if one in whole else "1" if one in places else "0" for one in range(at, end)])
        key = context, text[max(0, at - 1) : end], marks, at > 0, end == size
        known = spoken.stretches.get(key)
        if known is None:
            edits, after, came = _followed(text, signs, spoken, (context, at, end), (places, whole))
            known = after, tuple(edit._replace(at=edit.at - at) for edit in edits)
            if came == end:
                keep(spoken.stretches, key, known)
            end = came
        found += [edit._replace(at=edit.at + at) for edit in known[1]]
        context, at = known[0], end
    return found


def _passed(context: str, sign: str, spoken: HomeLanguage) -> str:
    """The context behind a character; signs that follow each other, or come first, are one."""
    return context if sign == MARK and context[1] in (MARK, START) else spoken.after(context, sign)


def _end_of_stretch(at: int, places: AbstractSet[int], size: int) -> int:
    """Where the beginnings that part at a place have come together: two characters behind the last place near it."""
    last = at
    while (near := next((one for one in (last + 2, last + 1) if one in places), None)) is not None:
        last = near
    return min(last + 1 + 2, size)


def _followed(
    text: str,
    signs: Sequence[str],
    spoken: HomeLanguage,
    stretch: tuple[str, int, int],
    of_text: tuple[AbstractSet[int], AbstractSet[int]],
) -> tuple[list[Edit], str, int]:
    """The edits of a stretch (its context, its place, its end), the context behind it, and where that is: further on
    where the beginnings have not come together at its end."""
    (context, begin, end), (places, whole) = stretch, of_text
    paths: dict[str, _Path] = {context: (0.0, None)}
    for at in range(begin, len(text)):
        if at >= end and len(paths) == 1:
            ((context, (_, edits)),) = paths.items()
            return list(_unlinked(edits))[::-1], context, at
        sign, following = signs[at], dict[str, _Path]()
        of_class = CHANCES.get(sign, 0.0)
        for context, path in paths.items():
            if sign == MARK and context[1] in (MARK, START):
                _keep(following, context, path)
                continue
            chance = spoken.row(context).of(sign) - of_class
            _keep(following, spoken.after(context, sign), (path[0] + chance, path[1]))
        if at in places:
            doubled = at not in whole and _is_doubled(text, at, places - whole)
            fits = spoken.fitting(text[at], signs[at + 1])
            for context, path in paths.items():
                _replaced(context, path, following, spoken, (at, text[at], fits))
                if doubled:
                    _keep(following, context, (path[0] - DOUBLED, (Edit(at, "", DOUBLED), path[1])))
            _fill_in(paths, following, spoken, at, text[at])
        paths = _best(following)
    ended = ((cost + (0.0 if context[1] == MARK else spoken.row(context).of(END)), edits)
             for context, (cost, edits) in paths.items())  # fmt: skip
    _, edits = max(ended, key=lambda path: path[0])
    return list(_unlinked(edits))[::-1], "", len(text)


def _is_doubled(text: str, at: int, left_out: AbstractSet[int]) -> bool:
    """Whether the next character is the same, or the one before, which stays since it ends a name; what is done to
    something behind that is no echo (玄关关灯)."""
    behind = text[at + 1 : at + 2]
    if behind == text[at]:
        return True
    return text[at - 1 : at] == text[at] and at - 1 not in left_out and not (behind and decides(text[at]))


def _keep(following: dict[str, _Path], context: str, path: _Path) -> None:
    known = following.get(context)
    if known is None or path[0] > known[0]:
        following[context] = path


def _replaced(
    context: str, path: _Path, following: dict[str, _Path], spoken: HomeLanguage, heard: tuple[int, str, set[int]]
) -> None:
    """What sounds like the character heard, where it was ever said beside one of its neighbours; `heard`: its place,
    itself, and the candidates (by number) after which what follows was said."""
    at, character, fits = heard
    row = spoken.row(context)
    seen, back, lower = row.seen, row.back, row.lower
    usual = lower.seen if lower is not None and lower.lower is not None else {}
    before, edits = path
    last = context[1]
    candidates, numbers = spoken.sounds.candidates(character), spoken.sounds.numbers(character)
    found = fits.union(*(numbers[sign] for one in (seen, usual) for sign in numbers.keys() & one.keys()))
    for number in sorted(found):
        other, sign, cost = candidates[number]
        chance = seen.get(sign)
        if chance is None:
            chance = usual.get(sign)
            chance = row.of(sign) if chance is None else chance + back
        whole = before - cost + chance - CHANCES.get(sign, 0.0)
        after = last + sign
        if after in spoken.resumed:
            after = _BEGIN
        known = following.get(after)
        if known is None or whole > known[0]:
            following[after] = (whole, (Edit(at, other, cost), edits))


def _fill_in(paths: dict[str, _Path], following: dict[str, _Path], spoken: HomeLanguage, at: int, heard: str) -> None:
    """One character lost before the one that was heard: what was seen between the two."""
    sign = symbol(heard)
    if sign in CHANCES or sign == MARK:
        return
    for context, path in sorted(paths.items(), key=lambda one: -one[1][0])[:FILLED_PATHS]:
        last = context[1]
        for between, chance in islice(spoken.row(context).seen.items(), FILLED_IN):
            inside = last + between
            if inside in spoken.resumed:
                inside = _BEGIN
            then = spoken.row(inside).seen.get(sign)
            if then is None or between in CHANCES or between in (MARK, START, END):
                continue
            edit = Edit(at, between + heard, LOST)
            _keep(following, spoken.after(inside, sign), (path[0] - LOST + chance + then, (edit, path[1])))


def _best(paths: dict[str, _Path]) -> dict[str, _Path]:
    if len(paths) == 1:
        return paths
    ranked = sorted(paths.items(), key=lambda one: -one[1][0])[:BEAM]
    least = ranked[0][1][0] - HOPELESS
    return {context: path for context, path in ranked if path[0] >= least}


def _unlinked(edits: "_Edits | None") -> Iterator[Edit]:
    while edits is not None:
        edit, edits = edits
        yield edit


def rivals_of(
    said: str, made: Sequence[Edit], spoken: HomeLanguage, places: AbstractSet[int], names: Names
) -> tuple[str, ...]:
    """Other texts that were nearly as probably said, the nearest first. In each, one of the edits made is another; or
    what stands at one of the places is a sign of a question or a refusal, or makes a name of this home whole."""
    edited, found = {edit.at for edit in made}, list[tuple[float, str]]()
    text, moved = with_edits(said, made), 0
    for edit in sorted((*made, *(Edit(at, said[at], 0.0) for at in places - edited))):
        at = edit.at + moved
        moved += len(edit.said) - 1
        if len(edit.said) == 1:
            if edit.at in edited:
                others: Sequence[SoundCandidate] = spoken.sounds.candidates(said[edit.at])
            else:
                named, turned = names.made_whole, not turns(edit.said)
                telling = spoken.telling(said[edit.at])
                others = [one for one in telling if (turned and turns(one[0])) or named(text, at, one[0])]
            for less, rival, other in _rivals_at(text, at, edit, others, spoken):
                if less < CLOSE or (edit.at in edited and names.made_whole(text, at, other)):
                    found.append((less, rival))
    return tuple(rival for _, rival in sorted(found)[:MOST_RIVALS])


def _rivals_at(
    text: str, at: int, edit: Edit, others: Sequence[SoundCandidate], spoken: HomeLanguage
) -> Iterator[tuple[float, str, str]]:
    """How much less probable the text is with each other than the edit at a place, that text, and the other."""
    if not others:
        return
    best, row = _around(text, at, spoken) - edit.cost, spoken.row(_context(text, at))
    for other, sign, cost in others:
        if other == edit.said or row.of(sign) - CHANCES.get(sign, 0.0) - cost < best - NAMED:
            continue
        rival = text[:at] + other + text[at + 1 :]
        less = best - (_around(rival, at, spoken) - cost)
        if less < NAMED:
            yield less, rival, other


def _context(text: str, at: int) -> str:
    return "".join(map(symbol, (START + START + text[:at])[-2:]))


def _around(text: str, at: int, spoken: HomeLanguage) -> float:
    """log P of the characters at a place that hang on it."""
    begin = max(0, at - 2)
    found = costs(text[begin : at + REACH], spoken, _context(text, begin), ends=at + REACH > len(text))
    return sum(found[at - begin :])
