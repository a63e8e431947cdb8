"""Counts (commands.md, Q and N; service.md: the plan picks N and says which).

If the default place has too few and the home enough, the dialogue asks which; if the home has too few, all are taken
and the reply says how many there are.
"""

from collections.abc import Sequence

import msgspec

from context_retrieval.models import Quantifier, QueryIR, Resolution, ResolutionStatus
from tingdong.commands.reading import MentionKind
from tingdong.home.model import Note, NoteCode
from tingdong.home.targets import common_word
from tingdong.home_dialogue.complete import Job
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.target import members, resolve_job

__all__ = ["counted"]


def counted(job: Job, resolution: Resolution, situation: Situation) -> tuple[Resolution, tuple[Note, ...]]:
    """The resolution with as many targets as were said, or with what there is and a note; AMBIGUOUS where it must be
    asked which."""
    wanted = job.query.count or 1
    if job.query.quantifier is not Quantifier.ANY or wanted < 2 or job.ids is not None:
        return resolution, ()
    if resolution.status is ResolutionStatus.AMBIGUOUS:
        return _of_choices(job.query, resolution, situation)
    if not resolution.found or len(found := members(resolution, situation)) >= wanted:
        return resolution, ()
    if not _is_place_said(job.query, situation):
        everywhere = resolve_job(msgspec.structs.replace(job, everywhere=True), situation)
        others = members(everywhere, situation) if everywhere.found else ()
        if len(others) > len(found):
            return _from_the_home(job.query, resolution, (found, others), situation)
    return resolution, _too_few(job.query, found, situation, here=True)


def _is_place_said(query: QueryIR, situation: Situation) -> bool:
    return bool(query.include or query.exclude or query.here or situation.whole_home)


def _of_choices(query: QueryIR, resolution: Resolution, situation: Situation) -> tuple[Resolution, tuple[Note, ...]]:
    """Things in several rooms, none where the speaker stands: all of them, where so many are wanted."""
    if len(resolution.choices) > (query.count or 1):
        return resolution, ()
    taken = msgspec.structs.replace(resolution, status=ResolutionStatus.FOUND, entity_ids=resolution.choices)
    return taken, _too_few(query, resolution.choices, situation)


def _from_the_home(
    query: QueryIR, resolution: Resolution, here_and_all: tuple[Sequence[str], Sequence[str]], situation: Situation
) -> tuple[Resolution, tuple[Note, ...]]:
    """Too few here: all of the home where that is as many or fewer, those here first where any will do, else which."""
    found, others = here_and_all
    wanted = query.count or 1
    ids = tuple(dict.fromkeys((*found, *others)))
    if len(ids) <= wanted or situation.has(MentionKind.ANY):
        taken = msgspec.structs.replace(resolution, entity_ids=ids[:wanted], rooms=())
        return taken, _too_few(query, ids, situation)
    asked = Resolution(ResolutionStatus.AMBIGUOUS, choices=tuple(others))
    return asked, _too_few(query, found, situation, here=True)


def _too_few(query: QueryIR, ids: Sequence[str], situation: Situation, *, here: bool = False) -> tuple[Note, ...]:
    """The note that there are no more, of what they were called; `here`: in the room where these are."""
    shape = situation.home.shape
    devices = [shape.devices[i] for i in ids if i in shape.devices]
    if len(ids) >= (query.count or 1) or not devices:
        return ()
    kind = devices[0].kind
    rooms = {device.room for device in devices}
    everyone = len(devices) == len(shape.of_type(devices[0].type)) or not here or len(rooms) > 1
    word = query.name or (kind.word if len(devices) == 1 else common_word(devices))
    amount = f"{len(devices)}{kind.measure}{word}"
    return (Note(NoteCode.TOO_FEW, None, amount, "" if everyone else rooms.pop()),)
