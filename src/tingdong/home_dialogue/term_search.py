"""Which things a sentence speaks of in the words of their own models, and what it says beside them."""

from collections.abc import Iterator

from tingdong.home.device import DeviceShape
from tingdong.home.terms import SHORTEST, Term, terms_of, things_with_a_term
from tingdong.home_dialogue.arriving import spoken_of_here
from tingdong.home_dialogue.mentioned import TURNS_RECENT
from tingdong.home_dialogue.situation import Situation
from zhtext.normalise import respelled

__all__ = ["Cover", "named", "pools", "terms_said"]


def pools(situation: Situation) -> Iterator[list[DeviceShape]]:
    """The things that have a word that is said, those meant first."""
    shape, rooms = situation.home.shape, situation.rooms_said
    devices = [shape.devices[one] for one in things_with_a_term(situation.text, shape)]
    if not devices:
        return
    if meant := _all_named(situation):
        yield [one for one in devices if one.id in meant]
        return
    last = spoken_of_here(situation)
    if last is not None and situation.page.turn - last.turn <= TURNS_RECENT and rooms is None:
        yield [one for one in devices if one.id in last.ids]
    yield [one for one in devices if one.room in (situation.places if rooms is None else rooms)]
    if rooms is None:
        yield devices


def _all_named(situation: Situation) -> frozenset[str]:
    """The ids of the things that the sentence names, by all or a part of their names; those of the place come first."""
    shape, rooms = situation.home.shape, situation.rooms_said
    called = [one for one in shape.devices.values() if named(one, situation.text)]
    here = [one.id for one in called if one.room in (situation.places if rooms is None else rooms)]
    return frozenset(here or ([one.id for one in called] if rooms is None else ()))


def named(device: DeviceShape, text: str) -> str:
    """What the text calls the thing by: its name, or the beginning or the end of that; "" where it does not."""
    name = respelled(device.plain).lower()
    if name in text:
        return name
    parts = [part for at in range(SHORTEST, len(name)) for part in (name[:at], name[-at:])]
    return max((part for part in parts if part in text), key=len, default="")


class Cover:
    """A sentence, and which of its characters something accounts for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._known = [False] * len(text)

    def add(self, start: int, end: int) -> None:
        """Accounts for what stands at `[start, end)`."""
        self._known[start:end] = [True] * (end - start)

    def holds(self, start: int, end: int) -> bool:
        """Whether all of that is accounted for."""
        return all(self._known[start:end])

    def take(self, word: str) -> bool:
        """Accounts for the word where it first stands in what is left; False where it does not."""
        start = self.rest.find(word)
        if start < 0:
            return False
        self.add(start, start + len(word))
        return True

    @property
    def rest(self) -> str:
        """What is left, with a line feed for each character that is not."""
        return "".join("\n" if known else one for one, known in zip(self.text, self._known, strict=True))


def terms_said(cover: Cover, device: DeviceShape, situation: Situation, around: str) -> tuple[str, list[Term]]:
    """What the thing is called in the text, and its terms that stand there, the longest first; one that holds the name
    comes before it (the lamp under the bed is no bed). `around`: characters that are no term by themselves."""
    name = named(device, cover.text)
    words = _words_for(device, name, situation, around)
    by_length = sorted(words, key=len, reverse=True)
    found = [words[word] for word in by_length if name and name in word and cover.take(word)]
    if name and not found:
        cover.take(name)
    return name, found + [words[word] for word in by_length if cover.take(word)]


def _words_for(device: DeviceShape, name: str, situation: Situation, around: str) -> dict[str, Term]:
    """The terms of the thing that count here: one character does where the thing is named or spoken of (腿抬一点)."""
    last, plain = situation.page.last, respelled(device.plain)
    short = bool(name) or (last is not None and device.id in last.ids)
    return {
        word: term
        for word, term in terms_of(device).items()
        if word not in plain and (len(word) >= SHORTEST or (short and word not in around))
    }
