"""A sentence of several clauses, each also read by itself (`Reading.parts`; service.md, Dialogue).

A long sentence read as a whole loses clauses, and moves values, times and conditions to other clauses. A clause that is
incomplete by itself is read with its neighbour (除了灯带, 明天早上七点).
"""

from collections.abc import Callable

import msgspec

from context_retrieval.models import Command, DeviceType
from tingdong.commands.reading import TOO_LONG, MentionKind, Part, Reading, Verdict
from tingdong.home.questions import is_question
from tingdong.home_dialogue import pauses
from tingdong.home_dialogue.seams import seams

__all__ = ["aimed", "in_parts", "is_bare", "is_weighty", "leaves_out", "matching", "same_request"]

MOST, LONGEST_PARTED = 12, 240
"""Clauses and characters of a sentence; one of more is read as a whole."""

_WEIGHTY = frozenset({MentionKind.ACTION, MentionKind.VALUE, MentionKind.ATTRIBUTE, MentionKind.DEVICE,
                      MentionKind.NAME, MentionKind.SCENE, MentionKind.EXCEPT, MentionKind.WHEN})  # fmt: skip
"""Mentions of a clause that may ask for something."""
_LEFT_ALONE = frozenset({"negated", "cancelled", "happened", "other_domain", "not_addressed"})
Read = Callable[[str], Reading]


def in_parts(reading: Reading, read: Read) -> Reading:
    """The reading with its clauses, where it has several. `read` reads a text in the same home."""
    text = reading.text
    spans = pauses.spans(text)
    if len(spans) == 1:
        spans = seams(text, reading.mentions)
    if not 1 < len(spans) <= MOST or len(text) > LONGEST_PARTED or reading.perhaps or reading.reason == TOO_LONG:
        return _resigned(reading, read)
    parts = [Part(start, end, _resigned(read(text[start:end]), read)) for start, end in spans]
    joined = _joined(parts, text, lambda said: reading if said == text and reading.heard is None else read(said))
    return msgspec.structs.replace(reading, parts=tuple(joined)) if len(joined) > 1 else reading


def _resigned(reading: Reading, read: Read) -> Reading:
    """空调关了算了: 算了 right behind an act, at the end, takes nothing back; it is what one settles for."""
    acts = {one.end for one in reading.mentions if one.kind is MentionKind.ACTION}
    ends = [one for one in reading.mentions if one.kind is MentionKind.CANCEL and one.start in acts]
    if (
        reading.reason != "cancelled"
        or not ends
        or not pauses.pieces(reading.text)[-1].endswith(reading.text[ends[-1].start : ends[-1].end])
    ):
        return reading
    return msgspec.structs.replace(read(reading.text[: ends[-1].start]), text=reading.text)


def is_weighty(reading: Reading) -> bool:
    """Whether the clause mentions what may be asked for, or asked of."""
    return any(mention.kind in _WEIGHTY for mention in reading.mentions)


def same_request(one: Command, other: Command) -> bool:
    """Whether `one`, read in its clause alone, is what `other` says; what @last points at is not looked at."""
    if (one.action.verb, one.action.value) != (other.action.verb, other.action.value):
        return False
    if one.scope.here and other.scope.include:
        return False  # 卧房只留夜灯，这边全关: places apart
    if one.target.is_last or other.target.is_last:
        return True
    return one.target.name == other.target.name and one.target.type is other.target.type


def matching(command: Command, reading: Reading) -> Command | None:
    """What the reading of the whole sentence makes of a clause's own request."""
    found = [other for other in reading.commands if same_request(command, other)]
    return next((other for other in found if other.action.when == command.action.when), found[0] if found else None)


def _joined(parts: list[Part], text: str, read: Read) -> list[Part]:
    """The parts, with those that say nothing alone read together with their neighbour."""
    found: list[Part] = []
    waiting: Part | None = None
    for part in parts:
        if waiting is not None:
            both = _both(waiting, part, text, read)
            if both is None:
                found.append(waiting)
            else:
                part = both
            waiting = None
        if not is_bare(part.reading) or is_question(text[part.start : part.end]):
            found.append(part)
        elif found and leaves_out(part.reading) and (both := _both(found[-1], part, text, read)) is not None:
            found[-1] = both
        else:
            waiting = part
    return found if waiting is None else [*found, waiting]


def is_bare(reading: Reading) -> bool:
    """Whether it mentions what may be asked for and yet asks for nothing; what takes something back does ask."""
    if reading.commands or reading.reason in _LEFT_ALONE or not is_weighty(reading):
        return False
    return all(mention.kind is not MentionKind.CANCEL for mention in reading.mentions)


def leaves_out(reading: Reading) -> bool:
    """Whether it makes an exception (除了灯带)."""
    return any(mention.kind is MentionKind.EXCEPT for mention in reading.mentions)


def _both(first: Part, second: Part, text: str, read: Read) -> Part | None:
    """Both clauses as one, where that is read for sure and nothing that one of them asks for is lost in it."""
    reading = read(text[first.start : second.end])
    if not reading.commands or reading.verdict is not Verdict.ACCEPT:
        return None
    own = (*first.reading.commands, *second.reading.commands)
    acts = not first.reading.commands and any(one.kind is MentionKind.ACTION for one in first.reading.mentions)
    if acts and own and len(reading.commands) <= len(own):
        return None  # 调高，台灯也打开: what the first one orders would be lost
    kept = all(any(same_request(one, other) for other in reading.commands) for one in own)
    return Part(first.start, second.end, reading) if kept or leaves_out(second.reading) else None


def aimed(part: Part, whole: Reading) -> Part:
    """The part with the kind of thing that a sure reading of the whole sentence gives its bare requests (谁的灯没关，都
    关了: the lamps, and not all there is)."""
    if whole.verdict is not Verdict.ACCEPT:
        return part
    commands = tuple(_aimed(command, whole.commands) for command in part.reading.commands)
    return msgspec.structs.replace(part, reading=msgspec.structs.replace(part.reading, commands=commands))


def _aimed(command: Command, others: tuple[Command, ...]) -> Command:
    target = command.target
    if target.is_last or target.name != "*" or target.type is not DeviceType.UNKNOWN:
        return command
    same = [one for one in others if one.action.verb == command.action.verb]
    typed = len(same) == 1 and same[0].target.name == "*" and same[0].target.type is not DeviceType.UNKNOWN
    if not typed:
        return command
    return msgspec.structs.replace(command, target=msgspec.structs.replace(target, type=same[0].target.type))
