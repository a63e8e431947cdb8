"""Actions that a clause only reports, judges, considers or refuses (architecture, law 2: talk never acts)."""

from tingdong.commands.act_state import ActState
from tingdong.commands.parts import Act
from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import Kind
from zhtext.quantities import QuantityKind

__all__ = ["OTHER_WAY", "ToldActs"]

OTHER_WAY = {"调高": "调低", "调低": "调高"}
_OTHER_UNITS = frozenset("平匹岁斤块毛米瓦寸克升页年月人口字句件步元万里斗码")
"""Measures of what the home does not set."""
_LONG = frozenset(("天", "周", "个月", "年"))


class ToldActs(ActState):
    """What takes an act back, or says that it is none."""

    def negate(self) -> None:
        """别, 不要: the act that follows is not to be done."""
        self._act = None
        self.negated = True
        self._unit.negated = True

    def keep(self, token: Token) -> None:
        """别动, 留着: a thing is to stay as it is."""
        act = self._start(token)
        act.keep = act.negated = self.negated = True
        act.word = token.text
        self._act = None

    def too(self) -> None:
        """太…了 says how things are: the bare verb or attribute before it was no request (吹得太猛, 声音太小)."""
        self._too = True
        act = self._act
        if act is None:
            return
        if act.value is None and not act.direction and (act.weak or not act.complete):
            self._unit.elements.remove(act)
            self._act = None

    def described(self, token: Token) -> bool:
        """吹得…: the verb only tells how things are."""
        act = self._act
        if act is None or act.end != token.start or not act.weak or act.value is not None or act.direction:
            return False
        self._unit.elements.remove(act)
        self._act = None
        return True

    def told(self, token: Token) -> None:
        """A word directly behind the verb makes a statement of it: it is no request."""
        act = self._act
        if act is not None and act.end == token.start and act.verb and act.value is None:
            self._unit.elements.remove(act)
            self._unit.statement = True
            self._act = None

    def _sets_nothing(self, token: Token, following: Token | None) -> bool:
        """Whether a number is how long something goes on, or counts what the home does not set."""
        act, quantity = self._act, token.quantity
        if quantity is None or (quantity.kind is QuantityKind.NUMBER and _counts_unknown(act, token, following)):
            return True
        if quantity.kind is not QuantityKind.DURATION:
            return False
        long = quantity.unit in _LONG
        touched = self._touched == token.start and not self.plain
        if act is None and (touched or long) and not self._lasts and self._switched() is None:
            return True  # 投影仪租一天
        act = act or self._switched() or self._start(token)
        act.told = long or (following is not None and following.text == "了")
        act.duration = token
        return True


def _counts_unknown(act: Act | None, token: Token, following: Token | None) -> bool:
    """我那间十八平: a number counts what is said right after it, unless something is being set."""
    counted = following is not None and following.kind is Kind.OPEN and following.start == token.end
    measure = counted and following is not None and following.text[0] in _OTHER_UNITS
    return measure and (act is None or not (act.set or act.attribute or act.direction or act.weak))
