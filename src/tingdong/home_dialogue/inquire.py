"""Questions about a state or measurement without a device: 亮着几盏灯, 哪间最热, 玄关有人吗 (service.md, Token frame).

The protocol has only `查询状态`; the form of the question decides more than its verb. Such a question is one whatever
verb it contains (law 2: 亮着几盏灯 switches nothing on).
"""

import msgspec

from context_retrieval.models import DeviceType, Quantifier, QueryIR, Reference
from context_retrieval.state import Mentioned
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind
from tingdong.home.kinds import kinds_that_do
from tingdong.home.model import PropertyRole
from tingdong.home.query import OPENNESS, is_lock
from tingdong.home.questions import (
    STATE,
    Form,
    Question,
    asks_ability,
    asks_on,
    only_asks_on,
    openings_in,
    read_question,
    stock_words,
)
from tingdong.home.readings import is_readable
from tingdong.home.vocabulary import attributes, roles
from tingdong.home_dialogue.acting import has_attribute, told_by_work
from tingdong.home_dialogue.answers import only_fillers
from tingdong.home_dialogue.knowing import beside_the_other, compared_rooms, knowing
from tingdong.home_dialogue.mentioned import TURNS_RECENT
from tingdong.home_dialogue.places import is_any_room
from tingdong.home_dialogue.said import STATES
from tingdong.home_dialogue.situation import Situation

__all__ = [
    "NAMING_OR_HOME",
    "REQUESTS",
    "Inquiry",
    "about_all",
    "asks",
    "can_tell",
    "inquiry_of",
    "rooms_named",
]

REQUESTS = ("把", "帮", "给我", "请", "替我")
_POINTING = ("它", "那个", "这个", "那盏", "那台", "这盏", "这台", "那些", "这些")
_ANY_SENSOR = ("传感器", "设备", "电器", "东西")
COUNT_OR_LIST = frozenset({Form.COUNT, Form.LIST})
NAMING_OR_HOME = (MentionKind.ROOM, MentionKind.WHOLE_HOME, MentionKind.HERE, MentionKind.DEVICE, MentionKind.NAME)
MAX_BESIDE = 1
"""Characters of a question of what there is that neither name a thing or a place nor ask."""


class Inquiry(msgspec.Struct, frozen=True):
    """The query of a question; `everywhere` when no default place bounds it."""

    query: QueryIR
    everywhere: bool
    text: str = ""
    """The clause it was put in; empty for the whole sentence."""
    ids: tuple[str, ...] | None = None
    """The devices it is about, where what they know says which they are."""


def asks(query: QueryIR | Mentioned) -> bool:
    """Whether the query asks, and orders nothing."""
    return query.action.startswith("查询")


def inquiry_of(situation: Situation) -> Inquiry | None:
    """What a question about a state or a measure asks; None when the reading's own commands are to be trusted."""
    if (able := _by_work(situation)) is not None:
        return able
    if not situation.asks and not asks_on(situation.text) and not asks_ability(situation.text):
        return None
    question = situation.question
    if question.form is Form.COMPARE and not situation.asks and not only_asks_on(situation.text):
        return None  # 调到最冷光看看
    if question.form is Form.ABILITY:
        return _ability_of(situation)
    if (known := _known(question, situation) or _followed(situation)) is not None:
        return known
    if _is_stock(question, situation):
        stock = about_all("状态", situation)
        return Inquiry(stock, everywhere=True, ids=_all_there(situation) if _is_open(stock) else None)
    if not _is_asked(question, situation):
        query = _state_asked(question, situation) or _whether(question, situation)
        return None if query is None else Inquiry(query, everywhere=False)
    query = about_all(question.attribute, situation)
    return Inquiry(query, everywhere=question.form is not Form.VALUE)


def can_tell(ids: tuple[str, ...], action: str, situation: Situation) -> bool:
    """Whether one of the things has the attribute that is asked for."""
    devices = situation.home.shape.devices
    return any(has_attribute(devices.get(one), action) for one in ids)


def about_all(attribute: str, situation: Situation) -> QueryIR:
    """A question about all of the kind and the place that are said."""
    kind, name = _subject(situation)
    return QueryIR(
        f"查询{attribute}",
        include=rooms_named(situation),
        here=_here(situation),
        name=name,
        type=kind,
        quantifier=Quantifier.ALL,
        confidence=situation.reading.confidence,
    )


def _known(question: Question, situation: Situation) -> Inquiry | None:
    """What asks for a measure, a battery, a door, and orders nothing: whoever knows it answers."""
    on = asks_on(situation.text)
    points = situation.has(MentionKind.REFERENCE) and not situation.has(*NAMING_OR_HOME)
    if not (situation.asks or on) or (points and question.limit is None and not question.extreme):
        return None
    orders = [query for query in situation.queries if not asks(query) or query.when is not None]
    orders = [] if question.versus and situation.asks else orders  # 是不是比客厅低十度
    if orders and not (question.form is Form.COMPARE and only_asks_on(situation.text)):  # 最凉快的呢 lowers nothing
        return None
    question = _as_read(question, situation)
    if (more := _measured_on(question, situation) or _that_one(question, situation)) is not None:
        return more
    ids = _asked_on(question, situation) or knowing(situation, question)
    if not ids:
        return None
    last = situation.page.last
    ids = beside_the_other(ids, last.ids if last is not None else (), question, situation)
    query = about_all(_attribute(question, ids, situation), situation)
    if question.versus or (question.form is Form.COMPARE and situation.has(MentionKind.HERE)):
        query = msgspec.structs.replace(query, include=compared_rooms(situation))
    return Inquiry(query, everywhere=False, ids=ids)


def _measured_on(question: Question, situation: Situation) -> Inquiry | None:
    """那差几度 after 主卧和次卧哪个热: the things that were asked about, against each other."""
    last = situation.page.last
    bare = question.versus and not question.extreme and not situation.has(*NAMING_OR_HOME)
    if not bare or last is None or last.query is None or not asks(last.query):
        return None
    return Inquiry(last.query, False, last.text + situation.text, last.ids) if len(last.ids) > 1 else None


def _that_one(question: Question, situation: Situation) -> Inquiry | None:
    """卧房那台多少度 after an air conditioner: the one of its kind in that room, and not what measures the room."""
    last, devices, rooms = situation.page.last, situation.home.shape.devices, situation.rooms_said
    things = situation.has(MentionKind.NAME, MentionKind.DEVICE)
    if last is None or not rooms or things or not situation.has(MentionKind.REFERENCE):
        return None
    if question.attribute == "状态":
        return None
    kinds = {devices[one].kind.key for one in last.ids if one in devices and not devices[one].is_sensor}
    action = f"查询{question.attribute}"
    there = [one for room in rooms for one in situation.home.shape.by_room.get(room, ()) if one.kind.key in kinds]
    found = [one for one in there if has_attribute(one, action)]
    if not found:
        return None
    query = msgspec.structs.replace(about_all(question.attribute, situation), type=found[0].type)
    return Inquiry(query, everywhere=False, ids=tuple(one.id for one in found))


def _attribute(question: Question, ids: tuple[str, ...], situation: Situation) -> str:
    """What is asked of the devices: of doors and windows how they stand, of a lock its state."""
    devices = situation.home.shape.devices
    stands = question.attribute == "状态" and not any(is_lock(devices[i]) for i in ids)
    return OPENNESS.removeprefix("查询") if stands else question.attribute


def _followed(situation: Situation) -> Inquiry | None:
    """阳台那个门呢 after a question how doors and windows stand; 现在呢 after anything, of what was spoken of."""
    last = situation.page.last
    if last is None or last.query is None or situation.queries:
        return None
    if (among := _among_the_asked(situation)) is not None:
        return among
    if not asks_on(situation.text):
        return None
    if last.query.action == OPENNESS and (openings_in(situation.text) or situation.rooms_said):
        ids = knowing(situation, read_question("查询状态", last.text))
        return Inquiry(about_all(OPENNESS.removeprefix("查询"), situation), False, last.text, ids) if ids else None
    if last.ids and not only_fillers(situation.text):
        return None
    asked = asks(last.query)
    query = last.query if asked else msgspec.structs.replace(last.query, action="查询状态", value=None, when=None)
    return Inquiry(query, False, last.text if asked else situation.text, last.ids)


def _among_the_asked(situation: Situation) -> Inquiry | None:
    """那个最低的是哪个, 哪台设得低: the end of what was just asked for, among the things it was asked of."""
    last = situation.page.last
    if last is None or last.query is None or situation.has(*NAMING_OR_HOME):
        return None
    question = read_question(last.query.action, situation.text)
    if question.form is not Form.COMPARE or not is_readable(question.attribute):
        return None
    state, devices = situation.page.state, situation.home.shape.devices
    recent = (i for mention in state.mentions if state.turn - mention.turn <= TURNS_RECENT for i in mention.entity_ids)
    asked = dict.fromkeys(i for i in recent if i in devices and has_attribute(devices[i], last.query.action))
    ids = tuple(asked) if len(asked) > 1 else knowing(situation, question)
    return Inquiry(about_all(question.attribute, situation), False, situation.text, ids) if ids else None


def _asked_on(question: Question, situation: Situation) -> tuple[str, ...]:
    """设的多少度 after an air conditioner asks on about it; nothing when a place or a thing is named."""
    last = situation.page.last
    if last is None or situation.has(*NAMING_OR_HOME) or not is_readable(question.attribute):
        return ()
    devices, role = situation.home.shape.devices, attributes()[question.attribute][0]
    if not question.target:  # 还剩多少电, of what tells just that
        own = question.form is Form.VALUE and not (roles()[role].of_room or question.extreme or question.limit)
        return tuple(i for i in last.ids if own and i in devices and role in devices[i].by_role)
    return tuple(i for i in last.ids if i in devices and has_attribute(devices[i], f"查询{question.attribute}"))


def _as_read(question: Question, situation: Situation) -> Question:
    """The question with the attribute that the reading found where its own words name none (玄关亮不亮); one that
    measures against another place or a number (比厨房低多少, 八十以上的呢) asks for what was asked for before."""
    if (question.versus or question.limit is not None) and question.attribute == "状态":
        if any("C" in one.value for one in situation.of(MentionKind.VALUE, MentionKind.WHEN)):
            return read_question(roles()[PropertyRole.SENSED_TEMPERATURE].attribute, situation.text)
        asked = (one.action for one in reversed(situation.page.state.mentions) if asks(one))
        if measure := next((one for one in asked if is_readable(one.removeprefix("查询"))), ""):
            return read_question(measure, situation.text)
    read = {query.action.removeprefix("查询") for query in situation.queries}
    if question.attribute != "状态" or len(read) != 1 or "状态" in read:
        return question
    return read_question(situation.queries[0].action, situation.text)


def _ability_of(situation: Situation) -> Inquiry | None:
    """加湿器有哪些档, 它能干什么: what the thing that is named can be told, else the one spoken of last."""
    if situation.has(MentionKind.NAME, MentionKind.DEVICE):
        return Inquiry(about_all("状态", situation), everywhere=False, text=situation.text)
    last = situation.page.last
    if last is None or not last.ids:
        return None
    return Inquiry(about_all("状态", situation), everywhere=False, text=situation.text, ids=last.ids)


def _by_work(situation: Situation) -> Inquiry | None:
    """有没有能烘衣服的机器: how those stand that do so, where they are said to be."""
    ids = told_by_work(situation)
    if not ids or situation.says(REQUESTS):
        return None
    if any(not kinds_that_do(situation.text[one.start : one.end]) for one in situation.of(MentionKind.ACTION)):
        return None
    return Inquiry(about_all(STATE, situation), everywhere=False, text=STATE, ids=ids)


def _is_stock(question: Question, situation: Situation) -> bool:
    """儿童房有什么, 家里有几盏灯: what there is in a place or of a kind, and nothing else (家里有什么好吃的)."""
    if question.form not in (Form.STOCK, Form.COUNT) or question.on is not None or question.attribute != "状态":
        return False
    if not situation.has(MentionKind.ROOM, MentionKind.WHOLE_HOME, MentionKind.HERE, MentionKind.DEVICE):
        return False
    if not all(asks(query) for query in situation.queries) or situation.says(_POINTING):
        return False
    return len(stock_words().sub("", situation.without(*NAMING_OR_HOME))) <= MAX_BESIDE


def _is_open(query: QueryIR) -> bool:
    return query.name is None and query.type is DeviceType.UNKNOWN


def _all_there(situation: Situation) -> tuple[str, ...] | None:
    """All that stands in the rooms that are said, else in the home, sensors too; None where there is nothing."""
    shape, rooms = situation.home.shape, situation.rooms_said
    if rooms is None:
        return tuple(shape.devices)
    return tuple(device.id for room in rooms for device in shape.by_room.get(room, ())) or None


def _is_asked(question: Question, situation: Situation) -> bool:
    queries = situation.queries
    if any(query.when is not None or query.excluded_names or query.exclude for query in queries):
        return False
    if situation.says(REQUESTS) or situation.says(_POINTING):
        return False
    if question.where and situation.rooms_said is None and situation.has(MentionKind.NAME, MentionKind.DEVICE):
        return True
    if question.form is Form.COMPARE or (question.form in COUNT_OR_LIST and question.on is not None):
        return not all(asks(query) and _names_something(query) for query in queries) or not queries
    return not queries and question.form is Form.VALUE and not _is_of_nothing(question, situation)


def _is_of_nothing(question: Question, situation: Situation) -> bool:
    """还有几分钟, where nothing is named and nothing in the home runs for a time."""
    runs = any(roles()[role].nought for role in attributes().get(question.attribute, ()))
    return (
        runs
        and not situation.has(*NAMING_OR_HOME)
        and not can_tell(tuple(situation.home.shape.devices), f"查询{question.attribute}", situation)
    )


def _state_asked(question: Question, situation: Situation) -> QueryIR | None:
    """空调现在开着的吧, 风扇是开着还是关着: a state with 着 that is asked about, not an order."""
    queries = situation.queries
    if question.on is None or not queries or situation.says(REQUESTS) or not situation.says(STATES):
        return None
    if any(query.action not in verb_table().lasting or query.when is not None for query in queries):
        return None
    if not situation.asks and not asks_on(situation.text):
        return None
    return msgspec.structs.replace(queries[0], action="查询状态")


def _whether(question: Question, situation: Situation) -> QueryIR | None:
    """油烟机现在还开着吗, 查一下门锁, where the reading made nothing of it."""
    looked_up = situation.has(MentionKind.QUERY) and asks_on(situation.text) and not situation.has(MentionKind.VALUE)
    if (
        situation.queries
        or not (looked_up or question.on is not None or situation.puts_either or question.form is Form.STATUS)
        or not (looked_up or situation.asks)
        or situation.says(REQUESTS)
    ):
        return None
    kind, name = _subject(situation)
    if kind is DeviceType.UNKNOWN and name is None:
        return None
    return QueryIR(
        "查询状态",
        include=rooms_named(situation),
        here=_here(situation),
        name=name,
        type=kind,
        quantifier=Quantifier.ALL,
    )


def rooms_named(situation: Situation) -> tuple[str, ...]:
    """The rooms that are said; 房间 where it is asked which names none."""
    return tuple(mention.value for mention in situation.of(MentionKind.ROOM) if not is_any_room(mention.value))


def _here(situation: Situation) -> bool:
    return situation.has(MentionKind.HERE) and not rooms_named(situation)


def _names_something(query: QueryIR) -> bool:
    return query.reference is not Reference.LAST and (query.name is not None or query.type is not DeviceType.UNKNOWN)


def _subject(situation: Situation) -> tuple[DeviceType, str | None]:
    """The kind of thing, or the name, that the question is about."""
    for mention in situation.of(MentionKind.NAME, MentionKind.DEVICE):
        named = mention.kind is MentionKind.NAME or mention.value not in ("", "*")
        if named and mention.value not in _ANY_SENSOR:
            return mention.type, mention.value
        if mention.type is not DeviceType.UNKNOWN:
            return mention.type, None
    return DeviceType.UNKNOWN, None
