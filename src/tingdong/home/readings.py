"""Values of an attribute: temperature, volume, leaks (service.md, Token frame, answers)."""

from collections.abc import Sequence
from typing import Any

from context_retrieval.models import DeviceType, QueryIR
from tingdong.home.amounts import told
from tingdong.home.comparisons import Known, beyond, compared, judged, outside, place_of, rooms_at_the_end
from tingdong.home.device import DeviceShape
from tingdong.home.document import PropertyType
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import PropertyRole
from tingdong.home.properties import PropertySpec
from tingdong.home.questions import Form, Question, read_question
from tingdong.home.states import spoken, state_clause, state_of, subject_of
from tingdong.home.targets import joined, phrase_of
from tingdong.home.terms import told_so
from tingdong.home.vocabulary import RoleEntry, attributes, roles

__all__ = ["answer_reading", "called", "is_readable", "rooms_told", "tell_own"]

MOST_LISTED = 12
FEW_READINGS = 3


def is_readable(attribute: str) -> bool:
    """Whether the attribute is one that properties hold."""
    return any(roles()[role].asked for role in attributes().get(attribute, ()))


def answer_reading(home: HomeSnapshot, question: Question, query: QueryIR, devices: Sequence[DeviceShape]) -> str:
    """The attribute's values, or the extreme; says so if no device has the attribute."""
    found = _with_attribute(home, question, query, devices)
    if not found:
        return _without(home, question, query, devices)
    entry = roles()[found[0][1].role]
    if entry.states is not None and not found[0][1].numeric:
        return _switches(home, question, found)
    if question.limit is not None:
        return beyond(home, question, found)
    if question.form is Form.COMPARE:
        at_work = [known for known in found if not (entry.nought and known[2] == 0)]
        return compared(home, question, query, at_work or found)
    if entry.fine is not None and len(found) > 1 and (question.every or question.extreme):
        return outside(found)
    if question.order and all(isinstance(value, int | float) for _, _, value in found):
        found = sorted(found, key=lambda known: known[2], reverse=question.order == "falling")
    return _values(home, found)


def rooms_told(home: HomeSnapshot, query: QueryIR, devices: Sequence[DeviceShape], *, text: str) -> tuple[str, ...]:
    """The rooms that the answer to a comparison names (哪间最热); () for any other question."""
    question = read_question(query.action, text)
    if question.form is not Form.COMPARE or not is_readable(question.attribute):
        return ()
    return rooms_at_the_end(home, question, _with_attribute(home, question, query, devices))


def _with_attribute(
    home: HomeSnapshot, question: Question, query: QueryIR, devices: Sequence[DeviceShape]
) -> list[Known]:
    """The devices that know the attribute, with what they say; a measurement comes before what was set. A word for
    several measures (空气质量, 报警) asks for all of them."""
    ranked = attributes()[question.attribute]
    asks_setting = question.target or (query.type is not DeviceType.UNKNOWN and len(ranked) > 1)
    gathered: list[Known] = []
    for role in reversed(ranked) if asks_setting else ranked:
        found: list[Known] = []
        for device in devices:
            specs = [spec for spec in device.properties.values() if spec.role is role]
            if query.name and len(specs) > 1:
                specs = [spec for spec in specs if spec.part and spec.part.removesuffix("室") in query.name] or specs
            if question.period and len(specs) > 1:
                specs = [spec for spec in specs if question.period in spec.label] or specs
            found += [(device, spec, home.value(device, spec)) for spec in specs]
        if found and not _is_sum(ranked):
            return found
        gathered += found
    return sorted(gathered, key=lambda known: known[0].index)


def _is_sum(ranked: Sequence[PropertyRole]) -> bool:
    """Whether a word stands for measures of several kinds."""
    return len({roles()[role].attribute for role in ranked}) > 1 and all(roles()[role].read_only for role in ranked)


def _values(home: HomeSnapshot, found: Sequence[Known]) -> str:
    clauses = []
    alike = len(found) > 1 and len({spec.role for _, spec, _ in found}) == 1
    places = [place_of(device, spec) for device, spec, _ in found]
    for (device, spec, value), place in zip(found[:MOST_LISTED], places, strict=False):
        where = device.label if alike and places.count(place) > 1 else place
        clauses.append(spoken(home, device, _value_clause(home, device, spec, value, where, several=alike)))
    return "，".join(clauses) + "。"


def _switches(home: HomeSnapshot, question: Question, found: Sequence[Known]) -> str:
    """Which of several sensors are set off (客厅和老人房现在有人; 卫生间漏水了，厨房没有漏水)."""
    if len(found) == 1:
        device, spec, _ = found[0]
        return spoken(home, device, state_of(home, device, spec)) + "。"
    said: dict[str, list[str]] = {}
    ranked = sorted(found, key=lambda known: known[2] != known[1].on)
    for device, spec, value in ranked:
        states = roles()[spec.role].states or ("", "")
        word = "的状态还不知道" if value is None else states[0] if value == spec.on else states[1]
        said.setdefault(word, []).append(subject_of(device, spec))
    on = [value == spec.on for _, spec, value in found if value is not None]
    asked_for_some = question.where or question.form in (Form.ANY, Form.LIST, Form.COUNT) or len(found) > FEW_READINGS
    if asked_for_some and any(on) and not all(on):  # 哪里漏水了: the others were not asked for
        said = dict(list(said.items())[: len({spec.role for _, spec, value in found if value == spec.on})])
    clauses = [
        f"{joined(list(dict.fromkeys(who)))}{'都' if len(set(who)) > 1 else ''}{word}" for word, who in said.items()
    ]
    return "，".join(clauses) + "。"


def _value_clause(
    home: HomeSnapshot, device: DeviceShape, spec: PropertySpec, value: Any, where: str, *, several: bool
) -> str:
    """The value of one property as its row tells it; of several rooms only the room and the value."""
    if value is None:
        return f"还不知道{device.label}的{spec.label}"
    entry = roles().get(spec.role)
    if entry is not None and entry.states is not None and not spec.numeric:
        return state_of(home, device, spec)
    off = "（现在关着）" if home.is_on(device) is False and not spec.readonly else ""
    told_as = entry.said if entry is not None and entry.said else "{where}的{label}是{value}{off}"
    if entry is not None and entry.nought and value == 0:
        return "，".join(dict.fromkeys((state_clause(home, device), entry.nought.format(where=where))))
    if several and entry is not None and entry.of_room:
        told_as = "{where}{value}"
    said = told_as.format(where=where, part=spec.part, label=spec.label, value=told(spec, value), off=off)
    return said + _beside(device, entry, value)


def _beside(device: DeviceShape, entry: RoleEntry | None, value: Any) -> str:
    """What is said of a value outside of what is fine; warm water is no warm room."""
    word = judged(entry, value) if entry is not None and (device.kind.sensor or not entry.of_room) else ""
    return f"，{word}" if word else ""


def _without(home: HomeSnapshot, question: Question, query: QueryIR, devices: Sequence[DeviceShape]) -> str:
    place = "、".join(query.include) or "家里"
    if query.type is not DeviceType.UNKNOWN or query.name:
        who = phrase_of(home, devices) if devices else query.name or "这个设备"
        return f"{who}没有{called(question.attribute)}可以查。"
    return f"{place}没有能查{called(question.attribute)}的设备。"


def tell_own(home: HomeSnapshot, device: DeviceShape, spec: PropertySpec, *, wanted: bool) -> str:
    """How one property stands, by what its model calls it; of a switch, whether it is so (`wanted`: on)."""
    said, value = told_so(), home.value(device, spec)
    words = {"label": device.label, "name": spec.called or spec.label}
    if value is None:
        return said.unknown.format(**words)
    if spec.type is not PropertyType.BOOL:
        off = said.off if home.is_on(device) is False and not spec.readonly else ""
        return spoken(home, device, said.value.format(**words, value=told(spec, value), off=off)) + said.end
    on = value == spec.on
    form = (said.has if on else said.lacks) if spec.readonly else (said.on if on else said.stands_off)
    return spoken(home, device, (said.yes if on is wanted else said.no) + form.format(**words)) + said.end


def called(attribute: str) -> str:
    """What answers the attribute, as a reply names it (有人 is sensed: 人体感应)."""
    ranked = attributes().get(attribute, ())
    switch = bool(ranked) and roles()[ranked[0]].states is not None
    return roles()[ranked[0]].label if switch else attribute
