"""The devices of a complete request (service.md, Place; law 1).

`resolve_ir` of context retrieval decides; the dialogue adds that needless questions are avoided and that an elliptical
name may give way to its kind.
"""

import msgspec

from context_retrieval.catalog import Catalog
from context_retrieval.conditions import watched_attribute
from context_retrieval.models import DeviceType, EntityKind, Quantifier, QueryIR, Resolution, ResolutionStatus
from context_retrieval.pipeline import resolve_ir
from context_retrieval.said_attributes import bare_verb
from tingdong.alive import WhileAlive
from tingdong.commands.reading import Mention, MentionKind
from tingdong.home.model import NoteCode
from tingdong.home.plan import plan
from tingdong.home_dialogue.choose import described, place_of
from tingdong.home_dialogue.complete import Job
from tingdong.home_dialogue.inquire import COUNT_OR_LIST
from tingdong.home_dialogue.ledger import changes_of
from tingdong.home_dialogue.situation import Situation

__all__ = ["members", "resolve_job"]

MOST_TOLD = 4
"""So many things of one place are told of at once, where it is not said which is asked about."""
_CANNOT_NOW = frozenset({NoteCode.UNSUPPORTED, NoteCode.READ_ONLY, NoteCode.IS_OFF})
_ELLIPTICAL = frozenset({"elsewhere", "repeated"})


def resolve_job(job: Job, situation: Situation) -> Resolution:
    """The targets of `job`, or why there are none."""
    if job.ids is not None:
        return _pointed_at(job, situation)
    resolution = _resolved(job.query, situation, everywhere=job.everywhere)
    match resolution.status:
        case ResolutionStatus.NO_CAPABILITY:
            return msgspec.structs.replace(resolution, status=ResolutionStatus.FOUND, entity_ids=resolution.incapable)
        case ResolutionStatus.AMBIGUOUS:
            return _narrowed(job.query, resolution, situation)
        case ResolutionStatus.NO_DEVICE if job.rule in _ELLIPTICAL:
            kind = _of_its_kind(job.query, resolution, situation)
            return _narrowed(job.query, kind, situation) if kind.status is ResolutionStatus.AMBIGUOUS else kind
    return resolution


def members(resolution: Resolution, situation: Situation) -> tuple[str, ...]:
    """Device ids, a group's members in its place; a scene stays itself."""
    if resolution.kind is not EntityKind.GROUP:
        return resolution.entity_ids
    catalog = situation.home.shape.catalog
    return tuple(dict.fromkeys(i for group in resolution.entity_ids for i in catalog.members(group)))


def _resolved(query: QueryIR, situation: Situation, *, everywhere: bool = False) -> Resolution:
    places = (situation.local,) if query.here else situation.places
    if query.include and query.action.startswith("查询") and situation.question.form in COUNT_OR_LIST:
        places = ()  # 哪些客房的灯亮着 is about all of them, wherever one is
    catalog, every = situation.home.shape.catalog, everywhere or situation.whole_home
    if query.reference is not None or (query.when is not None and watched_attribute(query.when) is not None):
        return resolve_ir(query, catalog, situation.page.state, places=places, explicit_all=every)
    # What is found by words hangs on them and on the home's shape alone; what is not, on what was spoken of as well.
    known, target = _KNOWN.of(catalog), (query.include, query.exclude, query.here, query.name, query.excluded_names)
    key = (catalog.version, query.action, *target, query.type, query.quantifier, query.count, places, every)
    found = known.get(key)
    if found is None:
        found = resolve_ir(query, catalog, situation.page.state, places=places, explicit_all=every)
        if found.found:
            if len(known) >= MOST_KNOWN:
                known.clear()
            known[key] = found
    return found


MOST_KNOWN = 256
"""Resolutions that are kept of a home."""
_KNOWN: WhileAlive[Catalog, dict[tuple[object, ...], Resolution]] = WhileAlive(lambda _: {})


def _narrowed(query: QueryIR, resolution: Resolution, situation: Situation) -> Resolution:
    """Where none of the choices can do it, all are told why; where one alone can, or alone runs when 关 was said, it is
    that one (service.md, Place).
    """
    if query.action.startswith("查询"):
        devices = situation.home.shape.devices
        rooms = {devices[i].room for i in resolution.choices if i in devices}
        of_one_place = len(rooms) == 1 and len(resolution.choices) <= MOST_TOLD
        if not of_one_place and not situation.has(MentionKind.ALL) and situation.question.form not in COUNT_OR_LIST:
            return resolution
        return msgspec.structs.replace(resolution, status=ResolutionStatus.FOUND, entity_ids=resolution.choices)
    if ordinals := situation.of(MentionKind.ORDINAL):
        return _counted_off(ordinals, resolution)
    if so := described(situation.home, situation.text, resolution.choices):
        return msgspec.structs.replace(resolution, status=ResolutionStatus.FOUND, entity_ids=so)
    home, last = situation.home, situation.page.last
    just = tuple(one for one in resolution.choices if last is not None and one in last.ids)
    again = situation.has(MentionKind.CORRECTION, MentionKind.AGAIN, MentionKind.REFERENCE)
    if again and 0 < len(just) < len(resolution.choices) and changes_of(home, plan(home, query, just).instructs, {}):
        return msgspec.structs.replace(resolution, status=ResolutionStatus.FOUND, entity_ids=just)
    called = tuple(
        i for i in resolution.choices if i in home.shape.devices and (query.name or " ") in home.shape.devices[i].name
    )
    if len(called) == 1:  # 大门锁上, beside a back door that has a lock as well
        return msgspec.structs.replace(resolution, status=ResolutionStatus.FOUND, entity_ids=called)
    planned = plan(home, query, resolution.choices, now=situation.scene.now)
    bare = bare_verb(query.action, query.value, situation.text)
    if not planned.instructs and bare is not None:
        planned = plan(home, msgspec.structs.replace(query, action=bare), resolution.choices, now=situation.scene.now)
    able = tuple(instruct.id for instruct in planned.instructs)
    if not able:
        chosen = resolution.choices
    elif query.action == "关闭" and len(able) > 1:
        devices = home.shape.devices
        chosen = tuple(i for i in able if i in devices and home.is_on(devices[i]))
    else:
        chosen = able if all(note.code in _CANNOT_NOW for note in planned.notes) else ()
    if able and len(chosen) != 1:
        return resolution
    return msgspec.structs.replace(resolution, status=ResolutionStatus.FOUND, entity_ids=chosen)


def _counted_off(ordinals: list[Mention], resolution: Resolution) -> Resolution:
    """打开第二个筒灯: by its place among the choices, in the home's order."""
    count = len(resolution.choices)
    chosen = tuple(resolution.choices[n - 1] for m in ordinals if (n := place_of(m, count)) is not None)
    if not chosen:
        return resolution
    return msgspec.structs.replace(resolution, status=ResolutionStatus.FOUND, entity_ids=chosen)


def _of_its_kind(query: QueryIR, missed: Resolution, situation: Situation) -> Resolution:
    """卧室的也打开 after 客厅落地灯, where the bedroom has another lamp: that one; of several it is asked which."""
    if query.name is None or query.type is DeviceType.UNKNOWN:
        return missed
    found = _resolved(msgspec.structs.replace(query, name=None, quantifier=Quantifier.ALL), situation)
    if not found.found or len(found.entity_ids) == 1:
        return found if found.found else missed
    return msgspec.structs.replace(found, status=ResolutionStatus.AMBIGUOUS, entity_ids=(), choices=found.entity_ids)


# ---- devices spoken of before


def _pointed_at(job: Job, situation: Situation) -> Resolution:
    shape = situation.home.shape
    known = tuple(i for i in job.ids or () if i in shape.devices or i in shape.scenes)
    rooms = {shape.devices[i].room for i in known if i in shape.devices} if job.query.include else set()
    status = ResolutionStatus.FOUND if known else ResolutionStatus.NO_REFERENCE
    return Resolution(status, known, rooms=tuple(rooms) if len(rooms) == 1 else ())
