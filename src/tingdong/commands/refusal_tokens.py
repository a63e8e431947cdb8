"""Tokens of refusals, exclusions and negative questions (architecture, law 2: a lost negation acts)."""

from tingdong.commands.left_out_tokens import LeftOutTokens
from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import ENDS
from tingdong.commands.words import Kind

__all__ = ["RefusalTokens"]

_STOPPED = frozenset(
    ("别", "不要", "不用", "甭", "先别", "先不要", "先不", "先不用", "先甭", "暂时别", "暂时不要", "暂时不用", "别价",
     "别介", "用不着", "不必")
)  # fmt: skip
_FORBIDDING = frozenset(("别", "不能", "可不能", "不可", "甭", "不许", "不要", "莫", "勿", "不得", "可别", "千万别"))
_BESIDE_STOP = frozenset((Kind.PARTICLE, Kind.NEGATION))
_FEW = 32
"""Words that may stand on a side of one that is all its clause says."""
_ASKED_ABOUT = frozenset((Kind.OPEN, Kind.NOUN))
_WHAT = frozenset(("多少", "什么", "啥"))
_FINAL = frozenset(("么", "嘛"))
_ASKING_NEGATIONS = frozenset(("没", "没有", "不", "未", "冇"))
_WHOLLY = frozenset("全都")


class RefusalTokens(LeftOutTokens):
    """Readers of negations, of what is kept, and of question words."""

    def _keep(self, token: Token) -> None:
        if self._acts.negated:
            self._acts.negated = self.unit.negated = False
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
        extreme = token.text == "留" and following is not None and following.device == "extreme"
        if extreme or (token.text == "留" and Kind.QUANTITY in ahead and Kind.BREAK not in ahead):
            self._acts.read(Token(Kind.SET, token.start, token.end, token.text), None)
            self._close_group()
            return
        if self._acts.acted and self._group is not None:
            self._split_before_group(token.start)  # 灯都关了走廊留着
        self._close_group()
        self._acts.keep(token)

    def _negation(self, token: Token) -> None:
        following = self._next()
        if token.text in _FORBIDDING and following is not None and following.text == "不":
            following.kind, self.unit.request = Kind.PARTICLE, True  # 别不开灯, 不能不开
            return
        closing = following is None or following.kind in ENDS
        value_next = following is not None and following.kind is Kind.QUANTITY
        if token.text == "不" and (closing or value_next) and len(self.units) > 1 and self._blank:
            self.unit.correction = token.text
            return
        if token.text in _ASKING_NEGATIONS and closing:
            if self._acts.complete and token.text in ("没", "没有"):
                self.unit.event = False  # 我出门关电视没有
            self._ask(token)
            return
        if token.text in _STOPPED and self._said_alone():
            if self._acted_after_break():
                self.unit.correction = "不对"  # 窗帘关上吧，别，只关纱帘
            else:
                self.unit.cancel = True  # 关灯，别
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
        if self._acts.acted and (token.text not in ("不", "没", "没有") or self._leaves_one(token, following)):
            self._split_before_group(token.start)
        self._close_group()
        self._acts.negate()
        self.unit.letting = (
            following is not None and following.kind is Kind.BEFORE_TARGET and following.text[-1] in "让叫"
        )

    def _leaves_one(self, token: Token, following: Token | None) -> bool:
        """灯都关了走廊不关: what is not done to a thing named after the act leaves it out."""
        group = self._group
        acting = following is not None and following.kind in (Kind.VERB, Kind.WEAK, Kind.SET)
        return token.text == "不" and acting and group is not None and group.start > self.unit.acts[-1].start

    def _said_alone(self) -> bool:
        """Whether the word is all its clause says."""
        back, ahead = self._at - 1, self._at + 1
        first, last = max(0, self._at - _FEW), min(len(self._tokens), self._at + _FEW)
        while back > first and self._tokens[back].kind in _BESIDE_STOP:
            back -= 1
        while ahead < last and self._tokens[ahead].kind in _BESIDE_STOP:
            ahead += 1
        if not self._blank or self.unit.unknown or (back >= 0 and self._tokens[back].kind is not Kind.BREAK):
            return False
        return ahead == len(self._tokens) or self._tokens[ahead].kind is Kind.BREAK

    def _acted_after_break(self) -> bool:
        """Whether a break follows at once, and an act after it."""
        following = self._next()
        if following is None or following.kind is not Kind.BREAK or following.text in "？?":
            return False
        return any(later.kind in (Kind.VERB, Kind.WEAK, Kind.SET) for later in self._tokens[self._at + 2 :])

    def _ask(self, token: Token) -> None:
        following = self._next()
        if token.text in _FINAL and following is not None and following.kind not in ENDS:
            return  # 灯么全部打开: only a pause
        before = self._tokens[self._at - 1] if self._at else None
        if token.text in _WHAT and following is not None and following.kind is Kind.OPEN:
            self.unit.sign = token.text  # 电饭锅放多少水
        if before is not None and before.kind in _ASKED_ABOUT and self._acts.complete and not self._marked_before():
            self.unit.sign = before.text  # 打开空调需要充值吗: what is asked is none of the home's
        self.unit.ask = True
        self._acts.ask()

    def _marked_before(self) -> bool:
        return any(group.marked for group in self.unit.groups)
