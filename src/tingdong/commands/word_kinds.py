"""Kinds of tokens, and the entry of a known form."""

import enum

import msgspec

__all__ = ["ACTING", "CLOSING", "ENDS", "PAUSES", "PLACED", "PLACES", "SWITCHING", "Kind", "Word"]


class Kind(enum.IntEnum):
    """The kind of a token: how the assembler treats a word or span."""

    ROOM = enum.auto()
    ZONE = enum.auto()
    WHOLE = enum.auto()
    HERE = enum.auto()
    LOCATIVE = enum.auto()
    ROOM_SUFFIX = enum.auto()
    DEVICE = enum.auto()
    ANYTHING = enum.auto()
    SCENE = enum.auto()
    REFERENCE = enum.auto()
    REFERENCES = enum.auto()
    ALL = enum.auto()
    ANY = enum.auto()
    OTHER = enum.auto()
    COUNT = enum.auto()
    ORDINAL = enum.auto()
    EXCEPT_BEFORE = enum.auto()
    EXCEPT_AFTER = enum.auto()
    KEEP = enum.auto()
    ONLY = enum.auto()
    ONLY_THIS = enum.auto()
    NEGATION = enum.auto()
    CORRECTION = enum.auto()
    CANCEL = enum.auto()
    JOINT = enum.auto()
    SEQUENCE = enum.auto()
    BEFORE_TARGET = enum.auto()
    OF = enum.auto()
    REQUEST = enum.auto()
    TAIL = enum.auto()
    PARTICLE = enum.auto()
    POLITE = enum.auto()
    WAKE = enum.auto()
    CONFIRM = enum.auto()
    ASK = enum.auto()
    LOOK = enum.auto()
    STATUS = enum.auto()
    ASK_ATTRIBUTE = enum.auto()
    COMPARE = enum.auto()
    COMPARE_AFTER = enum.auto()
    CONDITION_START = enum.auto()
    CONDITION_END = enum.auto()
    VERB = enum.auto()
    WEAK = enum.auto()
    STATE = enum.auto()
    SET = enum.auto()
    TO = enum.auto()
    UP = enum.auto()
    DOWN = enum.auto()
    MORE = enum.auto()
    SIZE = enum.auto()
    ATTRIBUTE = enum.auto()
    SENSOR = enum.auto()
    VALUE = enum.auto()
    MODE_TAIL = enum.auto()
    CHANNEL_TAIL = enum.auto()
    AGAIN = enum.auto()
    ALSO = enum.auto()
    LIGHT = enum.auto()
    NOUN = enum.auto()
    SENTENCE_SIGN = enum.auto()
    CLAUSE_SIGN = enum.auto()
    DOMAIN = enum.auto()
    EVENT = enum.auto()
    DOUBLE = enum.auto()
    TOO = enum.auto()
    FROM = enum.auto()
    EACH = enum.auto()
    NOW = enum.auto()
    LATER = enum.auto()
    LAST_ONE = enum.auto()
    WHICH = enum.auto()
    INDIFFERENT = enum.auto()
    WHAT = enum.auto()
    BOTH = enum.auto()
    QUANTITY = enum.auto()
    WHEN = enum.auto()
    OPEN = enum.auto()
    BREAK = enum.auto()


PLACES = frozenset((Kind.ROOM, Kind.ZONE))
PLACED = PLACES | {Kind.OF, Kind.LOCATIVE, Kind.DEVICE}
"""What stands between a verb and the thing it is said of: 取消 [书房的电视] 静音."""
ACTING = frozenset((Kind.VERB, Kind.WEAK, Kind.SET, Kind.VALUE, Kind.MORE, Kind.QUANTITY))
"""What is part of an act."""
SWITCHING = frozenset((Kind.VERB, Kind.WEAK, Kind.STATE))
"""What says that a thing is switched, or how it is."""
PAUSES = frozenset((Kind.BREAK, Kind.CORRECTION, Kind.PARTICLE))
ENDS = frozenset((Kind.BREAK, Kind.PARTICLE, Kind.POLITE, Kind.TAIL))
"""What an ended clause may go on with."""
CLOSING = ENDS | {Kind.LIGHT, Kind.JOINT}
"""The same, where a light word or another thing of a list may follow as well."""


class Word(msgspec.Struct, frozen=True, gc=False):
    """A known form. `value` is canonical, `attribute` what it speaks of, `device` the device kind it names."""

    kind: Kind
    value: str = ""
    attribute: str = ""
    device: str = ""
    cost: float = 1.0
