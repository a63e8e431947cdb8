"""The typed mentions of a reading, out of the parser's tokens: also of fragments that make no command (第二个)."""

from itertools import pairwise

from context_retrieval.lexicon import Lexicon
from context_retrieval.models import DeviceType
from tingdong.commands.conditions import quantity_text
from tingdong.commands.reading import Mention, MentionKind
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from zhtext.normalise import Normalised

__all__ = ["mentions_of"]

_ANYTHING, _LAST_ONE, _MORE, _SEQUENCE = Kind.ANYTHING, Kind.LAST_ONE, Kind.MORE, Kind.SEQUENCE
_ACTION, _NAME, _REFERENCE, _SCENE = MentionKind.ACTION, MentionKind.NAME, MentionKind.REFERENCE, MentionKind.SCENE

_KINDS = {
    Kind.ROOM: MentionKind.ROOM,
    Kind.ZONE: MentionKind.ROOM,
    Kind.WHOLE: MentionKind.WHOLE_HOME,
    Kind.HERE: MentionKind.HERE,
    Kind.DEVICE: MentionKind.DEVICE,
    Kind.ANYTHING: MentionKind.DEVICE,
    Kind.SCENE: MentionKind.SCENE,
    Kind.REFERENCE: MentionKind.REFERENCE,
    Kind.REFERENCES: MentionKind.REFERENCE,
    Kind.ALL: MentionKind.ALL,
    Kind.BOTH: MentionKind.ALL,
    Kind.ANY: MentionKind.ANY,
    Kind.INDIFFERENT: MentionKind.ANY,
    Kind.WHICH: MentionKind.QUERY,
    Kind.WHAT: MentionKind.QUERY,
    Kind.COUNT: MentionKind.COUNT,
    Kind.ORDINAL: MentionKind.ORDINAL,
    Kind.LAST_ONE: MentionKind.ORDINAL,
    Kind.EXCEPT_BEFORE: MentionKind.EXCEPT,
    Kind.EXCEPT_AFTER: MentionKind.EXCEPT,
    Kind.OTHER: MentionKind.EXCEPT,
    Kind.ONLY: MentionKind.EXCEPT,
    Kind.KEEP: MentionKind.NEGATION,
    Kind.NEGATION: MentionKind.NEGATION,
    Kind.CORRECTION: MentionKind.CORRECTION,
    Kind.CANCEL: MentionKind.CANCEL,
    Kind.WHEN: MentionKind.WHEN,
    Kind.VERB: MentionKind.ACTION,
    Kind.WEAK: MentionKind.ACTION,
    Kind.STATE: MentionKind.ACTION,
    Kind.UP: MentionKind.ACTION,
    Kind.DOWN: MentionKind.ACTION,
    Kind.MORE: MentionKind.ACTION,
    Kind.ATTRIBUTE: MentionKind.ATTRIBUTE,
    Kind.SENSOR: MentionKind.ATTRIBUTE,
    Kind.VALUE: MentionKind.VALUE,
    Kind.QUANTITY: MentionKind.VALUE,
    Kind.ASK: MentionKind.QUERY,
    Kind.LOOK: MentionKind.QUERY,
    Kind.STATUS: MentionKind.QUERY,
    Kind.ASK_ATTRIBUTE: MentionKind.QUERY,
    Kind.AGAIN: MentionKind.AGAIN,
    Kind.ALSO: MentionKind.ALSO,
    Kind.CONFIRM: MentionKind.CONFIRM,
    Kind.WAKE: MentionKind.WAKE,
    Kind.REQUEST: MentionKind.FILLER,
    Kind.BEFORE_TARGET: MentionKind.FILLER,
    Kind.SET: MentionKind.FILLER,
    Kind.TO: MentionKind.FILLER,
    Kind.OF: MentionKind.FILLER,
    Kind.JOINT: MentionKind.FILLER,
    Kind.LIGHT: MentionKind.FILLER,
    Kind.NOW: MentionKind.FILLER,
    Kind.TAIL: MentionKind.FILLER,
    Kind.POLITE: MentionKind.FILLER,
    Kind.PARTICLE: MentionKind.FILLER,
    Kind.LOCATIVE: MentionKind.FILLER,
    Kind.ONLY_THIS: MentionKind.FILLER,
}
_AGAIN = frozenset("再又")
_ALSO = frozenset("也还另")
_GUESSED_SCORE = 0.7
_UNKNOWN, _DEVICE, _VALUE_KIND = DeviceType.UNKNOWN, MentionKind.DEVICE, MentionKind.VALUE
_AS_SAID = frozenset((MentionKind.FILLER, MentionKind.ROOM, MentionKind.NAME, MentionKind.ATTRIBUTE))


def mentions_of(tokens: list[Token], normal: Normalised, lexicon: Lexicon) -> tuple[Mention, ...]:
    """Mentions with spans of the original text, sorted by start."""
    found = []
    straight = normal.offsets is None
    if any([one.end > next_one.end for one, next_one in pairwise(tokens)]):  # noqa: C419  # faster than a generator
        tokens = sorted(
            tokens, key=lambda token: (token.start, token.end)
        )  # 冰柜温度高于零下十度就: the thing is in it
    for token in tokens:
        kind = _KINDS.get(token.kind)
        if kind is None:
            if token.kind is not _SEQUENCE:
                continue
            kind = _sequence_kind(token.text)
        device_type = _UNKNOWN
        if kind is _DEVICE:
            device = lexicon.kinds.get(token.device)
            device_type = device.type if device else _UNKNOWN
            kind = _NAME if token.attribute == "named" else kind
        elif kind is _VALUE_KIND and token.device in ("scene", "open", "quoted"):
            kind = _SCENE
        start, end = (token.start, token.end) if straight else normal.original_span(token.start, token.end)
        value = token.value or token.text if kind in _AS_SAID else _value(token, kind)
        score = _GUESSED_SCORE if token.attribute == "open" else 1.0
        found.append(Mention(kind, start, end, value, device_type, score))
    return tuple(found)


def _sequence_kind(text: str) -> MentionKind:
    if text[0] in _AGAIN:
        return MentionKind.AGAIN
    return MentionKind.ALSO if text[0] in _ALSO else MentionKind.FILLER


def _value(token: Token, kind: MentionKind) -> str:
    if token.quantity is not None:
        if kind is MentionKind.VALUE:
            return quantity_text(token, "")
        return f"{token.quantity.value:g}"
    if kind is _ACTION:
        return token.value + (token.attribute if token.kind is _MORE else "")
    if kind is _REFERENCE:
        return "these" if token.kind is Kind.REFERENCES else "last"
    if kind is _SCENE:
        return token.text if token.device != "quoted" else token.value
    if token.kind is _ANYTHING:
        return "*"
    if token.kind is _LAST_ONE:
        return "-1"
    return token.value or token.text
