"""Rows of tokens that together say one thing: how many, which of them, or that something is left as it is.

甭管几台 is all of them, 一盏别落下 too; 关它两盏 points at nothing; 让它转着 leaves a thing alone.
Each rule looks at the neighbours of one kind of token, so a row is walked through once (commands.md, Q and N).
"""

from collections.abc import Callable

from context_retrieval.verbs import verb_table
from tingdong.commands.ending_phrases import ends_something
from tingdong.commands.place_phrases import other_rooms, own_rooms, span_of_floors
from tingdong.commands.spotting import Token
from tingdong.commands.told_phrases import by_mistake, just_done
from tingdong.commands.word_kinds import PLACED, PLACES
from tingdong.commands.words import Kind, WordTable

__all__ = ["FixedPhrases"]

_OTHER, _STATE, _VERB, _WEAK = Kind.OTHER, Kind.STATE, Kind.VERB, Kind.WEAK

_REGARDLESS = frozenset(("不管", "甭管", "不论", "无论", "管它", "管他", "管他的", "管它的", "不拘"))
_HOW_MANY = ("几", "多少", "啥", "什么", "谁", "是")
_NONE_MISSING = frozenset("落漏少差缺拉")
_NONE_LEFT = frozenset("剩留")
_IT_OR_THEY = frozenset(("它", "佢", "伊", "他", "她", "它们", "它俩"))
_FOR_ME = frozenset(("我", "给我", "俺", "给俺", "你", "你们", "再", "去", "他", "它", "给", "随便"))
_TOUCHED = frozenset(("动", "碰", "管", "理", "惹", "动它", "碰它"))
_ALSO_OR_STILL = frozenset("也还")
_ACTED = frozenset((Kind.VERB, Kind.WEAK, Kind.SET, Kind.UP, Kind.DOWN, Kind.MORE, Kind.VALUE, Kind.QUANTITY))
_SUMS = frozenset((Kind.ALL, Kind.OTHER, Kind.WHICH, Kind.ASK, Kind.WHAT, Kind.NEGATION, Kind.KEEP, Kind.STATUS))
_LISTED = frozenset(
    (Kind.ROOM, Kind.ZONE, Kind.DEVICE, Kind.OPEN, Kind.HERE, Kind.ORDINAL, Kind.JOINT, Kind.OF, Kind.BREAK,
     Kind.PARTICLE, Kind.POLITE, Kind.LOCATIVE, Kind.ALSO)
)  # fmt: skip
_NOT_ONLY = frozenset("光单仅只但")
_LETS = frozenset(("让", "叫", "由", "随", "任", "就让", "由着", "随着", "任由"))
_FORBIDS = frozenset(("别", "不要", "不用", "不必", "甭", "莫", "勿", "别给我", "不要给我", "先别", "先不要"))
_LET_IT = frozenset(("让它", "叫它"))
_HOW = frozenset((Kind.MORE, Kind.SIZE, Kind.UP, Kind.DOWN))
_ENDS_PHRASE = frozenset((Kind.BREAK, Kind.PARTICLE, Kind.POLITE, Kind.TAIL, Kind.OTHER, Kind.CONFIRM))
_SILENT = frozenset((Kind.BREAK, Kind.PARTICLE, Kind.REFERENCE, Kind.REQUEST, Kind.CONFIRM))
_THING_OR_PLACE = frozenset((Kind.ROOM, Kind.ZONE, Kind.DEVICE, Kind.OPEN, Kind.NOUN, Kind.HERE))
_OWNERS = frozenset((Kind.OPEN, Kind.NOUN, Kind.LOCATIVE))
_POINTERS = frozenset("那这")
_NOT_MEANT = frozenset((Kind.KEEP, Kind.NEGATION, Kind.EXCEPT_AFTER))


class FixedPhrases:
    """Puts the tokens of such rows right, in place; made once for a word table."""

    def __init__(self, table: WordTable) -> None:
        self._forms = table.forms
        self._rules: dict[Kind, Callable[[list[Token], int], None]] = {
            Kind.KEEP: self._regardless,
            Kind.NEGATION: _denied,
            Kind.REFERENCE: self._pointing,
            Kind.CLAUSE_SIGN: just_done,
            Kind.CORRECTION: by_mistake,
            Kind.REFERENCES: _let_go_on,
            Kind.EXCEPT_BEFORE: _excepted,
            Kind.SET: _kept_on,
            _OTHER: _described,
            Kind.TO: span_of_floors,
            Kind.JOINT: own_rooms,
            Kind.ROOM: self._rooms_of_others,
            Kind.SEQUENCE: _goes_on_there,
            Kind.ONLY_THIS: _only_those,
            **dict.fromkeys((_VERB, _WEAK, Kind.VALUE, Kind.SCENE), ends_something),
        }

    def settle(self, tokens: list[Token]) -> list[Token]:
        """The row with such phrases made plain; spans stay in order and cover the same text."""
        rule_of = self._rules.get
        found = [at for at, token in enumerate(tokens) if token.kind in self._rules]
        for at in reversed(found):
            rule = rule_of(tokens[at].kind)
            if rule is not None:
                rule(tokens, at)
        return tokens

    def _regardless(self, tokens: list[Token], at: int) -> None:
        """甭管几台空调 is all of them, 甭管哪个 any; neither leaves anything out."""
        token = tokens[at]
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        if following is None:
            return
        if token.text[:2] in _LET_IT and following.kind in _HOW:
            token.kind, token.text = Kind.REFERENCE, "它"  # 让它吹小点
            return
        if token.text not in _REGARDLESS:
            return
        which = following.text[:1] == "哪"
        if not which and not following.text.startswith(_HOW_MANY):
            return
        whole = not which or any(later.kind is Kind.ALL for later in tokens[at + 2 :])
        token.kind, token.value = Kind.PARTICLE, ""
        following.kind = Kind.ALL if whole else Kind.INDIFFERENT
        counted = tokens[at + 2] if at + 2 < len(tokens) else None
        if counted is not None and counted.kind is Kind.COUNT and counted.start == following.end:
            counted.kind = Kind.PARTICLE  # 甭管哪俩

    def _pointing(self, tokens: list[Token], at: int) -> None:
        """关它两盏, 拉上一个, 让它转着, 鱼缸那个别关: what points at nothing said before."""
        token = tokens[at]
        before = tokens[at - 1] if at else None
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        just_done(tokens, at)
        if before is None or before.end != token.start:
            return
        if token.text in _IT_OR_THEY:
            acting = before.kind in (_VERB, _WEAK)
            if acting and following is not None and following.kind is Kind.COUNT:
                token.kind = Kind.PARTICLE
            elif following is not None and following.kind is Kind.OF and _closes(tokens, at + 2):
                if before.kind is Kind.KEEP or (acting and before.value in verb_table().beginning):
                    _leave(tokens, at - 1, at + 1)  # 接着放它的
            else:
                _let_go_on(tokens, at)
        elif token.text[0] == "上" and before.kind is _WEAK:
            self._one_of_them(before, token)
        elif token.text[0] in _POINTERS and before.kind in _OWNERS:
            excluding = any(earlier.kind in (Kind.EXCEPT_BEFORE, Kind.ONLY) for earlier in tokens[:at])
            if (following is not None and following.kind in _NOT_MEANT) or (excluding and _closes(tokens, at + 1)):
                token.kind = Kind.OF

    def _rooms_of_others(self, tokens: list[Token], at: int) -> None:
        """其他办公室 is no room of that name but the rest of such rooms; 爸爸妈妈房间 is one room of both."""
        token, before = tokens[at], tokens[at - 1] if at else None
        if before is not None and before.value == "person" and before.end == token.start:
            owner = self._forms.get(token.text[:2])
            if owner is not None and owner.value == "person":
                name = before.text + (token.value or token.text)
                tokens[at - 1 : at + 1] = [Token(Kind.ROOM, before.start, token.end, name, name, "open")]
                return
        other_rooms(tokens, at)

    def _one_of_them(self, verb: Token, token: Token) -> None:
        """拉上一个, 合上一扇: one of them, and not the last one."""
        whole = self._forms.get(verb.text + "上")
        if whole is None or whole.kind is not _VERB:
            return
        verb.kind, verb.value, verb.attribute = _VERB, whole.value, whole.attribute
        token.kind, token.value = Kind.COUNT, "1"


def _closes(tokens: list[Token], at: int) -> bool:
    return at >= len(tokens) or tokens[at].kind in _ENDS_PHRASE


def _leave(tokens: list[Token], first: int, last: int) -> None:
    """Make one KEEP of the row; what it was made of stays as silent tokens of its clause."""
    tokens[first].kind, tokens[first].value = Kind.KEEP, ""
    for token in tokens[first + 1 : last + 1]:
        token.kind, token.value = Kind.PARTICLE, ""


def _denied(tokens: list[Token], at: int) -> None:
    """别给我动, 不许你们碰: as 别动; 一盏别落下 is all of them."""
    _one_by_one(tokens, at)
    _other_instead(tokens, at)
    ahead = at + 1
    if tokens[at].text == "不" and ahead < len(tokens) and tokens[ahead].text[:1] in _NOT_ONLY:
        if any(token.text[:1] in _ALSO_OR_STILL for token in tokens[ahead + 1 :]):
            tokens[at].kind = tokens[ahead].kind = Kind.PARTICLE  # 不光关灯，电视也关
            _join_bare(tokens, ahead + 1)
        return
    while ahead < len(tokens) and tokens[ahead].text in _FOR_ME:
        ahead += 1
    touched = tokens[ahead] if ahead < len(tokens) else None
    if ahead > at + 1 and touched is not None and touched.text in _TOUCHED and _closes(tokens, ahead + 1):
        _leave(tokens, at, ahead)


def _other_instead(tokens: list[Token], at: int) -> None:
    """不要开吊灯开壁灯: the same act again, of another thing, is what is asked for instead."""
    verb = tokens[at + 1] if at + 1 < len(tokens) else None
    if verb is None or verb.kind not in (_WEAK, _VERB) or tokens[at].text not in _FORBIDS:
        return
    again = at + 2
    while again < len(tokens) and tokens[again].kind in PLACED:
        again += 1
    named = again > at + 2 and tokens[again - 1].kind is Kind.DEVICE
    if not named or again + 1 >= len(tokens) or tokens[again].text != verb.text:
        return
    thing = again + 1
    while thing < len(tokens) and tokens[thing].kind in PLACED:
        thing += 1
    another = tokens[thing - 1].kind is Kind.DEVICE and tokens[thing - 1].text != tokens[again - 1].text
    if not another or not _closes(tokens, thing):
        return
    start = tokens[again].start
    if not any(token.kind in PLACES for token in tokens[again:thing]):
        held = [token for token in tokens[at + 2 : again] if token.kind in PLACES]
        tokens[again + 1 : again + 1] = [Token(room.kind, start, start, room.text, room.value) for room in held]
    tokens.insert(again, Token(Kind.BREAK, start, start, "，"))


def _one_by_one(tokens: list[Token], at: int) -> None:
    """一盏别落下, 一样不落: all of them; 一个不剩 too, and what is done is to switch them off."""
    if not at or at + 1 >= len(tokens):
        return
    count, following = tokens[at - 1], tokens[at + 1]
    first = following.text[:1]
    one = count.text[:1] == "一" and count.end == tokens[at].start and len(count.text) <= 3
    if not one or following.start != tokens[at].end or not first or first not in _NONE_MISSING | _NONE_LEFT:
        return
    if count.kind not in (Kind.COUNT, Kind.ALL, Kind.NOUN, Kind.ANY):
        return
    count.kind, count.value, count.quantity = Kind.ALL, "", None
    tokens[at].kind = Kind.PARTICLE
    acted = any(token.kind in (_VERB, _WEAK) for token in tokens if token is not following)
    if first in _NONE_LEFT and not acted:
        following.kind, following.value, following.attribute = _VERB, "关闭", "关"
    else:
        following.kind, following.value = Kind.PARTICLE, ""


def _let_go_on(tokens: list[Token], at: int) -> None:
    """让它唱着, 由它开着; 还在转让它转: what goes on is left as it is."""
    if not at or at + 1 >= len(tokens) or tokens[at - 1].text not in _LETS:
        return
    end = at + 1
    while end < len(tokens) and tokens[end].kind in (Kind.AGAIN, Kind.REQUEST, Kind.SEQUENCE, Kind.LIGHT):
        end += 1
    verb = tokens[end] if end < len(tokens) else None
    told = at > 1 and tokens[at - 2].kind is _STATE
    if verb is not None and (verb.kind is Kind.KEEP or (told and verb.text in tokens[at - 2].text)):
        _leave(tokens, at - 1, end)  # 还在洗让它洗, 让它接着转
        return
    if verb is None or verb.kind not in (_VERB, _WEAK, _STATE) or verb.value not in verb_table().beginning:
        return
    after = tokens[end + 1] if end + 1 < len(tokens) else None
    lasting = verb.text[-1] in "着呢" or (after is not None and after.text in ("着", "着呢", "去", "去吧"))
    if lasting:
        _leave(tokens, at - 1, end)


def _goes_on_there(tokens: list[Token], at: int) -> None:
    """空调都停了，奶奶那屋的接着开: what is stopped elsewhere goes on there."""
    verb = tokens[at + 1] if at + 1 < len(tokens) else None
    if tokens[at].text not in ("接着", "继续") or verb is None or not at or tokens[at - 1].kind is not Kind.OF:
        return
    on = verb.kind in (_VERB, _WEAK, _STATE) and verb.value in verb_table().beginning and _closes(tokens, at + 2)
    if on and any(token.kind in (_VERB, _WEAK) and token.value in verb_table().ending for token in tokens[:at]):
        _leave(tokens, at, at + 1)


def _only_those(tokens: list[Token], at: int) -> None:
    """餐厅灯只开吊灯: the kind is only what the one that is named is one of."""
    kind, named = tokens[at - 1] if at else None, tokens[at + 2] if at + 2 < len(tokens) else None
    if kind is None or named is None or kind.kind is not Kind.DEVICE or named.kind is not Kind.DEVICE:
        return
    acting = tokens[at + 1].kind in (_VERB, _WEAK) and not any(token.kind is _OTHER for token in tokens)
    if acting and kind.value == "*" and named.value != "*" and kind.device == named.device:
        kind.kind, kind.value = Kind.PARTICLE, ""


def _kept_on(tokens: list[Token], at: int) -> None:
    """其余关闭，壁灯保持点亮: where things are switched off, what shall keep on is left as it is."""
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if tokens[at].text == "留到" and _closes(tokens, at + 1):
        tokens[at].kind = Kind.KEEP  # 走道那盏留到
        return
    if tokens[at].text not in ("保持", "维持"):
        return
    if _closes(tokens, at + 1) and any(token.kind is _OTHER for token in tokens[at + 1 :]):
        tokens[at].kind = Kind.KEEP  # 老人房保持，其他房间…
        return
    if following is None or not _closes(tokens, at + 2):
        return
    clause = at
    while clause and tokens[clause - 1].kind is not Kind.BREAK:
        clause -= 1
        if tokens[clause].kind is Kind.BEFORE_TARGET:
            return
    on = following.kind in (_VERB, _WEAK, _STATE) and following.value in verb_table().beginning
    if on and any(token.kind in (_VERB, _WEAK) and token.value in verb_table().ending for token in tokens):
        _leave(tokens, at, at + 1)


def _excepted(tokens: list[Token], at: int) -> None:
    """除了, as it is meant: what else is done, or what is left out to the end of the sentence."""
    if _also_done(tokens, at):
        return
    _goes_on_behind_fillers(tokens, at)
    ahead = tokens[at + 1 :]
    if at and ahead and all(token.kind in _LISTED for token in ahead) and any(t.kind in _ACTED for t in tokens[:at]):
        for token in ahead[:-1]:
            if token.kind is Kind.BREAK:
                token.kind = Kind.JOINT  # 灯全关，除了客厅，还有厨房


def _also_done(tokens: list[Token], at: int) -> bool:
    """除了关灯，把电视也关了; 除了灯，空调也得关: the one is done and the other as well, nothing is left out."""
    first = tokens[at + 1] if at + 1 < len(tokens) else None
    if first is None or tokens[at].text[0] != "除":
        return False
    acting = first.kind in _ACTED or first.kind is Kind.BEFORE_TARGET
    stop = also = 0
    for index in range(at + 1, len(tokens)):
        token = tokens[index]
        if token.kind in _SUMS or (token.kind is Kind.EXCEPT_BEFORE and not stop):
            return False
        if token.kind is Kind.BREAK:
            if stop:
                break
            stop = index
        elif stop and token.text[:1] in _ALSO_OR_STILL and token.kind in (Kind.SEQUENCE, Kind.ALSO, Kind.REQUEST):
            also = index
    if not also:
        return False
    tokens[at].kind = Kind.PARTICLE
    if not acting:
        tokens[stop].kind = Kind.JOINT
    return True


def _join_bare(tokens: list[Token], at: int) -> None:
    """不光台灯，吊灯也打开: what is named first without an act shares the one that follows."""
    stop = next((index for index in range(at, len(tokens)) if tokens[index].kind is Kind.BREAK), at)
    if stop > at and not any(token.kind in _ACTED for token in tokens[at:stop]):
        tokens[stop].kind = Kind.JOINT


def _goes_on_behind_fillers(tokens: list[Token], at: int) -> None:
    """除开那个，那个老人房，…: what is left out is still to come, so nothing ends before it; 除监控室外."""
    ahead = at + 1
    while ahead < len(tokens) and tokens[ahead].kind in _SILENT:
        ahead += 1
    if ahead < len(tokens) and tokens[ahead].kind in _THING_OR_PLACE:
        for token in tokens[at + 1 : ahead]:
            if token.kind is Kind.BREAK or token.kind is Kind.REFERENCE:
                token.kind = Kind.PARTICLE
                token.text = "，"
    first = tokens[at + 1] if at + 1 < len(tokens) else None
    if first is not None and first.kind is Kind.ROOM and len(first.text) > 2 and first.text.endswith("室外"):
        cut, name = first.end - 1, first.text[:-1]  # 除档案室外
        tokens[at + 1 : at + 2] = [
            Token(Kind.ROOM, first.start, cut, name, name, "open"),
            Token(Kind.EXCEPT_AFTER, cut, first.end, "外"),
        ]
    following = tokens[at + 2] if at + 2 < len(tokens) else None
    if following is not None and following.text == "室外" and following.start == tokens[at + 1].end:
        room, at_end = tokens[at + 1], following.start + 1
        name = room.text + "室"
        tokens[at + 1] = Token(Kind.ROOM, room.start, at_end, name, name, "open")
        tokens[at + 2] = Token(Kind.EXCEPT_AFTER, at_end, following.end, "外")


def _described(tokens: list[Token], at: int) -> None:
    """其余插着的全断电, 别的亮着的灯: the state the others are in asks for nothing; 其他办公室 is no name of a room."""
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    after = tokens[at + 2] if at + 2 < len(tokens) else None
    if following is None:
        return
    attributive = after is not None and after.kind is Kind.OF
    state = following.kind is _STATE and (attributive or following.text[-1] == "的")
    if state or (following.kind in (_VERB, _WEAK) and attributive and following.text[-1] in "着了"):
        following.kind, following.value = Kind.PARTICLE, ""
