"""What 全关 leaves out and what must be confirmed (service.md, Protected and risky)."""

from collections.abc import Mapping
from typing import Any

import pytest

from tingdong.home.home import Home
from tingdong.home.model import NoteCode
from tingdong.home.policy import bulk_targets, is_protected, needs_confirmation


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
    homes: Mapping[str, Home], home: str, device: str, state: dict[str, Any], asked: bool
) -> None:
    """service.md: locking, closing and switching off act at once."""
    assert needs_confirmation(homes[home].shape.devices[device], state) is asked


def test_protected_devices(homes: Mapping[str, Home]) -> None:
    """service.md: fridge, aquarium, router, and a socket named for one (冰箱插座)."""
    loft, villa = homes["loft30"].shape, homes["villa120"].shape
    assert {device.id for device in loft.devices.values() if is_protected(device)} == {"L13", "L14", "L18"}
    assert {device.id for device in villa.devices.values() if is_protected(device)} == {"v27"}


def test_all_devices_of_a_room(homes: Mapping[str, Home]) -> None:
    """service.md: 全部 includes sockets and curtains, not locks, sensors, gateways, nor protected devices."""
    home = homes["loft30"]
    kept, notes = bulk_targets(home, [device.id for device in home.shape.by_room["客厅"]])
    assert kept == ("L05", "L06", "L07", "L08", "L09", "L10", "L11", "L12")
    assert [(note.code, note.device_id) for note in notes] == [
        (NoteCode.PROTECTED, "L13"),
        (NoteCode.PROTECTED, "L14"),
    ]


def test_a_robot_without_power_is_named(homes: Mapping[str, Home]) -> None:
    """service.md: 全关 skips what has no `power`; a robot vacuum is named and sent home only if asked."""
    home = homes["loft30"]
    kept, notes = bulk_targets(home, [device.id for device in home.shape.by_room["玄关"]])
    assert kept == ()
    assert [(note.code, note.device_id) for note in notes] == [(NoteCode.SKIPPED, "L04")]
