"""Validation of an answer about a home (service.md, Scene: validated against the thing model).

Every cited state must be the home's. The answer may name no room or kind of device that is neither in the home nor in
the question, no number that is not in the data, and no action, since none was done (law 2).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum

import msgspec

from context_retrieval.injection import clean
from context_retrieval.models import DeviceType
from tingdong.answering.model import OpenQuestion
from tingdong.commands.reading import MentionKind, Reading
from tingdong.home.home import HomeSnapshot

__all__ = ["ANSWER_SCHEMA", "CitedState", "Claim", "ClaimFault", "ReadWords", "check_answer"]

MAX_CHARS = 200
MAX_FACTS = 60

ReadWords = Callable[[str], Reading]
"""Finds the rooms and devices that a text names (the local parser)."""

ANSWER_SCHEMA = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "maxItems": MAX_FACTS,
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "property": {"type": "string"},
                    "value": {"type": ["boolean", "number", "string"]},
                },
                "required": ["id", "property", "value"],
                "additionalProperties": False,
            },
        },
        "answer": {"type": "string", "maxLength": MAX_CHARS},
    },
    "required": ["facts", "answer"],
    "additionalProperties": False,
}


class ClaimFault(StrEnum):
    """Why an answer is rejected; stable codes."""

    NOT_JSON = "not_json"
    WRONG_SHAPE = "wrong_shape"
    UNKNOWN_DEVICE = "unknown_device"
    UNKNOWN_PROPERTY = "unknown_property"
    FALSE_STATE = "false_state"
    CLAIMS_ACTION = "claims_action"
    NOT_PLAIN = "not_plain"
    TOO_LONG = "too_long"
    INVENTED_NUMBER = "invented_number"
    INVENTED_ROOM = "invented_room"
    INVENTED_DEVICE = "invented_device"


class CitedState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A present state that the answer rests on."""

    id: str
    property: str
    value: bool | int | float | str


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer in the required form; an empty `answer` means that the data do not answer the question."""

    facts: tuple[CitedState, ...]
    answer: str


_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_MARKUP = re.compile(r"```|\*\*|^#|\n|https?:|[<>{}\[\]|]|@last")
_ACTS = "打开|关闭|开启|关掉|开|关|调|设|切换|播放|暂停|停止|上锁|解锁|启动|执行|升|降"
_PRETENDS = re.compile(
    rf"(?:正在|马上|这就|立即|现在就|稍后|我会|我来|我将|我已|我把|我去|我帮|将会)[^，。]{{0,6}}(?:{_ACTS})"
    rf"|(?:已经?|会|将|正)?(?:帮|替|给|为)(?:您|你|咱)[^，。]{{0,8}}(?:{_ACTS})"
    rf"|^(?:好的|没问题|收到|遵命)"
    rf"|已经?(?:{_ACTS})(?:好|完成|成功|到)"
)

_DECODER = msgspec.json.Decoder(Claim)


def check_answer(
    text: str, question: OpenQuestion, *, data: str, read_words: ReadWords
) -> tuple[Claim | None, tuple[str, ...]]:
    """The claim that `text` is, and every fault of it; `data` is what the model was given to answer from."""
    try:
        claim = _DECODER.decode(text)
    except msgspec.ValidationError:
        return None, (ClaimFault.WRONG_SHAPE.value,)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None, (ClaimFault.NOT_JSON.value,)
    if not claim.answer.strip():
        return claim, ()
    faults = (
        *_facts(claim.facts, question.home),
        *_form(claim.answer),
        *_numbers(claim, data + question.reading.text, len(question.home.shape.devices)),
        *_words(claim.answer, question, read_words),
    )
    return claim, tuple(dict.fromkeys(fault.value for fault in faults))


def _facts(facts: Iterable[CitedState], home: HomeSnapshot) -> Iterator[ClaimFault]:
    for fact in facts:
        device = home.shape.devices.get(fact.id)
        if device is None:
            yield ClaimFault.UNKNOWN_DEVICE
            continue
        spec = device.properties.get(fact.property)
        if spec is None:
            yield ClaimFault.UNKNOWN_PROPERTY
            continue
        value = home.value(device, spec)
        same_kind = isinstance(value, bool) == isinstance(fact.value, bool)
        if value is None or not same_kind or value != fact.value:
            yield ClaimFault.FALSE_STATE


def _form(answer: str) -> Iterator[ClaimFault]:
    if len(answer) > MAX_CHARS:
        yield ClaimFault.TOO_LONG
    if _MARKUP.search(answer) or clean(answer, MAX_CHARS) != answer.strip():
        yield ClaimFault.NOT_PLAIN
    if _PRETENDS.search(answer):
        yield ClaimFault.CLAIMS_ACTION


def _numbers(claim: Claim, known: str, devices: int) -> Iterator[ClaimFault]:
    """Numbers of the answer that are neither in the data, nor in the question, nor a count of devices."""
    spoken = {float(number) for number in _NUMBER.findall(known)}
    if any(float(number) not in spoken and not _counts(number, devices) for number in _NUMBER.findall(claim.answer)):
        yield ClaimFault.INVENTED_NUMBER


def _counts(number: str, devices: int) -> bool:
    return number.isdecimal() and int(number) <= devices


def _words(answer: str, question: OpenQuestion, read_words: ReadWords) -> Iterator[ClaimFault]:
    """Rooms and kinds of device that the answer names, and neither the home nor the question has."""
    shape, asked = question.home.shape, question.reading.text
    types = {device.type for device in shape.devices.values()}
    for mention in read_words(answer).mentions:
        word = answer[mention.start : mention.end]
        if word in asked:
            continue
        if mention.kind is MentionKind.ROOM and not shape.catalog.rooms.find(mention.value):
            yield ClaimFault.INVENTED_ROOM
        if mention.kind is MentionKind.DEVICE and mention.type not in {*types, DeviceType.UNKNOWN}:
            yield ClaimFault.INVENTED_DEVICE
