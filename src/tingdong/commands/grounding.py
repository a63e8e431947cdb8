"""Checks a model's commands against the sentence (architecture, laws 1 and 2).

A model may structure a sentence better than the rules. It may not invent a room, device, kind or value, use a verb
outside the protocol, or lose a negation, condition, delay or exclusion that the local tier found.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import cache

from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import LAST_NAME, Command, DeviceType, Quantifier
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import Mention, MentionKind, NameTable, Reading

__all__ = ["GroundingFault", "faults", "known_verbs", "turns_round"]


class GroundingFault(StrEnum):
    """Why a model's commands are not believed; stable codes."""

    INVENTED_NAME = "invented_name"
    INVENTED_ROOM = "invented_room"
    INVENTED_TYPE = "invented_type"
    INVENTED_VALUE = "invented_value"
    UNKNOWN_VERB = "unknown_verb"
    OPPOSITE_VERB = "opposite_verb"
    LOST_NEGATION = "lost_negation"
    LOST_WHEN = "lost_when"
    LOST_EXCLUSION = "lost_exclusion"
    QUERY_TO_CONTROL = "query_to_control"


_DELICATE = {MentionKind.EXCEPT, MentionKind.WHEN, MentionKind.QUERY}
_HERE = re.compile("[这此本咱我]|当前|身边|旁边")
_AMOUNT = re.compile(r"[\d零〇一二两俩三仨四五六七八九十百半几满]")
"""Signs of an amount; without any a number in a value is the model's own."""


@cache
def known_verbs() -> frozenset[str]:
    """Every verb phrase of the protocol: the vocabulary's own, and those made of an attribute."""
    lexicon = default_lexicon()
    sensors = lexicon.values.sensors.split()
    made = [f"{verb}{one}" for verb in ("查询", "设置", "调高", "调低") for one in lexicon.values.attributes]
    made += [f"查询{one}" for one in (*sensors, *map(str.upper, sensors))]
    return frozenset((*lexicon.actions.verbs, "查询状态", "设置", *made))


def faults(local: Reading, commands: Iterable[Command], names: NameTable | None = None) -> tuple[GroundingFault, ...]:
    """Every fault of `commands` as a reading of `local.text`, each once; none means they may be believed."""
    commands = tuple(commands)
    kinds = {mention.kind for mention in local.mentions}
    found: list[GroundingFault] = []
    for command in commands:
        if command.action.verb not in known_verbs():
            found.append(GroundingFault.UNKNOWN_VERB)
        found.extend(_invented(command, local, names))
    if _turned(local, {command.action.verb for command in commands}):
        found.append(GroundingFault.OPPOSITE_VERB)
    if MentionKind.NEGATION in kinds:
        found.append(GroundingFault.LOST_NEGATION)
    if MentionKind.WHEN in kinds and not any(command.action.when for command in commands):
        found.append(GroundingFault.LOST_WHEN)
    if MentionKind.EXCEPT in kinds and not any(_excludes(command) for command in commands):
        found.append(GroundingFault.LOST_EXCLUSION)
    if MentionKind.QUERY in kinds and not all(command.action.verb.startswith("查询") for command in commands):
        found.append(GroundingFault.QUERY_TO_CONTROL)
    return tuple(dict.fromkeys(found))


def turns_round(heard: Reading, understood: Reading) -> bool:
    """Whether what was understood does the opposite of what was heard, or what was left out, put off or asked about as
    it was heard, of which nothing is left, or what was only told. A question turns nothing round."""
    verbs = {command.action.verb for command in understood.commands}
    if all(verb.startswith("查询") for verb in verbs):
        return False
    kinds = [{mention.kind for mention in reading.mentions} for reading in (heard, understood)]
    if heard.reason == "happened" or _DELICATE & (kinds[0] - kinds[1]) or _turned(heard, verbs):
        return True
    done = {(command.target, command.action.verb) for command in heard.commands}
    return any((one.target, verb_table().opposite.get(one.action.verb)) in done for one in understood.commands)


def _turned(local: Reading, verbs: set[str]) -> bool:
    """Whether the commands do the opposite of what was said, and nothing that was said."""
    said = {mention.value for mention in local.mentions if mention.kind is MentionKind.ACTION}
    opposites = {other for verb in said if (other := verb_table().opposite.get(verb))} - said
    return bool(verbs & opposites) and not verbs & said


def _excludes(command: Command) -> bool:
    return bool(command.scope.exclude or command.target.excluded or command.target.quantifier is Quantifier.EXCEPT)


def _invented(command: Command, local: Reading, names: NameTable | None) -> Iterable[GroundingFault]:
    target = command.target
    spoken = [name for name in (target.name, *target.excluded) if name not in ("*", LAST_NAME)]
    if not all(_is_spoken(name, local.text) for name in spoken):
        yield GroundingFault.INVENTED_NAME
    rooms = [mention for mention in local.mentions if mention.kind is MentionKind.ROOM]
    if not all(
        _room_is_spoken(room, local.text, rooms, names) for room in command.scope.include + command.scope.exclude
    ) or (command.scope.here and not _HERE.search(local.text)):
        yield GroundingFault.INVENTED_ROOM
    types = {mention.type for mention in local.mentions} - {DeviceType.UNKNOWN}
    if types and target.type not in {*types, DeviceType.UNKNOWN}:
        yield GroundingFault.INVENTED_TYPE
    value = command.action.value or ""
    if any(letter.isdigit() for letter in value) and not _AMOUNT.search(local.text):
        yield GroundingFault.INVENTED_VALUE


def _is_spoken(name: str, text: str) -> bool:
    """A name counts as spoken when the sentence holds it, or all of its characters in order (顶上的灯 → 顶灯)."""
    if name in text:
        return True
    rest = iter(text)
    return all(character in rest for character in name)


def _room_is_spoken(room: str, text: str, mentions: list[Mention], names: NameTable | None) -> bool:
    """A room counts as spoken when the sentence holds it, or when it is the home's own word for a spoken room."""
    if _is_spoken(room, text):
        return True
    return names is not None and room in names.rooms and any(mention.value in room for mention in mentions)
