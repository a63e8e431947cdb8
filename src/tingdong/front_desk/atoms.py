"""The stretches of a turn and their features (hospital.md, Segments).

A turn is cut wherever a task may start or end: at punctuation, where the rules cut, behind cues, and where the model of
borders finds another request. The labels of all stretches are decided together (`chain`); neighbouring stretches of one
task are joined.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from tingdong.front_desk.board import OPEN, just_ended
from tingdong.front_desk.borders import Borders
from tingdong.front_desk.classify import Classifier
from tingdong.front_desk.cues import CueFinder
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.kinds import WHOM
from tingdong.front_desk.model import CueKind, FrameRole, IntentContext, SlotMention, Status, TaskFrame
from tingdong.front_desk.spotting import CONNECTIVE, LEADING, WEAK_CONNECTIVE, Spots, Spotter
from tingdong.learned.statistics import ngrams

_PROPOSED = 0.35
"""Chance of a border from which a stretch may begin there."""
_LEAST = 2
"""Characters of a stretch that is cut off within a clause."""
MOST = 48
"""Stretches of a turn that are read."""
NOTHING_OPEN = "open:none"
"""The feature of a turn before which no task is open."""
_LONG = (2, 4, 7, 12, 20)

Span = tuple[int, int]


class Atom(NamedTuple):
    """A stretch of a spotted text, and what the rules take it for (a label of the chain)."""

    start: int
    end: int
    by_rules: str


class OpenFeatures(NamedTuple):
    """What is open when a turn is read, as features; and the kinds of mentions that are missed and that are held."""

    seen: tuple[str, ...]
    missed: frozenset[str]
    held: frozenset[str]
    focus: str


def situation(domain: Domain, context: IntentContext) -> OpenFeatures:
    """What is open in a dialogue: the leading focus, what the desk asked last, what waits, what is contested."""
    frames = [frame for frame in context.frames if frame.status in OPEN]
    ended = _ended(context)
    if not frames:
        return OpenFeatures((NOTHING_OPEN, *ended), frozenset(), frozenset(), "")
    focuses = [frame for frame in frames if frame.role is FrameRole.FOCUS and frame.status is Status.ACTIVE]
    leading = next((f for f in focuses if domain.lanes[f.lane].leads), focuses[0] if focuses else None)
    seen = {f"waits:{frame.agent_code}" for frame in frames if frame not in focuses} | ended
    if context.clarify is not None:
        seen.add("clarify")
    missed: set[str] = set()
    held: set[str] = set()
    for frame in focuses:
        for name, spec in domain.agents[frame.agent_code].slots.items():
            (held if frame.slots.get(name) else missed).add(spec.kind)
    if leading is None:
        return OpenFeatures((*sorted(seen), "focus:none"), frozenset(missed), frozenset(held), "")
    seen |= {f"focus:{leading.agent_code}", f"asked:{_asked(domain, leading)}"}
    return OpenFeatures(tuple(sorted(seen)), frozenset(missed), frozenset(held), leading.agent_code)


def _ended(context: IntentContext) -> set[str]:
    """What the turn before ended, and whether anything has ended at all."""
    over = {frame.frame_id: frame for frame in context.frames if frame.status not in OPEN}
    just = {f"ended:{over[key].agent_code}" for key in just_ended(context) if key in over}
    return just | {"ended"} if over else set()


def _asked(domain: Domain, frame: TaskFrame) -> str:
    """The kind of the slot that the desk asked for last."""
    slots = domain.agents[frame.agent_code].slots
    return next((slots[name].kind for name in frame.missing_slots if slots[name].ask), "nothing")


class Cutter:
    """Cuts turns into stretches and tells their features, by the words of one domain."""

    def __init__(self, spotter: Spotter, borders: Borders, cues: CueFinder, classifier: Classifier) -> None:
        self._spotter = spotter
        self._borders = borders
        self._cues = cues
        self._classifier = classifier
        self._links = spotter.bit(CONNECTIVE)
        self._edges = self._links | spotter.bit(WEAK_CONNECTIVE) | spotter.bit(LEADING)

    def spans(self, spots: Spots, clauses: Sequence[Span], ruled: Iterable[Span], people: Iterable[int]) -> list[Span]:
        """The first stretches of some clauses; `ruled` are spans that the rules cut, `people` where the words turn to
        somebody else."""
        chances = self._borders.chances(spots)
        places = {place for span in ruled for place in span}.union(people)
        places |= {place for place, chance in chances.items() if chance >= _PROPOSED}
        ordered = sorted(places.union(start for start, _ in spots.inside(0, len(spots.text), self._links)))
        found: list[Span] = []
        for start, end in clauses:
            if len(found) >= MOST:
                break
            inside = set(ordered[bisect_left(ordered, start + _LEAST) : bisect_right(ordered, end - _LEAST)])
            inside |= {place for place in self._cues.ends(spots, start, end) if place < end - 1}
            found += pairwise([start, *sorted(inside - self._led(spots, start, end)), end])
        return found[:MOST]

    def _led(self, spots: Spots, start: int, end: int) -> set[int]:
        """Places of a clause before which nothing but connectives and openers stands."""
        led, last = {start}, [start]
        while last:
            fresh = set(spots.ends_from(last.pop(), end, self._edges)) - led
            led |= fresh
            last += fresh
        return led

    def features(
        self, spots: Spots, atoms: Sequence[Atom], mentions: Sequence[Sequence[SlotMention]], now: OpenFeatures
    ) -> list[set[str]]:
        """What is seen of each stretch: its words and signals, what the rules make of it, its neighbours, and what is
        open."""
        own = [self._own(spots, atom, told, now) for atom, told in zip(atoms, mentions, strict=True)]
        shown = [self._shown(spots, atom) for atom in atoms]
        found = []
        for at, (atom, (features, kinds)) in enumerate(zip(atoms, own, strict=True)):
            before = {f"<{one}" for one in shown[at - 1]} if at else {"<^"}
            after = {f">{one}" for one in shown[at + 1]} if at + 1 < len(atoms) else {">$"}
            sign = spots.text[atoms[at - 1].end : atom.start].strip() if at else ""
            end = atoms[at + 1].start if at + 1 < len(atoms) else len(spots.text)
            signs = {f"sign:{sign[:1]}", f"sign>{spots.text[atom.end : end].strip()[:1]}"}
            joined = {f"{kind}&{one}" for kind in kinds for one in now.seen}
            place = "only" if len(atoms) == 1 else ("first" if not at else "last" if at + 1 == len(atoms) else "inside")
            found.append(features | before | after | joined | signs | {*now.seen, f"place:{place}", "*"})
        return found

    def _own(
        self, spots: Spots, atom: Atom, mentions: Sequence[SlotMention], now: OpenFeatures
    ) -> tuple[set[str], tuple[str, ...]]:
        """Features of a stretch alone, and those that are looked at together with what is open."""
        start, end = atom.start, atom.end
        mask = spots.mask(start, end)
        verdict = self._classifier.rules(mask)
        kinds = {mention.kind for mention in mentions if mention.value and not mention.kind.startswith(WHOM)}
        rules = f"r:{verdict.agent_code}"
        features = {f"@{name}" for name in self._spotter.signals(mask)}
        features |= {f"#{one.agent_code}" for one in verdict.candidates} | {rules, f"{rules}{verdict.score:.1f}"}
        features |= {f"cue:{kind.value}" for kind in self._kinds(spots, start, end)}
        features |= {f"kind:{kind}" for kind in kinds}
        features |= {f"missed:{kind}" for kind in kinds & now.missed} | {f"held:{kind}" for kind in kinds & now.held}
        fits = "missed" if kinds & now.missed else "held" if kinds & now.held else "named" if kinds else "nothing"
        same = f"same:{verdict.agent_code == now.focus}" if now.focus else "same:-"
        length = sum(end - start > size for size in _LONG)
        by_rules = f"old:{atom.by_rules}"
        features |= {
            fits,
            same,
            f"{fits}&{same}",
            f"length:{length}",
            f"{fits}&{length}",
            by_rules,
            f"{by_rules}&{length}",
        }
        features |= ngrams(spots.text[start:end])
        return features, (fits, rules, by_rules, f"{fits}&{rules}")

    def _shown(self, spots: Spots, atom: Atom) -> set[str]:
        """The features of a stretch that its neighbours are given."""
        mask = spots.mask(atom.start, atom.end)
        text = spots.text[atom.start : atom.end]
        shown = {f"@{name}" for name in self._spotter.signals(mask)}
        return shown | {
            f"r:{self._classifier.rules(mask).agent_code}",
            f"old:{atom.by_rules}",
            f"^{text[:2]}",
            f"{text[-2:]}$",
        }

    def _kinds(self, spots: Spots, start: int, end: int) -> set[CueKind]:
        return {cue.kind for cue in self._cues.find(spots, [(start, end)])}
