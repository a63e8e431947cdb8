"""Commands shared by several devices: those of a group (retrieval.md, Devices)."""

from collections.abc import Sequence

from msgspec import structs

from context_retrieval.models import DeviceCommand, ValueRange

__all__ = ["shared_commands"]


def shared_commands(members: Sequence[tuple[DeviceCommand, ...]]) -> tuple[DeviceCommand, ...]:
    """The commands that all `members` have under one id and type, in the first one's order, each with the range that
    all of them take; a range that leaves no value drops the command."""
    if not members:
        return ()
    others = [{command.id: command for command in own} for own in members[1:]]
    found: list[DeviceCommand] = []
    for command in members[0]:
        same = [own[command.id] for own in others if command.id in own and own[command.id].type == command.type]
        if len(same) == len(others) and (joined := _narrowed([command, *same])) is not None:
            found.append(joined)
    return tuple(found)


def _narrowed(same: Sequence[DeviceCommand]) -> DeviceCommand | None:
    """One command for devices whose ranges differ; None where their units or ranges have nothing in common."""
    if all(command == same[0] for command in same):
        return same[0]
    ranges = [command.value_range for command in same if command.value_range is not None]
    if len({limits.unit for limits in ranges}) > 1:
        return None
    low = max((limits.minimum for limits in ranges if limits.minimum is not None), default=None)
    high = min((limits.maximum for limits in ranges if limits.maximum is not None), default=None)
    if low is not None and high is not None and low > high:
        return None
    return structs.replace(same[0], value_range=ValueRange(low, high, ranges[0].unit) if ranges else None)
