"""What can do an act: things by their properties and kinds, and verbs that fit one kind alone (`data/fits.yaml`)."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from context_retrieval.models import DeviceType, QueryIR
from tingdong.commands.reading import MentionKind
from tingdong.home.acts import ActKind, read_act, settable_roles
from tingdong.home.change import request_of
from tingdong.home.deciding import change_of
from tingdong.home.device import DeviceShape
from tingdong.home.model import Note, NoteCode
from tingdong.home.setting import nearest_property
from tingdong.home.vocabulary import attributes, read_table, roles
from tingdong.home_dialogue.situation import Situation

__all__ = ["OPEN_VERBS", "OWN_ACTS", "able", "attribute_of", "has_attribute", "kind_of_verb", "suits", "type_with"]

OWN_ACTS = frozenset({ActKind.CHOOSE, ActKind.MUTE, ActKind.UNMUTE, ActKind.LOCK, ActKind.UNLOCK})
"""Acts that only some things can do at all, so that they say what they are for."""
_UNFIT = frozenset({NoteCode.UNSUPPORTED, NoteCode.READ_ONLY})
OPEN_VERBS = ("设置", "调高", "调低", "查询")
"""Verbs that may name an attribute behind them."""


@cache
def _fits() -> dict[DeviceType, tuple[str, ...]]:
    return read_table(Path(__file__).parent / "data" / "fits.yaml", dict[DeviceType, tuple[str, ...]])


def attribute_of(action: str) -> str:
    """The attribute an action names: 设置亮度 → 亮度; "" for 打开, for a bare 设置 and for 查询状态."""
    for verb in OPEN_VERBS:
        if action.startswith(verb):
            return action[len(verb) :].removeprefix("状态")
    return ""


def type_with(attribute: str) -> DeviceType:
    """The closed type that an attribute is worked by where nothing else is said (亮度: lamps); UNKNOWN for none."""
    role = settable_roles().get(attribute)
    return DeviceType.UNKNOWN if role is None else roles()[role].type


def kind_of_verb(query: QueryIR, situation: Situation) -> DeviceType:
    """The one type that the verb of the request fits as it was said (拉上: curtains); UNKNOWN where it may be any."""
    said = [situation.text[m.start : m.end] for m in situation.of(MentionKind.ACTION) if m.value == query.action]
    found = {
        next((kind for kind, verbs in _fits().items() if one.startswith(verbs)), DeviceType.UNKNOWN) for one in said
    }
    return found.pop() if len(found) == 1 else DeviceType.UNKNOWN


def has_attribute(device: DeviceShape | None, action: str) -> bool:
    """Whether a device has the attribute that an action names."""
    attribute = attribute_of(action)
    if not attribute or attribute == "状态":
        return True
    if device is None:
        return False
    if any(
        spec.role in attributes().get(attribute, ()) or attribute in spec.label for spec in device.properties.values()
    ):
        return True
    role = None if action.startswith("查询") else settable_roles().get(attribute)
    return role is not None and nearest_property(device, role)[0] is not None


def able(query: QueryIR, ids: Iterable[str], situation: Situation) -> tuple[str, ...]:
    """Those of `ids` that can do what the query asks."""
    home, act = situation.home, read_act(query.action)
    request = request_of(home, act, value=query.value, name=query.name, deferred=query.when is not None)
    found = []
    for device_id in ids:
        device = home.shape.devices.get(device_id)
        if device is None:
            fits = device_id in home.shape.scenes and act.kind in (ActKind.RUN, ActKind.ON)
        elif not has_attribute(device, query.action):
            fits = False
        elif act.kind in OWN_ACTS:
            change = change_of(request, device)
            fits = not isinstance(change, Note) or change.code not in _UNFIT
        else:
            fits = True
        if fits:
            found.append(device_id)
    return tuple(found)


def suits(query: QueryIR, ids: Iterable[str], situation: Situation) -> bool:
    """Whether one of `ids` can do what the query asks and is what its verb fits, where the verb tells."""
    kind = kind_of_verb(query, situation)
    found = able(query, ids, situation) if read_act(query.action).kind in OWN_ACTS else tuple(ids)
    return any(kind in (DeviceType.UNKNOWN, situation.type_of(one)) for one in found)
