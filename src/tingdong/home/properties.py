"""A thing model's properties compiled (service.md, Home `model`): role, label, range, enum words, which value is
"on"."""

import re
from typing import Any

import msgspec

from context_retrieval.models import DeviceType
from tingdong.home.acts import acts
from tingdong.home.document import ModelDocument, PropertyDocument, PropertyType
from tingdong.home.model import PropertyRole
from tingdong.home.roles import NUMBERS, canonical, describe_segments, is_readonly, is_unnamed, role_of
from tingdong.home.vocabulary import KindEntry, Sides, choice_words, roles, unit_words, values

__all__ = ["PropertySpec", "compile_properties", "moves"]

MOST_OF_A_NAME = 6
"""Characters of what a describe calls a property; more is a sentence about it."""
GEAR_SPAN = 20
"""A speed, or what has no role, is counted by its own numbers where its range is at most this wide."""

_SAID = re.compile(r"[\s=:：为是表示指即（(“\"'—-]*([\u4e00-\u9fff][\u4e00-\u9fffA-Za-z0-9.]*)")
_LABEL = re.compile(r"[\s=:：为是表示指（(]*((?:[\u4e00-\u9fff]|PM|CO|pm)[\u4e00-\u9fff0-9.]{0,9})")
_RANGE_START = re.compile(r"(?<=[\u4e00-\u9fff])\d+(?:[到至].*)?\Z")
"""Where a range follows the name at once (亮度1~100, 风速1到5档)."""
_LABEL_TAIL = ("只读", "百分比", "调节", "大小", "浓度", "设置", "控制", "数值", "编号", "号", "剩余")
_NUMBERED = re.compile(r"(?<![\d\u4e00-\u9fff])(\d{1,2})[\s=:：为是]*([\u4e00-\u9fff]{1,4})(?=[，,、；;。）)\s]|\Z)")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_WHEN_TRUE = re.compile(
    r"[\s=:：为是]*true[\s=:：为是表示指即时就则]*(?:开始|立刻|立即|马上|会)*([\u4e00-\u9fff]{1,6})"
)
"""A switch that is told only by what it then does (brew为true时开始冲煮)."""

_WINDY = frozenset({"fan", "exhaust_fan", "fresh_air", "extractor", "purifier", "air_conditioner"})


class PropertySpec(msgspec.Struct, frozen=True, gc=False):
    """A compiled property.

    `low`/`high` bound a number. `on`/`off` are the values that mean what the role asserts and its opposite (locked,
    muted, open …). `words` maps what may be said to a choice, `texts` a choice to how a reply says it, `gears` are the
    choices that stepping walks, gentlest first. `inverted`: a higher number is warmer light. `part` tells several
    properties of one role apart (冷藏室). `ends`: a motor's words at its lowest and highest number (收起, 降).
    `called`: what the describe calls it. `mirrored`: it counts how far a curtain is closed (`turned`).
    """

    name: str
    role: PropertyRole
    type: PropertyType
    label: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[Any, ...] = ()
    readonly: bool = False
    on: Any = True
    off: Any = False
    words: dict[str, Any] = {}
    texts: dict[Any, str] = {}
    gears: tuple[Any, ...] = ()
    is_gear: bool = False
    inverted: bool = False
    part: str = ""
    ends: tuple[str, str] = ("", "")
    called: str = ""
    mirrored: bool = False

    def turned(self, value: Any) -> Any:
        """A value as this package counts it, or as the model does: the other way round where 0 is open (`mirrored`)."""
        if not self.mirrored or isinstance(value, bool) or not isinstance(value, int | float):
            return value
        return (self.low or 0) + (100 if self.high is None else self.high) - value

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers."""
        return self.type in NUMBERS

    @property
    def is_feature(self) -> bool:
        """Whether it is a switch for what the thing does beside its work (照明, 消毒, 摇头)."""
        return self.type is PropertyType.BOOL and not self.readonly and self.role is PropertyRole.OTHER

    def fits(self, value: Any) -> bool:
        """Whether `value` is valid for this property (service.md, Home `type`, `range`, `min`, `max`)."""
        match self.type:
            case PropertyType.BOOL:
                return isinstance(value, bool)
            case PropertyType.ENUM:
                return not isinstance(value, bool) and value in self.choices
            case PropertyType.STRING:
                return isinstance(value, str)
            case PropertyType.FLOAT:
                right_type = isinstance(value, int | float) and not isinstance(value, bool)
            case _:
                right_type = isinstance(value, int) and not isinstance(value, bool)
        if not right_type:
            return False
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


def moves(spec: PropertySpec) -> bool:
    """Whether the property is a motor with a choice for each way (a drying rack: 升, 降, 停)."""
    return spec.type is PropertyType.ENUM and any(out in spec.words and back in spec.words for out, back in acts().ways)


def compile_properties(model: ModelDocument, kind: KindEntry) -> tuple[PropertySpec, ...]:
    """The model's properties with their meaning, in the model's order."""
    segments = describe_segments(model)
    specs: list[PropertySpec] = []
    for name, definition in model.property.items():
        role = role_of(name, definition, segments[name], model, kind)
        specs.append(_compile(name, definition, role, segments[name], model, kind))
    return tuple(_told_apart(_one_power(specs)))


def _one_power(specs: list[PropertySpec]) -> list[PropertySpec]:
    """Only the first property is the power switch; a target temperature makes a plain `temperature` a measured one."""
    seen: set[PropertyRole] = set()
    result = []
    for spec in specs:
        if spec.role is PropertyRole.POWER and PropertyRole.POWER in seen:
            spec = msgspec.structs.replace(spec, role=PropertyRole.OTHER)
        seen.add(spec.role)
        result.append(spec)
    return result


def _told_apart(specs: list[PropertySpec]) -> list[PropertySpec]:
    """Properties of one role get as `part` what their labels do not share (冷藏室温度, 冷冻室温度)."""
    result = list(specs)
    for role in {spec.role for spec in specs} - {PropertyRole.OTHER}:
        same = [index for index, spec in enumerate(specs) if spec.role is role]
        if len(same) < 2:
            continue
        word = roles()[role].label
        for index in same:
            label = specs[index].label
            part = label.removesuffix(word) if label != word else ""
            result[index] = msgspec.structs.replace(specs[index], part=part)
    return result


# ---- the rest of a property


def _compile(
    name: str, definition: PropertyDocument, role: PropertyRole, segment: str, model: ModelDocument, kind: KindEntry
) -> PropertySpec:
    entry = roles().get(role)
    texts = _choice_texts(definition, segment) if definition.kind is PropertyType.ENUM else {}
    on, off = _on_off(name, definition, role, segment)
    low, high = definition.min, definition.max
    bounded = low is not None and high is not None and high - low <= GEAR_SPAN
    is_gear = role in (PropertyRole.SPEED, PropertyRole.OTHER) and bounded
    unit = entry.unit if entry else ""
    if role is PropertyRole.SPEED and definition.kind in NUMBERS:
        unit = "档" if is_gear else "%"
    if definition.kind is not PropertyType.FLOAT:
        low, high = (None if bound is None else int(bound) for bound in (low, high))
    return PropertySpec(
        name=name,
        role=role,
        type=definition.kind,
        label=_label(name, role, segment, kind),
        unit=unit_words().get(definition.unit.lower(), definition.unit) or unit,
        low=low,
        high=high,
        choices=definition.range if definition.kind is PropertyType.ENUM else (),
        readonly=(entry is not None and entry.read_only) or is_readonly(definition, segment, model),
        on=on,
        off=off,
        words=_said_words(texts) or _numbered(segment, low, high),
        texts=texts,
        gears=_gears(texts),
        is_gear=is_gear,
        inverted=role is PropertyRole.COLOUR_TEMPERATURE and _warmer_upwards(segment, definition),
        ends=_ends(low, high, segment, kind) if role is PropertyRole.OPENING else ("", ""),
        called=_called(segment),
        mirrored=_is_mirrored(name, role, segment, kind),
    )


def _numbered(segment: str, low: float | None, high: float | None) -> dict[str, Any]:
    """The numbers of a small range that the describe has words for (heat火力，1小火、2中火、3大火)."""
    if low is None or high is None or high - low > GEAR_SPAN:
        return {}
    said = {text: int(number) for number, text in _NUMBERED.findall(segment) if low <= int(number) <= high}
    return said if len(said) > 1 and len(set(said.values())) == len(said) else {}


def _called(segment: str) -> str:
    """What the describe calls the property, whatever its role (音效 of eq音效：pop流行); "" where it says nothing."""
    match = _WHEN_TRUE.match(segment) or _LABEL.match(segment)
    said = _RANGE_START.sub("", match[1]) if match else ""
    for tail in (*values().called_tails, *_LABEL_TAIL, *(unit for unit in values().units if len(unit) > 1)):
        said = said.removesuffix(tail) if len(said) > len(tail) + 1 else said
    return said if len(said) <= MOST_OF_A_NAME else ""


def _ends(low: float | None, high: float | None, segment: str, kind: KindEntry) -> tuple[str, str]:
    """What the describe says of the two ends (0收起，100放下), else what the kind does there; a curtain is drawn."""
    if kind.type is DeviceType.BLIND:
        return ("", "")
    moved = acts().moved
    said = [re.search(rf"(?<!\d){bound}(?!\d)", segment) for bound in (low, high)]
    words = [_SAID.match(segment, one.end()) if one else None for one in said]
    named = tuple(canonical(word[1]) if word else "" for word in words)
    return (named[0], named[1]) if all(one in moved for one in named) else kind.ends


def _label(name: str, role: PropertyRole, segment: str, kind: KindEntry) -> str:
    entry = roles().get(role)
    match = None if is_unnamed(role) else _WHEN_TRUE.match(segment) or _LABEL.match(segment)
    if entry is not None and match:
        said = _RANGE_START.sub("", match[1])
        for tail in (*values().called_tails, *_LABEL_TAIL):
            if said.endswith(tail) and len(said) > len(tail) + 1 and tail not in entry.words:
                said = said.removesuffix(tail)
        if (
            len(said) <= 8
            and not said.startswith(("当前", "实时"))
            and any(word in said for word in (entry.label, *entry.words))
        ):
            return said
    if role is PropertyRole.SPEED:
        return "风速" if kind.key in _WINDY else "档位"
    if entry is not None:
        return entry.label
    return _feature(_called(segment) or match[1]) if match else name


def _feature(said: str) -> str:
    """What a switch is called that is told by what it does: 水泵 of 水泵在转, 照明 of 鱼缸灯亮."""
    tail = next((one for one in values().at_work if said.endswith(one) and len(said) > len(one) + 1), "")
    said = said.removesuffix(tail)
    if not tail or said in values().features:
        return said
    return next((key for key, words in values().features.items() if said.endswith(words)), said)


def _choice_texts(definition: PropertyDocument, segment: str) -> dict[Any, str]:
    """Each choice with its Chinese: from the describe (cool制冷) first, then from the data."""
    texts: dict[Any, str] = {}
    for choice in definition.range:
        token = str(choice)
        if _CHINESE.match(token):
            texts[choice] = token
            continue
        match = re.search(rf"(?<![A-Za-z0-9_]){re.escape(token)}(?![A-Za-z0-9_])", segment)
        said = _SAID.match(segment, match.end()) if match else None
        texts[choice] = _own_part(said[1], definition) if said else canonical(choice)
    return texts


def _own_part(said: str, definition: PropertyDocument) -> str:
    """What is said of a choice, up to the next one (cool制冷heat制热)."""
    ends = (said.find(token) for token in map(str, definition.range) if token.isascii())
    return said[: min((end for end in ends if end > 0), default=len(said))]


def _said_words(texts: dict[Any, str]) -> dict[str, Any]:
    """What may be said → choice; a nearer word is never displaced by a synonym."""
    words: dict[str, Any] = {}
    for choice, text in texts.items():
        words.setdefault(text, choice)
        words.setdefault(str(choice).lower(), choice)
        words.setdefault(text.removesuffix("模式"), choice)
    for choice, text in texts.items():
        for word in dict.fromkeys((canonical(choice), *choice_words().get(text, ()))):
            words.setdefault(word, choice)
    for choice in texts:
        entry = values().choices.get(canonical(choice))
        for word in entry.words if entry else ():
            words.setdefault(word, choice)
    return words


def _gears(texts: dict[Any, str]) -> tuple[Any, ...]:
    none = values().not_a_gear
    gears = [choice for choice, text in texts.items() if none.isdisjoint((canonical(choice), canonical(text)))]
    order = values().gear_order
    ranks = [order.index(word) for word in map(canonical, gears) if word in order]
    if len(ranks) == len(gears) > 1 and ranks == sorted(ranks, reverse=True):
        gears.reverse()
    return tuple(gears)


def _on_off(name: str, definition: PropertyDocument, role: PropertyRole, segment: str) -> tuple[Any, Any]:
    """The values that mean what the role asserts (powered, locked, open, muted) and the opposite: as the describe has
    it (1通 0断, true是待机), else by the words of the choices, else by the name."""
    sides = _sides(name, definition, role, segment)
    if definition.kind is PropertyType.ENUM:
        asserted = ("上锁", "解锁") if role is PropertyRole.LOCK else ("开", "关")
        by_word = {canonical(choice): choice for choice in definition.range}
        if sides is None and asserted[0] in by_word and asserted[1] in by_word:
            return by_word[asserted[0]], by_word[asserted[1]]
        digits = {str(choice): choice for choice in definition.range}
        if sides is None and digits.keys() == {"0", "1"}:
            return digits["1"], digits["0"]
        return sides or (definition.range[0], definition.range[-1])
    on, off = (True, False) if definition.kind is PropertyType.BOOL else (1, 0)
    return sides or (on, off)


def _sides(name: str, definition: PropertyDocument, role: PropertyRole, segment: str) -> tuple[Any, Any] | None:
    """The two values of a switch by what the describe says of either, else by an English name that says the opposite
    (unlocked, standby); None where nothing tells."""
    told = values().sides.get(role)
    if told is None:
        return None
    pair = {PropertyType.BOOL: (True, False), PropertyType.ENUM: definition.range}.get(definition.kind, (1, 0))
    if len(pair) != 2:
        return None
    for value, other in (pair, pair[::-1]):
        side = _side_of(_said_of_value(value, segment), told)
        if side is not None:
            return (value, other) if side else (other, value)
    named = re.sub(r"[_\-\s]", "", name).lower()
    return (False, True) if definition.kind is PropertyType.BOOL and named in told.names else None


def _side_of(said: str, told: Sides) -> bool | None:
    """Whether it tells what is asserted or the opposite, by how it begins, else by what stands in it (窗户关闭)."""
    for side, words in ((False, told.opposite), (True, told.asserted)):
        if said.startswith(words):
            return side
    for side, words in ((False, told.opposite), (True, told.asserted)):
        if any(word in said for word in words):
            return side
    return None


def _said_of_value(value: Any, segment: str) -> str:
    """What the describe says right behind a value of its own (true是待机, 1通); "" for nothing."""
    token = str(value).lower() if isinstance(value, bool) else str(value)
    match = re.search(rf"(?<![A-Za-z0-9_]){re.escape(token)}(?![A-Za-z0-9_])", segment)
    said = _SAID.match(segment, match.end()) if match else None
    return said[1].removeprefix("完全") if said else ""


def _is_mirrored(name: str, role: PropertyRole, segment: str, kind: KindEntry) -> bool:
    """Whether a curtain counts how far it is closed: 0 is open (close_pct闭合百分比：0为完全拉开)."""
    if role is not PropertyRole.OPENING or kind.type is not DeviceType.BLIND:
        return False
    closed, opened = values().sides["opening"].opposite, values().sides["opening"].asserted
    if said := _said_of_value(0, segment):
        return said.startswith(opened)
    if said := _said_of_value(100, segment):
        return said.startswith(closed)
    return segment.strip().startswith(closed) or name.lower().startswith("close")


def _warmer_upwards(segment: str, definition: PropertyDocument) -> bool:
    """Whether a higher number is warmer light: so the describe says, or the range is in mireds."""
    if re.search(r"越大[^，。；]{0,4}越?暖|越小[^，。；]{0,4}越?冷", segment):
        return True
    low, high = definition.min or 0, definition.max or 0
    return 100 <= low < high <= 600
