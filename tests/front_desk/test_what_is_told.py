"""What is only told, refused or owned is nobody's booking; each has one of their own (hospital.md, Segments, Ops)."""

import pytest

from .conftest import Talk


def bookings(turn: dict[str, object]) -> list[tuple[str, str]]:
    """Whom and what the open bookings are for; the speaker is nobody by name."""
    frames = (one for one in turn["frames"] if one["status"] in ("active", "pending"))  # type: ignore[attr-defined]
    kept = [one["slots"] for one in frames if one["lane"] == "medical"]
    return sorted((one.get("patient", ""), one.get("department", one.get("doctor", ""))) for one in kept)


@pytest.mark.parametrize("said", ["我约的是骨科，九号", "网上抢到了骨科的号，周四", "小程序里挂好了骨科"])
def test_a_booking_that_stands_elsewhere_opens_none(talk: Talk, said: str) -> None:
    """hospital.md, Segments: what somebody tells of is no request; it says at most of what the open question is."""
    assert bookings(talk(said)[-1]) == []
    *_, turn = talk("前面还有几个人", said)
    (queue,) = (one for one in turn["frames"] if one["agent_code"] == "queue")
    assert bookings(turn) == []
    assert queue["slots"] == {"department": "骨科"}


def test_a_booking_made_elsewhere_changes_no_open_task(talk: Talk) -> None:
    """hospital.md, Ops: a booking of another kind is no correction."""
    assert bookings(talk("给我爸挂眼科，明天", "我自己在小程序上约了骨科")[-1]) == [("爸", "眼科")]


@pytest.mark.parametrize("said", ["谁叫你挂骨科了", "我没要挂骨科", "没让你挂骨科呀"])
def test_an_unwanted_task_is_cancelled(talk: Talk, said: str) -> None:
    """hospital.md, Ops: cancel."""
    assert bookings(talk("给我爸挂眼科，明天", "给我妈也挂个骨科", said)[-1]) == [("爸", "眼科")]


def test_a_cancellation_of_a_closed_task_ends_nothing_else(talk: Talk) -> None:
    """hospital.md, Ops: a cancel of a booking that is not there leaves the queue as it is."""
    *_, turn = talk("前面还有几个人", "我没要挂号，取消")
    assert [one["status"] for one in turn["frames"]] == ["active"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("我公公我婆婆都要看，公公挂骨科，婆婆挂眼科", [("公公", "骨科"), ("婆婆", "眼科")]),
        ("两个娃都流鼻涕，老大流了两天，老二今早才开始，看儿科", [("老二", "儿科"), ("老大", "儿科")]),
    ],
)
def test_each_person_has_their_own_booking(talk: Talk, said: str, expected: list[tuple[str, str]]) -> None:
    """hospital.md, Segments: whoever is named twice gets one."""
    assert bookings(talk(said)[-1]) == sorted(expected)


@pytest.mark.parametrize("said", ["医保卡是我爱人单位发的", "那张卡是我爱人的", "车是我爱人的名字"])
def test_a_person_whose_thing_is_mentioned_is_no_patient(talk: Talk, said: str) -> None:
    """hospital.md, Slots: patient."""
    assert bookings(talk("挂王五医生，明天下午", said)[-1]) == [("", "王五")]


def test_refusing_a_department_cancels_nobody_elses_booking(talk: Talk) -> None:
    """hospital.md, Ops: whose it is that is refused."""
    said = "给我爸挂骨科明天，给我妈挂眼科明天"
    assert bookings(talk(said, "我妈不看骨科")[-1]) == [("妈", "眼科"), ("爸", "骨科")]


def test_the_speaker_gives_up_their_own(talk: Talk) -> None:
    """hospital.md, Ops: 我不看了, with somebody else's booking in the focus."""
    assert bookings(talk("给我妈挂骨科，明天", "我自己挂眼科，明天", "我妈那个", "我不看了")[-1]) == [("妈", "骨科")]


def test_each_clause_changes_only_the_task_it_names(talk: Talk) -> None:
    """hospital.md, Ops: two changes in a turn, and neither is the other's."""
    *_, turn = talk("挂骨科，周三", "再挂个李四医生，周四", "骨科那个往后推一天，李四那个改成给我闺女看")
    held = {one["agent_code"]: one["slots"] for one in turn["frames"]}
    assert held["dept-direct"] == {"department": "骨科", "date": "2026-11-26"}
    assert held["doc-direct"] == {"doctor": "李四", "date": "2026-11-26", "patient": "闺女"}


@pytest.mark.parametrize(
    "said",
    [
        "明天上午我姐要搬家，改后天上午吧",
        "单位喊我回去，换成后天，换药的钱能一起交吗",
        "要不明天换成后天，就后天上午，成不",
    ],
)
def test_a_change_with_a_reason_is_done_and_not_asked_about(talk: Talk, said: str) -> None:
    """hospital.md, Ops: continue; only one booking can be meant."""
    *_, turn = talk("挂骨科，明天上午", "停车怎么收费", said)
    (booked,) = (one["slots"] for one in turn["frames"] if one["agent_code"] == "dept-direct")
    assert booked == {"department": "骨科", "date": "2026-11-25", "period": "上午"}
    assert "哪一个" not in turn["reply"]


@pytest.mark.parametrize("said", ["该挂骨科还是康复科", "王五和李四哪个好", "挂眼科还是神经内科合适呀"])
def test_a_choice_that_is_asked_about_is_not_made(talk: Talk, said: str) -> None:
    """hospital.md, Segments: neither of two values is meant."""
    for turn in (talk(said)[-1], talk("我头晕", said)[-1]):
        frames = [one["slots"] for one in turn["frames"] if one["status"] in ("active", "pending")]
        assert not any({"department", "doctor"} & set(slots) for slots in frames)


def test_another_complaint_is_another_booking(talk: Talk) -> None:
    """hospital.md, Segments: what is asked for once more has the times, and is not about the same."""
    *_, turn = talk("给我儿子挂儿科，明天上午", "我自己嗓子也疼，也给我挂一个，跟他同一个时间")
    assert ("", "儿科") not in bookings(turn)
    assert ("儿子", "儿科") in bookings(turn)


def test_a_value_after_a_question_belongs_to_the_question(talk: Talk) -> None:
    """hospital.md, Segments: 消化内科的 tells whose queue it is, and changes no booking."""
    *_, turn = talk("给我爸挂眼科，明天", "前面还有几个人，消化内科的")
    assert bookings(turn) == [("爸", "眼科")]


def test_reported_speech_books_nothing(talk: Talk) -> None:
    """hospital.md, Segments: while what to book is the question, an opinion opens nothing."""
    *_, turn = talk("我手有点抖", "我姐说看中医就行，你说呢")
    assert [one["agent_code"] for one in turn["frames"] if one["status"] == "active"] == ["triage"]


def test_the_speakers_cancellation_ends_nobody_elses(talk: Talk) -> None:
    """hospital.md, Ops: 我的不约了, with a booking of somebody else alone."""
    assert bookings(talk("给我爱人约个妇科，后天", "我的就不约了，下回再说")[-1]) == [("爱人", "妇科")]
