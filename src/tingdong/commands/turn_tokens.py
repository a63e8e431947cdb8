"""Tokens that change a clause: exclusion, negation, question, time, and signs of no request."""

from tingdong.commands.refusal_tokens import RefusalTokens
from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import ENDS
from tingdong.commands.words import Kind

__all__ = ["TurnTokens"]

_ASK_ATTRIBUTE, _ATTRIBUTE = Kind.ASK_ATTRIBUTE, Kind.ATTRIBUTE

_APART_FROM = frozenset(("以外", "之外", "以外的", "之外的", "外的"))
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
_PERSONS = frozenset("我他她咱")
_FOR = frozenset(("给", "帮", "替", "也给", "帮帮"))
_MANY = 4
_DOING = frozenset("把将说关开又")
_OUTDOORS = "门外"
_MYSELF = frozenset(("我自己来", "我来", "我来弄", "我自己弄"))
_MAY = frozenset(("帮我", "给我", "你能", "你可以", "能", "可以", "能不能", "可不可以", "可否", "能否", "是否可以"))
_SELF_SIGNS = frozenset("我俺咱")
_MAKING = frozenset(("让", "叫"))
_JUST = frozenset(("刚", "刚刚"))
_AFTER_ACT = frozenset((Kind.LIGHT, Kind.PARTICLE, Kind.DEVICE, Kind.MORE, Kind.QUANTITY, Kind.TAIL))
_OWNED_KINDS = frozenset((Kind.OF, Kind.DEVICE, Kind.ROOM, Kind.ROOM_SUFFIX, Kind.BREAK))


class TurnTokens(RefusalTokens):
    """Readers of the tokens that say how a clause is meant."""

    def _except_before(self, token: Token) -> None:
        after = token.text in self._lexicon.grammar["except_after"]
        following = self._next()
        if following is not None and following.kind is Kind.WHEN:
            self.unit.when_lost = True  # 除了周末: no time that can be said
            return
        after = after and (following is None or following.kind not in (Kind.DEVICE, Kind.ROOM))
        named = self._group is not None or bool(self.unit.groups)
        if after and named and (not self._acts.complete or self._group is not None):
            self._except_after(token)
            return
        self._close_group()
        self._excluding = True

    def _except_after(self, token: Token) -> None:
        if self._excluding:
            self._close_group()
            return
        self._close_group()
        groups = self.unit.groups
        acts = self.unit.acts
        if groups and (not self._acts.complete or (acts and groups[-1].start > acts[-1].start)):
            last = groups[-1]
            last.inside = last.inside or token.text in _APART_FROM  # 客厅台灯以外的灯
            self.unit.elements = [element for element in self.unit.elements if element is not last]
            self.unit.trailing = not self.unit.elements
            self._exclude(last)

    def _only(self, token: Token) -> None:
        self._close_group()
        self._excluding = True
        self.unit.only = token.text if "留" in token.text else ""

    def _tail(self, _token: Token) -> None:
        """…可以吗 makes a request polite; after a value alone it asks whether that one will do (26度可以吗)."""
        self.unit.tail = True

    def _begins_aside(self) -> bool:
        """静音一下我接个电话: after what is asked the speaker goes on about himself."""
        before, following = self._tokens[self._at - 1].kind, self._next()
        return before in _AFTER_ACT and following is not None and following.kind not in _OWNED_KINDS

    def _look(self, token: Token) -> None:
        following = self._next()
        if self._acts.acted and token.text[0] in "看瞧试" and (following is None or following.kind in ENDS):
            return  # 门口灯开一下看看
        self.unit.look = True

    def _request(self, token: Token) -> None:
        unit = self.unit
        if token.text[0] in _SELF_SIGNS and self._acts.complete and self._begins_aside():
            self._split(token.start)
            self.unit.aside = True
            return
        following = self._next()
        left = following is not None and following.kind is Kind.ONLY  # 关得只剩灯带
        if token.text == "得" and (left or self._acts.described(token)):
            return
        asked = any(part in token.text for part in _ASKED_FOR)
        noisy = (unit.unknown > 1 or unit.sign) and not self._may(token) and not self._on_a_past_day()
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
        if any(part in token.text for part in ("能", "可", "介意", "方便")):
            self.unit.tail = True
        if token.text not in ("我", "俺", "你", "您", "侬", "要", "想", "去", "来", "该", "可"):
            self.unit.request = True

    def _on_a_past_day(self) -> bool:
        """上次你把…, 昨天麻烦你把…: what stands right behind a time that is over was asked for then."""
        at = self._at - 1
        while at >= 0 and (self._tokens[at].kind is Kind.REQUEST or self._tokens[at].text in _MAKING):
            at -= 1
        if at < 0 or self._tokens[at].text != self.unit.sign:
            return False
        return (
            self._tokens[at].kind is Kind.WHEN
            or self.unit.sign in _JUST
            or self.unit.sign in self._frames.words("last_time")
        )

    def _may(self, token: Token) -> bool:
        """什么时候能打开, 哪里可以打开: what may be done is part of the question right before, no new request."""
        asked = self._tokens[self._at - 1] if self._at and self.unit.sign != token.text else token
        return token.text in _MAY and self.unit.sign == asked.text

    def _domain(self, token: Token) -> None:
        held = self._acts.complete and (self.unit.groups or self._over())
        if self.unit.aside or held or self.unit.exclusion is not None:
            self._unknown(token)
            return
        if token.text[:2] == "零下" and self._inside():
            self._acts.read(Token(_ASK_ATTRIBUTE, token.start, token.end, token.text, "查询温度", "温度"), None)
            self._close_group()
            return
        self.unit.domain = token.value

    def _over(self) -> bool:
        """声音小点没法打电话了: what was asked for is said; 放首安静点的歌 goes on."""
        return self._acts.clear and self._tokens[self._at - 1].kind is not Kind.OF

    def _only_concerned(self, token: Token) -> bool:
        """我儿子的恐龙灯, 他书桌的台灯, 帮她拉上: somebody it is for or belongs to does nothing."""
        following = self._next()
        before = self._tokens[self._at - 1].text if self._at else ""
        owned = following is not None and (following.kind is Kind.ROOM or following.value == "thing")
        person = token.text[0] in _PERSONS and token.text[-1] not in _DOING and len(token.text) < _MANY
        return person and (owned or before in _FOR)

    def _sign(self, token: Token) -> None:
        if token.text in _MYSELF and len(self.units) > 1 and self._blank and self._closes():
            self.unit.cancel = True  # 不用开灯了，我自己来
            return
        if token.kind is Kind.CLAUSE_SIGN and self._only_concerned(token):
            self._unknown(token)
            return
        if token.kind is Kind.CLAUSE_SIGN and not token.value and self._acts.complete and self.unit.groups:
            self._unknown(token)
            return
        if token.value == "addressed" and not (len(self.units) == 1 and self._blank):
            self._unknown(token)
            return
        self.unit.sign = token.text
        self.unit.talk = self.unit.talk or token.kind is Kind.SENTENCE_SIGN
        self.unit.addressed = self.unit.addressed or token.value == "addressed"

    def _inside(self) -> bool:
        """冰箱零下几度: of a thing or a room of the home, not of the weather."""
        named = self._group is not None or bool(self.unit.groups)
        return named and all(self._lexicon.room_group(room) != _OUTDOORS for room in self._rooms)

    def _closes(self) -> bool:
        following = self._next()
        return following is None or following.kind in ENDS

    def _noun(self, token: Token) -> None:
        before = self._tokens[self._at - 1].kind if self._at else None
        if token.value == "person" and (self._at == 0 or before not in (Kind.BEFORE_TARGET, Kind.REQUEST)):
            following = self._next()
            self.unit.person = token.end if following is not None and following.kind is not Kind.BREAK else 0
            self._unknown(token)
            return
        ahead = [later.kind for later in self._tokens[self._at + 1 : self._at + 3] if later.kind is not Kind.OF]
        denied = bool(ahead) and ahead[0] in (Kind.NEGATION, Kind.KEEP, Kind.EXCEPT_AFTER)
        asked = any(kind in (_ASK_ATTRIBUTE, _ATTRIBUTE) for kind in ahead) and self._blank
        if token.value == "thing" and (self._excluding or denied or asked or before is Kind.BEFORE_TARGET):
            self._name(token)
            return
        self._unknown(token)

    def _too(self, _token: Token) -> None:
        self.unit.statement = True
        self._acts.too()
