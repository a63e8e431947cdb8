"""`memory_policy_default` does what it says, and frames tell why they exist (hospital.md, Frames)."""

from datetime import datetime
from typing import Any

import msgspec
import pytest

from tingdong.front_desk import domain as domains
from tingdong.front_desk.advance import advance
from tingdong.front_desk.memory import KEPT_CHARS, KEPT_TURNS
from tingdong.front_desk.model import (
    Cue,
    CueKind,
    DeskTurn,
    IntentContext,
    MemoryPolicy,
    Segment,
    SlotMention,
    TurnReading,
    TurnType,
)

from .conftest import Talk

NOW = datetime.fromisoformat("2026-11-23T09:30:00+08:00")


def seg(agent: str, text: str, **slots: str) -> Segment:
    return Segment(text, 0, len(text), agent, 0.9, slots=slots, asks=True)


def said(text: str, *segments: Segment, cues: tuple[Cue, ...] = ()) -> TurnReading:
    return TurnReading(text, segments=segments, cues=cues)


def run(policy: MemoryPolicy, *readings: TurnReading) -> list[DeskTurn]:
    domain = msgspec.structs.replace(domains.default(), memory_policy_default=policy)
    context, turns = IntentContext(), []
    for reading in readings:
        turns.append(advance(context, reading, now=NOW, domain=domain))
        context = turns[-1].context
    return turns


PARKING = said("停车怎么收费", seg("smartCS", "停车怎么收费", topic="停车"))
BONES = said("挂骨科", seg("dept-direct", "挂骨科", department="骨科"))
PAYING = said("我要缴费", seg("payment", "我要缴费"))
TOMORROW = said("明天", Segment("明天", 0, 2, mentions=(SlotMention("date", "明天", "2026-11-24", 0, 2),)))


@pytest.mark.parametrize("kept", [True, False])
def test_history_is_kept_or_not(kept: bool) -> None:
    """hospital.md, Frames full_history_default (M1): the user's words with the tasks they touched, or none of them."""
    *_, turn = run(MemoryPolicy(full_history_default=kept), BONES, PARKING, TOMORROW)
    assert turn.context.memory_policy_default.full_history_default is kept
    told = [(one.turn, one.text, one.frame_ids) for one in turn.context.history]
    assert told == ([(1, "挂骨科", ("f1",)), (2, "停车怎么收费", ("f2",)), (3, "明天", ("f1",))] if kept else [])


def test_history_is_bounded_by_the_policies_of_its_tasks() -> None:
    """hospital.md, Frames memory is by frame: over the bound what belongs to no task goes first, what is under way
    stays."""
    chatter = [said(f"闲聊{number}" + "啊" * 90) for number in range(40)]
    *_, turn = run(MemoryPolicy(), BONES, *chatter, PARKING)
    history = turn.context.history
    assert len(history) <= KEPT_TURNS
    assert sum(len(one.text) for one in history) <= KEPT_CHARS
    assert [history[0].text, history[-1].text] == ["挂骨科", "停车怎么收费"]
    assert [one.turn for one in history] == sorted(one.turn for one in history)


@pytest.mark.parametrize("aligned", [True, False])
def test_vectors_align_or_not(aligned: bool) -> None:
    """hospital.md, Frames vector_alignment (M2): a task is found by what its words mean, or only by its name and its
    slots."""
    about = said("停车那个事", cues=(Cue(CueKind.ABOUT, "停车那个事", 0, 5, "停车"),))
    *_, turn = run(MemoryPolicy(vector_alignment=aligned), BONES, PARKING, about)
    assert [op.op.value for op in turn.context.intent_ops] == (["continue"] if aligned else [])


@pytest.mark.parametrize("kept", [True, False])
def test_slots_are_kept_or_not(kept: bool) -> None:
    """hospital.md, Frames structured_state (M3): slots and what they miss, or neither; without them no short answer
    fits a task."""
    first, turn = run(MemoryPolicy(structured_state=kept), BONES, TOMORROW)
    (asked,), (frame,) = first.context.frames, turn.context.frames
    assert asked.missing_slots == (("date",) if kept else ())
    assert frame.slots == ({"department": "骨科", "date": "2026-11-24"} if kept else {})
    assert turn.turn_type is (TurnType.SLOT_FILL if kept else TurnType.UNKNOWN)


@pytest.mark.parametrize(
    ("text", "words"),
    [("挂李四医生的号", "doctor_name"), ("挂骨科", "dept_name"), ("唐主任在吗", "doctor_name")],
)
def test_evidence_uses_the_documented_words(talk: Talk, text: str, words: str) -> None:
    """hospital.md, Frames evidence: turn_type and signals as the page names them; nothing of how danger is looked
    for."""
    (turn,) = talk(text)
    evidence = turn["frames"][0]["evidence"]
    assert evidence["turn_type"] == "new_request"
    assert words in evidence["signals"]
    told = set(domains.default().evidence.values())
    assert told.issuperset(evidence["signals"])


def test_the_version_of_the_prompt_is_told(talk: Talk) -> None:
    """hospital.md, Frames meta: the prompt's version stands beside that of the configuration, whoever decided."""
    meta = talk("挂骨科")[0]["meta"]
    assert all(meta[key] for key in ("layer_hit", "config_version", "prompt_version"))


@pytest.mark.parametrize(
    ("texts", "asked"),
    [
        (("挂骨科",), "date"),
        (("挂骨科", "停车怎么收费"), "date"),
        (("我要缴费", "挂号"), "symptom"),
    ],
)
def test_an_empty_required_slot_is_asked_for(talk: Talk, texts: tuple[str, ...], asked: str) -> None:
    """hospital.md, Frames missing_slots: while the focus misses a required slot, every reply asks for it."""
    *_, turn = talk(*texts)
    (focus,) = [frame for frame in turn["frames"] if frame["frame_id"] == turn["medical_focus_id"]]
    assert focus["missing_slots"][0] == asked
    assert domains.default().agents[focus["agent_code"]].slots[asked].ask in turn["reply"]


def test_a_required_slot_without_a_question_is_refused() -> None:
    """hospital.md, Frames: a domain file cannot require what it never asks for."""
    raw = domains.DEFAULT_DOMAIN.read_bytes().replace("ask: 请说一下药名。".encode(), b"ask: ''")
    with pytest.raises(Exception, match=r"agents\.drug\.slots\.drug\.ask"):
        domains.parse(raw)


def test_a_slot_keeps_all_that_is_named(talk: Talk) -> None:
    """hospital.md, Class drug interactions: of two drugs asked about together neither is lost."""
    slots: list[dict[str, Any]] = [
        talk(text)[0]["frames"][0]["slots"] for text in ("布洛芬和头孢能一起吃吗", "布洛芬饭前吃吗")
    ]
    assert slots == [{"drug": "布洛芬、头孢"}, {"drug": "布洛芬"}]
