"""Requests with an event that the command protocol cannot express (A区要是没人了就把灯都关掉).

Event and room are removed, the rest is read as a sentence, and the sensor of the event is added as a condition. Words
of events: `data/events.yaml`.
"""

import re
from functools import cache
from importlib import resources

import msgspec

from context_retrieval.catalog import Catalog
from context_retrieval.kind_table import kind_table
from context_retrieval.lexicon import default_lexicon
from context_retrieval.strict_yaml import parse_yaml
from context_retrieval.text import normalise

__all__ = ["AFTER", "event_before", "said_events", "supposing", "told_event"]

AFTER = re.compile("(?:了|啦|的话|的?时候?|以后|之后|后|着|来了?|在)*[，,、 ]*(?:就|那?就|再)?")
_THEN = re.compile("就|便|立刻|马上|自动")
_LONGEST = 80


class _ConditionsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sensed: tuple[str, ...]
    supposing: tuple[str, ...]
    through: tuple[str, ...]
    absent: str
    gone: str
    events: dict[str, dict[str, tuple[str, ...]]]


@cache
def _file() -> _ConditionsFile:
    source = resources.files("context_retrieval").joinpath("data", "events.yaml")
    return msgspec.convert(parse_yaml(source.read_bytes()), _ConditionsFile)


@cache
def _passed() -> re.Pattern[str]:
    """Where the event is, behind it: 有人(经过客厅)就…."""
    return re.compile(f"(?:{'|'.join(_file().through)})(?P<room>.{{1,8}}?)(?={AFTER.pattern}(?<=[就，, ]))")


@cache
def _gone() -> re.Pattern[str]:
    """Somebody who is not in a room: 孩子不在(客厅)就…, but 不在客厅的灯."""
    absent = _file().absent
    return re.compile(f"\\A(?!{absent}).{{1,8}}?{absent}(?P<room>.{{1,8}}?)(?=里?(?:就|的话|的?时候|时|[，,]))")


@cache
def said_events() -> tuple[tuple[str, str, str], ...]:
    """`data/events.yaml` as (word in its normal form, attribute, value), longest word first. Raises ValueError for an
    attribute that nothing senses."""
    file = _file()
    senses = {sense for kind in kind_table().kinds.values() for sense in kind.senses}
    if unknown := set(file.events) - senses - set(kind_table().attributes):
        raise ValueError(f"events.yaml: events: no such attributes {sorted(unknown)}")
    events = [
        (normalise(word), attribute, value)
        for attribute, values in file.events.items()
        for value, words in values.items()
        for word in words
    ]
    return tuple(sorted(events, key=lambda event: -len(event[0])))


def told_event(sensed: str, value: str) -> str | None:
    """客厅有人=否 as it is said (客厅没人); None for what is no event of `data/events.yaml`."""
    for attribute, values in _file().events.items():
        if sensed.endswith(attribute) and value in values:
            return sensed.removesuffix(attribute) + values[value][0]
    return None


def event_before(text: str, catalog: Catalog) -> tuple[str, str] | None:
    """What is to be done, as a sentence of its own, and the event that it waits for as a WHEN (`客厅有人=是`); None
    where the sentence makes no event a condition, or names a room that the home does not have."""
    if len(text) > _LONGEST:
        return None
    gone = _gone().search(text)
    if gone and gone["room"] not in default_lexicon().places and catalog.rooms.find(gone["room"]):
        text = f"{gone['room']}{_file().gone}{text[gone.end() :]}"
    for word, attribute, value in said_events():
        at = text.find(word)
        if at < 0:
            continue
        before, after = text[:at], text[at + len(word) :]
        passed = _passed().match(after)
        if passed and catalog.rooms.find(passed["room"]):
            before, after = f"{before}{passed['room']}", after[passed.end() :]
        joined = AFTER.match(after)
        then = after[joined.end() :] if joined else after
        if not then or not _supposes(before, after):
            continue
        place = supposing().sub("", before).strip("，,、 的")
        for room in (place, place.rstrip("里")):
            if not room or catalog.rooms.find(room):
                return _THEN.sub("", then, count=1), f"{room}{attribute}={value}"
    return None


def _supposes(before: str, after: str) -> bool:
    """Whether the sentence makes the event a condition: 要是, 的话, 就, 的时候, 一…就."""
    return bool(
        supposing().search(before) or before.endswith("一") or re.match(".{0,8}?(?:就|的话|的?时候|时[，,]?)", after)
    )


@cache
def supposing() -> re.Pattern[str]:
    """What says that something is a condition (要是, 如果)."""
    words = {*_file().sensed, *_file().supposing, *default_lexicon().grammar["condition_start"]}
    return re.compile("|".join(re.escape(normalise(word)) for word in sorted(words, key=len, reverse=True)) + "|一$")
