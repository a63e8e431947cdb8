"""What a thing model's properties mean (seed 004 §4.4 `model`): role, label, range, enum words, which value is "on".

Evidence for a role, strongest first: the property's name, what the property's or the model's `describe` says of it, the
values of an enum, and for a number called only `level` the kind of thing and the range.
"""

import re
from typing import Any

import msgspec

from tingdong.home.document import ModelDocument, PropertyDocument, PropertyType
from tingdong.home.model import PropertyRole
from tingdong.home.vocabulary import KindEntry, choice_tokens, choice_words, roles, values

__all__ = ["PropertySpec", "compile_properties", "describe_segments"]

GEAR_SPAN = 20
"""A speed whose range is at most this wide is counted in gears."""

_NUMBERS = frozenset({PropertyType.UINT, PropertyType.INT, PropertyType.FLOAT})
_SENTENCE_END = re.compile(r"[。；;\n]")
_SAID = re.compile(r"[\s=:：为是表示指即（(“\"'—-]*([\u4e00-\u9fff][\u4e00-\u9fffA-Za-z0-9.]*)")
_LABEL = re.compile(r"[\s=:：为是表示指（(]*((?:[\u4e00-\u9fff]|PM|CO|pm)[\u4e00-\u9fff0-9.]{0,9})")
_LABEL_TAIL = ("百分比", "调节", "大小", "浓度", "设置", "控制", "数值", "编号", "号")
_TRUE = re.compile(r"true[\s=:：为是表示指即]*([\u4e00-\u9fff]+)")
_FALSE = re.compile(r"false[\s=:：为是表示指即]*([\u4e00-\u9fff]+)")

_SWITCHED = frozenset(
    {
        PropertyRole.POWER,
        PropertyRole.MUTE,
        PropertyRole.LOCK,
        PropertyRole.OPEN,
        PropertyRole.MOTION,
        PropertyRole.ALARM,
    }
)
_NUMERIC = frozenset(
    {
        PropertyRole.BRIGHTNESS,
        PropertyRole.COLOUR_TEMPERATURE,
        PropertyRole.TEMPERATURE,
        PropertyRole.HUMIDITY,
        PropertyRole.VOLUME,
        PropertyRole.OPENING,
        PropertyRole.BATTERY,
        PropertyRole.SENSED_TEMPERATURE,
        PropertyRole.SENSED_HUMIDITY,
        PropertyRole.SENSED_PM25,
        PropertyRole.SENSED_LIGHT,
        PropertyRole.SENSED_CO2,
        PropertyRole.SENSED_FORMALDEHYDE,
    }
)
_CHOSEN = frozenset({PropertyRole.MODE, PropertyRole.PLAYBACK, PropertyRole.ACTIVITY, PropertyRole.INPUT})
_READ_ONLY = frozenset(role for role in PropertyRole if role.value.startswith("sensed_")) | {
    PropertyRole.OPEN,
    PropertyRole.MOTION,
    PropertyRole.ALARM,
    PropertyRole.BATTERY,
}
_GENERIC_NAMES = frozenset(
    {"level", "value", "percent", "percentage", "set", "degree", "amount", "val", "data", "num", "number", "range"}
)
_WINDY = frozenset({"fan", "exhaust_fan", "fresh_air", "extractor", "purifier", "air_conditioner"})
_CHOICE_ROLES = (
    ("上锁", PropertyRole.LOCK),
    ("清扫", PropertyRole.ACTIVITY),
    ("回充", PropertyRole.ACTIVITY),
    ("播放", PropertyRole.PLAYBACK),
    ("制冷", PropertyRole.MODE),
    ("睡眠", PropertyRole.MODE),
    ("低", PropertyRole.SPEED),
    ("高", PropertyRole.SPEED),
    ("开", PropertyRole.POWER),
)


class PropertySpec(msgspec.Struct, frozen=True):
    """A compiled property.

    `low`/`high` bound a number. `on`/`off` are the values that mean what the role asserts and its opposite (locked, muted,
    open …). `words` maps what may be said to a choice, `texts` a choice to how a reply says it, `gears` are the choices
    that stepping walks, gentlest first. `inverted`: a higher number is warmer light. `part` tells several properties of
    one role apart (冷藏室).
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

    @property
    def numeric(self) -> bool:
        return self.type in _NUMBERS

    def fits(self, value: Any) -> bool:
        """Whether `value` is valid for this property (seed 004 §4.4 `type`, `range`, `min`, `max`)."""
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


def describe_segments(model: ModelDocument) -> dict[str, str]:
    """For each property, what the model's describe (and the property's own) says of it; "" when nothing."""
    places: list[tuple[int, int, str]] = []
    for name in model.property:
        match = re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", model.describe)
        if match:
            places.append((match.start(), match.end(), name))
    places.sort()
    starts = [start for start, _, _ in places] + [len(model.describe)]
    found = {}
    for index, (_, end, name) in enumerate(places):
        text = model.describe[end : starts[index + 1]]
        found[name] = _SENTENCE_END.split(text, maxsplit=1)[0]
    return {
        name: definition.describe + ("，" if definition.describe else "") + found.get(name, "")
        for name, definition in model.property.items()
    }


def compile_properties(model: ModelDocument, kind: KindEntry) -> tuple[PropertySpec, ...]:
    """The model's properties with their meaning, in the model's order."""
    segments = describe_segments(model)
    specs: list[PropertySpec] = []
    for name, definition in model.property.items():
        role = _role(name, definition, segments[name], model, kind)
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


# ---- role


def _role(name: str, definition: PropertyDocument, segment: str, model: ModelDocument, kind: KindEntry) -> PropertyRole:
    role = (
        _compatible(_by_name(name), definition, kind)
        or _compatible(_by_words(segment), definition, kind)
        or _compatible(_by_words(name), definition, kind)
        or _by_choices(definition)
        or _by_kind(name, definition, model, kind)
    )
    sensed = roles()[role].sensed if role in roles() else None
    if sensed is not None and (kind.sensor or _readonly(definition, segment, model) or _is_measured(name, role, model)):
        return sensed
    if role is PropertyRole.OPEN and not kind.sensor and not _readonly(definition, segment, model):
        return PropertyRole.POWER
    return role


def _by_name(name: str) -> PropertyRole | None:
    key = re.sub(r"[_\-\s]", "", name).lower()
    for role, entry in roles().items():
        if key in entry.names:
            return role
    tail = re.split(r"[_\-\s]|(?<=[a-z])(?=[A-Z])", name)[-1].lower()
    if len(tail) < len(key) and len(tail) > 2:
        for role, entry in roles().items():
            if tail in entry.names:
                return role
    return None


def _by_words(text: str) -> PropertyRole | None:
    """The role whose word stands first in `text`, longest on a tie."""
    best: tuple[int, int, PropertyRole] | None = None
    for role, entry in roles().items():
        for word in entry.words:
            place = text.find(word)
            if place >= 0 and (best is None or (place, -len(word)) < best[:2]):
                best = (place, -len(word), role)
    return best[2] if best else None


def _compatible(role: PropertyRole | None, definition: PropertyDocument, kind: KindEntry) -> PropertyRole | None:
    """`role` if a property of this type can play it, a neighbouring role if that fits better, else None."""
    if role is None:
        return None
    type_ = definition.kind
    if role in (PropertyRole.TEMPERATURE, PropertyRole.COLOUR_TEMPERATURE) and type_ in _NUMBERS:
        return PropertyRole.COLOUR_TEMPERATURE if (definition.max or 0) >= 1000 else role
    if role in _SWITCHED:
        fits = type_ is PropertyType.BOOL or type_ is PropertyType.ENUM or definition.max == 1
        return (
            role if fits and not (type_ is PropertyType.ENUM and _by_choices(definition) not in (role, None)) else None
        )
    if role in _CHOSEN:
        if type_ is PropertyType.ENUM:
            better = _by_choices(definition)
            settled = role in (PropertyRole.MODE, PropertyRole.INPUT) or better in (None, PropertyRole.SPEED)
            return role if settled else better
        if type_ is PropertyType.BOOL and role is PropertyRole.PLAYBACK:
            return role
        return role if type_ is PropertyType.STRING and role is not PropertyRole.ACTIVITY else None
    if role in _NUMERIC:
        return role if type_ in _NUMBERS or (type_ is PropertyType.ENUM and role is not PropertyRole.BATTERY) else None
    return None if type_ is PropertyType.BOOL else role


def _by_choices(definition: PropertyDocument) -> PropertyRole | None:
    if definition.kind is not PropertyType.ENUM:
        return None
    found = {_canonical(choice) for choice in definition.range}
    for word, role in _CHOICE_ROLES:
        if word in found:
            return role
    return None


def _by_kind(name: str, definition: PropertyDocument, model: ModelDocument, kind: KindEntry) -> PropertyRole:
    if definition.kind is PropertyType.BOOL:
        return PropertyRole.POWER if len(model.property) == 1 else PropertyRole.OTHER
    if definition.kind is PropertyType.ENUM:
        return PropertyRole.MODE
    if definition.kind is PropertyType.STRING:
        return PropertyRole.OTHER
    key = re.sub(r"[_\-\s]", "", name).lower()
    if key not in _GENERIC_NAMES and len(model.property) > 2:
        return PropertyRole.OTHER
    said = _levels_said(model.describe, definition)
    role = kind.level if not said or kind.level in said else said[0]
    if role is PropertyRole.OTHER:
        role = PropertyRole.SPEED
    if role is PropertyRole.TEMPERATURE and (definition.max is None or definition.max < 12):
        return PropertyRole.SPEED
    if kind.level is PropertyRole.SPEED and PropertyRole.TEMPERATURE in said and (definition.max or 0) >= 12:
        return PropertyRole.TEMPERATURE
    return role


def _levels_said(describe: str, definition: PropertyDocument) -> list[PropertyRole]:
    """Level-like roles that the describe speaks of, in the order of their words."""
    levels = (
        PropertyRole.BRIGHTNESS,
        PropertyRole.TEMPERATURE,
        PropertyRole.SPEED,
        PropertyRole.VOLUME,
        PropertyRole.OPENING,
        PropertyRole.HUMIDITY,
        PropertyRole.COLOUR_TEMPERATURE,
    )
    found = []
    for role in levels:
        if role is PropertyRole.COLOUR_TEMPERATURE and (definition.max or 0) < 1000:
            continue
        places = [describe.find(word) for word in roles()[role].words if word in describe and word != "室温"]
        if places:
            found.append((min(places), role))
    return [role for _, role in sorted(found)]


def _readonly(definition: PropertyDocument, segment: str, model: ModelDocument) -> bool:
    if definition.readonly or "只读" in segment:
        return True
    if "只读" not in model.describe:
        return False
    if re.search(r"[都均全]部?[是为]?只读", model.describe):
        return True
    before_all = not any(name in model.describe[: model.describe.index("只读")] for name in model.property)
    return before_all


def _is_measured(name: str, role: PropertyRole, model: ModelDocument) -> bool:
    """A plain `temperature` beside a target one is what is measured."""
    if role not in (PropertyRole.TEMPERATURE, PropertyRole.HUMIDITY):
        return False
    word = "temp" if role is PropertyRole.TEMPERATURE else "humidity"
    others = [other.lower() for other in model.property if other != name]
    plain = not re.search(r"target|set|desired", name.lower())
    return plain and any(word in other and re.search(r"target|set|desired", other) for other in others)


# ---- the rest of a property


def _compile(
    name: str, definition: PropertyDocument, role: PropertyRole, segment: str, model: ModelDocument, kind: KindEntry
) -> PropertySpec:
    entry = roles().get(role)
    texts = _choice_texts(definition, segment) if definition.kind is PropertyType.ENUM else {}
    on, off = _on_off(name, definition, role, segment)
    low, high = definition.min, definition.max
    is_gear = role is PropertyRole.SPEED and low is not None and high is not None and high - low <= GEAR_SPAN
    unit = "档" if is_gear else (entry.unit if entry else "")
    if definition.kind is not PropertyType.FLOAT:
        low, high = (None if bound is None else int(bound) for bound in (low, high))
    return PropertySpec(
        name=name,
        role=role,
        type=definition.kind,
        label=_label(name, role, segment, kind),
        unit=definition.unit or unit,
        low=low,
        high=high,
        choices=definition.range if definition.kind is PropertyType.ENUM else (),
        readonly=role in _READ_ONLY or _readonly(definition, segment, model),
        on=on,
        off=off,
        words=_said_words(texts),
        texts=texts,
        gears=_gears(texts),
        is_gear=is_gear,
        inverted=role is PropertyRole.COLOUR_TEMPERATURE and _warmer_upwards(segment, definition),
    )


def _label(name: str, role: PropertyRole, segment: str, kind: KindEntry) -> str:
    entry = roles().get(role)
    match = _LABEL.match(segment) if role not in _SWITCHED and role not in _CHOSEN else None
    if entry is not None and match:
        said = match[1]
        for tail in _LABEL_TAIL:
            if said.endswith(tail) and len(said) > len(tail) + 1:
                said = said.removesuffix(tail)
        if len(said) <= 8 and any(word in said for word in (entry.label, *entry.words)):
            return said
    if role is PropertyRole.SPEED:
        return "风速" if kind.key in _WINDY else "档位"
    if entry is not None:
        return entry.label
    return match[1] if match else name


def _canonical(choice: Any) -> str:
    """The Chinese word a choice stands for in the data, or the choice itself."""
    text = str(choice)
    key = re.sub(r"[_\-\s]", "", text).lower()
    found = choice_tokens().get(key)
    if found is not None:
        return found
    words = choice_words().get(text)
    return words[0] if words else text


def _choice_texts(definition: PropertyDocument, segment: str) -> dict[Any, str]:
    """Each choice with its Chinese: from the describe (cool制冷) first, then from the data."""
    texts: dict[Any, str] = {}
    for choice in definition.range:
        token = str(choice)
        match = re.search(rf"(?<![A-Za-z0-9_]){re.escape(token)}(?![A-Za-z0-9_])", segment)
        said = _SAID.match(segment, match.end()) if match else None
        texts[choice] = said[1] if said else _canonical(choice)
    return texts


def _said_words(texts: dict[Any, str]) -> dict[str, Any]:
    """What may be said → choice; a nearer word is never displaced by a synonym."""
    words: dict[str, Any] = {}
    for choice, text in texts.items():
        words.setdefault(text, choice)
        words.setdefault(str(choice).lower(), choice)
        words.setdefault(text.removesuffix("模式"), choice)
    for choice, text in texts.items():
        for canonical in dict.fromkeys((_canonical(choice), *choice_words().get(text, ()))):
            words.setdefault(canonical, choice)
    for choice in texts:
        entry = values().choices.get(_canonical(choice))
        for word in entry.words if entry else ():
            words.setdefault(word, choice)
    return words


def _gears(texts: dict[Any, str]) -> tuple[Any, ...]:
    gears = [choice for choice in texts if _canonical(choice) not in values().not_a_gear]
    order = values().gear_order
    ranks = [order.index(word) for word in map(_canonical, gears) if word in order]
    if len(ranks) == len(gears) > 1 and ranks == sorted(ranks, reverse=True):
        gears.reverse()
    return tuple(gears)


def _on_off(name: str, definition: PropertyDocument, role: PropertyRole, segment: str) -> tuple[Any, Any]:
    """The values that mean what the role asserts (powered, locked, open, muted) and the opposite."""
    if definition.kind is PropertyType.ENUM:
        asserted = ("上锁", "解锁") if role is PropertyRole.LOCK else ("开", "关")
        by_word = {_canonical(choice): choice for choice in definition.range}
        if asserted[0] in by_word and asserted[1] in by_word:
            return by_word[asserted[0]], by_word[asserted[1]]
        return definition.range[0], definition.range[-1]
    on, off = (True, False) if definition.kind is PropertyType.BOOL else (1, 0)
    said = _TRUE.search(segment)
    text = said[1] if said else ""
    lowered = name.lower()
    if role is PropertyRole.LOCK:
        swapped = ("开" in text or "解" in text) if text else "unlock" in lowered
    elif role in (PropertyRole.OPEN, PropertyRole.POWER):
        swapped = bool(text) and "开" not in text and any(word in text for word in ("关", "合", "闭", "断"))
    else:
        swapped = False
    return (off, on) if swapped else (on, off)


def _warmer_upwards(segment: str, definition: PropertyDocument) -> bool:
    """Whether a higher number is warmer light: so the describe says, or the range is in mireds."""
    if re.search(r"越大[^，。；]{0,4}越?暖|越小[^，。；]{0,4}越?冷", segment):
        return True
    low, high = definition.min or 0, definition.max or 0
    return 100 <= low < high <= 600
