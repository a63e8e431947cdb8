"""From tokens to clauses: each `Unit` holds its groups of things and its acts in the order they were said.

Clauses end at punctuation; after a complete act also at words of sequence (然后, 再) and before 把. A group collects
rooms, device words, references and quantifiers; an act collects verb, attribute, direction and value until a part does
not fit.
"""

from collections.abc import Callable

from context_retrieval.verbs import verb_table
from tingdong.commands.acts import DONE
from tingdong.commands.correction_tokens import CorrectionTokens
from tingdong.commands.framed_tokens import FramedTokens
from tingdong.commands.parts import Unit, lasts
from tingdong.commands.reference_tokens import ReferenceTokens
from tingdong.commands.spotting import Token
from tingdong.commands.state_questions import choices
from tingdong.commands.thing_tokens import PLACES_AND_THINGS, ThingTokens
from tingdong.commands.time_tokens import TimeTokens
from tingdong.commands.word_kinds import PAUSES
from tingdong.commands.words import Kind

__all__ = ["ClauseReader"]

_ASK, _PARTICLE, _STATE, _WEAK = Kind.ASK, Kind.PARTICLE, Kind.STATE, Kind.WEAK

_OPENING = frozenset((Kind.SEQUENCE, Kind.WAKE, Kind.POLITE, Kind.BREAK, Kind.REFERENCE, Kind.CORRECTION, Kind.CANCEL,
                      Kind.ONLY_THIS, Kind.BEFORE_TARGET, Kind.EXCEPT_BEFORE, Kind.ALSO))  # fmt: skip
_INTERJECTIONS = frozenset("嗯啊哦哎唉呃额诶欸喂噢那就，、：: ")
_FLAGS = {
    Kind.EACH: ("each",),
    Kind.NOW: ("now",),
    Kind.ALSO: ("also",),
    Kind.WHAT: ("ask", "what"),
}
"""Kinds that only colour their clause: the fields of `Unit` they set."""
_THEREUPON = frozenset(("就", "再", "后", "以后", "之后", "然后"))
_ADVERB = 1
"""More characters between a person and 把 are a reason of their own (孩子怕黑把…)."""
_HESITATING = frozenset(("呃", "额", "哎", "诶", "哎呀", "唉"))
_WISHES = frozenset(("就好了", "就行了", "多好", "该多好"))
_OR = "还是"
_IS = frozenset(("是", "还是", "应该是", "都是"))
_NEAR = 4
_THEN = frozenset("再然接随后最次完末")
_DONE_THEN = frozenset((Kind.VERB, Kind.WEAK, Kind.BEFORE_TARGET, Kind.SET, Kind.MORE))
_COMPLETED = frozenset(("了", "完", "着", "好", "好了", "完了", "你", "您", "来"))
_GIVEN = frozenset(("给我", "帮我", "给我把", "帮我把"))
_CAUSES = frozenset((Kind.OPEN, Kind.SIZE, Kind.EVENT))
_RESULTS = frozenset("断灭开掉息")


class ClauseReader(ThingTokens, ReferenceTokens, CorrectionTokens, TimeTokens, FramedTokens):
    """Reads one row of tokens; make a new one for each sentence."""

    def read(self, tokens: list[Token]) -> list[Unit]:
        """The clauses of the sentence, those that say nothing left out."""
        meant = self._frames.find(tokens)
        if "asked" in meant.values():
            tokens = self._frames.asked(tokens, meant)
            meant = self._frames.find(tokens)
        if _OR in [token.text for token in tokens]:
            tokens = choices(tokens)
            meant = self._frames.find(tokens)
        self._tokens = tokens
        self._begin(tokens[0].start if tokens else 0)
        for self._at, token in enumerate(tokens):
            self._split_long(token.start)
            if meant and self._at in meant:
                self._framed(token, meant[self._at])
            if self.unit.leading:
                self._lead(token)
            for flag in _FLAGS.get(token.kind, ()):
                setattr(self.unit, flag, True)
            reader = _CLAUSE_READERS.get(token.kind)
            if reader is not None:
                reader(self, token)
            elif token.kind is _WEAK and self._compound(token):
                self._unknown(token)
            elif self._acts.read(token, self._next()):
                if token.kind is _STATE and self._asked_for_state():
                    self.unit.request = True
                self._close_group()
            elif token.kind is _PARTICLE:
                self._particle(token)
        self._end()
        return [unit for unit in self.units if _said(unit)]

    def _open(self, token: Token) -> None:
        """氛围灯免: at the end of a clause the one word leaves its thing out."""
        following = self._next()
        if token.text == "免" and self._group is not None and (following is None or following.kind in PAUSES):
            self._keep(token)
        else:
            super()._open(token)

    def _compound(self, token: Token) -> bool:
        """剪断, 吹灭: one unknown character right before makes another verb of it."""
        following = self._next()
        if not self._at or (token.text not in _RESULTS and token.text != "点"):
            return False
        before = self._tokens[self._at - 1]
        if token.text == "点":
            thing = following is not None and following.kind in (Kind.DEVICE, Kind.COUNT, Kind.ROOM)
            return before.kind is Kind.OPEN and before.end == token.start and not thing  # 关几盏省点
        return before.kind is Kind.OPEN and len(before.text) == 1 and before.text != "多" and before.end == token.start

    def _asked_for_state(self) -> bool:
        """先开着, 你先关着: such a state is asked for."""
        before = self._tokens[self._at - 1].text if self._at else "了"
        return before.startswith(("先", "就")) or before.endswith("先")

    def _lead(self, token: Token) -> None:
        unit = self.unit
        if token.kind not in PLACES_AND_THINGS and self._group is None and not unit.elements:
            unit.leading = token.kind in _OPENING or token.text in _INTERJECTIONS

    def _break(self, token: Token) -> None:
        unit = self.unit
        if unit.hesitant and self._blank and not (unit.unknown or unit.negated or unit.correction or unit.cancel):
            return
        said = unit.elements or self._group or self._acts.open or unit.when or unit.unknown or unit.negated or unit.sign
        if (unit.correction or unit.cancel) and not said:
            unit.correction = "不对" if unit.correction.endswith("不是") else unit.correction
            return
        if unit.correction and not (unit.elements or self._group or self._acts.open or unit.when or unit.negated):
            self._split(token.end, unit.correction)
            return
        if token.text in "？?" and not (unit.request or unit.tail):
            self._acts.ask()
            unit.ask = unit.ask or any(act.state for act in unit.acts)
        self._split(token.end)

    def _particle(self, token: Token) -> None:
        if token.text in DONE and self._acts.negated and any(act.negated for act in self.unit.acts):
            self._acts.negated = False
        elif token.text in DONE and self.unit.statement and self.unit.unknown:
            self._acts.judged_so()  # 吊灯太费电了关掉
        elif token.text == "吧" and (self._state_supposed() or self._not_so()):
            self.unit.ask = True
        elif token.text == "吧" and self._acts.open and self.unit.acts[-1].state in verb_table().lasting:
            self._offered_state()
        elif token.text in _HESITATING and self._blank and not self.unit.unknown and len(self.units) > 1:
            self.unit.hesitant = token.text
        elif token.text in _WISHES and self.unit.condition:
            self.unit.sign = token.text
        elif token.text == "呢":
            self._acts.ask()
            self.unit.going_on = True
        elif token.text in "：:" and (self._excluding or self.unit.correction):
            return
        elif token.text in "：:" and not (self.unit.elements or self._group or self.unit.sign):
            self._split(token.end)

    def _offered_state(self) -> None:
        """地脚灯亮着吧 asks for the state; 电视是关着的吧 asks about it."""
        earlier = [token.text for token in self._tokens[max(0, self._at - _NEAR) : self._at]]
        if _IS.intersection(earlier) and (self.unit.groups or earlier[-2:-1] != [_OR]):  # but 还是开着吧
            self.unit.ask = True
        elif self.unit.cancel:
            self.unit.sign = "吧"  # 别，灯亮着吧
        elif (self.unit.groups or earlier[-2:-1] == [_OR]) and not earlier[-1].endswith("呢"):
            self.unit.request = True

    def _of(self, token: Token) -> None:
        """是我爸开的: a verb closed by 的 tells who or how, and asks for nothing."""
        following = self._next()
        if (
            following is not None
            and following.kind is _ASK
            and self._at > 1
            and self._tokens[self._at - 2].text == "是"
        ):
            return  # 卷帘门是放下来的吗
        closing = following is None or following.kind in (Kind.BREAK, _PARTICLE, _ASK, Kind.TAIL)
        if closing and not self.unit.request:
            self._acts.told(token)

    def _sequence(self, token: Token) -> None:
        also = token.text[0] in "也还又另"
        parts = not also or token.text not in ("也", "还", "又")
        if self._acts.complete and parts:
            self._split(token.start)
        self.unit.also = self.unit.also or token.text[0] == "也"
        self.unit.then = self.unit.then or token.text[0] in _THEN
        self.unit.going_on = self.unit.going_on or token.text[0] == "还"
        if token.text == "先" and any(unit.when and unit.acts for unit in self.units[:-1]):
            self.unit.now = True  # 半小时后关空调，灯先关了
        self.unit.along = self.unit.along or token.text[-1] in "便带时"  # 顺便, 同时
        if token.text in ("再", "又"):
            self._acts.again = True

    def _then_only(self, token: Token) -> None:
        """孩子一哭就把夜灯调亮: 就 after what is neither a thing nor a time makes the act wait for it."""
        unit, following = self._sole(token), self._next()
        if token.text != "就" or following is None or self._acts.complete:
            return
        if following.kind not in _DONE_THEN and following.text not in _GIVEN:
            return
        if (self._group is not None and self._group.items) or any(unit.when for unit in self.units):
            return
        at = self._at - 1
        while at >= 0 and self._tokens[at].text in _COMPLETED:
            at -= 1
        before = self._tokens[at] if at >= 0 else None
        once = before is not None and before.kind is Kind.NOUN and at > 0 and self._tokens[at - 1].text == "一"
        if before is not None and (before.kind in _CAUSES or once) and not unit.when:
            unit.condition = unit.hangs = True

    def _later(self, token: Token) -> None:
        """等会儿把空调关了 waits for no time that can be said; 哎等会儿，… takes back."""
        following = self._next()
        closing = following is None or following.kind in PAUSES
        if closing and token.text in self._lexicon.grammar["correction"]:
            self._correction(token)
        else:
            self._when(token)

    def _quantity(self, token: Token) -> None:
        before = self._tokens[self._at - 1] if self._at else None
        if before is not None and lasts(token):
            self._acts.plain = before.kind is Kind.DEVICE or (before.kind is Kind.OPEN and len(before.text) == 1)
        if self._acts.read(token, self._next()):
            self._close_group()

    def _before_target(self, token: Token) -> None:
        """把 begins anew after talk and after a complete act; after a person it tells what that one does."""
        unit, mark = self.unit, token.text[-1]
        told = unit.person > 0 and token.start - unit.person <= _ADVERB
        if told and mark in "把将让叫" and not (unit.request or unit.elements):
            unit.sign = "person"
        if mark in "把将" and unit.unknown and not (unit.hedged or self._excluding):
            self._split(token.start)
        if mark in "把将让拿" and self._acts.complete:
            ended = self._at > 0 and self._tokens[self._at - 1].text in _THEREUPON
            delay = self._acts.delay_of_end() if ended else ""
            self._split(token.start)
            self._acts.coming = delay
        self._marked = mark in "把将让叫拿"
        self.unit.request = True


def _said(unit: Unit) -> bool:
    return bool(
        unit.elements or unit.exclusion or unit.cancel or unit.correction or unit.when or unit.count or unit.all
        or unit.any or unit.domain or unit.sign or unit.event or unit.other or unit.unknown or unit.when_lost
        or unit.condition or unit.look or unit.duration or unit.number
    )  # fmt: skip


_CLAUSE_READERS: dict[Kind, Callable[[ClauseReader, Token], None]] = {
    Kind.BREAK: ClauseReader._break,
    Kind.SEQUENCE: ClauseReader._sequence,
    Kind.CORRECTION: ClauseReader._correction,
    Kind.CANCEL: ClauseReader._cancel,
    Kind.BEFORE_TARGET: ClauseReader._before_target,
    Kind.ROOM: ClauseReader._room,
    Kind.ZONE: ClauseReader._room,
    Kind.LOCATIVE: ClauseReader._locative,
    Kind.HERE: ClauseReader._here,
    Kind.WHOLE: ClauseReader._whole,
    Kind.DEVICE: ClauseReader._device,
    Kind.ANYTHING: ClauseReader._anything,
    Kind.REFERENCE: ClauseReader._reference,
    Kind.REFERENCES: ClauseReader._reference,
    Kind.ALL: ClauseReader._all,
    Kind.ANY: ClauseReader._any,
    Kind.OTHER: ClauseReader._other,
    Kind.OF: ClauseReader._of,
    Kind.COUNT: ClauseReader._count,
    Kind.EXCEPT_BEFORE: ClauseReader._except_before,
    Kind.EXCEPT_AFTER: ClauseReader._except_after,
    Kind.ONLY: ClauseReader._only,
    Kind.KEEP: ClauseReader._keep,
    Kind.NEGATION: ClauseReader._negation,
    Kind.ASK: ClauseReader._ask,
    Kind.LOOK: ClauseReader._look,
    Kind.WHEN: ClauseReader._when,
    Kind.LATER: ClauseReader._later,
    Kind.CONDITION_START: ClauseReader._condition,
    Kind.OPEN: ClauseReader._open,
    Kind.DOMAIN: ClauseReader._domain,
    Kind.CLAUSE_SIGN: ClauseReader._sign,
    Kind.SENTENCE_SIGN: ClauseReader._sign,
    Kind.NOUN: ClauseReader._noun,
    Kind.EVENT: ClauseReader._event,
    Kind.REQUEST: ClauseReader._request,
    Kind.TOO: ClauseReader._too,
    Kind.JOINT: ClauseReader._joint,
    Kind.SCENE: ClauseReader._scene,
    Kind.ORDINAL: ClauseReader._ordinal,
    Kind.WHICH: ClauseReader._which,
    Kind.INDIFFERENT: ClauseReader._any,
    Kind.BOTH: ClauseReader._both,
    Kind.CONDITION_END: ClauseReader._afterwards,
    Kind.TAIL: ClauseReader._tail,
    Kind.QUANTITY: ClauseReader._quantity,
    Kind.CONFIRM: ClauseReader._confirm,
    Kind.ONLY_THIS: ClauseReader._then_only,
}
