"""Tokens of references: 它, 那盏灯, 这几台 (commands.md, NAME and TYPE: anaphora)."""

from context_retrieval.models import LAST_NAME, Quantifier
from tingdong.commands.clause_state import ClauseState
from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import PLACES
from tingdong.commands.words import Kind

__all__ = ["ReferenceTokens"]

_WEAK_REFERENCES = frozenset(("那", "这", "刚才", "刚刚", "刚那个", "刚开的", "刚关的"))
_IT = frozenset(("它", "佢", "伊"))
_THAT_ONE = frozenset(("那台", "那盏", "这台", "这盏", "那部", "那只", "那扇", "那幅"))
_POINTED_PLACES = frozenset((Kind.ROOM, Kind.ZONE, Kind.REFERENCE, Kind.REFERENCES))


class ReferenceTokens(ClauseState):
    """Readers of references."""

    def _reference(self, token: Token) -> None:
        following = self._next()
        typed = following is not None and following.kind is Kind.DEVICE
        if typed and self._rooms and not self._picked_out(following):
            return
        if following is not None and following.kind in _POINTED_PLACES and following.start == token.end:
            return  # 那个卧室灯, 刚才说的那台空调: more is said of it
        if not typed and (token.text in _WEAK_REFERENCES or self._excluding or (self._rooms and self._group)):
            return
        group = self._target_group(token)
        item = self._new_item(group)
        item.name, item.word, item.plural = LAST_NAME, token.text, token.kind is Kind.REFERENCES
        item.kind = token.device  # 那盏
        if typed and following is not None:
            item.typed = True
            item.kind = following.device
            following.kind = Kind.PARTICLE
            if group.items and group.items[-1].open and not self._joined:
                group.items[-1].kind = following.device
                return
            if following.value not in ("*", ""):
                item.name, item.word = following.value, following.text
                item.quantifier = Quantifier.ALL if item.plural else item.quantifier
        same = group.items and not self._joined and not group.items[-1].plural
        beside = self._at > 0 and self._tokens[self._at - 1].kind is Kind.DEVICE and token.text in _THAT_ONE
        if same and (group.items[-1].name == "*" or ((token.text in _IT or beside) and not typed)):
            return  # 星空顶给它亮起来
        group.items.append(item)

    def _picked_out(self, following: Token | None) -> bool:
        """卧室的那个灯 is one that both know of; 卧室那盏灯 only says where it is, and so does what is left out."""
        place, of = self._tokens[max(self._at - 2, 0)], self._tokens[self._at - 1]
        generic = following is not None and following.value == "*"
        named = self._group is not None and bool(self._group.items)
        return of.kind is Kind.OF and place.kind in PLACES and generic and not self._excluding and not named
