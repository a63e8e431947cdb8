"""What was, what stands elsewhere, and what is taken back or up again (hospital.md, Segments, Ops, Slots)."""

import pytest

from .conftest import Talk
from .test_what_is_told import bookings


@pytest.mark.parametrize(
    "said",
    [
        "我姐夫前年得过肾结石，我怕自己也有",
        "我婶婶以前在妇科开过刀",
        "我岳母去年查出白内障，在眼科做的",
        "我姑姑坐月子的时候腰疼",
        "我自己前几年也查出过胃溃疡，早治好了",
    ],
)
def test_a_past_event_opens_and_changes_no_task(talk: Talk, said: str) -> None:
    """hospital.md, Segments: told of others or of the past, it is no task; a booking goes on as it is."""
    assert bookings(talk(said)[-1]) == []
    assert bookings(talk("挂皮肤科，周四上午", said)[-1]) == [("", "皮肤科")]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("我二叔得过胃癌，我最近胃老反酸", ("", "")),
        ("我外公前年中过风，想挂神经内科复查", ("外公", "神经内科")),
        ("我外公去年摔断过腿，在骨科做的手术，想约个复查", ("外公", "骨科")),
        ("我婆婆眼科看过了，我想挂骨科", ("", "骨科")),
        ("我弟去年得过肺炎，这几天他又咳，挂呼吸科", ("弟", "呼吸内科")),
    ],
)
def test_the_past_belongs_to_the_patient(talk: Talk, said: str, expected: tuple[str, str]) -> None:
    """hospital.md, Slots: patient. What was is why somebody comes, unless the speaker goes on with themselves."""
    assert bookings(talk(said)[-1]) == [expected]


@pytest.mark.parametrize(
    "said",
    [
        "上周挂的眼科，今天来晚了还能看吗",
        "我前天抢到了骨科的号，过号了怎么办",
        "昨天网上约的口腔科，退掉",
        "我已经约了明天的皮肤科，还用不用取号",
        "我前天在公众号约了个妇科，想改到下周",
    ],
)
def test_an_existing_appointment_is_asked_about(talk: Talk, said: str) -> None:
    """hospital.md, Class: what is asked of an appointment, or changed in it, is an enquiry and opens no other."""
    *_, turn = talk(said)
    assert bookings(turn) == []
    assert [one["agent_code"] for one in turn["frames"]] == ["smartCS"]


@pytest.mark.parametrize("said", ["号别退了", "不退了，我接着等", "算了，刚才是气话，号别退"])
def test_a_withdrawal_ends_only_its_task(talk: Talk, said: str) -> None:
    """hospital.md, Ops: cancel. What asked for the opposite is given up; the queue goes on."""
    *_, turn = talk("呼吸科前面还有几个人", "我要退号", said)
    status = {one["agent_code"]: one["status"] for one in turn["frames"]}
    assert status == {"queue": "active", "smartCS": "canceled"}


def test_a_booking_is_not_given_up_by_a_denied_refund(talk: Talk) -> None:
    """hospital.md, Ops: with no refund asked for, the booking stays."""
    assert bookings(talk("挂骨科，周四", "号别给我退了啊", "不退")[-1]) == [("", "骨科")]


@pytest.mark.parametrize(
    ("said", "held"),
    [
        (("挂眼科，周四", "换成骨科", "还是眼科吧，刚才那个不要了"), "眼科"),
        (("挂沈小满医生，周四", "改成罗映秋吧", "算了还是沈小满"), "沈小满"),
        (("挂沈小满医生，周四", "算了，换罗映秋", "还是看沈小满吧"), "沈小满"),
    ],
)
def test_a_cancelled_task_is_taken_up_again(talk: Talk, said: tuple[str, ...], held: str) -> None:
    """hospital.md, Segments, Ops: 还是 goes back; what is given up with it is no other booking."""
    assert bookings(talk(*said)[-1]) == [("", held)]


def test_a_conditional_request_is_executed_when_it_holds(talk: Talk) -> None:
    """hospital.md, Segments, Ops: asked for if they are there, somebody is asked for; what stands for another case
    drops nothing. What was replaced comes back when it is to stay."""
    turns = talk("挂儿科，周四", "高兴医生周四在吗？在的话就挂他", "儿科那个先留着")
    assert bookings(turns[1]) == [("", "高兴")]
    assert "什么也没有改" not in turns[1]["reply"]
    assert bookings(turns[2]) == [("", "儿科"), ("", "高兴")]
    assert bookings(talk("挂骨科，周四", "要是唐守拙有号就挂他")[-1]) == [("", "骨科")]


@pytest.mark.parametrize(
    ("said", "slots"),
    [
        ("上午下午都行，早上我要去练剑", {}),
        ("礼拜天我侄女办喜事，礼拜四吧", {"date": "2026-11-26"}),
        ("明天上午要加班，下午吧", {"date": "2026-11-24", "period": "下午"}),
        ("哪天都可以，就是周五要接外孙", {}),
        ("周三要送孩子，周四", {"date": "2026-11-26"}),
    ],
)
def test_a_time_when_somebody_is_busy_is_not_booked(talk: Talk, said: str, slots: dict[str, str]) -> None:
    """hospital.md, Slots: a value that is turned down, or as good as any, fills nothing."""
    (frame,) = talk("挂骨科", said)[-1]["frames"]
    assert {name: value for name, value in frame["slots"].items() if name != "department"} == slots


@pytest.mark.parametrize("said", ["布挂骨科了", "我就部挂了", "憋挂了", "先布约了"])
def test_a_denial_in_another_character_opens_nothing(talk: Talk, said: str) -> None:
    """hospital.md, Segments, 先不: what a recogniser writes for a denial before a wish is one."""
    assert bookings(talk(said)[-1]) == []


@pytest.mark.parametrize(
    ("said", "drugs"),
    [
        (("阿莫西林饭前吃吗", "我对青霉素过敏，还能吃吗"), ["阿莫西林"]),
        (("我一吃磺胺就起疹子，能吃阿奇霉素吗",), ["阿奇霉素"]),
        (("青霉素过敏可以打头孢吗",), ["头孢"]),
    ],
)
def test_an_allergy_opens_no_question(talk: Talk, said: tuple[str, ...], drugs: list[str]) -> None:
    """hospital.md, Slots: drug."""
    assert [one["slots"].get("drug") for one in talk(*said)[-1]["frames"]] == drugs


def test_another_booking_for_oneself_stays_ones_own(talk: Talk) -> None:
    """hospital.md, Slots: patient. 给自己约 changes nothing of whoever is booked already."""
    *_, turn = talk("给我侄女挂眼科，周四", "给自己约一个")
    assert ("侄女", "眼科") in bookings(turn)
    assert len(bookings(turn)) == 2


def test_a_minor_complaint_cancels_no_booking(talk: Talk) -> None:
    """hospital.md, Ops: shift. What may be a complaint waits beside a booking that stands."""
    assert ("", "欧阳川") in bookings(talk("挂欧阳川，周四上午", "我先生做过胃镜，说是浅表性胃炎，不要紧吧")[-1])
