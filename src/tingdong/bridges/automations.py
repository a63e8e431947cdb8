"""Scheduled instructs (`active.scheduled`) as automations of Home Assistant: times, repetitions and conditions.

Each automation has the form of an entry in `automations.yaml` (`alias`, `triggers`, `conditions`, `actions`). A
one-time automation disables itself after it has run. What cannot be converted is reported with the reason.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from context_retrieval.strict_yaml import parse_yaml
from context_retrieval.when import Comparison, When, WhenKind, parse_when
from tingdong.bridges.converting import Converted, Platform
from tingdong.home.cache import load_parsed_home
from tingdong.home.device import DeviceShape
from tingdong.home.home import HomeSnapshot
from tingdong.home.spoken_moment import tell_moment
from tingdong.home.vocabulary import attributes

__all__ = ["Automations", "automations_of"]

_CLOCK = re.compile(r"(?:(\d{4}-\d{2}-\d{2}))?T(\d{2}:\d{2})\Z")
_ABOVE = (Comparison.GREATER, Comparison.GREATER_EQUAL)
_BELOW = (Comparison.LESS, Comparison.LESS_EQUAL)


class Automations(msgspec.Struct, frozen=True):
    """`automations` for Home Assistant, and `cannot`: the instructs that could not be converted (`id`, `when`,
    `reason`)."""

    automations: list[dict[str, Any]]
    cannot: list[dict[str, str]]


class _AutomationWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: dict[str, frozenset[str]]
    states: dict[str, dict[str, str]]
    sensed: dict[str, str]
    cannot: dict[str, str]


class _CannotError(Exception):
    """No automation can be made; the text says why."""


@cache
def _table() -> _AutomationWords:
    path = Path(__file__).parent / "data" / "home_assistant_triggers.yaml"
    return msgspec.convert(parse_yaml(path.read_text("utf-8")), _AutomationWords)


def automations_of(converted: Converted, instructs: Iterable[Mapping[str, Any]]) -> Automations:
    """Automations for the instructs with `when`, one for each distinct `when`; other instructs are ignored.

    Raises `BadHome` for an instruct of another home.
    """
    home = load_parsed_home(converted.home)
    by_when: dict[str, list[Mapping[str, Any]]] = {}
    cannot = []
    for one in instructs:
        if one.get("cancel"):
            cannot.append({"id": one["id"], "when": "", "reason": _table().cannot["cancelled"]})
        elif one.get("when"):
            by_when.setdefault(one["when"], []).append(one)
    made = []
    for when, several in by_when.items():
        try:
            made.append(_automation(converted, home, when, several))
        except _CannotError as error:
            cannot += [{"id": one["id"], "when": when, "reason": str(error)} for one in several]
    return Automations(made, cannot)


def _automation(
    converted: Converted, home: HomeSnapshot, when: str, instructs: list[Mapping[str, Any]]
) -> dict[str, Any]:
    if converted.platform is not Platform.HOME_ASSISTANT:
        raise _CannotError(_table().cannot["platform"])
    rooms = {home.shape.devices[one["id"]].room for one in instructs if one["id"] in home.shape.devices}
    started = _started(home, when, rooms)
    calls = converted.calls([{"id": one["id"], "state": one.get("state", {})} for one in instructs])
    actions = [{"action": call["service"], "target": call["target"], "data": call["data"]} for call in calls]
    told = "、".join(str(one.get("summary") or one["id"]) for one in instructs)
    return {
        "alias": f"{tell_moment(when)}：{told}",
        "triggers": [started["trigger"]],
        "conditions": started.get("conditions", []),
        "actions": actions + started.get("afterwards", []),
    }


def _started(home: HomeSnapshot, when: str, rooms: Collection[str]) -> dict[str, Any]:
    """Trigger, further conditions and actions of the automation, which acts in `rooms`."""
    if when.startswith("P"):
        raise _CannotError(_table().cannot["delay"])
    if when.startswith("RRULE:"):
        return _repeated(dict(part.split("=", 1) for part in when[6:].split(";") if "=" in part))
    if match := _CLOCK.match(when):
        return _once(match[1], match[2])
    parsed = parse_when(when)
    if parsed is None or parsed.kind is not WhenKind.CONDITION:
        raise _CannotError(_table().cannot["unknown_when"])
    return {"trigger": _measured(home, parsed, rooms) if parsed.attribute else _stands(home, parsed)}


def _once(date: str | None, clock: str) -> dict[str, Any]:
    day = f"{{{{ now().date() | string == '{date}' }}}}"
    off = {
        "action": "automation.turn_off",
        "target": {"entity_id": "{{ this.entity_id }}"},
        "data": {"stop_actions": False},
    }
    return {
        "trigger": {"trigger": "time", "at": f"{clock}:00"},
        "conditions": [{"condition": "template", "value_template": day}] if date else [],
        "afterwards": [off],
    }


def _repeated(rule: dict[str, str]) -> dict[str, Any]:
    if rule.get("FREQ") not in ("DAILY", "WEEKLY") or rule.get("INTERVAL", "1") != "1":
        raise _CannotError(_table().cannot["unknown_when"])
    names = {"MO": "mon", "TU": "tue", "WE": "wed", "TH": "thu", "FR": "fri", "SA": "sat", "SU": "sun"}
    days = [names[day] for day in rule.get("BYDAY", "").split(",") if day]
    clock = f"{int(rule.get('BYHOUR', '0')):02d}:{int(rule.get('BYMINUTE', '0')):02d}:00"
    trigger = {"trigger": "time", "at": clock}
    return {"trigger": trigger, "conditions": [{"condition": "time", "weekday": days}] if days else []}


def _measured(home: HomeSnapshot, when: When, rooms: Collection[str]) -> dict[str, Any]:
    """The entity behind a condition: a sensor of the place, else of the rooms acted in, or the device itself."""
    for device in sorted(_named(home, when.subject), key=lambda one: (one.room not in rooms, not one.is_sensor)):
        for spec in device.properties.values():
            if not spec.readonly or (
                spec.label != when.attribute and spec.role not in attributes().get(when.attribute, ())
            ):
                continue
            if when.value in _table().sensed:
                return {"trigger": "state", "entity_id": device.id, "to": _table().sensed[when.value]}
            trigger: dict[str, Any] = {"trigger": "numeric_state", "entity_id": device.id}
            if not device.is_sensor:
                trigger["attribute"] = spec.name
            if when.comparison in _ABOVE or when.comparison in _BELOW:
                return {**trigger, "above" if when.comparison in _ABOVE else "below": float(when.value)}
    raise _CannotError(_table().cannot["no_sensor"].format(subject=f"{when.subject}{when.attribute}"))


def _stands(home: HomeSnapshot, when: When) -> dict[str, Any]:
    """A state of a device as a trigger: a door opens, a lamp is switched off."""
    table = _table()
    word = next((key for key, words in table.words.items() if when.value in words), "")
    for device in _named(home, when.subject):
        state = table.states.get(device.id.partition(".")[0], {}).get(word)
        if state is not None:
            return {"trigger": "state", "entity_id": device.id, "to": state}
    raise _CannotError(table.cannot["no_state"].format(subject=when.subject, value=when.value))


def _named(home: HomeSnapshot, subject: str) -> list[DeviceShape]:
    """Devices of the room, or of the name; a door's sensor goes by its door (大门 → 大门门磁)."""
    devices = list(home.shape.devices.values())
    if not subject:
        return devices
    exact = [one for one in devices if subject in (one.room, one.name, one.label)]
    return exact or [one for one in devices if one.is_sensor and subject in one.label]
