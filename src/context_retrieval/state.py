"""What a conversation remembers for `@last` (retrieval.md, Calls): serialisable, versioned, bounded.

The state is mutable because the snippet of retrieval.md hands it in and reads nothing back; pure callers use
`remembering`.
"""

from collections.abc import Iterable, Sequence
from typing import Self

import msgspec

from context_retrieval.models import EntityKind, Quantifier

__all__ = ["STATE_VERSION", "ConversationState", "Mentioned"]

STATE_VERSION = 1
MAX_MENTIONS = 12
MAX_IDS = 256


class Mentioned(msgspec.Struct, frozen=True, omit_defaults=True):
    """The entities of one command, in the home's order, and what was asked of them. `turn` counts utterances."""

    entity_ids: tuple[str, ...]
    kind: EntityKind = EntityKind.DEVICE
    action: str = ""
    value: str | None = None
    rooms: tuple[str, ...] = ()
    turn: int = 0


class ConversationState(msgspec.Struct):
    """Last mentioned entities, newest last; at most `MAX_MENTIONS` mentions of `MAX_IDS` ids."""

    mentions: tuple[Mentioned, ...] = ()
    turn: int = 0
    version: int = STATE_VERSION

    def next_turn(self) -> None:
        """Begin an utterance; what it mentions belongs together for 它们."""
        self.turn += 1

    def remember(
        self,
        entity_ids: Iterable[str],
        *,
        kind: EntityKind = EntityKind.DEVICE,
        action: str = "",
        value: str | None = None,
        rooms: Sequence[str] = (),
    ) -> None:
        """Note the entities of one command as last mentioned; no ids leave the state as it is."""
        ids = tuple(entity_ids)[:MAX_IDS]
        if ids:
            mention = Mentioned(ids, kind, action, value, tuple(rooms), self.turn)
            self.mentions = (*self.mentions, mention)[-MAX_MENTIONS:]

    def remembering(self, *mentions: Mentioned) -> Self:
        """A new state, one turn further, that also remembers `mentions`; this one stays as it is."""
        fresh = self.copy()
        fresh.next_turn()
        for mention in mentions:
            fresh.remember(
                mention.entity_ids, kind=mention.kind, action=mention.action, value=mention.value, rooms=mention.rooms
            )
        return fresh

    def copy(self) -> Self:
        """A state of the same contents; what one of the two remembers later the other does not."""
        return type(self)(self.mentions, self.turn, self.version)

    def last(self, quantifier: Quantifier = Quantifier.ONE) -> tuple[str, ...]:
        """Ids that 它 (the newest mention) or 它们 (all mentions of the newest utterance) point to."""
        if not self.mentions:
            return ()
        newest = self.mentions[-1]
        if quantifier is Quantifier.ONE:
            return newest.entity_ids
        together = [mention for mention in self.mentions if mention.turn == newest.turn]
        return tuple(dict.fromkeys(entity_id for mention in together for entity_id in mention.entity_ids))

    def to_json(self) -> bytes:
        """The state as JSON, to be stored and read by `from_json`."""
        return msgspec.json.encode(self)

    @classmethod
    def from_json(cls, data: bytes | str) -> Self:
        """A stored state. Raises `msgspec.ValidationError` for a foreign shape or a newer version."""
        state = msgspec.json.decode(data, type=cls)
        if state.version != STATE_VERSION:
            raise msgspec.ValidationError(f"conversation state of version {state.version}, expected {STATE_VERSION}")
        state.mentions = state.mentions[-MAX_MENTIONS:]
        return state
