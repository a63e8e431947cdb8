"""A plain list of devices as retrieval.md hands them in, in the place of a home (service.md,
Home)."""

from threading import Lock

import msgspec

from context_retrieval.catalog import Catalog
from context_retrieval.models import Device, DeviceType
from tingdong.commands.reading import NameTable
from tingdong.errors import BadHome
from tingdong.home.document import LONGEST_ID, LONGEST_NAME, UNREADABLE, wire_fault
from tingdong.home.shape import generic_words

__all__ = ["ListStore", "ListedDevices", "is_list", "names_of"]

MOST_ALIASES = 32

_devices = msgspec.json.Decoder(list[Device], strict=False)


class ListedDevices:
    """The devices of a list: what retrieval searches, and the words a parser should look for. Raises `BadHome`."""

    def __init__(self, raw: bytes) -> None:
        try:
            devices = _devices.decode(raw)
        except UNREADABLE as error:
            raise wire_fault(error) from error
        if len({device.id for device in devices}) < len(devices):
            raise BadHome("设备的 id 不能重复", path="id")
        for index, device in enumerate(devices):
            words = (device.name, device.room, *device.aliases)
            if len(device.id) > LONGEST_ID or len(words) > MOST_ALIASES or max(map(len, words)) > LONGEST_NAME:
                raise BadHome(f"设备的名字最多 {LONGEST_NAME} 个字符，别名最多 {MOST_ALIASES} 个", path=f"[{index}]")
        self.catalog: Catalog = Catalog.build(devices)
        self.names: NameTable = names_of(self.catalog)


class ListStore:
    """Lists that are kept built, by their bytes: `most_bytes` of them, the least recently used out first.

    They lie beside the store of homes: nothing names them, no page holds them, and no state of theirs changes.
    """

    def __init__(self, most_bytes: int = 2**19) -> None:
        self._most_bytes = most_bytes
        self._kept: dict[bytes, ListedDevices] = {}
        self._lock = Lock()

    def open(self, raw: bytes) -> ListedDevices:
        """The devices in these JSON bytes. Raises `BadHome`."""
        with self._lock:
            listed = self._kept.pop(raw, None)
        listed = listed or ListedDevices(raw)
        with self._lock:
            self._kept[raw] = listed
            while sum(map(len, self._kept)) > self._most_bytes and len(self._kept) > 1:
                del self._kept[next(iter(self._kept))]
        return listed


def is_list(raw: bytes) -> bool:
    """Whether JSON bytes hold a list, and so retrieval's devices."""
    return raw.lstrip()[:1] == b"["


def names_of(catalog: Catalog) -> NameTable:
    """The names, rooms and scenes of a catalog as words for a parser."""
    names: dict[str, DeviceType] = {}
    for device, profile in zip(catalog.devices, catalog.profiles, strict=True):
        for word in (device.name, *device.aliases):
            if word and word not in generic_words():
                known = names.get(word)
                names[word] = profile.type if known in (None, profile.type) else DeviceType.UNKNOWN
    for group in catalog.groups.values():
        names.setdefault(group.name, DeviceType.UNKNOWN)
    scenes = frozenset(scene.name for scene in catalog.scenes.values())
    rooms = frozenset((*catalog.rooms.rooms, *catalog.rooms.telling))
    return NameTable(names=names, rooms=rooms, scenes=scenes)
