"""Scorer of retrieval (retrieval.md): exactly the necessary entities, the watched ones, and whether a hint is given.

A case is right when the target set, the condition set and the presence of a hint all match, or match one of the
`accept` overlays. `before` are utterances of the same conversation that come first.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from tingdong.evaluate.corpus import Case, overlays
from tingdong.evaluate.score import ScoredItem

__all__ = ["RetrievalScorer", "Retrieve", "Selection"]


class Selection(msgspec.Struct, frozen=True):
    """What retrieval chose: ids to act on, ids to watch, and whether it gave a hint."""

    targets: tuple[str, ...] = ()
    condition: tuple[str, ...] = ()
    hint: bool = False


class Retrieve(Protocol):
    """One utterance in the named home, after the earlier ones of its conversation."""

    def __call__(self, home: str, text: str, *, location: str | None, before: Sequence[str]) -> Selection: ...


class RetrievalScorer:
    """Scores cases and keeps count of how many necessary entities were found, and how many found were necessary."""

    def __init__(self, retrieve: Retrieve) -> None:
        self._retrieve = retrieve
        self._found = self._needed = self._given = 0

    def score(self, case: Case) -> list[ScoredItem]:
        """Retrieve for one case and compare sets."""
        raw = case.raw
        result = self._retrieve(
            raw["home"], raw["text"], location=raw.get("location"), before=tuple(raw.get("before", ()))
        )
        got = _answer(result)
        self._count(set(got["gold"]), set(raw["gold"]))
        golds = [_sets(gold) for gold in overlays(raw)]
        wrong = min((_differences(got, gold) for gold in golds), key=len)
        outcome = ScoredItem(
            case.id, case.tag, right=not wrong, text=raw["text"], expected=_sets(raw), got=got, wrong=wrong
        )
        return [outcome]

    def figures(self) -> Mapping[str, float]:
        """Recall and precision of target entities over all cases, against the first right answer."""
        return {
            "recall of entities": self._found / self._needed if self._needed else 1.0,
            "precision of entities": self._found / self._given if self._given else 1.0,
        }

    def _count(self, got: set[str], gold: set[str]) -> None:
        self._found += len(got & gold)
        self._needed += len(gold)
        self._given += len(got)


def _answer(chosen: Selection) -> dict[str, Any]:
    """The selection in the fields that a labelled case has."""
    return {"gold": list(chosen.targets), "condition": list(chosen.condition), "hint": chosen.hint}


def _sets(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {"gold": list(raw["gold"]), "condition": list(raw.get("condition", ())), "hint": bool(raw.get("hint"))}


def _differences(got: Mapping[str, Any], gold: Mapping[str, Any]) -> tuple[str, ...]:
    wrong = [
        name for name, field in (("targets", "gold"), ("condition", "condition")) if set(got[field]) != set(gold[field])
    ]
    return (*wrong, "hint") if got["hint"] != gold["hint"] else tuple(wrong)
