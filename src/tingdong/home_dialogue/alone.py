"""Using one device of a kind alone: 只留主灯, 太刺眼了，就用小夜灯 (service.md, Dialogue; `data/leaving.yaml`).

The others of its kind in the place are switched off, and it is switched on if it is off; other kinds do not change.
"""

import re
from functools import cache

import msgspec

from context_retrieval.models import DeviceType, Quantifier, QueryIR
from tingdong.commands.reading import Mention, MentionKind
from tingdong.home.acts import ActKind, read_act
from tingdong.home.wish_reading import match_wish
from tingdong.home.wish_table import wish_table
from tingdong.home_dialogue.acting import OFF
from tingdong.home_dialogue.complete import Job, pointing
from tingdong.home_dialogue.leaving import leaving
from tingdong.home_dialogue.mentioned import THINGS
from tingdong.home_dialogue.page import Doing
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.target import members, resolve_job

__all__ = ["all_but", "alone_in", "keeps_only", "leaves_one", "left_alone"]


@cache
def _only() -> re.Pattern[str]:
    return re.compile(leaving().only)


@cache
def _only_on() -> re.Pattern[str]:
    return re.compile(leaving().only_on)


def keeps_only(clause: str) -> bool:
    """只留主灯: whether a clause leaves one thing of what another one is about."""
    return _only().match(clause) is not None


def leaves_one(clause: str) -> bool:
    """这边就留落地灯: whether it is said anywhere in the clause."""
    return _only().search(clause) is not None


def left_alone(situation: Situation) -> tuple[Job, ...]:
    """What is done for the one thing that the sentence leaves alone of its kind; none where it leaves none."""
    thing = _thing(situation)
    if situation.asks or situation.has(MentionKind.WHEN, MentionKind.NEGATION):
        return ()
    if thing is None:
        return _alone_of_the_rooms(situation)
    rooms = tuple(one.value for one in situation.of(MentionKind.ROOM))
    here = situation.has(MentionKind.HERE) and not rooms
    return _jobs(QueryIR("关闭", include=rooms, here=here), thing, situation)


def _alone_of_the_rooms(situation: Situation) -> tuple[Job, ...]:
    """只留客厅的 after the lamps of several rooms: those elsewhere go off."""
    last, rooms, devices = situation.page.last, situation.rooms_said, situation.home.shape.devices
    if last is None or not rooms or not keeps_only(situation.text) or situation.has(*THINGS):
        return ()
    others = tuple(one for one in last.ids if one in devices and devices[one].room not in rooms)
    fits = others and len(others) < len(last.ids)
    return (pointing(QueryIR(OFF), others, situation, None),) if fits else ()


def alone_in(query: QueryIR, situation: Situation) -> tuple[Job, ...]:
    """卧房只留夜灯, read as all of the place but the one: the others of its kind."""
    if query.action != "关闭" or len(query.excluded_names) != 1 or query.type is not DeviceType.UNKNOWN:
        return ()
    thing = _thing(situation)
    return () if thing is None or thing.value != query.excluded_names[0] else _jobs(query, thing, situation)


def all_but(query: QueryIR, situation: Situation, last: Doing | None) -> tuple[Job, ...]:
    """除了主灯都关了: all but that of what was just spoken of, else of its kind; () where everything is meant."""
    left_out = query.excluded_names or query.exclude
    placed = query.include or query.here
    anything = not placed and query.name is None and query.type is DeviceType.UNKNOWN and query.reference is None
    said = any(one.value == "*" for one in situation.of(MentionKind.DEVICE)) or situation.has(MentionKind.WHOLE_HOME)
    if not left_out or not anything or said or read_act(query.action).kind is ActKind.ASK:
        return ()
    devices = situation.home.shape.devices
    ids = last.ids if last is not None and situation.page.turn - last.turn <= 1 and len(last.ids) > 1 else ()
    ids = ids if all(one in devices for one in ids) and len({situation.type_of(one) for one in ids}) == 1 else ()
    named = [QueryIR(query.action, name=name) for name in query.excluded_names]
    found = {one for name in named for one in members(resolve_job(Job(name), situation), situation)}
    left = {one for one in ids if any(room in devices[one].room for room in query.exclude) or one in found}
    left = left or {one for one in ids if any(name in devices[one].label for name in query.excluded_names)}
    kept = tuple(one for one in ids if one not in left)
    if kept and len(kept) < len(ids) and situation.type_of(kept[0]) is not DeviceType.UNKNOWN:
        listed = msgspec.structs.replace(query, exclude=(), excluded_names=(), quantifier=Quantifier.ALL)
        return (pointing(listed, kept, situation, None),)
    types = {situation.type_of(one) for one in (found if named else ids)}
    kind = types.pop() if len(types) == 1 else DeviceType.UNKNOWN
    return () if kind is DeviceType.UNKNOWN else (Job(msgspec.structs.replace(query, type=kind)),)


def _jobs(place: QueryIR, thing: Mention, situation: Situation) -> tuple[Job, ...]:
    rooms = place.include
    named = QueryIR("打开", include=rooms, here=place.here, name=thing.value, type=thing.type)
    found = resolve_job(Job(named), situation)
    kept = members(found, situation) if found.found else found.choices
    devices = situation.home.shape.devices
    others = msgspec.structs.replace(place, name=None, type=thing.type, quantifier=Quantifier.ALL, excluded_names=())
    about = resolve_job(Job(others), situation)
    if kept and rooms and _complains(situation) and situation.local:  # 太亮了，光开里屋的灯: where it is too bright
        about = resolve_job(Job(msgspec.structs.replace(others, include=(situation.local,))), situation)
    ids = tuple(one for one in members(about, situation) or about.choices if one not in kept)
    off = tuple(one for one in kept if one in devices and not situation.is_active(one)) if len(kept) == 1 else ()
    jobs = [Job(others, ids, "only_one")] if ids else []
    return (*jobs, Job(named, off, "kept")) if off else tuple(jobs)


def _thing(situation: Situation) -> Mention | None:
    """The thing, of a known kind, right behind the words that leave it alone."""
    found = _only().search(situation.text)
    if found is None and ((found := _only_on().search(situation.text)) is None or not _complains(situation)):
        return None
    behind = [one for one in situation.of(*THINGS) if one.start >= found.end()]
    named = behind and behind[0].value not in ("", "*") and behind[0].type is not DeviceType.UNKNOWN
    return behind[0] if named else None


def _complains(situation: Situation) -> bool:
    """Whether it is said that it is too much: what is then named is to be enough."""
    wish = match_wish(situation.text) if situation.says(leaving().enough) else None
    return wish is not None and any(step.act.startswith("调低") for step in wish_table().wishes[wish.key].steps)
