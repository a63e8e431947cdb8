"""Orders of work without a device: 煮杯咖啡, 喂两份粮, 把地扫一扫 (`context_retrieval.works`).

Only if nothing else is said: 我在煮饭 and 喂猫了吗 order nothing.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from context_retrieval.models import Quantifier, QueryIR
from context_retrieval.works import Work, act_on_it, bare, is_done_with, made_in, work_in
from tingdong.commands.reading import MentionKind
from tingdong.home.device import DeviceShape
from tingdong.home.document import PropertyType
from tingdong.home.model import PropertyRole, ReplyKind
from tingdong.home.vocabulary import attribute_word
from tingdong.home_dialogue.acting import OFF, ON, SETTING
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.carry import Carried
from tingdong.home_dialogue.closing import close
from tingdong.home_dialogue.colloquial import about_thing
from tingdong.home_dialogue.complete import Job
from tingdong.home_dialogue.ending import Ended, passed
from tingdong.home_dialogue.mentioned import THINGS
from tingdong.home_dialogue.outcome import Outcome
from tingdong.home_dialogue.own_words import own_words
from tingdong.home_dialogue.referents import number_said
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.target import members, resolve_job

__all__ = ["worked"]

_AROUND = (MentionKind.ROOM, MentionKind.HERE, MentionKind.ALL, MentionKind.ALSO)


def worked(situation: Situation) -> Ended | None:
    """The turn orders work and names nothing that does it, is about what something gives out, or says that a thing is
    no longer needed."""
    work = work_ordered(situation)
    if work is None:
        job = of_what_it_gives_out(situation) or no_longer_needed(situation)
        jobs: tuple[Job, ...] = () if job is None else (job,)
    else:
        jobs = work[1]
    if work is not None and not jobs:
        return passed(situation), Outcome(ReplyKind.ANSWER, answers().missing.format(work[0]), rule="worked")
    if not jobs:
        return None
    carried = Carried(situation)
    for one in jobs:
        carried.run_job(one)
    return close(carried, "worked")


def work_ordered(situation: Situation) -> tuple[str, tuple[Job, ...]] | None:
    """The plain word for what does the work that the turn orders, and the job, where the home has such a thing; None
    where the turn says anything else."""
    whens, named = situation.of(MentionKind.WHEN), situation.of(*THINGS)
    if situation.asks or len(whens) > 1 or len(named) > 1:
        return None
    work = work_in(situation.without(MentionKind.WHEN, *THINGS))
    if work is None:
        return None
    found = _here([one for one in situation.home.shape.devices.values() if _does(one, work)], situation)
    if named and not any(one.value in (device.plain, device.name) for one in named for device in found):
        return None
    jobs = [job for device in found[:1] for job in _jobs(device, work, situation)]
    when = whens[0].value if whens else None
    return work.things[0], tuple(replace(job, query=replace(job.query, when=when)) for job in jobs)


def of_what_it_gives_out(situation: Situation) -> Job | None:
    """音乐停了, 歌声小点: the act, with what plays here, else with what plays at all; None where more is said."""
    made = None if situation.asks else made_in(situation.text)
    acts = situation.of(MentionKind.ACTION)
    if made is None or not acts or situation.has(MentionKind.NEGATION, *THINGS):
        return None
    key, rest = made
    said = (*acts, *situation.of(MentionKind.ATTRIBUTE, MentionKind.FILLER, MentionKind.ALL, MentionKind.AGAIN))
    for one in said:
        rest = rest.replace(situation.text[one.start : one.end], "", 1)
    if bare(rest):
        return None
    things = [one for one in situation.home.shape.devices.values() if one.kind.key == key]
    playing = _here([one for one in things if situation.is_active(one.id)], situation)
    action = act_on_it(acts[-1].value)
    ids = tuple(one.id for one in playing)
    if action is None or not ids:
        return None
    return Job(QueryIR(action, type=playing[0].type, quantifier=Quantifier.ALL), ids, "worked")


def no_longer_needed(situation: Situation) -> Job | None:
    """床头灯不用了, 电视没人看了: a thing that is named, is at work, and is not what was just done or set for later."""
    named, page = situation.of(*THINGS), situation.page
    if len(named) != 1 or situation.asks or situation.queries:
        return None
    if not is_done_with(situation.without(*THINGS, *_AROUND)):
        return None
    query = about_thing(situation, named[0], OFF)
    just = page.ledger[-1] if page.ledger and page.ledger[-1].turn == page.turn else None
    spoken = {one.device for one in page.timers} | ({one.id for one in just.changes} if just is not None else set())
    found = members(resolve_job(Job(query), situation), situation)
    at_work = tuple(one for one in found if situation.is_active(one))
    return Job(query, at_work, "done_with") if at_work and spoken.isdisjoint(found) else None


def _does(device: DeviceShape, work: Work) -> bool:
    """Whether the thing is one for the work, or has something of its own that does it (an aquarium that feeds)."""
    named = any(word in device.name or word in device.describe for word in work.things)
    return (named and not device.kind.generic) or any(spec.called in work.by for spec in device.features)


def _here(devices: Sequence[DeviceShape], situation: Situation) -> Sequence[DeviceShape]:
    """Those in the rooms that are said, else where one is, else all."""
    rooms = situation.rooms_said
    here = [one for one in devices if one.room in (rooms if rooms is not None else (situation.local,))]
    return here if here or rooms is not None else devices


def _jobs(device: DeviceShape, work: Work, situation: Situation) -> list[Job]:
    specs = [one for one in device.properties.values() if not one.readonly]
    does = [one for one in specs if any(word in one.label for word in work.by)]
    switches = [_set(device, one.label, "开") for one in does if one.type is PropertyType.BOOL]
    times = number_said(situation)
    counts = [one for one in does if one.numeric and (times is not None or not switches)]
    if switches or counts:
        return [*(_set(device, one.label, str(times or 1)) for one in counts), *switches]
    activity = device.by_role.get(PropertyRole.ACTIVITY)
    if activity is not None and (own := [one for one in own_words(device, situation.text) if one.spec is activity]):
        return [_set(device, attribute_word(activity.role, activity.label), own[0].value)]  # 拖拖地
    for spec in (one for one in specs if one is not activity):
        if word := next((word for word in spec.words if work.what in word), None):
            return [_set(device, attribute_word(spec.role, spec.label), word)]  # 煮点粥
    return [Job(QueryIR(ON, name=device.plain), (device.id,), "worked")]


def _set(device: DeviceShape, attribute: str, value: str) -> Job:
    return Job(QueryIR(SETTING + attribute, value, name=device.plain), (device.id,), "worked")
