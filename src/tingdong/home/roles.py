"""The role of a thing model's property (service.md, Home `model`).

Evidence, strongest first: the property's name, the `describe` of the property or the model, the values of an enum, and
for a number called only `level` the kind of device and the range.
"""

import re
from typing import Any

from context_retrieval.models import DeviceType
from tingdong.home.acts import acts
from tingdong.home.document import ModelDocument, PropertyDocument, PropertyType
from tingdong.home.model import PropertyRole
from tingdong.home.vocabulary import KindEntry, choice_tokens, choice_words, roles, values
from zhtext.normalise import respelled

__all__ = ["NUMBERS", "canonical", "describe_segments", "is_readonly", "is_unnamed", "role_of"]

NUMBERS = frozenset({PropertyType.UINT, PropertyType.INT, PropertyType.FLOAT})
_LEAST_MIRED = 150
_LEAST_KELVIN = 2000
"""The upper end of a range from which a number is a colour temperature; a kiln goes to 1300 degrees."""
_ALL_SWITCHES = re.compile(r"[，,、]?[都均全皆][为是]开关")
"""What is said of all properties before it (lamp照明，warm取暖，都是开关)."""
_SENTENCE_END = re.compile(r"[。；;\n]")
_BEFORE = re.compile(r"([\u4e00-\u9fff]{2,8})[（(\s]*\Z")
_NOTHING_AFTER = re.compile(r"\s*(?:[，,、）)]|\Z)")

_TOLD_TRUE = re.compile(r"[\s=:：为是]*true[\s=:：为是表示指即]*([\u4e00-\u9fff]+)")
_BEGINS = re.compile(r"[\u4e00-\u9fff]+")

_GENERIC_NAMES = frozenset(
    {"level", "value", "percent", "percentage", "set", "degree", "amount", "val", "data", "num", "number", "range"}
)
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


def is_unnamed(role: PropertyRole) -> bool:
    """Whether a reply never calls a property of this role by what the describe says of it."""
    return role in roles() and roles()[role].takes in ("switch", "choice")


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
    for index, (start, end, name) in enumerate(places):
        after = _SENTENCE_END.split(model.describe[end : starts[index + 1]], maxsplit=1)[0]
        before = _BEFORE.search(model.describe[places[index - 1][1] if index else 0 : start])
        # 冷藏温度cold_temp，冷冻温度freeze_temp: what is said stands before the name.
        after = _ALL_SWITCHES.sub("", after)
        found[name] = before[1] + after if before and _NOTHING_AFTER.match(after) else after
    return {
        name: definition.describe + ("，" if definition.describe else "") + found.get(name, "")
        for name, definition in model.property.items()
    }


def role_of(
    name: str, definition: PropertyDocument, segment: str, model: ModelDocument, kind: KindEntry
) -> PropertyRole:
    """The role of one property; `segment` is what describes say of it."""
    role = (
        _compatible(_by_name(name), definition, kind)
        or _compatible(_by_words(segment), definition, kind)
        or _compatible(_by_words(name), definition, kind)
        or _by_choices(definition)
        or _by_kind(name, definition, segment, model, kind)
    )
    if role is PropertyRole.ALARM:
        role = _alarm_of(model.describe) or role
    sensed = roles()[role].sensed if role in roles() else ""
    if sensed and (kind.sensor or is_readonly(definition, segment, model) or _is_measured(name, role, model)):
        role = PropertyRole(sensed)
    for other, entry in roles().items():
        if entry.instead == role and kind.key in entry.among:
            return other
    if role is PropertyRole.OPEN and not kind.sensor and not is_readonly(definition, segment, model):
        return PropertyRole.POWER
    return role


def _alarm_of(describe: str) -> PropertyRole | None:
    """What an alarm that is only called so is set off by (烟雾报警器, alarm), where its model says it."""
    general = roles()[PropertyRole.ALARM].attribute
    found = _by_words(describe)
    return found if found is not None and general in roles()[found].also else None


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
    if role in (PropertyRole.TEMPERATURE, PropertyRole.COLOUR_TEMPERATURE) and type_ in NUMBERS:
        light = kind.key == "lamp" or (definition.max or 0) >= _LEAST_KELVIN
        mired = role is PropertyRole.COLOUR_TEMPERATURE and (definition.max or 0) >= _LEAST_MIRED
        return PropertyRole.COLOUR_TEMPERATURE if light or mired else PropertyRole.TEMPERATURE
    entry = roles()[role]
    if role is PropertyRole.ACTIVITY and _is_a_motor(definition):
        return None
    if entry.takes == "switch":
        fits = type_ is PropertyType.BOOL or type_ is PropertyType.ENUM or definition.max == 1
        return (
            role if fits and not (type_ is PropertyType.ENUM and _by_choices(definition) not in (role, None)) else None
        )
    if entry.takes == "choice":
        if type_ is PropertyType.ENUM:
            better = _by_choices(definition)
            settled = role in (PropertyRole.MODE, PropertyRole.INPUT) or better in (None, PropertyRole.SPEED)
            return role if settled else better
        if type_ is PropertyType.BOOL and role is PropertyRole.PLAYBACK:
            return role
        return role if type_ is PropertyType.STRING and role is not PropertyRole.ACTIVITY else None
    if entry.takes == "number":
        return role if type_ in NUMBERS or (type_ is PropertyType.ENUM and not entry.read_only) else None
    return None if type_ is PropertyType.BOOL and entry.states is None else role


def _is_a_motor(definition: PropertyDocument) -> bool:
    """Whether it has a choice for each way (up, down, stop): a rack is at no work."""
    words = {canonical(choice) for choice in definition.range}
    return any(out in words and back in words for out, back in acts().ways)


def _by_choices(definition: PropertyDocument) -> PropertyRole | None:
    if definition.kind is not PropertyType.ENUM:
        return None
    found = {canonical(choice) for choice in definition.range}
    for word, role in _CHOICE_ROLES:
        if word in found:
            return role
    return None


def _by_kind(
    name: str, definition: PropertyDocument, segment: str, model: ModelDocument, kind: KindEntry
) -> PropertyRole:
    if definition.kind is PropertyType.BOOL:
        if (
            kind.type is not DeviceType.LIGHT
            and (begins := _BEGINS.match(segment))
            and begins[0].endswith(values().lamp_ends)
        ):
            return PropertyRole.OTHER  # the lamp of a bed switches no bed
        if (told := _TOLD_TRUE.match(segment)) and told[1] in values().sides[PropertyRole.POWER].asserted:
            return PropertyRole.POWER  # yunxing为true是运行, whatever else it has switches for
        switches = [one for one in model.property.values() if one.kind is PropertyType.BOOL and not one.readonly]
        return PropertyRole.POWER if switches == [definition] else PropertyRole.OTHER
    if definition.kind is PropertyType.ENUM:
        return PropertyRole.MODE
    if definition.kind is PropertyType.STRING:
        return PropertyRole.OTHER
    key = re.sub(r"[_\-\s]", "", name).lower()
    numbers = sum(other.kind in NUMBERS for other in model.property.values())
    if key not in _GENERIC_NAMES and (numbers > 1 or (definition.readonly and not kind.sensor)):
        return PropertyRole.OTHER
    said = _levels_said(model.describe, definition)
    role = PropertyRole(kind.level) if not said or kind.level in said else said[0]
    if role is PropertyRole.OTHER:
        role = PropertyRole.SPEED if key in _GENERIC_NAMES else role
    if role is PropertyRole.TEMPERATURE and (definition.max is None or definition.max < 12):
        return PropertyRole.SPEED
    if kind.level == PropertyRole.SPEED and PropertyRole.TEMPERATURE in said and (definition.max or 0) >= 12:
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
        if role is PropertyRole.COLOUR_TEMPERATURE and (definition.max or 0) < _LEAST_KELVIN:
            continue
        places = [describe.find(word) for word in roles()[role].words if word in describe and word != "室温"]
        if places:
            found.append((min(places), role))
    return [role for _, role in sorted(found)]


def is_readonly(definition: PropertyDocument, segment: str, model: ModelDocument) -> bool:
    """Whether the flag, or 只读 in a describe, forbids writing."""
    if definition.readonly or "只读" in segment:
        return True
    if "只读" not in model.describe:
        return False
    if re.search(r"[都均全]部?[是为]?只读", model.describe):
        return True
    return not any(name in model.describe[: model.describe.index("只读")] for name in model.property)


def _is_measured(name: str, role: PropertyRole, model: ModelDocument) -> bool:
    """A plain `temperature` beside a target one is what is measured."""
    if role not in (PropertyRole.TEMPERATURE, PropertyRole.HUMIDITY):
        return False
    word = "temp" if role is PropertyRole.TEMPERATURE else "humidity"
    others = [other.lower() for other in model.property if other != name]
    plain = not re.search(r"target|set|desired", name.lower())
    return plain and any(word in other and re.search(r"target|set|desired", other) for other in others)


def canonical(choice: Any) -> str:
    """The Chinese word a choice stands for in the data, or the choice itself."""
    text = respelled(str(choice))
    key = re.sub(r"[_\-\s]", "", text).lower()
    found = choice_tokens().get(key)
    if found is not None:
        return found
    words = choice_words().get(text)
    return words[0] if words else text
