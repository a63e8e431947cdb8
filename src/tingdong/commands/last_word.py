"""Of two commands for the same thing that cannot both be meant the last one holds (commands.md, Order and splitting).

Only where nothing says that one comes after the other (再, 然后): 打开空调，…，关掉 leaves 关掉.
"""

from context_retrieval.models import Command, DeviceType
from context_retrieval.verbs import verb_table

__all__ = ["keep_last_words", "keep_limits"]

FAR = 24
"""So many later commands for the same thing are asked whether they take its place: work stays linear in the text."""


def keep_last_words(commands: list[Command]) -> None:
    """Take out of `commands` what a later one of them puts another in the place of."""
    things: dict[object, list[int]] = {}
    for at, command in enumerate(commands):
        things.setdefault(_thing(command), []).append(at)
    gone: set[int] = set()
    for places in things.values():
        if len(places) > 1:
            gone |= _gone([commands[at] for at in places], places)
    if gone:
        commands[:] = [command for at, command in enumerate(commands) if at not in gone]


def _gone(same: list[Command], places: list[int]) -> set[int]:
    """Places of the commands, all for the same thing, that are taken out."""
    gone = set()
    for at, first in enumerate(same):
        later = same[at + 1 : at + 1 + FAR]
        if any([_replaced(first, one) for one in later]) or _put_off(first, later):  # noqa: C419 - few
            gone.add(places[at])
    return gone


def keep_limits(commands: list[Command]) -> None:
    """只留台灯，别的灯灭了，全关: what is done to all but some is not done to all as well."""
    limited = [command for command in commands if command.scope.exclude or command.target.excluded]
    if limited:
        commands[:] = [c for c in commands if not any(_unlimited(c, other) for other in limited)]


def _unlimited(command: Command, limited: Command) -> bool:
    target = command.target
    if command.scope.exclude or target.excluded or target.name != "*" or target.count:
        return False
    same = command.action == limited.action and command.scope.include == limited.scope.include
    return same and target.type in (limited.target.type, DeviceType.UNKNOWN)


def _replaced(first: Command, later: Command) -> bool:
    """空调二十四度，还是二十六吧; 升两度，升一度就够了; 解锁，错，锁上; 开一盏，开两盏."""
    if first.action.when != later.action.when:
        return False
    one, other = first.action.verb, later.action.verb
    if first.target.count != later.target.count:
        return first.action == later.action and later.target.count is not None  # 走廊灯亮着，开两盏
    if one == "设置开合度" and other in verb_table().moves:
        return True  # 开一半…嗯全打开吧
    if one[:2] in verb_table().moved and other == f"设置{one[2:]}" and first.action.value is None:
        return True  # 灯调柔和点，三成吧
    if one == other:
        return one.startswith(("设置", "调高", "调低")) and first.action.value != later.action.value
    return verb_table().opposite.get(one) == other


def _put_off(first: Command, later: list[Command]) -> bool:
    """打开洗碗机，碗还没放完，五分钟后打开吧: at once and at another time, with nothing done to it in between."""
    if first.action.verb not in verb_table().lasting:
        return False
    for one in later:
        if first.target == one.target:
            action = one.action
            return action.verb == first.action.verb and (first.action.when is None) != (action.when is None)
    return False


def _thing(command: Command) -> object:
    """The thing that a command acts on."""
    target = command.target
    return command.scope, target.name, target.type, target.excluded
