"""The corrector: takes a sentence and returns the most probable spoken one.

A change is made if the sentence gains enough by it and the result is a usual sentence. A change of a number, to the
opposite action, from a refusal to a request or of a question is never made silently: it becomes a doubt, which the
caller may ask the user.
"""

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from tingdong.alive import WhileAlive
from tingdong.hearing.guards import changes_number, is_confirmed, is_counted, is_delicate, is_numeral, stands_beside
from tingdong.hearing.heard import Heard, HearingRepair
from tingdong.hearing.language import TrigramModel, default_language
from tingdong.hearing.names import HomeLanguage, Names
from tingdong.hearing.search import CLOSE, Edit, costs, improbable, rivals_of, search, with_edits
from zhtext.normalise import normalise

if TYPE_CHECKING:
    from tingdong.hearing.offered import Offer

__all__ = ["Hearer", "KnownSpans", "default_hearer"]

LONGEST, MOST = 200, 500
"""Characters of a sentence and of a text that are listened to; longer ones are left as they are."""
MOST_PLACES = 48
"""Improbable places of a sentence; what has more was not misheard."""
STRANGE, DOUBTFUL = 3.0, 4.0
"""Log-odds from which a change is made where no names are known and any unknown word may be one, and from which one
that is not made in silence is a doubt."""
SHORT = 3
"""Characters of a sentence that says too little to judge it by."""
UNHEARD_OF = -9.0
"""log P of a character where nothing is known of the home: what nobody said yet may be the name of something."""
SAID, WEIGHT = -5.0, 0.7
"""Mean log P of the characters around a change that is what people say, and what a share less of it costs."""
USUAL = -6.0
"""log P that no character of a usual sentence is below."""
AROUND = 3
CERTAIN = 6.5
"""Log-odds from which what stands beside a number is one of its numerals."""
_ENDING = re.compile("(?<=[。！？；!?;\\n])")
NO_NAMES = Names(calls=("小牛",))


def _none(_text: str) -> int:
    return 0


class KnownSpans(NamedTuple):
    """Places of a sentence that others know: words `kept` as they are, `whole` ones of which nothing is doubled, and
    names that can only be one that is `listed` here."""

    kept: AbstractSet[int] = frozenset()
    whole: AbstractSet[int] = frozenset()
    listed: AbstractSet[int] = frozenset()


NOWHERE = KnownSpans()


class Hearer:
    """Corrects sentences; thread-safe. `language` is the model of usual sentences."""

    def __init__(self, language: TrigramModel | None = None) -> None:
        self._given = language
        self._homes: WhileAlive[Names, HomeLanguage] = WhileAlive(
            lambda names: HomeLanguage(self._given or default_language(), names)
        )

    def hear(self, text: str, names: Names = NO_NAMES, known: KnownSpans = NOWHERE) -> Heard:
        """The most probable spoken sentence. A usual sentence and known spans stay unchanged."""
        said = normalise(text).text
        if len(said) > LONGEST:
            return self._heard_in_parts(said, names, known)
        if len(said) < 2:
            return Heard(said, said)
        spoken = self.spoken(names)
        doubled = {at for at, (one, two) in enumerate(pairwise(said)) if one == two}
        places = improbable(costs(said, spoken)) | doubled | {at + 1 for at in doubled}
        if places:
            named = names.said_in(said) | known.kept
            places = {
                at for at in places if at not in named and "一" <= said[at] <= "鿿" and not is_confirmed(said, at)
            }
        if not 0 < len(places) <= MOST_PLACES:
            return Heard(said, said)
        edits = search(said, spoken, places, known.whole)
        if known.listed:
            edits = _listed(said, edits, names, known.listed)
        return _weighed(said, edits, spoken, places, names)

    def _heard_in_parts(self, said: str, names: Names, known: KnownSpans) -> Heard:
        """A long text, sentence by sentence."""
        parts = _ENDING.split(said)
        if len(said) > MOST or len(parts) == 1:
            return Heard(said, said)
        whole, at = Heard("", ""), 0
        for part in parts:
            if 1 < len(part) <= LONGEST:
                end = at + len(part)
                here = KnownSpans(*({place - at for place in places if at <= place < end} for places in known))
                whole = whole.followed_by(self.hear(part, names, here))
            else:
                whole = whole.followed_by(Heard(part, part))
            at += len(part)
        return whole

    def offered(
        self, text: str, alternatives: Sequence[str], names: Names = NO_NAMES, strange: Callable[[str], int] = _none
    ) -> "Offer | None":
        """Which of a recogniser's other texts was probably said; None where it is the first (`offered`). `strange`
        says how many characters of a text no word explains."""
        from tingdong.hearing.offered import taken_of  # few recognisers offer anything

        others = [normalise(other).text for other in alternatives]

        def explained(said: str) -> int:
            return len(names.said_in(said)) - strange(said)

        return taken_of(normalise(text).text, others, self.spoken(names), explained)

    def is_usual(self, text: str, names: Names = NO_NAMES) -> bool:
        """Whether the text is so usual that no correction is tried."""
        return self.spoken(names).least(text) >= USUAL

    def spoken(self, names: Names) -> HomeLanguage:
        """The language model with these names, cached with them."""
        return self._homes.of(names)


def _weighed(said: str, edits: Sequence[Edit], spoken: HomeLanguage, places: AbstractSet[int], names: Names) -> Heard:
    """The sentence with the edits that are kept; rivals may differ at `places`."""
    best = costs(with_edits(said, edits), spoken) if edits else []
    whole, moved = sum(best), 0
    known = spoken.knows and len(said) > SHORT
    own = spoken.sure
    sure, doubled, floor = (own, min(own, STRANGE), -99.0) if known else (STRANGE, 4 * STRANGE, UNHEARD_OF)
    made, doubted, changes, doubts = [], [], [], []
    for edit in edits:
        rest = costs(with_edits(said, [other for other in edits if other is not edit]), spoken)
        without = sum(max(cost, floor) for cost in rest)
        odds = whole - edit.cost - without
        at = edit.at + moved
        moved += len(edit.said) - 1
        around = best[at : at + AROUND]
        weight = odds + WEIGHT * min(0.0, sum(around) / len(around) - SAID)
        change = HearingRepair(edit.at, edit.at + 1, said[edit.at], edit.said, round(odds, 2))
        scope = not is_counted(said[: edit.at])
        gain = whole - sum(rest)
        if not is_delicate(change, scope=scope) and not _is_another_number(edit, edits, said, gain, spoken):
            if weight >= (sure if edit.said else doubled):
                made.append(edit)
                changes.append(change)
        elif weight >= (DOUBTFUL if edit.said else sure):
            doubted.append(edit)
            doubts.append(change)
    text = with_edits(said, made)
    asks = with_edits(said, sorted((*made, *doubted))) if doubted else ""
    return Heard(said, text, tuple(changes), tuple(doubts), asks, rivals_of(said, made, spoken, places, names))


def _listed(said: str, edits: Sequence[Edit], names: Names, listed: AbstractSet[int]) -> list[Edit]:
    """The edits without those that change a name to an unlisted one."""
    named, moved, kept = names.said_in(with_edits(said, edits)), 0, []
    for edit in edits:
        if edit.at not in listed or edit.at + moved in named:
            kept.append(edit)
        moved += len(edit.said) - 1
    return kept


def _is_another_number(edit: Edit, edits: Sequence[Edit], said: str, gain: float, spoken: HomeLanguage) -> bool:
    """Whether a number that was heard changes by it, or what is understood as one might nearly as well be another;
    `gain` is how much more probable it makes the sentence."""
    heard = said[edit.at]

    def instead(other: str) -> str:
        return with_edits(said, [edit._replace(said=other) if one is edit else one for one in edits])

    certain = gain - edit.cost >= CERTAIN
    near = any(map(is_numeral, said[max(0, edit.at - 1) : edit.at + 2]))
    for other in (instead(heard), said) if near else (instead(heard),):
        if changes_number(instead(edit.said), other, certain=certain, beside=stands_beside(said, edit.at)):
            return True
    return is_numeral(edit.said) and any(
        sum(costs(instead(edit.said), spoken)) - edit.cost - (sum(costs(instead(other), spoken)) - cost) < CLOSE
        for other, _, cost in spoken.sounds.candidates(heard)
        if other != edit.said and is_numeral(other)
    )


@cache
def default_hearer() -> Hearer:
    """The hearer of the shipped language."""
    return Hearer()
