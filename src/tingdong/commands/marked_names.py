"""Names and values that contain known words: a complete one is a single token (把喷火龙关掉; 换成青柠绿)."""

from context_retrieval.verbs import verb_table
from tingdong.commands.name_parts import OWN_WORDS, is_soft
from tingdong.commands.place_phrases import POINTING
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from zhtext.quantities import QuantityKind

__all__ = [
    "with_first_characters",
    "with_marked_names",
    "with_numbers",
    "with_pointed_places",
    "with_said_values",
    "with_things_of",
]

_BEFORE_TARGET, _BREAK, _DEVICE, _QUANTITY = Kind.BEFORE_TARGET, Kind.BREAK, Kind.DEVICE, Kind.QUANTITY
_ROOM, _SET, _VALUE = Kind.ROOM, Kind.SET, Kind.VALUE

_MARKS = frozenset("把将")
_PREDICATES = frozenset((Kind.VERB, Kind.WEAK))
_ENDING = frozenset((Kind.PARTICLE, Kind.POLITE, Kind.TAIL, Kind.LIGHT))
_INSIDE_A_NAME = frozenset(
    (Kind.OPEN, Kind.WEAK, Kind.SIZE, Kind.UP, Kind.DOWN, Kind.MORE, Kind.PARTICLE, Kind.REQUEST, Kind.QUANTITY,
     Kind.LOCATIVE, Kind.CONFIRM, Kind.TO, Kind.AGAIN, Kind.SEQUENCE, Kind.VALUE, Kind.ATTRIBUTE, Kind.COUNT, Kind.TOO)
)  # fmt: skip
_ADJECTIVES = frozenset((Kind.SIZE, Kind.UP, Kind.DOWN, Kind.MORE, Kind.WEAK))
_LONGEST = 6


def with_marked_names(tokens: list[Token]) -> list[Token]:
    """The tokens with each such row joined to one unknown token, which `thing_tokens` takes for a name."""
    index, last = 0, -1
    while index < len(tokens):
        token = tokens[index]
        if token.kind is _BEFORE_TARGET and token.text[-1] in _MARKS:
            last = last if last > index else _last_word(tokens, index + 1)
            end = last if tokens[last].kind in _PREDICATES else 0
            if end - index > 2 and _is_name(tokens[index + 1 : end]):
                joined = "".join(piece.text for piece in tokens[index + 1 : end])
                name = Token(Kind.OPEN, token.end, tokens[end - 1].end, joined)
                tokens[index + 1 : end] = [name]
                last = -1
        index += 1
    return tokens


def _last_word(tokens: list[Token], begin: int) -> int:
    """The last token of the clause that is no ending: its verb, if it has one there."""
    end = begin
    while end < len(tokens) and tokens[end].kind is not _BREAK:
        end += 1
    while end > begin and tokens[end - 1].kind in _ENDING:
        end -= 1
    return end - 1


def _is_name(inside: list[Token]) -> bool:
    """Whether the row can be a name: short, without a word that names a thing or a place, and no plain description."""
    if inside[-1].end - inside[0].start > _LONGEST or any(token.kind not in _INSIDE_A_NAME for token in inside):
        return False
    strange = any(token.kind is Kind.OPEN for token in inside)
    return (strange and inside[0].kind is not Kind.PARTICLE) or (inside[0].kind in _ADJECTIVES and len(inside) > 2)


_PLUGGED = frozenset(("plug", "switch", "charger"))
_BEFORE_PLACE = frozenset((Kind.BREAK, Kind.BEFORE_TARGET, Kind.REQUEST, Kind.SEQUENCE, Kind.WAKE, Kind.POLITE))
_SHORT_PLACE = 2
_PLACE_KINDS = frozenset((Kind.OPEN, Kind.NOUN))


def with_pointed_places(tokens: list[Token]) -> list[Token]:
    """鸡窝那盏保温灯: a thing before 那盏 says where; before a socket it names it (路由器那个插座)."""
    for index in range(len(tokens) - 2, 0, -1):
        pointer = tokens[index]
        if pointer.kind is not Kind.REFERENCE:
            continue
        place, device = tokens[index - 1], tokens[index + 1]
        if device.text == "灯" and pointer.text in ("那台", "这台") and device.start == pointer.end:
            pointer = tokens[index] = Token(Kind.REFERENCE, pointer.start, pointer.end - 1, pointer.text[0])
            device = tokens[index + 1] = Token(_DEVICE, pointer.end, device.end, "台灯", "台灯", "", device.device)
        at = index - 1
        if place.text in _INNER and at and tokens[at - 1].end == place.start and device.device not in _PLUGGED:
            at, place = (
                at - 1,
                Token(tokens[at - 1].kind, tokens[at - 1].start, place.end, tokens[at - 1].text, tokens[at - 1].value),
            )
        if pointer.text == "其":
            if device.kind is _DEVICE:  # 将其顶灯熄灭: whose it is, its place says
                tokens[index] = Token(Kind.PARTICLE, pointer.start, pointer.end, pointer.text)
            continue
        if device.kind is not _DEVICE or place.end != pointer.start:
            continue
        if pointer.text[0] not in POINTING or device.start != pointer.end:
            continue
        thing = place.kind in _PLACE_KINDS and place.value in ("", "thing") and 2 <= len(place.text) <= _LONGEST
        if device.device in _PLUGGED and device.value == "*" and (thing or place.kind is _DEVICE):
            name = place.text + device.text
            joined = Token(_DEVICE, place.start, device.end, name, name, "open", device.device)
            tokens[index - 1 : index + 2] = [joined]
        elif (
            thing
            and (len(place.text) <= _SHORT_PLACE or place.value == "thing" or at < index - 1)
            and (not at or tokens[at - 1].kind in _BEFORE_PLACE)
        ):
            tokens[at] = Token(_ROOM, place.start, tokens[at].end, place.text, place.text, "open")
            tokens[index] = Token(Kind.PARTICLE, pointer.start, pointer.end, pointer.text)
    return tokens


_INNER = frozenset("上里下中内")
_BEFORE_OWNER = frozenset(
    (Kind.BREAK, Kind.BEFORE_TARGET, Kind.REQUEST, Kind.SEQUENCE, Kind.WAKE, Kind.POLITE, Kind.VERB, Kind.ROOM,
     Kind.ALL, Kind.OF, Kind.PARTICLE, Kind.JOINT, Kind.WHEN, Kind.EXCEPT_BEFORE)
)  # fmt: skip


def with_things_of(tokens: list[Token]) -> list[Token]:
    """餐桌上的灯, 弱电箱里的中枢, 餐边柜的灯: a piece of furniture says where a thing is, as a room does."""
    of = Kind.OF
    for index in range(len(tokens) - 2, 0, -1):
        if tokens[index].kind is not of or tokens[index + 1].kind is not _DEVICE:
            continue
        if _owned(tokens, index):
            continue
        at = index - 1
        inner = tokens[at] if tokens[at].text in _INNER and at else None
        at -= inner is not None
        thing = tokens[at]
        plugged = tokens[index + 1].device in _PLUGGED and thing.text[-1] not in _FURNITURE
        if plugged or thing.end != (inner or tokens[index]).start:
            continue
        before = tokens[at - 1].kind if at else _BREAK
        furniture = thing.kind is Kind.NOUN and (thing.value == "thing" or (inner is not None and not thing.value))
        furniture = furniture or _is_furniture(thing)
        strange = inner is not None and thing.kind is Kind.OPEN and 2 <= len(thing.text) <= 4 and thing.text[-1] != "底"
        if before in _BEFORE_OWNER and (furniture or strange):
            tokens[at] = Token(_ROOM, thing.start, thing.end, thing.text, thing.text, "open")
            if inner is not None:
                tokens[at + 1] = Token(Kind.LOCATIVE, inner.start, inner.end, inner.text)
    return tokens


_FURNITURE = frozenset("柜桌床架几椅")
_BY_OWNER = frozenset(("light", "audio", "fan"))
"""Generic things that are parts of another one as often as things of their own."""


def _is_furniture(thing: Token) -> bool:
    formed = thing.kind is _DEVICE and thing.attribute == "open"
    return (formed or thing.kind is Kind.NOUN) and thing.text[-1] in _FURNITURE


def _owned(tokens: list[Token], index: int) -> bool:
    """热水壶的插座, 吸顶灯的墙壁开关, 冰箱的灯: what belongs to a thing is one thing, named for it."""
    owner, head = tokens[index - 1], tokens[index + 1]
    thing = owner.kind is _DEVICE or (owner.kind is Kind.NOUN and owner.value == "thing" and head.device in _PLUGGED)
    if not thing or owner.end != tokens[index].start or head.start != tokens[index].end or tokens[index].text != "的":
        return False
    if _is_furniture(owner) or owner.device in ("gate", head.device):
        return False
    if head.device not in _PLUGGED and (head.value != "*" or head.device not in _BY_OWNER):
        return False
    tokens[index - 1 : index + 2] = [_named_for(owner, head, end=head.end)]
    at = index - 1
    while at > 1 and tokens[at - 1].kind is Kind.JOINT and tokens[at - 2].kind is _DEVICE:
        at -= 2
        tokens[at] = _named_for(tokens[at], head, end=tokens[at].end)
    return True


def _named_for(owner: Token, head: Token, *, end: int) -> Token:
    name = owner.text + head.text
    return Token(_DEVICE, owner.start, end, name, name, "open", head.device)


_AFTER_ROOM = frozenset(
    (Kind.ROOM, Kind.OF, Kind.JOINT, Kind.DEVICE, Kind.NEGATION, Kind.EXCEPT_AFTER, Kind.KEEP, Kind.ALL)
)
_NUMBERS = frozenset(range(1, 13))


def with_numbers(tokens: list[Token]) -> list[Token]:
    """草坪灯三打开, 插座2断电: a small bare number between a thing and a plain verb counts it, and sets nothing."""
    for index in range(len(tokens) - 1, 0, -1):
        number = tokens[index]
        if number.kind is not _QUANTITY or tokens[index - 1].kind not in _NAMED:
            continue
        if _dashed(tokens, index):
            continue
        name, verb = tokens[index - 1], tokens[min(index + 1, len(tokens) - 1)]
        if verb.text == " " and index + 2 < len(tokens):
            verb = tokens[index + 2]
        if (verb is number or verb.kind is _BREAK) and name.kind is not _ROOM:
            verb = tokens[index - 2]  # 打开插座3
            if (
                index < 2
                or verb.kind is not Kind.VERB
                or verb.end != name.start
                or verb.value not in verb_table().lasting
            ):
                continue
            verb = Token(verb.kind, number.end, number.end, verb.text, verb.value)
        quantity = number.quantity
        bare = quantity is not None and quantity.kind is QuantityKind.NUMBER and quantity.value in _NUMBERS
        touching = name.end == number.start and verb.start - number.end <= 1
        if name.kind is _ROOM:
            closed = verb.kind in _AFTER_ROOM
        else:
            closed = verb.kind in _PREDICATES and verb.value in verb_table().lasting
        if bare and touching and closed and (index < 2 or tokens[index - 2].kind is not _SET):
            text = name.text + number.text
            tokens[index - 1 : index + 1] = [Token(name.kind, name.start, number.end, text, text, "open", name.device)]
    return tokens


def _dashed(tokens: list[Token], index: int) -> bool:
    """卷帘-2 半开: a number with a dash right behind a thing is its own; the dash becomes a blank (commands.md,
    Consumer)."""
    name, number = tokens[index - 1], tokens[index]
    if number.text[0] != "-" or not number.text[1:].isdigit() or name.end != number.start or name.kind is _ROOM:
        return False
    text = f"{name.text} {number.text[1:]}"
    tokens[index - 1 : index + 1] = [Token(_DEVICE, name.start, number.end, text, text, "open", name.device)]
    return True


_COLOUR_ENDS = frozenset("红橙黄绿蓝紫白粉青灰金银色")
_SAID_IN_A_NAME = frozenset((Kind.OPEN, Kind.WEAK, Kind.NOUN, Kind.DOMAIN, Kind.VALUE, Kind.SIZE, Kind.VERB))
_PROGRAMMES = frozenset(("washer", "air_conditioner", "humidity", "air", "robot", "fan", "heater", "appliance"))
_FEWEST, _MOST = 2, 5


def with_said_values(tokens: list[Token]) -> list[Token]:
    """换成, 切到 and an unlisted word: a colour by its last character, else a programme of a machine spoken of."""
    for index, token in enumerate(tokens):
        if token.kind is not _SET or token.value != "到" or index + 1 >= len(tokens):
            continue
        end = index + 1
        while end < len(tokens) and tokens[end].kind in _SAID_IN_A_NAME and tokens[end].start == tokens[end - 1].end:
            end += 1
        inside = tokens[index + 1 : end]
        closed = end == len(tokens) or tokens[end].kind in (*_ENDING, _BREAK, Kind.OF)
        word = "".join(piece.text for piece in inside)
        if not closed or not _FEWEST <= len(word) <= _MOST or all(p.kind is _VALUE for p in inside):
            continue
        if len(word) > _FEWEST and word[-1] in _COLOUR_ENDS:
            tokens[index + 1 : end] = [Token(_VALUE, token.end, inside[-1].end, word, word, "颜色", "word")]
        elif inside[0].kind is Kind.OPEN and any(t.device in _PROGRAMMES for t in tokens[:index]):
            tokens[index + 1 : end] = [Token(_VALUE, token.end, inside[-1].end, word, word, "模式", "mode")]
        break
    return tokens


_SURE = frozenset((Kind.BEFORE_TARGET, Kind.OF, Kind.ROOM, Kind.ZONE, Kind.JOINT, Kind.REQUEST, Kind.BREAK))
_FOLLOWS = frozenset((Kind.VERB, Kind.SET, Kind.WEAK, Kind.MORE, Kind.VALUE, Kind.ALL))
_NAMED = frozenset((Kind.DEVICE, Kind.ROOM))
_VERBAL = frozenset((Kind.SET, Kind.REQUEST, Kind.WEAK, Kind.LOCATIVE, Kind.VERB, Kind.PARTICLE))
_NEVER_FIRST = frozenset(
    (Kind.OF, Kind.JOINT, Kind.BREAK, Kind.ROOM, Kind.COUNT, Kind.QUANTITY, Kind.REFERENCE, Kind.ALL)
)
_MARKED = frozenset(
    (Kind.BEFORE_TARGET, Kind.OF, Kind.ROOM, Kind.ZONE, Kind.JOINT, Kind.EXCEPT_BEFORE, Kind.VERB, Kind.REFERENCE,
     Kind.NOUN)
)  # fmt: skip
_SAYS_NOTHING = frozenset((Kind.BREAK, Kind.PARTICLE, Kind.TAIL, Kind.POLITE, Kind.JOINT))
_OWN_WORDS = frozenset("开关把给请你您我俺咱去来要那可想到在也都先再又调设")
_FOLLOWS_ROOM = _FOLLOWS | {Kind.OF, Kind.DEVICE, Kind.JOINT, Kind.LOCATIVE}
_WARMTH = frozenset("冷热暖凉")


def with_first_characters(tokens: list[Token]) -> list[Token]:
    """暖手宝, 烘被机, 灭蚊器: a known character before a new name, at a sure border, is its first."""
    index = 1
    while index < len(tokens):
        name, first = tokens[index], tokens[index - 1]
        if name.kind not in _NAMED or first.end != name.start:
            index += 1
            continue
        warm = first.text in _WARMTH and name.value not in ("*", "named") and name.kind is _DEVICE
        stem = name.attribute == "open" and _short_stem(name) and _is_said_of(tokens, index)
        if stem or ((name.attribute == "open" or warm) and _begins_name(first) and _bordered(tokens, index)):
            text = first.text + name.text
            tokens[index - 1 : index + 1] = [Token(name.kind, first.start, name.end, text, text, "open", name.device)]
        else:
            index += 1
    return tokens


def _short_stem(name: Token) -> bool:
    """尘器, 漆房: one character and the ending are half a name; what stands before it is its first character."""
    return len(name.text) == _FEWEST and name.text == name.value


def _is_said_of(tokens: list[Token], index: int) -> bool:
    """Whether the character before is no verb of its own: something else is done to the name, or it stands marked."""
    first = tokens[index - 1]
    if len(first.text) > 1 or not first.text.isalpha() or first.text in OWN_WORDS:
        return False
    if first.kind in _NEVER_FIRST or (first.kind is _BEFORE_TARGET and tokens[index].kind is _ROOM):
        return False
    before = tokens[index - 2] if index > 1 else None
    after = tokens[index + 1].kind if index + 1 < len(tokens) else None
    if before is not None and before.kind in _MARKED and (before.kind is not Kind.VERB or len(before.text) > 1):
        return True
    if first.kind is Kind.EXCEPT_BEFORE and after in (Kind.EXCEPT_AFTER, Kind.ALL, Kind.OTHER):
        return False
    return after is not None and after not in _SAYS_NOTHING


def _begins_name(first: Token) -> bool:
    """Whether it is one known character that names begin with (换药室, 亲子房, 打谷机)."""
    if is_soft(first):
        return True
    return len(first.text) == 1 and first.text.isalpha() and first.kind in _VERBAL and first.text not in _OWN_WORDS


def _bordered(tokens: list[Token], index: int) -> bool:
    before = tokens[index - 2] if index > 1 else None
    if before is not None and before.kind is Kind.VERB and len(before.text) > 1:
        return True
    if before is None or before.kind is _BREAK:
        follows = _FOLLOWS if tokens[index].kind is _DEVICE else _FOLLOWS_ROOM
        return index + 1 < len(tokens) and tokens[index + 1].kind in follows
    return before.kind in _SURE
