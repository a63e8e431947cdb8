"""Scorer of front-desk dialogues, field by field (hospital.md, "Turn as JSON").

A turn is right if agents of segments, relations, ops, focus in both lanes, queue and safety label are; slots and turn
type are reported separately. A missing or null field is not scored (for `focus` and `admin_focus` null means none, if
the case has the field). A line with `text` instead of `turns` is a dialogue of one turn.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tingdong.evaluate.corpus import Case, overlays
from tingdong.evaluate.score import ScoredItem

__all__ = ["HospitalScorer", "Route"]

Turn = Mapping[str, Any]

Route = Callable[[str, Sequence[Mapping[str, Any]]], Sequence[Turn]]
"""`now` (ISO 8601) and the turns of a dialogue → each turn as JSON."""

DEFAULT_NOW = "2026-11-23T09:30:00+08:00"
"""The clock of sets that name none: a Monday morning."""

ABSENT_IS_NONE = frozenset({"focus", "admin_focus"})
APART = frozenset({"slots", "turn_type"})
"""Scored, but not part of a turn's being right."""


class HospitalScorer:
    """Scores dialogues and counts classes of segments, for the macro-averaged F1."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._hits: Counter[str] = Counter()
        self._gold: Counter[str] = Counter()
        self._got: Counter[str] = Counter()
        self._apart: Counter[tuple[str, bool]] = Counter()
        self._flags: Counter[tuple[bool, bool]] = Counter()

    def score(self, case: Case) -> list[ScoredItem]:
        """One outcome a turn; they count under the dialogue's leading tag."""
        raw = case.raw
        golds = raw.get("turns", [raw])
        answers = self._route(raw.get("now", DEFAULT_NOW), golds)
        return [
            self._turn(case, f"{case.id}.{number}", gold, answer)
            for number, (gold, answer) in enumerate(zip(golds, answers, strict=True), start=1)
        ]

    def figures(self) -> Mapping[str, float]:
        """What a set has labels for: macro F1 of classes, slots, turn types, and how red flags were told.

        F1 matches the segments of a turn as a multiset of classes. Recall counts flagged turns given their very label;
        a false alarm is an unflagged turn given any.
        """
        classes = [
            2 * self._hits[agent] / (self._gold[agent] + self._got[agent]) for agent in self._gold.keys() | self._got
        ]
        figures = {"class macro F1": sum(classes) / len(classes)} if classes else {}
        for field in sorted(APART):
            if total := self._apart[field, True] + self._apart[field, False]:
                figures[f"{field} right"] = self._apart[field, True] / total
        flagged = self._flags[True, True] + self._flags[True, False]
        if flagged:
            figures["red flag recall"] = self._flags[True, True] / flagged
            plain = self._flags[False, True] + self._flags[False, False]
            figures["false alarms"] = self._flags[False, False] / plain if plain else 0.0
        return figures

    def _turn(self, case: Case, name: str, gold: Mapping[str, Any], answer: Turn) -> ScoredItem:
        choices = list(overlays(gold))
        differences = [_differences(answer, choice) for choice in choices]
        best = min(
            range(len(choices)), key=lambda index: (len(set(differences[index]) - APART), len(differences[index]))
        )
        self._count(choices[best], answer, differences[best])
        expected = {field: gold.get(field) for field in CHECKS if field in gold}
        got = {field: view(answer) for field, (view, _) in CHECKS.items() if field in gold}
        right = not set(differences[best]) - APART
        return ScoredItem(name, case.tag, right, gold["text"], expected, got, differences[best])

    def _count(self, gold: Mapping[str, Any], answer: Turn, wrong: Sequence[str]) -> None:
        for field in APART:
            if gold.get(field):
                self._apart[field, field not in wrong] += 1
        if gold.get("safety") is not None:
            self._flags[gold["safety"] != "normal", "safety" not in wrong] += 1
        if gold.get("segments") is None:
            return
        theirs = Counter(segment["agent"] for segment in gold["segments"])
        mine = Counter(_agents(answer))
        self._hits += theirs & mine
        self._gold += theirs
        self._got += mine


def _differences(answer: Turn, gold: Mapping[str, Any]) -> tuple[str, ...]:
    """The scored fields of `gold` that the answer misses."""
    return tuple(
        field
        for field, (view, same) in CHECKS.items()
        if field in gold
        and (gold[field] is not None or field in ABSENT_IS_NONE)
        and not same(view(answer), gold[field])
    )


def _agents(answer: Turn) -> list[str]:
    return [segment["agent_code"] for segment in answer["segments"]]


def _relations(answer: Turn) -> list[tuple[int, int, str]]:
    return _pairs(answer["relations"])


def _pairs(relations: Sequence[Mapping[str, Any]]) -> list[tuple[int, int, str]]:
    return sorted((min(r["a"], r["b"]), max(r["a"], r["b"]), r["type"]) for r in relations)


def _ops(answer: Turn) -> list[Mapping[str, Any]]:
    return [{"op": op["op"], "target": op["target"], "executed": op["executed"]} for op in answer["intent_ops"]]


def _same_ops(got: Sequence[Mapping[str, Any]], gold: Sequence[Mapping[str, Any]]) -> bool:
    """The same operations on the same targets; `executed` counts where the case names it."""
    left = list(got)
    for op in gold:
        match = next((mine for mine in left if all(mine[field] == value for field, value in op.items())), None)
        if match is None:
            return False
        left.remove(match)
    return not left


def _focus(answer: Turn) -> str | None:
    return next((f["agent_code"] for f in answer["frames"] if f["frame_id"] == answer["medical_focus_id"]), None)


def _admin_focus(answer: Turn) -> str | None:
    """The focus of the lane that does not lead."""
    others = (f for f in answer["frames"] if f["frame_id"] != answer["medical_focus_id"])
    return next((f["agent_code"] for f in others if (f["role"], f["status"]) == ("focus", "active")), None)


def _queued(answer: Turn) -> list[str]:
    waiting = (f for f in answer["frames"] if (f["role"], f["status"]) == ("queued", "pending"))
    return sorted(frame["agent_code"] for frame in waiting)


def _slots(answer: Turn) -> list[tuple[str, Mapping[str, str]]]:
    return [(f["agent_code"], f["slots"]) for f in answer["frames"] if f["status"] != "canceled"]


def _same_slots(
    got: Sequence[tuple[str, Mapping[str, str]]], gold: Mapping[str, Mapping[str, str] | Sequence[Mapping[str, str]]]
) -> bool:
    """Some frame of each agent holds its slots, of several listed for one agent each a frame of its own; of a slot in
    the user's words one text may hold the other."""
    left = list(got)
    for agent, wanted in gold.items():
        several = (wanted,) if isinstance(wanted, Mapping) else wanted
        for slots in sorted(several, key=len, reverse=True):
            held = next((mine for mine in left if mine[0] == agent and _holds(mine[1], slots)), None)
            if held is None:
                return False
            left.remove(held)
    return True


def _holds(mine: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    return all(_fits(mine.get(name), value) for name, value in wanted.items())


def _fits(mine: str | None, theirs: str) -> bool:
    return bool(mine) and (str(theirs) in str(mine) or str(mine) in str(theirs))


View = Callable[[Turn], Any]
Same = Callable[[Any, Any], bool]

CHECKS: Mapping[str, tuple[View, Same]] = {
    "segments": (_agents, lambda got, gold: got == [segment["agent"] for segment in gold]),
    "relations": (_relations, lambda got, gold: got == _pairs(gold)),
    "ops": (_ops, _same_ops),
    "focus": (_focus, lambda got, gold: got == gold),
    "admin_focus": (_admin_focus, lambda got, gold: got == gold),
    "queued": (_queued, lambda got, gold: got == sorted(gold)),
    "slots": (_slots, _same_slots),
    "turn_type": (lambda answer: answer["turn_type"], lambda got, gold: got == gold),
    "safety": (lambda answer: answer["safety"]["label"], lambda got, gold: got == gold),
}
"""The scored fields: how an answer shows each, and when that equals the case's."""
