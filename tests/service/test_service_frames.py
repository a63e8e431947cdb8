"""Frames ⇄ JSON: the page's own examples, and what is said of a faulty one (service.md, Request frame, Closing
frame)."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tingdong.errors import BadFrame
from tingdong.home.model import Instruct, ReplyKind
from tingdong.service.frames import (
    HOME_TOPIC,
    Active,
    FinalData,
    FinalFrame,
    Intent,
    RequestFrame,
    TokenFrame,
    decode_for,
    decode_request,
    encode_final,
    encode_token,
    peek_rid,
)

EXAMPLES = Path(__file__).parents[1] / "golden" / "example_frames.md"
REQUEST = msgspec.json.Decoder(RequestFrame)


def _example(section: str) -> Any:
    """An example of the page, its comments taken out."""
    text = EXAMPLES.read_text("utf-8").split(f"### {section}")[1].split("```json")[1].split("```")[0]
    return msgspec.json.decode(re.sub(r"\s+#.*", "", text))


def test_the_example_request_frame_is_read() -> None:
    """service.md, Request frame: the example is read as it stands."""
    frame = decode_for(HOME_TOPIC, msgspec.json.encode(_example("4.1")).decode(), REQUEST)
    assert frame is not None
    assert frame.payload.question == "小牛，关所有房间的灯"
    assert (frame.payload.local, frame.payload.instruct) == ("客厅", False)
    assert bytes(frame.payload.home) == b'{"model":{},"devices":[],"layout":[]}'


def test_the_example_token_frame_is_written() -> None:
    """service.md, Token frame in value and field order; `token.type` is the kind of reply, as its comment says."""
    example = _example("4.2")
    example["payload"]["data"]["token"]["type"] = "instruct"
    text = encode_token(HOME_TOPIC, example["rid"], ReplyKind.INSTRUCT, "正在关闭所有房间的照明灯。")
    assert text == msgspec.json.encode(example).decode()


def test_the_example_closing_frame_is_written() -> None:
    """service.md, Closing frame: written with the example's values, in its order of fields."""
    example = _example("4.3")
    data = example["payload"]["data"]
    instructs = [Instruct(one["id"], one["state"], one["summary"]) for one in data["active"]["instructs"]]
    text = encode_final(
        HOME_TOPIC,
        example["rid"],
        FinalData(
            0,
            data["page_id"],
            data["question"],
            Active(Intent(ReplyKind.INSTRUCT, "正在关闭所有房间的照明灯。"), instructs),
        ),
    )
    assert text == msgspec.json.encode(example).decode()


@given(st.text(min_size=1), st.text(), st.sampled_from(ReplyKind))
def test_frames_read_back_as_written(rid: str, result: str, kind: ReplyKind) -> None:
    """Whatever text goes in comes out: it cannot break the frame (law 4)."""
    token = msgspec.json.decode(encode_token(HOME_TOPIC, rid, kind, result), type=TokenFrame)
    assert (token.rid, token.payload.data.token.type, token.payload.data.token.result) == (rid, kind, result)
    instructs = (Instruct(rid, {rid: result}, result, when=result),)
    text = encode_final(HOME_TOPIC, rid, FinalData(0, rid, result, Active(Intent(kind, result), instructs)))
    final = msgspec.json.decode(text, type=FinalFrame).payload.data
    assert (final.page_id, final.question, tuple(final.active.instructs)) == (rid, result, instructs)


@pytest.mark.parametrize(
    ("text", "message", "path"),
    [
        ("", "不是有效的 JSON", ""),
        ("{", "不是有效的 JSON", ""),
        ("[1]", "数据帧应为对象，收到数组", ""),
        ("{}", "缺少字段 topic", "topic"),
        ('{"topic":"t","rid":""}', "字段 rid 不能为空", "rid"),
        ('{"topic":"t","rid":"' + "x" * 300 + '"}', "字段 rid 最多 256 个字符", "rid"),
        ('{"topic":"t","rid":"r","payload":{"page_id":"p"}}', "缺少字段 payload.question", "payload.question"),
        (
            '{"topic":"t","rid":"r","payload":{"page_id":"p","question":"q","instruct":0}}',
            "字段 payload.instruct 应为布尔值，收到整数",
            "payload.instruct",
        ),
        (
            '{"topic":"t","rid":"r","payload":{"page_id":"p","question":"q","instruct":true,"local":1}}',
            "字段 payload.local 应为字符串或null，收到整数",
            "payload.local",
        ),
    ],
)
def test_a_fault_is_told_in_words_and_place(text: str, message: str, path: str) -> None:
    """400 says what is wrong and where (service.md, Errors)."""
    with pytest.raises(BadFrame) as refused:
        decode_request(text, REQUEST)
    assert (refused.value.message, refused.value.path) == (message, path)


def test_unknown_fields_are_ignored() -> None:
    """`did` and whatever clients add do no harm (service.md, Home has a `did` that nobody defined)."""
    example = _example("4.1")
    example["payload"]["did"] = example["did"] = "did-3768"
    assert decode_for(HOME_TOPIC, msgspec.json.encode(example).decode(), REQUEST) is not None


@pytest.mark.parametrize(
    ("text", "rid"),
    [
        ('{"rid":"r"}', "r"),
        ('{"topic":"t","rid":"r","payload":{"que', "r"),
        ('{"rid": "a\\"b", "payload":{', 'a"b'),
        ('{"payload":{"rid":"inner"', ""),
        ('{"topic":"\\"rid\\":\\"x\\"","payload', ""),
        ('{"rid":7}', ""),
        ("nothing", ""),
    ],
)
def test_the_rid_of_a_broken_frame(text: str, rid: str) -> None:
    """`rid` is echoed when the frame has one, else "" (service.md, Errors)."""
    assert peek_rid(text.encode()) == rid
