"""Acts that a clause only tells, judges, wonders about or refuses (architecture, law 2: talk never acts)."""

from tingdong.commands.act_state import ActState
from tingdong.commands.parts import Act
from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import Kind
from zhtext.quantities import QuantityKind

__all__ = ["OTHER_WAY", "ToldActs"]

OTHER_WAY = {"调高": "调低", "调低": "调高"}
_OTHER_UNITS = frozenset("平匹岁斤块毛米瓦寸克升页年月人口字句件步元万里斗码")
"""Measures of what the home does not set."""
_NOT_SET = frozenset(("气温", "体温"))
_LONG = frozenset(("天", "周", "个月", "年"))
_SWITCHED = frozenset(("开", "关", "打开", "关闭", "停", "亮", "放"))


class ToldActs(ActState):
    """What takes an act back, or says that it is none."""

    def less(self, direction: str, attribute: str, token: Token) -> None:
        """别那么亮: what shall not be so is turned the other way."""
        self.reverse = self.negated = self._unit.negated = False
        act = self._start(token)
        act.mild = True
        act.direction, act.attribute, act.word, act.end = OTHER_WAY[direction], attribute, token.text, token.end

    def must(self, token: Token) -> bool:
        """不关不行: the act that must not be left undone is asked for."""
        act = self._act
        if act is None or not act.negated or act.keep or act.end != token.start or not self._unit.groups:
            return False
        act.negated = self.negated = self._unit.negated = self._unit.absent = False
        self._unit.request = True
        return True

    def in_manner(self) -> bool:
        """别开太久: how it shall not be done takes nothing back."""
        act = self._act
        if act is None or not act.negated or act.keep or act.value is not None or act.direction:
            return False
        self._unit.elements.remove(act)
        self._unit.unknown += 1
        self.negated = self._unit.negated = False
        self._act, self._too = None, True
        return True

    def negate(self) -> None:
        self._act = None
        self.negated = True
        self._unit.negated = True

    def keep(self, token: Token) -> None:
        act = self._start(token)
        act.keep = act.negated = self.negated = True
        act.word = token.text
        self._act = None

    def too(self, at: int, *, colour: bool = False) -> None:
        """太…了 says how things are: the bare verb or attribute before it was no request (吹得太猛, 声音太小)."""
        self._too = True
        act = self._act
        if act is None:
            return
        if self._judged(act, at) or colour:
            self._drop_value(act)
        elif act.value is None and not act.direction and (act.weak or not act.complete):
            self._unit.elements.remove(act)
            self._act = None

    def wondered(self, at: int) -> None:
        """26度行吗: nothing but a value was said, so it is asked about and not set."""
        act = self._act
        if act is not None and self._judged(act, at) and not (act.verb or act.set or act.attribute):
            self._drop_value(act)
            self._unit.statement = True

    def _drop_value(self, act: Act) -> None:
        """What is judged is not set; its attribute is still what the sentence speaks of (音量50太大，调到30)."""
        self._act = None
        if act.attribute:
            act.value, act.set, act.verb, act.weak = None, False, "", False
        else:
            self._unit.elements.remove(act)

    def _judged(self, act: Act, at: int) -> bool:
        """26度太冷了, 开到三档太吵: the value right before is judged, not asked for."""
        quantity = act.value.quantity if act.value is not None else None
        return quantity is not None and act.end == at and not act.direction and not self._unit.request

    def described(self, token: Token) -> bool:
        """吹得…: the verb only tells how things are."""
        act = self._act
        if act is None or act.end != token.start or not act.weak or act.value is not None or act.direction:
            return False
        self._unit.elements.remove(act)
        self._act = None
        return True

    def only_told(self, at: int) -> None:
        """热水器烧水慢得要命: the act that ends here tells how the thing is."""
        unit, act = self._unit, self._act
        if act is not None and act.end == at and act.value is None and not any(group.marked for group in unit.groups):
            unit.elements.remove(act)
            self._act = None

    def told(self, token: Token) -> None:
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
        if self._said in _NOT_SET:
            self._unit.sign = self._said  # 今日气温二十六度
        if quantity.kind is not QuantityKind.DURATION:
            return False
        long = quantity.unit in _LONG
        touched = self._touched == token.start and not self.plain
        if act is None and (touched or long) and not self._lasts and self._switched() is None:
            return True  # 投影仪租一天
        if long and act is not None and act.word not in _SWITCHED:
            self._unit.sign = token.text  # 电钻响一天
        act = act or self._switched() or self._start(token)
        act.told = long or (following is not None and following.text == "了")
        if act.end == token.start and self._said.endswith("了"):
            self._unit.sign = token.text  # told, not asked for (开了一天)
        act.duration = token
        return True


def _counts_unknown(act: Act | None, token: Token, following: Token | None) -> bool:
    """我那间十八平: a number counts what is said right after it, unless something is being set."""
    counted = following is not None and following.kind is Kind.OPEN and following.start == token.end
    measure = counted and following is not None and following.text[0] in _OTHER_UNITS
    return measure and (act is None or not (act.set or act.attribute or act.direction or act.weak))
