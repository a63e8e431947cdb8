"""What a turn leaves as it is, whatever rule reads its other clauses: 空调不变 · 毯子留着 · 油烟机就这样.

Law: nothing is done to what a clause of the turn leaves alone. It is found once a turn and holds for every request of
it, and for what a correction puts back.
"""

from tingdong.commands.reading import MentionKind
from tingdong.home_dialogue.complete import Job
from tingdong.home_dialogue.inquire import about_all
from tingdong.home_dialogue.leaving import Spared, refusal_in
from tingdong.home_dialogue.mentioned import PLACED_THINGS, THINGS, WHERE
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.target import members, resolve_job

__all__ = ["left_as_it_is", "named_in", "spared_in"]


def spared_in(whole: Situation) -> tuple[Spared, ...]:
    """What the clauses of the turn that order nothing leave as it is."""
    apart = (whole.read_as(part.reading) for part in whole.reading.parts if not part.reading.commands)
    found = (left_as_it_is(clause) for clause in apart)
    return tuple(one for one in found if one is not None and one.ids)


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
