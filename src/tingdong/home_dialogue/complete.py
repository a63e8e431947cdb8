"""Ellipsis and references (service.md, Dialogue): 关了, 再亮一点, 它们, 卧室的呢, 两个都, 另外那台, 换成红色, 也一样.

A query that leaves something out is completed from what the page remembers. Completion never invents a device: where
the page has nothing to offer, it says so by returning None.
"""

import re

import msgspec

from context_retrieval.models import DeviceType, Quantifier, QueryIR, Reference
from tingdong.commands.reading import MentionKind
from tingdong.home.acts import settable_roles
from tingdong.home.vocabulary import kinds, roles
from tingdong.home_dialogue.another import beside_it, points_at_another
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.choose import rest_of_row, siblings, singled_out
from tingdong.home_dialogue.page import Doing
from tingdong.home_dialogue.situation import Situation

__all__ = ["Job", "attribute_of", "complete", "pointing", "rest_of_turn", "sums_up", "them", "type_with", "with_target"]

MAX_FULLY = 5
_EVERYTHING = ("全关", "全开", "全都", "全部", "所有", "全给", "通通", "统统")
"""Words for all there is; 都 alone sums up what was spoken of."""

_VERBS = ("设置", "调高", "调低", "查询")
_OPEN_VERBS = frozenset(_VERBS)
_UNIT_ATTRIBUTES = {
    "C": ("温度",),
    "K": ("色温",),
    "档": ("风速",),
    "%": ("亮度", "音量", "开合度", "风速", "湿度", "档位"),
}
_PERCENT = re.compile("[%％半]|百分|[一二两三四五六七八九十几0-9]成")
_BOTH = {"两": 2, "俩": 2, "三": 3, "四": 4, "五": 5, "仨": 3}


_NAMING = (MentionKind.DEVICE, MentionKind.NAME, MentionKind.ROOM)
_POINTED = frozenset("这那哪另每")


class Job(msgspec.Struct, frozen=True):
    """A complete query, ready to be carried out. `ids` is None while its target is still to be resolved.

    `text` is how a question was asked when this turn only repeats it; `everywhere` that no default place bounds it;
    `named` are the queries that say what `ids` are, one a kind of thing.
    """

    query: QueryIR
    ids: tuple[str, ...] | None = None
    rule: str = ""
    pool: tuple[str, ...] = ()
    text: str = ""
    everywhere: bool = False
    named: tuple[QueryIR, ...] = ()


def attribute_of(action: str) -> str:
    """The attribute an action names: 设置亮度 → 亮度; "" for 打开, for a bare 设置 and for 查询状态."""
    for verb in _VERBS:
        if action.startswith(verb):
            return action[len(verb) :].removeprefix("状态")
    return ""


def with_target(query: QueryIR, source: QueryIR) -> QueryIR:
    """`query` aimed at what `source` names; its own rooms win over the source's."""
    own_place = bool(query.include or query.here)
    quantifier = source.quantifier if query.quantifier is Quantifier.ONE else query.quantifier
    return msgspec.structs.replace(
        query,
        include=query.include if own_place else source.include,
        exclude=query.exclude or source.exclude,
        here=query.here if own_place else source.here,
        name=source.name,
        type=source.type,
        excluded_names=source.excluded_names,
        quantifier=quantifier,
        count=query.count if query.count is not None else source.count,
        reference=None,
    )


def complete(query: QueryIR, situation: Situation, last: Doing | None) -> Job | None:
    """The query with everything that was left out; None when there is nothing it could refer to.

    `last` is what was done before, in this turn or the turn before.
    """
    query = _with_attribute(query, last, situation.text)
    if (measured := _of_measure(query, situation, last)) is not None:
        return measured
    if query.reference is not Reference.LAST:
        if _is_elliptical(query, situation, last):
            return _elsewhere(query, last)
        if last is not None and (rest := _rest(query, situation, last)):
            return pointing(query, rest, situation, last)
        if last is not None and _is_fully(query, situation, last):
            return pointing(query, last.ids, situation, last)
        if _means_them(query, situation, last):
            return pointing(query, them(situation, last), situation, last)
        return Job(query)
    if query.include or query.exclude or query.here:
        spoken = _spoken_there(query, situation, last)
        return pointing(query, spoken, situation, last) if spoken else _elsewhere(query, last)
    ids = _referents(query, situation, last)
    if (few := _few(query, situation)) is not None and few < len(ids):
        query = msgspec.structs.replace(query, quantifier=Quantifier.ANY, count=few)
    return pointing(query, ids, situation, last) if ids else _by_attribute(query)


def _of_measure(query: QueryIR, situation: Situation, last: Doing | None) -> Job | None:
    """两盏都暗一点 where no lamp was spoken of last: the lamps where one is, whatever was."""
    if query.reference is not Reference.LAST or query.type is not DeviceType.UNKNOWN or query.include or query.here:
        return None
    said = situation.of(MentionKind.ALL, MentionKind.COUNT)
    words = [situation.text[one.start : one.end] for one in said]
    types = {kind.type for kind in kinds().values() if kind.measure and any(kind.measure in word for word in words)}
    types -= {DeviceType.UNKNOWN}
    if len(types) != 1 or any(situation.type_of(one) in types for one in (last.ids if last else ())):
        return None
    aimed = msgspec.structs.replace(query, reference=None, type=types.pop(), quantifier=Quantifier.ALL)
    return Job(aimed, None, "measured")


def pointing(query: QueryIR, ids: tuple[str, ...], situation: Situation, last: Doing | None) -> Job:
    """A query about devices spoken of before, named by what they are, so that the next turn can start from it."""
    same = last is not None and last.ids == ids
    sources = last.queries if last is not None and same and all(map(_is_specific, last.queries)) else ()
    if len({(source.name, source.type) for source in sources}) != 1:
        sources = _described(ids, situation)
    pool = last.pool if last is not None and (same or set(ids) <= set(last.pool)) else ()
    named = tuple(with_target(query, source) for source in sources)
    return Job(named[-1] if named else query, ids, "last", pool, named=named)


def _described(ids: tuple[str, ...], situation: Situation) -> tuple[QueryIR, ...]:
    """Queries that name what `ids` are: one device by its name, several by their kinds."""
    devices = [situation.home.shape.devices[i] for i in ids if i in situation.home.shape.devices]
    if len(devices) == 1:
        one = devices[0]
        return (QueryIR("", include=(one.room,) if one.room else (), name=one.plain, type=one.type),)
    kinds: dict[tuple[str | None, DeviceType], list[str]] = {}
    for device in devices:
        name = device.plain if device.type is DeviceType.UNKNOWN else None
        kinds.setdefault((name, device.type), []).append(device.room)
    return tuple(
        QueryIR("", include=tuple(dict.fromkeys(filter(None, rooms))), name=name, type=kind, quantifier=Quantifier.ALL)
        for (name, kind), rooms in kinds.items()
    )


def _with_attribute(query: QueryIR, last: Doing | None, text: str) -> QueryIR:
    """A bare 设置=50% or 调高 takes the attribute that was spoken of, where the value's unit lets it.

    The protocol writes a bare number as a percentage; after 色温 it is a number of that attribute again.
    """
    if query.action not in _OPEN_VERBS or last is None or last.query is None:
        return query
    attribute = attribute_of(last.query.action)
    value = query.value
    if value is not None and value.endswith("%") and not _PERCENT.search(text):
        value = value[:-1]
    if not attribute or not _fits(attribute, value):
        return query
    return msgspec.structs.replace(query, action=query.action + attribute, value=value)


def _fits(attribute: str, value: str | None) -> bool:
    if value is None:
        return True
    for unit, attributes in _UNIT_ATTRIBUTES.items():
        if value.endswith(unit):
            return attribute in attributes
    return True


def _elsewhere(query: QueryIR, last: Doing | None) -> Job | None:
    """卧室的 / 客厅那台: the kind of thing spoken of, in another place."""
    source = last.query if last else None
    if query.type is not DeviceType.UNKNOWN or source is None:
        aimed = msgspec.structs.replace(query, reference=None)
        return Job(aimed, None, "type_elsewhere") if query.type is not DeviceType.UNKNOWN else None
    return Job(with_target(query, source), None, "elsewhere")


def _spoken_there(query: QueryIR, situation: Situation, last: Doing | None) -> tuple[str, ...]:
    """卧室的那个灯 after the bedside lamp there: the one spoken of, where it is of that room and kind."""
    if last is None or query.type is DeviceType.UNKNOWN or not query.include:
        return ()
    shape = situation.home.shape
    rooms = {room for word in query.include for room in shape.catalog.rooms.find(word)}
    meant = (shape.devices[one] for one in last.ids if one in shape.devices)
    return tuple(device.id for device in meant if device.type is query.type and device.room in rooms)


def _is_elliptical(query: QueryIR, situation: Situation, last: Doing | None) -> bool:
    """主卧的全拉开 says whose, not what: the kind of thing spoken of. 主卧全关了 is all of the room."""
    if last is None or last.query is None or not _is_everything(query) or not query.include:
        return False
    rooms = situation.of(MentionKind.ROOM)
    return bool(rooms) and situation.text[rooms[-1].end : rooms[-1].end + 1] == "的" and _is_specific(last.query)


def _is_everything(query: QueryIR) -> bool:
    """Whether the query aims at all devices of its scope."""
    plain = query.name is None and query.type is DeviceType.UNKNOWN and not query.excluded_names
    return plain and query.quantifier is Quantifier.ALL and not query.exclude


def _is_specific(query: QueryIR) -> bool:
    return query.name is not None or query.type is not DeviceType.UNKNOWN


def _is_fully(query: QueryIR, situation: Situation, last: Doing) -> bool:
    """全开 after a curtain opens it fully; it is no word for the whole room."""
    if last.query is None or not last.ids or not _is_everything(query) or query.include or query.here:
        return False
    return last.query.type is DeviceType.BLIND and len(situation.text) <= MAX_FULLY


def _rest(query: QueryIR, situation: Situation, last: Doing) -> tuple[str, ...]:
    """剩下的也关了 after some lamps: the other lamps, in the room spoken of, or in the home after several rooms."""
    excepted = situation.of(MentionKind.EXCEPT)
    if not excepted or not situation.says(answers().others) or query.include or query.here or query.exclude:
        return ()
    if query.name is not None or query.excluded_names or situation.has(MentionKind.WHOLE_HOME, *_NAMING):
        return ()
    devices = situation.home.shape.devices
    done = [devices[i] for i in last.ids if i in devices]
    types = {device.type for device in done} - {DeviceType.UNKNOWN}
    rooms = {device.room for device in done}
    if not types or (query.type is not DeviceType.UNKNOWN and query.type not in types):
        return ()
    return tuple(
        device.id
        for device in devices.values()
        if device.type in types and device.id not in last.ids and (len(rooms) > 1 or device.room in rooms)
    )


def rest_of_turn(query: QueryIR, situation: Situation) -> QueryIR | None:
    """其余灯全关 after requests about several rooms: the others of the home, where no room is said with it. The room
    of one of these requests is not its own."""
    if len({room.value for room in situation.of(MentionKind.ROOM)}) < 2:
        return None
    if query.quantifier is not Quantifier.EXCEPT or query.type is DeviceType.UNKNOWN or query.name is not None:
        return None
    for mention in situation.of(MentionKind.EXCEPT):
        if not any(word in situation.text[mention.start : mention.end] for word in answers().others):
            continue
        start, end = situation.clause_around(mention.start)
        if start and not any(start <= room.start < end for room in situation.of(MentionKind.ROOM, MentionKind.HERE)):
            return msgspec.structs.replace(query, include=(), here=False)
    return None


def sums_up(query: QueryIR, situation: Situation) -> bool:
    """窗帘拉一半，十分钟后全关: all of what this turn was about so far, and not of the room."""
    if query.when is None or not _is_everything(query) or query.include or query.here:
        return False
    return not situation.has(MentionKind.WHOLE_HOME, *_NAMING)


def _means_them(query: QueryIR, situation: Situation, last: Doing | None) -> bool:
    """都关了 after several devices were spoken of: those, not the whole home."""
    if last is None or not _is_everything(query):
        return False
    if query.include or query.here:
        return False
    if len(last.ids) < 2 and situation.says(_EVERYTHING):
        return False
    if len(them(situation, last)) < 2:
        return False
    return not situation.has(MentionKind.WHOLE_HOME, MentionKind.DEVICE, MentionKind.NAME)


def them(situation: Situation, last: Doing | None) -> tuple[str, ...]:
    """The devices that 它们 / 两个都 points to: those of the last turn, else the latest ones spoken of."""
    wanted = _number_said(situation)
    ids = last.ids if last else ()
    if len(ids) > 1 and (wanted is None or wanted == len(ids)):
        return ids
    if last is not None and wanted is not None and wanted == len(last.pool):
        return last.pool
    recent = _alike(situation)
    return recent[: wanted or 2] if len(recent) > 1 else ids


def _alike(situation: Situation) -> tuple[str, ...]:
    """What was spoken of, latest first: things of the latest one's kind if there are several, else all but sensors."""
    devices = situation.home.shape.devices
    recent = [devices[device] for device in situation.page.recent() if device in devices]
    same = tuple(device.id for device in recent if device.kind is recent[0].kind)
    return same if len(same) > 1 else tuple(device.id for device in recent if not device.is_sensor)


def _number_said(situation: Situation) -> int | None:
    for mention in situation.of(MentionKind.COUNT):
        if mention.value.isdigit():
            return int(mention.value)
    for mention in situation.of(MentionKind.REFERENCE):
        said = situation.text[mention.start : mention.end]
        if number := next((_BOTH[one] for one in said if one in _BOTH), None):  # 它俩
            return number
    for mention in situation.of(MentionKind.ALL):
        if number := _BOTH.get(situation.text[mention.start : mention.start + 1]):
            return number
    return None


def _few(query: QueryIR, situation: Situation) -> int | None:
    """关一个 after several: so many of them, whichever; 关那一个 points."""
    for mention in situation.of(MentionKind.COUNT):
        pointed = mention.start and situation.text[mention.start - 1] in _POINTED
        if query.quantifier is Quantifier.ONE and mention.value.isdigit() and not pointed:
            return int(mention.value)
    return None


def _referents(query: QueryIR, situation: Situation, last: Doing | None) -> tuple[str, ...]:
    """The devices that @last points to without a room."""
    if last is not None and (beside := siblings(situation.home, situation.text, last.ids)):
        return beside
    if last is not None and situation.says(answers().others):
        rest = tuple(device for device in last.pool if device not in last.ids)
        if rest := rest or rest_of_row(situation.home, last.ids):
            return rest
        if points_at_another(situation):
            return beside_it(situation, last)
    if last is not None and len(last.pool) > 1:
        picked = singled_out(situation.home, situation.text, last.pool)
        if picked:
            return picked
    if query.quantifier is Quantifier.ALL or situation.says(answers().together):
        return them(situation, last)
    ids = last.ids if last and last.ids else situation.page.recent()[:1]
    if query.type is DeviceType.UNKNOWN:
        return ids
    fitting = tuple(device for device in ids if situation.type_of(device) is query.type)
    if fitting:
        return fitting
    return tuple(d for d in situation.page.recent() if situation.type_of(d) is query.type)[:1]


def type_with(attribute: str) -> DeviceType:
    """The closed type that an attribute is worked by where nothing else is said (亮度: lamps); UNKNOWN for none."""
    role = settable_roles().get(attribute)
    return DeviceType.UNKNOWN if role is None else roles()[role].type


def _by_attribute(query: QueryIR) -> Job | None:
    """再亮一点 with nothing before it: what is bright here is the lamp; 湿度多少 asks what measures it here."""
    if query.action.startswith("查询") and attribute_of(query.action) not in ("", "状态"):
        return Job(QueryIR(query.action, quantifier=Quantifier.ALL), None, "by_attribute")
    kind = type_with(attribute_of(query.action))
    if kind is DeviceType.UNKNOWN or query.quantifier is Quantifier.ALL:
        return None
    aimed = msgspec.structs.replace(query, reference=None, type=kind, quantifier=Quantifier.ALL)
    return Job(aimed, None, "by_attribute")
