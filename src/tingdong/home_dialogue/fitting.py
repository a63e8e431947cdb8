"""Adapts a request to the properties, choices and features of its devices.

The request is checked against the thing model before it is executed, and again before it is refused (service.md, Home
`model`).
"""

from collections.abc import Sequence

import msgspec

from context_retrieval.models import DeviceType, QueryIR, Resolution, ResolutionStatus
from context_retrieval.said_attributes import bare_verb
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind
from tingdong.home.acts import ActKind, acts, read_act
from tingdong.home.device import DeviceShape
from tingdong.home.kinds import kinds_in
from tingdong.home.model import PropertyRole
from tingdong.home.properties import PropertySpec
from tingdong.home.terms import feature_words
from tingdong.home.vocabulary import attribute_word, values
from tingdong.home_dialogue.acting import ON, SETTING, able, attribute_of, called_in
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.colloquial import choice_beside, feature_of
from tingdong.home_dialogue.complete import Job
from tingdong.home_dialogue.own_words import as_its_own, own_words
from tingdong.home_dialogue.page import Doing
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.target import members, resolve_job

__all__ = [
    "as_fits",
    "by_its_kind",
    "by_own_words",
    "feature_said",
    "its_own_light",
    "no_sensor",
    "of_feature",
    "part_of_a_thing",
    "where_it_stands",
]


A_LITTLE = "10%"
"""One step of the warmth of light."""


def as_fits(query: QueryIR, devices: Sequence[DeviceShape], situation: Situation) -> QueryIR:
    """The request by the names that the devices have for what is said."""
    query = _as_light(_as_called(query, devices, situation), devices, situation)
    query = _with_choice(query, devices, situation)
    return _as_its_own(query, devices, situation, denied=False) or query


def by_own_words(query: QueryIR, devices: Sequence[DeviceShape], situation: Situation) -> QueryIR | None:
    """What the devices have by the words of the clause, where they cannot do what was read."""
    return _as_its_own(query, devices, situation, denied=True)


def feature_said(query: QueryIR, devices: Sequence[DeviceShape], situation: Situation) -> PropertySpec | None:
    """What a device does beside its work, where that was named (电扇摇头), and not its power or its mode."""
    switches = query.action in verb_table().moves
    if (not switches and query.action != "设置模式") or len(devices) != 1:
        return None
    found = feature_of(list(devices), _clause_of(devices[0], situation).text)
    return found if found is not None and (switches or query.value in feature_words(found)) else None


def of_feature(query: QueryIR, feature: PropertySpec) -> QueryIR:
    """The request as switching the feature."""
    value = "关" if query.action == "关闭" else "开"
    return msgspec.structs.replace(query, action=f"设置{feature.label}", value=value)


def part_of_a_thing(job: Job, latest: Doing | None, situation: Situation) -> Job | None:
    """晾衣架的灯, 浴霸照明: where nothing is called so, the feature of the thing whose name stands before it; 消毒 by
    itself is that of the thing spoken of."""
    query = job.query
    if query.name is None or job.ids is not None or query.action not in verb_table().moves:
        return None
    devices = situation.home.shape.devices
    for device in [devices[i] for i in (latest.ids if latest else ()) if i in devices]:
        for spec in device.features:
            if query.name in feature_words(spec):
                return Job(of_feature(query, spec), (device.id,), "feature")
    for device in situation.home.shape.devices.values():
        for spec in device.features:
            for word in feature_words(spec):
                thing = query.name.removesuffix(word).removesuffix("的")
                if not query.name.endswith(word) or not thing:
                    continue
                named = msgspec.structs.replace(query, name=thing, type=DeviceType.UNKNOWN)
                found = resolve_job(Job(named), situation)
                ids = members(found, situation) if found.found else ()
                if device.id in ids and len(ids) == 1:
                    return Job(of_feature(named, spec), ids, "feature")
    return None


def by_its_kind(job: Job, resolution: Resolution, situation: Situation) -> Job | None:
    """收音机 where nothing is called so and the radio is 戏匣子: the one thing of the kind that the word is one for, in
    the rooms that are said."""
    query = job.query
    if query.name is None or job.ids is not None or resolution.status is not ResolutionStatus.NO_DEVICE:
        return None
    keys = kinds_in(query.name)
    found = [
        device
        for device in situation.home.shape.devices.values()
        if device.kind.key in keys and not device.kind.generic and (not query.include or device.room in query.include)
    ]
    if len(found) != 1 or query.name not in (found[0].kind.word, *found[0].kind.nouns):
        return None
    named = msgspec.structs.replace(query, name=found[0].plain, type=found[0].type)
    return Job(named, (found[0].id,), "kind", text=job.text)


def no_sensor(job: Job, ids: tuple[str, ...], situation: Situation) -> Job | None:
    """把大门锁上, where a contact and a lock are called so: what only measures is not what is worked."""
    query, devices = job.query, situation.home.shape.devices
    sensors = bool(ids) and all(i in devices and devices[i].is_sensor for i in ids)
    if query.name is None or job.ids is not None or not sensors or read_act(query.action).kind is ActKind.ASK:
        return None
    others = [one.id for one in devices.values() if query.name in one.plain and not one.is_sensor]
    worked = able(query, others, situation)
    return msgspec.structs.replace(job, ids=worked) if len(worked) == 1 else None


def where_it_stands(job: Job, resolution: Resolution, situation: Situation) -> Job | None:
    """电脑那边的…, where no room is called so: in the one room that has a thing with that name."""
    if job.ids is not None or resolution.status is not ResolutionStatus.NO_ROOM or not resolution.missing:
        return None
    shape = situation.home.shape
    rooms = {one.room for word in resolution.missing for one in shape.devices.values() if word in one.plain}
    if len(rooms) != 1 or not (room := rooms.pop()) or len(resolution.missing) < len(job.query.include):
        return None
    return msgspec.structs.replace(job, query=msgspec.structs.replace(job.query, include=(room,)))


def its_own_light(query: QueryIR, latest: Doing | None, situation: Situation, *, beside: bool) -> Job | None:
    """浴霸换气，灯也打开: the light of the thing that was just spoken of, where no lamp is named and no other place.
    `beside`: it was spoken of in the same sentence; else only 它 points at it."""
    lamps = query.type is DeviceType.LIGHT and query.name is None and query.action in verb_table().moves
    placed = query.include or query.exclude or situation.has(MentionKind.ALL, MentionKind.EXCEPT, MentionKind.ROOM)
    if not lamps or placed or latest is None or len(latest.ids) != 1:
        return None
    if not beside and not situation.has(MentionKind.REFERENCE):
        return None
    device = situation.home.shape.devices.get(latest.ids[0])
    if device is None or device.type is DeviceType.LIGHT:
        return None
    words = [situation.text[one.start : one.end] for one in situation.of(MentionKind.DEVICE)]
    lights = [spec for spec in device.features if any(word in feature_words(spec) for word in words)]
    on = query.action == "打开"
    if not lights:
        return None
    by_name = lights[0].label in words or situation.has(MentionKind.REFERENCE)  # 照明也打开
    if not by_name and _some_lamp_is(situation, on=not on):
        return None  # 油烟机开两档，灯关掉: the lamp of the room, where that is on
    return Job(of_feature(query, lights[0]), latest.ids, "feature")


def _some_lamp_is(situation: Situation, *, on: bool) -> bool:
    """Whether a lamp of the place where one is stands so."""
    devices = situation.home.shape.by_room.get(situation.local, ())
    return any(device.type is DeviceType.LIGHT and situation.is_active(device.id) is on for device in devices)


def _as_called(query: QueryIR, devices: Sequence[DeviceShape], situation: Situation) -> QueryIR:
    """力度大一点, read as an attribute that the device lacks and nobody said: the property that was called so, else
    what the device is worked by (小太阳调到两成 where that is a lamp)."""
    act, text = read_act(query.action), situation.text
    if act.role is None or attribute_of(query.action) in text:
        return query
    specs = [spec for device in devices for spec in device.properties.values() if not spec.readonly]
    called = called_in(text, specs)
    by_role = any(act.role in device.by_role for device in devices)
    only = query.value is None and len(situation.queries) == 1  # 雾量调大, read as more of the humidity
    if len(called) == 1 and (not by_role or (only and next(iter(called)) in text)):
        value = query.value.rstrip("C") if query.value else None  # 浓度调到3 says no degrees
        return msgspec.structs.replace(query, action=query.action[:2] + next(iter(called)), value=value)
    if by_role:
        return query
    bare = bare_verb(query.action, query.value, text)
    if bare is None:
        return query
    value = query.value.rstrip("C") if query.value and act.role is PropertyRole.TEMPERATURE else query.value
    return msgspec.structs.replace(query, action=bare, value=value)


def _as_light(query: QueryIR, devices: Sequence[DeviceShape], situation: Situation) -> QueryIR:
    """黄一点, 白光 of lamps without colours: the warmth of their light."""
    has = [PropertyRole.COLOUR_TEMPERATURE in one.by_role and PropertyRole.COLOUR not in one.by_role for one in devices]
    warmth = values().as_light.get(query.value or "")
    if (
        query.value is None
        or warmth is None
        or not has
        or not all(has)
        or read_act(query.action).role is not PropertyRole.COLOUR
    ):
        return query
    a_little = any(f"{query.value.removesuffix('色')}{word}" in situation.text for word in answers().step_after)
    if a_little:
        return msgspec.structs.replace(query, action="调低色温" if warmth == "暖" else "调高色温", value=A_LITTLE)
    return msgspec.structs.replace(query, action=f"{SETTING}色温", value=warmth)


def _with_choice(query: QueryIR, devices: Sequence[DeviceShape], situation: Situation) -> QueryIR:
    """浴霸打开取暖, 阿福去拖地: what is begun is put to the choice of its own that is said with it."""
    usual = acts().worked[PropertyRole.ACTIVITY][0]
    if query.action not in (ON, usual) or len(devices) != 1:
        return query
    activity = devices[0].by_role.get(PropertyRole.ACTIVITY)
    said = own_words(devices[0], _clause_of(devices[0], situation).text) if activity is not None else ()
    own = next((one.value for one in said if one.spec is activity), None)
    if activity is not None and own is not None and activity.words[own] != activity.words.get(usual):
        return msgspec.structs.replace(query, action=SETTING + attribute_word(activity.role, activity.label), value=own)
    chosen = choice_beside(devices[0], situation)
    return query if chosen is None else msgspec.structs.replace(query, action=chosen[0], value=chosen[1])


def _as_its_own(
    query: QueryIR, devices: Sequence[DeviceShape], situation: Situation, *, denied: bool
) -> QueryIR | None:
    """The request as a choice or a feature that devices of one kind have by the words of their clause."""
    if len({device.kind.key for device in devices}) != 1:
        return None
    if query.action.startswith("调低") and not any(situation.is_active(device.id) for device in devices):
        return None  # less never switches on
    return as_its_own(query, devices, _clause_of(devices[0], situation), denied=denied)


def _clause_of(device: DeviceShape, situation: Situation) -> Situation:
    """The clause that names the device; the whole sentence where there is one only, or none does."""
    spans = situation.clause_spans
    named = [span for span in spans if device.plain in situation.text[slice(*span)]]
    return situation.part(*named[0]) if len(spans) > 1 and named else situation
