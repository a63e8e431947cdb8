"""Tokens of times and conditions: conditions, mere reasons, and what WHEN cannot express."""

from tingdong.commands.clause_state import ClauseState
from tingdong.commands.conditions import CONDITION
from tingdong.commands.parts import lasts
from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import ENDS
from tingdong.commands.words import Kind

__all__ = ["TimeTokens"]

_WAITED_FOR = frozenset((Kind.CONDITION_END, Kind.CONDITION_START, Kind.COMPARE, Kind.BEFORE_TARGET, Kind.SEQUENCE))
_AWAITING = frozenset("等待一如若要当")
_AT_THAT_TIME = frozenset(("就", "才", "再", "的时候", "时"))
_OPENS = frozenset((Kind.BREAK, Kind.SEQUENCE, Kind.REQUEST, Kind.POLITE, Kind.WAKE))
_STOPS = frozenset((Kind.BREAK, Kind.BEFORE_TARGET, Kind.VERB, Kind.WEAK, Kind.SET, Kind.MORE, Kind.QUANTITY))
_TELLING_WHEN = frozenset(
    (
        Kind.OPEN,
        Kind.NOUN,
        Kind.SIZE,
        Kind.TOO,
        Kind.EVENT,
        Kind.CLAUSE_SIGN,
        Kind.POLITE,
        Kind.CORRECTION,
        Kind.NEGATION,
    )
)
_PAST = frozenset("昨前上去当夜寻")
_TODAY = frozenset(("今天", "今日", "今儿", "今儿个", "今个", "今朝"))
_AFTERWARDS = frozenset(("之后", "以后", "后"))


_BY_NOW = frozenset(("了", "啦", "咯", "喽"))
_STILL_WORDS = frozenset(("还", "都", "还不", "怎么还"))
_OUGHT = frozenset(("该", "得", "应该", "都该"))


class TimeTokens(ClauseState):
    """Readers of the tokens that say when."""

    def _when(self, token: Token) -> None:
        before = [t for t in self._tokens[max(0, self._at - 2) : self._at] if t.kind is not Kind.OF]
        last = self._tokens[self._at - 1] if self._at else None
        if last is not None and last.text.endswith("了") and token.value.endswith("后") and self._acts.acted:
            self.unit.sign, self.unit.supposed = token.text, True  # 油烟机关了五分钟以后再…
            return
        if last is not None and last.kind is Kind.DOUBLE and self.unit.when:
            self.unit.when, self.unit.when_lost = "", True  # 工作日八点或者周末十点
            return
        joined = len(before) == 2 and before[0].kind is Kind.WHEN and before[1].kind in (Kind.JOINT, Kind.TO)
        beside = last is not None and last.kind is Kind.WHEN and _of_days(last.value) and _of_days(token.value)
        beside = beside and token.value != self.unit.when
        if (joined or beside) and self.unit.when and token.value and not self._acts.complete:
            self.unit.whens.append(("~" if joined and before[1].kind is Kind.TO else "") + token.value)
            return
        going_on = last is not None and last.kind is Kind.SET and ":" in token.value
        if going_on and last is not None and self._acts.until(last, self._next()):
            self.unit.whens.append("~" + token.value)  # 泳池灯开到晚上十点
            return
        if self._by_now(token, last):
            return
        following = self._next()
        if self.unit.correction and token.text[-1:] == "号" and (following is None or following.kind in ENDS):
            self.unit.number = token.text  # 三号风机，错了，二号
            return
        if following is not None and following.kind is Kind.OF and token.text:
            self.unit.when_lost = True  # 明天九点的会议室
            return
        if (self._acts.complete and self.unit.when) or (self._acts.complete and token.value and self._acted_later()):
            self._split(token.start)
        self._acts.pause()
        self._close_group()
        if token.value:
            self.unit.when, *self.unit.whens = _each_day(token.value)
            self.unit.when_text = token.text
            self.unit.when_lost = self.unit.when_lost and not self.unit.when_part
        elif token.text[:1] in _PAST:
            self.unit.sign = token.text  # 昨天, 前天, 上周: told
        elif token.text in _TODAY:
            return
        else:
            self.unit.when_lost = True
            if token.attribute == CONDITION and not self._acts.complete:
                self.unit.condition = self.unit.hangs = True  # 湿度高于七成或者温度高于三十度，…
            self.unit.when_part = token.kind is Kind.WHEN and not token.attribute
            later = token.text in self._lexicon.grammar["later"]
            if self._blank and not self.unit.unknown and (later or token.text[:1] == "每"):
                self.unit.condition = True

    def _by_now(self, token: Token, last: Token | None) -> bool:
        """凌晨四点了，…: what the clock shows, where nothing else is said of it."""
        following, after = self._next(), self._next(2)
        alone = last is None or last.kind is Kind.BREAK
        shown = following is not None and following.text in _BY_NOW and ":" in token.value
        if not shown or after is None:
            return False
        return after.text in _STILL_WORDS or (alone and (after.kind is Kind.BREAK or after.text in _OUGHT))

    def _acted_later(self) -> bool:
        for token in self._tokens[self._at + 1 :]:
            if token.kind is Kind.BREAK:
                return False
            if token.kind in (Kind.VERB, Kind.WEAK, Kind.SET, Kind.VALUE, Kind.QUANTITY, Kind.MORE):
                return True
        return False

    def _event(self, token: Token) -> None:
        if not self._acts.complete and not self._happened(token):
            self.unit.event, self.unit.since_event = True, 0

    def _happened(self, token: Token) -> bool:
        """下雨了露台遮阳篷收回来: an event closed by 了, with nothing that makes one wait for it, is a reason.

        So it is where the thing comes first; 天黑了打开客厅的灯 waits for it (commands.md, ACTION).
        """
        following = self._next()
        done = token.text[-1] == "了" or (following is not None and following.text == "了")
        if not done or token.text[0] in _AWAITING or self.unit.condition or self.unit.hangs:
            return False
        for later in self._tokens[self._at + 1 :]:
            if later.kind in (Kind.DEVICE, Kind.ROOM):
                return True
            if later.kind in (Kind.BREAK, Kind.VERB) or later.kind in _WAITED_FOR or later.text in _AT_THAT_TIME:
                return False
        return False

    def _condition(self, token: Token) -> None:
        """如果, 当; a word of one character (等, 待) only where a clause begins."""
        rest = [later.text for later in self._tokens[self._at + 1 : self._at + 3]]
        if token.text == "等" and rest[:1] == ["我"] and (len(rest) == 1 or self._tokens[self._at + 2].kind in ENDS):
            self.unit.request = True  # 灯开着等我
            return
        self.unit.condition = True
        if token.text[0] == "的":
            self.unit.hangs = self._tells(self._tokens[self._at - 1 :: -1] if self._at else [])
        elif len(token.text) > 1 or not self._at or self._tokens[self._at - 1].kind in _OPENS:
            self.unit.hangs = self._tells(self._tokens[self._at + 1 :])

    @staticmethod
    def _tells(tokens: list[Token]) -> bool:
        """Whether what a condition says, up to the next act or break, is more than things and values."""
        for token in tokens:
            if token.kind in _TELLING_WHEN:
                return True
            if token.kind in _STOPS:
                return False
        return False

    def _afterwards(self, token: Token) -> None:
        """没人看的话 is a condition; 关灯之后房间很黑: what was done is told, not asked for."""
        if token.text == "的话" and not self._acts.complete:
            self.unit.condition = True
            self.unit.hangs = self._tells(self._tokens[self._at - 1 :: -1] if self._at else [])
        if token.text == "了就" and not (self._acts.complete or self.unit.statement or self.unit.when):
            came = self._at > 1 and self._tokens[self._at - 1].text == "来" and not self.unit.groups
            back = self._at - 2 if came else self._at - 1
            before = self._tokens[back].kind if self._at else None
            if before in (Kind.SIZE, Kind.OPEN):
                self.unit.condition = self.unit.hangs = True  # 屋里热了就开风扇
        following = self._next()
        if token.text in _AFTERWARDS and following is not None and lasts(following) and not self.unit.when:
            self.unit.when_lost = True  # 打烊后半小时
        if token.text in _AFTERWARDS and not self._acts.complete and self.unit.unknown > 1 and not self.unit.when:
            self.unit.condition = self.unit.hangs = True  # 太阳落山以后
        if (
            token.text in _AFTERWARDS
            and self._acts.complete
            and not any(
                later.kind in (Kind.VERB, Kind.WEAK, Kind.SET, Kind.VALUE, Kind.MORE)
                for later in self._tokens[self._at + 1 :]
            )
        ):
            self.unit.sign = token.text


def _of_days(when: str) -> bool:
    """Whether a WHEN says its day and its time (每周三07:00)."""
    return ":" in when and not when[0].isdigit()


def _each_day(when: str) -> list[str]:
    """每周二四六20:00 is one WHEN for each day."""
    days = when[2:-5] if when.startswith("每周") else ""
    return [f"每周{day}{when[-5:]}" for day in days] if len(days) > 1 else [when]
