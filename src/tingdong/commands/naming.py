"""Names, rooms, modes and channels by position and form (commands.md, NAME and TYPE).

What nobody listed is read out of the unknown runs: an unknown run before a device word is a name (鱼缸插座), before a
room ending a room (弱电间), before 模式 a mode or scene, before 频道 a channel. A run is trusted only between words
that can border a name, and without characters that names do not have.
"""

from collections.abc import Callable

from context_retrieval.lexicon import Lexicon
from tingdong.commands.locking import with_locking
from tingdong.commands.marked_names import (
    with_first_characters,
    with_marked_names,
    with_numbers,
    with_pointed_places,
    with_said_values,
    with_things_of,
)
from tingdong.commands.name_parts import BORDERS, MAX_RUN, OWN_WORDS, SURE, is_soft
from tingdong.commands.place_phrases import with_all_floors, with_joined_places, with_outsides, with_platforms
from tingdong.commands.scope_lists import with_left_out_names, with_scope_lists
from tingdong.commands.spotting import Token
from tingdong.commands.value_names import ValueNames
from tingdong.commands.words import Kind

__all__ = ["Namer"]

_COUNT, _LOCATIVE, _NOUN = Kind.COUNT, Kind.LOCATIVE, Kind.NOUN

_OPEN, _DEVICE, _ROOM = Kind.OPEN, Kind.DEVICE, Kind.ROOM
_IN_RUN = frozenset(
    (Kind.PARTICLE, Kind.LOCATIVE, Kind.SIZE, Kind.TO, Kind.LIGHT, Kind.CONFIRM, Kind.ATTRIBUTE, Kind.ASK, Kind.WEAK,
     Kind.VALUE, Kind.REQUEST, Kind.POLITE, Kind.AGAIN, Kind.TOO, Kind.SET)
)  # fmt: skip
_IN_MACHINE = frozenset(
    (Kind.VALUE, Kind.SIZE, Kind.SET, Kind.WEAK, Kind.UP, Kind.DOWN, Kind.NOUN, Kind.ATTRIBUTE, Kind.LOCATIVE,
     Kind.DOMAIN)
)  # fmt: skip
_WORD = 2
_POINTED = frozenset(("那条", "这条"))
_NAMED_SO = frozenset(("叫", "名叫", "叫做", "名字叫"))
_SET_COUNTERS = frozenset("套串支盏条部台只架把幅排")
"""Measure words: behind 那 they belong to it and not to the name (那串彩灯)."""
_MAX_NAME = 8
_LONGEST_CODE = 4
_BEFORE_SIZE = SURE | {Kind.EXCEPT_BEFORE, Kind.REFERENCE, Kind.HERE, Kind.COUNT, Kind.WAKE, Kind.POLITE, Kind.PARTICLE}
_ENDINGS_OF_LAMPS = frozenset("带条串")


_LIT = frozenset((_OPEN, Kind.SIZE, Kind.LOCATIVE))
"""Kinds of token before 光 and a lamp that say which light it is (面光灯, 柔光灯)."""
_SAYS = frozenset("说讲话问喊嚷笑哭")
_STAMMERED = frozenset((_OPEN, Kind.LOCATIVE, Kind.ATTRIBUTE, Kind.WEAK, Kind.DEVICE, Kind.SET, Kind.UP, Kind.DOWN))
_WHOLE_WORDS = frozenset((_DEVICE, _ROOM, Kind.SET, Kind.ATTRIBUTE, Kind.VERB, Kind.MORE))
_LATER = (
    (Kind.BEFORE_TARGET, with_marked_names),
    (_DEVICE, with_first_characters),
    (Kind.VALUE, with_platforms),
    (Kind.ZONE, with_all_floors),
    (_ROOM, with_all_floors),
    (Kind.EXCEPT_AFTER, with_outsides),
    (Kind.OF, with_things_of),
    (Kind.SET, with_said_values),
    (Kind.QUANTITY, with_numbers),
    (Kind.REFERENCE, with_pointed_places),
    (_ROOM, with_joined_places),
    (_DEVICE, with_locking),
    (Kind.BREAK, with_scope_lists),
    (Kind.EXCEPT_AFTER, with_left_out_names),
)
"""What is done to the joined row, in order, where it holds a kind of token at all."""


class Namer(ValueNames):
    """Joins tokens to names; made once for a lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__(lexicon)
        self._called = frozenset(lexicon.tables["frame_words"].get("called", ()))
        self._open_room_ends = tuple(lexicon.rooms.open_suffixes.split())
        self._joiners: dict[Kind, Callable[[list[Token], Token], Token | None]] = {
            _DEVICE: self._device,
            Kind.ROOM_SUFFIX: self._room_by_suffix,
            _ROOM: self._room,
            Kind.ZONE: self._zone,
            Kind.WHOLE: self._owned_rooms,
            _LOCATIVE: self._place,
            Kind.MODE_TAIL: self._mode,
            Kind.CHANNEL_TAIL: self._channel,
            _COUNT: self._numbered_channel,
            Kind.QUANTITY: self._numbered_channel,
            Kind.ORDINAL: self._numbered_channel,
            Kind.VALUE: self._colour,
            Kind.SIZE: self._nickname,
        }

    def join(self, tokens: list[Token]) -> list[Token]:
        """The tokens with names put together; spans stay in order and cover the same text."""
        out: list[Token] = []
        last = None
        for token in tokens:
            if last is not None and last.text[-1:] == token.text[:1] and _stammered(last, token):
                out[-1] = Token(Kind.PARTICLE, last.start, last.end, last.text)
            last = token
            joiner = self._joiners.get(token.kind)
            joined = joiner(out, token) if joiner is not None else None
            if joined is None and token.kind is _OPEN:
                joined = self._run(out, token)
            out.append(joined or token)
        return self._finish(out)

    def _run(self, out: list[Token], token: Token) -> Token | None:
        """An unknown run goes on over a single known character inside it (奥·特·曼)."""
        if out and token.text in _ENDINGS_OF_LAMPS and out[-1].end == token.start and out[-1].text.endswith("灯"):
            lamp = out.pop()
            name = lamp.text + token.text
            return Token(_DEVICE, lamp.start, token.end, name, name, "open", "light")
        if len(out) > 1 and out[-1].end == token.start and len(out[-1].text) == 1 and out[-1].kind in _IN_RUN:
            before = out[-2]
            if before.kind is _OPEN and before.end == out[-1].start and len(before.text) < MAX_RUN:
                inside = out[-1].text
                del out[-2:]
                return Token(_OPEN, before.start, token.end, before.text + inside + token.text)
        if out and out[-1].end == token.start and out[-1].kind is Kind.CONFIRM and len(out[-1].text) == 1:
            first = out.pop()
            return Token(_OPEN, first.start, token.end, first.text + token.text)
        if out and len(token.text) == 1 and (machine := self._machine(out, token)) is not None:
            return machine
        if out and token.text[-1:].isascii() and (lettered := self._lettered(out, token)) is not None:
            return lettered
        if out and out[-1].end == token.start and self._nicknamed(out[-1], token):
            first = out.pop()
            return Token(_OPEN, first.start, token.end, first.text + token.text)
        if token.text == "区" and out and out[-1].end == token.start and out[-1].kind in (_NOUN, _ROOM):
            return self._as_room(out, token)
        if out and out[-1].end == token.start and out[-1].kind is _OPEN and len(out[-1].text) < MAX_RUN:
            first = out.pop()
            return Token(_OPEN, first.start, token.end, first.text + token.text)
        if out and out[-1].end == token.start and out[-1].kind is Kind.SIZE and out[-1].text in "大小":
            size = out.pop()
            return Token(_OPEN, size.start, token.end, size.text + token.text)
        return None

    def _machine(self, out: list[Token], token: Token) -> Token | None:
        """加热炉, 高压泵, 点播机: two known characters before a bare ending are its first word."""
        kind = self._lexicon.kind_of_name(f"某{token.text}")
        if kind is None:
            return None
        size, start = 0, len(out)
        while start and size < _WORD and out[start - 1].end == (out[start].start if start < len(out) else token.start):
            piece = out[start - 1]
            if piece.kind not in _IN_MACHINE or any(character in OWN_WORDS for character in piece.text):
                break
            size += len(piece.text)
            start -= 1
        before = out[start - 1] if start else None
        sure = before is None or before.kind in SURE or (before.kind is Kind.VERB and len(before.text) > 1)
        if size != _WORD or not (sure or (before is not None and before.kind in _BEFORE_SIZE)):
            return None
        name = "".join(piece.text for piece in out[start:]) + token.text
        first = out[start].start
        del out[start:]
        return Token(_DEVICE, first, token.end, name, name, "open", kind)

    def _lettered(self, out: list[Token], token: Token) -> Token | None:
        """音箱A, 插座P7, 灯组B, 音箱 A: a letter, with its number, right behind a thing or a place names it."""
        group = "组" if token.text[0] == "组" and out[-1].text.endswith("灯") else ""
        code = token.text[len(group) :]
        gap = token.start - out[-1].end
        if out[-1].text == " " and len(out) > 1 and len(code) == 1 and code.isupper() and out[-2].kind is _DEVICE:
            out.pop()
        elif gap or not (len(code) == 1 or (code[:1].isalpha() and code[1:].isdigit() and code[0] not in "xX")):
            return None
        if out[-1].kind not in (_ROOM, _DEVICE) or len(code) > _LONGEST_CODE or not code.isascii():
            return None
        place = out.pop()
        text = place.text + token.text
        return Token(place.kind, place.start, token.end, text, text, "open", place.device)

    def _device(self, out: list[Token], token: Token) -> Token | None:
        """A device word takes the unknown run, the number or the thing before it into its name (三号插座, 鱼缸灯)."""
        if len(out) > 1 and out[-1].text == " " and out[-2].text.isascii() and out[-2].kind in (_OPEN, _DEVICE):
            out.pop()  # PC 插座
            out[-1].end = token.start
        if out and out[-1].text in _POINTED:
            out[-1] = Token(Kind.REFERENCE, out[-1].start, out[-1].end, out[-1].text)
        start = len(out)
        size = len(token.text)
        solid = False
        if token.value == "*" and len(out) > 1 and out[-1].kind is _COUNT and out[-2].value == "thing":
            return self._counted_of_thing(out, token)
        if size == 1 and token.value != "*" and not (token.device == "gate" and out and out[-1].kind is _OPEN):
            return None
        while start and out[start - 1].end == (out[start].start if start < len(out) else token.start):
            piece = out[start - 1]
            if size + len(piece.text) > (_MAX_NAME if not piece.text.isascii() else 16):
                break
            if not self._parts.extends(piece, token, solid=solid) and not self._inside(out, start, solid=solid):
                break
            solid = solid or piece.kind in (_OPEN, Kind.ORDINAL, _DEVICE)
            size += len(piece.text)
            start -= 1
        if start == len(out) or (start and out[start - 1].kind not in BORDERS and out[start - 1].kind is not _OPEN):
            return None
        if out[start].kind is Kind.SIZE and token.value != "*" and start and out[start - 1].kind not in _BEFORE_SIZE:
            return None
        name = "".join(piece.text for piece in out[start:]) + token.text
        first = out[start].start
        measured = name[0] in _SET_COUNTERS and start and out[start - 1].text in ("那", "这", "嗰", "呢")
        del out[start:]
        if measured or name[0] == "盏":
            if measured:
                out[-1] = Token(Kind.REFERENCE, out[-1].start, first + 1, out[-1].text + name[0])
            else:
                out.append(Token(Kind.PARTICLE, first, first + 1, name[0]))
            if name[1:] == token.text:
                return token
            first, name = first + 1, name[1:]
        kind = self._lexicon.kind_of_name(name) or token.device
        return Token(_DEVICE, first, token.end, name, name, "open", kind)

    def _counted_of_thing(self, out: list[Token], token: Token) -> Token | None:
        """床头两个灯: a number of those that are named for the thing."""
        count, thing = out[-1], out[-2]
        if thing.end != count.start or count.end != token.start:
            return None
        name = thing.text + token.text
        out[-2] = Token(Kind.PARTICLE, thing.start, thing.end, thing.text)
        return Token(_DEVICE, token.start, token.end, name, name, "open", self._lexicon.kind_of_name(name) or "")

    def _inside(self, out: list[Token], start: int, *, solid: bool) -> bool:
        """地毯灯, 乐高灯, 烧烤炉插座: a known character within a name, between unknown ones or at a sure border."""
        piece = out[start - 1]
        left = out[start - 2] if start > 1 else None
        joined = left is not None and left.end == piece.start
        if piece.text == "光":
            return left is not None and joined and left.kind in _LIT and self._parts.clean(left.text)  # 追光灯
        if not is_soft(piece):
            return False
        if left is not None and joined and left.kind is _OPEN and len(left.text) == 1:
            return self._parts.clean(left.text)
        sure = left is None or not joined or left.kind in SURE or (left.kind is Kind.VERB and len(left.text) > 1)
        return solid and sure and (piece.kind is not Kind.WEAK or (left is not None and joined))

    def _nicknamed(self, person: Token, token: Token) -> bool:
        """小红帽: what looks like somebody called so goes on, and is a name of something else."""
        called = person.kind is _NOUN and person.text in self._called
        goes_on = len(person.text) == len(token.text) + 1 and token.text not in _SAYS
        return called and goes_on and self._parts.clean(token.text)

    def _nickname(self, out: list[Token], token: Token) -> Token | None:
        """小黑, 大黑: a size before a colour word that is an adjective as well."""
        if token.text == "黑" and out and out[-1].text in ("大", "小", "老", "阿") and out[-1].end == token.start:
            piece = out.pop()
            return Token(_OPEN, piece.start, token.end, piece.text + token.text)
        return None

    def _finish(self, out: list[Token]) -> list[Token]:
        out = self._named_by_ending(out)
        kinds = {token.kind for token in out}
        for needed, rename in _LATER:
            if needed in kinds:
                out = rename(out)
        return out

    def _so_called(self, out: list[Token], index: int) -> None:
        """叫汤圆的音箱: a name and what it is."""
        name, kind = out[index], out[index + 2]
        out[index] = Token(_DEVICE, name.start, name.end, name.text, name.text, "open", kind.device)
        for at in (index - 1, index + 1, index + 2):
            said = out[at]
            out[at] = Token(Kind.PARTICLE, said.start, said.end, said.text)
        _pointed(out, index - 1)

    def _named_by_ending(self, out: list[Token]) -> list[Token]:
        """Unknown runs that are devices or rooms by their ending alone (捣蒜机, 行政部 before 的)."""
        for index, token in enumerate(out):
            if token.kind is _DEVICE and _beside(out, index):
                out[index] = Token(_ROOM, token.start, token.end, token.text, token.text, "open")
                continue
            if token.kind is not _OPEN or not len(token.text) <= MAX_RUN + 1:
                continue
            kind = self._parts.device_kind(token.text)
            if kind is None and not self._parts.clean(token.text):
                continue
            if token.text[:4].lower() == "cctv":
                out[index] = Token(
                    Kind.VALUE, token.start, token.end, token.text, token.text.upper().replace("-", ""), "频道", "word"
                )
                continue
            following = out[index + 1].kind if index + 1 < len(out) else None
            if following is _LOCATIVE and index + 2 < len(out) and out[index + 2].kind in (Kind.OF, _DEVICE):
                out[index] = Token(_ROOM, token.start, token.end, token.text, token.text, "open")
                continue
            if following is Kind.OF and index + 2 < len(out) and out[index + 2].kind is _DEVICE and kind is None:
                if index and out[index - 1].text in _NAMED_SO:
                    self._so_called(out, index)
                elif index == 0 or out[index - 1].kind in BORDERS:
                    out[index] = self._parts.of_thing(token, _numbered(out, index))
                continue
            if len(token.text) < 2:
                continue
            if kind is not None:
                name = _numbered(out, index) + token.text
                out[index] = Token(_DEVICE, token.start, token.end, name, name, "open", kind)
            elif token.text.endswith(self._open_room_ends) and following in (
                Kind.OF,
                _DEVICE,
                Kind.EXCEPT_AFTER,
                Kind.JOINT,
                Kind.ASK_ATTRIBUTE,
                Kind.NOW,
            ):
                out[index] = Token(_ROOM, token.start, token.end, token.text, token.text, "open")
        return out


def _numbered(out: list[Token], index: int) -> str:
    """The number right before it, which then is part of its name (三号烘箱, 三号桌的)."""
    number = out[index - 1] if index else out[index]
    if number.kind is not Kind.ORDINAL or number.text[-1] != "号" or number.end != out[index].start:
        return ""
    out[index - 1] = Token(Kind.PARTICLE, number.start, number.end, number.text)
    return number.text


def _pointed(out: list[Token], index: int) -> None:
    """那个叫火龙的灯: 那个 only points at the name that follows."""
    before = out[index - 1] if index else None
    if before is not None and before.kind is Kind.REFERENCE and before.end == out[index].start:
        out[index - 1] = Token(Kind.PARTICLE, before.start, before.end, before.text)


def _stammered(first: Token, second: Token) -> bool:
    """厨厨房, 窗窗窗帘: the first character of the next word, said before it as well."""
    return (
        first.kind in _STAMMERED
        and first.end == second.start
        and (len(second.text) > 1 or (first.kind is second.kind is Kind.DEVICE))
        and second.kind in _WHOLE_WORDS
        and first.text == second.text[0] * len(first.text)
    )


def _beside(out: list[Token], index: int) -> bool:
    """Whether a device only says where another is (电视后面的灯带)."""
    if index + 2 >= len(out) or out[index + 1].kind is not _LOCATIVE or len(out[index + 1].text) == 1:
        return False
    return out[index + 2].kind in (Kind.OF, _DEVICE)
