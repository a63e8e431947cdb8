"""What a model's commands must share with the sentence before they count (architecture, laws 1 and 2).

A model may read structure better than rules; it may not invent a room or a device, and it may not lose a negation, a
condition, a delay or an exclusion that the local tier saw.
"""

from collections.abc import Iterable
from enum import StrEnum

from context_retrieval.models import LAST_NAME, Command, Quantifier
from tingdong.commands.reading import Mention, MentionKind, NameTable, Reading

__all__ = ["Fault", "faults"]


class Fault(StrEnum):
    """Why a model's commands are not believed; stable codes."""

    INVENTED_NAME = "invented_name"
    INVENTED_ROOM = "invented_room"
    LOST_NEGATION = "lost_negation"
    LOST_WHEN = "lost_when"
    LOST_EXCLUSION = "lost_exclusion"
    QUERY_TO_CONTROL = "query_to_control"


def faults(local: Reading, commands: Iterable[Command], names: NameTable | None = None) -> tuple[Fault, ...]:
    """Every fault of `commands` as a reading of `local.text`, each once; none means they may be believed."""
    commands = tuple(commands)
    kinds = {mention.kind for mention in local.mentions}
    found: list[Fault] = []
    for command in commands:
        found.extend(_invented(command, local, names))
    if MentionKind.NEGATION in kinds:
        found.append(Fault.LOST_NEGATION)
    if MentionKind.WHEN in kinds and not any(command.action.when for command in commands):
        found.append(Fault.LOST_WHEN)
    if MentionKind.EXCEPT in kinds and not any(_excludes(command) for command in commands):
        found.append(Fault.LOST_EXCLUSION)
    if MentionKind.QUERY in kinds and not all(command.action.verb.startswith("查询") for command in commands):
        found.append(Fault.QUERY_TO_CONTROL)
    return tuple(dict.fromkeys(found))


def _excludes(command: Command) -> bool:
    return bool(command.scope.exclude or command.target.excluded or command.target.quantifier is Quantifier.EXCEPT)


def _invented(command: Command, local: Reading, names: NameTable | None) -> Iterable[Fault]:
    target = command.target
    spoken = [name for name in (target.name, *target.excluded) if name not in ("*", LAST_NAME)]
    if not all(_is_spoken(name, local.text) for name in spoken):
        yield Fault.INVENTED_NAME
    rooms = [mention for mention in local.mentions if mention.kind is MentionKind.ROOM]
    if not all(
        _room_is_spoken(room, local.text, rooms, names) for room in command.scope.include + command.scope.exclude
    ):
        yield Fault.INVENTED_ROOM


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
