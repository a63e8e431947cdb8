"""Which rooms are separate, so that a device in one is in none of the others (commands.md, SCOPE)."""

from context_retrieval.models import LAST_NAME
from tingdong.commands.parts import Item, ThingGroup

__all__ = ["apart", "in_parts"]

_AREAS = frozenset("区层楼院栋幢")
_MANY = frozenset(("light", "plug"))  # a name often says many of them: 射灯, 床头灯
_FLOOR_SIGNS = frozenset("一二三四五六七八九楼上下底顶负地")
_ENCLOSED = frozenset("房室屋卧卫厅间")
"""How the words of rooms end that lie beside each other and not in each other."""


def apart(done: list[ThingGroup], groups: list[ThingGroup]) -> bool:
    """一楼灯关，三楼的留着; 客厅灯关掉，走廊小夜灯留着: what stands in another room is none of what is done there."""
    there = [item for group in done for item in group.items]
    left = [item for group in groups for item in group.items]
    if not there or not all(item.rooms for item in (*there, *left)):
        return False
    named = all(item.name not in ("*", LAST_NAME) for item in left)
    places = {room for item in there for room in item.rooms or ()}
    return all(_beside(room, place, named) for item in left for room in item.rooms or () for place in places)


def _beside(room: str, place: str, named: bool) -> bool:
    """Whether neither of two rooms can lie in the other."""
    if room in place or place in room:
        return False
    one, other = _floor(room), _floor(place)
    if one or other or any(word[-1] in _AREAS or word[0].isdigit() for word in (room, place)):
        return one != other and bool(one and other) and (one[0] == "楼") == (other[0] == "楼")
    return named or (room[-1] in _ENCLOSED and place[-1] in _ENCLOSED)


def _floor(room: str) -> str:
    """The floor a word of place begins with (9楼公区), or that it is (楼上)."""
    at = max(room.find("楼"), room.find("层"))
    return room[: at + 1] if at > 0 else room if room in ("楼上", "楼下") else ""


def in_parts(item: Item, out: list[str]) -> bool:
    """Whether rooms can be left out: a kind of thing all over the home, on a floor, in an area, in numbered rooms."""
    areas = any(room[:1] in _FLOOR_SIGNS or room[-1] in _AREAS for room in item.rooms or ())
    numbered = not areas and any(room[0].isdigit() or "号" in room for room in out)
    numbered = numbered and not any(room.isdigit() for room in item.rooms or ())  # 302拉开，303别动
    plain = item.name == "*" or (item.rooms is None and item.kind in _MANY and item.name != LAST_NAME)
    return plain and (not item.rooms or areas or numbered)
