"""Of two commands for the same thing that cannot both be meant the last one holds (spec, Self-correction).

Only where nothing says that one comes after the other (再, 然后): 打开空调，…，关掉 leaves 关掉.
"""

from itertools import combinations

from context_retrieval.models import Command, DeviceType

__all__ = ["keep_last_words", "keep_limits"]

_UNDONE_BY = {
    "打开": "关闭", "关闭": "打开", "上锁": "解锁", "解锁": "上锁", "静音": "取消静音", "取消静音": "静音",
    "上一首": "下一首", "下一首": "上一首",
}  # fmt: skip
_WAYS = frozenset(("调高", "调低"))
_LASTING = frozenset(("打开", "关闭", "上锁", "解锁"))
"""What is done once and for all: at once and later again it is meant later."""


def keep_last_words(commands: list[Command]) -> None:
    """Take out of `commands` what a later one of them puts another in the place of."""
    gone = {at for (at, first), (_, later) in combinations(enumerate(commands), 2) if _replaced(first, later)}
    gone |= {at for at in range(len(commands)) if at not in gone and _put_off(commands, at)}
    if gone:
        commands[:] = [command for at, command in enumerate(commands) if at not in gone]


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
    if first.action.when != later.action.when or not _same_thing(first, later):
        return False
    one, other = first.action.verb, later.action.verb
    if first.target.count != later.target.count:
        return first.action == later.action and later.target.count is not None  # 走廊灯亮着，开两盏
    if one == "设置开合度" and other in ("打开", "关闭"):
        return True  # 开一半…嗯全打开吧
    if one[:2] in _WAYS and other == f"设置{one[2:]}" and first.action.value is None:
        return True  # 灯调柔和点，三成吧
    if one == other:
        return one.startswith(("设置", "调高", "调低")) and first.action.value != later.action.value
    return _UNDONE_BY.get(one) == other


def _put_off(commands: list[Command], at: int) -> bool:
    """打开洗碗机，碗还没放完，五分钟后打开吧: at once and at another time, with nothing done to it in between."""
    first = commands[at]
    if first.action.verb not in _LASTING:
        return False
    for later in commands[at + 1 :]:
        if _same_thing(first, later) and first.target == later.target:
            action = later.action
            return action.verb == first.action.verb and (first.action.when is None) != (action.when is None)
    return False


def _same_thing(first: Command, later: Command) -> bool:
    one, other = first.target, later.target
    return first.scope == later.scope and (one.name, one.type, one.excluded) == (other.name, other.type, other.excluded)
