"""Dialogues of several turns with every operation, in the user's words (hospital.md, Ops, Example; hospital.md,
Ops)."""

from datetime import datetime
from pathlib import Path

import msgspec
import pytest

from tingdong.front_desk import directory, domain
from tingdong.front_desk.model import IntentContext, Status
from tingdong.front_desk.read import DeskReader, default_reader, shipped_models
from tingdong.front_desk.router import Router

CORPUS = Path(__file__).parents[1] / "corpus"
NOW = datetime.fromisoformat("2026-11-23T09:30:00+08:00")
PEOPLE = directory.load(CORPUS / "hospital_directory.yaml")

DIALOGUES = [
    [
        ("挂李四医生的号", "shift doc-direct", {"doctor": "李四"}),
        ("先不挂了，先缴费", "shift payment", {}),
        ("交好了", "complete payment, shift doc-direct", {"doctor": "李四"}),
        ("接着挂李四的号", "continue doc-direct", {"doctor": "李四"}),
        ("明天上午", "continue doc-direct", {"date": "2026-11-24", "period": "上午"}),
        ("改成后天", "continue doc-direct", {"date": "2026-11-25", "period": "上午"}),
        ("好了", "complete doc-direct", {}),
    ],
    [
        ("想挂李四医生的号", "shift doc-direct", {}),
        ("先不挂了，停车场在哪", "shift smartCS", {}),
        ("接着挂李四的号吧", "shift doc-direct", {"doctor": "李四"}),
    ],
    [
        ("李四医生明天出诊吗", "shift doc-direct", {"date": "2026-11-24"}),
        ("他的号多少钱", "add smartCS", {}),
        ("那就约他下午的", "continue doc-direct", {"doctor": "李四", "period": "下午"}),
    ],
    [
        ("我头疼想挂号，还有王五医生在不在", "clarify triage|doc-direct", {}),
        ("后一个", "shift doc-direct", {"doctor": "王五"}),
        ("周三", "continue doc-direct", {"date": "2026-11-25"}),
        ("不挂了", "cancel doc-direct", {}),
    ],
    [
        ("挂骨科", "shift dept-direct", {"department": "骨科"}),
        ("有没有后天的", "continue dept-direct", {"date": "2026-11-25"}),
        ("周五吧，周四要开会", "continue dept-direct", {"date": "2026-11-27"}),
        ("改大后天，周五车限号", "continue dept-direct", {"date": "2026-11-26"}),
        ("是的没错", "continue dept-direct", {"date": "2026-11-26"}),
        ("挂上咯", "complete dept-direct", {}),
    ],
    [
        ("挂李四医生明天的号", "shift doc-direct", {"doctor": "李四"}),
        ("布洛芬一天吃几次", "add drug", {}),
        ("不问药了", "cancel drug", {"doctor": "李四"}),
        ("住院押金怎么退", "add smartCS", {}),
        ("刚才说的押金那个，接着讲", "continue smartCS", {"doctor": "李四"}),
        ("押金的事晚点再说", "continue smartCS", {"doctor": "李四"}),
    ],
]


@pytest.mark.parametrize("turns", DIALOGUES, ids=lambda turns: turns[0][0])
def test_recorded_dialogues_replay_turn_by_turn(turns: list[tuple[str, str, dict[str, str]]]) -> None:
    """Put off, taken up again, repaired, chosen, completed, cancelled: what is done, and what the focus holds."""
    router, context = Router(domain.default(), default_reader(PEOPLE)), IntentContext()
    for text, ops, slots in turns:
        context = router.turn(context, text, now=NOW).context
        assert ", ".join(f"{op.op.value} {op.target}" for op in context.intent_ops) == ops, text
        focus = next((f for f in context.frames if f.frame_id == context.medical_focus_id), None)
        assert slots.items() <= (focus.slots if focus else {}).items(), text


@pytest.mark.parametrize(("always", "ops"), [(False, ["shift"]), (True, ["clarify"])])
def test_clarify_in_one_sentence_is_a_setting(*, always: bool, ops: list[str]) -> None:
    """hospital.md, Class, note: read strictly, a doctor beside their own department is asked about too."""
    shipped = domain.default()
    limits = msgspec.structs.replace(shipped.limits, clarify_same_sentence=always)
    strict = msgspec.structs.replace(shipped, limits=limits)
    router = Router(strict, DeskReader(strict, PEOPLE, shipped_models(strict)))
    context = router.turn(IntentContext(), "挂心内科李四医生的号", now=NOW).context
    assert [op.op.value for op in context.intent_ops] == ops
    assert all(frame.status is not Status.CANCELED for frame in context.frames)
