"""Conditions of a request as WHEN tokens: 客厅温度<18C, 电视=关闭 (spec, WHEN).

A condition that the protocol cannot say (two joined by 而且 or 或者) becomes a WHEN token without a text, so that the
request that hangs on it is never carried out at once.
"""

from context_retrieval.lexicon import Lexicon
from tingdong.commands.spotting import Token
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
_PLACES = frozenset((Kind.ROOM, Kind.ZONE, Kind.HERE, Kind.DEVICE))
_TRIGGERS = frozenset((Kind.COMPARE, Kind.COMPARE_AFTER, Kind.CONDITION_START, Kind.CONDITION_END))
_UNIT_TEXT = {QuantityKind.PERCENT: "%", QuantityKind.DEGREE: "C", QuantityKind.GEAR: "档", QuantityKind.KELVIN: "K"}


def read_conditions(tokens: list[Token], lexicon: Lexicon) -> list[Token]:
    """The tokens with every condition joined to one WHEN token."""
    for token in tokens:
        if token.kind in _TRIGGERS or token.text[0] in "一就":
            break
    else:
        return tokens
    if token.text == "只要" and any(later.kind is Kind.OTHER for later in tokens):
        token.kind = Kind.ONLY  # 只要床头灯亮着，其他灯关掉
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
    if token.kind is not _QUANTITY or token.quantity is None or token.quantity.kind is QuantityKind.DURATION or not out:
        return 0
    end = index + 1
    after = tokens[end] if end < len(tokens) and tokens[end].kind is Kind.COMPARE_AFTER else None
    at = len(out) - 1
    while at > 0 and out[at].kind in (Kind.PARTICLE, Kind.LIGHT):
        at -= 1
    operator = after.value if after is not None else ""
    if out[at].kind is Kind.COMPARE:
        operator = operator or out[at].value
    elif out[at].kind is Kind.TO and at and out[at - 1].kind is Kind.SIZE and out[at - 1].attribute in ("温度", "湿度"):
        before = out[at - 2].kind if at > 1 else None
        if before not in (None, Kind.ROOM, Kind.ZONE, Kind.HERE, Kind.BREAK, _CONDITION_START):
            return 0
        operator = operator or (">" if out[at - 1].value == "调高" else "<")
    elif out[at].kind is Kind.TO and at and out[at - 1].kind in (Kind.ATTRIBUTE, Kind.SENSOR) and _then(tokens, end):
        operator = operator or ">="
    elif not (operator and out[at].kind in (*_MOVES, Kind.ATTRIBUTE, Kind.SENSOR)):
        return 0
    first = at if out[at].kind in (Kind.COMPARE, *_MOVES) else at + 1
    if first and out[first - 1].kind is Kind.SIZE and out[first - 1].attribute in ("温度", "湿度"):
        first -= 1
    attribute, place, first = _subject(out, first)
    if not attribute and not place:
        earlier = next((t.value for t in reversed(out) if t.kind is _WHEN and t.attribute == CONDITION), "")
        place = earlier.partition("温度")[0] if "温度" in earlier else ""
    if not attribute and token.quantity.kind is QuantityKind.DEGREE:
        attribute = "温度"
    elif not attribute:
        if out[at].kind is not Kind.COMPARE or (at and out[at - 1].kind in _MOVES):
            return 0
        attribute, place = _asked_before(out)
    known = lexicon.values.attributes.get(attribute)
    value = quantity_text(token, lexicon.values.units.get(known.bare, "") if known else "")
    start = out[first].start if first < len(out) else token.start
    del out[first:]
    end += after is not None
    when = f"{place}{attribute}{operator}{value}" if attribute else ""
    out.append(Token(_WHEN, start, tokens[end - 1].end, "", when, CONDITION))
    while end < len(tokens) and (
        tokens[end].kind is Kind.CONDITION_END or tokens[end].text in ("就", "了", "就把", "的时候")
    ):
        end += 1
    return end


def _then(tokens: list[Token], end: int) -> bool:
    """Whether 就, 时 or 的时候 follows, so that what stands before is waited for."""
    return end < len(tokens) and (
        tokens[end].kind is Kind.CONDITION_END or tokens[end].text in ("就", "的时候") or tokens[end].text[:1] == "再"
    )


def _asked_before(out: list[Token]) -> tuple[str, str]:
    """What an earlier clause asks for is what is compared (看看客厅湿度，超过七成就…); nothing where none does."""
    at = next((i for i in range(len(out) - 1, -1, -1) if out[i].kind in (Kind.ATTRIBUTE, Kind.SENSOR)), None)
    return _subject(out, at + 1)[:2] if at is not None else ("", "")


def _subject(out: list[Token], first: int) -> tuple[str, str, int]:
    """The attribute and the room before a comparison, and where they begin."""
    attribute = place = ""
    at = first - 1
    while at >= 0 and out[at].kind in _SKIP:
        at -= 1
    if at >= 0 and out[at].kind in (Kind.ATTRIBUTE, Kind.SENSOR):
        attribute = out[at].value or out[at].text
        first = at
        at -= 1
        while at >= 0 and out[at].kind in _SKIP:
            at -= 1
    if at >= 0 and out[at].kind is Kind.DEVICE and attribute and out[at + 1].text == "水温":
        place = out[at].value if out[at].value != "*" else out[at].text  # 热水器水温
    elif at >= 0 and out[at].kind in (Kind.ROOM, Kind.ZONE):
        place = out[at].value or out[at].text
        first = at
    return attribute, place, first


def _state_change(tokens: list[Token], index: int, out: list[Token]) -> int:
    """电视一关(就), 等电视关了(就), 电视关了的话: returns where to go on, or 0."""
    token = tokens[index]
    if token.kind not in (_VERB, _WEAK, _STATE) or token.value not in ("打开", "关闭") or not out:
        return 0
    at = len(out) - 1
    once = out[at].text == "一"
    if once:
        at -= 1
    supposed = at > 0 and out[at].kind is _CONDITION_START and out[at - 1].kind is Kind.DEVICE
    at -= supposed  # 电视要是关了
    if at < 0 or out[at].kind is not Kind.DEVICE:
        return 0
    begin = max((i + 1 for i, earlier in enumerate(out[:at]) if earlier.kind in (_WHEN, _VERB)), default=0)
    started = supposed or any(earlier.kind is _CONDITION_START for earlier in out[begin:at])
    end = index + 1
    while end < len(tokens) and tokens[end].text in ("了", "完", "好", "掉"):
        end += 1
    closing = tokens[end] if end < len(tokens) else None
    closed = closing is not None and (closing.kind is Kind.CONDITION_END or closing.text == "就")
    last_break = closing is None or closing.kind is Kind.BREAK
    if not (closed or ((once or started) and closing is not None and last_break)):
        return 0
    if not any(later.kind in (_VERB, _WEAK, Kind.SET, Kind.VALUE, Kind.MORE, _QUANTITY) for later in tokens[end:]):
        return 0
    device = out[at]
    del out[at:]
    out.append(Token(_WHEN, device.start, tokens[end - 1].end, "", f"{device.text}={token.value}", CONDITION))
    while end < len(tokens) and (tokens[end].kind is Kind.CONDITION_END or tokens[end].text == "就"):
        end += 1
    return end


def _lose_joined(out: list[Token]) -> list[Token]:
    """Two conditions in one sentence before the request cannot be said."""
    conditions = [i for i, token in enumerate(out) if token.kind is _WHEN and token.attribute == CONDITION]
    for index in conditions:
        for later in range(index + 1, len(out)):
            token = out[later]
            if token.kind is Kind.DOUBLE:
                out[index].value = ""
                break
            if token.kind is _WHEN and token.attribute == CONDITION:
                out[index].value = token.value = ""
                break
            if token.kind in (_VERB, _WEAK, Kind.SET, Kind.MORE, Kind.VALUE, Kind.DEVICE):
                break
    return out
