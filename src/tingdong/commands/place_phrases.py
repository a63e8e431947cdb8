"""Rows of tokens that together name places: 一楼到三楼, 姐姐和弟弟的房间, 其他办公室 (spec, SCOPE)."""

from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from zhtext.numerals import to_chinese
from zhtext.quantities import Quantity, QuantityKind

__all__ = ["other_rooms", "own_rooms", "span_of_floors"]

_OWNED = ("房间", "屋子", "屋里", "卧室", "屋", "房")
_OTHERS = ("其他的", "其它的", "其余的", "其他", "其它", "其余", "别的", "剩下的")
_RANGE = frozenset(("到", "至"))
_MOST_FLOORS = 40


def own_rooms(tokens: list[Token], at: int) -> None:
    """姐姐和弟弟的房间: the rooms of both."""
    if not at or at + 1 >= len(tokens):
        return
    owner, room = tokens[at - 1], tokens[at + 1]
    if owner.kind is not Kind.NOUN or owner.value != "person" or room.kind is not Kind.ROOM:
        return
    place = next((place for place in _OWNED if room.value.endswith(place)), "")
    if place and room.value != place and (at < 2 or tokens[at - 2].end <= owner.start):
        name = owner.text + place
        tokens[at - 1] = Token(Kind.ROOM, owner.start, owner.end, name, name, "open")


def other_rooms(tokens: list[Token], at: int) -> None:
    """其他办公室: no room of that name but the rest of such rooms."""
    token = tokens[at]
    if token.attribute != "open" or not token.text.startswith(_OTHERS):
        return
    head = next(word for word in _OTHERS if token.text.startswith(word))
    cut, name = token.start + len(head), token.text[len(head) :]
    if name:
        tokens[at : at + 1] = [
            Token(Kind.OTHER, token.start, cut, head),
            Token(Kind.ROOM, cut, token.end, name, name, "open"),
        ]


def span_of_floors(tokens: list[Token], at: int) -> None:
    """一楼到三楼: each of the floors from the one to the other."""
    if tokens[at].text not in _RANGE or not at or at + 1 >= len(tokens):
        return
    first, last = tokens[at - 1], tokens[at + 1]
    low, high = first.quantity, last.quantity
    if first.kind is not Kind.ZONE or last.kind is not Kind.ZONE or low is None or high is None:
        return
    if low.kind is not QuantityKind.ORDINAL or not 0 < high.value - low.value <= _MOST_FLOORS:
        return
    between = [_floor(number, first) for number in range(int(low.value) + 1, int(high.value))]
    tokens[at].kind = Kind.JOINT
    tokens[at + 1 : at + 1] = between


def _floor(number: int, like: Token) -> Token:
    """The floor of that number, written as the first one is."""
    unit = like.text[-1]
    digits = str(number) if like.text[0].isdigit() else to_chinese(number)
    quantity = Quantity(like.start, like.end, QuantityKind.ORDINAL, float(number), unit)
    return Token(Kind.ZONE, like.end, like.end, digits + unit, digits + unit, quantity=quantity)
