"""Questions without a question word: one of two states, or an assumption (architecture, law 2)."""

from tingdong.commands.clause_state import ClauseState
from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import PAUSES, SWITCHING
from tingdong.commands.words import Kind

__all__ = ["StateQuestions", "choices"]

_ASKS_WHETHER_IS = frozenset(("是", "到底是", "是不是", "开的是", "设的是", "究竟是"))
HORTATIVE = frozenset("吧呗罢嘛")
_BESIDE_EITHER = frozenset((Kind.PARTICLE, Kind.CONFIRM, Kind.OF))


def choices(tokens: list[Token]) -> list[Token]:
    """The tokens with the first 是…还是… made one question for what is chosen of: a mode, a level, else the state.

    Where nothing known is chosen of, the question is none of the home's (温度26是默认值还是用户设的).
    """
    for middle, token in enumerate(tokens):
        if token.text != "还是":
            continue
        start = _is_before(tokens, middle)
        if start < 0:
            continue
        end = next((at for at in range(middle, len(tokens)) if tokens[at].kind is Kind.BREAK), len(tokens))
        chosen = _chosen_of(tokens, start, end)
        text = "".join(part.text for part in tokens[start:end])
        whole = Token(Kind.CLAUSE_SIGN, tokens[start].start, tokens[end - 1].end, text, "asking")
        if chosen:
            kind = Kind.STATUS if chosen == "状态" else Kind.ASK_ATTRIBUTE
            whole = Token(kind, whole.start, whole.end, text, f"查询{chosen}", "" if chosen == "状态" else chosen)
        return [*tokens[:start], whole, *tokens[end:]]
    return tokens


def _is_before(tokens: list[Token], middle: int) -> int:
    """Where the 是 of a choice stands before its 还是, a comma right before that skipped; -1 for nowhere."""
    for at in range(middle - 1, -1, -1):
        token = tokens[at]
        if token.text in _ASKS_WHETHER_IS or (token.kind is Kind.OPEN and token.text[0] == "是"):
            return at
    return -1


def _chosen_of(tokens: list[Token], start: int, end: int) -> str:
    """The attribute that is chosen of, `状态`, or nothing."""
    before = [token for token in tokens[:start] if token.kind is not Kind.PARTICLE]
    if any(token.kind is Kind.QUANTITY for token in before[-1:]):
        return ""
    return "状态" if any(token.kind in SWITCHING for token in tokens[start:end]) else ""


class StateQuestions(ClauseState):
    """Readers of such questions."""

    def _not_so(self) -> bool:
        """空调没停吧: what is taken not to be so is asked about."""
        unit, following = self.unit, self._next()
        closing = following is None or following.kind in PAUSES
        last = unit.acts[-1] if unit.acts else None
        denied = last is not None and last.negated and bool(last.verb) and last.end == self._tokens[self._at].start
        return denied and closing and unit.absent and bool(unit.groups) and not unit.condition

    def _either(self) -> bool:
        """在放还是停了, 打的制冷还是除湿: which of two holds is asked; 关了还是打开吧 takes the second instead."""
        at = self._at - 1
        while at >= 0 and self._tokens[at].kind in _BESIDE_EITHER:
            at -= 1
        ahead = self._at + 1
        while ahead < len(self._tokens) and self._tokens[ahead].kind in _BESIDE_EITHER:
            ahead += 1
        if at < 0 or ahead >= len(self._tokens) or not self.unit.acts or self.unit.request:
            return False
        one, other, act = self._tokens[at], self._tokens[ahead], self.unit.acts[-1]
        modes = one.kind is other.kind is Kind.VALUE and one.attribute == other.attribute == "模式"
        if not modes and not (one.kind in SWITCHING and other.kind in SWITCHING and one.value != other.value):
            return False
        act.verb = act.state = ""
        act.value, act.set, act.weak = None, False, False
        act.query = "查询模式" if modes else "查询状态"
        other.kind = Kind.PARTICLE
        self._acts.pause()
        return True

    def _state_supposed(self) -> bool:
        """电视是关着的吧, 正充着呢吧: what is taken to be so is asked about."""
        acts, following = self.unit.acts, self._next()
        if not acts or not acts[-1].state or self.unit.request or (following and following.kind not in PAUSES):
            return False
        before = self._tokens[self._at - 1]
        words = {token.text for token in self._tokens[max(0, self._at - 4) : self._at]}
        return before.text == "呢" or not words.isdisjoint(("是", "正", "还"))
