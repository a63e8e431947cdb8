"""Homes that do not change are not decoded, and shapes that do not change are not compiled (service.md, Request frame).

Keys are the exact values, never a bare hash: a home is found by comparing its bytes, a shape by all that shapes it.
"""

from collections import OrderedDict
from threading import RLock

import msgspec

from tingdong.errors import BadHome
from tingdong.home.changed import KnownHome, ShapeKey, SkimmedDevice
from tingdong.home.document import UNREADABLE, decode_home, wire_fault
from tingdong.home.home import HomeSnapshot, home_of
from tingdong.home.shape import HomeShape, compile_shape

__all__ = ["HomeStore", "load_home", "read_home"]


class _Skim(msgspec.Struct):
    """A home of which only the devices are decoded; the rest stays bytes until its shape turns out to be new."""

    layout: msgspec.Raw = msgspec.Raw(b"[]")
    model: msgspec.Raw = msgspec.Raw(b"{}")
    devices: list[SkimmedDevice] = []
    groups: msgspec.Raw = msgspec.Raw(b"[]")
    scenes: msgspec.Raw = msgspec.Raw(b"[]")


_skimmer = msgspec.json.Decoder(_Skim)
_EDGE = 64
_KEPT = 4
"""Homes of equal ends that are kept: the states one home goes through."""
_SHAPE_BYTES, _DEVICE_BYTES, _SHAPE_SHARE = 420_000, 3_600, 12
"""What a shape takes at most, with all that requests make of it (words to listen for, catalog, names by room and form):
so much, and for each device, and for each byte it came in. `tests/home/test_home_bytes.py` measures it."""

_STATE_BYTES, _STATE_SHARE, _NAME_BYTES = 400, 2, 400
"""What another state of it takes for each device and each byte, and what an entry takes."""

_Ends = tuple[bytes, bytes]


class _CachedShape(msgspec.Struct):
    """A shape, what it costs, and how many homes have it."""

    shape: HomeShape
    cost: int
    homes: int = 0


class HomeStore:
    """The homes a process knows, bounded in bytes; the least recently used goes first.

    A home is known by its bytes and those of its latest few states, and by the names that clients gave it (`home_id`;
    the caller sees to whose). A shape stays as long as a home that has it. Safe to share between pages: what it returns
    is never changed; and between threads.

    Args:
        most_bytes: bound of `bytes`, what the homes take at most; the home kept last stays, however large it is.
    """

    def __init__(self, most_bytes: int = 192 * 2**20) -> None:
        self.most_bytes = most_bytes
        self._entries: OrderedDict[_Ends | str, list[KnownHome]] = OrderedDict()
        self._users: dict[int, int] = {}
        self._lock = RLock()
        self._shapes: dict[ShapeKey, _CachedShape] = {}
        self.bytes: int = 0
        self.compiled = 0
        self.decoded = 0
        self.patched: int = 0

    def home(self, raw: bytes) -> HomeSnapshot | None:
        """The home in `raw`, if these very bytes are known, or those of a home of which it is another state.

        Costs comparisons, not a hash of all bytes.
        """
        ends = _ends(raw)
        with self._lock:
            kept = self._entries.get(ends, ())
            for known in kept:
                if known.raw == raw:
                    self._entries.move_to_end(ends)
                    return known.home
            for known in kept:
                other = known.patched(raw)
                if other is not None:
                    self.patched += 1
                    self.keep(other)
                    return other.home
        return None

    def named(self, name: str) -> bytes:
        """The bytes of the home that was kept under a name; nothing when it is not known, or not any more."""
        with self._lock:
            kept = self._entries.get(name)
            if kept is None:
                return b""
            self._entries.move_to_end(name)
            return kept[0].raw

    def keep(self, known: KnownHome, name: str | None = None) -> None:
        """Remember a home by its bytes, or by a name in place of the home that had it."""
        key = _ends(known.raw) if name is None else name
        with self._lock:
            kept = self._entries.setdefault(key, [])
            self._take(known)
            kept.insert(0, known)
            for old in kept[_KEPT if name is None else 1 :]:
                self._release(old)
            del kept[_KEPT if name is None else 1 :]
            self._entries.move_to_end(key)
            while self.bytes > self.most_bytes and len(self._entries) > 1:
                for old in self._entries.popitem(last=False)[1]:
                    self._release(old)

    def keep_name(self, raw: bytes, name: str) -> None:
        """Remember a home that is known by its bytes under a name too."""
        with self._lock:
            for known in self._entries.get(_ends(raw), ()):
                if known.raw == raw:
                    self.keep(known, name)
                    return

    def shape(self, key: ShapeKey) -> HomeShape | None:
        """The shape of a home that is kept."""
        kept = self._shapes.get(key)
        return kept.shape if kept is not None else None

    def _take(self, known: KnownHome) -> None:
        users = self._users.get(id(known), 0)
        self._users[id(known)] = users + 1
        self.bytes += _NAME_BYTES
        if users:
            return
        self.bytes += _state_cost(known)
        kept = self._shapes.get(known.key)
        if kept is None:
            cost = _SHAPE_BYTES + _DEVICE_BYTES * len(known.home.shape.devices) + _SHAPE_SHARE * len(known.raw)
            kept = self._shapes[known.key] = _CachedShape(known.home.shape, cost)
            self.bytes += cost
        kept.homes += 1

    def _release(self, known: KnownHome) -> None:
        users = self._users[id(known)] - 1
        self.bytes -= _NAME_BYTES
        if users:
            self._users[id(known)] = users
            return
        del self._users[id(known)]
        self.bytes -= _state_cost(known)
        kept = self._shapes[known.key]
        kept.homes -= 1
        if not kept.homes:
            self.bytes -= kept.cost
            del self._shapes[known.key]


def load_home(raw: bytes, store: HomeStore) -> HomeSnapshot:
    """The home in `raw` (the JSON bytes of the request's `home`), compiled only when its shape is new.

    Raises `BadHome` with a Chinese message and the path of the fault.
    """
    home = store.home(raw)
    if home is None:
        known = read_home(raw, store)
        store.keep(known)
        home = known.home
    return home


def read_home(raw: bytes, store: HomeStore) -> KnownHome:
    """A home that is not known yet, to be kept by whoever owns the store; large ones may be read in another thread.

    Raises `BadHome`.
    """
    store.decoded += 1
    try:
        skim = _skimmer.decode(raw)
    except UNREADABLE as error:
        raise wire_fault(error) from error
    key = (
        bytes(skim.layout),
        bytes(skim.model),
        bytes(skim.groups),
        bytes(skim.scenes),
        tuple([device.identity for device in skim.devices]),
    )
    shape = store.shape(key)
    if shape is None:
        document = decode_home(raw)
        shape = compile_shape(document)
        store.compiled += 1
        home = home_of(document, shape)
    else:
        home = HomeSnapshot(
            shape,
            {device.id: device.device.state for device in skim.devices},
            {device.id: False for device in skim.devices if not device.online},
        )
    return KnownHome(raw, home, key)


def _ends(raw: bytes) -> _Ends:
    return raw[:_EDGE], raw[-_EDGE:]


def _state_cost(known: KnownHome) -> int:
    return _STATE_BYTES * len(known.home.shape.devices) + _STATE_SHARE * len(known.raw)


def load_parsed_home(parsed: object) -> HomeSnapshot:
    """A home that is already parsed JSON, uncached. Raises `BadHome`."""
    if not isinstance(parsed, dict):
        raise BadHome("home 应当是一个对象", path="")
    document = decode_home(parsed)
    return home_of(document, compile_shape(document))
