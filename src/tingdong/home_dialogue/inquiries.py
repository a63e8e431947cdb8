"""Questions of several clauses, each with the referents of the one before (service.md, Token frame)."""

import msgspec

from context_retrieval.models import DeviceType
from tingdong.commands.reading import MentionKind
from tingdong.home.query import OPENNESS
from tingdong.home.questions import Form, read_question
from tingdong.home.readings import rooms_told
from tingdong.home_dialogue.inquire import (
    NAMING_OR_HOME,
    REQUESTS,
    Inquiry,
    about_all,
    can_tell,
    inquiry_of,
    rooms_named,
)
from tingdong.home_dialogue.knowing import beside_the_other, knowing
from tingdong.home_dialogue.places import is_any_room
from tingdong.home_dialogue.situation import Situation

__all__ = ["inquiries_of"]


def inquiries_of(situation: Situation) -> tuple[Inquiry, ...]:
    """The questions of a turn: one a clause where every clause asks (门锁了吗，电量还剩多少), else that of the
    whole. A clause that names nothing asks about what the one before named."""
    spans = situation.clause_spans
    if len(spans) > 1:
        found: list[Inquiry] = []
        for span in spans:
            part = situation.part(*span)
            if found and _measures_more(part):
                found[-1] = msgspec.structs.replace(found[-1], text=found[-1].text + part.text)
                continue
            if found and (against := _against(part, found[-1])) is not None:
                found.append(against)
                continue
            one = inquiry_of(part) or _asked_in(part)
            if found:
                one = _carried_on(one, part, found[-1])
            if one is None:
                break
            found.append(msgspec.structs.replace(one, text=one.text or part.text))
        else:
            return tuple(found)
    whole = inquiry_of(situation)
    return () if whole is None else (whole,)


def _measures_more(part: Situation) -> bool:
    """差多少, 低于三十算, behind another question: more of what that asks."""
    question = part.question
    return (question.versus or question.limit is not None) and not question.extreme and not _names(part)


def _against(part: Situation, before: Inquiry) -> Inquiry | None:
    """跟客厅差多少 after 哪个屋最冷, 和客厅比哪个热 after 卧室多少度: the room at the end that was asked for, or the
    one asked about, against the one that is said."""
    devices, said = part.home.shape.devices, part.rooms_said
    if not said or len(said) != 1:
        return None
    asked = [devices[one] for one in before.ids or () if one in devices]
    rooms = rooms_told(part.home, before.query, asked, text=before.text) if part.question.versus else ()
    if not rooms and part.question.form is Form.COMPARE and part.question.attribute in before.query.action:
        rooms = tuple(dict.fromkeys(one.room for one in asked)) or before.query.include
    if len(rooms) != 1 or rooms == said:
        return None
    pair = (rooms[0], said[0])
    ids = tuple(one.id for one in asked if one.room in pair)
    there = ids if {devices[one].room for one in ids} == set(pair) else None
    return Inquiry(msgspec.structs.replace(before.query, include=pair), False, part.text, there)


def _carried_on(one: Inquiry | None, part: Situation, before: Inquiry) -> Inquiry | None:
    """A clause after another one: 湿度呢 is about the same place, 卧室的呢 the same question about another."""
    asked = before.query
    if one is not None and one.ids and before.ids:
        one = msgspec.structs.replace(one, ids=beside_the_other(one.ids, before.ids, part.question, part))
    if one is not None and not _names(part):
        if one.ids is not None and before.ids is not None and not asked.name and asked.type is DeviceType.UNKNOWN:
            return one
        if one.ids is not None and (part.question.where or part.question.form is Form.COMPARE):
            return one  # 哪个房间有人 asks of no place that was named before
        if one.ids is not None and before.ids is not None and not can_tell(before.ids, one.query.action, part):
            return one  # 窗户没关吧，温度多少: a window has none
        query = msgspec.structs.replace(one.query, include=asked.include, name=asked.name, type=asked.type)
        return msgspec.structs.replace(one, query=query, everywhere=before.everywhere, ids=None)
    rooms = rooms_named(part)
    if one is None and part.is_fragment and rooms and not part.has(MentionKind.DEVICE, MentionKind.NAME):
        return Inquiry(msgspec.structs.replace(asked, include=rooms, here=False), before.everywhere, before.text)
    if one is None and part.question.target and before.ids:
        return msgspec.structs.replace(before, text=part.text)  # 地暖现在多少度，设的多少
    if one is None and part.is_fragment:
        question = read_question("查询状态" if asked.action == OPENNESS else asked.action, before.text)
        ids = knowing(part, question)
        return Inquiry(about_all(question.attribute, part), False, before.text, ids) if ids else None
    return one


def _names(part: Situation) -> bool:
    """Whether the clause names a thing or a place of its own; 房间 where it is asked which names none."""
    return any(not is_any_room(mention.value) for mention in part.of(*NAMING_OR_HOME))


def _asked_in(part: Situation) -> Inquiry | None:
    """门锁了吗, whose state is asked by a verb: a clause that asks, names a thing and orders nothing."""
    if not part.asks or not part.has(MentionKind.DEVICE, MentionKind.NAME) or part.says(REQUESTS):
        return None
    return Inquiry(about_all(part.question.attribute, part), everywhere=False, text=part.text)
