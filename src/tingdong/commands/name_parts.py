"""Which words before a device word belong to its name (鱼缸灯, 三号插座, 吉他音箱)."""

from context_retrieval.lexicon import Lexicon
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind

__all__ = ["BORDERS", "MAX_RUN", "OWN_WORDS", "SURE", "NameParts", "is_soft", "name_counted_off"]

_DEVICE, _DOMAIN, _NOUN, _OPEN, _ORDINAL = Kind.DEVICE, Kind.DOMAIN, Kind.NOUN, Kind.OPEN, Kind.ORDINAL
_SIZE, _VALUE = Kind.SIZE, Kind.VALUE

BORDERS = frozenset(
    (
        Kind.BREAK, Kind.BEFORE_TARGET, Kind.REQUEST, Kind.OF, Kind.ROOM, Kind.ZONE, Kind.HERE, Kind.WHOLE, Kind.JOINT,
        Kind.SEQUENCE, Kind.VERB, Kind.WEAK, Kind.SET, Kind.NEGATION, Kind.EXCEPT_BEFORE, Kind.ALL, Kind.ANY,
        Kind.OTHER, Kind.COUNT, Kind.WHEN, Kind.POLITE, Kind.WAKE, Kind.REFERENCE, Kind.ONLY,
        Kind.ONLY_THIS, Kind.CORRECTION,
        Kind.LOOK, Kind.LOCATIVE, Kind.PARTICLE, Kind.STATE, Kind.UP, Kind.DOWN, Kind.MORE, Kind.CANCEL, Kind.KEEP,
        Kind.LIGHT, Kind.TO, Kind.QUANTITY, Kind.DEVICE, Kind.CONDITION_START, Kind.CONFIRM, Kind.VALUE, Kind.ALSO,
        Kind.ORDINAL, Kind.EXCEPT_AFTER, Kind.CONDITION_END, Kind.LATER, Kind.REFERENCES, Kind.AGAIN,
    )
)  # fmt: skip
"""Kinds of token that can stand before a name."""

SURE = frozenset(
    (Kind.BREAK, Kind.BEFORE_TARGET, Kind.OF, Kind.ROOM, Kind.ZONE, Kind.JOINT, Kind.REQUEST, Kind.SEQUENCE)
)
"""Kinds of token that always end before a name begins."""

OWN_WORDS = frozenset("的了吧吗呢啊个着是一开关把给请你您我俺咱去来要那可想到在也都先再又调设和跟与及让帮这将刚进出回")
"""Characters that are words of the sentence right before a name."""

_SENSED = frozenset("热冷晒臭烟呛醒吃喝睡觉听见知记忘希喜欢爱病死")
"""Characters kept out of names that are no words of the sentence beside the ending of a device."""

_HEADS = frozenset(("plug", "switch", "charger"))
_AILING = frozenset("疼痛晕嗽冒敏烧")
_SPOKEN_TWICE = frozenset(("audio", "speaker", "blind"))
"""Kinds whose name is often said with the generic word behind it."""
MAX_RUN = 5
"""Characters of an unknown run that can still be a name."""

_NAME_COUNTERS = frozenset("支盏台部只个扇架条把幅张副间")
_COUNTED_OFF = _NAME_COUNTERS | frozenset("套串排路块")
_COUNTING_OFF = frozenset((Kind.ORDINAL, Kind.LAST_ONE))
_BETWEEN_NUMBERS = frozenset("到至和跟与、")
_AREA_ENDS = tuple("区楼层院圈棚舍店铺站部阁场馆亭坪堂库园坊")
_SOFT_IN_A_NAME = frozenset(
    (Kind.PARTICLE, Kind.OF, Kind.SIZE, Kind.VALUE, Kind.WEAK, Kind.LOCATIVE, Kind.CONFIRM, Kind.TO, Kind.UP, Kind.DOWN,
     Kind.TOO, Kind.ATTRIBUTE)
)  # fmt: skip
_FUNCTION = frozenset("的了吧吗呢啊把个着过是一亮开关停再又都全就")
"""Soft characters that are words of the sentence far more often than parts of a name."""


def is_soft(piece: Token) -> bool:
    """Whether it is a known single character that names may hold."""
    return (
        len(piece.text) == 1
        and piece.kind in _SOFT_IN_A_NAME
        and piece.text.isalpha()
        and (piece.text not in _FUNCTION or piece.text == "吧")
    )


_COOKING = frozenset("炒蒸煮炖煎熬炸焖煲")


class NameParts:
    """The parts of names, by a lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._never = frozenset("".join(lexicon.grammar["not_in_names"]))
        self._words_only = self._never - _SENSED
        self._activities = tuple(lexicon.grammar["activities"])

    def clean(self, text: str) -> bool:
        """Whether no character of the text keeps it from being a name."""
        return self._never.isdisjoint(text)

    def is_activity(self, text: str) -> bool:
        """Whether the text ends in what people do."""
        return text.endswith(self._activities)

    def of_thing(self, token: Token, number: str) -> Token:
        """麻将桌的灯: where a thing stands; 炒菜的油烟机: what is cooked with it is no place."""
        if token.text[0] in _COOKING and len(token.text) == 2:
            return Token(Kind.PARTICLE, token.start, token.end, token.text)
        place = number + token.text
        return Token(Kind.ROOM, token.start, token.end, place, place, "open")

    def device_kind(self, text: str) -> str | None:
        """The kind an unknown run reveals by its ending; what is sensed may name a device (臭氧机, 电热锅)."""
        return self._lexicon.kind_of_name(text) if self._words_only.isdisjoint(text) else None

    def extends(self, piece: Token, head: Token, *, solid: bool) -> bool:
        """Whether the piece right before belongs to the name that `head` ends; `solid`: it holds an unknown part."""
        kind = piece.kind
        if kind is _OPEN:
            if piece.text in _NAME_COUNTERS or piece.text.endswith(_AREA_ENDS) or piece.text.endswith(self._activities):
                return False
            return (len(piece.text) <= MAX_RUN or piece.text.isascii()) and self.clean(piece.text)
        if kind is _ORDINAL:
            return piece.text[-1] in "号路" and head.value != "named"
        if kind is _DEVICE:
            return solid or self._device_extends(piece, head)
        if kind is _SIZE:
            return piece.text in "大小" and (head.value == "*" or head.attribute != "named")
        if kind is _VALUE:
            return self._value_extends(piece, head)
        if kind is _DOMAIN:
            return head.value == "*"
        if kind is not _NOUN or piece.value == "person" or piece.text[-1] in _AILING:
            return False
        return piece.value == "thing" or (
            not solid and (head.device in (*_HEADS, "light") or self.clean(piece.text[0]))
        )

    def _device_extends(self, piece: Token, head: Token) -> bool:
        if piece.text.lower() == "led":
            return head.value != "*" or head.device != "light"
        if head.text == "电机":
            return piece.value == "*" or piece.text[-1] in "窗门帘户"
        if head.value == "*" != piece.value and piece.device == head.device and piece.device in _SPOKEN_TWICE:
            return True  # 低音炮音箱, 天幕帘
        kind = self._lexicon.kinds[piece.device].type.value
        lamp = head.device == "light" and kind != "Light"
        backlight = lamp and piece.device == "television" and head.value != "*"
        covered = lamp and kind == "Blind" and piece.value != "*" == head.value  # 天幕灯
        return head.device in _HEADS or (lamp and kind == "Unknown") or backlight or covered

    @staticmethod
    def _value_extends(piece: Token, head: Token) -> bool:
        """蓝牙音箱, 大红灯笼, 拖地机: an input, a colour or a mode that names what follows."""
        named = piece.attribute in ("颜色", "输入源") and not piece.text.endswith(("色", "的", "光"))
        named_kind = (head.device == "appliance" and head.value != "*") or (
            head.device == "light" and head.value == "*"
        )
        named_kind = named_kind or head.device in ("plug", "audio", "speaker")
        mode = piece.attribute == "模式" and named_kind and not piece.text.endswith(("模式", "场景"))
        return mode or (named and (head.value == "*" or len(piece.text) > 1) and len(piece.text) < 4)


def name_counted_off(tokens: list[Token]) -> None:
    """第二盏灯, 最后一个插座: one of several, counted off, is a name and never all of them.

    Where the home is known it says which of its things that is, so there the number stays by itself.
    """
    for at in range(1, len(tokens)):
        number, thing = tokens[at - 1], tokens[at]
        if thing.kind is not _DEVICE or number.kind not in _COUNTING_OFF or number.end != thing.start:
            continue
        counted = number.kind is Kind.LAST_ONE or number.text[:1] == "第"
        if counted and number.text[-1:] in _COUNTED_OFF:
            thing.value = _from_first(tokens, at - 1) + thing.text


def _from_first(tokens: list[Token], at: int) -> str:
    """第二到第五盏: the numbers counted off, from the first of them to the one at `at`, as said."""
    said = tokens[at].text
    while at > 1 and tokens[at - 2].kind is Kind.ORDINAL and tokens[at - 1].text in _BETWEEN_NUMBERS:
        said = tokens[at - 2].text + tokens[at - 1].text + said
        at -= 2
    return said
