"""Frames: rows of words that show how a clause is meant, whatever else stands in it (architecture, law 2).

"我妈又把灯关了" tells, "老公你去把灯关了" asks somebody else, "空调要不要开" wonders. The frames and their words are
data (`grammar.yaml`: `frames`, `frame_words`). A frame is a row of parts joined by `+`:

- a name of `frame_words`, or a word itself
- a kind of token in capitals (`BEFORE_TARGET`), or `ACT` for any part of an act, `DONE_ACT` for one that 了 ends
- `*` after a part: as often as it is there, also never
- `…`: anything up to the next part within the clause
- `^` and `$`: the beginning and the end of the clause, `^^` that of the sentence
"""

from collections.abc import Sequence

import msgspec

from context_retrieval.lexicon import Lexicon, LexiconError
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind

__all__ = ["Frames", "Meant"]

Meant = str
"""What a frame shows: `told`, `done` (what was read just before is told), `addressed`, `asked` (when), `wondered`, …"""

_ACT = frozenset((Kind.VERB, Kind.WEAK, Kind.STATE, Kind.SET, Kind.MORE, Kind.UP, Kind.DOWN))
WIDEST = 40
"""Tokens that may stand where a frame says …: work stays linear in the text."""
_ENDS_FRAME = frozenset((Kind.BREAK, Kind.PARTICLE, Kind.ASK, Kind.POLITE))


class _FramePart(msgspec.Struct, frozen=True, gc=False):
    words: frozenset[str] = frozenset()
    kinds: frozenset[Kind] = frozenset()
    many: bool = False
    sign: str = ""
    end: str = ""

    @property
    def only_words(self) -> bool:
        """Whether it is one of its words and nothing else."""
        return not (self.kinds or self.many or self.sign)

    def fits(self, token: Token) -> bool:
        if token.text in self.words:
            return True
        return token.kind in self.kinds and token.text.endswith(self.end)


class Frames:
    """The frames of a lexicon, found by the word they begin with."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._words = lexicon.tables.get("frame_words", {})
        self._starts: dict[str, list[tuple[Meant, str, tuple[_FramePart, ...], frozenset[str]]]] = {}
        for meant, rows in lexicon.tables.get("frames", {}).items():
            for row in rows:
                border = "^^" if row.startswith("^^") else "^" if row.startswith("^") else ""
                parts = tuple(self._part(piece, row) for piece in row.lstrip("^+").split("+"))
                if not parts[0].words:
                    raise LexiconError(f"grammar.yaml: frames: {row}: a frame must begin with a word")
                second = parts[1].words if len(parts) > 1 and parts[1].only_words else frozenset[str]()
                for word in parts[0].words:
                    self._starts.setdefault(word, []).append((meant, border, parts, second))

    def _part(self, piece: str, row: str) -> _FramePart:
        if piece in ("…", "$"):
            return _FramePart(sign=piece)
        name = piece.rstrip("*")
        many = name != piece
        if name == "ACT":
            return _FramePart(kinds=_ACT, many=many)
        if name == "DONE_ACT":
            return _FramePart(kinds=_ACT, many=many, end="了")
        if name.isascii() and name.isupper():
            if name not in Kind.__members__:
                raise LexiconError(f"grammar.yaml: frames: {row}: unknown kind of token {name}")
            return _FramePart(kinds=frozenset((Kind[name],)), many=many)
        if name.isascii() and name not in self._words:
            raise LexiconError(f"grammar.yaml: frames: {row}: unknown frame_words {name}")
        return _FramePart(words=frozenset(self._words.get(name, (name,))), many=many)

    def words(self, name: str) -> frozenset[str]:
        """The `frame_words` of this name."""
        return frozenset(self._words.get(name, ()))

    def find(self, tokens: Sequence[Token]) -> dict[int, Meant]:
        """Where frames begin in the row of tokens, and what they show; the first frame of a token counts."""
        found: dict[int, Meant] = {}
        starts = self._starts
        for index, token in enumerate(tokens):
            frames = starts.get(token.text)
            if frames is None:
                continue
            following = tokens[index + 1].text if index + 1 < len(tokens) else ""
            for meant, border, parts, second in frames:
                if second and following not in second:
                    continue
                if (not border or _begins(tokens, index, border)) and _matches(tokens, index, parts, 0):
                    found[index] = meant
                    break
        return found

    def asked(self, tokens: list[Token], found: dict[int, Meant]) -> list[Token]:
        """The tokens with each time asked for, and its act, made one question: 空调几点关 asks a state."""
        kept: list[Token] = []
        upto = 0
        for index, token in enumerate(tokens):
            if index < upto:
                continue
            if found.get(index) == "asked":
                upto = next(at for at in range(index + 1, len(tokens)) if tokens[at].kind in _ACT) + 1
                text = "".join(part.text for part in tokens[index:upto])
                token = Token(Kind.STATUS, token.start, tokens[upto - 1].end, text, "查询状态")
            kept.append(token)
        return kept


def _begins(tokens: Sequence[Token], index: int, border: str) -> bool:
    at = index - 1
    while at >= 0 and tokens[at].kind is Kind.PARTICLE:
        at -= 1
    return at < 0 or (border == "^" and tokens[at].kind is Kind.BREAK)


def _matches(tokens: Sequence[Token], at: int, parts: tuple[_FramePart, ...], place: int) -> bool:
    size = len(tokens)
    while place < len(parts):
        part = parts[place]
        if part.sign == "$":
            return at >= size or tokens[at].kind in _ENDS_FRAME
        if part.sign == "…":
            size = min(size, at + WIDEST)
            while at < size and tokens[at].kind is not Kind.BREAK:
                if _matches(tokens, at, parts, place + 1):
                    return True
                at += 1
            return False
        if part.many:
            while at < size and part.fits(tokens[at]):
                at += 1
        elif at < size and part.fits(tokens[at]):
            at += 1
        else:
            return False
        place += 1
    return True
