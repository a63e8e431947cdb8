"""Decoding and validating a home (service.md, Home)."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tingdong.errors import BadHome
from tingdong.home.document import decode_home

BOOL = {"type": "bool", "range": [True, False]}


def home(**changes: Any) -> dict[str, Any]:
    document: dict[str, Any] = {
        "layout": ["客厅"],
        "model": {"001": {"name": "switch", "property": {"power": BOOL}}},
        "devices": [{"id": "a", "name": "灯", "local": "客厅", "device": {"model": "001", "state": {"power": True}}}],
    }
    return document | changes


def level(**definition: Any) -> dict[str, Any]:
    return {"001": {"property": {"level": definition}}}


def test_the_example_home_decodes(raw: Callable[[str], bytes]) -> None:
    """service.md, Home: the sample home is valid as it stands, devices in its order."""
    document = decode_home(raw("sample8"))
    assert [device.id for device in document.devices] == [f"dev-{number}" for number in range(1, 9)]
    assert document.model["002"].property["level"].max == 255
    assert document.layout == ("客厅", "卧室", "厨房", "卫生间")


def test_bytes_and_object_read_alike(raw: Callable[[str], bytes]) -> None:
    """service.md, Request frame: the home is the same whether it comes as bytes or as a parsed object."""
    assert decode_home(raw("loft30")) == decode_home(json.loads(raw("loft30")))


@pytest.mark.parametrize(
    "extra",
    [
        {"unknown": 1},
        {"model": {}, "devices": [], "layout": []},
        {"model": {"001": {"name": "x", "property": {"power": BOOL}, "vendor": "y"}}},
        {"model": level(type="float", readonly=True)},
        {"model": level(type="Integer", min=0, max=3)},
        {"model": level(type="enum", range=[0, 1, 2])},
        {"devices": [{"id": "a", "device": {"model": "001", "state": {"power": "broken", "foreign": [1]}}}]},
    ],
)
def test_optional_and_unknown_fields_are_accepted(extra: dict[str, Any]) -> None:
    """service.md: unknown extra fields are ignored, missing describe and name are allowed, state is not judged here."""
    decode_home(home(**extra))


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"devices": [{"id": "a", "device": {"model": "404"}}]}, "devices[0].device.model"),
        ({"devices": [{"id": "a", "device": {"model": "001"}}] * 2}, "devices[1].id"),
        ({"devices": [{"id": "", "device": {"model": "001"}}]}, "devices[0].id"),
        ({"devices": [{"device": {"model": "001"}}]}, "devices[0]"),
        ({"devices": [{"id": "a"}]}, "devices[0]"),
        ({"devices": [{"id": 7, "device": {"model": "001"}}]}, "devices[0].id"),
        ({"devices": {}}, "devices"),
        ({"layout": [1]}, "layout[0]"),
        ({"model": []}, "model"),
        ({"model": {"001": "switch"}}, "model[...]"),
        ({"model": level()}, "model[...].property[...]"),
        ({"model": level(type="uint", max=3)}, "model.001.property.level.min"),
        ({"model": level(type="uint", min=3)}, "model.001.property.level.max"),
        ({"model": level(type="uint", min=-1, max=3)}, "model.001.property.level.min"),
        ({"model": level(type="int", min=9, max=3)}, "model.001.property.level.min"),
        ({"model": level(type="float", max=3)}, "model.001.property.level.min"),
        ({"model": level(type="enum")}, "model.001.property.level.range"),
        ({"model": level(type="enum", range=[[1]])}, "model.001.property.level.range"),
        ({"model": level(type="bool", range=["on"])}, "model.001.property.level.range"),
        ({"groups": [{"id": "g", "name": "组", "devices": ["zz"]}]}, "groups[0].devices[0]"),
        ({"groups": [{"id": "a", "name": "组"}]}, "groups[0].id"),
        ({"scenes": [{"id": "s", "name": "甲"}, {"id": "s", "name": "乙"}]}, "scenes[1].id"),
    ],
)
def test_a_fault_is_refused_with_its_path(changes: dict[str, Any], path: str) -> None:
    """service.md: a home that does not validate is refused with 422, a Chinese message and the path of the fault."""
    for value in (home(**changes), json.dumps(home(**changes)).encode()):
        with pytest.raises(BadHome) as caught:
            decode_home(value)
        assert caught.value.path == path
        assert caught.value.ret == 422
        assert any("\u4e00" <= character <= "\u9fff" for character in caught.value.message)


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"null", b'{"devices": [}', b"\xff\xfe"])
def test_text_that_is_no_home_is_refused(text: bytes) -> None:
    """service.md: whatever arrives, the answer is `BadHome`."""
    with pytest.raises(BadHome):
        decode_home(text)
