"""Tokens of devices: rooms, devices, references, quantifiers and counts become the items of a group."""

from context_retrieval.models import Quantifier
from tingdong.commands.left_out_tokens import LeftOutTokens
from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import CLOSING
from tingdong.commands.words import Kind

__all__ = ["PLACES_AND_THINGS", "ThingTokens"]

PLACES_AND_THINGS = frozenset((Kind.ROOM, Kind.ZONE, Kind.HERE, Kind.WHOLE, Kind.DEVICE))
_SEVERAL = {"三": 3, "四": 4}
"""How many of them 三个都 and the like mean; the others mean two."""
_NUMBERED_PLACES = frozenset(("床", "栋", "幢", "单元", "号楼"))
_TIMES = frozenset(("遍", "次", "趟"))
_THING_COUNTERS = frozenset("盏台个只扇")
_STANDING = frozenset((Kind.NOUN, Kind.DEVICE, Kind.OPEN, Kind.ROOM))
_INSIDE = frozenset("里内中")
_ROOM_LEAST = 100
_PARTS_OF_WORKS = frozenset("集章回期季首篇课页")
_SAYING = frozenset("说喊嚷讲话")
_MAY_SPEAK = frozenset((Kind.NOUN, Kind.ROOM, Kind.ZONE, Kind.CLAUSE_SIGN, Kind.OPEN))
_TO_YOU = frozenset(("你", "我", "您", "跟你", "再", "刚"))
_UNQUOTED = frozenset((Kind.OF, Kind.BREAK, Kind.PARTICLE, Kind.CORRECTION, Kind.ASK, Kind.TAIL))
_NOT_OR_NOT_YET = frozenset(("没", "没有", "未"))
_NO_THINGS = frozenset(("处", "间", "遍", "次", "回", "趟", "圈", "集"))
_ACTING = frozenset(
    (Kind.VERB, Kind.WEAK, Kind.SET, Kind.UP, Kind.DOWN, Kind.MORE, Kind.VALUE, Kind.QUANTITY,
     Kind.ATTRIBUTE, Kind.STATUS, Kind.ASK_ATTRIBUTE, Kind.STATE, Kind.REQUEST, Kind.ALL, Kind.JOINT, Kind.SEQUENCE,
     Kind.BREAK, Kind.TAIL, Kind.KEEP, Kind.NEGATION, Kind.EXCEPT_AFTER, Kind.LIGHT, Kind.ONLY_THIS, Kind.BEFORE_TARGET,
     Kind.OF, Kind.WHEN, Kind.SIZE, Kind.COUNT, Kind.AGAIN, Kind.NOW, Kind.EACH, Kind.TOO)
)  # fmt: skip

_BEFORE_NAME = frozenset(
    (Kind.BREAK, Kind.JOINT, Kind.SEQUENCE, Kind.OF, Kind.REQUEST, Kind.WAKE, Kind.VERB, Kind.EXCEPT_BEFORE, Kind.ONLY,
     Kind.KEEP, Kind.REFERENCE, Kind.NEGATION)
)  # fmt: skip


class ThingTokens(LeftOutTokens):
    """Readers of the tokens that make groups."""

    def _joint(self, _token: Token) -> None:
        self._joined = True

    def _room(self, token: Token) -> None:
        if self._excluding and self._group is not None and not self._joined:
            in_row = bool(self._rooms) and self._rooms[-1][-1] == token.text[-1]  # 除了一楼二楼
            floor = token.kind is Kind.ZONE and bool(self._rooms) and not in_row  # 除了厨房一楼的灯
            if self._group.items or floor:
                self._close_group()
        self._target_group(token)
        if token.text in self._places and self._any_place():
            return
        value = token.value or token.text
        if value == token.text.lower():
            value = token.text
        if value not in self._rooms:
            self._rooms.append(value)
        self._joined = False

    def _any_place(self) -> bool:
        """其他房间, 所有屋子: no room but all of them."""
        back = self._at - 1
        while back > 0 and self._tokens[back].kind is Kind.OF:
            back -= 1
        before = self._tokens[back].kind if back >= 0 else None
        return before in (Kind.ALL, Kind.OTHER, Kind.WHICH)

    def _ordinal(self, token: Token) -> None:
        quantity = token.quantity
        numbered = quantity is not None and token.text[-1] == "号"
        denied = self._denied_next()
        if quantity is not None and quantity.unit in _NUMBERED_PLACES:
            self._room(token)
        elif quantity is not None and numbered and quantity.value > _ROOM_LEAST and (self._excluding or denied):
            self._room(token)  # 213号别灭
        elif numbered and (self._excluding or denied):
            self._numbered_out(token)
        elif numbered and (named := self._numbered_name()) is not None:
            self._name(Token(Kind.OPEN, token.start, named.end, token.text + named.text))
            named.kind = Kind.PARTICLE  # 3号桩先不动
        elif token.quantity is not None and token.quantity.unit in _PARTS_OF_WORKS:
            self.unit.domain = "media"  # 播放第二集

    def _numbered_name(self) -> Token | None:
        """The one unknown character after a number, where what they name is at once to be left as it is."""
        named, then = self._next(), self._next(2)
        if named is None or then is None or named.kind is not Kind.OPEN or len(named.text) > 1:
            return None
        return named if then.kind in (Kind.KEEP, Kind.NEGATION) else None

    def _locative(self, token: Token) -> None:
        if self._group is not None and self._rooms and token.text[0] in _INSIDE:
            self._group.inside = True

    def _here(self, token: Token) -> None:
        self._target_group(token)
        self._awaiting().here = True

    def _whole(self, token: Token) -> None:
        self._target_group(token)
        self._awaiting().whole = True

    def _device(self, token: Token) -> None:
        if self._excluding and self._group is not None and self._group.items and not self._joined:
            self._close_group()
        if self._acts.source(token, self.unit):
            self._close_group()
            return
        group = self._target_group(token)
        if group.items and group.items[-1].kind == "gate" and not self._joined and not self._rooms:
            self._rooms = [group.items.pop().word]
        item = self._new_item(group)
        item.name, item.kind, item.word = token.value or token.text, token.device, token.text
        if token.text.isascii() and token.value.lower() == token.text.lower():
            item.name = token.text
        item.open = token.attribute == "open"
        group.items.append(item)
        self._joined = False

    def _anything(self, token: Token) -> None:
        if self._excluding and self._group is not None and self._group.items and not self._joined:
            self._close_group()  # 除了冰箱什么都关了
        group = self._target_group(token)
        pointed = self._at > 0 and self._tokens[self._at - 1].kind is Kind.REFERENCE
        if pointed and group.items:
            return  # 那个东西; 冰箱那玩意儿
        item = self._new_item(group)
        item.anything, item.word = True, token.text
        group.items.append(item)

    def _scene(self, token: Token) -> None:
        self._acts.scene(token)
        self._close_group()

    def _all(self, token: Token) -> None:
        following = self._next()
        if self._excluding:
            self._close_group()
        if self._group is not None and self._group.items and not self._rooms:
            self._group.all = not (token.text == "全" and self._group.items[-1].kind == "blind")
        elif following is not None and following.kind in (
            Kind.DEVICE,
            Kind.ANYTHING,
            Kind.OF,
            Kind.ROOM,
            Kind.COUNT,
            Kind.OPEN,
        ):
            self._awaiting().quantifier = Quantifier.ALL
        else:
            self.unit.all = True
            for group in self.unit.groups[-1:]:
                group.all = True

    def _any(self, _token: Token) -> None:
        if self._group is not None and self._group.items:
            self._group.any = True
        elif self.unit.groups and self.unit.acts:
            self.unit.groups[-1].any = True
        else:
            self._awaiting().quantifier = Quantifier.ANY
            self.unit.any = True

    def _both(self, token: Token) -> None:
        if self._group is None and not self.unit.groups:
            self.unit.all, self.unit.both = True, _SEVERAL.get(token.text[0], 2)
        else:
            self._all(token)

    def _which(self, token: Token) -> None:
        """哪个都行 is any; 哪个 without it asks."""
        ahead = [later.kind for later in self._tokens[self._at + 1 : self._at + 6]]
        if Kind.ALL in ahead and not {Kind.BREAK, Kind.NEGATION, Kind.VERB, Kind.WEAK} & set(
            ahead[: ahead.index(Kind.ALL)]
        ):
            return  # 哪个都给我关了, 哪间的电视都关掉
        chosen = self.unit.any or (self._pending is not None and self._pending.quantifier is Quantifier.ANY)
        if chosen or any(later.kind in (Kind.INDIFFERENT, Kind.ANY) for later in self._tokens[self._at + 1 :]):
            self._any(token)
        else:
            self.unit.ask = self.unit.which = True

    def _other(self, token: Token) -> None:
        before = self._tokens[self._at - 1] if self._at else None
        if token.text[0] == "旁" and before is not None and before.end == token.start and before.kind in _STANDING:
            return  # 沙发旁的落地灯
        if self._excluding:
            self._close_group()
        elif self.unit.acts and self.unit.acts[-1].keep:
            self._split(token.start)  # 电视不管剩下的全断电
        self._all_others(token)

    def _count(self, token: Token) -> None:
        following = self._next()
        count = int(token.value) if token.value else int(token.quantity.value) if token.quantity else 1
        unit = token.quantity.unit if token.quantity is not None else ""
        if (
            self._excluding
            and self._rooms
            and unit in _THING_COUNTERS
            and (following is None or following.kind is Kind.BREAK)
        ):
            return  # 只留玄关一盏
        if unit in _TIMES or (following is not None and following.kind is Kind.ATTRIBUTE):
            return  # 测一遍窗帘, 开一条缝
        if token.quantity is not None and token.quantity.unit in _NO_THINGS:
            return
        if token.quantity is not None and token.quantity.unit == "首":
            self.unit.domain = "media"  # what follows is a title (唱一首关灯)
        elif following is not None and following.kind in (Kind.DEVICE, Kind.ROOM, Kind.REFERENCE):
            self._awaiting().count = count
        elif self._acts.channel(token, self.unit):
            return
        elif self.unit.groups and self.unit.groups[-1].items and not self.unit.groups[-1].room_only:
            for item in self.unit.groups[-1].items:
                item.count = count
        else:
            self.unit.count = count

    def _open(self, token: Token) -> None:
        """An unknown run where a target can stand is a name by position (把老伙计打开; 旺财，启动)."""
        before = self._tokens[self._at - 1] if self._at else None
        after = self._next()
        if token.text == "自然" and self._acts.waits_for("色温"):
            self._acts.read(Token(Kind.VALUE, token.start, token.end, token.text, token.text, "色温", "word"), after)
            return
        if token.text[-1] in _SAYING and after is not None and self._quoted(before, token, after):
            self.unit.sign = token.text
        if self._name_here(before, token, after):
            self._name(token)
        else:
            self._unknown(token)

    def _quoted(self, before: Token | None, token: Token, after: Token) -> bool:
        """前台说空调十二点统一停: somebody else's words; 我跟你说 and 说的那台 are none."""
        speaker = len(token.text) > 1 or (before is not None and before.kind in _MAY_SPEAK)
        own = before is not None and before.text in _TO_YOU
        closing = after.kind in _UNQUOTED
        return speaker and not (own or closing or self._acts.complete or self.unit.request)

    def _name_here(self, before: Token | None, token: Token, after: Token | None) -> bool:
        if not 2 <= len(token.text) <= 6:
            return False
        if any(character in self._never for character in token.text):
            return False
        if before is not None and before.kind is Kind.BEFORE_TARGET:
            if before.text[-1] in "把将让叫拿":
                return True
            return (
                not self.unit.groups
                and after is not None
                and after.kind in _ACTING
                and after.kind is not Kind.BEFORE_TARGET
            )
        if before is not None and self._switches(before) and (after is None or after.kind in CLOSING):
            return True
        if self._acts.complete and not self._joined:
            return False
        if after is not None and after.kind is Kind.OF:
            position = self._tokens.index(after)
            named = position + 1 < len(self._tokens) and self._tokens[position + 1].kind is Kind.ATTRIBUTE
            return named and before is None
        bordered = before is None or (before.kind in _BEFORE_NAME and before.text not in _NOT_OR_NOT_YET)
        bordered = bordered or self._in_room(before, token, after)
        return bordered and (after is None or after.kind in _ACTING)

    def _switches(self, verb: Token) -> bool:
        """打开老伙计: what alone follows a plain verb is its thing."""
        plain = verb.kind is Kind.VERB and len(verb.text) > 1 and verb.value in ("打开", "关闭", "重启")
        alone = not (self.unit.groups or self.unit.unknown or self.unit.person)
        return plain and alone and verb.text[-1] not in "了来去" and len(self.unit.acts) == 1
