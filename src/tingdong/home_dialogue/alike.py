"""Setting one device like another: 调得跟卧室一样, 顶灯和床头灯一个亮度, 照着203来 (service.md, Dialogue).

The other device never changes; its value is copied. Words of comparison: `data/answers.yaml`.
"""

import re
from functools import cache

import msgspec

from context_retrieval.models import DeviceType, QueryIR
from tingdong.commands.reading import MentionKind
from tingdong.home.acts import settable_roles
from tingdong.home.amounts import told
from tingdong.home.device import DeviceShape
from tingdong.home.model import PropertyRole
from tingdong.home.questions import versus_words, wants_answer
from tingdong.home.vocabulary import attribute_word
from tingdong.home_dialogue.acting import attribute_of, type_with
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.carry import Carried
from tingdong.home_dialogue.closing import close
from tingdong.home_dialogue.complete import Job, pointing
from tingdong.home_dialogue.ending import Ended
from tingdong.home_dialogue.inquire import about_all
from tingdong.home_dialogue.mentioned import THINGS
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.target import members, resolve_job

__all__ = ["likened", "sets_beside"]

_NAMING_IN_PLACE = (*THINGS, MentionKind.ROOM, MentionKind.HERE)
_NUMBER = re.compile(r"-?[\d.]+")
_LONGEST_MODEL = 64
"""Characters of what is compared with."""


def likened(situation: Situation) -> Ended | None:
    """The turn, or the clause, sets one thing as another one is."""
    if situation.asks or wants_answer(situation.text) or situation.has(MentionKind.WHEN):
        return None
    if (than := _more_or_less().search(situation.text)) is not None:
        return _set_beside(than, situation)
    found = _comparison().search(situation.text)
    if situation.has(MentionKind.VALUE):
        return None
    if found is None:
        return _as_before(situation)
    model = situation.part(*found.span("model" if found["model"] else "beside"))
    if not model.has(*_NAMING_IN_PLACE):
        return None
    said = (situation.part(0, found.start()), situation.part(found.end(), len(situation.text)))
    target = next((part for part in said if part.has(*_NAMING_IN_PLACE)), None)
    ids = _spoken_of(target, situation, ())
    other = _spoken_of(model, situation, ids)
    if target is not None and set(ids) & set(other):  # 主灯跟起居室的一样: not that one itself
        ids = tuple(one for one in _everywhere(target, situation) if one not in other)
    return _set_as(ids, other, situation)


@cache
def _more_or_less() -> re.Pattern[str]:
    table, than = answers(), "|".join(map(re.escape, versus_words()[:1]))
    up, down = "|".join(table.up), "|".join(table.down)
    return re.compile(f"(?:{than})(?P<model>[^，,。！!？?；;]+?)(?:(?P<up>{up})|(?:{down}))")


def sets_beside(text: str) -> bool:
    """Whether a clause sets something by another thing (设得比宝宝房那台低一度)."""
    return _more_or_less().search(text) is not None


def _set_beside(than: re.Match[str], situation: Situation) -> Ended | None:
    """设得比宝宝房那台低一度: so much above or below what the other thing is set to."""
    values = [one.value.removesuffix("C") for one in situation.of(MentionKind.VALUE) if one.start >= than.end()]
    model = situation.part(than.start(), than.end("model"))
    if len(values) != 1 or not values[0].isdigit() or not model.has(*_NAMING_IN_PLACE):
        return None
    target = situation.part(0, than.start())
    ids = _spoken_of(target if target.has(*_NAMING_IN_PLACE) else None, situation, ())
    devices, rooms = situation.home.shape.devices, model.rooms_said or ()
    other = tuple(one for one in ids if devices[one].room in rooms) or _spoken_of(model, situation, ids)
    ids = tuple(one for one in ids if one not in other)
    return _set_as(ids, other, situation, float(values[0]) * (1 if than["up"] else -1))


def _as_before(situation: Situation) -> Ended | None:
    """起居室的也弄成一样的温度: as what was just spoken of is, where it is said of what."""
    last = situation.page.last
    if last is None or not situation.says(answers().alike) or not situation.has(MentionKind.ATTRIBUTE):
        return None
    if not situation.has(*_NAMING_IN_PLACE) or situation.has(MentionKind.VALUE):
        return None
    ids = _spoken_of(situation, situation, ())
    return _set_as(tuple(one for one in ids if one not in last.ids), last.ids, situation)


@cache
def _comparison() -> re.Pattern[str]:
    table = answers()
    beside, same, after, done = (
        "|".join(map(re.escape, words))
        for words in (table.compared_with, table.alike, table.modelled_on, table.done_so)
    )
    model = f"[^，,。！!？?；;]{{1,{_LONGEST_MODEL}}}?"
    return re.compile(
        f"(?:(?:{after})(?P<model>{model})(?P<same>{same}|{done}|$))|(?:{beside})(?P<beside>{model})(?P<as>{same})"
    )


def _spoken_of(part: Situation | None, situation: Situation, like: tuple[str, ...]) -> tuple[str, ...]:
    """The devices that a piece of the sentence names; of a room those that are of the kind of `like`, else of the kind
    spoken of last; without a piece, what was spoken of last."""
    last, devices = situation.page.last, situation.home.shape.devices
    if part is None:
        return last.ids if last is not None else ()
    kinds = {devices[one].type for one in (like or (last.ids if last else ())) if one in devices}
    kinds -= {DeviceType.UNKNOWN}
    query = about_all("状态", part)
    if not part.has(*THINGS) and len(kinds) != 1:
        kinds = {type_with(_attribute_said(situation))} - {DeviceType.UNKNOWN}
    if not part.has(*THINGS):
        if not kinds:
            return ()
        query = msgspec.structs.replace(query, type=kinds.pop())
    found = resolve_job(Job(query), part)
    return members(found, part) if found.found else found.choices


def _everywhere(part: Situation, situation: Situation) -> tuple[str, ...]:
    query = about_all("状态", part)
    found = resolve_job(Job(query, everywhere=True), situation)
    ids = members(found, situation) if found.found else found.choices
    room = situation.page.room
    return tuple(one for one in ids if situation.home.shape.devices[one].room == room) or ids


def _attribute_said(situation: Situation) -> str:
    """The attribute that is to be the same: a word for it (亮度), or one of degree behind (一样亮)."""
    said = [one.value for one in situation.of(MentionKind.ATTRIBUTE) if one.value in settable_roles()]
    if said:
        return said[-1]
    found = _comparison().search(situation.text)
    behind = situation.text[found.end() :] if found is not None else ""
    return next((attribute for word, attribute in answers().degree_of.items() if behind.startswith(word)), "")


def _set_as(ids: tuple[str, ...], other: tuple[str, ...], situation: Situation, more: float = 0) -> Ended | None:
    """Sets the things as the other one is, or so much `more`; asks which one where several could be meant."""
    devices = situation.home.shape.devices
    models = [devices[one] for one in other if one in devices]
    warmth = any(one.value.endswith("C") for one in situation.of(MentionKind.VALUE))
    measured = attribute_word(PropertyRole.TEMPERATURE, "") if warmth else _attribute_spoken_of(situation)
    attribute = _attribute_said(situation) or measured
    if not attribute:
        return None
    known = [one for one in models if _told(one, attribute, situation) is not None]
    if not ids or not known:
        return None
    values = {_told(one, attribute, situation) for one in known}
    carried = Carried(situation)
    if len(values) > 1:
        carried.ask(QueryIR(f"查询{attribute}"), tuple(one.id for one in known))
        return close(carried, "likened")
    query = QueryIR(f"设置{attribute}", _NUMBER.sub(lambda said: f"{float(said[0]) + more:g}", values.pop() or ""))
    carried.run_job(pointing(query, ids, situation, None))
    return close(carried, "likened")


def _attribute_spoken_of(situation: Situation) -> str:
    last = situation.page.last
    attribute = attribute_of(last.query.action) if last is not None and last.query is not None else ""
    return attribute if attribute in settable_roles() else ""


def _told(device: DeviceShape, attribute: str, situation: Situation) -> str | None:
    """The value that the thing which is compared with has of the attribute, as an order says it."""
    spec = device.by_role.get(settable_roles()[attribute])
    value = situation.home.value(device, spec) if spec is not None else None
    return None if spec is None or value is None else told(spec, value).replace("度", "C")
