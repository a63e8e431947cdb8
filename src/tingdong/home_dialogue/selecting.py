"""Selects changes of the ledger by time, device, property and exception (service.md, Dialogue), for undo and redo.

A change may be selected in part: the temperature that was set together with the fan.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from tingdong.home.device import DeviceShape
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import PropertyRole
from tingdong.home.properties import PropertySpec
from tingdong.home.vocabulary import attributes
from tingdong.home_dialogue.page import Entry, LedgerChange

__all__ = ["Depth", "SelectedChange", "Selector", "narrowed", "opens", "select", "whole", "without"]


class Depth(StrEnum):
    """How far back."""

    LAST = "last"  # before the newest change of what is meant
    FIRST = "first"  # before the first change of it
    EVERY = "every"  # all that was done in this talk


class Selector(msgspec.Struct, frozen=True):
    """What is meant. `things` is one set of device ids for each thing that was named, of which any may be meant; none
    for whatever was done. `but` are left as they are; `attributes` are the only properties meant, `kept` none of them.
    `steps` counts turns back, `since` is the place of the first entry that counts, `batch` takes the newest turn alone
    where it did several things, and `opens` only what opens or closes again, with the attributes that are named."""

    things: tuple[frozenset[str], ...] = ()
    but: frozenset[str] = frozenset()
    attributes: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    depth: Depth = Depth.LAST
    steps: int = 1
    since: int = 0
    batch: bool = False
    opens: bool | None = None

    @property
    def takes_turns(self) -> bool:
        """Whether it is about turns as a whole, with the timers that they set."""
        return not (self.things or self.attributes or self.kept or self.but or self.opens is not None)


class SelectedChange(NamedTuple):
    """A change, or the part of it that is meant, with its place in the ledger."""

    entry: int
    place: int
    change: LedgerChange


def select(ledger: Sequence[Entry], wanted: Selector, home: HomeSnapshot) -> tuple[SelectedChange, ...]:
    """The entries of the ledger that are meant, oldest first."""
    found = list(_fitting(ledger, wanted, home))
    groups = wanted.things or (frozenset(one.change.id for one in found),)
    meant = {one[:2] for group in groups for one in _of_group(found, group, ledger, wanted)}
    return tuple(one for one in found if one[:2] in meant)


def whole(ledger: Sequence[Entry], changes: Iterable[LedgerChange]) -> tuple[SelectedChange, ...]:
    """These changes of the newest entry, as what is meant."""
    wanted = {id(change) for change in changes}
    last = len(ledger) - 1
    return (
        tuple(SelectedChange(last, n, one) for n, one in enumerate(ledger[last].changes) if id(one) in wanted)
        if ledger
        else ()
    )


def without(ledger: Sequence[Entry], taken: Iterable[SelectedChange], timers: Sequence[str] = ()) -> tuple[Entry, ...]:
    """The ledger without what was taken back, without these timers, and without what is then empty."""
    gone = {one[:2]: one.change.before.keys() for one in taken}
    left = []
    for n, entry in enumerate(ledger):
        parts = (narrowed(one, one.before.keys() - gone.get((n, at), set())) for at, one in enumerate(entry.changes))
        changes = tuple(part for part in parts if part is not None)
        kept = tuple(timer for timer in entry.timers if timer not in timers)
        if changes or kept:
            left.append(msgspec.structs.replace(entry, changes=changes, timers=kept))
    return tuple(left)


def narrowed(change: LedgerChange, names: Iterable[str]) -> LedgerChange | None:
    """The part of the change that is about these properties; None where there is none."""
    kept = frozenset(names)
    if kept >= change.before.keys():
        return change
    before = {name: value for name, value in change.before.items() if name in kept}
    after = {name: value for name, value in change.after.items() if name in kept}
    return msgspec.structs.replace(change, before=before, after=after) if before else None


def _fitting(ledger: Sequence[Entry], wanted: Selector, home: HomeSnapshot) -> Iterator[SelectedChange]:
    """All that could be meant, each narrowed to the properties that are."""
    for n, entry in enumerate(ledger):
        for place, change in enumerate(entry.changes):
            device = home.shape.devices.get(change.id)
            if n < wanted.since or change.id in wanted.but or device is None:
                continue
            part = narrowed(
                change, [name for name in change.before if _is_meant(device, name, change.before[name], wanted)]
            )
            if part is not None and (wanted.opens is None or _turns(device, part)):
                yield SelectedChange(n, place, part)


def _turns(device: DeviceShape, change: LedgerChange) -> bool:
    """Whether it has opened or closed the thing, and did not only set something of it."""
    specs = ((device.properties.get(name), value) for name, value in change.before.items())
    return any(spec is not None and opens(device, spec, value) is not None for spec, value in specs)


def _is_meant(device: DeviceShape, name: str, before: Any, wanted: Selector) -> bool:
    spec = device.properties.get(name)
    if spec is None:
        return not wanted.attributes and wanted.opens is None
    turned = opens(device, spec, before)
    if wanted.opens is not None and (turned is not None or not wanted.attributes):
        return turned is wanted.opens
    if any(_bears(spec, one) for one in wanted.kept):
        return False
    return not wanted.attributes or any(_bears(spec, one) for one in wanted.attributes)


def _bears(spec: PropertySpec, attribute: str) -> bool:
    return spec.role in attributes().get(attribute, ()) or attribute in spec.label


def opens(device: DeviceShape, spec: PropertySpec, value: Any) -> bool | None:
    """Whether the value is one of an open or running thing; None of a property that says neither."""
    if device.power is not None and spec.name == device.power.name:
        return bool(value == device.power.on)
    if spec.role is PropertyRole.LOCK:
        return bool(value == spec.off)
    if spec.role is PropertyRole.OPENING:
        return bool(spec.turned(value))
    return None


def _of_group(
    found: Sequence[SelectedChange], group: frozenset[str], ledger: Sequence[Entry], wanted: Selector
) -> list[SelectedChange]:
    """What is meant of one thing that was named, or of all that was done."""
    own = [one for one in found if one.change.id in group]
    turns = sorted({one.entry for one in own}, reverse=True)
    if not turns:
        return []
    newest = [one for one in own if one.entry == turns[0]]
    if wanted.depth is Depth.FIRST:
        ids = {one.change.id for one in newest}
        return [one for one in own if one.change.id in ids]
    if wanted.batch and len({one.id for one in ledger[turns[0]].changes}) > 1:
        return newest
    if wanted.depth is Depth.EVERY:
        return own
    return [one for one in own if one.entry in turns[: wanted.steps]]
