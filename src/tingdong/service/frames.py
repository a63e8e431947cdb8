"""Wire frames ⇄ JSON (service.md, Request frame, Closing frame, Errors).

Field order on the wire is the order of the fields here. Two rules:

* **Lenient where harmless.** Unknown fields (`did`, …) are ignored; `local: null` is no place.
* **A home is not decoded here.** It stays bytes (`msgspec.Raw`), so that an unchanged home costs no decoding.
"""

import re
from collections.abc import Sequence
from typing import Annotated, Any, Protocol, TypeVar

import msgspec

from tingdong.errors import BadFrame, ClientError, TingDongError
from tingdong.hearing.offered import MOST_OFFERED
from tingdong.home.document import Warned
from tingdong.home.model import Instruct, ReplyKind

__all__ = [
    "HOME_TOPIC",
    "Active",
    "Alternatives",
    "Fault",
    "FinalData",
    "FinalFrame",
    "Identifier",
    "Intent",
    "Moment",
    "Place",
    "RequestFrame",
    "RequestPayload",
    "TokenFrame",
    "decode_for",
    "decode_request",
    "encode_failure",
    "encode_final",
    "encode_token",
    "fault_of",
    "peek_rid",
    "topic_of",
]

HOME_TOPIC = "llm/smarthome"
"""The topic of every smart-home frame (service.md, Request frame)."""

Identifier = Annotated[str, msgspec.Meta(min_length=1, max_length=256)]
"""A rid, page or home id: the client's, globally unique by its promise (service.md, Request frame, Dialogue)."""


Place = Annotated[str, msgspec.Meta(max_length=64)]
"""Where somebody stands: a room's name (service.md, Request frame `local`)."""

Moment = Annotated[str, msgspec.Meta(max_length=64)]
"""A client's clock in ISO 8601."""


Alternatives = Annotated[tuple[str, ...], msgspec.Meta(max_length=MOST_OFFERED)]
"""What else a recogniser offers for what was said, the best first."""


class RequestPayload(msgspec.Struct, frozen=True):
    """Payload of a request frame (service.md, Request frame). `home` is empty when only `home_id` was sent.

    `now` is the user's clock in ISO 8601; without it the server's clock in the configured zone counts. `explain` asks
    for the reasons in the closing frame. `alternatives` are what else a recogniser offers for the question.
    """

    page_id: Identifier
    question: str
    instruct: bool
    local: Place | None = None
    home: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)
    home_id: Identifier | None = None
    now: Moment | None = None
    explain: bool = False
    alternatives: Alternatives = ()


class RequestFrame(msgspec.Struct, frozen=True):
    """A smart-home request frame (service.md, Request frame)."""

    topic: str
    rid: Identifier
    payload: RequestPayload


class _Topic(msgspec.Struct, frozen=True):
    topic: str


class _Rid(msgspec.Struct, frozen=True):
    rid: Identifier


class Intent(msgspec.Struct, frozen=True):
    """Kind of reply and its text (service.md, Token frame)."""

    type: ReplyKind
    result: str


class _TokenData(msgspec.Struct, frozen=True):
    ret: int
    type: str
    token: Intent


class _TokenPayload(msgspec.Struct, frozen=True):
    finish: bool
    data: _TokenData


class TokenFrame(msgspec.Struct, frozen=True):
    """A streamed summary (service.md, Token frame). `token.type` is the kind of reply."""

    topic: str
    rid: str
    payload: _TokenPayload


class Active(msgspec.Struct, frozen=True):
    """The result of a turn: kind of reply and text, instructs (service.md, Closing frame), and `turn` for other topics.

    `instructs` are immediate, in the protocol's form; `scheduled` holds delayed ones (`when`, `timer_id`) and
    cancellations (`cancel`), so that a client that ignores `scheduled` never acts early. Absent if nothing is
    scheduled.
    """

    intent: Intent
    instructs: Sequence[Instruct]
    scheduled: Sequence[Instruct] | msgspec.UnsetType = msgspec.UNSET
    turn: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


class FinalData(msgspec.Struct, frozen=True):
    """`data` of a closing frame."""

    ret: int
    page_id: str
    question: str
    active: Active
    explain: msgspec.Struct | msgspec.UnsetType = msgspec.UNSET
    warnings: Sequence[Warned] | msgspec.UnsetType = msgspec.UNSET


class _FinalPayload(msgspec.Struct, frozen=True):
    finish: bool
    data: FinalData


class FinalFrame(msgspec.Struct, frozen=True):
    """A closing frame of a turn that was served (service.md, Closing frame)."""

    topic: str
    rid: str
    payload: _FinalPayload


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """`data` of a refusing closing frame: `ret` ≠ 0, the reason, and its place in the request
    (`home.devices[3].id`)."""

    ret: int
    page_id: str = ""
    question: str = ""
    message: str = ""
    path: str = ""


class _FaultPayload(msgspec.Struct, frozen=True):
    finish: bool
    data: Fault


class _FaultFrame(msgspec.Struct, frozen=True):
    topic: str
    rid: str
    payload: _FaultPayload


class _Named(Protocol):
    @property
    def topic(self) -> str: ...


Frame = TypeVar("Frame", bound=_Named)
Decoded = TypeVar("Decoded")

_TOPIC = msgspec.json.Decoder(_Topic)
_RID = msgspec.json.Decoder(_Rid)
_ENCODE = msgspec.json.Encoder().encode

# A frame cut off in its payload still names its rid; only the part before the payload is looked at, so that no text of
# the user can pass for a rid.
_RID_IN_BROKEN = re.compile(r'^[^{]{0,64}\{(?:(?!"payload")[^{]){0,512}?"rid"\s*:\s*"((?:[^"\\]|\\.){1,256})"')


def encode_token(topic: str, rid: str, kind: ReplyKind, result: str) -> str:
    """A token frame as JSON text."""
    data = _TokenData(0, "token", Intent(kind, result))
    return _ENCODE(TokenFrame(topic, rid, _TokenPayload(False, data))).decode()


def encode_final(topic: str, rid: str, data: FinalData) -> str:
    """A closing frame as JSON text."""
    return _ENCODE(FinalFrame(topic, rid, _FinalPayload(True, data))).decode()


def encode_failure(topic: str, rid: str, fault: Fault) -> str:
    """A closing frame that refuses, as JSON text."""
    return _ENCODE(_FaultFrame(topic, rid, _FaultPayload(True, fault))).decode()


_PUBLIC_MESSAGES = {504: "没有及时得到结果，请稍后再试"}


def fault_of(error: BaseException, *, page_id: str = "", question: str = "") -> Fault:
    """The fault sent for an error. Client errors are described, internal errors are not."""
    if isinstance(error, ClientError):
        return Fault(error.ret, page_id, question, error.message, error.path)
    ret = error.ret if isinstance(error, TingDongError) else 500
    return Fault(ret, page_id, question, _PUBLIC_MESSAGES.get(ret, "服务内部出错，请稍后再试"))


def peek_rid(data: bytes) -> str:
    """The rid of a frame that may be broken; "" when there is none."""
    try:
        return _RID.decode(data).rid
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        found = _RID_IN_BROKEN.match(data[:4_096].decode(errors="replace"))
    if found is None:
        return ""
    try:
        return msgspec.json.decode(f'"{found[1]}"', type=str)
    except (msgspec.DecodeError, UnicodeError):
        return ""


def decode_for(topic: str, data: str | bytes, decoder: msgspec.json.Decoder[Frame]) -> Frame | None:
    """A frame of `topic`; None when the frame names another topic. Raises `BadFrame`."""
    try:
        frame = decoder.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        if topic_of(data) != topic:
            return None
        return decode_request(data, decoder)  # raises, and says why
    return frame if frame.topic == topic else None


def decode_request(text: str | bytes, decoder: msgspec.json.Decoder[Decoded]) -> Decoded:
    """Decodes a frame or payload. Raises `BadFrame` (400) with a message for people and the path of the fault."""
    try:
        return decoder.decode(text)
    except msgspec.ValidationError as error:
        raise _explain(str(error)) from None
    except RecursionError:
        raise BadFrame("JSON 嵌套过深") from None
    except (msgspec.DecodeError, UnicodeError):
        raise BadFrame("不是有效的 JSON") from None


def topic_of(data: str | bytes) -> str:
    """The topic of a frame, whatever else is in it. Raises `BadFrame`."""
    return decode_request(data, _TOPIC).topic


_MISSING = re.compile(r"Object missing required field `([^`]+)`")
_EXPECTED = re.compile(r"Expected `([^`]+)`(?:, got `([^`]+)`)?")
_LENGTH = re.compile(r"Expected `(str|array)` of length (<=|>=) (\d+)")
_PATH = re.compile(r" - at `\$\.?([^`]*)`$")
_TYPE_WORDS = {
    "str": "字符串",
    "bool": "布尔值",
    "int": "整数",
    "float": "数字",
    "object": "对象",
    "array": "数组",
    "null": "null",
}


def _explain(message: str) -> BadFrame:
    """msgspec's sentence about the first fault, in Chinese and with its path."""
    at = _PATH.search(message)
    path = at[1] if at else ""
    if missing := _MISSING.match(message):
        path = f"{path}.{missing[1]}" if path else missing[1]
        return BadFrame(f"缺少字段 {path}", path=path)
    if length := _LENGTH.match(message):
        unit = "个字符" if length[1] == "str" else "项"
        bound = f"最多 {length[3]} {unit}" if length[2] == "<=" else "不能为空"
        return BadFrame(f"字段 {path} {bound}", path=path)
    if expected := _EXPECTED.match(message):
        wanted = "或".join(_TYPE_WORDS.get(name.strip(), name.strip()) for name in expected[1].split("|"))
        got = f"，收到{_TYPE_WORDS.get(expected[2], expected[2])}" if expected[2] else ""
        return BadFrame(f"{f'字段 {path} ' if path else '数据帧'}应为{wanted}{got}", path=path)
    return BadFrame(f"字段 {path} 无效" if path else "数据帧无效", path=path)
