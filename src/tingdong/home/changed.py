"""A home whose bytes differ a little from a known one's: only the devices that changed are decoded (service.md, Request
frame).

Obeying a command changes a device's state, so the next request brings nearly the same bytes. What comes before the
first difference and after the last one is known to be valid; when the bytes between are whole devices, in the place of
as many devices of the same id, name, room and model, then the document is the known home with other states. Anything
else is for the full decoder to judge.
"""

from bisect import bisect_right
from typing import Any

import msgspec

from tingdong.home.home import HomeSnapshot

__all__ = ["Identity", "KnownHome", "ShapeKey", "SkimmedDevice", "differing"]

Identity = tuple[str, str, str, str]
"""Id, name, room and model of a device: what its shape is made from."""


ShapeKey = tuple[bytes, bytes, bytes, bytes, tuple[Identity, ...]]
"""All that shapes a home: layout, models, groups and scenes as they came, and the devices' identities in order."""


class SkimmedTwin(msgspec.Struct, gc=False):
    """A device's model id and present state."""

    model: str
    state: dict[str, Any] = {}


class SkimmedDevice(msgspec.Struct, gc=False):
    """A device without its model's definition (service.md, Home `devices[]`)."""

    id: str
    device: SkimmedTwin
    name: str = ""
    local: str = ""
    online: bool = True

    @property
    def identity(self) -> Identity:
        """The device's fields less its state."""
        return self.id, self.name, self.local, self.device.model


class _Places(msgspec.Struct):
    devices: msgspec.Raw = msgspec.Raw(b"")


_PLACES = msgspec.json.Decoder(_Places)
_PIECES = msgspec.json.Decoder(list[msgspec.Raw])
_DEVICES = msgspec.json.Decoder(list[SkimmedDevice])
_SEPARATORS = b", \t\r\n"
_SHARE = 4
"""A change of more than this part of a home is decoded with all of it."""


class KnownHome:
    """A home, the bytes it was read from and the key of its shape.

    Where the devices stand in the bytes is found when it is first asked for; nothing is found where that is ambiguous.
    """

    __slots__ = ("_ends", "_starts", "home", "key", "raw")

    def __init__(self, raw: bytes, home: HomeSnapshot, key: ShapeKey) -> None:
        self.raw: bytes = raw
        self.home: HomeSnapshot = home
        self.key: ShapeKey = key
        self._starts: list[int] | None = None
        self._ends: list[int] = []

    def patched(self, raw: bytes) -> "KnownHome | None":
        """The home in `raw`, when it is this one with other states of few devices; None when that is not certain."""
        start, old_end, new_end = differing(self.raw, raw)
        if max(old_end, new_end) - start > len(self.raw) // _SHARE:
            return None
        if self._starts is None:
            self._starts, self._ends = _device_places(self.raw)
        starts, ends = self._starts, self._ends
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, max(start, old_end - 1)) - 1
        if first < 0 or start >= ends[first] or old_end > ends[last]:
            return None
        shift = len(raw) - len(self.raw)
        piece = b"[%b]" % raw[starts[first] : ends[last] + shift]
        home = self._with_states(first, last + 1, piece)
        if home is None:
            return None
        known = KnownHome(raw, home, self.key)
        if first == last and not shift:
            known._starts, known._ends = starts, ends
        else:
            within = _places_in(piece, starts[first] - 1)
            known._starts = [*starts[:first], *within[0], *(place + shift for place in starts[last + 1 :])]
            known._ends = [*ends[:first], *within[1], *(place + shift for place in ends[last + 1 :])]
        return known

    def _with_states(self, first: int, after: int, piece: bytes) -> HomeSnapshot | None:
        """This home with the states that `piece` gives its devices `first` up to `after`."""
        try:
            devices = _DEVICES.decode(piece)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            return None
        if [device.identity for device in devices] != list(self.key[4][first:after]):
            return None
        properties, online = dict(self.home.properties), dict(self.home.online)
        for device in devices:
            properties[device.id] = device.device.state
            online.pop(device.id, None)
            if not device.online:
                online[device.id] = False
        return HomeSnapshot(self.home.shape, properties, online)


def differing(old: bytes, new: bytes) -> tuple[int, int, int]:
    """Where two texts differ: from `start`, the same in both, up to an end in each.

    By halving, since comparing slices is far cheaper than a loop over bytes.
    """
    old_size, new_size = len(old), len(new)
    start, high = 0, min(old_size, new_size)
    rest = high
    while start < high:
        middle = (start + high + 1) // 2
        if old[start:middle] == new[start:middle]:
            start = middle
        else:
            high = middle - 1
    tail, high = 0, rest - start
    while tail < high:
        middle = (tail + high + 1) // 2
        if old[old_size - middle : old_size - tail] == new[new_size - middle : new_size - tail]:
            tail = middle
        else:
            high = middle - 1
    return start, old_size - tail, new_size - tail


def _device_places(raw: bytes) -> tuple[list[int], list[int]]:
    """First byte of each device and the byte after it; nothing when the list of devices stands there twice."""
    devices = bytes(_PLACES.decode(raw).devices)
    at = raw.find(devices) if devices else -1
    if at < 0 or raw.find(devices, at + 1) >= 0:
        return [], []
    return _places_in(devices, at)


def _places_in(array: bytes, at: int) -> tuple[list[int], list[int]]:
    """The same within a JSON array whose first byte is byte `at` of the text."""
    starts: list[int] = []
    ends: list[int] = []
    place = 1
    for piece in _PIECES.decode(array):
        while array[place] in _SEPARATORS:
            place += 1
        starts.append(at + place)
        place += memoryview(piece).nbytes
        ends.append(at + place)
    return starts, ends
