"""Places by position and form: the floor, the owner, the number, the side or the unknown run before a room word."""

from context_retrieval.lexicon import Lexicon
from tingdong.commands.name_parts import BORDERS, MAX_RUN, OWN_WORDS, SURE, NameParts
from tingdong.commands.place_phrases import STOREYS
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind

__all__ = ["PlaceNames"]

_ZONE = Kind.ZONE

_OPEN, _ROOM = Kind.OPEN, Kind.ROOM
_BUILDINGS = frozenset("楼墅宿寓馆")
_FLOORS = frozenset("一二三四五六负地顶底")
_PARTS_OF_ROOMS = frozenset(("门口", "门前", "门外", "门边", "尽头", "窗边", "窗前", "角落", "拐角"))
_NUMBERED = frozenset(("房间", "房", "室", "包间", "包厢"))
_NUMBERED_ALONE = frozenset(("诊室", "病房", "教室", "会议室", "包间", "包厢"))
_OWN_ROOMS = frozenset(("屋", "房", "房间", "卧室"))
_STAFF_ROOMS = frozenset(("值班室", "休息室", "休息区", "更衣室", "宿舍", "书房", "卫生间", "洗手间", "食堂", "餐厅"))
_WITH_ROOMS = frozenset(("食堂", "图书馆", "体育馆", "会所", "礼堂", "宿舍"))
_INDOORS = frozenset("房屋")
_GOING = frozenset("进出回到去")
_THAT_ROOM = frozenset(("那屋", "那间", "那间房", "那房"))
_HAVING = frozenset(("主卧", "次卧", "客房", "儿童房", "老人房", "套房"))
_OUTSIDE = frozenset(("院子", "露台", "阁楼", "大堂", "露天平台"))
_IN_THE_OPEN = frozenset(("宠物房", "花房", "吧台", "烧烤区", "休息区", "院子"))
"""Places within the open ones above (露台花房, 大堂吧台); two plain rooms side by side are a list (客厅餐厅)."""
_TERRACES = frozenset(("露台", "天台", "平台"))
_VERBS_OF_PEOPLE = frozenset("试查测验巡看瞧瞅扫擦拖抹进出回到去来上下过走逛离住守锁")
"""What people do in or to a room; no first characters of its name (试客卫, 回宿舍, 进屋)."""
_HAD = frozenset(("卫生间", "阳台", "衣帽间", "客厅"))


class PlaceNames:
    """Joins tokens to places; made once for a lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._owned = frozenset(lexicon.rooms.owner_rooms.split())
        self._owners = frozenset(lexicon.rooms.owners.split())
        self._parts = NameParts(lexicon)

    def _room_by_suffix(self, out: list[Token], token: Token) -> Token | None:
        if out and out[-1].end == token.start:
            piece = out[-1]
            if len(piece.text) == 1 and piece.kind is not _OPEN and self._stem(out):
                first = out.pop(-2)  # 乐高房, 孝亲房, 练歌房
                out[-1] = piece = Token(_OPEN, first.start, piece.end, first.text + piece.text)
            if piece.kind is Kind.DEVICE and len(token.text) == 1 and piece.value != "*":
                return self._as_room(out, token)  # 监控室
            if piece.value == "person" and token.text in _OWN_ROOMS:
                return self._as_room(out, token)  # 老爷子屋
            numbered = piece.kind in (Kind.ORDINAL, Kind.QUANTITY, Kind.COUNT, Kind.VALUE, Kind.DOMAIN, _ROOM)
            moved = piece.text in _GOING and token.text in _OWN_ROOMS
            if numbered or (
                piece.kind is _OPEN and not moved and len(piece.text) <= MAX_RUN and self._parts.clean(piece.text)
            ):
                return self._as_room(out, token)
        kind = _ROOM if len(token.text) > 1 and token.text in _NUMBERED_ALONE else _OPEN
        return Token(kind, token.start, token.end, token.text, token.text if kind is _ROOM else "")

    def _stem(self, out: list[Token]) -> bool:
        """Whether the last character, known by itself, and the unknown one before it are a word together."""
        if len(out) < 2 or out[-1].text in OWN_WORDS or not out[-1].text.isalpha():
            return False
        first = out[-2]
        return (
            first.kind is _OPEN
            and first.end == out[-1].start
            and len(first.text) <= 2
            and self._parts.clean(first.text)
        )

    def _room(self, out: list[Token], token: Token) -> Token | None:
        """A room word takes the floor, the side or the owner before it (三楼走廊, 西阳台, 总经理办公室)."""
        if not out:
            return None
        piece = out[-1]
        if piece.kind is Kind.OF and len(out) > 1 and out[-2].kind is _ZONE:
            out.pop()
            return self._as_room(out, token)
        if piece.end != token.start:
            return None
        if piece.kind is _ZONE or (piece.kind is Kind.ORDINAL and piece.text[-1] in "号楼层栋"):
            return self._as_room(out, token)
        if token.text in self._owned and (piece.value == "person" or piece.text[1:] in self._owners):
            return self._as_room(out, token)
        if piece.value == "person" and token.text in _STAFF_ROOMS and (len(out) == 1 or out[-2].kind in BORDERS):
            return self._as_room(out, token)  # 医生值班室
        if piece.kind is _ROOM and self._belongs(piece, token):
            return self._as_room(out, token)
        if piece.kind is Kind.SIZE and piece.text in "大小" and (len(out) == 1 or out[-2].kind in SURE):
            return self._as_room(out, token)  # 小教室
        bordered = len(out) == 1 or out[-2].kind in BORDERS
        if piece.kind is _OPEN and (piece.text in _VERBS_OF_PEOPLE or self._parts.is_activity(piece.text)):
            return None  # 先试客卫, 下夜班玄关
        if piece.kind is Kind.VALUE and piece.attribute == "模式" and len(piece.text) > 1:
            named = len(out) == 1 or out[-2].kind in SURE or out[-2].kind is Kind.VERB
            return self._as_room(out, token) if named and piece.text[-1] not in "式景" else None  # 音乐教室
        if piece.kind is _OPEN and bordered and len(piece.text) <= 3 and self._parts.clean(piece.text):
            return self._as_room(out, token)
        return None

    def _belongs(self, first: Token, second: Token) -> bool:
        """阳台门口, 主卧阳台, 201房客厅, 露台花房: the second is a part of the first, and both are one place."""
        if second.text in _PARTS_OF_ROOMS or (first.text[-1:].isdigit() and second.text in _NUMBERED):
            return True
        group = self._lexicon.room_group
        if group(first.text) in _HAVING and group(second.text) in _HAD:
            return True
        part = group(second.text)
        if group(first.text) in _WITH_ROOMS and part not in _WITH_ROOMS:
            return True  # 食堂后厨, 会所大厅
        outside = group(first.text) in _OUTSIDE or first.text in _TERRACES
        if outside and (part in _IN_THE_OPEN or second.text in _TERRACES) and first.text != second.text:
            return True
        numbered = first.attribute == "open" and first.text[:1].isdigit() and first.text[-1] in "房室间"
        floored = first.attribute == "open" and (first.text[-1] in "层楼" or first.text[1:2] in STOREYS)
        return numbered or (floored and part == "走廊")

    def _zone(self, out: list[Token], token: Token) -> Token | None:
        if not out or out[-1].end != token.start:
            return None
        building = out[-1].kind in (_ZONE, _OPEN, _ROOM) and out[-1].text[-1] in _BUILDINGS
        building = building and token.text[0] in _FLOORS and out[-1].text[0] not in _FLOORS
        if out[-1].kind is Kind.ORDINAL or building:
            return self._as_room(out, token)
        return None

    def _as_room(self, out: list[Token], token: Token) -> Token:
        piece = out.pop()
        start, word = piece.start, token.value or token.text
        text = piece.text + word
        number = out[-1] if out and piece.kind is _OPEN else None
        if number is not None and number.end == start and _numbers(number, piece):
            start, text = out.pop().start, number.text + text  # 二号实验室, 六人间
        if piece.kind is Kind.ORDINAL and len(out) > 1 and out[-1].kind is Kind.JOINT and out[-2].kind is Kind.ORDINAL:
            other = out[-2].text + word  # 三号和七号病房
            out[-2] = Token(_ROOM, out[-2].start, out[-2].end, other, other, "open")
        return Token(_ROOM, start, token.end, text, text, "open")

    def _place(self, out: list[Token], token: Token) -> Token | None:
        """An unknown thing with a word of place is a room (麻将桌那儿, 电视柜后头)."""
        if token.text == "头" and out and out[-1].kind is _OPEN and out[-1].end == token.start:
            first = out.pop()
            return Token(_OPEN, first.start, token.end, first.text + token.text)
        if out and out[-1].end == token.start and len(token.text) > 1:
            piece = out[-1]
            if piece.kind is Kind.NOUN or (piece.kind is _OPEN and self._parts.clean(piece.text)):
                if token.text in _THAT_ROOM:
                    return self._as_room(out, token)  # 大伯那屋
                if token.text[0] in _INDOORS:
                    inside = Token(token.kind, token.start, token.end, token.text[0])
                    return self._as_room(out, inside)  # 嗲嗲房里
                out[-1] = Token(_ROOM, piece.start, piece.end, piece.text, piece.text, "open")
        return None

    def _owned_rooms(self, out: list[Token], token: Token) -> Token | None:
        """婆婆屋里: whose 屋里 it is says which."""
        if out and out[-1].value == "person" and out[-1].end == token.start and token.text[:2] in ("屋里", "屋头"):
            owner = out.pop()
            return Token(_ROOM, owner.start, token.end, f"{owner.text}屋", f"{owner.text}屋", "open")
        return None


def _numbers(number: Token, piece: Token) -> bool:
    return (number.kind is Kind.ORDINAL and number.text[-1] == "号") or (
        number.kind is Kind.QUANTITY and piece.text == "人"
    )
