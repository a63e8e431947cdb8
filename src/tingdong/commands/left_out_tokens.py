"""Reading tokens that say what is left out where no known word names it (commands.md, SCOPE, NAME and TYPE)."""

from tingdong.commands.clause_state import ClauseState
from tingdong.commands.parts import Unit
from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import CLOSING
from tingdong.commands.words import Kind

__all__ = ["LeftOutTokens"]

_PLACES = ("处", "地方", "房间", "屋", "区域", "楼层", "屋子", "位置")
_LONGEST_PLACE = 4
_SAID = frozenset((Kind.VERB, Kind.WEAK, Kind.SET, Kind.VALUE, Kind.OPEN))
_IN_LIST = frozenset((Kind.JOINT, Kind.DEVICE, Kind.NOUN, Kind.COUNT, Kind.OF, Kind.REFERENCE, Kind.REFERENCES))


class LeftOutTokens(ClauseState):
    """Unknown words and adverbs of a clause that leaves something out."""

    def _sole(self, token: Token) -> Unit:
        """The clause; 唯独书房不动 says that it is the one exception."""
        self.unit.sole = self.unit.sole or token.text[0] in "唯惟"
        return self.unit

    def _served(self) -> bool:
        """客厅的灯开着其他的灯关掉: what was named has its act, and the others get their own."""
        return self._group is None and bool(self.unit.groups) and self._acts.complete

    def _all_others(self, token: Token) -> None:
        self.unit.other = True
        self.unit.elsewhere = self.unit.elsewhere or token.text.rstrip("的").endswith(_PLACES)

    def _listed_out(self, token: Token, after: Token | None) -> bool:
        """除了佛堂和香房: what is joined to a room that is left out is a room as well."""
        placed = self._joined and bool(self._rooms) and self._group is not None and not self._group.items
        device = after is not None and after.kind is Kind.DEVICE
        return self._excluding and placed and not device and 2 <= len(token.text) <= _LONGEST_PLACE

    def _echoes(self, before: Token | None, token: Token, after: Token | None) -> bool:
        """全静音，地下室的别静; 都拽上，书房别拽: the verb of before, cut short, denied of a part."""
        if before is None or before.kind is not Kind.NEGATION or before.end != token.start or len(token.text) > 1:
            return False
        if after is not None and after.kind not in CLOSING:
            return False
        return any(said.kind in _SAID and token.text in said.text for said in self._tokens[: self._at - 1])

    def _thing_ahead(self) -> bool:
        """Whether a thing stands next, at most with 个 or 一个 before it."""
        following = self._next()
        if following is not None and following.kind in (Kind.OF, Kind.COUNT, Kind.REFERENCE):
            following = self._next(2)
        return following is not None and following.kind in (Kind.DEVICE, Kind.ROOM, Kind.ZONE)

    def _listed_as_kept(self) -> bool:
        """鱼缸、冰箱留着; 留冰箱和鱼缸: a thing in a list of what is left out."""
        if self._joined and self.unit.acts and self.unit.acts[-1].keep and self._group is not None:
            return True
        ahead = self._at + 1
        while ahead < len(self._tokens) and self._tokens[ahead].kind in _IN_LIST:
            ahead += 1
        listed = ahead > self._at + 1 or self._joined
        return listed and ahead < len(self._tokens) and self._tokens[ahead].kind in (Kind.KEEP, Kind.EXCEPT_AFTER)

    def _denied_next(self) -> bool:
        """Whether what stands here is at once said to be left as it is (3号不动, 前排的别调)."""
        following = self._next()
        if following is not None and following.kind is Kind.OF:
            following = self._next(2)
        return following is not None and (following.kind in (Kind.KEEP, Kind.NEGATION) or following.text == "免")
