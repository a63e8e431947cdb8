"""Rows of tokens that together name places: 一楼到三楼, 姐姐和弟弟的房间, 其他办公室 (commands.md, SCOPE)."""

from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import PLACES
from tingdong.commands.words import Kind
from zhtext.numerals import to_chinese
from zhtext.quantities import Quantity, QuantityKind

__all__ = ["span_of_floors", "with_all_floors", "with_joined_places", "with_outsides", "with_platforms"]

_DEVICE, _ROOM = Kind.DEVICE, Kind.ROOM

_RANGE = frozenset(("到", "至"))
_MOST_FLOORS = 40
_DIGITS, _FLOOR = "一二三四五六七八九", 2
_NO_FLOORS = frozenset("梯之间")
"""Signs behind 楼 that make something else of it (一二楼梯, 三四楼之间)."""


def span_of_floors(tokens: list[Token], at: int) -> None:
    """一楼到三楼: each of the floors from the one to the other."""
    if tokens[at].text not in _RANGE or not at or at + 1 >= len(tokens):
        return
    first, last = tokens[at - 1], tokens[at + 1]
    low, high = _storey(first), _storey(last)
    if not low or not 0 < high - low <= _MOST_FLOORS:
        return
    tokens[at].kind = Kind.JOINT
    tokens[at + 1 : at + 1] = [_floor(number, first) for number in range(low + 1, high)]


def _storey(token: Token) -> int:
    """Which floor it is; 0 where it is none, or has no number (a home's own rooms have no quantity)."""
    quantity = token.quantity
    if quantity is not None:
        return int(quantity.value) if token.kind is Kind.ZONE and quantity.kind is QuantityKind.ORDINAL else 0
    return _DIGITS.find(token.text[0]) + 1 if _is_floor(token) else 0


def _is_floor(token: Token) -> bool:
    """Whether it is a place of one sign and a storey (二楼, 底层)."""
    return token.kind in PLACES and len(token.text) == _FLOOR and token.text[1] in STOREYS


def _floor(number: int, like: Token) -> Token:
    """The floor of that number, written as the first one is."""
    unit = like.text[-1]
    digits = str(number) if like.text[0].isdigit() else to_chinese(number)
    quantity = Quantity(like.start, like.end, QuantityKind.ORDINAL, float(number), unit)
    return Token(Kind.ZONE, like.end, like.end, digits + unit, digits + unit, quantity=quantity)


def with_all_floors(tokens: list[Token]) -> list[Token]:
    """一二楼, 三四层: two floors, of which only the last has its unit; the lower one is said first."""
    for index in range(len(tokens) - 1, 0, -1):
        first, last = tokens[index - 1], tokens[index]
        if not _is_floor(last) or first.end != last.start or len(first.text) != 1:
            continue
        after = tokens[index + 1].text[0] if index + 1 < len(tokens) else ""
        if -1 < _DIGITS.find(first.text) < _DIGITS.find(last.text[0]) and after not in _NO_FLOORS:
            name = first.text + last.text[1]
            tokens[index - 1] = Token(_ROOM, first.start, first.end, first.text, name)
    return tokens


POINTING = frozenset("那这嗰呢")
_BEHIND_PLATFORM = frozenset((Kind.OF, Kind.LOCATIVE, Kind.KEEP, Kind.NEGATION, Kind.EXCEPT_AFTER))


def with_platforms(tokens: list[Token]) -> list[Token]:
    """写字台的台灯, 升旗台音箱, 化妆台别动: what ends like a channel is a place where things stand."""
    for index in range(len(tokens) - 2, -1, -1):
        token, following = tokens[index], tokens[index + 1]
        if token.attribute != "频道" or token.text[-1] != "台" or token.device != "formed":
            continue
        if index and tokens[index - 1].kind in (Kind.SET, Kind.TO, Kind.VERB) and tokens[index - 1].end == token.start:
            continue
        of = following.kind in _BEHIND_PLATFORM or following.text[0] in POINTING
        if of or (following.kind is _DEVICE and following.start == token.end and following.device != "television"):
            tokens[index] = Token(_ROOM, token.start, token.end, token.text, token.text, "open")
    return tokens


STOREYS = ("楼", "层")
_ROOM_ENDS = frozenset("屋房间")
_SIDES = frozenset("东西南北靠临朝")
_KIN = frozenset("爸妈爷奶儿女哥姐弟妹老")
_AFTER_FIRST = frozenset((Kind.OF, Kind.JOINT, Kind.ROOM))
_OWN = frozenset(("我", "咱", "俺", "你"))


def _first_of_rooms(tokens: list[Token], index: int) -> None:
    """会议室一和会议室二: 一 right behind a room is its number where a joint or a thing follows."""
    room, number = tokens[index], tokens[index + 1]
    if number.kind is Kind.PARTICLE and room.end == number.start and tokens[index + 2].kind in _AFTER_FIRST:
        text = room.text + number.text
        tokens[index : index + 2] = [Token(_ROOM, room.start, number.end, text, text, "open")]


def with_outsides(tokens: list[Token]) -> list[Token]:
    """院门外的摄像头: what stands outside a door is there, and the door is left out of nothing."""
    for index in range(len(tokens) - 2, 0, -1):
        gate, out = tokens[index - 1], tokens[index]
        beside = out.kind is Kind.EXCEPT_AFTER and gate.device == "gate" and gate.end == out.start
        if not beside or out.text not in _OUT or tokens[index + 1].kind is not _DEVICE:
            continue
        if index < _TWO or tokens[index - _TWO].kind not in _LEFT_OUT:
            place = gate.text + "外"
            tokens[index - 1] = Token(_ROOM, gate.start, out.end, place, place, "open")
            tokens[index] = Token(Kind.PARTICLE, out.start, out.end, out.text)
    return tokens


_TWO = 2
_OUT = frozenset(("外", "外的"))
_LEFT_OUT = frozenset((Kind.EXCEPT_BEFORE, Kind.JOINT))


def with_joined_places(tokens: list[Token]) -> list[Token]:
    """二楼家庭厅, 温室南区, 我妈那屋: a new place goes with the floor, the place or the owner right before it."""
    for index in range(len(tokens) - 1, -1, -1):
        second = tokens[index]
        if second.kind is not _ROOM:
            continue
        if index + 2 < len(tokens) and tokens[index + 1].text == "一":
            _first_of_rooms(tokens, index)
        first = tokens[index - 1] if index else second
        if first.end != second.start:
            continue
        if second.text == "边" and first.device == "gate":
            tokens[index - 1 : index + 1] = [Token(Kind.PARTICLE, first.start, second.end, first.text + second.text)]
            continue  # 窗户边的纱帘
        formed = second.attribute == "open"
        floor = first.kind is Kind.ZONE and formed and second.text[1:2] not in STOREYS  # 五楼六楼走廊: two of them
        part = first.kind is _ROOM and formed and (second.text[-1] == "区" or second.text[0] in _SIDES)
        owner = first.text in _OWN and len(second.text) > 1 and second.text[0] in _KIN
        owner = owner and (not formed or second.text[-1] in _ROOM_ENDS)  # 俺爷那屋
        if floor or part or owner:
            text = first.text + (second.value or second.text)
            tokens[index - 1 : index + 1] = [Token(_ROOM, first.start, second.end, text, text, "open")]
    return tokens
