"""Each scorer tells right from wrong: on answers made by hand, without anything that understands Chinese."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from context_retrieval.protocol import decode
from tingdong.commands.reading import Reading
from tingdong.evaluate.commands import canonical, score_case
from tingdong.evaluate.corpus import Case
from tingdong.evaluate.hospital import HospitalScorer
from tingdong.evaluate.retrieval import RetrievalScorer, Selection
from tingdong.evaluate.service import AskedTurn, ServiceReply, ServiceScorer


def _case(**raw: Any) -> Case:
    return Case("c1", ("tag",), raw)


def _reader(array: str) -> Any:
    return lambda text: Reading(text, decode(array).commands)


@pytest.mark.parametrize(
    ("array", "right", "wrong"),
    [
        ('["打开-客厅-*#Light#all", "关闭-*-*#Fan#all"]', True, ()),
        ('["关闭-*-*#Fan#all", "打开-客厅-*#Light#all"]', False, ("action", "scope", "target")),
        ('["打开-客厅-*#Light#all"]', False, ("count",)),
        ('["打开-客厅-*#Light#all", "关闭-*-*#Fan#one"]', False, ("target",)),
        ('["打开-*-*#Light#all"]', True, ()),
    ],
)
def test_command_arrays_match_whole_and_in_order(array: str, right: bool, wrong: tuple[str, ...]) -> None:
    """commands.md: several commands in the order said; `accept` lists other right arrays."""
    case = _case(text="…", gold=["打开-客厅-*#Light#all", "关闭-*-*#Fan#all"], accept=[["打开-*-*#Light#all"]])
    outcome = score_case(case, _reader(array))
    assert (outcome.right, outcome.wrong) == (right, wrong)


def test_equal_durations_compare_equal() -> None:
    """commands.md, ACTION: 60分钟后 = 1小时后; a clock time stays what it is."""
    assert canonical("关闭@60分钟后-*-*#Fan#all") == canonical("关闭@1小时后-*-*#Fan#all")
    assert canonical("关闭@61分钟后-*-*#Fan#all") != canonical("关闭@1小时后-*-*#Fan#all")
    assert canonical("关闭@22:00-*-*#Fan#all") == "关闭@22:00-*-*#Fan#all"


@pytest.mark.parametrize(
    ("targets", "watched", "hint", "wrong"),
    [
        (["b", "a"], ["s"], False, ()),
        (["a"], ["s"], True, ()),
        (["a"], ["s"], False, ("targets",)),
        (["a", "b"], [], False, ("condition",)),
        (["a", "b"], ["s"], True, ("hint",)),
    ],
)
def test_retrieval_compares_sets_and_hint(
    targets: list[str], watched: list[str], hint: bool, wrong: tuple[str, ...]
) -> None:
    """retrieval.md: exactly the necessary entities, the sensor apart; the overlay allows one lamp and a question."""

    def retrieve(home: str, text: str, *, location: str | None, before: Sequence[str]) -> Selection:
        assert (home, text, location, before) == ("flat", "…", "客厅", ("开灯",))
        return Selection(tuple(targets), tuple(watched), hint)

    scorer = RetrievalScorer(retrieve)
    case = _case(
        home="flat", text="…", location="客厅", before=["开灯"], gold=["a", "b"], condition=["s"], hint=False,
        accept=[{"gold": ["a"], "hint": True}],
    )  # fmt: skip
    (outcome,) = scorer.score(case)
    assert (outcome.right, outcome.wrong) == (not wrong, wrong)
    assert scorer.figures()["recall of entities"] == len(set(targets)) / 2


HOME = {"devices": [{"id": "d1", "device": {"model": "m", "state": {"power": True}}}]}


def _play(replies: list[ServiceReply], *turns: Mapping[str, Any]) -> tuple[list[bool], list[AskedTurn]]:
    asked: list[AskedTurn] = []

    def ask(question: AskedTurn) -> ServiceReply:
        copied = {
            "devices": [
                {**device, "device": {"state": dict(device["device"]["state"])}} for device in question.home["devices"]
            ]
        }
        asked.append(msgspec.structs.replace(question, home=copied))
        return replies[len(asked) - 1]

    scorer = ServiceScorer(ask, {"h": HOME}.__getitem__)
    outcomes = scorer.score(_case(home="h", local="客厅", turns=list(turns)))
    return [outcome.right for outcome in outcomes], asked


def _instruct(**fields: Any) -> dict[str, Any]:
    return {"id": "d1", "state": {}, "summary": "…", **fields}


@pytest.mark.parametrize(
    ("given", "gold", "right"),
    [
        ({"state": {"power": False}}, {"state": {"power": False}}, True),
        ({"state": {"level": 50.0}}, {"state": {"level": 50}}, True),
        ({"state": {"power": 1}}, {"state": {"power": True}}, False),
        ({"state": {"power": False}, "when": "PT60M"}, {"state": {"power": False}, "when": "PT1H"}, True),
        ({"state": {"power": False}}, {"state": {"power": False}, "when": "PT1H"}, False),
        ({"when": "RRULE:BYHOUR=7;FREQ=DAILY;BYMINUTE=0"}, {"when": "RRULE:FREQ=DAILY;BYHOUR=7;BYMINUTE=0"}, True),
        ({"cancel": "t-17"}, {"cancel": "*"}, True),
        ({}, {"cancel": "*"}, False),
    ],
)
def test_instructs_compare_by_id_state_when_and_cancel(
    given: dict[str, Any], gold: dict[str, Any], right: bool
) -> None:
    """service.md, Closing frame: what is to change, when; equal numbers, durations and rules are equal, any timer
    answers "*"."""
    later = "when" in given or "cancel" in given
    now = [] if later else [_instruct(**given)]
    reply = ServiceReply(0, "instruct", "好的", now, [_instruct(**given)] if later else [])
    turn = {"question": "…", "intent": "instruct", "instructs": [{"id": "d1", "state": {}, **gold}]}
    assert _play([reply], turn)[0] == [right]


@pytest.mark.parametrize("later", [{"when": "PT1H"}, {"cancel": "t-1"}])
def test_scheduled_instructs_must_not_be_immediate_ones(later: dict[str, str]) -> None:
    """service.md, Timed: `instructs` holds only what is to be done now; a case may list the rest apart as the wire."""
    early = ServiceReply(0, "instruct", "好的", [_instruct(**later)])
    apart = ServiceReply(0, "instruct", "好的", [], [_instruct(**later)])
    turn = {"question": "…", "intent": "instruct", "instructs": [], "scheduled": [{"id": "d1", "state": {}, **later}]}
    assert _play([early], turn)[0] == [False]
    assert _play([apart], turn)[0] == [True]


@pytest.mark.parametrize(
    ("result", "right"), [("客厅灯开着", True), ("客厅灯没开", False), ("灯开着", False), ("客厅灯很好", False)]
)
def test_sentences_hold_the_facts(result: str, right: bool) -> None:
    """service.md: facts are compared, not wording: all of must, one of any, none of not."""
    turn = {
        "question": "…",
        "intent": "answer",
        "result_must": ["客厅", "灯"],
        "result_any": [["开", "亮"]],
        "result_not": ["没开"],
    }
    assert _play([ServiceReply(0, "answer", result)], turn)[0] == [right]


def test_a_refusal_or_a_token_of_another_kind_is_wrong() -> None:
    """service.md, Token frame: the token frame tells the kind of the closing frame; `ret` 0 means done."""
    turn = {"question": "…", "intent": "answer"}
    replies = [ServiceReply(500), ServiceReply(0, "answer", token="none"), ServiceReply(0, "answer", token="answer")]
    assert _play(replies, turn, turn, turn)[0] == [False, False, True]


def test_state_carries_over_from_turn_to_turn() -> None:
    """A client applies what it was told before it asks again; timed instructs wait, `state_after` outranks all."""
    off, later = _instruct(state={"power": False}), _instruct(state={"power": True}, when="PT1H")
    turns = (
        {"question": "1", "intent": "instruct", "instructs": [{"id": "d1", "state": {"power": False}}]},
        {"question": "2", "intent": "instruct", "instructs": [{"id": "d1", "state": {"power": True}, "when": "PT1H"}]},
        {"question": "3", "intent": "none", "state_after": {"d1": {"level": 3}}},
        {"question": "4", "intent": "none"},
    )
    none = ServiceReply(0, "none")
    _, asked = _play(
        [ServiceReply(0, "instruct", "", [off]), ServiceReply(0, "instruct", "", [later]), none, none], *turns
    )
    states = [question.home["devices"][0]["device"]["state"] for question in asked]
    assert states == [{"power": True}, {"power": False}, {"power": False}, {"power": False, "level": 3}]
    assert HOME["devices"][0]["device"]["state"] == {"power": True}  # type: ignore[index]


def test_a_turn_may_have_its_own_room_clock_and_world() -> None:
    """service.md, The user's clock: a person walks on, time passes, and the home changes by itself."""
    none = ServiceReply(0, "none")
    turns = (
        {"question": "1", "intent": "none"},
        {"question": "2", "intent": "none", "local": "卧室", "now": "2026-11-23T20:00:00+08:00"},
        {"question": "3", "intent": "none", "state_before": {"d1": {"power": False}}},
    )
    right, asked = _play([none, none, none], *turns)
    assert right == [True, True, True]
    assert [(question.local, question.now) for question in asked] == [
        ("客厅", None), ("卧室", "2026-11-23T20:00:00+08:00"), ("客厅", None)
    ]  # fmt: skip
    assert [one.home["devices"][0]["device"]["state"]["power"] for one in asked] == [True, True, False]


ANSWER: dict[str, Any] = {
    "segments": [{"agent_code": "triage"}, {"agent_code": "smartCS"}],
    "relations": [{"a": 1, "b": 0, "type": "insertion"}],
    "intent_ops": [
        {"op": "shift", "target": "triage", "executed": True},
        {"op": "add", "target": "smartCS", "executed": True},
    ],
    "frames": [
        {"frame_id": "f1", "agent_code": "triage", "lane": "medical", "role": "focus", "status": "active",
         "slots": {"symptom": "头痛得厉害"}},
        {"frame_id": "f2", "agent_code": "smartCS", "lane": "admin", "role": "queued", "status": "pending",
         "slots": {}},
    ],
    "medical_focus_id": "f1",
    "turn_type": "new_request",
    "safety": {"label": "normal"},
}  # fmt: skip

GOLD: dict[str, Any] = {
    "text": "头痛得厉害，停车怎么收费",
    "segments": [{"text": "头痛", "agent": "triage"}, {"text": "停车怎么收费", "agent": "smartCS"}],
    "relations": [{"a": 0, "b": 1, "type": "insertion"}],
    "ops": [{"op": "shift", "target": "triage"}, {"op": "add", "target": "smartCS"}],
    "focus": "triage",
    "admin_focus": None,
    "queued": ["smartCS"],
    "slots": {"triage": {"symptom": "头痛"}},
    "turn_type": "new_request",
    "safety": "normal",
}


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({}, ()),
        ({"segments": [{"text": "头痛", "agent": "triage"}]}, ("segments",)),
        ({"segments": None, "relations": None, "turn_type": None}, ()),
        ({"relations": []}, ("relations",)),
        ({"ops": [{"op": "shift", "target": "triage"}]}, ("ops",)),
        ({"ops": [*GOLD["ops"][:1], {"op": "add", "target": "smartCS", "executed": False}]}, ("ops",)),
        ({"focus": None}, ("focus",)),
        ({"admin_focus": "smartCS"}, ("admin_focus",)),
        ({"queued": ["smartCS", "smartCS"]}, ("queued",)),
        ({"slots": {"triage": {"symptom": "头痛", "duration": "两天"}}}, ("slots",)),
        ({"safety": "emergency", "turn_type": "deny"}, ("turn_type", "safety")),
        ({"focus": None, "accept": [{"focus": "triage"}]}, ()),
    ],
)
def test_hospital_turns_are_scored_field_by_field(change: dict[str, Any], wrong: tuple[str, ...]) -> None:
    """hospital.md, "Turn as JSON": null is not scored, for a focus it means none; `accept` overlays are right."""
    scorer = HospitalScorer(lambda now, turns: [ANSWER])
    (outcome,) = scorer.score(_case(turns=[{**GOLD, **change}]))
    assert outcome.wrong == wrong
    assert outcome.right is (not set(wrong) - {"slots", "turn_type"})


def test_slots_turn_types_and_red_flags_have_their_own_figures() -> None:
    """A flagged turn counts with its very label; a false alarm is an unflagged turn given any."""
    calm, flagged = ANSWER, {**ANSWER, "safety": {"label": "emergency"}}
    scorer = HospitalScorer(lambda now, turns: [flagged, calm, flagged, calm])
    turns = [
        {"text": "…", "safety": "emergency", "turn_type": "deny"},
        {"text": "…", "safety": "self_harm", "turn_type": "new_request"},
        {"text": "…", "safety": "normal", "slots": {"triage": {"symptom": "头痛"}}},
        {"text": "…", "safety": "normal", "slots": {}},
    ]
    right = [outcome.right for outcome in scorer.score(_case(turns=turns))]
    assert right == [True, False, False, True]
    assert scorer.figures() == {
        "slots right": 1.0,
        "turn_type right": 0.5,
        "red flag recall": 0.5,
        "false alarms": 0.5,
    }


def test_a_single_sentence_is_a_dialogue_of_one_turn() -> None:
    """A line with `text` alone scores only what it names; classes are averaged whatever their number."""
    scorer = HospitalScorer(lambda now, turns: [ANSWER])
    (outcome,) = scorer.score(
        _case(text="…", segments=[{"text": "…", "agent": "triage"}, {"text": "…", "agent": "drug"}])
    )
    assert outcome.wrong == ("segments",)
    assert scorer.figures()["class macro F1"] == pytest.approx((1 + 0 + 0) / 3)
