"""Reading tokens that turn a clause: exclusion, negation, question, time, and the signs that it asks for nothing."""

from tingdong.commands.clause_state import ClauseState
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind

__all__ = ["TurnTokens"]

_ENDS = frozenset((Kind.BREAK, Kind.PARTICLE, Kind.POLITE, Kind.TAIL))
_ASKING_NEGATIONS = frozenset(("没", "没有", "不", "未", "冇"))
_ASKED_FOR = (
    "你把",
    "赶紧",
    "赶快",
    "快把",
    "快给",
    "帮",
    "麻烦",
    "请",
    "劳",
    "能",
    "可",
    "给我",
    "你给",
    "拜托",
    "唔该",
)
_WAITED_FOR = frozenset((Kind.CONDITION_END, Kind.CONDITION_START, Kind.COMPARE, Kind.BEFORE_TARGET, Kind.SEQUENCE))
_WHOLLY = frozenset("全都")
_AWAITING = frozenset("等待一如若要当")
_THEREUPON = frozenset(("就", "才", "再", "的时候", "时"))
_FINAL = frozenset(("么", "嘛"))
_MAY = frozenset(("能", "可以", "能不能", "可不可以", "可否", "能否", "是否可以"))
_OPENS = frozenset((Kind.BREAK, Kind.SEQUENCE, Kind.REQUEST, Kind.POLITE, Kind.WAKE))
_STOPS = frozenset((Kind.BREAK, Kind.BEFORE_TARGET, Kind.VERB, Kind.WEAK, Kind.SET, Kind.MORE, Kind.QUANTITY))
_TELLING = frozenset(
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
_MEASURED = frozenset((Kind.SIZE, Kind.MORE))
_SELF = frozenset("我俺咱")
_AFTER_ACT = frozenset((Kind.LIGHT, Kind.PARTICLE, Kind.DEVICE, Kind.MORE, Kind.QUANTITY, Kind.TAIL))
_OWNED = frozenset((Kind.OF, Kind.DEVICE, Kind.ROOM, Kind.ROOM_SUFFIX, Kind.BREAK))
_TODAY = frozenset(("今天", "今日", "今儿", "今儿个", "今个", "今朝"))
_AFTERWARDS = frozenset(("之后", "以后", "后"))


class TurnTokens(ClauseState):
    """Readers of the tokens that say how a clause is meant."""

    def _except_before(self, token: Token) -> None:
        after = token.text in self._lexicon.grammar["except_after"]
        following = self._next()
        if following is not None and following.kind is Kind.WHEN:
            self.unit.when_lost = True  # 除了周末: no time that can be said
            return
        after = after and (following is None or following.kind not in (Kind.DEVICE, Kind.ROOM))
        if after and (self._group is not None or self.unit.groups) and not self._acts.complete:
            self._except_after(token)
            return
        self._close_group()
        self._excluding = True

    def _except_after(self, _token: Token) -> None:
        if self._excluding:
            self._close_group()
            return
        self._close_group()
        groups = self.unit.groups
        acts = self.unit.acts
        if groups and (not self._acts.complete or (acts and groups[-1].start > acts[-1].start)):
            last = groups[-1]
            self.unit.elements = [element for element in self.unit.elements if element is not last]
            self._exclude(last)

    def _only(self, token: Token) -> None:
        following = self._next()
        if self._group is not None and (following is None or following.kind in _ENDS):
            self._keep(token)  # 厨房的你就留着
            return
        self._close_group()
        self._excluding = True
        self.unit.only = "留" in token.text

    def _keep(self, token: Token) -> None:
        if self._acts.negated:
            self._acts.negated = self.unit.negated = False
            if token.text[0] == "留":
                self._none_left(token)
            return
        following = self._next()
        if (
            token.text[0] == "留"
            and following is not None
            and following.kind is Kind.VERB
            and following.value == "打开"
        ):
            return  # 留着打开
        ahead = [later.kind for later in self._tokens[self._at + 1 : self._at + 3]]
        if token.text == "留" and Kind.QUANTITY in ahead and Kind.BREAK not in ahead:
            self._acts.read(Token(Kind.SET, token.start, token.end, token.text), None)
            self._close_group()
            return
        if self._acts.acted and self._group is not None:
            self._split_before_group(token.start)  # 灯都关了走廊留着
        self._close_group()
        self._acts.keep(token)

    def _none_left(self, token: Token) -> None:
        """灯一盏也别留: all of it is switched off."""
        self._close_group()
        for group in self.unit.groups[-1:]:
            self._acts.read(Token(Kind.VERB, token.start, token.end, token.text, "关闭", "关"), None)
            group.all = any(item.count is not None or item.name == "*" for item in group.items)
            for item in group.items:
                item.count = None

    def _negation(self, token: Token) -> None:
        following = self._next()
        closing = following is None or following.kind in _ENDS
        value_next = following is not None and following.kind is Kind.QUANTITY
        if token.text == "不" and (closing or value_next) and len(self.units) > 1 and self._blank:
            self.unit.correction = token.text
            return
        if token.text in _ASKING_NEGATIONS and closing:
            self._ask(token)
            return
        if closing and self._blank and (self.unit.correction or (token.text[-1] == "说" and len(self.units) > 1)):
            self.unit.cancel = True  # 等等，先不要; 关灯？我没说啊: nothing of it after all
            return
        if token.text in ("没", "没有") and any(act.keep for act in self.unit.acts):
            self._unknown(token)  # 化妆灯别动她还没卸完妆
            return
        self.unit.all = self.unit.all or token.text[-1] in _WHOLLY  # 别全关
        self.unit.absent = token.text in ("没", "没有")
        self.unit.since_event = 0
        if token.text == "不" and value_next and self.unit.acts and self.unit.acts[-1].value is not None:
            self._split(token.end, token.text)  # 二十四不二十六
            return
        if self._acts.acted and (token.text not in ("不", "没", "没有") or self._leaves_one(token, following)):
            self._split_before_group(token.start)
        self._close_group()
        self._acts.negate()
        self.unit.letting = (
            following is not None and following.kind is Kind.BEFORE_TARGET and following.text[-1] in "让叫"
        )

    def _ask(self, token: Token) -> None:
        following = self._next()
        if token.text in _FINAL and following is not None and following.kind not in _ENDS:
            return  # 灯么全部打开: only a pause
        before = self._tokens[self._at - 1] if self._at else None
        if before is not None and before.kind is Kind.OPEN and self._acts.complete and not self._marked_before():
            self.unit.sign = before.text  # 打开空调需要充值吗: what is asked is none of the home's
        self.unit.ask = True
        self._acts.ask()

    def _leaves_one(self, token: Token, following: Token | None) -> bool:
        """灯都关了走廊不关: what is not done to a thing named after the act leaves it out."""
        group = self._group
        acting = following is not None and following.kind in (Kind.VERB, Kind.WEAK, Kind.SET)
        return token.text == "不" and acting and group is not None and group.start > self.unit.acts[-1].start

    def _tail(self, token: Token) -> None:
        """…可以吗 makes a request polite; after a value alone it asks whether that one will do (26度可以吗)."""
        self.unit.tail = True
        if not self.unit.request:
            self._acts.wondered(token.start)

    def _described(self, token: Token) -> bool:
        """吹得…, 烧水慢得要命: what was said of the thing tells how it is."""
        before = self._tokens[self._at - 1] if self._at else None
        if before is not None and before.kind in _MEASURED and before.end == token.start and self._next() is not None:
            self._acts.only_told(before.start)
            return True
        return self._acts.described(token)

    def _begins_aside(self) -> bool:
        """静音一下我接个电话: after what is asked the speaker goes on about himself."""
        before, following = self._tokens[self._at - 1].kind, self._next()
        return before in _AFTER_ACT and following is not None and following.kind not in _OWNED

    def _marked_before(self) -> bool:
        return any(group.marked for group in self.unit.groups)

    def _look(self, token: Token) -> None:
        following = self._next()
        if self._acts.acted and token.text[0] in "看瞧试" and (following is None or following.kind in _ENDS):
            return  # 门口灯开一下看看
        if self._acts.complete and self._tokens[self._at - 1].kind not in (Kind.VERB, Kind.VALUE, Kind.WEAK):
            self._split(token.start)
        self.unit.look = True

    def _request(self, token: Token) -> None:
        unit = self.unit
        if token.text[0] in _SELF and self._acts.complete and self._begins_aside():
            self._split(token.start)
            self.unit.aside = True
            return
        if token.text == "得" and self._described(token):
            return
        following = self._next()
        asked = any(part in token.text for part in _ASKED_FOR)
        noisy = (unit.unknown > 1 or unit.sign) and not self._may(token)
        blocked = unit.exclusion or self._excluding or unit.when
        if (
            asked
            and noisy
            and not blocked
            and not unit.talk
            and (not (unit.event or unit.negated) or unit.since_event > 1)
        ):
            self._split(token.start)
        if token.text == "可以" and following is not None and following.kind is Kind.STATE:
            return  # 茶室的可以亮着
        if any(part in token.text for part in ("能", "可")):
            self.unit.tail = True
        if token.text not in ("我", "俺", "你", "您", "侬", "要", "想", "去", "来", "该", "可"):
            self.unit.request = True

    def _may(self, token: Token) -> bool:
        """什么时候能打开, 哪里可以打开: what may be done is part of the question right before, no new request."""
        asked = self._tokens[self._at - 1] if self._at and self.unit.sign != token.text else token
        return token.text in _MAY and self.unit.sign == asked.text

    def _when(self, token: Token) -> None:
        before = [t for t in self._tokens[max(0, self._at - 2) : self._at] if t.kind is not Kind.OF]
        joined = len(before) == 2 and before[0].kind is Kind.WHEN and before[1].kind in (Kind.JOINT, Kind.TO)
        if joined and self.unit.when and token.value and not self._acts.complete:
            self.unit.whens.append(("~" if before[1].kind is Kind.TO else "") + token.value)
            return
        if self._excluding and token.text[-1] == "号":
            self._numbered_out(token)  # 除了一号和四号
            return
        if (self._acts.complete and self.unit.when) or (self._acts.complete and token.value and self._acted_later()):
            self._split(token.start)
        self._acts.pause()
        self._close_group()
        if token.value:
            self.unit.when = token.value
        elif token.text[:1] in _PAST:
            self.unit.sign = token.text  # 昨天, 前天, 上周: told
        elif token.text in _TODAY:
            return
        else:
            self.unit.when_lost = True
            self.unit.when_part = token.kind is Kind.WHEN and not token.attribute
            if self._blank and not self.unit.unknown and token.text in self._lexicon.grammar["later"]:
                self.unit.condition = True

    def _acted_later(self) -> bool:
        for token in self._tokens[self._at + 1 :]:
            if token.kind is Kind.BREAK:
                return False
            if token.kind in (Kind.VERB, Kind.WEAK, Kind.SET, Kind.VALUE, Kind.QUANTITY, Kind.MORE):
                return True
        return False

    def _domain(self, token: Token) -> None:
        held = self._acts.complete and (self.unit.groups or self._over())
        if self.unit.aside or held or self.unit.exclusion is not None:
            self._unknown(token)
            return
        self.unit.domain = token.value

    def _over(self) -> bool:
        """声音小点没法打电话了: what was asked for is said; 放首安静点的歌 goes on."""
        return self._acts.clear and self._tokens[self._at - 1].kind is not Kind.OF

    def _sign(self, token: Token) -> None:
        if token.kind is Kind.CLAUSE_SIGN and not token.value and self._acts.complete and self.unit.groups:
            self._unknown(token)
            return
        if token.value == "addressed" and not (len(self.units) == 1 and self._blank):
            self._unknown(token)
            return
        self.unit.sign = token.text
        self.unit.talk = self.unit.talk or token.kind is Kind.SENTENCE_SIGN
        self.unit.addressed = self.unit.addressed or token.value == "addressed"

    def _noun(self, token: Token) -> None:
        before = self._tokens[self._at - 1].kind if self._at else None
        if token.value == "person" and (self._at == 0 or before not in (Kind.BEFORE_TARGET, Kind.REQUEST)):
            following = self._next()
            self.unit.person = token.end if following is not None and following.kind is not Kind.BREAK else 0
            self._unknown(token)
            return
        if token.value == "span" and self._acts.open and self._tokens[self._at - 1].text[-1:] in ("了", "着"):
            self.unit.sign = token.text  # told, not asked for (开了一整夜)
        ahead = [later.kind for later in self._tokens[self._at + 1 : self._at + 3] if later.kind is not Kind.OF]
        denied = bool(ahead) and ahead[0] in (Kind.NEGATION, Kind.KEEP)
        if token.value == "thing" and (self._excluding or denied or before is Kind.BEFORE_TARGET):
            self._name(token)
            return
        self._unknown(token)

    def _event(self, token: Token) -> None:
        if not self._acts.complete and not self._happened(token):
            self.unit.event, self.unit.since_event = True, 0

    def _happened(self, token: Token) -> bool:
        """下雨了露台遮阳篷收回来: an event closed by 了, with nothing that makes one wait for it, is a reason."""
        following = self._next()
        done = token.text[-1] == "了" or (following is not None and following.text == "了")
        if not done or token.text[0] in _AWAITING or self.unit.condition or self.unit.hangs:
            return False
        for later in self._tokens[self._at + 1 :]:
            if later.kind in (Kind.DEVICE, Kind.ROOM):
                return True
            if later.kind is Kind.BREAK or later.kind in _WAITED_FOR or later.text in _THEREUPON:
                return False
        return False

    def _condition(self, token: Token) -> None:
        """如果, 当; a word of one character (等, 待) only where a clause begins."""
        rest = [later.text for later in self._tokens[self._at + 1 : self._at + 3]]
        if token.text == "等" and rest[:1] == ["我"] and (len(rest) == 1 or self._tokens[self._at + 2].kind in _ENDS):
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
            if token.kind in _TELLING:
                return True
            if token.kind in _STOPS:
                return False
        return False

    def _afterwards(self, token: Token) -> None:
        """没人看的话 is a condition; 关灯之后房间很黑: what was done is told, not asked for."""
        if token.text == "的话" and not self._acts.complete:
            self.unit.condition = True
            self.unit.hangs = self._tells(self._tokens[self._at - 1 :: -1] if self._at else [])
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

    def _too(self, token: Token) -> None:
        self.unit.statement = True
        self._acts.too(token.start)

    def _from(self, _token: Token) -> None:
        following = self._next()
        ahead = (later.kind for later in self._tokens[self._at + 2 : self._at + 6])
        self._acts.leaving = following is not None and (
            following.kind is Kind.QUANTITY or (following.kind is Kind.VALUE and Kind.SET in ahead)
        )
