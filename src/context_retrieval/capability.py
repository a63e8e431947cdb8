"""Which commands of a device can do an action (retrieval.md, Devices).

The action's phrase and each command's description are compared as vectors; below the threshold the device is no
candidate. Read commands never serve a change. Results are cached per action and commands object.
"""

import re
from collections.abc import Sequence

from context_retrieval.concepts import concept_table
from context_retrieval.kinds import Profile, is_query
from context_retrieval.models import DeviceCommand, ValueRange
from context_retrieval.vector_search import Embedder, local_embedder

__all__ = ["OPERATE", "RESTART", "THRESHOLD", "Capability", "in_range"]

OPERATE = "操作"
"""Something is to be done with the thing, nobody knows what: every command serves, and every thing can."""

THRESHOLD = 0.5
_REMEMBERED = 16_384
_QUERY = "查询"
RESTART = "重启"
_ANY_ATTRIBUTE = "设置"
_LITERAL = re.compile(r"(零下)?(\d+(?:\.\d+)?)(C|K|档|)\Z")


class Capability:
    """Matches actions with device commands through one embedder."""

    def __init__(self, embedder: Embedder | None = None, *, threshold: float = THRESHOLD) -> None:
        self._embedder = embedder if embedder is not None else local_embedder()
        self._threshold = threshold
        self._cache: dict[tuple[str, int], tuple[tuple[DeviceCommand, ...], tuple[tuple[str, float], ...]]] = {}

    def fitting(self, action: str, commands: tuple[DeviceCommand, ...]) -> tuple[tuple[str, float], ...]:
        """Ids of the commands that can do `action` with their similarity, best first."""
        key = (action, id(commands))
        found = self._cache.get(key)
        if found is None:
            if len(self._cache) >= _REMEMBERED:
                self._cache.clear()
            # The entry keeps `commands` alive, so that its identity stays its own.
            found = self._cache[key] = (commands, self._match(action, commands))
        return found[1]

    def can(self, action: str, commands: tuple[DeviceCommand, ...], profile: Profile) -> bool:
        """Whether a device with these commands can do `action`; its state can always be asked for."""
        if action == OPERATE:
            return True
        if action.startswith(_QUERY):
            attribute = action[len(_QUERY) :]
            if attribute in ("状态", "") or attribute in profile.attributes or attribute in profile.senses:
                return True
        return bool(self.fitting(action, commands))

    def _match(self, action: str, commands: tuple[DeviceCommand, ...]) -> tuple[tuple[str, float], ...]:
        usable = [command for command in commands if command.description or command.id]
        if not action.startswith(_QUERY):
            usable = [command for command in usable if not is_query(command)]
        if not usable:
            return ()
        if action == OPERATE:
            return tuple((command.id, 1.0) for command in usable)
        if action == _ANY_ATTRIBUTE:
            return tuple((command.id, 1.0) for command in usable if command.type not in (None, "bool"))
        describe = concept_table().describe
        rows = self._embedder.embed([action, *(describe(command.description or command.id) for command in usable)])
        scores = rows[1:] @ rows[0]
        scored = sorted(
            ((command.id, float(score)) for command, score in zip(usable, scores, strict=True)),
            key=lambda item: -item[1],
        )
        found = tuple((command_id, round(score, 4)) for command_id, score in scored if score >= self._threshold)
        return found if found or action != RESTART else self._off_and_on(commands)

    def _off_and_on(self, commands: tuple[DeviceCommand, ...]) -> tuple[tuple[str, float], ...]:
        """A thing that cannot restart by itself is switched off, then on; both or nothing."""
        off, on = (self.fitting(action, commands)[:1] for action in ("关闭", "打开"))
        score = min(one[1] for one in (*off, *on)) if off and on else 0.0
        return ((off[0][0], score), (on[0][0], score)) if off and on else ()


def in_range(value: str | None, limits: ValueRange | None) -> bool:
    """Whether a literal value (26C, 3档, 4000K, 40) lies within `limits`; percent and words always do."""
    if value is None or limits is None:
        return True
    match = _LITERAL.match(value)
    if match is None:
        return True
    number = float(match[2]) * (-1 if match[1] else 1)
    low = limits.minimum if limits.minimum is not None else number
    high = limits.maximum if limits.maximum is not None else number
    return low <= number <= high


def command_limits(command_ids: Sequence[str], commands: tuple[DeviceCommand, ...]) -> ValueRange | None:
    """Limits of the first of `command_ids` that has any."""
    by_id = {command.id: command for command in commands}
    for command_id in command_ids:
        if (limits := by_id[command_id].value_range) is not None:
            return limits
    return None
