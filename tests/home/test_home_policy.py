"""What 全关 leaves out and what must be confirmed (service.md, Protected and risky)."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from context_retrieval.models import DeviceType, Quantifier, QueryIR
from tingdong.home.cache import HomeStore, load_home
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import Note, NoteCode
from tingdong.home.policy import bulk_targets, is_protected, needs_confirmation
from tingdong.home_dialogue.bulk import in_bulk


@pytest.mark.parametrize(
    ("home", "device", "state", "asked"),
    [
        ("loft30", "L02", {"locked": False}, True),
        ("loft30", "L02", {"locked": True}, False),
        ("loft30", "L19", {"power": True}, True),
        ("loft30", "L19", {"power": True, "target_temp": 200}, True),
        ("loft30", "L19", {"power": False}, False),
        ("loft30", "L19", {"target_temp": 150}, False),
        ("loft30", "L09", {"power": True}, False),
        ("loft30", "L14", {"power": False}, False),
    ],
)
def test_only_unlocking_opening_and_switching_on_are_risky(
    homes: Mapping[str, HomeSnapshot], home: str, device: str, state: dict[str, Any], asked: bool
) -> None:
    """service.md: locking, closing and switching off act at once."""
    assert needs_confirmation(homes[home].shape.devices[device], state) is asked


def test_protected_devices(homes: Mapping[str, HomeSnapshot]) -> None:
    """service.md: fridge, aquarium, router, and a socket named for one (冰箱插座)."""
    loft, villa = homes["loft30"].shape, homes["villa120"].shape
    assert {device.id for device in loft.devices.values() if is_protected(device, "关闭")} == {"L13", "L14", "L18"}
    assert {device.id for device in villa.devices.values() if is_protected(device, "关闭")} == {"v27"}


def test_all_devices_of_a_room(homes: Mapping[str, HomeSnapshot]) -> None:
    """service.md: 全部 includes sockets and curtains, not locks, sensors, gateways, nor protected devices."""
    home = homes["loft30"]
    kept, notes = bulk_targets(home, [device.id for device in home.shape.by_room["客厅"]], "关闭")
    assert kept == ("L05", "L06", "L07", "L08", "L09", "L10", "L11", "L12")
    assert [(note.code, note.device_id) for note in notes] == [
        (NoteCode.PROTECTED, "L13"),
        (NoteCode.PROTECTED, "L14"),
    ]


def test_a_robot_without_power_is_named(homes: Mapping[str, HomeSnapshot]) -> None:
    """service.md: 全关 skips what has no `power`; a robot vacuum is named and sent home only if asked."""
    home = homes["loft30"]
    kept, notes = bulk_targets(home, [device.id for device in home.shape.by_room["玄关"]], "关闭")
    assert kept == ()
    assert [(note.code, note.device_id) for note in notes] == [(NoteCode.SKIPPED, "L04")]


UV_ROOM = {
    "did": "h",
    "layout": ["厨房"],
    "model": {
        "lamp": {
            "name": "lamp",
            "describe": "灯，可开关。",
            "property": {"power": {"type": "bool", "range": [True, False]}},
        }
    },
    "devices": [
        {"id": "a", "name": "厨房灯", "local": "厨房", "device": {"model": "lamp", "state": {"power": False}}},
        {"id": "b", "name": "紫外线消毒灯", "local": "厨房", "device": {"model": "lamp", "state": {"power": False}}},
    ],
}


def test_what_is_dangerous_to_start_is_in_no_set() -> None:
    """service.md: sets never start a UV lamp; starting it is confirmed, and whatever stops it asks nothing."""
    home = load_home(msgspec.json.encode(UV_ROOM), HomeStore())
    lamp = home.shape.devices["b"]
    assert bulk_targets(home, ("a", "b"), "打开") == (("a",), (Note(NoteCode.NOT_BEGUN, "b"),))
    assert bulk_targets(home, ("a", "b"), "关闭") == (("a", "b"), ())
    for query in (
        QueryIR("打开", type=DeviceType.LIGHT, quantifier=Quantifier.ALL),
        QueryIR("打开", name="厨房的灯们"),
    ):
        assert in_bulk(home, query, ("a", "b"), chosen=True) == (("a",), (Note(NoteCode.NOT_BEGUN, "b"),))
    assert in_bulk(home, QueryIR("关闭", quantifier=Quantifier.ALL), ("a", "b"), chosen=False) == (("a", "b"), ())
    assert needs_confirmation(lamp, {"power": True})
    assert not needs_confirmation(lamp, {"power": False})
