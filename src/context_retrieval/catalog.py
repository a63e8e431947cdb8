"""The entities of one home, indexed once and reused for every request (retrieval.md; architecture, "Home = shape +
state").

Building reads each device once; what only some requests need (names of a room, loose names, sets of a type) is made
when first asked for. `replace` exchanges one device in place; whoever owns the catalog must not do so during a
retrieval.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Self
from weakref import proxy

import msgspec
from msgspec import structs

from context_retrieval.kinds import Profile, profile, strip_prefixes
from context_retrieval.models import Device, DeviceCommand, DeviceType, EntityKind, Group, Scene
from context_retrieval.names import Level, NameEntry, NameSet
from context_retrieval.protection import Protection
from context_retrieval.rooms import RoomIndex
from context_retrieval.sharing import shared_commands
from context_retrieval.text import normalise

__all__ = ["Catalog", "Entity"]

Entity = Device | Group | Scene
SCENE_ENDINGS = ("模式", "场景", "情景")


class Catalog:
    """Devices, groups and scenes of one home. Positions count devices in the home's order; `devices`, `profiles` and
    `commands` are indexed by position."""

    def __init__(self, devices: Sequence[Device], groups: Sequence[Group], scenes: Sequence[Scene]) -> None:
        self.devices: list[Device] = list(devices)
        self._alike: dict[Profile, Profile] = {}
        self.profiles: list[Profile] = [self._profile(device) for device in self.devices]
        self._shared: dict[tuple[DeviceCommand, ...], tuple[DeviceCommand, ...]] = {}
        self.commands: list[tuple[DeviceCommand, ...]] = [self._share(device.commands) for device in self.devices]
        self.groups: dict[str, Group] = {group.id: group for group in groups}
        self.scenes: dict[str, Scene] = {scene.id: scene for scene in scenes}
        self._position: dict[str, int] = {device.id: index for index, device in enumerate(self.devices)}
        self._by_room: dict[str, list[int]] = {}
        for index in self._position.values():  # a position is one object, wherever it is kept
            self._by_room.setdefault(self.devices[index].room, []).append(index)
        self._rooms: RoomIndex | None = None
        self._room_names: dict[str, NameSet] = {}
        self._home_names: NameSet | None = None
        self._collective_names: NameSet | None = None
        self._by_collective_form: dict[str, list[tuple[Level, Group | Scene]]] | None = None
        self._collectives: list[Group | Scene] = [*groups, *scenes]
        self._by_type: dict[DeviceType, tuple[int, ...]] = {}
        self._by_sense: dict[str, tuple[int, ...]] | None = None
        self._ids: list[str] = [device.id for device in self.devices]
        self._extra_rooms: tuple[str, ...] = ()
        self._sorts: Sequence[int] | None = None
        self._protected: dict[str, Protection] | None = None
        self._group_sets: dict[frozenset[str], Group] | None = None
        self._able_groups: dict[str, Group] = {}
        self.version: int = 0
        """How often a device was exchanged: what is made of the catalog elsewhere is made anew when it grows."""

    @classmethod
    def build(
        cls,
        devices: Iterable[Device | dict[str, Any]],
        groups: Iterable[Group | dict[str, Any]] = (),
        scenes: Iterable[Scene | dict[str, Any]] = (),
        *,
        rooms: Sequence[str] = (),
    ) -> Self:
        """A catalog of `devices` (values or dicts of the documented form); `rooms` names further rooms, which may be
        empty.

        Of several devices with one id the last wins. Raises `msgspec.ValidationError` for a foreign shape.
        """
        by_id = {device.id: device for device in map(Device.of, devices)}
        catalog = cls(
            tuple(by_id.values()),
            [group if isinstance(group, Group) else msgspec.convert(group, Group) for group in groups],
            [scene if isinstance(scene, Scene) else msgspec.convert(scene, Scene) for scene in scenes],
        )
        catalog._extra_rooms = tuple(rooms)
        return catalog

    def __len__(self) -> int:
        return len(self.devices)

    def __contains__(self, entity_id: object) -> bool:
        return entity_id in self._position or entity_id in self.groups or entity_id in self.scenes

    def get(self, entity_id: str) -> Entity | None:
        """The device, group or scene of that id; None for an id that this home does not have."""
        position = self._position.get(entity_id)
        if position is not None:
            return self.devices[position]
        return self.group(entity_id) or self.scenes.get(entity_id)

    def group(self, group_id: str) -> Group | None:
        """The group of that id with the commands that all its devices share."""
        group = self.groups.get(group_id)
        if group is None or group.commands:
            return group
        found = self._able_groups.get(group_id)
        if found is None:
            members = [self.commands[self._position[one]] for one in self.members(group_id)]
            found = self._able_groups[group_id] = structs.replace(group, commands=shared_commands(members))
        return found

    def kind_of(self, entity_id: str) -> EntityKind:
        """What `entity_id` is. Raises KeyError for an id that is not of this home."""
        if entity_id in self._position:
            return EntityKind.DEVICE
        if entity_id in self.groups:
            return EntityKind.GROUP
        if entity_id in self.scenes:
            return EntityKind.SCENE
        raise KeyError(entity_id)

    def members(self, group_id: str) -> tuple[str, ...]:
        """Ids of a group's devices that the home has, in the home's order."""
        group = self.groups.get(group_id)
        if group is None:
            return ()
        positions = sorted(self._position[device] for device in set(group.devices) if device in self._position)
        return self.ids(positions)

    def position(self, entity_id: str) -> int | None:
        """The device's place in the home's order, from 0; None for an id that is no device of this home."""
        return self._position.get(entity_id)

    def ids(self, positions: Iterable[int]) -> tuple[str, ...]:
        """The ids of the devices at these positions, in their order."""
        return tuple(map(self._ids.__getitem__, positions))

    def profile(self, device_id: str) -> Profile:
        """What is known of a device: type, kind, what it can do. Raises KeyError for an id that is no device."""
        return self.profiles[self._position[device_id]]

    @property
    def rooms(self) -> RoomIndex:
        """The home's rooms: those named further, then those of the devices in the home's order."""
        if self._rooms is None:
            by_first = sorted(self._by_room, key=lambda room: self._by_room[room][0])
            self._rooms = RoomIndex([*self._extra_rooms, *by_first])
        return self._rooms

    def in_rooms(self, rooms: Sequence[str]) -> list[int]:
        """Positions of the devices in `rooms`, in the home's order."""
        if len(rooms) == 1:
            return self._by_room.get(rooms[0], [])
        return sorted(position for room in dict.fromkeys(rooms) for position in self._by_room.get(room, ()))

    def of_type(self, kind_type: DeviceType) -> tuple[int, ...]:
        """Positions of all devices of a type, in the home's order."""
        found = self._by_type.get(kind_type)
        if found is None:
            profiles = self.profiles
            found = tuple(index for index in self._position.values() if profiles[index].type is kind_type)
            self._by_type[kind_type] = found
        return found

    def by_sort(self, positions: Sequence[int]) -> dict[int, int]:
        """One of the positions for each sort of device among them: what one of a sort can do, all of it can."""
        return dict(zip(map(self.sorts.__getitem__, positions), positions, strict=True))

    @property
    def sorts(self) -> Sequence[int]:
        """The sort of each device: those with the same commands and profile share a number."""
        if self._sorts is None:
            known: dict[tuple[int, int], int] = {}
            pairs = zip(map(id, self.commands), map(id, self.profiles), strict=True)
            self._sorts = [known.setdefault(pair, len(known)) for pair in pairs]
        return self._sorts

    @property
    def protections(self) -> dict[str, Protection]:
        """Why devices are protected, by id."""
        if self._protected is None:
            both = zip(self._ids, self.profiles, strict=True)
            self._protected = {one: its.protection for one, its in both if its.protection is not None}
        return self._protected

    def sensing(self, attribute: str) -> tuple[int, ...]:
        """Positions of all devices that measure an attribute, in the home's order."""
        return self.senses.get(attribute, ())

    @property
    def senses(self) -> Mapping[str, tuple[int, ...]]:
        """Positions of devices by what they measure: known attributes, and the home's own words for others (气压)."""
        if self._by_sense is None:
            found: dict[str, list[int]] = {}
            for position, one in enumerate(self.profiles):
                for sense in one.senses:
                    found.setdefault(sense, []).append(position)
            self._by_sense = {sense: tuple(positions) for sense, positions in found.items()}
        return self._by_sense

    def names_in(self, room: str) -> NameSet:
        """The names of one room's devices."""
        names = self._room_names.get(room)
        if names is None:
            names = NameSet(map(self._named, self._by_room.get(room, ())), self._without_room)
            self._room_names[room] = names
        return names

    @property
    def names(self) -> NameSet:
        """The names of all devices."""
        if self._home_names is None:
            self._home_names = NameSet(map(self._named, self._position.values()), self._without_room)
        return self._home_names

    def collectives_named(self, form: str) -> Sequence[tuple[Level, Group | Scene]]:
        """Groups and scenes that the normal form `form` names: by name, or without the room or a word like 模式."""
        if self._by_collective_form is None:
            self._by_collective_form = self._collective_forms()
        return self._by_collective_form.get(form, ())

    @property
    def collective_names(self) -> NameSet:
        """The names of groups and scenes; their positions index `collectives`."""
        if self._collective_names is None:
            things = (
                NameEntry(index, entity.name, (entity.local or "") if isinstance(entity, Group) else "")
                for index, entity in enumerate(self._collectives)
            )
            self._collective_names = NameSet(things, self._without_room)
        return self._collective_names

    @property
    def collectives(self) -> Sequence[Group | Scene]:
        """Groups, then scenes."""
        return self._collectives

    def _collective_forms(self) -> dict[str, list[tuple[Level, Group | Scene]]]:
        forms: dict[str, list[tuple[Level, Group | Scene]]] = {}
        for entity in self._collectives:
            form = normalise(entity.name)
            loose = {strip_prefixes(form)}
            if isinstance(entity, Group) and entity.local:
                for room in self.rooms.find(entity.local)[:1]:
                    loose.add(self.rooms.without_room(room, form) or form)
            if isinstance(entity, Scene):
                loose.update(form + ending for ending in SCENE_ENDINGS)
                loose.update(form.removesuffix(ending) for ending in SCENE_ENDINGS)
            forms.setdefault(form, []).append((Level.NORMALISED, entity))
            for other in sorted(loose - {form, ""}):
                forms.setdefault(other, []).append((Level.CORE, entity))
        return forms

    @property
    def _without_room(self) -> Callable[[str, str], str | None]:
        """A name without its room, for sets of names; these hold no catalog, so that one that is left goes at once."""
        catalog = proxy(self)
        return lambda room, form: catalog.rooms.without_room(room, form)  # noqa: PLW0108 - the rooms may be others

    def group_of(self, ids: Sequence[str]) -> Group | None:
        """The group whose devices are exactly `ids`, whatever their order."""
        if self._group_sets is None:
            self._group_sets = {frozenset(self.members(group.id)): group for group in reversed(self.groups.values())}
        return self._group_sets.get(frozenset(ids)) if self._group_sets else None

    def all_positions(self) -> range:
        """The positions of all devices."""
        return range(len(self.devices))

    def room_of(self, position: int) -> str:
        """The room of the device at a position; "" where it has none."""
        return self.devices[position].room

    def replace(self, device: Device | dict[str, Any]) -> None:
        """Exchange the device of the same id in place, or append a new one; nothing else is indexed again."""
        device = Device.of(device)
        position = self._position.get(device.id)
        if position is None:
            position = len(self.devices)
            self._position[device.id] = position
            self.devices.append(device)
            self._ids.append(device.id)
            self.profiles.append(self._profile(device))
            self.commands.append(self._share(device.commands))
        else:
            if self.devices[position].room != device.room:
                self._rooms = None
            self._unlink(position)
            self.devices[position] = device
            self.profiles[position] = self._profile(device)
            self.commands[position] = self._share(device.commands)
        self._link(position, device)

    def _share(self, commands: tuple[DeviceCommand, ...]) -> tuple[DeviceCommand, ...]:
        """One object for equal commands, so that what is worked out for one device serves all of its kind."""
        return self._shared.setdefault(commands, commands)

    def _profile(self, device: Device) -> Profile:
        """One object for equal profiles, likewise."""
        found = profile(device)
        return self._alike.setdefault(found, found)

    def _unlink(self, position: int) -> None:
        old = self.devices[position]
        self._by_room[old.room].remove(position)
        if not self._by_room[old.room]:
            del self._by_room[old.room]
        if (names := self._room_names.get(old.room)) is not None:
            names.remove(position)
        if self._home_names is not None:
            self._home_names.remove(position)
        self._by_type.pop(self.profiles[position].type, None)

    def _link(self, position: int, device: Device) -> None:
        if device.room not in self._by_room:
            self._rooms = None
        room = self._by_room.setdefault(device.room, [])
        room.append(position)
        room.sort()
        if (names := self._room_names.get(device.room)) is not None:
            names.add(self._named(position))
        if self._home_names is not None:
            self._home_names.add(self._named(position))
        self._by_type.pop(self.profiles[position].type, None)
        self._by_sense = self._sorts = self._protected = None
        self.version += 1
        self._group_sets = self._by_collective_form = None
        self._able_groups.clear()

    def _named(self, position: int) -> NameEntry:
        device = self.devices[position]
        return NameEntry(position, device.name, device.room, device.aliases, self.profiles[position])

    def __iter__(self) -> Iterator[Entity]:
        yield from self.devices
        yield from self._collectives

    def by_id(self) -> Mapping[str, int]:
        """Positions by device id."""
        return self._position
