"""Tokens of corrections, withdrawals and rejections (commands.md, Order and splitting)."""

from tingdong.commands.spotting import Token
from tingdong.commands.state_questions import StateQuestions
from tingdong.commands.thing_tokens import PLACES_AND_THINGS
from tingdong.commands.turn_tokens import TurnTokens
from tingdong.commands.words import Kind

__all__ = ["CorrectionTokens"]

_DENIED = PLACES_AND_THINGS | {Kind.OF}
_INSTEAD = frozenset(("是",))
_PUT_IN_PLACE = frozenset(
    (Kind.ROOM, Kind.DEVICE, Kind.VERB, Kind.WEAK, Kind.QUANTITY, Kind.VALUE, Kind.MORE, Kind.SET, Kind.UP, Kind.DOWN)
)
_VALUES = frozenset((Kind.QUANTITY, Kind.VALUE))
_ANEW = frozenset((Kind.CORRECTION, Kind.VERB, Kind.WEAK, Kind.BEFORE_TARGET))


class CorrectionTokens(TurnTokens, StateQuestions):
    """Readers of the tokens of second thoughts."""

    def _correction(self, token: Token) -> None:
        if token.text == "我说" and len(self.units) > 1 and all(unit.sign for unit in self.units[:-1]):
            self.unit.sign = token.text  # 她问我关灯没有，我说关了
            return
        if token.text == "还是" and self._puts_nothing_right(token):
            return
        if token.text == "不是" and self._blank and self._not_in():
            self._except_before(token)
        elif not self._blank or self.unit.opens or self.unit.when:
            self._split(token.end, token.text)
        elif len(self.units) > 1:
            self.unit.correction = token.text

    def _puts_nothing_right(self, token: Token) -> bool:
        """Of 还是, which asks of two things, goes on with what was said, or gives a thing of this clause a value again
        (布帘拉上，纱帘还是六十)."""
        following = self._next()
        if self._group is not None and following is not None and following.kind in _VALUES:
            token.kind = Kind.LIGHT
            return True
        return self._either() or bool(self.unit.elements) or len(self.units) == 1 or self._acts.open

    def _confirm(self, token: Token) -> None:
        """嗐，是音响打开: 是 at the head of a clause after something asked for puts another in its place."""
        following = self._next()
        if token.text not in _INSTEAD or following is None or following.kind not in _PUT_IN_PLACE:
            return
        before = self.units[-2] if len(self.units) > 1 else None
        if self._blank and not self.unit.correction and before is not None and self._asked_before():
            self.unit.correction = token.text

    def _asked_before(self) -> bool:
        return any(unit.acts and not unit.sign for unit in self.units[:-1])

    def _not_in(self) -> bool:
        """把不是卧室的灯关掉: no correction but what is left out."""
        following = self._next()
        if following is None or following.kind not in PLACES_AND_THINGS:
            return False
        if self._at > 0 and self._tokens[self._at - 1].kind is Kind.BEFORE_TARGET:
            return True
        ahead = (later.kind for later in self._tokens[self._at + 1 :])
        return len(self.units) == 1 and next((k for k in ahead if k not in _DENIED), None) is not Kind.BREAK

    def _cancel(self, token: Token) -> None:
        if self._group is not None and token.text != "当我没说" and not self._asked_anew():
            self._acts.keep(token)
            self._close_group()
            return
        if not self._blank:
            self._split(token.end)
        self.unit.cancel = True

    def _asked_anew(self) -> bool:
        """开空调算了还是开风扇吧: what was asked for stands before 算了, and something else right after it."""
        elements, following = self.unit.elements, self._next()
        asked = len(elements) == 2 and elements[0] in self.unit.acts and elements[1] is self._group
        return asked and following is not None and following.kind in _ANEW
