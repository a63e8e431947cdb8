"""Correction of recognition errors with the names of the directory (hospital.md, Class).

Exact names and words of the domain stay. The corrected text is read; doubtful changes are only judged for danger, like
every version of the turn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from tingdong.front_desk.kinds import PERSON, PLACE, TITLED
from tingdong.front_desk.lexicon import PUNCTUATION, any_of
from tingdong.front_desk.spots import Spots
from tingdong.front_desk.spotting import Spotter
from tingdong.hearing import Heard, Hearer, HearingRepair, KnownSpans, Names, default_hearer
from tingdong.hearing.offered import heard_instead
from tingdong.hearing.search import Edit, with_edits
from zhtext.normalise import Normalised

__all__ = ["DeskListener", "Listened"]

SURE_OF_NAME = 4.5
"""Log-odds from which a change is made: patients bring words of their own, and most of what they say is no request."""
UNMISTAKABLE = 3
"""Characters from which a word of the domain that was said exactly is kept."""


class Listened(msgspec.Struct, frozen=True):
    """A turn's signals as it is understood, those of its other wordings, what was heard, and names of the directory of
    which one was said, but which is to be asked."""

    spots: Spots
    others: tuple[Spots, ...] = ()
    heard: Heard | None = None
    either: tuple[str, ...] = ()

    @property
    def wordings(self) -> tuple[Spots, ...]:
        """As it is understood, and every other."""
        return (self.spots, *self.others)


class DeskListener:
    """Listens to the turns of one desk; thread-safe. The first turn loads the language."""

    def __init__(self, spotter: Spotter, hearer: Hearer | None = None) -> None:
        self._spotter = spotter
        self._given = hearer
        self._listed = _listed(spotter)
        self._names = Names(self._listed, sure=SURE_OF_NAME)
        called = (name for agent in spotter.domain.agents.values() for name in agent.called)
        self._telling = spotter.bits((PLACE, *called))
        self._people = spotter.bits((PERSON, TITLED))
        markers = spotter.domain.markers
        opens = f"^|[{re.escape(''.join(sorted(PUNCTUATION)))}{markers.misheard_behind}]"
        before = any_of(markers.misheard_before).pattern
        self._misheard = re.compile(f"({opens})({'|'.join(markers.misheard) or '(?!)'})(?={before})")

    def listen(self, text: str, alternatives: Sequence[str] = ()) -> Listened:
        """The turn with its signals, heard anew where that is not what people say. `alternatives` are what else a
        recogniser offers: one is taken where it was probably said, and danger is judged by those near it too."""
        spots = self._refusing(self._spotter.spot(text))
        hearer = self._given or default_hearer()
        said = spots.normalised
        if hearer.is_usual(said.text, self._names):
            return Listened(spots)
        heard = self._by_offer(said.text, alternatives) or hearer.hear(said.text, self._names, self._known(spots))
        either = self._either(heard) if heard.taken is None else ()
        if either:
            heard = self._without_names(heard)
        if not heard.changes and not heard.asks:
            return Listened(spots, either=either)
        others = tuple(self._spotter.spot(rival) for rival in heard.rivals) if heard.taken is not None else ()
        if heard.asks:
            others = (self._spotter.spot(text, _written(heard.asked, said)), *others)
        if not heard.changes:
            return Listened(spots, others, heard, either)
        understood = self._spotter.spot(text, _written(heard.understood, said))
        return Listened(understood, (spots, *others), heard, either)

    def _refusing(self, spots: Spots) -> Spots:
        """A turn with the denials that sound like another word before what is wished (布挂骨科了)."""
        said, misheard = spots.normalised, self._spotter.domain.markers.misheard
        text = self._misheard.sub(lambda found: f"{found[1]}{misheard[found[2]]}", said.text)
        return spots if text == said.text else self._spotter.spot(spots.original, Normalised(text, said.offsets))

    def _either(self, heard: Heard) -> tuple[str, ...]:
        """The names by which what was understood and what is nearly as probable differ; none where they do not."""
        named = [{name for word, name in self._listed.items() if word in text} for text in (heard.text, *heard.rivals)]
        common = set.intersection(*named)
        return tuple(dict.fromkeys(name for names in named for name in sorted(names - common)))

    def _without_names(self, heard: Heard) -> Heard:
        """The same, in which what makes a name whole is in doubt."""
        named, made, doubts, moved = self._names.said_in(heard.text), list[HearingRepair](), list(heard.doubts), 0
        for change in heard.changes:
            (doubts if change.start + moved in named else made).append(change)
            moved += len(change.understood) - 1
        text = with_edits(heard.said, [Edit(one.start, one.understood, 0.0) for one in made])
        doubts.sort(key=lambda change: change.start)
        asks = (heard.asks or heard.text) if doubts else ""
        return Heard(heard.said, text, tuple(made), tuple(doubts), asks, heard.rivals)

    def _by_offer(self, said: str, alternatives: Sequence[str]) -> Heard | None:
        """What was heard by the alternative that was probably said; None where it is the first, or would be asked
        about: nothing is, here."""
        hearer = self._given or default_hearer()
        offer = hearer.offered(said, alternatives, self._names) if alternatives else None
        if offer is None:
            return None
        taken = offer.taken.text
        heard = heard_instead(said, hearer.hear(taken, self._names, self._known(self._spotter.spot(taken))), offer)
        return heard if heard.changes else None

    def _known(self, spots: Spots) -> KnownSpans:
        """What was said exactly; a name that is not listed can only be heard as one that is."""
        kept, whole, named = set[int](), set[int](), set[int]()
        for name in spots.names:
            stranger = name.full and not name.known
            (named if stranger else kept).update(range(name.start, name.end))
        for bit, spans in spots.found.items():
            for start, end in spans if not bit & self._people else ():
                if end - start > 1:
                    whole.update(range(start, end))
                telling = bit & self._telling or end - start >= UNMISTAKABLE
                if telling and spots.text[start - 1 : start] != spots.text[start]:  # 口腔科科
                    kept.update(range(start, end))
        return KnownSpans(kept - named, whole, named)


def _listed(spotter: Spotter) -> dict[str, str]:
    """What is listened for by name: places with their aliases, and people; each with its name in the directory."""
    directory = spotter.directory
    places = {word: entry.name for entry in directory.places for word in (entry.name, *entry.aliases)}
    return {**places, **{person.name: person.name for person in directory.people}}


def _written(understood: Normalised, said: Normalised) -> Normalised:
    """What was understood, with the way back into the text as it was written."""
    spans = (understood.original_span(at, at + 1) for at in range(len(understood.text)))
    return Normalised(understood.text, tuple(said.original_span(*span)[0] for span in spans))
