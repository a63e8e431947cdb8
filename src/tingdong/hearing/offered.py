"""Alternatives of a recogniser (n-best lists): which text was probably spoken, as changes of the first one.

A text is scored by the language model with this home's names, and loses by its rank. The first is kept unless another
is better by `MARGIN`. Differences are changes like any other: a delicate one becomes a doubt.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec

from tingdong.hearing.guards import decides, is_delicate
from tingdong.hearing.heard import Heard, HearingRepair, TakenAlternative
from tingdong.hearing.names import HomeLanguage
from tingdong.hearing.search import CLOSE, MOST_RIVALS, costs
from zhtext.sound import sound_key

__all__ = ["MOST_OFFERED", "Offer", "changes_between", "heard_instead", "taken_of"]

MOST_OFFERED = 8
"""Alternatives of a request."""
LONGEST = 200
"""Characters of a text that is compared with others."""
EXPECTED = 3.0
"""What a character of what people say costs in the mean (-log P): texts of other lengths are compared by it."""
LATER = 0.3
"""What each place further down the list costs."""
EXPLAINED = 1.0
"""What a character is worth that is of a name of this home, and costs that no word explains."""
UNLIKE = 1.5
"""What each character costs that sounds otherwise than what was heard first."""
MARGIN = 2.0
"""Log-odds by which another text must be better than the first."""


Explained = Callable[[str], int]


class Offer(NamedTuple):
    """The text taken, and others that are nearly as probable as it."""

    taken: TakenAlternative
    rivals: tuple[str, ...]


def taken_of(first: str, others: Sequence[str], spoken: HomeLanguage, explained: Explained) -> Offer | None:
    """The one of the other texts (normalised) that was probably said; None where it is the first. `explained` says how
    many characters of a text names of this home explain, less those that no word does."""
    if not 1 < len(first) <= LONGEST:
        return None
    kept, found = _worth(first, spoken) + EXPLAINED * explained(first), list[TakenAlternative]()
    for place, text in enumerate(others[:MOST_OFFERED]):
        if text != first and 1 < len(text) <= LONGEST:
            worth = _worth(text, spoken) + EXPLAINED * explained(text)
            gain = worth - LATER * (place + 1) - kept
            if gain >= MARGIN:
                gain -= UNLIKE * _unlike(first, text)
            found.append(TakenAlternative(place, text, round(gain, 2)))
    best = max(found, key=lambda one: one.gain, default=None)
    if best is None or best.gain < MARGIN:
        return None
    near = {one.text: None for one in found if one.text != best.text and one.gain > best.gain - CLOSE}
    return Offer(best, tuple(near)[:MOST_RIVALS])


def heard_instead(said: str, heard: Heard, offer: Offer) -> Heard:
    """The original text, where `heard` comes from the alternative instead of the `said` first text."""
    taken = offer.taken
    changes = changes_between(said, heard.text, taken.gain)
    if any(_must_be_asked(change, said) for change in changes):
        return Heard(said, said, (), changes, heard.asks or heard.text, taken=taken)
    found = Heard(said, heard.text, changes, rivals=(*heard.rivals, *offer.rivals), taken=taken)
    if not heard.asks:
        return found
    doubts = tuple(one for one in changes_between(said, heard.asks, taken.gain) if one not in changes)
    return msgspec.structs.replace(found, doubts=doubts, asks=heard.asks)


def changes_between(said: str, text: str, odds: float) -> tuple[HearingRepair, ...]:
    """The fewest changes that make `text` of what was `said`, of a character each; sounds tell which stands for which.
    What came anew stands with the character after it, or before it at the end."""
    begin, end = _common(said, text)
    heard, understood = said[begin : len(said) - end], text[begin : len(text) - end]
    changes, come = list[HearingRepair](), ""
    for at, one, other in _aligned(heard, understood):
        if not one:
            come += other
        elif one != other or come:
            changes.append(HearingRepair(begin + at, begin + at + 1, one, come + other, odds))
            come = ""
    if come and changes and changes[-1].end == begin + len(heard):
        last = changes.pop()
        changes.append(msgspec.structs.replace(last, understood=last.understood + come))
    elif come and end:
        after = len(said) - end
        changes.append(HearingRepair(after, after + 1, said[after], come + said[after], odds))
    elif come:
        changes.append(HearingRepair(len(said) - 1, len(said), said[-1], said[-1] + come, odds))
    return tuple(changes)


def _worth(text: str, spoken: HomeLanguage) -> float:
    """How probable the text is that somebody said it, against texts of any length; what stands twice counts once."""
    doubled = sum(one == other for one, other in pairwise(text))
    return sum(costs(text, spoken)) + EXPECTED * (len(text) - doubled)


def _unlike(first: str, text: str) -> int:
    """How many characters of either text stand for none, or for one that sounds otherwise, in the other."""
    begin, end = _common(first, text)
    pairs = _aligned(first[begin : len(first) - end], text[begin : len(text) - end])
    return sum(not one or not other or sound_key(one) != sound_key(other) for _, one, other in pairs)


def _must_be_asked(change: HearingRepair, said: str) -> bool:
    """Whether the change is not made in silence; nothing says that what went was heard twice. How much is meant may be
    heard in another word, where the recogniser itself has heard it so."""
    if is_delicate(change, scope=False):
        return True
    if change.understood:
        return len(change.understood) > 1 and any(map(decides, change.understood.replace(change.heard, "", 1)))
    beside = said[change.start - 1 : change.start] + said[change.end : change.end + 1]
    return change.heard not in beside and decides(change.heard)


def _common(one: str, other: str) -> tuple[int, int]:
    """Lengths of the common prefix and the common suffix of two texts."""
    most = min(len(one), len(other))
    begin = next((at for at in range(most) if one[at] != other[at]), most)
    most -= begin
    end = next((at for at in range(most) if one[-1 - at] != other[-1 - at]), most)
    return begin, end


def _aligned(one: str, other: str) -> list[tuple[int, str, str]]:
    """Pairs of characters that stand for each other with their place in `one`, "" where one has none."""
    keys = [[sound_key(character) for character in text] for text in (one, other)]
    rows = [[2.0 * at for at in range(len(other) + 1)]]
    for i, mine in enumerate(one):
        row = [2.0 * (i + 1)]
        for j, its in enumerate(other):
            pair = 0.0 if mine == its else 1.0 if keys[0][i] == keys[1][j] else 2.5
            row.append(min(rows[i][j] + pair, rows[i][j + 1] + 2.0, row[j] + 2.0))
        rows.append(row)
    found = []
    i, j = len(one), len(other)
    while i or j:
        if i and rows[i][j] == rows[i - 1][j] + 2.0:
            i -= 1
            found.append((i, one[i], ""))
        elif j and rows[i][j] == rows[i][j - 1] + 2.0:
            j -= 1
            found.append((i, "", other[j]))
        else:
            i, j = i - 1, j - 1
            found.append((i, one[i], other[j]))
    return found[::-1]
