"""Slips of a recogniser: unknown characters that sound exactly like one known word (空条 → 空调, 窗联 → 窗帘).

A slip is only read where the sound belongs to a single word of the vocabulary; otherwise the text stays as it is.
The repaired text has the same length, so spans keep pointing into the original.
"""

from functools import cached_property, lru_cache

from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind, WordTable
from zhtext.sound import readings, syllables

__all__ = ["SlipRepairer"]

_BEFORE_TARGET, _CONDITION_START, _OPEN = Kind.BEFORE_TARGET, Kind.CONDITION_START, Kind.OPEN
_ROOM_SUFFIX = Kind.ROOM_SUFFIX

_HEADS = frozenset((Kind.ROOM_SUFFIX, Kind.CHANNEL_TAIL))
"""After these an unknown run is the first part of a name (树屋, 壁炉灯, 东方卫视)."""
_KINDS = frozenset((Kind.ROOM, Kind.DEVICE, Kind.ATTRIBUTE))
_VERBS = (
    "打开",
    "关闭",
    "关掉",
    "关上",
    "暂停",
    "继续",
    "播放",
    "停止",
    "静音",
    "调到",
    "调高",
    "调低",
    "制冷",
    "制热",
    "除湿",
    "送风",
)
_DIGITS = {
    "yi": "一",
    "er": "二",
    "san": "三",
    "si": "四",
    "wu": "五",
    "liu": "六",
    "qi": "七",
    "ba": "八",
    "jiu": "九",
    "shi": "十",
}
_NUMERALS = frozenset("零一二三四五六七八九十百两0123456789")
_LONGEST = 4
_REMEMBERED = 4_096
"""Pieces whose words are remembered; they are asked for again and again."""
_LONG_NAME = 3
_LAMPS = frozenset("登蹬瞪噔凳邓")
_BEFORE_THING = frozenset(
    (Kind.OF, Kind.ROOM, Kind.ALL, Kind.OTHER, Kind.BEFORE_TARGET, Kind.COUNT, Kind.VERB, Kind.WEAK, Kind.REFERENCE,
     Kind.EXCEPT_AFTER, Kind.LOCATIVE)
)  # fmt: skip
_ACTED_ON = frozenset((Kind.VERB, Kind.ALL, Kind.MORE, Kind.AGAIN, Kind.SEQUENCE, Kind.CORRECTION, Kind.SET))


class SlipRepairer:
    """Repairs slips against a word table; its index of sounds is built when first needed."""

    def __init__(self, table: WordTable) -> None:
        self._table = table
        self._heard: dict[str, str | None] = {}

    @cached_property
    def _by_character(self) -> dict[tuple[int, int, str], list[str]]:
        """Words by their length and by one character at its place."""
        found: dict[tuple[int, int, str], list[str]] = {}
        forms = self._table.forms
        words = [w for w, word in forms.items() if word.kind in _KINDS and 1 < len(w) <= _LONGEST]
        for word in (*words, *(verb for verb in _VERBS if verb in forms)):
            if not any(character.isascii() for character in word):
                for place, character in enumerate(word):
                    found.setdefault((len(word), place, character), []).append(word)
        return found

    def repair(self, text: str, tokens: list[Token]) -> str:
        """The text with its slips replaced; the same object where there are none."""
        for index, token in enumerate(tokens):
            kind = token.kind
            if kind is _ROOM_SUFFIX or (kind is _CONDITION_START and token.text == "等"):
                text = self._known(text, tokens, index)
                continue
            if kind is not _OPEN or token.text.isascii():
                continue
            if token.text in _LAMPS and index and tokens[index - 1].kind in _BEFORE_THING:
                text = f"{text[: token.start]}灯{text[token.end :]}"
                continue
            following = tokens[index + 1] if index + 1 < len(tokens) else None
            if following is not None and following.kind in _HEADS:
                continue
            named = following is not None and following.kind is Kind.DEVICE
            near = tokens[max(0, index - _LONGEST) : index + _LONGEST + 1]
            edges = {other.start for other in near if other.kind is not _BEFORE_TARGET}
            edges.add(near[-1].end)
            edges -= {t.end for t in near if t.kind is _OPEN and t is not token and t.end == token.start}
            for position in range(token.start, token.end):
                text = self._digit(text, position)
                text = self._word(text, position, edges, rooms_only=named)
        return text

    def _known(self, text: str, tokens: list[Token], index: int) -> str:
        """Slips that are words themselves: 客厅的等关了 for 灯, 我室 for 卧室."""
        if not index:
            return text
        token, before = tokens[index], tokens[index - 1]
        if token.kind is _CONDITION_START:
            after = tokens[index + 1].kind if index + 1 < len(tokens) else None
            lamp = before.kind in (Kind.OF, Kind.ROOM) and after in _ACTED_ON
            return f"{text[: token.start]}灯{text[token.end :]}" if lamp else text
        piece = before.text + token.text
        if before.end != token.start or len(before.text) != 1 or piece in self._table.forms:
            return text
        word = self._only(piece)
        known = word is not None and word in self._table.lexicon.rooms.groups
        return f"{text[: before.start]}{word}{text[token.end :]}" if known else text

    def _word(self, text: str, position: int, edges: set[int], *, rooms_only: bool) -> str:
        for length in range(_LONGEST, 1, -1):
            for start in range(max(0, position - length + 1), min(position, len(text) - length) + 1):
                piece = text[start : start + length]
                if start not in edges or start + length not in edges:
                    continue
                if piece in self._table.forms or not piece.isalpha() or piece.isascii():
                    continue
                word = self._only(piece)
                if word is not None and (not rooms_only or self._fits_name(piece, word)):
                    return text[:start] + word + text[start + length :]
        return text

    def _fits_name(self, piece: str, word: str) -> bool:
        """床投灯: before a thing's own word a slip is a room, or a longer name that ends in the same word."""
        if self._table.forms[word].kind is Kind.ROOM:
            return True
        return len(word) >= _LONG_NAME and word[-1] == piece[-1] and word[0] == piece[0]

    def _only(self, piece: str) -> str | None:
        """The one word that sounds like the piece and shares a character with it; words of one meaning count as one."""
        heard = self._heard
        if piece in heard:
            return heard[piece]
        near = {
            word
            for place, character in enumerate(piece)
            for word in self._by_character.get((len(piece), place, character), ())
            if all(a == b or _alike(a, b) for a, b in zip(piece, word, strict=True))
        }
        meanings = {self._table.forms[w] for w in near}
        if len(heard) >= _REMEMBERED:
            heard.clear()
        heard[piece] = min(near) if len(meanings) == 1 else None
        return heard[piece]

    def _digit(self, text: str, position: int) -> str:
        """二十留度 → 二十六度, 二十五肚 → 二十五度."""
        before = text[position - 1] if position else ""
        if before not in _NUMERALS:
            return text
        sound = syllables(text[position])[0]
        if sound == "du":
            return f"{text[:position]}度{text[position + 1 :]}"
        if text[position + 1 : position + 2] in ("度", "成", "档", "挡") and sound in _DIGITS:
            return f"{text[:position]}{_DIGITS[sound]}{text[position + 1 :]}"
        return text


@lru_cache(maxsize=16_384)
def _alike(heard: str, known: str) -> bool:
    """Whether what was heard, by its usual reading, can be the known character."""
    usual = readings(heard)[:1]
    return bool(usual) and usual[0].rstrip("12345") in _syllables(known)


@lru_cache(maxsize=8_192)
def _syllables(character: str) -> frozenset[str]:
    return frozenset(reading.rstrip("12345") for reading in readings(character))
