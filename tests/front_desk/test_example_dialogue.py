"""Every example of hospital.md (hospital.md, Segments, Relations, Example) through the public router with the reader
that ships with the package."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tingdong.front_desk.desk import local_reader
from tingdong.front_desk.directory import load as load_directory
from tingdong.front_desk.domain import DEFAULT_DOMAIN
from tingdong.front_desk.domain import load as load_domain
from tingdong.front_desk.model import IntentContext
from tingdong.front_desk.router import Router
from tingdong.front_desk.wire import turn_as_json

NOW = datetime.fromisoformat("2026-11-23T09:30:00+08:00")
DIRECTORY = Path(__file__).parents[1] / "corpus" / "hospital_directory.yaml"


@pytest.fixture(scope="module")
def router() -> Router:
    domain = load_domain(DEFAULT_DOMAIN)
    return Router(domain, local_reader(domain, load_directory(DIRECTORY)))


def talk(router: Router, *texts: str) -> list[dict[str, Any]]:
    context, turns = IntentContext(), []
    for text in texts:
        turn = router.turn(context, text, now=NOW)
        context = turn.context
        turns.append(turn_as_json(turn))
    return turns


def agents(turn: dict[str, Any]) -> list[str]:
    return [segment["agent_code"] for segment in turn["segments"]]


def words(turn: dict[str, Any]) -> list[str]:
    return [segment["text"] for segment in turn["segments"]]


def relations(turn: dict[str, Any]) -> set[tuple[int, int, str]]:
    return {(relation["a"], relation["b"], relation["type"]) for relation in turn["relations"]}


def ops(turn: dict[str, Any]) -> list[tuple[str, str, bool]]:
    return [(op["op"], op["target"], op["executed"]) for op in turn["intent_ops"]]


def medical_focus(turn: dict[str, Any]) -> str | None:
    return next((f["agent_code"] for f in turn["frames"] if f["frame_id"] == turn["medical_focus_id"]), None)


def queued(turn: dict[str, Any]) -> list[str]:
    waiting = [frame for frame in turn["frames"] if frame["role"] == "queued" and frame["status"] == "pending"]
    return [frame["agent_code"] for frame in waiting]


def frame_of(turn: dict[str, Any], agent: str) -> dict[str, Any]:
    return next(frame for frame in turn["frames"] if frame["agent_code"] == agent)


SEGMENTED = "我头痛想挂号，顺便问停车怎么收费，还有李四医生明天出诊吗"


@pytest.mark.parametrize("text", [SEGMENTED, SEGMENTED + "？"])
def test_segments_are_the_users_words_without_edges(router: Router, text: str) -> None:
    """hospital.md, Segments: three segments, less connectives, subject pronouns and politeness; their spans are
    kept."""
    (turn,) = talk(router, text)
    assert words(turn) == ["头痛想挂号", "停车怎么收费", "李四医生明天出诊吗"]
    assert [text[segment["start"] : segment["end"]] for segment in turn["segments"]] == words(turn)


def test_a_symptom_and_a_place(router: Router) -> None:
    """hospital.md, Relations: triage takes the focus, smartCS waits, the relation is insertion."""
    (turn,) = talk(router, "我头痛想挂号，顺便问停车怎么收费")
    assert agents(turn) == ["triage", "smartCS"]
    assert relations(turn) == {(0, 1, "insertion")}
    assert (medical_focus(turn), queued(turn)) == ("triage", ["smartCS"])


def test_a_department_and_a_doctor(router: Router) -> None:
    """hospital.md, Relations: they exclude one another, so the turn asks which, and no medical focus stands."""
    (turn,) = talk(router, "我要挂心内科，李四医生明天出诊吗")
    assert agents(turn) == ["dept-direct", "doc-direct"]
    assert relations(turn) == {(0, 1, "exclusive")}
    assert ops(turn) == [("clarify", "dept-direct|doc-direct", True)]
    assert turn["medical_focus_id"] is None


def test_a_finding_and_where_to_go(router: Router) -> None:
    """hospital.md, Segments: two segments, parallel; triage is the focus and the report waits."""
    (turn,) = talk(router, "报告显示白细胞高，挂哪科")
    assert agents(turn) == ["report", "triage"]
    assert relations(turn) == {(0, 1, "parallel")}
    assert (medical_focus(turn), queued(turn)) == ("triage", ["report"])


def test_paying_and_waiting(router: Router) -> None:
    """hospital.md, Relations: parallel; payment leads its lane, the queue waits."""
    (turn,) = talk(router, "我要缴费，另外前面还有几个人")
    assert agents(turn) == ["payment", "queue"]
    assert relations(turn) == {(0, 1, "parallel")}
    assert ops(turn) == [("shift", "payment", True), ("add", "queue", True)]
    assert queued(turn) == ["queue"]


def test_the_dialogue_turn_by_turn(router: Router) -> None:
    """hospital.md, Example: clarify stands alone, the choice shifts, the short answer fills the focus, the insertion is
    not lost."""
    first, second, third, fourth = talk(
        router, SEGMENTED + "？", "我想挂李四医生的号。", "明天下午的。", "医保报销怎么走？"
    )
    assert agents(first) == ["triage", "smartCS", "doc-direct"]
    assert relations(first) == {(0, 1, "insertion"), (0, 2, "exclusive"), (1, 2, "insertion")}
    assert ops(first) == [("clarify", "triage|doc-direct", True), ("add", "smartCS", False)]
    assert (medical_focus(first), queued(first)) == (None, ["smartCS"])

    assert ops(second) == [("shift", "doc-direct", True)]
    assert (medical_focus(second), queued(second)) == ("doc-direct", ["smartCS"])
    assert frame_of(second, "triage")["status"] == "canceled"

    assert ops(third) == [("continue", "doc-direct", True)]
    assert third["turn_type"] == "slot_fill"
    filled = frame_of(third, "doc-direct")
    assert filled["slots"] == {"doctor": "李四", "date": "2026-11-24", "period": "下午"}
    assert list(filled["missing_slots"]) == []

    assert ops(fourth) == [("add", "smartCS", True)]
    assert (medical_focus(fourth), queued(fourth)) == ("doc-direct", ["smartCS", "smartCS"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("挂心内科李四医生的号", ["doc-direct"]),
        ("挂口腔科邓长风", ["doc-direct"]),
        ("挂骨科李四医生的号", ["dept-direct", "doc-direct"]),
        ("想约消化科张伟大夫", ["dept-direct", "doc-direct"]),
    ],
)
def test_a_doctor_named_with_a_department(router: Router, text: str, expected: list[str]) -> None:
    """hospital.md, Relations: one task where the directory puts the doctor there, else a clarify (hospital.md,
    Relations)."""
    (turn,) = talk(router, text)
    assert agents(turn) == expected
    assert ("clarify" in {op[0] for op in ops(turn)}) == (len(expected) == 2)


@pytest.mark.parametrize(
    ("opening", "text", "expected"),
    [
        ("挂骨科", "取消这个号吧，你们停车场能充电不", [("cancel", "dept-direct", True), ("shift", "smartCS", True)]),
        ("挂消化科", "先不挂了，先把费交了", [("shift", "payment", True)]),
    ],
)
def test_ending_or_postponing_keeps_the_request_beside_it(
    router: Router, opening: str, text: str, expected: list[tuple[str, str, bool]]
) -> None:
    """hospital.md, Segments: a turn-away and a new request are two things; hospital.md, Ops: put off, cancel."""
    _, turn = talk(router, opening, text)
    assert ops(turn) == expected
