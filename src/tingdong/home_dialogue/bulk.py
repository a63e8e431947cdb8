"""What 全关 and 所有设备 exclude (service.md: protected devices are named in the reply, unless named themselves)."""

from context_retrieval.models import DeviceType, Quantifier, QueryIR
from context_retrieval.verbs import verb_table
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import Note, NoteCode
from tingdong.home.policy import bulk_targets, is_protected, left_out_of

__all__ = ["in_bulk"]


def in_bulk(
    home: HomeSnapshot, query: QueryIR, ids: tuple[str, ...], *, chosen: bool, covers: bool = True
) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    """The targets without what is protected, unless it was named or `chosen` before; of 所有设备 also without what
    cannot be switched, and, unless `covers` are meant as well, without what 关 would close (这屋都关了)."""
    wide = query.quantifier in (Quantifier.ALL, Quantifier.EXCEPT) and query.name is None and not chosen
    devices, moves = home.shape.devices, query.action in verb_table().moves
    if wide and moves and query.type is DeviceType.UNKNOWN:
        kept, notes = bulk_targets(home, ids, query.action)
        if query.quantifier is Quantifier.ALL and query.action in verb_table().ending and not covers:
            kept = tuple(i for i in kept if devices[i].power is not None) or kept
        return kept, (*notes, *_spared(home, query, ids))
    left = [i for i in ids if i in devices and is_protected(devices[i], query.action)]
    left = left if wide and moves else [i for i in left if not devices[i].protected]  # no set begins what harms
    if len(ids) < 2 or not left:
        return ids, ()
    return tuple(i for i in ids if i not in left), tuple(Note(left_out_of(query.action), i) for i in left)


def _spared(home: HomeSnapshot, query: QueryIR, ids: tuple[str, ...]) -> tuple[Note, ...]:
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
