"""Feelings instead of orders: 还是冷，风也大 (service.md, Token frame).

A clause without an act and a value whose words are a wish is that wish, whatever request an unsure reading finds: 也大
is too much and no order for more.
"""

import msgspec

from tingdong.commands.reading import MentionKind, Reading, Verdict
from tingdong.home.questions import is_question, wants_answer
from tingdong.home.wish_reading import match_wish

__all__ = ["as_felt"]

_ORDERING = frozenset({MentionKind.ACTION, MentionKind.VALUE, MentionKind.QUERY, MentionKind.WHEN, MentionKind.NEGATION,
                       MentionKind.EXCEPT, MentionKind.CORRECTION})  # fmt: skip


def as_felt(reading: Reading) -> Reading:
    """The reading without the requests of clauses that only say what is felt."""
    parts = tuple(msgspec.structs.replace(part, reading=as_felt(part.reading)) for part in reading.parts)
    if not parts:
        return msgspec.structs.replace(reading, commands=()) if _is_felt(reading) else reading
    silent = not any(part.reading.commands for part in parts)
    lost = any(part.reading.commands for part in reading.parts)
    commands = () if silent and lost and reading.verdict is not Verdict.ACCEPT else reading.commands
    return msgspec.structs.replace(reading, parts=parts, commands=commands)


def _is_felt(reading: Reading) -> bool:
    if not reading.commands or reading.verdict is Verdict.ACCEPT or not _ORDERING.isdisjoint(_kinds(reading)):
        return False
    asks = is_question(reading.text) or wants_answer(reading.text)
    return not asks and match_wish(reading.text) is not None


def _kinds(reading: Reading) -> frozenset[MentionKind]:
    return frozenset(mention.kind for mention in reading.mentions)
