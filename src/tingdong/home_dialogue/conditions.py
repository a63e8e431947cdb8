"""The sensor of a condition (service.md: `客厅温度>28C`). An unmeasurable condition is never set; one on the device's
own present state is decided at once (空调开着就调高).

Without a place: the device's room if it has the sensor, else the sensor mentioned last, the only one, or the one in the
user's room; several others give a question.
"""

from collections.abc import Sequence

import msgspec

from context_retrieval.models import DeviceType, QueryIR
from context_retrieval.when import When, WhenKind, parse_when
from tingdong.commands.reading import MentionKind
from tingdong.home.device import DeviceShape
from tingdong.home.home import HomeSnapshot
from tingdong.home.kinds import kinds_in
from tingdong.home.model import Instruct, Plan
from tingdong.home.readings import called, is_readable
from tingdong.home.states import is_active, spoken, state_clause
from tingdong.home.vocabulary import attributes, kinds
from tingdong.home_dialogue.events import asked_hour
from tingdong.home_dialogue.leaving import leaving
from tingdong.home_dialogue.situation import Situation

__all__ = [
    "Unwatched",
    "bound",
    "left_to_itself",
    "measure_of",
    "measured_in",
    "of_itself",
    "stands_so",
    "told_as_it_is",
    "watching_in",
]

_MOST_LISTED = 6


class Unwatched(msgspec.Struct, frozen=True):
    """What is not known of when: the sensor of a condition, with the rooms that have one (none: nothing measures it),
    or the hour of an event."""

    attribute: str
    place: str = ""
    rooms: tuple[str, ...] = ()

    hour: str = ""
    """The question for the hour of an event, where the request waits for one."""

    @property
    def open(self) -> bool:
        """Whether there is something to be asked."""
        return bool(self.rooms or self.hour)

    @property
    def told(self) -> str:
        """The question, or why nothing was set."""
        if self.hour:
            return self.hour
        sensed = called(self.attribute)
        if not self.rooms:
            return f"家里没有能测{sensed}的设备，这个条件定不了，没有做。"
        lacks = f"{self.place}没有能测{sensed}的设备，" if self.place else ""
        return f"{lacks}看哪里的{sensed}呢？{'、'.join(self.rooms)}可以测。"


def of_itself(when: str | None, name: str | None, kind: DeviceType) -> When | None:
    """The condition on how the thing acted on stands (主卧空调=打开, of the air conditioner); None for any other."""
    said = parse_when(when) if when else None
    if said is None or said.kind is not WhenKind.CONDITION or said.attribute or said.value not in leaving().switched:
        return None
    if name not in (None, "*"):
        return said if name in said.subject else None
    return said if kind in {kinds()[key].type for key in kinds_in(said.subject)} else None


def stands_so(query: QueryIR, ids: Sequence[str], situation: Situation) -> tuple[str, ...] | None:
    """Of the things acted on, those that are now as the condition says of them, else such a one where one stands, where
    no place was said; None where it waits for something, or for what is yet to come (空调一开就调到26)."""
    said = of_itself(query.when, query.name, query.type)
    words = [situation.text[one.start : one.end] for one in situation.of(MentionKind.WHEN) if one.value == query.when]
    if said is None or not any(word in told for told in words for word in leaving().as_it_stands):
        return None
    home, wanted = situation.home, leaving().switched[said.value]
    meant = [home.shape.devices[one] for one in ids if one in home.shape.devices]
    kinds_meant = {one.kind.key for one in meant}
    placed = query.include or query.here or query.reference is not None
    here = () if placed else home.shape.by_room.get(situation.local, ())
    pools = (meant, [one for one in here if one.kind.key in kinds_meant])
    found = (tuple(one.id for one in pool if is_active(home, one) is wanted) for pool in pools)
    return next((one for one in found if one), ())


def told_as_it_is(ids: Sequence[str], situation: Situation) -> str:
    """Why nothing is done: how the things stand."""
    devices = [situation.home.shape.devices[i] for i in ids if i in situation.home.shape.devices][:_MOST_LISTED]
    told = "，".join(spoken(situation.home, one, state_clause(situation.home, one)) for one in devices)
    return f"{told}，不用动。"


def measure_of(when: str | None) -> When | None:
    """The condition, where it waits for something that is measured (PM2.5<35), and not for the state of a thing."""
    said = parse_when(when) if when else None
    measured = said is not None and said.kind is WhenKind.CONDITION and is_readable(said.attribute)
    return said if measured else None


def measured_in(attribute: str, situation: Situation) -> tuple[str, ...]:
    """The rooms where something tells the attribute, in the home's order."""
    devices = situation.home.shape.devices.values()
    return tuple(dict.fromkeys(one.room for one in devices if one.room and _measures(one, attribute)))


def _measures(device: DeviceShape, attribute: str) -> bool:
    ranked = attributes().get(attribute, ())
    return any(spec.readonly and spec.role in ranked for spec in device.properties.values())


def bound(query: QueryIR, ids: Sequence[str], situation: Situation) -> QueryIR | Unwatched:
    """The request with its condition bound to a room that is measured, or what is to be asked about it."""
    if hour := asked_hour(query.when):
        return Unwatched("", hour=hour)
    said = measure_of(query.when)
    if said is None:
        return query
    rooms = measured_in(said.attribute, situation)
    names, devices = situation.home.shape.catalog.rooms, situation.home.shape.devices
    if said.subject:
        found = names.find(said.subject)
        lacks = bool(found) and not set(found) & set(rooms)
        return Unwatched(said.attribute, said.subject, rooms) if lacks else query
    own = {devices[one].room for one in ids if one in devices}
    if own and own <= set(rooms):
        return query
    room = _of_the_sensor(said.attribute, rooms, situation)
    if room is None:
        return Unwatched(said.attribute, "", rooms)
    return msgspec.structs.replace(query, when=f"{room}{query.when}")


def _of_the_sensor(attribute: str, rooms: Sequence[str], situation: Situation) -> str | None:
    """The room whose sensor is meant where none is said."""
    devices = situation.home.shape.devices
    recent = (devices[one] for one in situation.page.recent() if one in devices)
    spoken = next((one.room for one in recent if _measures(one, attribute)), None)
    if spoken is not None or len(rooms) == 1:
        return spoken or rooms[0]
    return next((place for place in situation.places if place in rooms), None)


def watching_in(room: str, when: str, attribute: str = "") -> str:
    """The condition with another room before it, and another attribute where one is said."""
    said = parse_when(when)
    if said is None or said.kind is not WhenKind.CONDITION:
        return when
    return f"{room}{attribute or said.attribute}{said.comparison.value}{said.value}{said.unit}"


def left_to_itself(when: str, planned: Plan, home: HomeSnapshot) -> Plan:
    """A conditional setting of a device that is on leaves it to the device: only a timed one carries the power."""
    said = parse_when(when)
    if said is None or said.kind is not WhenKind.CONDITION:
        return planned
    return msgspec.structs.replace(planned, instructs=tuple(_without_power(one, home) for one in planned.instructs))


def _without_power(instruct: Instruct, home: HomeSnapshot) -> Instruct:
    device = home.shape.devices.get(instruct.id)
    power = device.power if device is not None else None
    if device is None or power is None or len(instruct.state) < 2 or not home.is_on(device):
        return instruct
    state = {name: value for name, value in instruct.state.items() if name != power.name}
    return msgspec.structs.replace(instruct, state=state)
