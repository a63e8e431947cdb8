"""References after the user has moved: devices of the same kind in the new room (service.md, Place).

再低两度 in the bedroom, after the living room's air conditioner, is for the bedroom's. 它 and questions keep their
referent; so does a request if the new room has no such device.
"""

import msgspec

from context_retrieval.models import DeviceType, Quantifier, QueryIR
from tingdong.commands.reading import MentionKind
from tingdong.home.device import DeviceShape
from tingdong.home.home import HomeSnapshot
from tingdong.home.wish_reading import match_wish
from tingdong.home.wish_table import wish_table
from tingdong.home.wishes import helpers_of
from tingdong.home_dialogue.page import Doing
from tingdong.home_dialogue.situation import Situation

__all__ = ["carried_to", "spoken_of_here"]


def spoken_of_here(situation: Situation) -> Doing | None:
    """What the last turn was about, as the place where one stands now has it; what a clause of this turn is about to be
    done with comes before it."""
    if (begun := _begun(situation)) is not None:
        return begun
    page, last = situation.page, situation.page.last
    moved = bool(page.local) and bool(situation.local) and page.local != situation.scene.local
    if last is None or not moved or situation.asks or situation.has(MentionKind.REFERENCE, MentionKind.CORRECTION):
        return last
    return carried_to(situation.local, last, situation.home)


def _begun(situation: Situation) -> Doing | None:
    """我想泡会儿澡，水温三十九度: what does what a clause says is about to be done."""
    home = situation.home
    for part in situation.reading.parts:
        wish = match_wish(part.reading.text) if not part.reading.commands else None
        if wish is None or not wish_table().wishes[wish.key].activity:
            continue
        helpers = helpers_of(home, wish, situation.local) or helpers_of(home, wish, "")
        for step in wish_table().wishes[wish.key].steps:
            if found := [device for device in helpers if device.kind.key in step.kinds]:
                named = tuple(QueryIR("查询状态", include=(one.room,), name=one.plain, type=one.type) for one in found)
                return Doing(named, tuple(one.id for one in found), turn=situation.page.turn)
    return None


def carried_to(room: str, last: Doing, home: HomeSnapshot) -> Doing:
    """The same of the things of its kind in `room`; `last` itself where there are none, or where it was about them."""
    devices = home.shape.devices
    meant = [devices[one] for one in last.ids if one in devices]
    if not meant or any(device.room == room for device in meant):
        return last
    kinds = {_kind(device) for device in meant}
    ids = tuple(device.id for device in home.shape.by_room.get(room, ()) if _kind(device) in kinds)
    if not ids:
        return last
    queries = tuple(_placed(query, room) for query in last.queries)
    return msgspec.structs.replace(last, queries=queries, ids=ids, pool=ids, missed=())


def _kind(device: DeviceShape) -> str:
    return device.kind.key if device.type is DeviceType.UNKNOWN else device.type.value


def _placed(query: QueryIR, room: str) -> QueryIR:
    named = query.name if query.type is DeviceType.UNKNOWN else None
    return msgspec.structs.replace(
        query, include=(room,), exclude=(), here=False, name=named, excluded_names=(), quantifier=Quantifier.ALL
    )
