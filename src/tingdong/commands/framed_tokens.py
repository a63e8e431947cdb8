"""Effects of a frame on its clause (`frames` finds them)."""

from collections.abc import Callable

from context_retrieval.verbs import verb_table
from tingdong.commands.clause_state import ClauseState
from tingdong.commands.spotting import Token
from tingdong.commands.state_questions import HORTATIVE
from tingdong.commands.words import Kind

__all__ = ["FramedTokens"]

_NOT_YET = frozenset(("没", "没有"))
_SELF = frozenset(("我", "俺", "我们", "咱"))
_NAMED_KIND = frozenset((Kind.DEVICE, Kind.ROOM))
_SETTING = frozenset((Kind.VERB, Kind.SET, Kind.BEFORE_TARGET))
_DESCRIBING = frozenset((Kind.WEAK, Kind.SIZE, Kind.MORE))
_FOR_SIGNS = frozenset("给帮替为")
_FEW = 2


class FramedTokens(ClauseState):
    """Applies frames to the clause that is being read."""

    def _framed(self, token: Token, meant: str) -> None:
        """A frame begins here; `frames` says what each shows."""
        unit = self.unit
        if meant == "done":
            following = self._next()
            lasting = following is not None and (following.quantity is None or following.kind is Kind.QUANTITY)
            lasting = lasting or (following is not None and following.kind is Kind.COUNT)
            if self._acts.open and lasting and self._tokens[self._at - 1].end == token.start:
                unit.sign = token.text
        elif meant == "addressed":
            awake = any(later.kind is Kind.WAKE for later in self._tokens[self._at :])
            unit.sign = token.text
            unit.addressed = unit.addressed or not awake
        elif meant == "judged":
            valued = not unit.request and all(act.value and (act.weak or not act.verb) for act in unit.acts)
            if unit.ask or valued or not self._acts.complete or any(act.query for act in unit.acts):
                unit.sign = token.text
        elif meant == "enough":
            asked = unit.acts[-1] if unit.acts else None
            if asked is not None and asked.attribute and not asked.complete:
                unit.ask = True
                self._acts.ask()  # 门锁电量够不够用
            else:
                unit.sign = token.text
        elif meant == "found":
            left_out = token.text in self._lexicon.grammar["except_after"] and self._group is not None
            if self._only_valued() and not left_out:
                unit.sign = token.text
        elif meant == "spoken":
            if not self._acts.negated and (unit.when or (self._acts.complete and unit.groups)):
                unit.sign = token.text  # 关灯的方法, 开灯干嘛, 七点的那个取消
        elif meant == "happened":
            if self._only_happens():
                unit.sign = token.text
        elif meant in _APPLIED:
            _APPLIED[meant](self, token)
        elif meant == "supposed" and not self._acts.negated:
            unit.sign, unit.supposed = token.text, True
        elif meant == "told" and token.text in _SELF and (self._for_oneself() or self._asked_of_oneself()):
            return
        elif meant == "told" and self._acts.complete and unit.groups:
            self._split(token.start)
            self.unit.sign = token.text
        else:
            unit.sign = token.text

    def _for_oneself(self) -> bool:
        """浴霸也给我开了: whom it is done for does not do it."""
        return self._at > 0 and self._tokens[self._at - 1].text[-1:] in _FOR_SIGNS

    def _only_valued(self) -> bool:
        """风扇三档跟没开一样: what is found of a value or a state, where no plain verb and no 把 asks for it."""
        unit = self.unit
        asked = unit.request or any(group.marked for group in unit.groups)
        return not asked and bool(unit.acts) and all(act.value or act.weak or act.state or act.set for act in unit.acts)

    def _asked_of_oneself(self) -> bool:
        """我刚才关灯了没: what the speaker did is asked about, not told."""
        ahead = self._tokens[self._at + 1 :]
        for later, after in zip(ahead, [*ahead[1:], None], strict=False):
            if later.kind is Kind.BREAK:
                return False
            if later.text in _NOT_YET and (after is None or after.kind in (Kind.BREAK, Kind.PARTICLE)):
                return True
            if later.kind is Kind.STATUS or (later.kind is Kind.ASK and later.text[-1] in "没吗么"):
                return True
        return False

    def _only_happens(self) -> bool:
        """灯灭了: a change that comes about by itself is told, unless something else in the sentence asks for it."""
        unit, tokens = self.unit, self._tokens
        wholly = unit.all or any(group.all for group in unit.groups)
        if not unit.groups or unit.request or unit.other or self._acts.negated or (wholly and not self._went_out()):
            return False
        if any(earlier.acts and not earlier.sign for earlier in self.units[:-1]):
            return False
        marked = any(earlier.kind is Kind.BEFORE_TARGET for earlier in tokens[: self._at])
        listed = any(later.kind is Kind.DEVICE for later in tokens[self._at + 1 :])
        hortative = any(later.text in HORTATIVE for later in tokens[self._at + 1 : self._at + 3])
        return not (marked or listed or hortative)

    def _went_out(self) -> bool:
        """停电了，灯全灭了: what happened before tells why."""
        return any(token.text in self._frames.words("outages") for token in self._tokens[: self._at])

    def _likened(self, _token: Token) -> None:
        """响得跟拖拉机一样: what a thing is likened to is none of the things spoken of, nor asked for."""
        at = self._at + 1
        while self._tokens[at].text not in self._frames.words("same"):
            at += 1
        within = self._tokens[self._at + 1 : at]
        before = self._tokens[self._at - 1] if self._at else None
        listed = (
            before is not None and before.kind in _NAMED_KIND and any(later.kind in _NAMED_KIND for later in within)
        )
        if listed or any(later.kind in _SETTING for later in within):
            return
        following = self._tokens[at + 1 : at + 2]
        for later in (*within, *(after for after in following if after.kind in _DESCRIBING)):
            later.kind = Kind.PARTICLE

    def _finished(self, token: Token) -> None:
        """灯都关好了 tells, 灯都关好了吧 asks; 把门锁好了 and 先关好了 are requests."""
        after, before = self._next(2), self._tokens[self._at - 1 : self._at]
        if self.unit.request or any(group.marked for group in self.unit.groups) or any(b.text == "先" for b in before):
            return
        if after is not None and after.text == "吧":
            self.unit.ask = True
        else:
            self.unit.sign = token.text

    def _made(self, token: Token) -> None:
        """甲方让我把灯调亮: what somebody makes the speaker do is told; 让我把… alone is none."""
        if self._at and self._tokens[self._at - 1].kind is not Kind.BREAK:
            self.unit.sign = token.text

    def _awaited(self, token: Token) -> None:
        """室友回来之前把灯关掉, 苗出齐了再关灯: what is asked for hangs on something that WHEN cannot say."""
        unit, before = self.unit, self._tokens[self._at - 1 : self._at]
        told = unit.unknown > 1 and (token.text[-1] != "了" or any(b.kind in (Kind.OPEN, Kind.NOUN) for b in before))
        named = self._group is not None or any(not group.room_only for group in unit.groups)
        if told and not (named or unit.when or unit.statement or unit.sign or unit.request or self._acts.complete):
            unit.condition = unit.hangs = True

    def _quits(self, token: Token) -> None:
        """开洗衣机，…，先不洗了; 换五频道，不换了: what was asked for is taken back; 关电视，不看了 says why."""
        asked = [unit for unit in self.units[:-1] if not unit.sign and any(not act.negated for act in unit.acts)]
        following = self._next()
        if not asked or following is None or self.unit.elements or self._group is not None or self.unit.unknown:
            return
        same = [unit for unit in asked if any(act.word[:1] == following.text[0] for act in unit.acts)]
        begun = asked[-1].acts[-1].verb in verb_table().beginning and following.text[0] in self._frames.words("uses")
        if not (same or begun):
            return
        undone = same[-1] if same else asked[-1]
        for later in self._tokens[self._at : self._at + _FEW]:
            later.kind = Kind.PARTICLE
        if len(asked) == 1:
            self.unit.cancel = True
        else:
            undone.elements, self.unit.sign = list(undone.groups), token.text

    def _did(self, token: Token) -> None:
        """窗帘拉上了，我亲手拉的: who did it tells that it is done."""
        before = self.units[-2] if len(self.units) > 1 else None
        back = self._at - 1
        while back >= 0 and self._tokens[back].kind in (Kind.BREAK, Kind.PARTICLE) and self._tokens[back].text != "了":
            back -= 1
        done = back >= 0 and self._tokens[back].text[-1:] == "了"
        if before is not None and done and before.acts and not before.request:
            before.sign = self.unit.sign = token.text

    def _theirs(self, _token: Token) -> None:
        """客人七点到，把灯打开: when somebody comes is a reason, and no time of what is asked for."""
        for later in self._tokens[self._at : self._at + _FEW]:
            if later.kind is Kind.WHEN:
                later.kind = Kind.PARTICLE

    def _retracted(self, token: Token) -> None:
        """关电视，收回，关音箱"""
        if len(self.units) > 1:
            token.kind, self.unit.cancel = Kind.PARTICLE, True

    def _hangs(self, _token: Token) -> None:
        """铃一响就关风扇: it waits for what WHEN cannot say."""
        if not self._acts.complete:
            self.unit.condition = self.unit.hangs = True


_APPLIED: dict[str, Callable[[FramedTokens, Token], None]] = {
    "likened": FramedTokens._likened,
    "finished": FramedTokens._finished,
    "made": FramedTokens._made,
    "awaited": FramedTokens._awaited,
    "quits": FramedTokens._quits,
    "did": FramedTokens._did,
    "theirs": FramedTokens._theirs,
    "retracted": FramedTokens._retracted,
    "hangs": FramedTokens._hangs,
}
