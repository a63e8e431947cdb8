"""Missing parts of a desk, reported on loading (hospital.md, Per turn)."""

from __future__ import annotations

from collections.abc import Iterator

from tingdong.front_desk.directory import Directory
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.kinds import NAMED, PERSON, PLACE
from tingdong.front_desk.model import CueKind, SafetyLabel
from tingdong.front_desk.own_models import own_models
from tingdong.front_desk.read import unserved

__all__ = ["lacking"]

_ANSWERING = (CueKind.CONFIRM, CueKind.DENY, CueKind.CANCEL, CueKind.COMPLETE)
"""Acts without words for which a task cannot be agreed to or ended."""


def lacking(domain: Domain, directory: Directory) -> tuple[str, ...]:
    """What the files of a desk leave out, a line each, with the key that would say it; empty where nothing is missing.

    Raises:
        DataError: the sentences or the model beside the domain file are broken.
    """
    return tuple(_lacking(domain, directory))


def _lacking(domain: Domain, directory: Directory) -> Iterator[str]:
    alone = unserved(domain)
    if own := own_models(domain).lacks:
        yield own
    elif alone:
        yield f"sentences: none of {'、'.join(alone)}, whose words alone decide"
    led_to = {rule.agent for rule in domain.rules}
    for agent in alone:
        if agent not in led_to:
            yield f"rules: none leads to {agent}, nor does a sentence"
    flagged = {flag.label for flag in domain.safety.flags}
    unseen = [label.value for label in SafetyLabel if label is not SafetyLabel.NORMAL and label not in flagged]
    if unseen:
        yield f"safety.flags: none of {'、'.join(unseen)}, which is never noticed"
    said = {cue.kind for cue in domain.markers.cues}
    if unsaid := [kind.value for kind in _ANSWERING if kind not in said]:
        yield f"markers.cues: no words for {'、'.join(unsaid)}"
    kinds = {spec.kind for agent in domain.agents.values() for spec in agent.slots.values()} & NAMED
    if PERSON in kinds and not directory.people:
        yield "directory: nobody is in it, people are known by a title only"
    if PLACE in kinds and not directory.places:
        yield "directory: no place is in it, none is known"
