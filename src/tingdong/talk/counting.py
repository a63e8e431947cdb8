"""So many of a kind (seed 000, `any#N`; service.md: the plan picks N and says which): never fewer in silence.

Where the default place has too few and the home has enough, it is asked which; where all there are do not suffice, they
are taken and the reply says how many there are.
"""

from collections.abc import Sequence

import msgspec

from context_retrieval.models import Quantifier, QueryIR, Resolution, ResolutionStatus
from tingdong.commands.reading import MentionKind
from tingdong.home.model import Note, NoteCode
from tingdong.home.targets import common_word
from tingdong.talk.complete import Job
from tingdong.talk.situation import Situation
from tingdong.talk.target import members, resolve_job

__all__ = ["counted"]


def counted(job: Job, resolution: Resolution, situation: Situation) -> tuple[Resolution, tuple[Note, ...]]:
    """The resolution with as many targets as were said, or with what there is and a note; AMBIGUOUS where it must be
    asked which."""
    wanted = job.query.count or 1
    if job.query.quantifier is not Quantifier.ANY or wanted < 2 or job.ids is not None:
        return resolution, ()
    if resolution.status is ResolutionStatus.AMBIGUOUS:
        return _of_choices(resolution, wanted, situation)
    if not resolution.found or len(found := members(resolution, situation)) >= wanted:
        return resolution, ()
    if not _is_place_said(job.query, situation):
        everywhere = resolve_job(msgspec.structs.replace(job, everywhere=True), situation)
        others = members(everywhere, situation) if everywhere.found else ()
        if len(others) > len(found):
            return _from_the_home(resolution, found, others, wanted, situation)
    return resolution, _too_few(found, wanted, situation, here=True)


def _is_place_said(query: QueryIR, situation: Situation) -> bool:
    return bool(query.include or query.exclude or query.here or situation.whole_home)


def _of_choices(resolution: Resolution, wanted: int, situation: Situation) -> tuple[Resolution, tuple[Note, ...]]:
    """Things in several rooms, none where the speaker stands: all of them, where so many are wanted."""
    if len(resolution.choices) > wanted:
        return resolution, ()
    taken = msgspec.structs.replace(resolution, status=ResolutionStatus.FOUND, entity_ids=resolution.choices)
    return taken, _too_few(resolution.choices, wanted, situation)


def _from_the_home(
    resolution: Resolution, found: Sequence[str], others: Sequence[str], wanted: int, situation: Situation
) -> tuple[Resolution, tuple[Note, ...]]:
    """Too few here: all of the home where that is as many or fewer, those here first where any will do, else which."""
    ids = tuple(dict.fromkeys((*found, *others)))
    if len(ids) <= wanted or situation.has(MentionKind.ANY):
        taken = msgspec.structs.replace(resolution, entity_ids=ids[:wanted], rooms=())
        return taken, _too_few(ids, wanted, situation)
    asked = Resolution(ResolutionStatus.AMBIGUOUS, choices=tuple(others))
    return asked, _too_few(found, wanted, situation, here=True)


def _too_few(ids: Sequence[str], wanted: int, situation: Situation, *, here: bool = False) -> tuple[Note, ...]:
    """The note that there are no more; `here`: in the room where these are."""
    shape = situation.home.shape
    devices = [shape.devices[i] for i in ids if i in shape.devices]
    if len(ids) >= wanted or not devices:
        return ()
    kind = devices[0].kind
    rooms = {device.room for device in devices}
    everyone = len(devices) == len(shape.of_type(devices[0].type)) or not here or len(rooms) > 1
    amount = f"{len(devices)}{kind.measure}{kind.word if len(devices) == 1 else common_word(devices)}"
    return (Note(NoteCode.TOO_FEW, None, amount, "" if everyone else rooms.pop()),)
