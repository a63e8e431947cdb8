"""Conditions of a request as WHEN tokens: 客厅温度<18C, 电视=关闭 (commands.md, ACTION).

A condition that the protocol cannot say (two joined by 而且 or 或者) becomes a WHEN token without a text, so that the
request that hangs on it is never carried out at once.
"""

from context_retrieval.lexicon import Lexicon
from tingdong.commands.joined_conditions import is_degree, reaches, state_joined, thereupon
from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import ACTING, PLACES, SWITCHING
from tingdong.commands.words import Kind
from zhtext.quantities import QuantityKind

__all__ = ["CONDITION", "quantity_text", "read_conditions"]

_CONDITION_START, _QUANTITY, _STATE, _VERB = Kind.CONDITION_START, Kind.QUANTITY, Kind.STATE, Kind.VERB
_WEAK, _WHEN = Kind.WEAK, Kind.WHEN

CONDITION = "condition"
_SKIP = frozenset(
    (Kind.PARTICLE, Kind.LIGHT, Kind.OF, Kind.CONDITION_START, Kind.REQUEST, Kind.SEQUENCE, Kind.LOCATIVE)
)
_MOVES = frozenset((Kind.SET, Kind.DOWN, Kind.UP, Kind.TO))
_MEASURED = (Kind.ATTRIBUTE, Kind.SENSOR)
_ACTS_ON_IT = frozenset(("air_conditioner", "humidity", "air", "fan"))
"""Kinds that change the climate of a room: 空调温度高于 is the room's."""
_AFTER_WAYS = {"往上": ">", "往下": "<"}
_CHANGING = {**dict.fromkeys("掉降跌落冷", "<"), **dict.fromkeys("升涨飙热高", ">"), "烧": ">="}
_SHIFTS = frozenset((_WEAK, Kind.UP, Kind.DOWN, Kind.SET))
_LONGEST_PLACE = 4
_TRIGGERS = frozenset((Kind.COMPARE, Kind.TO, Kind.COMPARE_AFTER, Kind.CONDITION_START, Kind.CONDITION_END))
_CHANGES = {"打开": "打开", "关闭": "关闭", "停止": "关闭", "解锁": "解锁", "上锁": "上锁"}
_STILL = frozenset("= 还都也已正")
_ASPECT_SIGNS = frozenset("了完好掉着 ")
_CLOSING_WORDS = frozenset(("就", "的时候", "啥时候", "什么时候"))
_ASKED_OF = frozenset((Kind.BEFORE_TARGET, Kind.NEGATION))
_ELSE = frozenset((_WHEN, _VERB, _WEAK, Kind.OPEN, Kind.NOUN, Kind.DEVICE))
_GOES_ON = frozenset((Kind.BREAK, Kind.BEFORE_TARGET, Kind.SEQUENCE, Kind.DEVICE, Kind.ROOM))
_TARGETS = frozenset((Kind.DEVICE, Kind.ROOM, Kind.ZONE, Kind.REFERENCE, Kind.REFERENCES, Kind.ANYTHING, Kind.OTHER,
                      Kind.WHOLE, Kind.ALL, Kind.SCENE))  # fmt: skip
_ACTED_ON = frozenset((_VERB, _WEAK, Kind.SET, Kind.MORE, Kind.VALUE, Kind.DEVICE))
_UNIT_TEXT = {QuantityKind.PERCENT: "%", QuantityKind.DEGREE: "C", QuantityKind.GEAR: "档", QuantityKind.KELVIN: "K"}


def read_conditions(tokens: list[Token], lexicon: Lexicon) -> list[Token]:
    """The tokens with every condition joined to one WHEN token."""
    for token in tokens:
        if token.kind in _TRIGGERS or token.text[0] in "一就上":
            break
    else:
        return tokens
    out: list[Token] = []
    index = 0
    while index < len(tokens):
        end = _comparison(tokens, index, out, lexicon) or _state_change(tokens, index, out)
        if end:
            index = end
            continue
        out.append(tokens[index])
        index += 1
    return _lose_joined(out)


def quantity_text(token: Token, unit: str) -> str:
    """A quantity as the protocol writes it (26.5C, 零下18C, 50%, 3档); `unit` is that of a number without one."""
    quantity = token.quantity
    if quantity is None:
        return token.value
    unit = _UNIT_TEXT.get(quantity.kind, unit)
    value = _plain(quantity.value)
    sign = "零下" if value < 0 and unit == "C" else ""
    text = f"{abs(value) if sign else value:g}"
    return f"{sign}{text}{unit}"


def _plain(value: float) -> float:
    """A share that no decimal can say is rounded (三分之一 → 33)."""
    return value if abs(value * 10 - round(value * 10)) < 1e-6 else round(value)


def _comparison(tokens: list[Token], index: int, out: list[Token], lexicon: Lexicon) -> int:
    """[room][attribute] comparison quantity [以上]: consumes back into `out`; returns where to go on, or 0."""
    token = tokens[index]
    if token.kind is not _QUANTITY or token.quantity is None or token.quantity.kind is QuantityKind.DURATION:
        return 0
    end = index + 1
    after = tokens[end] if end < len(tokens) and tokens[end].kind is Kind.COMPARE_AFTER else None
    if not out:
        if after is None or not (is_degree(token) and _then(tokens, end + 1)):
            return 0
        out.append(Token(_WHEN, token.start, after.end, "", f"温度{after.value}{quantity_text(token, '')}", CONDITION))
        return end + 2 if tokens[end + 1].text[:1] != "再" else end + 1  # 三十度以上就…
    at = len(out) - 1
    while at > 0 and out[at].kind in (Kind.PARTICLE, Kind.LIGHT):
        at -= 1
    operator = _operator(tokens, end, out, after)
    if not operator:
        return 0
    first = at if out[at].kind in (Kind.COMPARE, *_MOVES) else at + 1
    if first and out[first - 1].kind is Kind.SIZE and out[first - 1].attribute in ("温度", "湿度"):
        first -= 1
    degrees = is_degree(token)
    attribute, place, first = _subject(out, first, degrees=degrees)
    if not attribute and not place:
        earlier = next((t.value for t in reversed(out) if t.kind is _WHEN and t.attribute == CONDITION), "")
        place = earlier.partition("温度")[0] if "温度" in earlier else ""
    if not attribute and degrees:
        attribute = "温度"
    elif not attribute and out[at].kind is Kind.COMPARE and out[at].attribute:
        attribute = out[at].attribute  # 暗于20%
        end += end < len(tokens) and tokens[end].kind is Kind.ATTRIBUTE
    elif not attribute:
        if out[at].kind is not Kind.COMPARE or (at and out[at - 1].kind in _MOVES):
            return 0
        attribute, place = _asked_before(out)
    moves = not place and first > 0 and attribute == "温度" and _of_another(tokens[end:], out[first - 1])
    if moves:
        first -= 1
        place = out[first].text  # 空调温度高于二十七度的时候开风扇
    known = lexicon.values.attributes.get(attribute)
    value = quantity_text(token, lexicon.values.units.get(known.bare, "") if known else "")
    start = out[first].start if first < len(out) else token.start
    end += after is not None
    own = [] if moves else _own(tokens[end:], out[first:])
    del out[first:]
    when = f"{place}{attribute}{operator}{value}" if attribute else ""
    out.append(Token(_WHEN, start, tokens[end - 1].end, "", when, CONDITION))
    out += own
    while end < len(tokens) and (
        tokens[end].kind is Kind.CONDITION_END or tokens[end].text in ("就", "了", "就把", "的时候")
    ):
        end += 1
    return end


def _of_another(following: list[Token], said: Token) -> bool:
    """Whether what is measured by one thing moves another, named first of all that follows."""
    if said.kind is not Kind.DEVICE or said.device not in _ACTS_ON_IT:
        return False
    acted = False
    for token in following:
        if token.kind is Kind.DEVICE:
            return token.device != said.device
        if token.kind in _TARGETS or (acted and token.kind is Kind.BREAK):
            return False
        acted = acted or token.kind in ACTING
    return False


def _own(following: list[Token], said: list[Token]) -> list[Token]:
    """What is measured is what is acted on where the clause names nothing else: 冰柜温度高于零下十度就重启."""
    if not any(token.kind is Kind.DEVICE for token in said):
        return []
    for token in following:
        if token.kind is Kind.BREAK:
            break
        if token.kind in _TARGETS:
            return []
    last = max(index for index, token in enumerate(said) if token.kind is Kind.DEVICE)
    return said[: last + 1]


def _operator(tokens: list[Token], end: int, out: list[Token], after: Token | None) -> str:
    """The comparison that the quantity ending before `end` stands in; nothing where it is none."""
    at = len(out) - 1
    while at > 0 and out[at].kind in (Kind.PARTICLE, Kind.LIGHT):
        at -= 1
    last, before = out[at], out[at - 1] if at else None
    said = (after.value if after.kind is Kind.COMPARE_AFTER else _AFTER_WAYS[after.text]) if after is not None else ""
    if last.kind is Kind.COMPARE:
        if before is not None and before.kind in _SHIFTS and before.end == last.start:
            out[at - 1 :] = [Token(Kind.SET, before.start, last.end, before.text + last.text, "到", before.text)]
            return ""  # 亮度拉低到一成
        return "" if before is not None and before.kind is Kind.NEGATION else said or last.value
    if last.kind is Kind.TO and before is not None:
        if before.kind is Kind.SIZE and before.attribute in ("温度", "湿度"):
            place = out[at - 2].kind if at > 1 else None
            if place not in (None, Kind.ROOM, Kind.ZONE, Kind.HERE, Kind.BREAK, _CONDITION_START):
                return ""
            return said or (">" if before.value == "调高" else "<")
        if before.kind in _MEASURED and _then(tokens, end):
            return said or ">="
    if last.kind is Kind.SET and not said and before is not None and before.kind in _MEASURED:
        ends = end < len(tokens) and (tokens[end].kind is Kind.CONDITION_END or tokens[end].text == "就")
        return _CHANGING.get(last.text[0], "") if ends else ""
    if said and last.kind in PLACES and _then(tokens, end + 1):
        return said  # 卧室二十九度以上就…
    if last.kind in _MEASURED and out[-1].text == "上" and _then(tokens, end):
        return said or ">"  # 温度上三十度再…
    if last.kind is Kind.TO and is_degree(tokens[end - 1]) and reaches(before, tokens, end):
        return said or ">="
    return said if last.kind in (*_MOVES, *_MEASURED, _CONDITION_START) else ""


def _then(tokens: list[Token], end: int) -> bool:
    """Whether 就, 时 or 的时候 follows, so that what stands before is waited for."""
    return end < len(tokens) and (
        tokens[end].kind is Kind.CONDITION_END or tokens[end].text in ("就", "的时候") or tokens[end].text[:1] == "再"
    )


def _asked_before(out: list[Token]) -> tuple[str, str]:
    """What an earlier clause asks for is what is compared (看看客厅湿度，超过七成就…); nothing where none does."""
    at = next((i for i in range(len(out) - 1, -1, -1) if out[i].kind in (Kind.ATTRIBUTE, Kind.SENSOR)), None)
    return _subject(out, at + 1)[:2] if at is not None else ("", "")


def _subject(out: list[Token], first: int, *, degrees: bool = False) -> tuple[str, str, int]:
    """The attribute and the place before a comparison, and where they begin.

    The place is a room, or what holds something that is measured: 鱼缸水温, 冰柜温度, 土壤湿度, 粮仓超过三十度.
    """
    attribute = place = ""
    at = _back(out, first - 1)
    if at >= 0 and out[at].kind in _MEASURED:
        attribute = out[at].value or out[at].text
        first = at
        at = _back(out, at - 1)
    if at < 0:
        return attribute, place, first
    last = out[at]
    if last.kind in (Kind.ROOM, Kind.ZONE):
        place, first = last.value or last.text, at
    elif (
        last.kind is Kind.DEVICE
        and last.device not in _ACTS_ON_IT
        and attribute in (("温度", "湿度", "") if degrees and last.value != "*" else ("温度", "湿度"))
    ):
        first, place = _named_thing(out, at)
    elif at + 1 < len(out) and last.end == out[at + 1].start:
        thing = last.kind is Kind.NOUN and last.value == "thing"
        if attribute and (thing or (last.kind is Kind.OPEN and 1 < len(last.text) <= _LONGEST_PLACE)):
            place, first = last.text, at
    return attribute, place, first


def _back(out: list[Token], at: int) -> int:
    """Past what stands between the parts of a condition; a pause only beside 如果 (客厅温度，要是，超过…)."""
    while at >= 0 and (
        out[at].kind in _SKIP
        or (
            out[at].kind is Kind.BREAK
            and (out[at - 1].kind is _CONDITION_START or (at + 1 < len(out) and out[at + 1].kind is _CONDITION_START))
        )
    ):
        at -= 1
    return at


def _state_change(tokens: list[Token], index: int, out: list[Token]) -> int:
    """电视一关(就), 等电视关了再, 门锁解开的时候, 电视=on 时: returns where to go on, or 0."""
    token = tokens[index]
    state = _CHANGES.get(token.value) if token.kind in SWITCHING else None
    if state is None or not out:
        return 0
    at = len(out) - 1
    while at > 0 and out[at].text in _STILL:
        at -= 1
    once = out[at].text == "一"
    at -= once
    supposed = at > 0 and out[at].kind is _CONDITION_START and out[at - 1].kind is Kind.DEVICE
    at -= supposed  # 电视要是关了
    if at < 0 or out[at].kind is not Kind.DEVICE or (at and out[at - 1].kind in _ASKED_OF):
        return 0
    end = index + 1
    while end < len(tokens) and tokens[end].text in _ASPECT_SIGNS and tokens[end].kind is not Kind.BREAK:
        end += 1
    begun = once or supposed or _begun(out, at)
    if not (_awaited(tokens, end, begun=begun) or (once and thereupon(tokens, end))):
        return 0
    first, subject = _named_thing(out, at)
    own = [] if any(later.kind in _TARGETS for later in tokens[end:]) else out[first : at + 1]
    start = out[first].start
    del out[first:]
    out.append(Token(_WHEN, start, tokens[end - 1].end, "", subject and f"{subject}={state}", CONDITION))
    out += own  # 卧室灯还亮着就关掉
    while end < len(tokens) and (tokens[end].kind is Kind.CONDITION_END or tokens[end].text in _CLOSING_WORDS):
        end += 1
    return end


def _begun(out: list[Token], at: int) -> bool:
    """Whether 如果 or 等 begins the clause of the thing; a pause right behind it is only hesitation."""
    for index in range(at - 1, -1, -1):
        earlier = out[index]
        if earlier.kind is _CONDITION_START:
            return earlier.text != "的时候"
        if earlier.kind is Kind.DEVICE and out[index + 1].kind is Kind.JOINT:
            continue
        if earlier.kind in _ELSE or (earlier.kind is Kind.BREAK and index and not _pauses(out, index)):
            return False
    return False


def _pauses(out: list[Token], index: int) -> bool:
    return out[index - 1].kind is _CONDITION_START and out[index - 1].text != "的时候"


def _awaited(tokens: list[Token], end: int, *, begun: bool) -> bool:
    """Whether what follows the state waits for it: 就, 的时候, or where a condition was begun whatever is asked for."""
    if end >= len(tokens):
        return False
    closing = tokens[end]
    closed = closing.kind is Kind.CONDITION_END or closing.text in _CLOSING_WORDS
    done = closing.kind is Kind.BREAK or tokens[end - 1].text[-1:] in _ASPECT_SIGNS
    if not (closed or (begun and done and closing.kind in _GOES_ON)):
        return False
    while end < len(tokens) and (tokens[end].kind is Kind.CONDITION_END or tokens[end].text in _CLOSING_WORDS):
        end += 1
    if closed and end < len(tokens) and _comes_about(tokens, end):
        return False
    return any(later.kind in ACTING for later in tokens[end:])


def _comes_about(tokens: list[Token], at: int) -> bool:
    """窗帘拉开就亮了, 关了就更好了: what comes of it by itself."""
    token = tokens[at]
    closed = at + 1 == len(tokens) or tokens[at + 1].kind in (Kind.BREAK, Kind.PARTICLE)
    return closed and (token.kind is Kind.NOUN or (token.text[-1:] == "了" and token.text[:1] in "亮黑暗"))


def _named_thing(out: list[Token], at: int) -> tuple[int, str]:
    """Where the thing at `at` begins with its room, and what it is called: 机房空调, 冰箱门."""
    first, name = at, out[at].text
    while first and out[first - 1].kind is Kind.DEVICE and out[first - 1].end == out[first].start:
        first -= 1
        name = out[first].text + name
    place = first - 1
    while place >= 0 and out[place].kind in (Kind.OF, Kind.LOCATIVE):
        place -= 1
    if place >= 0 and out[place].kind in (Kind.ROOM, Kind.ZONE):
        first, name = place, (out[place].value or out[place].text) + name
    if first > 1 and out[first - 1].kind is Kind.JOINT and out[first - 2].kind is Kind.DEVICE:
        return _named_thing(out, first - 2)[0], ""  # 电视和音箱都关了: two conditions
    return first, name


def _lose_joined(out: list[Token]) -> list[Token]:
    """Two conditions in one sentence before the request cannot be said."""
    conditions = [i for i, token in enumerate(out) if token.kind is _WHEN and token.attribute == CONDITION]
    for index in conditions:
        for later in range(index + 1, len(out)):
            token = out[later]
            if token.kind is Kind.DOUBLE or state_joined(out, later):
                out[index].value = ""
            elif token.kind is _WHEN and (token.attribute == CONDITION or not out[index].value):
                out[index].value = token.value = ""
                break
            elif token.kind in _ACTED_ON:
                break
    return out
