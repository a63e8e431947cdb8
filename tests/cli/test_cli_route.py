"""`tingdong route` (docs/cli.md): dialogues in, turns as JSON out, whatever the clock of this machine says."""

import json
from pathlib import Path
from typing import Any

import pytest

DIRECTORY = str(Path(__file__).parents[1] / "corpus" / "hospital_directory.yaml")
FIELDS = {"intent_ops", "frames", "medical_focus_id", "safety", "segments", "relations", "turn_type", "reply", "meta"}


@pytest.fixture
def route(tingdong: Any) -> Any:
    """Exit status and the answers to these lines."""

    def answers(*lines: object, directory: tuple[str, ...] = ("--directory", DIRECTORY)) -> tuple[int, list[Any]]:
        done = tingdong("route", *directory, "--jsonl", given="\n".join(map(json.dumps, lines)))
        return done.status, [json.loads(line) for line in done.out.splitlines()]

    return answers


def test_each_line_is_a_dialogue_of_its_own(route: Any) -> None:
    """Turns of one line share a context, lines do not; `now` decides what 明天 is (hospital.md, "Turn as JSON")."""
    turns = [{"text": "我想挂张伟医生的号"}, {"text": "明天下午的"}]
    lines = [{"id": day, "now": f"2026-11-{day}T09:30:00+08:00", "turns": turns} for day in (23, 24)]
    status, answers = route(*lines, {"id": "alone", "turns": turns[1:]})
    assert status == 0
    assert [answer["id"] for answer in answers] == [23, 24, "alone"]
    for answer, date in zip(answers[:2], ("2026-11-24", "2026-11-25"), strict=True):
        first, second = answer["turns"]
        assert set(first) >= FIELDS
        (frame,) = second["frames"]
        assert (frame["agent_code"], frame["slots"]["date"], frame["slots"]["period"]) == ("doc-direct", date, "下午")
    assert answers[2]["turns"][0]["medical_focus_id"] is None


def test_an_unreadable_dialogue_is_answered_and_the_rest_goes_on(route: Any) -> None:
    """A turn without text, a broken clock: the line's answer says so, the next line is served, exit status 1."""
    good = {"id": 3, "turns": [{"text": "停车怎么收费"}]}
    status, answers = route({"id": 1, "turns": [{}]}, {"id": 2, "now": "noon", "turns": []}, good)
    assert status == 1
    assert [set(answer) for answer in answers] == [{"id", "error"}, {"id", "error"}, {"id", "turns"}]


def test_without_a_directory_the_demonstration_hospital_answers(route: Any) -> None:
    """hospital.md, Class: names of the directory that ships with the package are known without any file."""
    status, (answer,) = route({"id": 1, "turns": [{"text": "挂郭远帆的号"}]}, directory=())
    (turn,) = answer["turns"]
    assert (status, turn["frames"][0]["slots"]) == (0, {"doctor": "郭远帆"})
