"""Things that were named beside what is read, and that no command is for (architecture, law 2).

A command that is silently dropped does harm, so such a reading is not sure of itself.
"""

from collections.abc import Sequence

from context_retrieval.lexicon import Lexicon
from context_retrieval.models import Command, DeviceType
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind

__all__ = ["leaves_unread"]

_SECOND_THOUGHTS = frozenset((Kind.CORRECTION, Kind.CANCEL, Kind.ONLY, Kind.EXCEPT_BEFORE, Kind.EXCEPT_AFTER))
_KEPT_AS_IS = frozenset((Kind.NEGATION, Kind.KEEP))
_HESITATION_SIGNS = frozenset("呃额噢哦哎诶")
_DEVICE = Kind.DEVICE


def leaves_unread(tokens: Sequence[Token], commands: Sequence[Command], lexicon: Lexicon) -> bool:
    """Whether a clause names a known kind of thing that is neither acted on, left out nor put right.

    Clauses beside one that says what is to be left alone may belong to it, and say nothing either way.
    """
    kinds = lexicon.kinds
    things = [token for token in tokens if token.kind is _DEVICE and token.device in kinds]
    missed = [token for token in things if token.attribute != "open" and not _is_acted_on(token, commands, lexicon)]
    return bool(missed) and _is_asked_for(missed, tokens)


def _is_asked_for(missed: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """Whether one of them is in no clause beside which something is left alone, and nothing was thought better of."""
    left, clause, where = set[int](), 0, dict[int, int]()
    for token in tokens:
        if token.kind in _SECOND_THOUGHTS or token.text in _HESITATION_SIGNS:
            return False
        if token.kind is Kind.BREAK:
            clause += 1
        elif token.kind in _KEPT_AS_IS:
            left.add(clause)
        where[token.start] = clause
    return any(left.isdisjoint(range(where[token.start] - 1, where[token.start] + 2)) for token in missed)


def _is_acted_on(token: Token, commands: Sequence[Command], lexicon: Lexicon) -> bool:
    return any([_is_for(command, token, lexicon) for command in commands])  # noqa: C419  # short


def _is_for(command: Command, token: Token, lexicon: Lexicon) -> bool:
    target, text = command.target, token.text
    if text in target.name or token.value == target.name or text in target.excluded:
        return True
    kind = lexicon.kinds[token.device].type
    if target.type is kind and (kind is not DeviceType.UNKNOWN) and (token.value == "*" or target.name[0] in "*@"):
        return True
    if target.type is DeviceType.UNKNOWN and target.name == "*":
        return True
    action = command.action
    said = (*command.scope.include, *command.scope.exclude, action.when or "", action.value or "")
    return any([text in word for word in said])  # noqa: C419  # short
