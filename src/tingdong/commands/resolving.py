"""The protocol's ACTION for an `Act` on an `Item` (commands.md, ACTION)."""

from msgspec.structs import replace

from context_retrieval.lexicon import Lexicon
from context_retrieval.models import LAST_NAME, Action
from context_retrieval.verbs import verb_table
from tingdong.commands.conditions import quantity_text
from tingdong.commands.parts import Act, Item
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from zhtext.quantities import QuantityKind

__all__ = ["Resolver"]

_VALUE = Kind.VALUE

_BY_UNIT = {QuantityKind.DEGREE: "温度", QuantityKind.KELVIN: "色温", QuantityKind.GEAR: "风速"}
_SIZES = {"air_conditioner": "风速"}
WIRED = frozenset(("plug", "switch"))
_STEPLESS = frozenset(("颜色", "模式", "频道", "输入源"))
_NEVER_FREEZING = frozenset(("air_conditioner", "heater"))
_NO_STEP = 30
"""So many degrees are no step but what is set (预热九十度), and of an air conditioner fewer (空调低一点二十五度)."""
_NO_STEP_OF_AIR = 15

_KELVIN_LEAST = 1500
_PERCENT_MOST = 100
_SHUT = ("关", "合", "闭", "拉上", "拉合", "拉拢")


class Resolver:
    """Turns acts into actions by the tables of the lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._kinds = lexicon.kinds
        self._attributes = lexicon.values.attributes
        self._features = {name: kind.features for name, kind in lexicon.kinds.items()}
        self._fitting = {name: frozenset(kind.attributes.split()) for name, kind in lexicon.kinds.items()}
        self._units = lexicon.values.units
        self._by_kind = lexicon.actions.by_kind
        self._verbs = lexicon.actions.verbs

    def fits(self, act: Act, item: Item) -> bool:
        """Whether the act can be meant for this kind of thing (音量 is none of a lamp's)."""
        kind = self._kinds.get(item.kind)
        if kind is None or item.anything:
            return True
        attribute = self.attribute(act, item)
        if attribute and attribute != "场景":
            return attribute in self._fitting[item.kind] or kind.type.value == "Unknown"
        if act.verb in ("播放", "上一首", "下一首", "静音", "取消静音"):
            return kind.media or "音量" in kind.attributes or kind.type.value == "Unknown"
        return True

    def attribute(self, act: Act, item: Item) -> str:
        """What the act sets or reads: as said, by its unit, else what a bare number means on this thing."""
        value = act.value
        quantity = value.quantity if value is not None else None
        if (
            quantity is not None
            and quantity.kind in _BY_UNIT
            and not (act.attribute and quantity.kind is QuantityKind.GEAR)
        ):
            by_unit = _BY_UNIT[quantity.kind]
            kind = self._kinds.get(item.kind or item.refers)
            if by_unit == "风速" and kind is not None and kind.bare in ("亮度", "音量"):
                return kind.bare  # a lamp has no wind
            return "色温" if act.attribute == "色温" else by_unit
        if act.attribute:
            return act.attribute
        kind = self._kinds.get(item.kind or item.refers)
        bare = kind.bare if kind else ""
        if value is not None and value.kind is _VALUE:
            if value.device == "extreme":
                return value.attribute or bare
            return value.attribute
        if quantity is not None:
            if bare == "亮度" and quantity.value >= _KELVIN_LEAST:
                return "色温"
            return bare
        if act.direction:
            if act.word[:1] in "大小开关调弄整拧" and any(size in act.word for size in "大小"):
                return _SIZES.get(item.kind, bare)
            return bare
        return ""

    def action(self, act: Act, item: Item, when: str) -> Action | None:
        """The ACTION, or None where the act says nothing that can be done to the item."""
        when_text = when or None
        if act.query:
            return Action(self._asked(act, item), None, when_text)
        if act.value is not None:
            return self._setting(act, item, when_text)
        if act.direction:
            return self._change(act, item, None, when_text)
        if act.verb == "静音" and item.kind and not self._sounds(item.kind):
            return Action("设置模式", "静音", when_text)
        if act.verb:
            return Action(self._verb(act, item), None, when_text)
        return None

    def _asked(self, act: Act, item: Item) -> str:
        """How far it is open asks for what a bare number means on the thing (灯开到几成了); a socket has no charge."""
        kind = self._kinds.get(item.kind)
        if kind is None:
            return act.query
        if act.query == "查询开合度" and not act.attribute and "开合度" not in self._fitting[item.kind] and kind.bare:
            return f"查询{_SIZES.get(item.kind, kind.bare)}"
        if act.query == "查询电量" and item.kind in WIRED:
            return "查询状态"
        return act.query

    def _sounds(self, kind: str) -> bool:
        """Whether the kind plays or speaks; of what has modes and does neither 静音 is one (加湿器开静音)."""
        return self._kinds[kind].media or "音量" in self._fitting[kind] or "模式" not in self._fitting[kind]

    def _unit(self, attribute: str) -> str:
        """The unit of a number said without one for this attribute."""
        return self._units.get(self._attributes[attribute].bare, "")

    def _verb(self, act: Act, item: Item) -> str:
        kind = self._kinds.get(item.kind)
        features = self._features.get(item.kind, ())
        table = self._by_kind.get(act.word) or self._verbs[act.verb].by_kind
        if not table:
            return "播放" if act.word == "放" and act.verb == "打开" and kind is not None and kind.media else act.verb
        for feature in (
            item.kind,
            *features,
            "none" if kind is None and item.name == LAST_NAME else "default",
            "default",
        ):
            if feature in table:
                return table[feature]
        return act.verb

    def _change(self, act: Act, item: Item, amount: Token | None, when: str | None) -> Action | None:
        attribute = self.attribute(act, item)
        if item.kind == "light" and attribute == "温度" and amount is None:
            return Action("设置色温", "暖" if act.direction == "调高" else "冷", when)
        if (
            item.kind == "blind"
            and amount is None
            and not act.attribute
            and act.word in ("升", "降", "落", "往上", "往下", "降下", "升上")
        ):
            return Action(verb_table().moved[act.direction], None, when)
        if not attribute or attribute in _STEPLESS:
            return None
        value = (
            quantity_text(amount, self._unit(attribute))
            if amount is not None and attribute in self._attributes
            else None
        )
        if amount is not None and value is not None and amount.text[-1] == "格" and attribute != "风速":
            value = value.replace("档", "%") if attribute == "音量" else None  # 声音加两格, 亮一格
        return Action(f"{act.direction}{attribute}", value, when)

    @staticmethod
    def _is_step(value: Token, attribute: str, item: Item) -> bool:
        """空调-1℃, 音量-10: a minus sign takes off, but where it freezes (冷冻-18℃)."""
        signed = value.quantity is not None and value.text[:1] in "-−"
        return signed and attribute != "" and (attribute != "温度" or item.kind in _NEVER_FREEZING)

    def _step(self, value: Token, attribute: str, when: str | None) -> Action | None:
        quantity = value.quantity
        if quantity is None or attribute not in self._attributes:
            return None
        amount = replace(value, quantity=replace(quantity, value=-quantity.value))
        return Action(f"调低{attribute}", quantity_text(amount, self._unit(attribute)), when)

    def _setting(self, act: Act, item: Item, when: str | None) -> Action | None:
        value = act.value
        if value is None:
            return None
        attribute = self.attribute(act, item)
        if not act.direction and not act.to and self._is_step(value, attribute, item):
            return self._step(value, attribute, when)
        degrees = value.quantity.value if value.quantity is not None and attribute == "温度" else 0.0
        least = _NO_STEP_OF_AIR if item.kind == "air_conditioner" and not act.again else _NO_STEP
        if act.direction and value.kind is not _VALUE and degrees < least:
            return self._change(act, item, value, when)
        if value.kind is _VALUE:
            return Action(f"设置{attribute}", value.value, when)
        if not attribute:
            percent = value.quantity is not None and value.quantity.kind is QuantityKind.PERCENT
            known = percent or (value.quantity is not None and value.quantity.kind is QuantityKind.NUMBER and act.set)
            return Action("设置", quantity_text(value, ""), when) if known else None
        if attribute not in self._attributes:
            return None
        percent = self._attributes[attribute].bare == "percent" or (
            value.quantity is not None and value.quantity.kind is QuantityKind.PERCENT
        )
        unit = self._unit(attribute)
        if percent and value.quantity is not None and not 0 <= value.quantity.value <= _PERCENT_MOST:
            said = act.set or act.to or act.attribute  # 一二三，关灯 sets nothing
            if value.quantity.kind is not QuantityKind.NUMBER or value.quantity.value < 0 or not said:
                return None
            unit = ""  # what is over a hundred is no percent, but may be a value of the thing's own scale
        if attribute == "开合度":
            value = _as_open(act, value)
        return Action(f"设置{attribute}", quantity_text(value, unit), when)


def _as_open(act: Act, value: Token) -> Token:
    """How far it is open: 合上八成, 关三分之一 say how far it is shut, but 关到三成 does not."""
    quantity = value.quantity
    shut = act.verb == "关闭" and act.word.startswith(_SHUT) and act.start + len(act.word) == value.start
    if quantity is None or quantity.kind is not QuantityKind.PERCENT or not shut or act.to:
        return value
    return replace(value, quantity=replace(quantity, value=_PERCENT_MOST - quantity.value))
