"""Slips of a recogniser: unknown characters that sound exactly like one known word (空条 → 空调, 窗联 → 窗帘).

A slip is only read where the sound belongs to a single word of the vocabulary; otherwise the text stays as it is.
The repaired text has the same length, so spans keep pointing into the original.
"""

from functools import cached_property, lru_cache

from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind, WordTable
from zhtext.sound import readings, sound_key, syllables

__all__ = ["SlipRepairer"]

_BEFORE_TARGET, _CONDITION_START, _OPEN = Kind.BEFORE_TARGET, Kind.CONDITION_START, Kind.OPEN
_DEVICE, _ROOM_SUFFIX = Kind.DEVICE, Kind.ROOM_SUFFIX

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
_LONGEST = 5
_REMEMBERED = 4_096
"""Pieces whose words are remembered; they are asked for again and again."""
_LONG_NAME = 3
_TWO_WORDS = 4
"""Characters of an unknown run that can be two words of two, both slips (书方空条)."""
_LAMPS = frozenset("登蹬瞪噔凳邓")
_USUAL_LAMPS = ("台灯", "吊灯", "壁灯", "顶灯", "夜灯", "射灯", "筒灯")
"""Names so usual that one unknown character before 灯 is rather a slip for one of them than a new name (胎灯)."""
_USUAL_THINGS = frozenset(
    ("窗帘", "床帘", "空调", "电视", "音箱", "音响", "风扇", "电扇", "吊扇", "插座", "新风", "灯带", "灯泡", "地暖",
     "烟机", "油烟机", "抽油烟机", "加湿器", "除湿机", "电热毯", "热水器", "洗衣机", "净化器", "空气净化器", "电饭煲",
     "摄像头", "扫地机器人", "电视机", "烘干机", "咖啡机", "投影仪", "饮水机", "床头灯", "落地灯", "吸顶灯", "小夜灯",
     "空调机", "电风扇", "取暖器")
)  # fmt: skip
_USUAL = _USUAL_THINGS | frozenset(
    ("客厅", "卧室", "主卧", "次卧", "厨房", "书房", "餐厅", "客房", "卫生间", "洗手间", "厕所", "浴室", "阳台", "走廊",
     "玄关", "车库", "儿童房", "老人房", "办公室", "会议室", "堂屋", "灶房")
)  # fmt: skip
"""Words so usual that what sounds like them is one also where the tones differ."""
_MERGED = frozenset(word for word in _USUAL_THINGS if len(word) >= _LONG_NAME or word == "窗帘")
"""Those long enough to be known by a sound that only some people make (进化器, 船帘)."""
_ALSO_READ = {
    "调": "tiao",
    "长": "chang",
    "乐": "yue",
    "觉": "jiao",
    "佛": "fo",
    "伽": "jia",
    "格": "ge",
    "干": "gan",
    "冷": "ling",
}
"""Other readings that the vocabulary's words have; the rare readings of a character make everything sound alike."""
_BEFORE_THING = frozenset(
    (Kind.OF, Kind.ROOM, Kind.ALL, Kind.OTHER, Kind.BEFORE_TARGET, Kind.COUNT, Kind.VERB, Kind.WEAK, Kind.REFERENCE,
     Kind.EXCEPT_AFTER, Kind.LOCATIVE)
)  # fmt: skip
_LITTLE = frozenset((Kind.UP, Kind.DOWN, Kind.PARTICLE, Kind.COMPARE))
"""Known characters that make no sense right between a place and a lamp (餐厅掉灯)."""
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

    @cached_property
    def _modes(self) -> dict[tuple[int, int, str], list[str]]:
        """Modes and scenes by their length and by one character at its place."""
        found: dict[tuple[int, int, str], list[str]] = {}
        values = self._table.lexicon.values
        for mode in {*values.modes, *values.scenes}:
            for place, character in enumerate(mode):
                found.setdefault((len(mode), place, character), []).append(mode)
        return found

    def repair(self, text: str, tokens: list[Token]) -> str:
        """The text with its slips replaced; the same object where there are none."""
        for index, token in enumerate(tokens):
            kind = token.kind
            if kind is _ROOM_SUFFIX or (kind is _CONDITION_START and token.text == "等"):
                text = self._known(text, tokens, index)
                continue
            if kind is _DEVICE and token.text == "灯" and index > 1 and tokens[index - 1].kind in _LITTLE:
                text = self._lamp(text, tokens, index)
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
            if named and following is not None and following.text == "灯" and len(token.text) == 1:
                text = self._lamp(text, tokens, index + 1)
            if following is not None and following.text == "模式" and len(token.text) > 1:
                text = self._mode(text, token)
                continue
            near = tokens[max(0, index - _LONGEST) : index + _LONGEST + 1]
            edges = {other.start for other in near if other.kind is not _BEFORE_TARGET}
            edges.add(near[-1].end)
            edges -= {t.end for t in near if t.kind is _OPEN and t is not token and t.end == token.start}
            if following is not None and following.text == "是的":
                edges.add(following.start + 1)  # 卧是的灯
            if len(token.text) == _TWO_WORDS:
                edges.add(token.start + _TWO_WORDS // 2)
                text = self._two_words(text, token)
            repaired = 0
            for position in range(token.start, token.end):
                if position >= repaired:
                    text = self._digit(text, position)
                    text, repaired = self._word(text, position, edges, rooms_only=named)
        return text

    def _lamp(self, text: str, tokens: list[Token], index: int) -> str:
        """胎灯, 掉灯: one character that is no word of its own before 灯 sounds like a usual lamp."""
        first = tokens[index - 1]
        if (
            first.end != tokens[index].start
            or len(first.text) > 1
            or (index > 1 and tokens[index - 2].kind not in _BEFORE_THING)
        ):
            return text
        near = {lamp for lamp in _USUAL_LAMPS if _alike(first.text, lamp[0])}
        return f"{text[: first.start]}{near.pop()}{text[first.end + 1 :]}" if len(near) == 1 else text

    def _mode(self, text: str, token: Token) -> str:
        """睡免模式: what no mode is called so, and one mode or scene sounds so."""
        piece = token.text
        near = {
            mode
            for place, character in enumerate(piece)
            for mode in self._modes.get((len(piece), place, character), ())
            if all(a == b or _alike(a, b) for a, b in zip(piece, mode, strict=True))
        }
        return text[: token.start] + near.pop() + text[token.end :] if len(near) == 1 else text

    def _two_words(self, text: str, token: Token) -> str:
        """书方空条, 课厅船帘: an unknown run of a room and a thing that are both slips."""
        middle = token.start + _TWO_WORDS // 2
        first, second = self._only(text[token.start : middle]), self._only(text[middle : token.end])
        if first is None or second is None:
            return text
        room = self._table.forms[first].kind is Kind.ROOM and self._table.forms[second].kind is not Kind.ROOM
        return text[: token.start] + first + second + text[token.end :] if room else text

    def _known(self, text: str, tokens: list[Token], index: int) -> str:
        """Slips that are words themselves: 客厅的等关了 for 灯, 我室 for 卧室."""
        if not index:
            return text
        token, before = tokens[index], tokens[index - 1]
        if token.kind is _CONDITION_START:
            after = tokens[index + 1].kind if index + 1 < len(tokens) else None
            ends = after is None and tokens[0].kind in _ACTED_ON
            lamp = before.kind in (Kind.OF, Kind.ROOM) and (ends or after in _ACTED_ON)
            return f"{text[: token.start]}灯{text[token.end :]}" if lamp else text
        if index > 1 and tokens[index - 2].kind is _OPEN and tokens[index - 2].end == before.start:
            return text  # 孝亲房: the repair would leave a character that nothing explains
        piece = before.text + token.text
        if before.end != token.start or len(before.text) != 1 or piece in self._table.forms:
            return text
        word = self._only(piece)
        known = word is not None and word in self._table.lexicon.rooms.groups
        return f"{text[: before.start]}{word}{text[token.end :]}" if known else text

    def _word(self, text: str, position: int, edges: set[int], *, rooms_only: bool) -> tuple[str, int]:
        """The text with the longest slip over the position replaced, and where it ends."""
        for length in range(_LONGEST, 1, -1):
            for start in range(max(0, position - length + 1), min(position, len(text) - length) + 1):
                piece = text[start : start + length]
                if start not in edges or start + length not in edges:
                    continue
                if piece in self._table.forms or not piece.isalpha() or piece.isascii():
                    continue
                word = self._only(piece)
                if piece[0] == "灯" and word not in _USUAL:
                    continue  # 灯拢关掉: the light is said, and what follows is no part of it
                if word is not None and (not rooms_only or self._fits_name(piece, word)):
                    return text[:start] + word + text[start + length :], start + length
        return text, 0

    def _fits_name(self, piece: str, word: str) -> bool:
        """床投灯: before a thing's own word a slip is a room, or a longer name that ends in the same word."""
        if self._table.forms[word].kind is Kind.ROOM or (word in _USUAL_THINGS and word[-1] == piece[-1]):
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
            if (all(a == b or _alike(a, b) for a, b in zip(piece, word, strict=True)) and not self._coined(piece, word))
            or (word in _MERGED and sound_key(piece) == sound_key(word))
        }
        meanings = {self._table.forms[w] for w in near}
        if len(heard) >= _REMEMBERED:
            heard.clear()
        heard[piece] = min(near) if len(meanings) == 1 else None
        return heard[piece]

    def _coined(self, piece: str, word: str) -> bool:
        """收银机, 水景灯, 校园: rather a word nobody listed; a slip for a word that is not so usual keeps the tones."""
        if word in _USUAL or self._table.forms[word].kind not in (Kind.ROOM, Kind.DEVICE):
            return False
        return any(a != b and readings(a)[0] not in readings(b) for a, b in zip(piece, word, strict=True))

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
    """Whether what was heard, by its usual reading, can be the known character in the words of the vocabulary."""
    said = readings(heard)[0].rstrip("12345")
    return said == readings(known)[0].rstrip("12345") or said == _ALSO_READ.get(known)
