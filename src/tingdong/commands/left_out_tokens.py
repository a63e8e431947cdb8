"""Tokens of exclusions without a known word (commands.md, SCOPE, NAME and TYPE)."""

from tingdong.commands.clause_state import ClauseState
from tingdong.commands.parts import Unit
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind

__all__ = ["LeftOutTokens"]

_PLACES = ("处", "地方", "房间", "屋", "区域", "楼层", "屋子", "位置")


class LeftOutTokens(ClauseState):
    """Unknown words and adverbs of a clause that leaves something out."""

    def _sole(self, token: Token) -> Unit:
        """The clause; 唯独书房不动 says that it is the one exception."""
        self.unit.sole = self.unit.sole or token.text[0] in "唯惟"
        return self.unit

    def _all_others(self, token: Token) -> None:
        self.unit.other = True
        self.unit.elsewhere = self.unit.elsewhere or token.text.rstrip("的").endswith(_PLACES)

    def _denied_next(self) -> bool:
        """Whether what stands here is at once said to be left as it is (3号不动, 前排的别调)."""
        following = self._next()
        if following is not None and following.kind is Kind.OF:
            following = self._next(2)
        return following is not None and (following.kind in (Kind.KEEP, Kind.NEGATION) or following.text == "免")
