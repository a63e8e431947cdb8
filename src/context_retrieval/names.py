"""From a spoken name to entities (retrieval.md, Names).

Levels, strictest first; the first with a result is used: exact, normalised, alias, core (without a descriptive prefix
or the room's name), part (床头灯 → 左床头灯, 射灯 → 射灯1), ending (入户门 → 入户门磁), synonym (抽油烟机 → 油烟机,
净化器 → 大白), described (按摩椅 → 太上皇), fuzzy. A part keeps the head noun, so 床头灯 never matches 床头柜插座.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from string import digits

import msgspec

from context_retrieval.kind_table import kind_table
from context_retrieval.kinds import Profile, kind_of_name, strip_prefixes
from context_retrieval.models import DeviceType
from context_retrieval.name_forms import likeness, name_forms, name_variants
from context_retrieval.own_words import in_force
from context_retrieval.text import (
    bigrams,
    normalise,
    ordinal_last,
    side_last,
    without_side,
)

__all__ = ["Level", "Match", "NameEntry", "NameSet"]


class Level(IntEnum):
    """How a name was found, the closest way first; a closer one hides those after it."""

    EXACT = 0
    NORMALISED = 1
    ALIAS = 2
    CORE = 3
    PART = 4
    ENDING = 5
    SYNONYM = 6
    DESCRIBED = 7
    FUZZY = 8


class NameEntry(msgspec.Struct, frozen=True, gc=False):
    """One nameable thing: `position` is its place in the home's order, `profile` what is known of it."""

    position: int
    name: str
    room: str = ""
    aliases: tuple[str, ...] = ()
    profile: Profile = Profile()


class Match(msgspec.Struct, frozen=True):
    """Positions in the home's order that fit at one level; `score` in 0..1."""

    level: Level
    positions: tuple[int, ...]
    score: float


_SCORES = {
    Level.EXACT: 1.0,
    Level.NORMALISED: 0.99,
    Level.ALIAS: 0.98,
    Level.CORE: 0.95,
    Level.PART: 0.9,
    Level.ENDING: 0.88,
    Level.SYNONYM: 0.85,
    Level.DESCRIBED: 0.83,
}
_LONGEST_ENDING = 6
"""Names are found by endings of two to so many characters."""
_FUZZY_MARGIN = 0.05


class NameSet:
    """The names of one pool (a room, or the home). Only the index of normal forms is made at once, the rest on
    need.
    """

    def __init__(self, things: Iterable[NameEntry], without_room: Callable[[str, str], str | None]) -> None:
        self._things: dict[int, NameEntry] = {}
        self._without_room = without_room
        self._by_form: dict[str, list[int]] = {}
        self._by_alias: dict[str, list[int]] = {}
        self._cores: dict[str, list[int]] | None = None
        self._by_kind: dict[str, list[int]] | None = None
        self._by_ending: dict[str, list[str]] | None = None
        self._by_described: dict[str, list[int]] | None = None
        self._by_bigram: dict[str, list[str]] | None = None
        self._by_sound: dict[str, list[str]] | None = None
        for thing in things:
            self.add(thing)

    def __len__(self) -> int:
        return len(self._things)

    def bears(self, form: str) -> bool:
        """Whether something here has this normal form or alias."""
        return bool(self._by_form.get(form) or self._by_alias.get(form))

    def add(self, thing: NameEntry) -> None:
        """Takes one more thing; what is indexed is made anew on need."""
        self._things[thing.position] = thing
        for form in name_forms(thing.name):
            self._by_form.setdefault(form, []).append(thing.position)
        for alias in thing.aliases:
            self._by_alias.setdefault(normalise(alias), []).append(thing.position)
        self._forget()

    def remove(self, position: int) -> None:
        """Takes the thing of this position out. Raises `KeyError` where there is none."""
        thing = self._things.pop(position)
        for form in name_forms(thing.name):
            self._by_form[form].remove(position)
        for alias in thing.aliases:
            self._by_alias[normalise(alias)].remove(position)
        self._forget()

    def _forget(self) -> None:
        self._cores = self._by_kind = self._by_ending = self._by_described = self._by_bigram = self._by_sound = None

    def find(self, name: str, kind_type: DeviceType = DeviceType.UNKNOWN, *, fuzzy: bool = True) -> Match | None:
        """The best level at which `name` fits anything here. `kind_type` limits the levels that are not the name
        itself.
        """
        form = normalise(name)
        found = self._exact(name, form)
        if found is not None:
            return found
        if not form:
            return None
        if (known := in_force().words.get(form)) is not None:
            return self.find(known, kind_type, fuzzy=fuzzy)
        for level, positions in self._looser(form):
            kept = self._of_type(positions, kind_type)
            if kept:
                return Match(level, tuple(sorted(kept)), _SCORES[level])
        return self._fuzzy(form, kind_type) if fuzzy else None

    def _exact(self, name: str, form: str) -> Match | None:
        positions = self._by_form.get(form)
        if positions:
            written = [position for position in positions if self._things[position].name == name]
            level = Level.EXACT if written else Level.NORMALISED
            return Match(level, tuple(sorted(written or positions)), _SCORES[level])
        positions = self._by_alias.get(form)
        if positions:
            return Match(Level.ALIAS, tuple(sorted(set(positions))), _SCORES[Level.ALIAS])
        return None

    def _looser(self, form: str) -> Iterator[tuple[Level, Sequence[int]]]:
        rotated = ordinal_last(form)
        if rotated is not None and (found := self._by_form.get(rotated)):
            yield Level.NORMALISED, found
        if (sided := without_side(form)) != form and (found := self._by_form.get(sided)):
            yield Level.NORMALISED, found
        if (turned_side := side_last(form)) is not None:
            for turned in (turned_side, f"{turned_side}边", f"{turned_side}侧"):
                if found := self._by_form.get(turned):
                    yield Level.NORMALISED, found
        cores = self._core_index()
        yield Level.CORE, cores.get(form) or cores.get(strip_prefixes(form)) or ()
        if len(form) > 1:
            yield Level.PART, self._parts(form)
            yield Level.ENDING, self._endings(form)
        yield Level.SYNONYM, self._synonyms(form)
        if len(form) > 1:
            yield Level.DESCRIBED, self._described(form)

    def _core_index(self) -> dict[str, list[int]]:
        if self._cores is None:
            cores: dict[str, list[int]] = {}
            for form, positions in self._by_form.items():
                core = strip_prefixes(form)
                for position in positions:
                    cores.setdefault(core, []).append(position)
                    bare = self._without_room(self._things[position].room, form)
                    if bare is not None:
                        cores.setdefault(bare, []).append(position)
                        if (stripped := strip_prefixes(bare)) != bare:
                            cores.setdefault(stripped, []).append(position)
            self._cores = cores
        return self._cores

    def _parts(self, form: str) -> list[int]:
        if self._by_ending is None:
            self._by_ending = {}
            for other in self._by_form:
                for variant in name_variants(other):
                    for size in range(2, min(len(variant), _LONGEST_ENDING) + 1):
                        self._by_ending.setdefault(variant[-size:], []).append(other)
        found: list[int] = []
        for other in dict.fromkeys(self._by_ending.get(form[-_LONGEST_ENDING:], ())):
            if any(variant.endswith(form) for variant in name_variants(other)):
                found.extend(self._by_form[other])
        return found

    def _endings(self, form: str) -> list[int]:
        found: list[int] = []
        for ending in kind_table().endings:
            found.extend(self._by_form.get(form + ending, ()))
        return found

    def _synonyms(self, form: str) -> list[int]:
        table = kind_table()
        kind = table.by_word.get(form)
        if kind is None:
            kind = next(
                (table.by_word[form + ending] for ending in table.endings if form + ending in table.by_word), None
            )
        if form in table.doors:
            return self._of_kind("contact_sensor") or self._of_kind("lock") or self._of_kind("gate")
        return [] if kind is None or kind.generic else self._of_kind(kind.id)

    def _of_kind(self, kind_id: str) -> list[int]:
        if self._by_kind is None:
            self._by_kind = {}
            for position, thing in self._things.items():
                for key in thing.profile.kinds:
                    self._by_kind.setdefault(key, []).append(position)
        return self._by_kind.get(kind_id, [])

    def _described(self, form: str) -> list[int]:
        """What a description calls so, where the name does not say it (浴缸 → 智能恒温浴缸), with the name's own number
        (2号举升机 → Lift-2)."""
        if self._by_described is None:
            self._by_described = {}
            for position, thing in self._things.items():
                if head := thing.profile.described_as:
                    name = normalise(thing.name)
                    for called in dict.fromkeys((head, head + name.removeprefix(name.rstrip(digits)))):
                        self._by_described.setdefault(called, []).append(position)
        forms = (form, ordinal_last(form) or form)
        ends = [positions for head, positions in self._by_described.items() if head.endswith(forms)]
        return [position for positions in ends for position in positions]

    def _of_type(self, positions: Iterable[int], kind_type: DeviceType) -> list[int]:
        if kind_type is DeviceType.UNKNOWN:
            return list(positions)
        things = self._things
        return [position for position in positions if things[position].profile.type in (kind_type, DeviceType.UNKNOWN)]

    def _fuzzy(self, form: str, kind_type: DeviceType) -> Match | None:
        if len(form) < 2:
            return None
        scored: list[tuple[float, str]] = []
        for other in self._forms_near(form):
            score = likeness(form, other)
            if score and self._of_type(self._by_form[other], kind_type):
                scored.append((score, other))
        if not scored:
            return None
        best = max(scored)[0]
        positions = [
            position
            for score, other in scored
            if score >= best - _FUZZY_MARGIN
            for position in self._of_type(self._by_form[other], kind_type)
        ]
        return Match(Level.FUZZY, tuple(sorted(positions)), best * 0.8)

    def _forms_near(self, form: str) -> list[str]:
        """Forms of about the same length that sound the same or share a pair of characters."""
        from zhtext.sound import sound_key

        if self._by_sound is None:
            self._by_sound = {}
            for other in self._by_form:
                self._by_sound.setdefault(sound_key(other), []).append(other)
        near = dict.fromkeys(self._by_sound.get(sound_key(form), ()))
        near.update(dict.fromkeys(self._sharing(form)))
        size = len(form)
        return [other for other in near if abs(len(other) - size) <= 1 and self._by_form[other]]

    def _sharing(self, form: str) -> dict[str, int]:
        """Forms that share pairs of characters with `form`, and how many."""
        if self._by_bigram is None:
            self._by_bigram = {}
            for other in self._by_form:
                for pair in bigrams(other):
                    self._by_bigram.setdefault(pair, []).append(other)
        shared: dict[str, int] = {}
        for pair in bigrams(form):
            for other in self._by_bigram.get(pair, ()):
                shared[other] = shared.get(other, 0) + 1
        return shared

    def near(self, name: str, limit: int = 3) -> tuple[str, ...]:
        """Names that share characters, sound or kind with `name`, best first: material for a hint, never a match."""
        form = normalise(name)
        pairs = max(len(bigrams(form)), 1)
        scores = {other: count / pairs for other, count in self._sharing(form).items()}
        for other in self._forms_near(form):
            scores[other] = scores.get(other, 0.0) + likeness(form, other)
        kind = kind_of_name(name)
        scored: list[tuple[float, int, str]] = []
        for other, score in scores.items():
            if positions := self._by_form[other]:
                position = min(positions)
                thing = self._things[position]
                same_kind = kind is not None and kind.id in thing.profile.kinds
                if score + 0.3 * same_kind > 0.3:
                    scored.append((-score - 0.3 * same_kind, position, thing.name))
        return tuple(name for _, _, name in sorted(scored)[:limit])
