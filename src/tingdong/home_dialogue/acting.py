"""What can do an act: devices by properties and kinds, verbs of one kind (`data/fits.yaml`), and words of work that
only some kinds do (`data/own_work.yaml`)."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from context_retrieval.models import DeviceType, QueryIR
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind
from tingdong.errors import DataError
from tingdong.home.acts import ActKind, read_act, settable_roles
from tingdong.home.change import request_of
from tingdong.home.deciding import change_of
from tingdong.home.device import DeviceShape
from tingdong.home.kinds import kinds_that_do
from tingdong.home.model import Note, NoteCode
from tingdong.home.properties import PropertySpec
from tingdong.home.setting import nearest_property
from tingdong.home.vocabulary import attributes, kinds, read_table, roles
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.situation import Situation

__all__ = [
    "ASKING",
    "OPEN_VERBS",
    "OWN_ACTS",
    "SETTING",
    "able",
    "attribute_of",
    "called_in",
    "has_attribute",
    "kind_of_verb",
    "own_work",
    "speaks_of_work",
    "suits",
    "told_by_work",
    "type_with",
]

OWN_ACTS = frozenset({ActKind.CHOOSE, ActKind.MUTE, ActKind.UNMUTE, ActKind.LOCK, ActKind.UNLOCK})
"""Acts that only some things can do at all, so that they say what they are for."""
_UNFIT = frozenset({NoteCode.UNSUPPORTED, NoteCode.READ_ONLY})
MOST_BETWEEN = 2
"""Characters between a verb and the attribute that says what it does (开一条缝)."""
LEAST_OF_A_NAME = 2
"""Characters of a property's label that call it."""
OPEN_VERBS = ("设置", "调高", "调低", "查询")
"""Verbs that may name an attribute behind them."""
SETTING, ASKING = OPEN_VERBS[0], OPEN_VERBS[3]
ON, OFF = "打开", "关闭"


@cache
def _fits() -> dict[DeviceType, tuple[str, ...]]:
    return read_table(Path(__file__).parent / "data" / "fits.yaml", dict[DeviceType, tuple[str, ...]])


@cache
def _own_work() -> dict[str, frozenset[str]]:
    """The kinds by root. Raises `DataError` for a kind that is not known."""
    table = read_table(Path(__file__).parent / "data" / "own_work.yaml", dict[str, frozenset[str]])
    if unknown := sorted(frozenset().union(*table.values()) - kinds().keys()):
        raise DataError(f"own_work.yaml: {unknown[0]!r} is not a kind of device")
    return {root: keys for roots, keys in table.items() for root in roots.split()}


def own_work(query: QueryIR, ids: Iterable[str], situation: Situation) -> tuple[str, tuple[str, ...]]:
    """The word that begins what only some things do (煮饭), and those of `ids` that do it; "" and all of `ids` where
    the words of the request begin anything."""
    verbs, devices = verb_table(), situation.home.shape.devices
    if query.action not in verbs.moves or query.action not in verbs.beginning:
        return "", tuple(ids)
    acts = [one for one in situation.of(MentionKind.ACTION) if one.value == query.action]
    nouns = situation.of(MentionKind.ATTRIBUTE)
    ends = [max((n.end for n in nouns if 0 <= n.start - one.end <= MOST_BETWEEN), default=one.end) for one in acts]
    spoken = [situation.text[one.start : end] for one, end in zip(acts, ends, strict=True)]
    roots = {word: [root for root in _own_work() if root in word] for word in spoken}
    if not spoken or not all(roots.values()):
        return "", tuple(ids)
    said = [root for found in roots.values() for root in found]
    fit = (one for one in ids if one in devices and any(_does(devices[one], root) for root in said))
    return spoken[0], tuple(fit)


def _does(device: DeviceShape, root: str) -> bool:
    return device.kind.key in _own_work()[root] or root in device.plain


def speaks_of_work(text: str) -> bool:
    """Whether things are told by what they can do (有没有能烘衣服的机器)."""
    return re.search(answers().by_work, text) is not None


def told_by_work(situation: Situation) -> tuple[str, ...]:
    """能加湿的东西: the things told by what they do, in the rooms that are said; () where none are told so."""
    keys = kinds_that_do(situation.text) if speaks_of_work(situation.text) else frozenset()
    rooms = situation.rooms_said if keys else None
    devices = situation.home.shape.devices.values() if keys else ()
    return tuple(one.id for one in devices if one.kind.key in keys and (rooms is None or one.room in rooms))


def attribute_of(action: str) -> str:
    """The attribute an action names: 设置亮度 → 亮度; "" for 打开, for a bare 设置 and for 查询状态."""
    for verb in OPEN_VERBS:
        if action.startswith(verb):
            return action[len(verb) :].removeprefix("状态")
    return ""


def called_in(text: str, specs: Iterable[PropertySpec]) -> frozenset[str]:
    """The labels of the properties that a text calls by name, or by the end of it (浓度 for 咖啡浓度)."""
    names = ((one.label, one.label[-LEAST_OF_A_NAME:]) for one in specs if len(one.label) >= LEAST_OF_A_NAME)
    return frozenset(label for label, end in names if label in text or end in text)


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
        elif act.kind in OWN_ACTS or (device.is_sensor and act.kind is not ActKind.ASK):
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
