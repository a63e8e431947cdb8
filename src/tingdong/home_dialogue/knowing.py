"""The devices that can answer a question: 哪里漏水了, 电池都还行吗, 哪些窗户开着 (service.md, Token frame, answers).

Measurements, batteries and doors are matched by the words of `home/data/properties.yaml` and `questions.yaml`, so that
the sensor need not be named. A name or room narrows them.
"""

from collections.abc import Iterable, Sequence

from context_retrieval.models import DeviceType, Quantifier, QueryIR
from context_retrieval.pipeline import resolve_ir
from tingdong.commands.reading import Mention, MentionKind
from tingdong.home.device import DeviceShape, watched
from tingdong.home.model import PropertyRole
from tingdong.home.query import is_lock
from tingdong.home.questions import Form, Question, asks_on, is_main_door, openings_in, says_main_door, speaks_of_locks
from tingdong.home.readings import is_readable
from tingdong.home.vocabulary import attributes, roles
from tingdong.home_dialogue.acting import ASKING, has_attribute
from tingdong.home_dialogue.mentioned import THINGS
from tingdong.home_dialogue.situation import Situation

__all__ = ["beside_the_other", "compared_rooms", "knowing"]

_WIDE = frozenset({Form.COUNT, Form.LIST, Form.ANY, Form.COMPARE})


def knowing(situation: Situation, question: Question) -> tuple[str, ...]:
    """The devices that know what is asked for, where it is asked for; none when the question is no such one."""
    if is_readable(question.attribute):
        devices = _named(_measuring(question.attribute, situation), question, situation)
        switch = all(roles()[role].states is not None for role in attributes()[question.attribute])
        return _placed(devices, situation, wide=switch or _is_wide(question, situation))
    if question.on is None:
        return ()
    parts = tuple(device.id for device in situation.home.shape.devices.values() if _door_is_said(device, situation))
    if speaks_of_locks(situation.text):
        locks = [one for one in situation.home.shape.devices.values() if is_lock(one)]
        if says_main_door(situation.text) and (own := tuple(one.id for one in locks if says_main_door(one.name))):
            return own
        return _placed(locks, situation, wide=_is_wide(question, situation))
    things = openings_in(situation.text)
    if parts or not things:
        return parts
    devices = _called(_openings(situation, things), situation)
    return _placed(devices, situation, wide=_is_wide(question, situation) or len(things) > 1)


def _measuring(attribute: str, situation: Situation) -> list[DeviceShape]:
    """What can say the attribute. Of a room it is what only measures, else what works on its air."""
    ranked = attributes()[attribute]
    own = roles()[ranked[0]]
    devices = [one for one in situation.home.shape.devices.values() if not one.by_role.keys().isdisjoint(ranked)]
    if own.among:
        return _first_of(devices, own.among, named=situation.has(*THINGS))
    if not own.of_room or situation.has(*THINGS):
        return devices
    measured = {device.room for device in devices if device.kind.sensor}
    return [
        device
        for device in devices
        if device.kind.sensor or (device.kind.climate and device.room not in measured and _senses(device, ranked))
    ]


def _first_of(devices: Sequence[DeviceShape], among: Sequence[str], *, named: bool) -> list[DeviceShape]:
    """Those of the kinds that the attribute is asked of; where nothing is named, of the first kind there is (水烧好没有
    asks the water heater, and not the aquarium)."""
    kinds = among if named else [next((kind for kind in among if any(one.kind.key == kind for one in devices)), "")]
    return [device for device in devices if device.kind.key in kinds]


def _senses(device: DeviceShape, ranked: Sequence[PropertyRole]) -> bool:
    return any(role in device.by_role and roles()[role].read_only for role in ranked)


def _door_is_said(device: DeviceShape, situation: Situation) -> bool:
    """冰箱门, 冰箱的门: the door of a thing that tells of its own."""
    if device.kind.sensor or PropertyRole.OPEN not in device.by_role:
        return False
    names = (device.plain, *device.kind.nouns)
    return any(f"{name}{of}门" in situation.text for name in names for of in ("", "的"))


def _is_wide(question: Question, situation: Situation) -> bool:
    ordered = bool(question.extreme or question.order) or question.limit is not None
    return question.form in _WIDE or question.every or question.where or ordered or situation.whole_home


def beside_the_other(
    ids: tuple[str, ...], spoken: tuple[str, ...], question: Question, situation: Situation
) -> tuple[str, ...]:
    """电饭煲和它谁先好 after the washer: the one thing that is compared, and what was spoken of that can be."""
    beside = situation.has(MentionKind.REFERENCE) or asks_on(situation.text)  # 哪个插座最费电 compares sockets
    if question.form is not Form.COMPARE or len(ids) != 1 or not beside:
        return ids
    devices, asked = situation.home.shape.devices, f"{ASKING}{question.attribute}"
    return (*(i for i in spoken if i in devices and i not in ids and has_attribute(devices[i], asked)), *ids)


# ---- what is named


def _named(devices: Sequence[DeviceShape], question: Question, situation: Situation) -> Sequence[DeviceShape]:
    """Those of the devices that the sentence names; all when it names none, or only what is asked for (燃气, 电池)."""
    words = {word for role in attributes()[question.attribute] for word in (roles()[role].label, *roles()[role].asked)}
    named = [
        mention
        for mention in situation.of(*THINGS)
        if not any(mention.value in word or word in mention.value for word in words) and mention.value not in _ANYTHING
    ]
    if not named:
        return devices
    ids = {device_id for mention in named for device_id in _meant(mention, situation)}
    return [device for device in devices if device.id in ids]


_ANYTHING = ("传感器", "设备", "电器", "东西", "感应器", "探测器")


def _meant(mention: Mention, situation: Situation) -> Iterable[str]:
    """All that a word for a thing may mean in the home."""
    bare = mention.kind is MentionKind.DEVICE and mention.value in ("", "*")
    query = QueryIR("查询状态", name=None if bare else mention.value, type=mention.type, quantifier=Quantifier.ALL)
    if bare and mention.type is DeviceType.UNKNOWN:
        return ()
    found = resolve_ir(query, situation.home.shape.catalog, situation.page.state, explicit_all=True)
    return found.entity_ids if found.found else found.choices


# ---- doors and windows


def _openings(situation: Situation, things: Sequence[str]) -> list[DeviceShape]:
    """The devices that sense or move a door or a window."""
    return [
        device
        for device in situation.home.shape.devices.values()
        if (device.kind.sensor and PropertyRole.OPEN in device.by_role and _is_one_of(device, things))
        or device.kind.opens in things
    ]


def _is_one_of(device: DeviceShape, things: Sequence[str]) -> bool:
    return any(thing in watched(device) for thing in things)


def _called(devices: list[DeviceShape], situation: Situation) -> list[DeviceShape]:
    """推拉门, 车库门: those whose own name is said, where one is."""
    named = [device for device in devices if len(watched(device)) > 1 and watched(device) in situation.text]
    if not named and says_main_door(situation.text):
        named = [device for device in devices if is_main_door(watched(device))]
    longest = max((len(watched(device)) for device in named), default=0)
    return [device for device in named if len(watched(device)) == longest] or devices


# ---- where


def compared_rooms(situation: Situation) -> tuple[str, ...]:
    """The two rooms that are compared, the one it is asked of first: 主卧比客厅, 比客厅冷吗 where one is, 比我这屋 of
    the room spoken of."""
    said = situation.rooms_said or ()
    if len(said) != 1:
        return said
    beside = (situation.page.room, situation.local) if situation.has(MentionKind.HERE) else situation.places[::-1]
    return (*[room for room in beside if room and room not in said][:1], *said)


def _placed(devices: Sequence[DeviceShape], situation: Situation, *, wide: bool) -> tuple[str, ...]:
    """Those in the rooms said; without a room those of the place where one is, unless the question is about all."""
    said = situation.rooms_said
    if situation.question.versus:
        said = None if situation.question.where else compared_rooms(situation)
    if said is not None:
        return tuple(device.id for device in devices if device.room in said)
    if not wide:
        for place in situation.places:
            if here := tuple(device.id for device in devices if device.room == place):
                return here
    return tuple(device.id for device in devices)
