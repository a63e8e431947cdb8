"""A condition with the measurement of an earlier question: 等它降到八百以下就把新风停掉, after 二氧化碳多少
(service.md, Timed).

The reading takes the limit for a value to set. With the measurement just asked about it is the condition of the
following act; without one nothing is done (law 2).
"""

import re

import msgspec

from context_retrieval.models import Command
from context_retrieval.when import WhenKind, parse_when
from tingdong.commands.reading import MentionKind, Reading, Verdict
from tingdong.home.readings import is_readable
from tingdong.home_dialogue.acting import attribute_of
from tingdong.home_dialogue.clause_kinds import NO_CONDITION
from tingdong.home_dialogue.leaving import leaving
from tingdong.home_dialogue.page import Doing
from tingdong.home_dialogue.timer_words import timer_words

__all__ = ["limited"]

_LIMIT_UNITS = {"温度": "C", "湿度": "%"}
_SETTING = "设置"


def limited(reading: Reading, last: Doing | None) -> Reading:
    """The reading with a limit as the condition of its requests; the same one where it states no such limit."""
    parts = tuple(msgspec.structs.replace(part, reading=limited(part.reading, last)) for part in reading.parts)
    reading = msgspec.structs.replace(reading, parts=parts)
    if _waits_unseen(reading):
        return msgspec.structs.replace(reading, commands=(), verdict=Verdict.REJECT, reason=NO_CONDITION)
    first, rest = reading.commands[:1], reading.commands[1:]
    side, number = _limit(reading)
    if not (side and rest and first[0].action.verb == _SETTING and first[0].target.is_last):
        return reading
    asked = attribute_of(last.query.action) if last is not None and last.query is not None else ""
    when = f"{asked}{side}{number}{_LIMIT_UNITS.get(asked, '')}"
    said = parse_when(when) if is_readable(asked) else None
    if said is None or said.kind is not WhenKind.CONDITION:
        return msgspec.structs.replace(reading, commands=(), verdict=Verdict.REJECT, reason=NO_CONDITION)
    return msgspec.structs.replace(reading, commands=tuple(_at(command, when) for command in rest))


def _waits_unseen(reading: Reading) -> bool:
    """豆豆等它电充到八十再扫: whether it waits for what no time and no condition of the reading says."""
    timed = any(mention.kind is MentionKind.WHEN for mention in reading.mentions)
    timed = timed or any(command.action.when for command in reading.commands)
    return bool(reading.commands) and not timed and re.search(leaving().awaited, reading.text) is not None


def _at(command: Command, when: str) -> Command:
    return msgspec.structs.replace(command, action=msgspec.structs.replace(command.action, when=when))


def _limit(reading: Reading) -> tuple[str, str]:
    """The side and the number of a limit that something waits for (八百以下就); "" and "" for none."""
    words, text = timer_words(), reading.text
    for mention in reading.mentions:
        if mention.kind is not MentionKind.VALUE:
            continue
        behind = text[mention.end :].lstrip("度")
        side = "<" if behind.startswith(words.under) else ">" if behind.startswith(words.over) else ""
        if side and behind[2:].startswith(words.then):
            return side, mention.value.rstrip("%C档")
    return "", ""
