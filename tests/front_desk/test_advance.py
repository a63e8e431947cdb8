"""The acting half of the dialogue (hospital.md, Relations, Frames), on readings given as values."""

from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tingdong.front_desk import domain as domains
from tingdong.front_desk.advance import DeskOptions, advance
from tingdong.front_desk.model import (
    Cue,
    CueKind,
    DeskTurn,
    FrameRole,
    IntentContext,
    OpKind,
    Safety,
    SafetyAction,
    SafetyLabel,
    Segment,
    SlotMention,
    Status,
    TurnReading,
    TurnType,
)
from tingdong.front_desk.reports import Report, ReportKind, UnknownFrame, report
from tingdong.front_desk.router import Read, Reported, Router, replay
from tingdong.front_desk.wire import turn_as_json

NOW = datetime.fromisoformat("2026-11-23T09:30:00+08:00")
DOMAIN = domains.default()


def seg(agent: str, text: str = "", **slots: str) -> Segment:
    text = text or DOMAIN.agents[agent].title
    return Segment(text, 0, len(text), agent, 0.9, slots=slots, asks=True)


def bare(text: str, *mentions: SlotMention) -> Segment:
    return Segment(text, 0, len(text), mentions=mentions)


def date(value: str) -> SlotMention:
    return SlotMention("date", "那天", value, 0, 2)


def cue(kind: CueKind, about: str = "", *agents: str) -> Cue:
    return Cue(kind, about or kind.value, 0, 1, about, agents)


def run(*readings: TurnReading, legacy: bool = False) -> list[DeskTurn]:
    context, turns, options = IntentContext(), [], DeskOptions(legacy=legacy)
    for reading in readings:
        turn = advance(context, reading, now=NOW, domain=DOMAIN, options=options)
        context = turn.context
        turns.append(turn)
    return turns


def read(*segments: Segment, cues: tuple[Cue, ...] = ()) -> TurnReading:
    return TurnReading("，".join(s.text for s in segments), segments=segments, cues=cues)


def ops(turn: DeskTurn) -> list[tuple[Any, ...]]:
    return [(op.op.value, op.target) + (() if op.executed else (False,)) for op in turn.context.intent_ops]


def focus(turn: DeskTurn, lane: str) -> str | None:
    found = [f for f in turn.context.frames if (f.role, f.status, f.lane) == (FrameRole.FOCUS, Status.ACTIVE, lane)]
    assert len(found) <= 1
    return found[0].agent_code if found else None


def queued(turn: DeskTurn) -> list[str]:
    waiting = [f for f in turn.context.frames if (f.role, f.status) == (FrameRole.QUEUED, Status.PENDING)]
    return sorted(f.agent_code for f in waiting)


def outcome(turn: DeskTurn) -> tuple[list[tuple[Any, ...]], str | None, str | None, list[str]]:
    """Ops, medical focus, administrative focus, queue."""
    return ops(turn), focus(turn, "medical"), focus(turn, "admin"), queued(turn)


def test_example_dialogue_turn_by_turn() -> None:
    """hospital.md, Example: clarify, the choice, the slot, the insertion."""
    first, second, third, fourth = run(
        read(
            seg("triage", "头痛想挂号", symptom="头痛"),
            seg("smartCS", "停车怎么收费"),
            seg("doc-direct", "李四医生明天出诊吗", doctor="李四"),
        ),
        read(seg("doc-direct", "想挂李四医生的号", doctor="李四")),
        read(bare("明天下午的", date("2026-11-24"), SlotMention("period", "下午", "下午", 2, 4))),
        read(seg("smartCS", "医保报销怎么走")),
    )
    assert ops(first) == [("clarify", "triage|doc-direct"), ("add", "smartCS", False)]
    assert first.context.medical_focus_id is None
    assert [(r.a, r.b, r.type.value) for r in first.relations] == [
        (0, 1, "insertion"),
        (0, 2, "exclusive"),
        (1, 2, "insertion"),
    ]
    assert (ops(second), focus(second, "medical"), queued(second)) == (
        [("shift", "doc-direct")],
        "doc-direct",
        ["smartCS"],
    )
    assert ops(third) == [("continue", "doc-direct")]
    frame = next(f for f in third.context.frames if f.frame_id == third.context.medical_focus_id)
    assert (frame.slots["date"], frame.slots["period"], frame.missing_slots) == ("2026-11-24", "下午", ())
    assert third.segments[0].agent_code == "doc-direct"
    assert third.turn_type is TurnType.SLOT_FILL
    assert (ops(fourth), focus(fourth, "medical"), queued(fourth)) == (
        [("add", "smartCS")],
        "doc-direct",
        ["smartCS", "smartCS"],
    )


@pytest.mark.parametrize(
    ("agents", "expected", "medical", "admin", "waiting"),
    [
        (["triage", "smartCS"], [("shift", "triage"), ("add", "smartCS")], "triage", None, ["smartCS"]),
        (["dept-direct", "doc-direct"], [("clarify", "dept-direct|doc-direct")], None, None, []),
        (["report", "triage"], [("shift", "triage"), ("add", "report")], "triage", None, ["report"]),
        (["payment", "queue"], [("shift", "payment"), ("add", "queue")], None, "payment", ["queue"]),
        (["smartCS", "payment"], [("shift", "payment"), ("add", "smartCS")], None, "payment", ["smartCS"]),
    ],
)
def test_examples_of_the_page(
    agents: list[str], expected: list[tuple[str, str]], medical: str | None, admin: str | None, waiting: list[str]
) -> None:
    """hospital.md, Relations: what takes the focus and what waits."""
    (turn,) = run(read(*(seg(agent) for agent in agents)))
    assert (ops(turn), focus(turn, "medical"), focus(turn, "admin"), queued(turn)) == (
        expected,
        medical,
        admin,
        waiting,
    )


def test_at_most_three_ops_and_nothing_is_lost() -> None:
    """hospital.md, Ops: what is over the limit waits without an op, and the reason says so."""
    (turn,) = run(read(seg("triage"), seg("payment"), seg("queue"), seg("smartCS"), seg("report")))
    assert ops(turn) == [("shift", "triage"), ("add", "payment"), ("add", "report")]
    assert queued(turn) == ["payment", "queue", "report", "smartCS"]
    assert "queue、smartCS" in turn.context.intent_ops[-1].reason


def test_one_of_a_group_replaces_the_other() -> None:
    """hospital.md, shift: doctor, department and triage replace one another."""
    _, turn = run(read(seg("triage")), read(seg("dept-direct", "那就挂神经内科", department="神经内科")))
    assert (ops(turn), focus(turn, "medical"), queued(turn), turn.relations) == (
        [("shift", "dept-direct")],
        "dept-direct",
        [],
        (),
    )


def test_focus_goes_to_the_next_in_the_queue() -> None:
    """hospital.md, cancel and complete: the freed lane's first queued frame is shifted to in the same turn."""
    _, done, ended = run(
        read(seg("dept-direct"), seg("report"), seg("smartCS")),
        read(cues=(cue(CueKind.COMPLETE),)),
        read(cues=(cue(CueKind.CANCEL),)),
    )
    assert ops(done) == [("complete", "dept-direct"), ("shift", "report")]
    assert ops(ended) == [("cancel", "report"), ("shift", "smartCS")]
    assert (focus(ended, "medical"), focus(ended, "admin")) == (None, "smartCS")


def test_put_off_comes_back() -> None:
    """hospital.md, Ops: the medical task waits and returns when the other one is done."""
    _, off, back = run(
        read(seg("triage", symptom="头痛")),
        read(seg("payment"), cues=(cue(CueKind.PUT_OFF),)),
        read(cues=(cue(CueKind.COMPLETE),)),
    )
    assert (ops(off), focus(off, "medical"), focus(off, "admin")) == ([("shift", "payment")], None, "payment")
    assert (queued(off), off.turn_type) == (["triage"], TurnType.NEW_REQUEST)
    assert ops(back) == [("complete", "payment"), ("shift", "triage")]


def test_named_task_is_cancelled_not_the_focus() -> None:
    """hospital.md, cancel: 医保那个不问了 ends what it names."""
    _, turn = run(
        read(seg("dept-direct"), seg("queue"), seg("smartCS", "医保怎么报销")),
        read(cues=(cue(CueKind.CANCEL, "医保"),)),
    )
    assert (ops(turn), focus(turn, "medical"), queued(turn)) == ([("cancel", "smartCS")], "dept-direct", ["queue"])


def test_back_reference_continues_the_waiting_task() -> None:
    """hospital.md, Memory M2: 停车那个事 finds the queued parking frame; no second frame is made."""
    _, turn = run(
        read(seg("dept-direct"), seg("smartCS", "停车怎么收费"), seg("smartCS", "医保报销怎么走")),
        read(cues=(cue(CueKind.ABOUT, "停车"),)),
    )
    assert (ops(turn), queued(turn)) == ([("continue", "smartCS")], ["smartCS", "smartCS"])


@pytest.mark.parametrize(("kind", "agent"), [(CueKind.FORMER, "triage"), (CueKind.LATTER, "doc-direct")])
def test_choice_by_place(kind: CueKind, agent: str) -> None:
    """hospital.md, clarify: 前一个 / 后一个 in sentence order; the rival is cancelled, the reason names it."""
    _, turn = run(read(seg("triage"), seg("doc-direct")), read(cues=(cue(kind),)))
    assert (ops(turn), focus(turn, "medical")) == ([("shift", agent)], agent)
    rival = {"triage": "doc-direct", "doc-direct": "triage"}[agent]
    assert rival in turn.context.intent_ops[0].reason
    assert [f.agent_code for f in turn.context.frames if f.status is Status.CANCELED] != [agent]


def test_unanswered_clarify_stands_two_more_turns() -> None:
    """hospital.md: a clarify stays pending for two more turns, then the contested frames are cancelled."""
    turns = run(read(seg("triage"), seg("doc-direct")), *[read(seg("drug")) for _ in range(3)])
    assert [turn.context.clarify is not None for turn in turns] == [True, True, True, False]
    assert queued(turns[1]) == ["drug"]
    statuses = {f.agent_code: f.status for f in turns[-1].context.frames}
    assert statuses["triage"] is statuses["doc-direct"] is Status.CANCELED


@pytest.mark.parametrize("label", [SafetyLabel.EMERGENCY, SafetyLabel.SELF_HARM, SafetyLabel.INJECTION])
def test_block_leaves_every_frame_as_it_was(label: SafetyLabel) -> None:
    """hospital.md, block: nothing else is executed; the text is the domain's, kind and fixed."""
    blocked = TurnReading("……", Safety(label, SafetyAction.ESCALATE, ("喘不上气",)))
    before, turn = run(read(seg("triage"), seg("smartCS")), blocked)
    assert ops(turn) == [("block", label.value)]
    assert turn.context.frames == before.context.frames
    assert turn.reply == DOMAIN.safety.replies[label]
    if label is not SafetyLabel.INJECTION:
        assert "120" in turn.reply


def test_dates_of_the_past_are_not_booked() -> None:
    """hospital.md, Slots: a date is ISO, relative to the turn; one that is over stays missing."""
    _, turn = run(read(seg("dept-direct", department="骨科")), read(bare("昨天", date("2026-11-22"))))
    frame = next(f for f in turn.context.frames if f.frame_id == turn.context.medical_focus_id)
    assert frame.missing_slots == ("date",)
    assert turn.notes


def test_legacy_code_only_behind_its_setting() -> None:
    """hospital.md, Turn as JSON: `legacy_agent_code` is for old chains only."""
    (plain,), (legacy,) = run(read(seg("triage"))), run(read(seg("triage")), legacy=True)
    assert "legacy_agent_code" not in turn_as_json(plain)
    assert turn_as_json(legacy)["legacy_agent_code"] == "triage"


class NoTier:
    """A reading tier that is never asked."""

    def read(self, *_: object, **__: object) -> TurnReading:
        raise AssertionError


def test_agents_report_back() -> None:
    """hospital.md, Relations, Frames: activate makes an insertion, complete frees the focus, handoff only suggests."""
    router = Router(DOMAIN, NoTier())
    (turn,) = run(read(seg("report", "血常规怎么看"), seg("smartCS", "停车怎么收费")))
    report, parking = turn.context.frames
    active = router.activate(turn.context, parking.frame_id)
    assert [(f.role, f.status) for f in active.context.frames if f.agent_code == "smartCS"] == [
        (FrameRole.INSERT, Status.ACTIVE)
    ]
    assert focus(active, "medical") == "report"
    handed = router.handoff(active.context, report.frame_id, "dept-direct", summary="挂血液科")
    assert (focus(handed, "medical"), [r.type.value for r in handed.relations]) == ("report", ["handoff"])
    done = router.complete(handed.context, report.frame_id)
    assert ops(done) == [("complete", "report"), ("shift", "dept-direct")]
    assert focus(router.cancel(done.context, "f3"), "medical") is None
    with pytest.raises(UnknownFrame):
        router.complete(done.context, report.frame_id)


@pytest.mark.parametrize("ended", [("f1",), ("f1", "f2")])
def test_a_contested_frame_may_end_before_the_clarify_is_answered(ended: tuple[str, ...]) -> None:
    """hospital.md, clarify: when agents end contested frames, who is left takes the focus, and nothing breaks."""
    router = Router(DOMAIN, NoTier())
    (turn,) = run(read(seg("triage"), seg("doc-direct")))
    context = turn.context
    for key in ended:
        context = router.complete(context, key).context
    after = router.advance(context, read(cues=(cue(CueKind.FORMER),)), now=NOW)
    assert after.context.clarify is None
    assert focus(after, "medical") == (None if len(ended) == 2 else "doc-direct")


def test_an_agent_may_answer_the_clarify() -> None:
    """hospital.md, Frames: a contested task that its agent takes up is the one focus; its rival waits."""
    router = Router(DOMAIN, NoTier())
    (turn,) = run(read(seg("triage"), seg("doc-direct")))
    taken = router.activate(turn.context, "f2")
    assert (focus(taken, "medical"), queued(taken), taken.context.clarify) == ("doc-direct", ["triage"], None)


AGENTS = list(DOMAIN.agents)
segments = st.builds(seg, st.sampled_from(AGENTS), st.text("头痛停车报销药费单", min_size=1, max_size=6))
answers = st.builds(bare, st.just("明天"), st.builds(date, st.sampled_from(["2026-11-24", "2026-11-01"])))
cues = st.builds(cue, st.sampled_from(CueKind), st.sampled_from(["", "停车", "药"]), st.sampled_from(AGENTS))
safeties = st.sampled_from([Safety()] * 9 + [Safety(SafetyLabel.EMERGENCY, SafetyAction.ESCALATE)])
readings = st.builds(
    lambda pieces, said, safety: TurnReading("话", safety, tuple(pieces), tuple(said)),
    st.lists(segments | answers, max_size=4),
    st.lists(cues, max_size=2),
    safeties,
)


@given(st.lists(readings, max_size=8))
def test_laws_of_the_dialogue(sequence: list[TurnReading]) -> None:
    """Law 6, hospital.md, Ops, Frames: whatever is said, these hold after every turn."""
    before: dict[str, Any] = {}
    for turn in run(*sequence):
        context = turn.context
        active = [f for f in context.frames if f.role is FrameRole.FOCUS and f.status is Status.ACTIVE]
        for lane in DOMAIN.lanes:
            assert sum(f.lane == lane for f in active) <= 1
        assert context.medical_focus_id == next((f.frame_id for f in active if f.lane == "medical"), None)
        kinds = [op.op for op in context.intent_ops]
        assert len(kinds) <= DOMAIN.limits.ops
        assert [op.priority for op in context.intent_ops] == sorted(op.priority for op in context.intent_ops)
        if OpKind.CLARIFY in kinds:
            assert all(op.op is OpKind.CLARIFY or not op.executed for op in context.intent_ops)
            assert context.medical_focus_id is None
        if OpKind.BLOCK in kinds:
            assert kinds == [OpKind.BLOCK]
        now = {f.frame_id: f for f in context.frames}
        told = " ".join([*(f"{op.op.value} {op.target} {op.reason}" for op in context.intent_ops), *turn.notes])
        for key, frame in before.items():
            if frame.status in (Status.ACTIVE, Status.PENDING):
                assert key in now
                ended = now[key].status in (Status.COMPLETED, Status.CANCELED)
                assert not ended or frame.agent_code in told
            elif key in now:
                assert now[key].status is frame.status
        before = now


@given(
    st.lists(readings, max_size=6),
    st.integers(0, 3),
    st.sampled_from([ReportKind.COMPLETE, ReportKind.ACTIVATE, ReportKind.CANCEL]),
)
def test_replay_of_the_log_gives_the_same_context(sequence: list[TurnReading], at: int, kind: ReportKind) -> None:
    """Law 6: a log of readings and reports rebuilds the context without a model."""
    router, context, log = Router(DOMAIN, NoTier()), IntentContext(), []
    for number, reading in enumerate(sequence):
        context = router.advance(context, reading, now=NOW).context
        log.append(Read(reading, NOW))
        waiting = [f for f in context.frames if f.status in (Status.ACTIVE, Status.PENDING)]
        if number == at and waiting:
            told = Report(kind, waiting[-1].frame_id)
            context = report(context, told, DOMAIN).context
            log.append(Reported(told))
        medical = [
            f for f in context.frames if (f.role, f.status, f.lane) == (FrameRole.FOCUS, Status.ACTIVE, "medical")
        ]
        assert len(medical) <= 1
    assert replay(log, DOMAIN) == context
