"""Devices that a turn excludes, for every rule: 空调不变 · 毯子留着 · 油烟机就这样.

Law: a device that one clause excludes is changed by no clause of the turn, and by no correction.
"""

from context_retrieval.models import QueryIR
from tingdong.commands.reading import MentionKind, Reading
from tingdong.home_dialogue.complete import Job
from tingdong.home_dialogue.inquire import about_all
from tingdong.home_dialogue.leaving import Spared, refusal_in
from tingdong.home_dialogue.mentioned import PLACED_THINGS, THINGS, WHERE
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.target import members, resolve_job

__all__ = ["left_as_it_is", "named_in", "not_spared", "spared_in"]


def spared_in(whole: Situation) -> tuple[Spared, ...]:
    """What the clauses of the turn that order nothing leave as it is."""
    found, parts = [], whole.reading.parts
    for place, part in enumerate(parts):
        left = left_as_it_is(whole.read_as(part.reading)) if not part.reading.commands else None
        if left is not None and left.ids and not any(_rather(other.reading, left) for other in parts[place + 1 :]):
            found.append(left)
    return tuple(found)


def _rather(reading: Reading, left: Spared) -> bool:
    """吸顶灯不要开，等等，还是开吧: whether a later clause orders after all what was refused."""
    rather = any(one.kind is MentionKind.CORRECTION for one in reading.mentions)
    return rather and any(one.target.is_last and left.refusal.is_of(one.action.verb) for one in reading.commands)


def left_as_it_is(clause: Situation) -> Spared | None:
    """What the clause leaves alone, and of what act; None where it refuses nothing or names nothing."""
    if not clause.has(*THINGS, *WHERE) or (refusal := refusal_in(clause)) is None:
        return None
    found = resolve_job(Job(about_all("状态", clause), None, "inquired", everywhere=True), clause)
    ids = frozenset(members(found, clause) if found.found else found.choices)
    return Spared(ids & _pointed_at(clause) or ids, refusal)


def _pointed_at(clause: Situation) -> frozenset[str]:
    """儿童房那盏: of what was spoken of, where a room alone is named; () for nothing."""
    last = clause.page.last
    points = clause.has(MentionKind.REFERENCE) and not clause.has(*THINGS)
    return frozenset(last.ids) if last is not None and points else frozenset()


def not_spared(query: QueryIR, ids: tuple[str, ...], situation: Situation) -> tuple[str, ...]:
    """Those that no clause of the turn leaves as they are; what is named by itself in another clause is meant."""
    gone = {one for left, refusal in situation.spared if refusal.is_of(query.action) for one in left}
    kept, parts = tuple(one for one in ids if one not in gone), situation.reading.parts
    targets = {(one.target.name, one.target.type) for part in parts for one in part.reading.commands}
    return kept if kept or (parts and (query.name or "*", query.type) not in targets) else ids


def named_in(situation: Situation) -> frozenset[str]:
    """The devices that the sentence names."""
    if not situation.has(*PLACED_THINGS):
        return frozenset()
    found = resolve_job(Job(about_all("状态", situation), None, "inquired", everywhere=True), situation)
    ids = frozenset(members(found, situation)) if found.found else frozenset(found.choices)
    said = [one.value for one in situation.of(*THINGS) if one.value not in ("", "*")]
    devices = situation.home.shape.devices
    called = frozenset(one for one in ids if one in devices and any(word in devices[one].name for word in said))
    return called or ids  # 后门那个, beside a front door that has a lock as well
