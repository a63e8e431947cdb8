"""A home that was sent before is not skimmed again, and nothing can be told from that (seed 004 §4.1; service.md)."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tingdong.errors import ClientError
from tingdong.service.frames import RequestFrame
from tingdong.service.handlers import HomeHandler
from tingdong.service.lasthome import LastHome

SAMPLE = json.loads((Path(__file__).parents[1] / "corpus" / "homes" / "sample8.json").read_text("utf-8"))


def _frame(home: Any, question: str = "开灯", **more: Any) -> bytes:
    payload = {"page_id": "p", "question": question, "instruct": True, "home": home, **more}
    return msgspec.json.encode({"topic": "llm/smarthome", "rid": "r", "payload": payload})


def _admitted(data: bytes, memory: dict[str, Any]) -> object:
    """The frame that is admitted with its home as it stood there, or how it is refused."""
    try:
        ticket = HomeHandler(object()).admit(data, memory)  # type: ignore[arg-type] - nobody is asked
    except ClientError as error:
        return type(error), error.message, error.path
    if ticket is None:
        return None
    frame: RequestFrame = ticket.request
    return frame.rid, msgspec.structs.asdict(frame.payload) | {"home": bytes(frame.payload.home)}


@pytest.mark.parametrize("more", [{}, {"local": "客厅", "now": "2026-11-23T21:30:00+08:00"}])
def test_the_same_home_is_compared(more: dict[str, Any]) -> None:
    """A home that did not change is found by its bytes, wherever it stands in the payload."""
    last = LastHome()
    home = msgspec.json.encode(SAMPLE)
    last.keep(_frame(SAMPLE, **more), home)
    short = last.shorten(_frame(SAMPLE, "关灯", **more))
    assert short is not None
    assert short.home == home
    assert len(short.data) < 300


@pytest.mark.parametrize(
    ("device", "state"), [(0, {"level": 7}), (0, {"level": 128.5}), (1, {"power": True}), (7, {"level": 1})]
)
def test_a_home_with_one_state_changed_is_followed(device: int, state: dict[str, Any]) -> None:
    """Obeying a command changes a number or a truth value: the home is still found, with that change in it."""
    last = LastHome()
    last.keep(_frame(SAMPLE), msgspec.json.encode(SAMPLE))
    changed = json.loads(json.dumps(SAMPLE))
    changed["devices"][device]["device"]["state"].update(state)
    for home in (changed, SAMPLE, changed):
        short = last.shorten(_frame(home))
        assert short is not None
        assert short.home == msgspec.json.encode(home)


_PIECES = st.one_of(
    st.text(max_size=3).map(lambda text: text.encode("utf-8", "replace")),
    st.binary(max_size=2),
    st.sampled_from(
        [b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"1", b"-", b"true", b"null", b"nan", b"0", b" "]
    ),
    st.sampled_from([b'"home":', b'"home":{},', b'"explain":true,', b'"\\u0000home"', b'"topic":"x",', b"}}"]),
)


@given(st.lists(st.tuples(st.integers(0, 5_000), st.integers(0, 30), _PIECES), min_size=1, max_size=3))
@example([(1_900, 0, b" ")])
@example([(1_900, 2, b"12")])
def test_what_was_sent_before_changes_nothing(edits: list[tuple[int, int, bytes]]) -> None:
    """A frame is admitted or refused the same, with the same home, whatever its connection sent before (law 5)."""
    data = _frame(SAMPLE, explain=False)
    memory: dict[str, Any] = {}
    _admitted(data, memory)
    for at, cut, piece in edits:
        at %= len(data)
        data = data[:at] + piece + data[at + cut :]
        assert _admitted(data, memory) == _admitted(data, {})


def test_a_copy_of_the_home_elsewhere_is_no_home() -> None:
    """Only the value of `payload.home` is the home; a frame without one is refused, as ever."""
    memory: dict[str, Any] = {}
    _admitted(_frame(SAMPLE), memory)
    text = msgspec.json.encode({"home": SAMPLE, "topic": "llm/smarthome", "rid": "r"})[:-1]
    without = text + b',"payload":{"page_id":"p","question":"q","instruct":true}}'
    assert _admitted(without, memory) == _admitted(without, {})
    other = text + b',"payload":{"page_id":"p","question":"q","instruct":true,"home":{"devices":[]}}}'
    assert _admitted(other, memory) == _admitted(other, {})


def test_words_within_strings_stay_words() -> None:
    """A word behind a backslash is never taken for a whole one: what replaces it may be no escape."""
    memory: dict[str, Any] = {}
    for name in ("a\\n1", "a\\q1", "a\\u00e9", "a\\u00eg", "x", "y"):
        data = _frame({"did": "NAME"}).replace(b"NAME", name.encode())
        assert _admitted(data, memory) == _admitted(data, {})
