"""Ellipsis and references (service.md, Dialogue): 关了, 再亮一点, 它们, 卧室的呢, 两个都, 另外那台, 换成红色, 也一样.

An incomplete query is completed from the page. No device is invented: without a referent the result is None.
"""

import re

import msgspec

from context_retrieval.models import DeviceType, Quantifier, QueryIR, Reference
from context_retrieval.verbs import verb_table
from context_retrieval.when import WhenKind, parse_when
from tingdong.commands.reading import MentionKind
from tingdong.home.acts import ActKind, read_act, settable_roles
from tingdong.home.kinds import kinds_that_do
from tingdong.home.model import PropertyRole
from tingdong.home.vocabulary import kinds
from tingdong.home_dialogue.acting import OPEN_VERBS, attribute_of, has_attribute, kind_of_verb, type_with
from tingdong.home_dialogue.answers import answers, step_pattern
from tingdong.home_dialogue.mentioned import PLACED_THINGS
from tingdong.home_dialogue.page import Doing
from tingdong.home_dialogue.referents import another, few, number_said, of_the_list, of_the_side, referents, rest, them
from tingdong.home_dialogue.situation import Situation

__all__ = [
    "WORDED",
    "Job",
    "complete",
    "pointing",
    "rest_of_turn",
    "says_everything",
    "so_many",
    "sums_up",
    "with_target",
]

MAX_FULLY = 5
_EVERYTHING = ("全关", "全开", "全都", "全部", "所有", "全给", "通通", "统统")
"""Words for all there is; 都 alone sums up what was spoken of."""

_UNIT_ATTRIBUTES = {
    "C": ("温度",),
    "K": ("色温",),
    "档": ("风速",),
    "%": ("亮度", "音量", "开合度", "风速", "湿度", "档位"),
}
WORDED = frozenset({"模式", "颜色", "输入源"})
"""Attributes that no number is a value of."""
_PERCENT = re.compile("[%％半]|百分|[一二两三四五六七八九十几0-9]成")


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
    if (
        query.type is DeviceType.UNKNOWN
        and query.name is None
        and query.reference is None
        and situation.says(answers().lit)
    ):
        query = msgspec.structs.replace(query, type=DeviceType.LIGHT)  # 亮着的都关了
    if query.value is None and query.action.startswith(OPEN_VERBS[1:3]):
        query = msgspec.structs.replace(query, value=so_many(situation))
    query = _beyond_the_place(_of_what_was_set(query, situation, last), situation)
    query = _with_attribute(query, last, situation.text)
    if left := of_the_list(query, situation, last):
        return msgspec.structs.replace(pointing(query, left, situation, last), rule="rest")
    if sides := of_the_side(query, situation, last):
        return pointing(msgspec.structs.replace(query, name=None), sides, situation, None)
    if other := another(query, situation, last):
        one = msgspec.structs.replace(query, exclude=(), reference=None, quantifier=Quantifier.ONE)
        known = len(other) == (number_said(situation) or 1) or read_act(query.action).kind is ActKind.ASK
        return pointing(one, other, situation, last) if known else Job(one, None, "which", other)
    if (measured := _of_measure(query, situation, last)) is not None:
        return measured
    if query.reference is Reference.LAST and (watched := _of_its_condition(query, situation)):
        return pointing(query, watched, situation, last)
    if query.reference is not Reference.LAST:
        if _is_elliptical(query, situation, last):
            return _elsewhere(query, last)
        if last is not None and (left := rest(query, situation, last)):
            return pointing(query, left, situation, last)
        if (aimed := _by_verb(query, situation, last)) is not None:
            return aimed
        if _means_them(query, situation, last):
            return pointing(query, them(situation, last), situation, last)
        return Job(query)
    if query.include or query.exclude or query.here:
        spoken = _spoken_there(query, situation, last)
        if spoken:
            return pointing(query, spoken, situation, last)
        return _elsewhere(query, last) or _by_attribute(query, situation)
    ids = referents(query, situation, last)
    count = few(query, situation)
    if count is not None and count < len(ids) and situation.says(answers().others):
        return Job(query, None, "which", ids)  # 另外两盏, of more than two
    if count is not None and count < len(ids):
        query = msgspec.structs.replace(query, quantifier=Quantifier.ANY, count=count)
    return pointing(query, ids, situation, last) if ids else _by_attribute(query, situation)


def so_many(situation: Situation) -> str | None:
    """再小五个: by how much, where a number stands right behind the degree; None where none does."""
    ends = {step.end() for step in step_pattern().finditer(situation.text)}
    return next((one.value for one in situation.of(MentionKind.COUNT) if one.start in ends), None)


def _of_its_condition(query: QueryIR, situation: Situation) -> tuple[str, ...]:
    """净化器开着就调到一档: the thing that the condition is about, and not the one spoken of before."""
    said = parse_when(query.when) if query.when else None
    if said is None or said.kind is not WhenKind.CONDITION or not said.subject:
        return ()
    return tuple(one.id for one in situation.home.shape.devices.values() if said.subject in (one.plain, one.label))


def _beyond_the_place(query: QueryIR, situation: Situation) -> QueryIR:
    """A室的灯关了，顶灯别动: what is left out by the name of a thing that stands elsewhere is no exception there."""
    if not (query.include and query.excluded_names and situation.spared):
        return query
    devices, names = situation.home.shape.devices, situation.home.shape.catalog.rooms
    rooms = {room for word in query.include for room in names.find(word)}
    left = [devices[one] for spared in situation.spared for one in spared.ids if one in devices]
    if any(one.room in rooms for one in left) or not all(one.plain in query.excluded_names for one in left):
        return query
    return msgspec.structs.replace(query, excluded_names=(), quantifier=Quantifier.ALL)


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
    if query.action not in OPEN_VERBS or last is None or last.query is None:
        return query
    attribute = attribute_of(last.query.action)
    value = query.value
    if value is not None and value.endswith("%") and not _PERCENT.search(text):
        value = value[:-1]
    if not attribute or not _fits(attribute, value):
        return query
    return msgspec.structs.replace(query, action=query.action + attribute, value=value)


def _of_what_was_set(query: QueryIR, situation: Situation, last: Doing | None) -> QueryIR:
    """再小五格 after a volume: five of that, where what was spoken of has no gears."""
    verb, value = query.action[:2], query.value or ""
    geared = any(value.endswith(unit) for unit in _UNIT_ATTRIBUTES if not unit.isascii())
    if query.reference is not Reference.LAST or last is None or last.query is None or not geared:
        return query
    attribute, devices = attribute_of(last.query.action), situation.home.shape.devices
    if verb not in OPEN_VERBS or attribute not in settable_roles() or situation.has(MentionKind.ATTRIBUTE):
        return query
    if any(has_attribute(devices.get(one), query.action) for one in last.ids):
        return query
    return msgspec.structs.replace(query, action=verb + attribute, value=value[:-1])


def _fits(attribute: str, value: str | None) -> bool:
    if value is None or (attribute in WORDED and value[:1].isdigit()):
        return value is None
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


def _by_verb(query: QueryIR, situation: Situation, last: Doing | None) -> Job | None:
    """全拉上 is for curtains alone: those just spoken of, else all of them where it is said."""
    if not _is_everything(query) or query.reference is Reference.LAST:
        return None
    kind = kind_of_verb(query, situation)
    about = last.query.type if last is not None and last.query is not None else DeviceType.UNKNOWN
    shape, ids = situation.home.shape, last.ids if last is not None else ()
    moved = len(ids) == 1 and ids[0] in shape.devices and PropertyRole.OPENING in shape.devices[ids[0]].by_role
    if kind is DeviceType.UNKNOWN and (moved or about is DeviceType.BLIND) and query.action in verb_table().moves:
        acts = [situation.clause_around(one.start) for one in situation.of(MentionKind.ACTION)]
        short = len(acts) == 1 and acts[0][1] - acts[0][0] <= MAX_FULLY
        alone = short and not situation.has(MentionKind.WHOLE_HOME, *PLACED_THINGS)
        if alone and moved:
            return pointing(query, ids, situation, last)  # 全打开 after a skylight opens it fully
        kind = about if alone else kind
    if kind is DeviceType.UNKNOWN:
        return None
    aimed = msgspec.structs.replace(query, type=kind)
    placed = query.include or query.here or situation.whole_home or situation.says(_EVERYTHING)
    spoken = () if placed else tuple(one for one in them(situation, last) if situation.type_of(one) is kind)
    return pointing(query, spoken, situation, last) if spoken else Job(aimed)


def says_everything(situation: Situation) -> bool:
    """Whether all there is was said (全部关掉, 家里都关了); 都关了 of a room is what is switched on."""
    return situation.whole_home or situation.says(_EVERYTHING)


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
    return not situation.has(MentionKind.WHOLE_HOME, *PLACED_THINGS)


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


def _by_attribute(query: QueryIR, situation: Situation) -> Job | None:
    """再亮一点 with nothing before it: what is bright here is the lamp; 湿度多少 asks what measures it here."""
    if query.action.startswith("查询") and attribute_of(query.action) not in ("", "状态"):
        return Job(QueryIR(query.action, quantifier=Quantifier.ALL), None, "by_attribute")
    said = "".join(situation.text[one.start : one.end] for one in situation.of(MentionKind.ATTRIBUTE))
    keys, devices = kinds_that_do(said), situation.home.shape.devices.values()
    if worked := tuple(one.id for one in devices if one.kind.key in keys and has_attribute(one, query.action)):
        return pointing(query, worked, situation, None) if len(worked) == 1 else Job(query, None, "which", worked)
    kind = type_with(attribute_of(query.action))
    if kind is DeviceType.UNKNOWN or query.quantifier is Quantifier.ALL:
        return None
    aimed = msgspec.structs.replace(query, reference=None, type=kind, quantifier=Quantifier.ALL)
    return Job(aimed, None, "by_attribute")
