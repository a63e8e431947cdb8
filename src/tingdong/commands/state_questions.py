"""Questions without a question word: which of two states holds, and what is taken to be so (architecture, law 2)."""

from tingdong.commands.clause_state import ClauseState
from tingdong.commands.words import Kind

__all__ = ["StateQuestions"]

_HORTATIVE = frozenset("吧呗罢嘛")
_SWITCHING = frozenset((Kind.VERB, Kind.WEAK, Kind.STATE))
_BESIDE_EITHER = frozenset((Kind.PARTICLE, Kind.CONFIRM, Kind.OF))
_PAUSES = frozenset((Kind.BREAK, Kind.CORRECTION, Kind.PARTICLE))


class StateQuestions(ClauseState):
    """Readers of such questions."""

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
        if not modes and not (one.kind in _SWITCHING and other.kind in _SWITCHING and one.value != other.value):
            return False
        if ahead + 1 < len(self._tokens) and self._tokens[ahead + 1].text in _HORTATIVE:
            self.unit.elements.remove(act)
        else:
            act.verb = act.state = ""
            act.value, act.set, act.weak = None, False, False
            act.query = "查询模式" if modes else "查询状态"
            other.kind = Kind.PARTICLE
        self._acts.pause()
        return True

    def _state_supposed(self) -> bool:
        """电视是关着的吧, 正充着呢吧: what is taken to be so is asked about."""
        acts, following = self.unit.acts, self._next()
        if not acts or not acts[-1].state or self.unit.request or (following and following.kind not in _PAUSES):
            return False
        before = self._tokens[self._at - 1]
        words = {token.text for token in self._tokens[max(0, self._at - 4) : self._at]}
        return before.text == "呢" or not words.isdisjoint(("是", "正", "还"))
