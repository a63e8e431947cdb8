"""Lists of places that share what follows, whatever separates them (commands.md, SCOPE).

关闭客厅，卧室的灯 and 打开除卧室 书房以外的灯 name several places for one target. A pause inside such a list is made a
joint, before anybody reads the sentence, so that rules and network see one list.
"""

from collections.abc import Callable, Sequence

from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import PLACES
from tingdong.commands.words import Kind

__all__ = ["JOINT_SIGN", "respelt", "with_left_out_names", "with_scope_lists"]

JOINT_SIGN = "、"
_SEPARATORS = frozenset("，,；; 、/")
"""Signs that may stand between the places of a list; a full stop or an ellipsis ends what was said."""

_BEHIND_PLACE = frozenset((Kind.OF, Kind.LOCATIVE))
_LISTS = frozenset(
    (Kind.BREAK, Kind.VERB, Kind.WEAK, Kind.SET, Kind.BEFORE_TARGET, Kind.EXCEPT_BEFORE, Kind.POLITE, Kind.WAKE,
     Kind.SEQUENCE, Kind.ALSO, Kind.WHEN, Kind.NEGATION, Kind.LOOK, Kind.JOINT, Kind.ALL)
)  # fmt: skip
"""What a list may stand after; somebody is *in* a place, or goes there, after anything else."""

_BEFORE_THING = frozenset(
    (Kind.OF, Kind.LOCATIVE, Kind.ALL, Kind.ANY, Kind.BOTH, Kind.COUNT, Kind.EACH, Kind.PARTICLE, Kind.NOW)
)
_SHARED = frozenset((Kind.DEVICE, Kind.ANYTHING, Kind.ATTRIBUTE, Kind.SENSOR, Kind.ASK_ATTRIBUTE))
_ACTS = frozenset((Kind.VERB, Kind.WEAK, Kind.SET))
_SECOND_ACTS = _ACTS | {Kind.UP, Kind.DOWN, Kind.MORE, Kind.KEEP, Kind.NEGATION, Kind.STATE, Kind.VALUE, Kind.QUANTITY}
_ENDS = frozenset((Kind.BREAK, Kind.SEQUENCE, Kind.JOINT, Kind.CORRECTION))
_OUT_ENDS = frozenset((Kind.EXCEPT_AFTER, Kind.OTHER, Kind.ALL, Kind.DEVICE, Kind.ANYTHING, Kind.VERB))


def with_scope_lists(tokens: list[Token]) -> list[Token]:
    """The row with pauses between the places of a list made joints, in place; spans stay as they are."""
    at = 0
    while at < len(tokens):
        end = _end_of_list(tokens, at) if tokens[at].kind in PLACES else at
        pauses = [index for index in range(at, end) if tokens[index].kind is Kind.BREAK]
        if pauses and (_is_left_out(tokens, at, end) or _is_shared(tokens, at, end)):
            for index in pauses:
                pause = tokens[index]
                tokens[index] = Token(Kind.JOINT, pause.start, pause.end, JOINT_SIGN)
        at = max(at + 1, end)
    return tokens


def respelt(text: str, tokens: Sequence[Token]) -> str:
    """The text with the signs of its lists as the tokens have them; every other character stays where it is."""
    for token in tokens:
        if token.kind is Kind.JOINT and token.text == JOINT_SIGN and text[token.start : token.end] in _SEPARATORS:
            text = text[: token.start] + JOINT_SIGN + text[token.end :]
    return text


def with_left_out_names(tokens: list[Token]) -> list[Token]:
    """打开除了老伙计以外的灯: an unknown run that is left out of some things is the name of one of them, in place."""
    for at, token in enumerate(tokens):
        if token.kind is not Kind.EXCEPT_AFTER or at + 1 == len(tokens) or tokens[at + 1].kind is not Kind.DEVICE:
            continue
        start = at
        while start and tokens[start - 1].kind in (Kind.OPEN, Kind.JOINT):
            start -= 1
        if not start or tokens[start - 1].kind is not Kind.EXCEPT_BEFORE:
            continue
        for index in range(start, at):
            name = tokens[index]
            if name.kind is Kind.OPEN:
                of = tokens[at + 1].device
                tokens[index] = Token(Kind.DEVICE, name.start, name.end, name.text, name.text, "open", of)
    return tokens


def _end_of_list(tokens: list[Token], at: int) -> int:
    """Behind the last place of the list that begins at `at`; no place stands in it twice."""
    said = {tokens[at].text}
    end = at + 1
    while True:
        start = _skip(tokens, end, _separates_or_follows)
        separated = any(tokens[index].kind in (Kind.BREAK, Kind.JOINT) for index in range(end, start))
        if not separated or start == len(tokens) or tokens[start].kind not in PLACES or tokens[start].text in said:
            return end
        said.add(tokens[start].text)
        end = start + 1


def _separates_or_follows(token: Token) -> bool:
    if token.kind in _BEHIND_PLACE or token.kind is Kind.JOINT:
        return True
    return token.kind in (Kind.BREAK, Kind.PARTICLE) and _SEPARATORS.issuperset(token.text)


def _skip(tokens: list[Token], at: int, passes: Callable[[Token], bool]) -> int:
    while at < len(tokens) and passes(tokens[at]):
        at += 1
    return at


def _is_left_out(tokens: list[Token], at: int, end: int) -> bool:
    """Whether the list is what an exclusion leaves out.

    It is where 以外 ends it, or a pause parts it from what is left. A place after a pause that has a thing of its own
    is where the rest is: 除了走廊，三楼的灯都关掉.
    """
    if not at or tokens[at - 1].kind is not Kind.EXCEPT_BEFORE:
        return False
    after = _skip(tokens, end, lambda token: token.kind in _BEHIND_PLACE or token.kind is Kind.BREAK)
    if after == len(tokens) or tokens[after].kind not in _OUT_ENDS:
        return False
    return tokens[after].kind is Kind.EXCEPT_AFTER or any(t.kind is Kind.BREAK for t in tokens[end:after])


def _is_shared(tokens: list[Token], at: int, end: int) -> bool:
    """Whether the places of the list share the thing right behind them, and all of them what is done to it.

    打开客厅，卧室的灯关了 says two things: the act before the list is not that of the thing behind it.
    """
    before = tokens[at - 1] if at else None
    if before is not None and (before.kind not in _LISTS or before.kind is Kind.EXCEPT_BEFORE):
        return False
    if at > 1 and tokens[at - 2].kind is Kind.CORRECTION:
        return False
    thing = _skip(tokens, end, lambda token: token.kind in _BEFORE_THING)
    if thing == len(tokens) or tokens[thing].kind not in _SHARED:
        return False
    if before is None or before.kind not in _ACTS:
        return True
    stop = _skip(tokens, thing, lambda token: token.kind not in _ENDS)
    return not any(token.kind in _SECOND_ACTS for token in tokens[thing:stop])
