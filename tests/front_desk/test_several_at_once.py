"""Several tasks in one turn, what is open, and whose each is (hospital.md, Segments, Relations, Ops)."""

from typing import Any

import pytest

from .conftest import Talk

Tasks = list[tuple[str, ...]]


def tasks(turn: dict[str, Any]) -> Tasks:
    """Open bookings by what they are about, oldest first, each with its day and patient."""
    names = ("doctor", "department", "date", "patient")
    open_ = [one["slots"] for one in turn["frames"] if one["status"] in ("active", "pending")]
    return [tuple(slots[name] for name in names if name in slots) for slots in open_]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "挂两个号，一个皮肤科白雪医生周三的，一个口腔科周四的",
            [("白雪", "皮肤科", "2026-11-25"), ("口腔科", "2026-11-26")],
        ),
        ("我要约两个大夫一个李四周二一个呼吸科周五", [("李四", "2026-11-24"), ("呼吸内科", "2026-11-27")]),
        ("帮我挂唐守拙周四再挂一个眼科周五", [("唐守拙", "2026-11-26"), ("眼科", "2026-11-27")]),
        ("给我爸妈各挂一个，我爸看肾内科，我妈看妇科", [("肾内科", "爸"), ("妇科", "妈")]),
        (
            "给我公公婆婆每人约一个，公公看骨科周二，婆婆看眼科周三",
            [("骨科", "2026-11-24", "公公"), ("眼科", "2026-11-25", "婆婆")],
        ),
    ],
)
def test_tasks_that_are_counted_stand_beside_one_another(talk: Talk, text: str, expected: Tasks) -> None:
    """hospital.md, Relations: two bookings that are asked for as two are no question which of them is wanted."""
    assert tasks(talk(text)[-1]) == expected


@pytest.mark.parametrize("text", ["我想看儿科，还想约夏天医生", "高兴医生几号坐诊，骨科也想约一个"])
def test_a_doctor_and_a_department_are_asked_about(talk: Talk, text: str) -> None:
    """hospital.md, Relations: doc-direct × dept-direct is exclusive, unless they are counted."""
    assert [op["op"] for op in talk(text)[-1]["intent_ops"]] == ["clarify"]


@pytest.mark.parametrize("asked", ["我一共挂了几个号", "现在都记着啥", "你给我报一遍", "还有几件事没办呀"])
def test_asking_for_open_tasks_changes_none(talk: Talk, asked: str) -> None:
    """hospital.md, Turn as JSON: the reply tells what is open; nothing is done."""
    before, turn = talk("挂骨科周四", "再给我妈挂个眼科周五", asked)[-2:]
    assert tasks(turn) == tasks(before)
    assert all(word in turn["reply"] for word in ("骨科", "眼科", "妈"))


@pytest.mark.parametrize(
    "said", ["周四不得行，要带娃儿打针，周五嘛", "等等 周四我要加班 周五行不行", "周四没空，得陪老公复查，换周五"]
)
def test_a_rejected_day_is_replaced_by_the_new_one(talk: Talk, said: str) -> None:
    """hospital.md, Ops, continue: the booking is moved; whoever keeps the speaker busy is no patient."""
    turn = talk("挂骨科周四", said)[-1]
    assert tasks(turn) == [("骨科", "2026-11-27")]


def test_a_complete_booking_for_somebody_else_is_not_replaced(talk: Talk) -> None:
    """hospital.md, Frames: what is complete and somebody else's stands; corrected, it changes."""
    assert tasks(talk("给我爸挂肾内科周五", "给我挂皮肤科")[-1]) == [("肾内科", "2026-11-27", "爸"), ("皮肤科",)]
    assert tasks(talk("给我爸挂肾内科周五", "还是挂泌尿外科吧")[-1]) == [("泌尿外科", "2026-11-27", "爸")]


@pytest.mark.parametrize("said", ["顺便我工友手划破了", "另外我同事头晕"])
def test_two_who_are_ill_have_a_task_each(talk: Talk, said: str) -> None:
    """hospital.md, Slots: what ails somebody else is none of the speaker's symptoms."""
    slots = [one["slots"] for one in talk("我腰疼", said)[-1]["frames"] if one["status"] in ("active", "pending")]
    assert [one.get("symptom", "") for one in slots][:1] == ["腰疼"]


def test_a_second_drug_is_added_to_the_slot(talk: Talk) -> None:
    """hospital.md, Slots: drug keeps both; an allergy is kept with them."""
    turn = talk("奥美拉唑怎么吃", "能跟莫沙必利一块儿吃不", "我对头孢过敏")[-1]
    (slots,) = [one["slots"] for one in turn["frames"] if one["agent_code"] == "drug"]
    assert slots == {"drug": "奥美拉唑、莫沙必利", "allergy": "对头孢过敏"}


def test_the_reply_names_a_postponed_task(talk: Talk) -> None:
    """hospital.md, Ops, put off: the reply names what waits."""
    reply = talk("给我奶挂骨科周二", "给我爷挂眼科周三", "爷爷的先不约了")[-1]["reply"]
    assert "眼科" in reply
    assert "先放" in reply


@pytest.mark.parametrize("said", ["打过120了 娃儿现在醒了在哭 儿科那个号不要了", "孩子现在睡着了，号退掉"])
def test_a_person_who_recovered_is_no_danger(talk: Talk, said: str) -> None:
    """hospital.md, Safety: what is over is no emergency, and the booking is given up as asked."""
    turn = talk("挂儿科", said)[-1]
    assert turn["safety"]["label"] == "normal"
    assert not tasks(turn)
    assert talk("忽然晕过去几秒钟，现在醒了")[-1]["safety"]["label"] == "emergency"


@pytest.mark.parametrize("said", ["她那个要下午的", "我老伴那个要下午的，我的不变"])
def test_a_pronoun_says_whose_booking_it_is(talk: Talk, said: str) -> None:
    """hospital.md, Segments: what is told of somebody goes to their booking, and to no other."""
    slots = [one["slots"] for one in talk("挂眼科后天上午", "给我老伴也挂一个妇科同一天", said)[-1]["frames"]]
    assert [one["period"] for one in slots if "period" in one] == ["上午", "下午"]


def test_asking_about_one_drug_drops_no_other(talk: Talk) -> None:
    """hospital.md, Slots: a question of one drug takes no other back."""
    (frame,) = talk("布洛芬能和益生菌一起吃吗", "益生菌饭前吃还是饭后吃")[-1]["frames"]
    assert frame["slots"]["drug"] == "布洛芬、益生菌"
