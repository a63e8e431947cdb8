"""What is refused opens nothing, and ends or puts off only what it names (hospital.md, Segments, 先不)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .conftest import Talk

WANTED = {
    "挂骨科": "dept-direct",
    "约李四医生": "doc-direct",
    "挂号": "triage",
    "缴费": "payment",
}
ASKED = {
    "停车怎么收费": "smartCS",
    "前面还有几个人": "queue",
    "布洛芬饭前吃还是饭后吃": "drug",
}
REFUSALS = ["先不{}了", "我不想{}了", "别给我{}", "不{}", "暂时不{}", "我不打算{}了", "先别{}"]


def asked(turn: dict[str, Any]) -> list[str]:
    return [segment["agent_code"] for segment in turn["segments"]]


def open_frames(turn: dict[str, Any]) -> list[str]:
    return [frame["agent_code"] for frame in turn["frames"] if frame["status"] in ("active", "pending")]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(WANTED)), st.sampled_from(REFUSALS), st.sampled_from(sorted(ASKED)), st.sampled_from("，。 ")
)
def test_a_refused_task_opens_no_frame(talk: Talk, wanted: str, refusal: str, other: str, sign: str) -> None:
    """hospital.md, Segments: of a refusal and a request only the request is a task, with nothing standing."""
    (turn,) = talk(refusal.format(wanted) + sign + other)
    assert asked(turn) == [ASKED[other]]
    assert open_frames(turn) == [ASKED[other]]
    assert any(note.startswith("refused: ") for note in turn["notes"])


@pytest.mark.parametrize("refusal", REFUSALS)
@pytest.mark.parametrize("wanted", sorted(WANTED))
def test_a_refusal_alone_is_a_no(talk: Talk, wanted: str, refusal: str) -> None:
    """hospital.md, Segments: nothing is opened, and the answer says that it was understood."""
    (turn,) = talk(refusal.format(wanted))
    assert (asked(turn), open_frames(turn), len(turn["intent_ops"]), turn["turn_type"]) == ([], [], 0, "deny")
    assert "没听明白" not in turn["reply"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("先不挂号了我要缴费", ["payment"]),
        ("不挂心内科挂李四医生", ["doc-direct"]),
        ("我不想挂号了问下停车怎么收费", ["smartCS"]),
    ],
)
def test_a_refusal_needs_no_sign_behind_it(talk: Talk, text: str, expected: list[str]) -> None:
    """hospital.md, Segments, voice transcripts: what follows a refusal without a sign is a request all the same."""
    assert asked(talk(text)[0]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("骨科就不挂了，给我挂康复科", ["dept-direct"]),
        ("李四的号我不要，换王五的", ["doc-direct"]),
        ("心内科不挂，神经内科也不挂，挂中医科", ["dept-direct"]),
        ("停车的不问了，前面还有几个人", ["queue"]),
        ("我没说要挂儿科，我要挂妇科", ["dept-direct"]),
        ("皮肤科先不去了，停车怎么收费", ["smartCS"]),
        ("眼科那边先不去了我要缴费", ["payment"]),
        ("挂号就免了，前面还有几个人", ["queue"]),
        ("缴费的事回头再说，挂骨科", ["dept-direct"]),
        ("李四医生的号先放一放，我要缴费", ["payment"]),
    ],
)
def test_a_refusal_may_follow_what_it_refuses(talk: Talk, text: str, expected: list[str]) -> None:
    """hospital.md, Segments: the thing comes first and its refusal behind it; it is refused all the same."""
    (turn,) = talk(text)
    assert asked(turn) == expected
    assert len(open_frames(turn)) == 1


@pytest.mark.parametrize("denied", ["不是挂{}", "并不是挂{}", "不是要挂{}的", "不是约{}"])
@pytest.mark.parametrize("meant", ["，是挂{}", "，我要挂{}", "，挂{}"])
def test_a_denied_intention_is_refused(talk: Talk, denied: str, meant: str) -> None:
    """hospital.md, Segments: 不是挂…，是挂… opens the second alone, by a directory name; a standing task takes it as a
    repair."""
    text = denied.format("心内科") + meant.format("儿科")
    (turn,) = talk(text)
    assert asked(turn) == ["dept-direct"]
    assert [frame["slots"] for frame in turn["frames"]] == [{"department": "儿科"}]
    _, turn = talk("挂心内科", text)
    assert [frame["slots"] for frame in turn["frames"] if frame["status"] == "active"] == [{"department": "儿科"}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("不挂号能直接缴费吗", ["smartCS"]),
        ("不挂号直接缴费可以吗", ["smartCS"]),
        ("不挂号也能缴费吗", ["smartCS"]),
        ("不是挂了号就能看吗", ["smartCS"]),
        ("上周约的骨科先不去了", ["smartCS"]),
        ("能不能挂骨科", ["dept-direct"]),
        ("要不挂骨科吧", ["dept-direct"]),
        ("特别想挂李四的号", ["doc-direct"]),
        ("孩子不看人，挂什么科", ["triage"]),
        ("手指伸不直", ["triage"]),
    ],
)
def test_a_question_or_another_word_refuses_nothing(talk: Talk, text: str, expected: list[str]) -> None:
    """hospital.md, Segments: 不 that asks, complains, or belongs to another word is no refusal."""
    (turn,) = talk(text)
    assert asked(turn) == expected
    assert not any(note.startswith("refused: ") for note in turn["notes"])


@pytest.mark.parametrize(
    ("standing", "text", "ops", "left"),
    [
        ("挂骨科", "别给我挂骨科", [("cancel", "dept-direct")], []),
        ("挂骨科", "别给我挂儿科", [], ["dept-direct"]),
        ("我要缴费", "不挂号了", [], ["payment"]),
        ("我要缴费", "先不挂号了，停车怎么收费", [("add", "smartCS")], ["payment", "smartCS"]),
        ("头痛挂什么科", "先不挂号了，我要缴费", [("shift", "payment")], ["triage", "payment"]),
        ("挂骨科", "不挂骨科，挂李四医生", [("shift", "doc-direct")], ["doc-direct"]),
    ],
)
def test_a_refusal_ends_or_puts_off_only_what_it_names(
    talk: Talk, standing: str, text: str, ops: list[tuple[str, str]], left: list[str]
) -> None:
    """hospital.md, Segments and hospital.md, Ops: 先不 queues the task it names, 不 ends it; other tasks go on."""
    _, turn = talk(standing, text)
    assert [(op["op"], op["target"]) for op in turn["intent_ops"]] == ops
    assert open_frames(turn) == left


@pytest.mark.parametrize("thing", ["复查的号", "骨科的号", "检查", "拆线", "康复"])
@pytest.mark.parametrize("put_off", ["{}回头再约吧", "{}改天再来吧", "{}以后再说", "{}先缓缓", "{}就免了"])
def test_a_postponed_task_opens_nothing(talk: Talk, thing: str, put_off: str) -> None:
    """hospital.md, Segments: words behind a thing put it off as words before it do."""
    (turn,) = talk(put_off.format(thing))
    assert (asked(turn), open_frames(turn)) == ([], [])


@pytest.mark.parametrize("wrong", ["骨科", "眼科", "心内科"])
@pytest.mark.parametrize("said", ["不是{}，是康复科", "不是{}是康复科", "不要{}，要康复科"])
def test_a_correction_within_a_turn_is_one_request(talk: Talk, said: str, wrong: str) -> None:
    """hospital.md, Segments: of a thing denied and the one that is meant, only what is meant is asked, also in a first
    turn."""
    (turn,) = talk(said.format(wrong))
    assert [(one["agent_code"], one["slots"].get("department")) for one in turn["segments"]] == [
        ("dept-direct", "康复科")
    ]
