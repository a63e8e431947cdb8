"""Spotting: a sentence becomes a row of typed tokens with their spans (architecture: "a spotter finds typed mentions").

Segmentation takes the fewest known words over the fewest unknown characters (dynamic programming over the word table,
so it is linear in the length of the sentence). Numbers and times come from `zhtext`. What stays unknown is joined to
OPEN tokens; `naming` reads names and rooms out of them by position and form.
"""

import msgspec

from tingdong.alive import WhileAlive
from tingdong.commands.reading import NameTable
from tingdong.commands.words import Kind, Word, WordTable
from zhtext.clock import find_times, when_string
from zhtext.normalise import fold
from zhtext.patterns import LazyPattern
from zhtext.quantities import Quantity, QuantityKind, find_quantities

__all__ = ["LexiconSpotter", "Token"]

_BREAK, _OPEN, _QUANTITY, _WHEN = Kind.BREAK, Kind.OPEN, Kind.QUANTITY, Kind.WHEN


class Token(msgspec.Struct, gc=False):
    """A typed span of the normalised text. `value`, `attribute` and `device` as in `Word`."""

    kind: Kind
    start: int
    end: int
    text: str
    value: str = ""
    attribute: str = ""
    device: str = ""
    quantity: Quantity | None = None


_UNKNOWN_COST = 3.0
_WORD_COST = 1.0
_NAME_COST = 0.5
_SHORT_COST = 1.0625
_VAGUE_TIME = 2
"""A part of the day of so few characters gives way to a longer word (小鸭子夜灯)."""
_LATIN = LazyPattern(r"[a-z][a-z0-9.+_]*(?:-[a-z0-9]+)*")
_DIGITS = LazyPattern(r"[0-9]+")
_SET_TO = frozenset("到成为")
_BIT = LazyPattern("(?:(?<=[亮暗高低大小快慢暖冷热凉柔响轻强弱])|(?<=[柔暖]和))一点(?=[0-9一二三四五六七八九十百])")
"""亮一点五十: a bit, and then a number; neither ten to two nor one and a half."""
_POINT = LazyPattern(r"[一二三四五六七八九十两]+点[零一二三四五六七八九](?![十分刻点半零一二三四五六七八九])")
_TITLE = LazyPattern(r"《[^》]{0,60}》?")
_ROOM_CODE = LazyPattern(
    r"[A-Za-z]?[ \-]?[0-9]{3,4}(?=的|房|室|号房|门|空调|灯|窗|电视|风扇|插座|关|开|大灯|床头|地暖|热水器"
    r"|停用|退|客人|有人|没人|[和跟与及、][0-9]{3,4}(?![0-9%K]))"
    r"|(?<=[0-9][和跟与及、])[0-9]{3,4}(?![0-9%kKk])"
    r"|(?<![到成为为])[0-9]{3,4}(?<!00) (?=空调|灯|窗帘|电视|风扇|插座)"
)
_CLASS = LazyPattern(
    r"(?:(?:[高初小]?[一二三四五六1-6]年级|[高初][一二三])(?:[0-9一二三四五六七八九十]{1,3}班|各班)?(?<![高初][一二三])"
    r"|[高初][一二三](?=教室|走廊|办公室|楼层)|[0-9一二三四五六七八九十]{1,3}班)(?![倒车机级次人会组长])"
)
_HARD = frozenset("，。！？；,.!?;…—~～\n·|•●■►（(")
_SPELT = frozenset("零〇一二三四五六七八九")
_BEFORE_CODE = frozenset(
    (Kind.BREAK, Kind.EXCEPT_BEFORE, Kind.JOINT, Kind.ONLY_THIS, Kind.ONLY, Kind.ZONE, Kind.BEFORE_TARGET, Kind.OF,
     Kind.CONFIRM, Kind.CORRECTION, Kind.REQUEST, Kind.VERB, Kind.POLITE, Kind.SEQUENCE, Kind.KEEP)
)  # fmt: skip
_BEFORE_SPELT = frozenset((Kind.BREAK, Kind.BEFORE_TARGET, Kind.JOINT, Kind.POLITE))
_QUIET = frozenset("：:“”\"'「」『』）)【】[]{}｛｝<>《》 =`*^⇒➜")


_Step = tuple[float, int, Word | Token | None]
"""The cheapest way on from a position: its cost, where it ends, and what it reads."""


class LexiconSpotter:
    """The spotter that knows the word table, and the names of a home when it is given them."""

    def __init__(self, table: WordTable) -> None:
        self._table = table
        self._kept: WhileAlive[NameTable, _Names] = WhileAlive(lambda names: _Names(names, table))

    def spot(self, text: str, names: NameTable | None = None) -> list[Token]:
        """The tokens of a text, in order; `names` are those of a home."""
        folded = fold(text)
        edges = self._fixed_edges(text)
        extra = self._kept.of(names) if names is not None else None
        return self._segment(text, folded, edges, extra)

    def _fixed_edges(self, text: str) -> dict[int, Token]:
        """Tokens that are read by form: times, quantities, room codes, titles, Latin words."""
        edges: dict[int, Token] = {}
        read = _without_bits(text) if "一点" in text else text
        times = [time for time in find_times(read) if not _decimal(text, time.start, time.end)]
        for time in times:
            said = when_string(time) or ""
            said = "" if said[:2] == "每月" else said  # no WHEN of the protocol
            edges[time.start] = Token(_WHEN, time.start, time.end, text[time.start : time.end], said)
        taken = [(time.start, time.end) for time in times]
        for quantity in find_quantities(read, taken=taken):
            edges.setdefault(quantity.start, _quantity_token(text, quantity))
        if "班" in text or "年级" in text or "教室" in text:
            for match in _CLASS.finditer(text):
                start, end = match.span()
                edges[start] = Token(Kind.ROOM, start, end, match.group(), match.group(), "class")
        if "《" in text:
            for match in _TITLE.finditer(text):
                edges[match.start()] = Token(Kind.NOUN, match.start(), match.end(), match.group())
        return edges

    def _segment(self, text: str, folded: str, edges: dict[int, Token], extra: "_Names | None") -> list[Token]:
        size = len(folded)
        forms, lengths = self._table.forms, self._table.lengths
        costs = [0.0] * (size + 1)
        following = [0] * (size + 1)
        words: list[Word | Token | None] = [None] * (size + 1)
        barrier = size
        for index in range(size - 1, -1, -1):
            character = folded[index]
            edge = edges.get(index) if edges else None
            if edge is not None and edge.kind is _WHEN and (edge.value or edge.end - edge.start > _VAGUE_TIME):
                costs[index], following[index], words[index] = costs[edge.end] + 0.5, edge.end, edge
                barrier = index
                continue
            after = costs[index + 1]
            best, end = after + _UNKNOWN_COST, index + 1
            word: Word | Token | None = None
            if edge is not None and edge.end <= barrier:
                best, end, word = costs[edge.end] + (1.1 if edge.kind is Kind.ORDINAL else 0.9), edge.end, edge
            known = forms.get(character)
            if known is not None:
                cost = after + (known.cost if known.cost > 1 else _SHORT_COST)
                if cost <= best:
                    best, end, word = cost, index + 1, known
            longer = lengths.get(folded[index : index + 2], ())
            if longer and character == "开" and index and folded[index - 1] == "打":
                longer = ()  # 打开水槽灯 holds no 开水
            for length in longer:
                stop = index + length
                if stop > barrier:
                    break
                found = forms.get(folded[index:stop])
                if found is not None and costs[stop] + found.cost <= best:
                    best, end, word = costs[stop] + found.cost, stop, found
            if character < "{" and (character.isalpha() or character.isdigit()):
                best, end, word = self._latin(folded, index, costs, (best, end, word))
            if extra is not None:
                best, end, word = extra.read(folded, index, costs, (best, end, word))
            costs[index], following[index], words[index] = best, end, word
        return _tokens(text, following, words)

    def _latin(self, folded: str, index: int, costs: list[float], found: _Step) -> _Step:
        """Latin words are read whole: `fan speed`, `HDMI2`; an unknown one is one unknown."""
        before = folded[index - 1] if index else ""
        if before.isascii() and before.isalnum():
            return found
        code = _ROOM_CODE.match(folded, index)
        if code is not None and costs[code.end()] + 0.8 < found[0]:
            return costs[code.end()] + 0.8, code.end(), Word(Kind.ROOM, code.group().upper())
        match = _LATIN.match(folded, index)
        if match is None:
            match = _DIGITS.match(folded, index)
            if match is None or found[2] is not None:
                return found
            return costs[match.end()] + _UNKNOWN_COST, match.end(), None
        end = match.end()
        if folded[end : end + 1] == " ":
            second = _LATIN.match(folded, end + 1) or _DIGITS.match(folded, end + 1)
            if second is not None:
                joined = self._table.forms.get(folded[index:end] + second.group())
                if joined is not None:
                    return costs[second.end()] + _WORD_COST, second.end(), joined
        known = self._table.forms.get(match.group())
        if found[2] is not None and found[1] > end:
            return found
        if known is not None:
            return costs[end] + _WORD_COST, end, known
        return costs[end] + _UNKNOWN_COST, end, None


def _without_bits(text: str) -> str:
    """亮一点五十 with pauses for 一点."""
    for match in _BIT.finditer(text):
        text = f"{text[: match.start()]}，，{text[match.end() :]}"
    return text


def _decimal(text: str, start: int, end: int) -> bool:
    """调到二十二点五: after a word that sets, so short a time is a number with its decimal."""
    if not start or text[start - 1] not in _SET_TO:
        return False
    found = _POINT.match(text, start)
    return found is not None and found.end() >= end


def _quantity_token(text: str, quantity: Quantity) -> Token:
    kind = _QUANTITY
    if quantity.kind is QuantityKind.COUNT:
        kind = Kind.COUNT
    elif quantity.kind is QuantityKind.ORDINAL:
        kind = Kind.ZONE if quantity.unit in ("楼", "层") else Kind.ORDINAL
    return Token(kind, quantity.start, quantity.end, text[quantity.start : quantity.end], quantity=quantity)


def _is_room_code(tokens: list[Token], number: Token, sentence: str) -> bool:
    """203和205除外, 是302: a number of three or four digits where a room can stand and no value can."""
    quantity, text = number.quantity, number.text
    if quantity is None or quantity.kind is not QuantityKind.NUMBER or not 3 <= len(text) <= 4:
        return False
    if _SPELT.issuperset(text):  # 二零三的空调
        return (
            text[1] in "零〇"
            and sentence[number.end : number.end + 1] == "的"
            and (not tokens or tokens[-1].kind in _BEFORE_SPELT)
        )
    if not text.isdigit():
        return False
    bare = text.isascii() and text[-2:] != "00" and sentence[number.end : number.end + 1] != "了"
    return bare and (not tokens or tokens[-1].kind in _BEFORE_CODE)


class _Names:
    """A home's own words as entries by their first character; they win over the lexicon (`NameTable`)."""

    def __init__(self, names: NameTable, table: WordTable) -> None:
        lexicon = table.lexicon
        by_type = {kind.type: name for name, kind in reversed(lexicon.kinds.items())}
        words = {fold(room): Word(Kind.ROOM, room) for room in names.rooms}
        words.update((fold(scene), Word(Kind.SCENE, scene)) for scene in names.scenes)
        for name, device_type in names.names.items():
            if not lexicon.is_generic(name):
                kind = lexicon.kind_of_name(name) or by_type.get(device_type, "")
                words[fold(name)] = Word(Kind.DEVICE, name, "named", kind)
        self._words = words
        self._lengths: dict[str, set[int]] = {}
        for form in words:
            if len(form) > 1:
                self._lengths.setdefault(form[0], set()).add(len(form))

    def read(self, folded: str, index: int, costs: list[float], found: _Step) -> _Step:
        """The longest of the home's words here, where it is no dearer than what the lexicon found."""
        for length in sorted(self._lengths.get(folded[index], ())):
            stop = index + length
            if stop > len(folded):
                break
            word = self._words.get(folded[index:stop])
            if word is not None and costs[stop] + _NAME_COST <= found[0]:
                found = (costs[stop] + _NAME_COST, stop, word)
        return found


def _codes(before: str, after: str) -> bool:
    """Whether both sides of a comma are letters with a number (P1,P2)."""
    return before.isascii() and before[-1:].isdigit() and after[:1].isascii() and after[:1].isalpha()


def _tokens(text: str, following: list[int], words: list[Word | Token | None]) -> list[Token]:
    tokens: list[Token] = []
    index, size = 0, len(text)
    while index < size:
        end, word = following[index], words[index]
        if word is None:
            character = text[index]
            if character == "+" and text[end : end + 1].isdigit():
                tokens.append(Token(Kind.UP, index, end, character, "调高"))
            elif character == "、" or character == "/" or character == "+" or character == "&":
                tokens.append(Token(Kind.JOINT, index, end, character))
            elif character in _HARD or (character == " " and text[index - 1] > "⺀" and text[end : end + 1] > "⺀"):
                coded = character == "," and tokens and tokens[-1].kind is _OPEN and _codes(tokens[-1].text, text[end:])
                tokens.append(Token(Kind.JOINT if coded else _BREAK, index, end, character))  # P1,P2
            elif character in _QUIET:
                tokens.append(Token(Kind.PARTICLE, index, end, character))
            elif character == "→":
                compared = "<" in text or ">" in text  # 温度<16 → 开: of a condition it says only that it follows
                tokens.append(Token(Kind.PARTICLE if compared else _BREAK, index, end, character))
            elif tokens and tokens[-1].kind is _OPEN and tokens[-1].end == index:
                last = tokens[-1]
                tokens[-1] = Token(_OPEN, last.start, end, text[last.start : end])
            else:
                tokens.append(Token(_OPEN, index, end, text[index:end]))
        elif isinstance(word, Token):
            if word.kind is _QUANTITY and word.end - word.start > 2 and _is_room_code(tokens, word, text):
                word = Token(Kind.ROOM, word.start, word.end, word.text, word.text)
            tokens.append(word)
        else:
            tokens.append(Token(word.kind, index, end, text[index:end], word.value, word.attribute, word.device))
        index = end
    return tokens
