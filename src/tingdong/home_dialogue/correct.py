"""Corrections (service.md: 不对，X redoes the last action on X; undoing the wrong device is optional, and said).

不对，我说的是餐厅吊灯 · 说错了，卧室的 · 不对，太费电，五十. The wrong device is switched back only if the last turn
changed it.
"""

import msgspec

from context_retrieval.models import DeviceType, Quantifier, QueryIR, Reference, ResolutionStatus
from tingdong.commands.reading import Mention, MentionKind
from tingdong.home.acts import settable_roles
from tingdong.home.amounts import told
from tingdong.home.questions import read_question
from tingdong.home_dialogue.acting import attribute_of
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.complete import Job, complete, pointing, with_target
from tingdong.home_dialogue.infer import inferred
from tingdong.home_dialogue.inquire import about_all
from tingdong.home_dialogue.leaving import refusal_in
from tingdong.home_dialogue.page import Doing, LedgerChange
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.target import members, resolve_job
from tingdong.home_dialogue.timers import said_moment, says_a_condition

__all__ = ["Correction", "correction_of", "repetition_of"]

_THINGS_OR_SCENES = frozenset({MentionKind.NAME, MentionKind.DEVICE, MentionKind.SCENE})
_TARGETS = (MentionKind.ROOM, MentionKind.DEVICE, MentionKind.NAME, MentionKind.HERE, MentionKind.SCENE)
_TARGETS_OR_PLACES = (*_TARGETS, MentionKind.WHOLE_HOME)


_WHETHER = ("吗", "没有", "是不是", "开没", "关没", "是否")


MOST_BEFORE_IT = 6
"""Characters before a correction that is not the end of the sentence."""
_SIGNS = "。！!，, 了"


class Correction(msgspec.Struct, frozen=True):
    """What is to be done instead, and what is to be put back."""

    jobs: tuple[Job, ...]
    undo: tuple[LedgerChange, ...] = ()


def correction_of(situation: Situation) -> Correction | None:
    """The correction this turn is, or None. Needs something to correct and a new target or value."""
    last = situation.page.last
    if last is None or not last.queries or not situation.has(MentionKind.CORRECTION):
        return None
    of_one = [one for one in situation.of(MentionKind.CORRECTION) if _is_said_of_one(one, situation)]
    others = [one for one in situation.of(MentionKind.CORRECTION) if one not in of_one]
    rather = _rather_so(of_one[0], situation) if of_one else None
    if rather is not None or not others:
        return rather
    first = others[0]
    behind = first.start > MOST_BEFORE_IT and first.end < len(situation.text.rstrip(_SIGNS))  # 加湿器是一档，说错了
    if behind or (not situation.queries and refusal_in(situation)):
        return None
    if earlier := _of_what_is_denied(situation):
        return earlier
    jobs = _own_requests(situation, last) or repetition_of(situation) or inferred(situation)
    if not jobs:
        return None
    there = (ResolutionStatus.FOUND, ResolutionStatus.AMBIGUOUS)
    jobs = tuple(job for job in jobs if resolve_job(job, situation).status in there) or jobs  # 厨房 has no such thing
    moved = all(job.ids is None or job.rule == "beside" for job in jobs)
    return Correction(jobs, _replaced(situation, last, jobs) if moved else ())


def _of_what_is_denied(situation: Situation) -> Correction | None:
    """我说的是厨房不是餐厅: the newest request that named what is denied, with what is said in its place."""
    said = situation.of(*_TARGETS) or situation.of(MentionKind.VALUE)  # 不是三十，是五十
    denied = [mention for mention in said if _is_denied(mention, situation)]
    meant = [mention for mention in said if mention not in denied]
    acts = {mention.value for mention in situation.of(MentionKind.ACTION)}
    others = [query for query in situation.queries if {query.action} != acts]  # 不是关加湿器，是关台灯
    if len(denied) != 1 or len(meant) != 1 or others or not _alike(denied[0], meant[0]):
        return None
    for entry in reversed(situation.page.ledger):
        about = [n for n, clause in enumerate(entry.clauses) if _is_about(clause, denied[0])]
        places = [n for n in about if not acts or entry.clauses[n].action in acts]
        if places:
            jobs = tuple(Job(_with_part(entry.clauses[n], meant[0]), None, "repeated") for n in places)
            now = [n for n in places if entry.clauses[n].when is None]
            return Correction(jobs, tuple(change for change in entry.changes if change.clause in now))
    return None


def _alike(one: Mention, other: Mention) -> bool:
    """Whether one may stand in the place of the other: both places, things or values."""
    return one.kind is other.kind or {one.kind, other.kind} <= _THINGS_OR_SCENES


def _with_part(query: QueryIR, part: Mention) -> QueryIR:
    """The request with another place, thing or value."""
    if part.kind is MentionKind.VALUE:
        return msgspec.structs.replace(query, value=_in_its_unit(part.value, query.value))
    if part.kind is MentionKind.ROOM:
        kind = {"name": None, "quantifier": Quantifier.ALL} if query.type is not DeviceType.UNKNOWN else {}
        return msgspec.structs.replace(query, include=(part.value,), here=False, **kind)
    named = part.value not in ("", "*")
    return msgspec.structs.replace(query, name=part.value if named else None, type=part.type)


def _is_said_of_one(correction: Mention, situation: Situation) -> bool:
    """大屋那个还是开起 orders something of what stands before it, and puts nothing else right."""
    before = any(mention.end <= correction.start for mention in situation.of(*_TARGETS))
    return before and situation.text[correction.start :].startswith(answers().rather)


def _rather_so(correction: Mention, situation: Situation) -> Correction | None:
    """灯还是开着吧, which the reading took for no order: the state that is said."""
    acts = [one for one in situation.of(MentionKind.ACTION) if one.start >= correction.end]
    if len(acts) != 1 or situation.asks or any(not _asks(query) for query in situation.queries):
        return None
    query = msgspec.structs.replace(about_all("状态", situation), action=acts[0].value)
    last = situation.page.last
    if last is not None and not situation.has(*_THINGS_OR_SCENES):  # 203还是关着: what was spoken of there
        there = members(resolve_job(Job(query), situation), situation)
        query = pointing(query, tuple(one for one in last.ids if one in there), situation, None).query
    return Correction((Job(query),))


def _replaced(situation: Situation, last: Doing, jobs: tuple[Job, ...]) -> tuple[LedgerChange, ...]:
    """What the part of the last turn did that the correction replaces: the clause of the same attribute, else of the
    same kind of thing. What was only put back then is not put back again."""
    ledger = situation.page.ledger
    first = situation.of(MentionKind.CORRECTION)[0]
    corrects_itself = any(one.end <= first.start for one in situation.of(MentionKind.ACTION))  # 关电视，哦不，静音就行
    if not ledger or ledger[-1].turn != last.turn or corrects_itself:
        return ()
    entry = ledger[-1]
    own = tuple(change for change in entry.changes if change.clause >= 0)
    if _undoes_earlier(situation, jobs) or {job.query.action for job in jobs} & {one.action for one in last.missed}:
        return ()  # 打开吊灯，窗户关上 … 我说的是推窗器，关上: what was not found is what is put right
    if len(entry.clauses) < 2:
        return own
    for alike in (_same_attribute, _same_kind):
        places = {n for n, clause in enumerate(entry.clauses) if any(alike(job.query, clause) for job in jobs)}
        if places:
            return tuple(change for change in own if change.clause in places)
    return ()


def _undoes_earlier(situation: Situation, jobs: tuple[Job, ...]) -> bool:
    """开错了，插座关了: whether it is about what an earlier turn did, and nothing of the last one."""
    found = {one for job in jobs for one in members(resolve_job(job, situation), situation)}
    *before, latest = [{change.id for change in entry.changes} for entry in situation.page.ledger]
    return bool(found) and found.isdisjoint(latest) and found <= set().union(*before)


def _same_attribute(one: QueryIR, other: QueryIR) -> bool:
    return attribute_of(one.action) == attribute_of(other.action) != ""


def _same_kind(one: QueryIR, other: QueryIR) -> bool:
    if one.type is not DeviceType.UNKNOWN or other.type is not DeviceType.UNKNOWN:
        return one.type is other.type
    return one.name == other.name


def _asks(query: QueryIR) -> bool:
    return query.action.startswith("查询")


def _own_requests(situation: Situation, last: Doing) -> tuple[Job, ...]:
    """Commands that the correction brings along; one without an action of its own keeps the last one."""
    jobs = []
    for query in _meant(situation):
        job = complete(query, situation, last)
        if job is None:
            return ()
        jobs.append(job)
    return tuple(jobs)


def _meant(situation: Situation) -> tuple[QueryIR, ...]:
    """What is ordered and not denied (是关，不是开)."""
    denials = {mention.end for mention in situation.of(MentionKind.CORRECTION) if _denies(mention, situation)}
    denied = {mention.value for mention in situation.of(MentionKind.ACTION) if mention.start in denials}
    if not denied:
        return situation.queries
    said = tuple(QueryIR.from_command(one) for part in situation.reading.parts for one in part.reading.commands)
    return tuple(query for query in said or situation.queries if query.action not in denied)


def _denies(correction: Mention, situation: Situation) -> bool:
    return situation.text[correction.start : correction.end] in answers().denying


def repetition_of(situation: Situation) -> tuple[Job, ...]:
    """The last requests aimed at what this fragment names: 卧室的呢, 主卧的也是, 客厅的吸顶灯也一样."""
    last = situation.page.last
    said = situation.of(*_TARGETS_OR_PLACES)
    denied = {mention.value for mention in said if _is_denied(mention, situation)}
    named = [mention for mention in said if mention.value not in denied]  # 不是客厅的，是我的，客厅的他在用
    if last is None or not last.queries or not named or says_a_condition(situation):
        return ()
    rooms = tuple(mention.value for mention in named if mention.kind is MentionKind.ROOM)
    here = situation.has(MentionKind.HERE) and not rooms
    things = [mention for mention in named if mention.kind in _THINGS_OR_SCENES]
    queries = last.missed or last.queries  # what was not found is what the fragment tells
    if things:  # of several requests, those about such things
        if queries[-1].when and things[-1].type is not queries[-1].type and not situation.says_the_same:
            return ()  # 咖啡机来一杯, after 超过26度就开空调, waits for nothing
        queries = tuple(one for one in queries if one.type is things[-1].type is not DeviceType.UNKNOWN) or queries
    if situation.asks and last.query is not None:  # a question never acts (law 2)
        before = tuple(one for one in last.queries if _asks(one)) or (last.query,)
        queries = tuple({one.action: one for one in (_asked_instead(it, situation) for it in before)}.values())
    if moment := said_moment(situation):  # 床头灯也是，一小时后
        queries = tuple(msgspec.structs.replace(one, when=moment) for one in queries if one.when) or queries
    queries = _with_said_value(queries, situation)
    asked = (_as_it_is(query, last, situation) for query in queries)
    moved = (_moved(query, rooms, here, things, situation) for query in asked)
    text = situation.text if situation.asks and not _asks_the_same(situation.text, last) else last.text
    if situation.has(MentionKind.WHOLE_HOME) and not rooms:
        moved = (msgspec.structs.replace(query, include=(), here=False) for query in moved)
        return tuple(Job(query, None, "repeated", text=text, everywhere=True) for query in moved)
    return tuple(Job(query, None, "repeated", text=text) for query in moved)


def _asks_the_same(text: str, last: Doing) -> bool:
    """整个家，一共几盏 after 亮着几盏灯: the form of the question again, and no state of its own."""
    own, before = read_question("查询状态", text), read_question("查询状态", last.text)
    return own.form is before.form and own.on is None and own.attribute == "状态"


def _with_said_value(queries: tuple[QueryIR, ...], situation: Situation) -> tuple[QueryIR, ...]:
    """加湿器是一档，说错了: the request that had a value, with the one that is said."""
    said = [one.value for one in situation.of(MentionKind.VALUE) if one.value]
    valued = tuple(query for query in queries if query.value is not None)
    if len(said) != 1 or not valued:
        return queries
    return tuple(msgspec.structs.replace(query, value=_in_its_unit(said[0], query.value)) for query in valued[-1:])


def _in_its_unit(said: str, before: str | None) -> str:
    """二十六 after 二十五度 is 26 degrees."""
    unit = (before or "").lstrip("-0123456789.")
    return f"{said}{unit}" if said.replace(".", "", 1).isdigit() and unit != before else said


def _is_about(query: QueryIR, denied: Mention) -> bool:
    """Whether the request names what is denied (不是餐厅): the place, the thing or the value."""
    if denied.kind is MentionKind.VALUE:
        return query.value is not None and query.value in (denied.value, _in_its_unit(denied.value, query.value))
    if denied.kind is MentionKind.ROOM:
        return denied.value in query.include
    return denied.value == query.name or (denied.type is query.type is not DeviceType.UNKNOWN)


def _is_denied(mention: Mention, situation: Situation) -> bool:
    """不是卧室，是书房: what stands right behind a denial is what is not meant."""
    act = next((one for one in situation.of(MentionKind.ACTION) if one.end == mention.start), mention)
    return any(
        other.end in (mention.start, act.start) and _denies(other, situation)
        for other in situation.of(MentionKind.CORRECTION)
    )


def _asked_instead(query: QueryIR, situation: Situation) -> QueryIR:
    """The question that a fragment puts: 多少 asks for the attribute spoken of, 吗 for the state."""
    valued = situation.says(answers().asking)
    attribute = attribute_of(query.action) if valued or (_asks(query) and not situation.says(_WHETHER)) else ""
    return msgspec.structs.replace(query, action=f"查询{attribute or '状态'}", value=None, when=None)


def _as_it_is(query: QueryIR, last: Doing, situation: Situation) -> QueryIR:
    """这个温度: the value that the last change came to, not the change again."""
    if not situation.says(answers().same) or not query.action.startswith(("调高", "调低")):
        return query
    attribute = attribute_of(query.action)
    role = settable_roles().get(attribute)
    for device_id in last.ids:
        device = situation.home.shape.devices.get(device_id)
        spec = device.by_role.get(role) if device is not None and role is not None else None
        value = situation.home.value(device, spec) if device is not None and spec is not None else None
        if spec is not None and value is not None:
            said = told(spec, value).replace("度", "C")
            return msgspec.structs.replace(query, action=f"设置{attribute}", value=said)
    return query


def _moved(query: QueryIR, rooms: tuple[str, ...], here: bool, things: list[Mention], situation: Situation) -> QueryIR:
    blank = QueryIR(query.action, query.value, include=rooms, here=here, when=query.when, confidence=query.confidence)
    if not things:
        return with_target(msgspec.structs.replace(blank, reference=Reference.LAST), query)
    thing = things[-1]
    named = thing.kind is not MentionKind.DEVICE or thing.value not in ("", "*")
    return msgspec.structs.replace(
        blank,
        name=thing.value if named else None,
        type=thing.type,
        quantifier=Quantifier.ONE if named and not situation.has(MentionKind.ALL) else Quantifier.ALL,
    )
