"""The target of a request without a device: the latest device that can do it (service.md, Dialogue).

湿度多少 after the air conditioner asks the room; 亮度五成 after the door lock is for the lamps; 播放 after the hood is
for a player. A device that cannot do the act yields to one that can, and an impossible act is never replaced by
switching on.
"""

import msgspec

from context_retrieval.models import DeviceType, Quantifier, QueryIR
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind
from tingdong.home.acts import ActKind, read_act
from tingdong.home.change import request_of
from tingdong.home.deciding import change_of
from tingdong.home.model import Note
from tingdong.home.states import is_active
from tingdong.home_dialogue.acting import OWN_ACTS, SETTING, able, attribute_of, own_work, type_with
from tingdong.home_dialogue.complete import Job, pointing
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.target import members, resolve_job

__all__ = ["able_here", "is_too_vague", "suited"]

_LITERAL_UNITS = ("C", "K", "档")


def suited(job: Job, situation: Situation) -> Job:
    """The job, aimed at what can do it when what it was completed with cannot."""
    if job.rule == "elsewhere":
        return _in_that_place(job, situation)
    if job.rule != "last" or job.ids is None:
        return _of_all(job, situation) or _where_one_stands(job, situation)
    word, fit = own_work(job.query, able(job.query, job.ids, situation), situation)
    if fit:
        return job if len(fit) == len(job.ids) else msgspec.structs.replace(job, ids=fit)
    if (plain := _as_a_value(job, situation)) is not None:
        return plain
    if word:  # 煮饭 after the hood: it is told that the hood does no such thing
        return msgspec.structs.replace(job, query=msgspec.structs.replace(job.query, action=word), named=())
    blank = QueryIR(job.query.action, job.query.value, when=job.query.when)
    return _by_what_is_said(blank, situation) or able_here(blank, situation) or job


def _as_a_value(job: Job, situation: Situation) -> Job | None:
    """调到一档 of a lamp, read as a speed that nobody said: what was spoken of takes the value as its own."""
    query, attribute = job.query, attribute_of(job.query.action)
    if query.value is None or not query.action.startswith(SETTING) or not attribute or attribute in situation.text:
        return None
    bare, home = msgspec.structs.replace(query, action=SETTING), situation.home
    request = request_of(home, read_act(SETTING), value=query.value, name=None, deferred=query.when is not None)
    devices = (home.shape.devices[one] for one in job.ids or () if one in home.shape.devices)
    takes = tuple(one.id for one in devices if not isinstance(change_of(request, one), Note))
    return msgspec.structs.replace(job, query=bare, ids=takes) if takes else None


def _of_all(job: Job, situation: Situation) -> Job | None:
    """都锁上: of all there is, what can do an act that only some things can do."""
    query = job.query
    bare = query.name is None and query.type is DeviceType.UNKNOWN and query.quantifier is Quantifier.ALL
    if job.ids is not None or not bare or read_act(query.action).kind not in OWN_ACTS:
        return None
    found = _found(job, situation)
    return pointing(query, found, situation, None) if found else able_here(query, situation)


def _where_one_stands(job: Job, situation: Situation) -> Job:
    """灯调暗点 after a lamp elsewhere that cannot be dimmed: those where one stands, where they can."""
    query, room = job.query, situation.page.room
    unsaid = not (query.include or query.exclude or query.here or query.name) and query.type is not DeviceType.UNKNOWN
    if job.ids is not None or not unsaid or not situation.local or room in ("", situation.local):
        return job
    if situation.whole_home or _found(job, situation):
        return job
    here = msgspec.structs.replace(job, query=msgspec.structs.replace(query, here=True))
    return here if _found(here, situation) else job


def is_too_vague(job: Job, situation: Situation) -> bool:
    """打开 after a question about things of several kinds (哪个快没电了): it is asked what; they do not all begin."""
    last = situation.page.last
    if job.rule != "last" or not job.ids or job.query.action != "打开" or situation.has(MentionKind.ALL):
        return False
    asked = last is not None and last.query is not None and last.query.action.startswith("查询")
    devices = situation.home.shape.devices
    return asked and len({devices[one].kind for one in job.ids if one in devices}) > 1


def _by_what_is_said(query: QueryIR, situation: Situation) -> Job | None:
    """The kind of thing that has the attribute that was said, here; a question asks whatever measures it."""
    kind = DeviceType.UNKNOWN
    if not query.action.startswith("查询"):
        kind = type_with(attribute_of(query.action))
        said = situation.has(MentionKind.ATTRIBUTE) or (query.value or "").endswith(_LITERAL_UNITS)
        if kind is DeviceType.UNKNOWN or not said:
            return None
    job = Job(msgspec.structs.replace(query, type=kind, quantifier=Quantifier.ALL), None, "stands")
    return job if _found(job, situation) else None


def _found(job: Job, situation: Situation) -> tuple[str, ...]:
    """The devices that the job resolves to and that can do it."""
    resolution = resolve_job(job, situation)
    return able(job.query, members(resolution, situation), situation) if resolution.found else ()


def _in_that_place(job: Job, situation: Situation) -> Job:
    """客厅亮度调到80% after a curtain: the room and the attribute were said, so that what they say counts, and not the
    kind of thing spoken of before."""
    query = job.query
    if _found(job, situation) or not (attribute_of(query.action) or read_act(query.action).kind in OWN_ACTS):
        return job
    blank = msgspec.structs.replace(
        query, name=None, type=DeviceType.UNKNOWN, excluded_names=(), reference=None, quantifier=Quantifier.ALL
    )
    kind = type_with(attribute_of(query.action))
    for type_ in dict.fromkeys((kind, DeviceType.UNKNOWN)):
        aimed = Job(msgspec.structs.replace(blank, type=type_), None, "stands")
        if found := _found(aimed, situation):
            return aimed if type_ is not DeviceType.UNKNOWN else msgspec.structs.replace(aimed, ids=found)
    return job


def able_here(query: QueryIR, situation: Situation) -> Job | None:
    """What can do an act that only some things can do, here or else in the home; of several it is asked which.

    它 points to what was spoken of and to nothing else; only a lock is meant whatever was (把门关好，锁上).
    """
    act = read_act(query.action)
    word, fit = own_work(query, situation.home.shape.devices, situation)
    if word and len(fit) == 1:
        return pointing(query, fit, situation, None)  # 给花浇点水: one thing in the home does that
    if act.kind not in OWN_ACTS:
        return None
    locks = act.kind in (ActKind.LOCK, ActKind.UNLOCK)
    if situation.has(MentionKind.REFERENCE) and not locks:
        return None
    home = situation.home
    for pool in (*(home.shape.by_room.get(place, ()) for place in situation.places), home.shape.devices.values()):
        found = able(query, (device.id for device in pool), situation)
        if query.action in verb_table().ending - verb_table().lasting:  # only what is at work can do that
            found = tuple(i for i in found if is_active(home, home.shape.devices[i])) or found
        if found:
            job = pointing(query, found, situation, None)
            alone = len(found) == 1 or query.quantifier is Quantifier.ALL
            return job if alone else msgspec.structs.replace(job, rule="which", pool=found)
    return None
