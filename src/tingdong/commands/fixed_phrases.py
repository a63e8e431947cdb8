"""Token sequences with a fixed meaning: endings, recent or mistaken actions, one of several floors.

Each rule looks at the neighbours of one kind of token, so a sequence is scanned once (commands.md, Q and N).
"""

from collections.abc import Callable, Mapping

from tingdong.commands.ending_phrases import ends_something
from tingdong.commands.place_phrases import span_of_floors
from tingdong.commands.spotting import Token
from tingdong.commands.told_phrases import by_mistake, just_done
from tingdong.commands.words import Kind

__all__ = ["settle_phrases"]

_RULES: Mapping[Kind, Callable[[list[Token], int], None]] = {
    Kind.REFERENCE: just_done,
    Kind.CLAUSE_SIGN: just_done,
    Kind.CORRECTION: by_mistake,
    Kind.TO: span_of_floors,
    **dict.fromkeys((Kind.VERB, Kind.WEAK, Kind.VALUE, Kind.SCENE), ends_something),
}


def settle_phrases(tokens: list[Token]) -> list[Token]:
    """The row with such phrases made plain, in place; spans stay in order and cover the same text."""
    found = [at for at, token in enumerate(tokens) if token.kind in _RULES]
    for at in reversed(found):
        rule = _RULES.get(tokens[at].kind)
        if rule is not None:
            rule(tokens, at)
    return tokens
