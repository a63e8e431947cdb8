"""What 全关 and 所有设备 leave out (service.md: protected devices are named in the reply, unless named themselves)."""

from context_retrieval.models import DeviceType, Quantifier, QueryIR
from context_retrieval.verbs import verb_table
from tingdong.home.home import Home
from tingdong.home.model import Note, NoteCode
from tingdong.home.policy import bulk_targets, is_protected

__all__ = ["in_bulk"]


def in_bulk(
    home: Home, query: QueryIR, ids: tuple[str, ...], *, chosen: bool
) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    """The targets without what is protected, unless it was named or `chosen` before; of 所有设备 also without what
    cannot be switched."""
    wide = query.quantifier in (Quantifier.ALL, Quantifier.EXCEPT) and query.name is None
    if not wide or chosen or query.action not in verb_table().moves:
        return ids, ()
    if query.type is DeviceType.UNKNOWN:
        kept, notes = bulk_targets(home, ids)
        return kept, (*notes, *_spared(home, query, ids))
    devices = home.shape.devices
    kept = tuple(i for i in ids if i not in devices or not is_protected(devices[i]))
    if len(ids) < 2 or len(kept) == len(ids):
        return ids, ()
    return kept, tuple(Note(NoteCode.PROTECTED, i) for i in ids if i not in kept)


def _spared(home: Home, query: QueryIR, ids: tuple[str, ...]) -> tuple[Note, ...]:
    """Protected devices in the rooms of a 全关 that never were among its targets; they are named all the same."""
    if query.action != "关闭":
        return ()
    shape, targets = home.shape, set(ids)
    rooms = {shape.devices[i].room for i in ids if i in shape.devices}
    return tuple(
        Note(NoteCode.PROTECTED, device.id)
        for room in shape.by_room
        if room in rooms
        for device in shape.by_room[room]
        if device.protected and device.id not in targets and not any(n in device.name for n in query.excluded_names)
    )
