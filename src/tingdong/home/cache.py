"""Homes that do not change are not decoded, and shapes that do not change are not compiled (seed 004 §4.1; service.md).

Keys are the exact values, never a bare hash: a home is found by comparing its bytes, a shape by all that shapes it.
"""

from collections import OrderedDict

import msgspec

from tingdong.errors import BadHome
from tingdong.home.changed import Identity, KnownHome, SkimmedDevice
from tingdong.home.document import UNREADABLE, decode_home, wire_fault
from tingdong.home.home import Home, home_of
from tingdong.home.shape import HomeShape, compile_shape

__all__ = ["ShapeCache", "load_home"]


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

_ShapeKey = tuple[bytes, bytes, bytes, bytes, tuple[Identity, ...]]
_Ends = tuple[bytes, bytes]


class ShapeCache:
    """Bounded, least recently used first out. Safe to share between pages: what it returns is never changed.

    Args:
        shapes: most compiled shapes kept.
        homes: most ends of homes kept by their bytes, each with its latest few states.
    """

    def __init__(self, shapes: int = 256, homes: int = 256) -> None:
        self._most_shapes, self._most_homes = shapes, homes
        self._shapes: OrderedDict[_ShapeKey, HomeShape] = OrderedDict()
        self._homes: OrderedDict[_Ends, list[KnownHome]] = OrderedDict()
        self._latest: KnownHome | None = None
        self.compiled = 0
        self.decoded = 0
        self.patched: int = 0

    def home(self, raw: bytes) -> Home | None:
        """The home in `raw`, if these very bytes are known, or those of a home of which it is another state.

        Costs comparisons, not a hash of all bytes.
        """
        latest = self._latest
        if latest is not None and latest.raw == raw:
            return latest.home
        ends = _ends(raw)
        kept = self._homes.get(ends, ())
        for known in kept:
            if known.raw == raw:
                self._homes.move_to_end(ends)
                self._latest = known
                return known.home
        for known in kept:
            other = known.patched(raw)
            if other is not None:
                self.patched += 1
                self.keep(other)
                return other.home
        return None

    def keep(self, known: KnownHome) -> None:
        """Remember a home by its bytes."""
        self._latest = known
        ends = _ends(known.raw)
        kept = self._homes.setdefault(ends, [])
        kept.insert(0, known)
        del kept[_KEPT:]
        self._homes.move_to_end(ends)
        while len(self._homes) > self._most_homes:
            self._homes.popitem(last=False)

    def shape(self, key: _ShapeKey) -> HomeShape | None:
        found = self._shapes.get(key)
        if found is not None:
            self._shapes.move_to_end(key)
        return found

    def keep_shape(self, key: _ShapeKey, shape: HomeShape) -> None:
        self._shapes[key] = shape
        while len(self._shapes) > self._most_shapes:
            self._shapes.popitem(last=False)


def load_home(raw: bytes, cache: ShapeCache) -> Home:
    """The home in `raw` (the JSON bytes of the request's `home`), compiled only when its shape is new.

    Raises `BadHome` with a Chinese message and the path of the fault.
    """
    known = cache.home(raw)
    if known is not None:
        return known
    cache.decoded += 1
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
    shape = cache.shape(key)
    if shape is None:
        document = decode_home(raw)
        shape = compile_shape(document)
        cache.compiled += 1
        cache.keep_shape(key, shape)
        home = home_of(document, shape)
    else:
        home = Home(
            shape,
            {device.id: device.device.state for device in skim.devices},
            {device.id: False for device in skim.devices if not device.online},
        )
    cache.keep(KnownHome(raw, home, key[4]))
    return home


def _ends(raw: bytes) -> _Ends:
    return raw[:_EDGE], raw[-_EDGE:]


def load_parsed_home(parsed: object) -> Home:
    """A home that is already parsed JSON, uncached. Raises `BadHome`."""
    if not isinstance(parsed, dict):
        raise BadHome("home 应当是一个对象", path="")
    document = decode_home(parsed)
    return home_of(document, compile_shape(document))
