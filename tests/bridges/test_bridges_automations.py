"""Scheduled instructs become automations of Home Assistant, or it is told why not (docs/platforms.md, Automations)."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tingdong.bridges.automations import automations_of
from tingdong.bridges.converting import Platform, convert

EXAMPLES = Path(__file__).parents[2] / "examples" / "platforms"


def _made(when: str, platform: Platform = Platform.HOME_ASSISTANT, **instruct: Any) -> Any:
    document = json.loads((EXAMPLES / f"{platform.value.replace('-', '_')}.json").read_text("utf-8"))
    converted = convert(platform, document)
    device = instruct.pop("id", converted.home["devices"][0]["id"])
    return automations_of(converted, [{"id": device, "state": {"power": True}, "when": when, **instruct}])


@pytest.mark.parametrize(
    ("when", "trigger", "conditions"),
    [
        ("T22:00", {"trigger": "time", "at": "22:00:00"}, []),
        ("RRULE:FREQ=DAILY;BYHOUR=7;BYMINUTE=5", {"trigger": "time", "at": "07:05:00"}, []),
        (
            "RRULE:FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR=9;BYMINUTE=0",
            {"trigger": "time", "at": "09:00:00"},
            [{"condition": "time", "weekday": ["sat", "sun"]}],
        ),
        (
            "卧室温度>28C",
            {"trigger": "numeric_state", "entity_id": "sensor.bedroom_temperature", "above": 28.0},
            [],
        ),
        ("客厅有人=否", {"trigger": "state", "entity_id": "binary_sensor.living_motion", "to": "off"}, []),
        ("有人=是", {"trigger": "state", "entity_id": "binary_sensor.living_motion", "to": "on"}, []),
        ("阳台门=打开", {"trigger": "state", "entity_id": "binary_sensor.balcony_door", "to": "on"}, []),
        ("入户门锁=关闭", {"trigger": "state", "entity_id": "lock.front", "to": "locked"}, []),
        ("厨房灯=打开", {"trigger": "state", "entity_id": "light.kitchen", "to": "on"}, []),
    ],
)
def test_a_moment_or_condition_becomes_a_trigger(when: str, trigger: Any, conditions: Any) -> None:
    """Numbers and states alike; what repeats on days has them as a condition."""
    (made,) = _made(when, id="light.ceiling").automations
    assert made["triggers"] == [trigger]
    assert made["conditions"] == conditions
    assert made["actions"][0] == {
        "action": "light.turn_on",
        "target": {"entity_id": "light.ceiling"},
        "data": {},
    }


def test_a_single_moment_runs_once() -> None:
    """An automation of one moment switches itself off; a date is a condition."""
    (made,) = _made("2026-11-25T07:30").automations
    assert made["actions"][-1]["action"] == "automation.turn_off"
    assert "2026-11-25" in made["conditions"][0]["value_template"]


@pytest.mark.parametrize(
    "when",
    ["PT10M", "卧室湿度<40%", "卧室有人=是", "大门=打开", "阳台门=亮着", "RRULE:FREQ=MONTHLY;BYHOUR=7", "天黑"],
)
def test_what_cannot_become_an_automation_says_why(when: str) -> None:
    """A delay, a sensor or state the home lacks, a form that is not known: no automation, and a reason in Chinese."""
    made = _made(when)
    assert made.automations == []
    assert re.search("[\u4e00-\u9fff]{4}", made.cannot[0]["reason"])


@pytest.mark.parametrize("platform", [one for one in Platform if one is not Platform.HOME_ASSISTANT])
def test_other_platforms_say_that_they_cannot(platform: Platform) -> None:
    """Nothing is written for a platform whose automations are not known."""
    made = _made("T22:00", platform)
    assert made.automations == []
    assert "Home Assistant" in made.cannot[0]["reason"]


def test_instructs_of_one_when_are_one_automation(tingdong: Any, tmp_path: Path) -> None:
    """`tingdong convert --automations`: JSON as automations.yaml takes it; reasons on standard error."""
    scheduled = [
        {"id": "light.ceiling", "state": {"power": False}, "when": "T22:00", "summary": "关闭客厅吸顶灯"},
        {"id": "light.kitchen", "state": {"power": False}, "when": "T22:00", "summary": "关闭厨房灯"},
        {"id": "light.kitchen", "state": {}, "cancel": "t1"},
    ]
    path = tmp_path / "scheduled.json"
    path.write_text(json.dumps(scheduled), encoding="utf-8")
    home = str(EXAMPLES / "home_assistant.json")
    done = tingdong("convert", home, "--from", "home-assistant", "--automations", str(path))
    assert done.status == 0, done.err
    (made,) = json.loads(done.out)
    assert made["alias"] == "晚上10点：关闭客厅吸顶灯、关闭厨房灯"
    assert [one["action"] for one in made["actions"]] == ["light.turn_off", "light.turn_off", "automation.turn_off"]
    assert "取消" in done.err
