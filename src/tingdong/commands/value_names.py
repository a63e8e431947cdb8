"""Values by position and form: what stands before 模式, 场景 and 频道, and a bare colour (观影模式, 体育五台)."""

from msgspec.structs import replace

from tingdong.commands.name_parts import MAX_RUN, SURE
from tingdong.commands.place_names import PlaceNames
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from zhtext.quantities import QuantityKind

__all__ = ["ValueNames"]

_NOUN, _OPEN, _ROOM = Kind.NOUN, Kind.OPEN, Kind.ROOM
_MAX_NAME = 8
_SHORT_MODE = 2
_RUNS = frozenset("跑走用选")
"""Verbs of machines that run a programme."""
_CHANNEL_FAMILIES = frozenset(("体育", "新闻", "电影", "少儿", "音乐", "财经", "农业", "戏曲", "综艺", "卡通", "经济"))
_FIRST_OF_MODE = frozenset((Kind.WEAK, Kind.POLITE, Kind.SIZE, Kind.LOCATIVE, Kind.UP, Kind.DOWN, Kind.SEQUENCE))


class ValueNames(PlaceNames):
    """Joins tokens to modes, scenes, channels and colours; made once for a lexicon."""

    def _mode(self, out: list[Token], token: Token) -> Token | None:
        """What stands before 模式 or 场景 names it."""
        start = len(out)
        if out and out[-1].kind is Kind.VERB and out[-1].end == token.start and self._mode_verb(out[-1]):
            verb = out.pop()
            return Token(Kind.VALUE, verb.start, token.end, verb.text + token.text, verb.text, "模式", "mode")
        allowed = (_OPEN, Kind.VALUE, Kind.SIZE, _NOUN, _ROOM, Kind.EVENT, Kind.DOMAIN, Kind.CLAUSE_SIGN)
        while (
            start
            and out[start - 1].end == (out[start].start if start < len(out) else token.start)
            and out[start - 1].kind in allowed
        ):
            if token.start - out[start - 1].start > _MAX_NAME or (
                out[start - 1].kind is _OPEN and len(out[start - 1].text) > MAX_RUN
            ):
                break
            start -= 1
        quoted = out[-1].text in '」”』"' if out else False
        if start == len(out):
            if quoted:
                return self._quoted(out, token)
            return Token(Kind.ATTRIBUTE, token.start, token.end, token.text, "模式", "模式")
        pieces = out[start:]
        if len(pieces) == 1 and pieces[0].kind is Kind.VALUE:
            value = pieces[0]
            out.pop()
            device = "mode" if value.attribute == "模式" else "scene"
            name = value.value if value.attribute == "模式" else value.text
            return Token(Kind.VALUE, value.start, token.end, value.text + token.text, name, "模式", device)
        if len(pieces) == 1 and len(pieces[0].text) == 1 and start and out[start - 1].end == pieces[0].start:
            first = out[start - 1]
            if len(first.text) == 1 and first.kind in _FIRST_OF_MODE and first.text.isalpha():
                pieces.insert(0, first)  # 关店场景, 早市模式
        del out[len(out) - len(pieces) :]
        name = "".join(piece.text for piece in pieces)
        start = pieces[0].start
        if len(name) > _SHORT_MODE and name[0] in _RUNS and out and out[-1].kind is Kind.DEVICE:
            out.append(Token(Kind.SET, start, start + 1, name[0]))
            start, name = start + 1, name[1:]  # 洗碗机跑标准模式
        return Token(Kind.VALUE, start, token.end, name + token.text, name, "模式", "open")

    def _mode_verb(self, verb: Token) -> bool:
        """静音模式, 拖地模式: some verbs name modes."""
        return verb.value not in ("打开", "关闭", "执行") or verb.text in self._lexicon.values.modes

    def _quoted(self, out: list[Token], token: Token) -> Token:
        start = len(out) - 1
        while start and out[start - 1].text not in '「“『"':
            start -= 1
        name = "".join(piece.text for piece in out[start:-1])
        first = out[start].start
        del out[start:]
        return Token(Kind.VALUE, first, token.end, name, name, "模式", "quoted")

    def _channel(self, out: list[Token], token: Token) -> Token | None:
        if out and out[-1].end == token.start:
            piece = out[-1]
            if piece.kind in (Kind.QUANTITY, Kind.ORDINAL) and piece.quantity is not None:
                out.pop()
                value = f"{piece.quantity.value:g}"
                return Token(Kind.VALUE, piece.start, token.end, piece.text + token.text, value, "频道", "word")
            if piece.kind in (_OPEN, Kind.DOMAIN, Kind.VALUE, _NOUN) and 1 < len(piece.text) <= MAX_RUN:
                out.pop()
                text = piece.text + token.text
                formed = piece.kind in (_OPEN, _NOUN)
                return Token(Kind.VALUE, piece.start, token.end, text, text, "频道", "formed" if formed else "word")
        if token.text == "频道":
            return Token(Kind.ATTRIBUTE, token.start, token.end, token.text, "频道", "频道")
        if out and out[-1].kind is _OPEN and out[-1].end == token.start:
            first = out.pop()
            return Token(_OPEN, first.start, token.end, first.text + token.text)
        return Token(_OPEN, token.start, token.end, token.text)

    def _numbered_channel(self, out: list[Token], token: Token) -> Token | None:
        """中央三台, CCTV13; 第一百零二台 and 12 频道 are numbers of channels."""
        if out and (piece := out[-1]).value == "channel" and token.start - piece.end <= 1:
            out.pop()
            latin = piece.text.isascii()
            number = f"{token.quantity.value:g}" if latin and token.quantity else token.text
            return Token(
                Kind.VALUE, piece.start, token.end, piece.text + token.text, piece.text.upper() + number, "频道", "word"
            )
        if out and token.text[-1] == "台" and out[-1].text in _CHANNEL_FAMILIES and out[-1].end == token.start:
            family = out.pop()
            text = family.text + token.text
            return Token(Kind.VALUE, family.start, token.end, text, text, "频道", "word")  # 体育五台
        if token.kind is Kind.ORDINAL and token.quantity is not None and token.quantity.unit in ("频道", "台"):
            if out and out[-1].kind is Kind.ATTRIBUTE and out[-1].value != "频道" and token.text.endswith("频道"):
                return _after_number(out, token)
            return Token(Kind.VALUE, token.start, token.end, token.text, f"{token.quantity.value:g}", "频道", "word")
        return None

    def _colour(self, out: list[Token], token: Token) -> Token | None:
        """A bare colour character is a colour only where one is set (变绿, 灯带红); 小白 is a name."""
        if token.attribute == "模式" and token.text.endswith("模式") and out and out[-1].end == token.start:
            piece = out[-1]
            bordered = len(out) == 1 or out[-2].kind in SURE or out[-2].kind is Kind.VERB
            if (
                bordered
                and piece.kind in (_OPEN, Kind.EVENT)
                and len(piece.text) == 2
                and self._parts.clean(piece.text)
            ):
                out.pop()
                name = piece.text + token.text[:-2]
                return Token(Kind.VALUE, piece.start, token.end, name + "模式", name, "模式", "open")  # 浪漫晚餐模式
        if token.attribute != "颜色" or len(token.text) > 1:
            return None
        if not out or out[-1].kind is Kind.BREAK:
            return Token(_OPEN, token.start, token.end, token.text)
        if out[-1].end != token.start:
            return None
        piece = out[-1]
        if (piece.kind is Kind.SIZE and piece.text in "大小") or piece.text in ("老", "阿"):
            out.pop()
            return Token(_OPEN, piece.start, token.end, piece.text + token.text)
        if piece.kind is _OPEN:
            out.pop()
            return Token(_OPEN, piece.start, token.end, piece.text + token.text)
        return None


def _after_number(out: list[Token], token: Token) -> Token:
    """音量20频道5: the number is of the attribute before it, and 频道 begins what follows."""
    end = token.end - len("频道")
    quantity = token.quantity and replace(token.quantity, end=end, kind=QuantityKind.NUMBER, unit="")
    out.append(Token(Kind.QUANTITY, token.start, end, token.text[:-2], quantity=quantity))
    return Token(Kind.ATTRIBUTE, end, token.end, "频道", "频道", "频道")
