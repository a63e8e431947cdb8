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
_LEFT_ALONE = frozenset((Kind.NEGATION, Kind.KEEP))
_HESITATING = frozenset("呃额噢哦哎诶")


def leaves_unread(tokens: Sequence[Token], commands: Sequence[Command], lexicon: Lexicon) -> bool:
    """Whether a clause names a known kind of thing that is neither acted on, left out nor put right.

    Clauses beside one that says what is to be left alone may belong to it, and say nothing either way.
    """
    clauses: list[list[Token]] = [[]]
    left: list[bool] = [False]
    for token in tokens:
        kind = token.kind
        if kind in _SECOND_THOUGHTS or token.text in _HESITATING:
            return False
        if kind is Kind.BREAK:
            clauses.append([])
            left.append(False)
        elif kind is Kind.DEVICE and token.attribute != "open" and token.device in lexicon.kinds:
            clauses[-1].append(token)
        elif kind in _LEFT_ALONE:
            left[-1] = True
    for at, things in enumerate(clauses):
        if things and not any(left[max(0, at - 1) : at + 2]):
            for token in things:
                if not any([_is_for(command, token, lexicon) for command in commands]):  # noqa: C419  # short
                    return True
    return False


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
