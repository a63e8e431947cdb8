"""For whom a task is, and whose task is meant (hospital.md, Segments, Ops, Frames; law 6; hospital.md, "Slots":
patient)."""

from typing import Any

import pytest

from .conftest import Talk

SPEAKER = "-"


def bookings(turn: dict[str, Any]) -> dict[tuple[str, str], str]:
    """Open appointments by what they are about and for whom, with day and part of the day."""
    return {
        (
            s.get("doctor") or s.get("department") or s.get("symptom", ""),
            s.get("patient", SPEAKER),
        ): f"{s.get('date', '')[5:]} {s.get('period', '')}".strip()
        for f in turn["frames"]
        if f["status"] in ("active", "pending") and f["lane"] == "medical"
        for s in [f["slots"]]
    }


@pytest.mark.parametrize(
    ("said", "for_whom"),
    [
        (["闺女，我腰疼，挂啥科"], SPEAKER),
        (["妹儿我腰疼半个月了，看哪个科"], SPEAKER),
        (["我女儿开车送我来的，我腰疼，看什么科"], SPEAKER),
        (["我妈腰疼，看什么科"], "妈"),
        (["给我妈问的，她腰疼，看什么科"], "妈"),
        (["我腰疼，看什么科", "不是我，是我爸腰疼"], "爸"),
        (["我爸腰疼，看什么科", "不是我爸，是我自己"], SPEAKER),
        (["我爸腰疼，看什么科", "说错了，是我妈"], "妈"),
    ],
)
def test_the_patient_is_found_by_the_complaint(talk: Talk, said: list[str], for_whom: str) -> None:
    """Slots: who is spoken to, brings somebody or is taken back is not who is ill; a correction replaces."""
    assert [whom for _, whom in bookings(talk(*said)[-1])] == [for_whom]


@pytest.mark.parametrize(
    ("said", "standing"),
    [
        ("我妈眼睛花，顺道给她约眼科，同一个时间", {("眼科", "妈"): "11-25 上午"}),
        ("我自己也要挂皮肤科，跟他同一天", {("皮肤科", SPEAKER): "11-25"}),
        ("也给我老婆挂口腔科，后天上午", {("口腔科", "老婆"): "11-25 上午"}),
    ],
)
def test_a_booking_for_somebody_else_never_takes_the_place_of_one(
    talk: Talk, said: str, standing: dict[tuple[str, str], str]
) -> None:
    """hospital.md, Ops, law 6: it stands beside what is open; what is said to be the same is copied."""
    turn = talk("给我爸挂口腔科，后天上午", said)[-1]
    assert bookings(turn) == {("口腔科", "爸"): "11-25 上午", **standing}


@pytest.mark.parametrize(
    ("said", "mine", "hers"),
    [
        ("我那个改成礼拜六，婆婆的不变", "11-28 上午", "11-27 上午"),
        ("婆婆的改到下午，我的别动", "11-27 上午", "11-27 下午"),
        ("她那个改成周六", "11-27 上午", "11-28 上午"),
        ("我的周六，她的周日", "11-28 上午", "11-29 上午"),
    ],
)
def test_a_statement_about_somebody_goes_to_their_task(talk: Talk, said: str, mine: str, hers: str) -> None:
    """hospital.md, Segments: each keeps what is not said of them, and the reply says whose task it is that changed."""
    turn = talk("我想挂眼科，我婆婆要挂内分泌科，都礼拜五上午", said)[-1]
    assert bookings(turn) == {("眼科", SPEAKER): mine, ("内分泌科", "婆婆"): hers}
    assert ("本人" in turn["reply"]) == (mine != "11-27 上午")


def test_cancelling_one_persons_booking_keeps_the_others(talk: Talk) -> None:
    """hospital.md, Ops: of two people's bookings only the one that is named ends."""
    turn = talk("我想挂眼科，我婆婆要挂内分泌科，都礼拜五上午", "婆婆那个取消，我的留着")[-1]
    assert bookings(turn) == {("眼科", SPEAKER): "11-27 上午"}


def test_two_people_are_two_tasks(talk: Talk) -> None:
    """hospital.md, Frames: a frame holds one person; a word for two is both."""
    assert set(bookings(talk("给我爸妈都挂心内科，周四上午")[-1])) == {("心内科", "爸"), ("心内科", "妈")}
    assert set(bookings(talk("我和我女朋友都要挂皮肤科，周六")[-1])) == {("皮肤科", SPEAKER), ("皮肤科", "女朋友")}


def test_a_pronoun_stands_for_whom_it_fits(talk: Talk) -> None:
    """hospital.md, Frames M3: the last of the turn whom it fits, else whom an open task is for."""
    turn = talk("给我爸挂骨科，周四", "我妈也来，给她挂眼科，周五", "他那个改到周六")[-1]
    assert bookings(turn) == {("骨科", "爸"): "11-28", ("眼科", "妈"): "11-27"}


def test_a_complaint_of_a_booked_patient_opens_no_other_task(talk: Talk) -> None:
    """Law 6: what is told of them ends nothing."""
    turn = talk("给我室友挂耳鼻喉科，明天上午", "他鼻子老出血")[-1]
    assert bookings(turn) == {("耳鼻喉科", "室友"): "11-24 上午"}


def test_a_thing_may_stand_before_whom_it_is_for(talk: Talk) -> None:
    """hospital.md, Segments: where the words turn to somebody else, the thing goes with the one whom it stands
    beside."""
    turn = talk("挂号，老年科，给我爸，周四；心内科，给我妈，周五")[-1]
    assert bookings(turn) == {("老年医学科", "爸"): "11-26", ("心内科", "妈"): "11-27"}


def test_a_booking_takes_the_place_of_what_asked_where_the_same_person_belongs(talk: Talk) -> None:
    """hospital.md, Relations: of two people's complaints each gives way to the booking of its own."""
    turn = talk("我咳嗽，我对象拉肚子，看什么科", "给我挂呼吸科，给他挂消化科，都后天下午")[-1]
    assert bookings(turn) == {("呼吸内科", SPEAKER): "11-25 下午", ("消化内科", "对象"): "11-25 下午"}


@pytest.mark.parametrize(
    ("said", "standing"),
    [
        ("给我爸和我妈各挂一个号，我爸看心内科，我妈看骨科", {("心内科", "爸"): "", ("骨科", "妈"): ""}),
        ("帮我爷爷和我奶奶各约一个号，爷爷挂眼科，奶奶骨科", {("眼科", "爷爷"): "", ("骨科", "奶奶"): ""}),
        ("我爸心内科，我妈骨科，都后天上午", {("心内科", "爸"): "11-25 上午", ("骨科", "妈"): "11-25 上午"}),
    ],
)
def test_a_department_for_somebody_books_for_them(talk: Talk, said: str, standing: dict[tuple[str, str], str]) -> None:
    """hospital.md, Segments: as many bookings as people are named, each for one of them, and none for who speaks."""
    assert bookings(talk(said)[-1]) == standing
    assert bookings(talk(said, "不对，就两个号，没我的")[-1]) == standing


@pytest.mark.parametrize(
    ("said", "for_whom"),
    [
        ("我家邻居上个月刚在你们这儿做的白内障，我现在看东西也有点模糊，想找个眼科大夫瞧瞧", ("眼科", SPEAKER)),
        ("我舅舅得过白内障，我最近看东西也发花，想挂眼科", ("眼科", SPEAKER)),
        ("我爷爷前年中过风，现在恢复得挺好，想挂神经内科复查", ("神经内科", "爷爷")),
        ("我外婆去年摔伤过，现在想挂骨科", ("骨科", "外婆")),
    ],
)
def test_a_person_in_a_story_is_not_the_patient(talk: Talk, said: str, for_whom: tuple[str, str]) -> None:
    """hospital.md, "Slots": what ails the speaker now is why they come; without it whoever had been ill comes back."""
    assert list(bookings(talk(said)[-1])) == [for_whom]
