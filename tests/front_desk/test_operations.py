"""What a clause does to the set of open tasks (hospital.md, Segments, Ops; law 6): exactly what it names, or nothing
and a question."""

from typing import Any

import pytest

from .conftest import Talk
from .test_for_whom import SPEAKER, bookings

PAIR = ("给我挂李四医生，后天下午", "给我弟也挂一个骨科，同一天")


def ops(turn: dict[str, Any]) -> list[str]:
    return [f"{op['op']} {op['target']}" for op in turn["intent_ops"]]


@pytest.mark.parametrize(
    ("said", "standing"),
    [
        ("李四那个是我弟的", {("李四", "弟"): "11-25 下午", ("骨科", "弟"): "11-25"}),
        ("李四那个是我的，骨科那个是他的", {("李四", SPEAKER): "11-25 下午", ("骨科", "弟"): "11-25"}),
        ("骨科归我妈", {("李四", SPEAKER): "11-25 下午", ("骨科", "妈"): "11-25"}),
    ],
)
def test_saying_whose_a_booking_is_opens_none(talk: Talk, said: str, standing: dict[tuple[str, str], str]) -> None:
    """hospital.md, Ops: X是我的，Y是他的 tells for whom open tasks are."""
    assert bookings(talk(*PAIR, said)[-1]) == standing


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("骨科那个往后推一天", ("25", "26")),
        ("我弟那个提前一天", ("25", "24")),
        ("那两个都推迟两天", ("27", "27")),
    ],
)
def test_a_day_moves_by_what_is_told(talk: Talk, said: str, days: tuple[str, str]) -> None:
    """hospital.md, Segments: a shift replaces the day of what it names, and opens nothing."""
    found = bookings(talk(*PAIR, said)[-1])
    assert [when.split()[0][3:] for when in found.values()] == list(days)


def test_as_many_end_as_the_number_says(talk: Talk) -> None:
    """hospital.md, Ops: 那两个都取消 ends two; of three it asks which."""
    assert ops(talk(*PAIR, "那两个都取消")[-1]) == ["cancel doc-direct", "cancel dept-direct"]
    asked = talk(*PAIR, "我妈也挂一个，眼科，明天", "那两个都取消")[-1]
    assert [op.split()[0] for op in ops(asked)] == ["clarify"]
    assert len(bookings(asked)) == 3


@pytest.mark.parametrize("said", ["我妈那个改到周五", "我妈的往后推一天", "我妈那个留着"])
def test_a_missing_booking_is_not_changed(talk: Talk, said: str) -> None:
    """A change whose object is not found changes nothing, opens nothing, and names what is open."""
    before = talk("给我爸挂骨科，后天")[-1]
    turn = talk("给我爸挂骨科，后天", said)[-1]
    assert bookings(turn) == bookings(before)
    assert ops(turn) == []
    assert "骨科" in turn["reply"]
    assert said in turn["reply"]


@pytest.mark.parametrize(
    ("said", "standing"),
    [
        ("他不去了换我妈去", {("骨科", "妈"): "11-25"}),
        ("算了改大后天", {("骨科", "爸"): "11-26"}),
        ("算了，那天有事，推到下周五吧", {("骨科", "爸"): "12-04"}),
    ],
)
def test_a_replaced_booking_keeps_its_frame(talk: Talk, said: str, standing: dict[tuple[str, str], str]) -> None:
    """hospital.md, Segments: given up and replaced in one breath is replaced; the frame stays."""
    turn = talk("给我爸挂骨科，后天", said)[-1]
    assert bookings(turn) == standing
    assert len(turn["frames"]) == 1


def test_an_explicit_order_of_tasks_is_kept(talk: Talk) -> None:
    """hospital.md, Relations: an order of what comes first is kept; what waits comes back when it is over."""
    first, then = talk("先告诉我停车怎么收费，我再挂个骨科", "停车知道了")
    assert ops(first) == ["shift smartCS", "add dept-direct"]
    assert ops(then) == ["complete smartCS", "shift dept-direct"]


def test_a_person_only_mentioned_is_not_the_patient(talk: Talk) -> None:
    """Slots: whoever a story is of takes nobody's place; a correction does."""
    told = talk("给我儿媳妇挂骨科，后天", "她后天要带娃打疫苗，改成大后天吧")[-1]
    assert bookings(told) == {("骨科", "儿媳妇"): "11-26"}
    put_right = talk("给我爸挂骨科，后天", "不是给我爸挂，是宝宝看")[-1]
    assert bookings(put_right) == {("骨科", "宝宝"): "11-25"}


@pytest.mark.parametrize("asked", ["挂上了没有", "约好了没", "号定上了没有啊", "约上没有"])
def test_a_question_whether_it_is_done_ends_nothing(talk: Talk, asked: str) -> None:
    """hospital.md, Ops: a question completes nothing."""
    assert bookings(talk("给我爸挂骨科，后天", asked)[-1]) == {("骨科", "爸"): "11-25"}


@pytest.mark.parametrize("kin", ["娃他爸", "孩子他妈", "我家那口子的妹妹"])
def test_relatives_of_relatives_are_other_people(talk: Talk, kin: str) -> None:
    """Slots: 娃他爸 is neither 娃 nor 爸."""
    (whom,) = [whom for _, whom in bookings(talk(f"给{kin}挂骨科，后天")[-1])]
    assert whom == kin.removeprefix("我家")


@pytest.mark.parametrize(
    "said", ["我妈那个不挂了，她说不去，我自己的还要", "他说不去了换他弟弟去", "你先告诉我王五看什么病"]
)
def test_talk_about_open_tasks_is_no_danger(talk: Talk, said: str) -> None:
    """Safety: words that say nothing by themselves are talk about what is open; a danger stays one."""
    booked = "给我爸我妈各挂一个骨科，后天"
    assert talk(booked, said)[-1]["safety"]["label"] == "normal"
    assert talk(booked, f"{said}，我不想活了")[-1]["safety"]["label"] == "self_harm"
    assert talk(booked, f"{said}，我爸喘不上气了")[-1]["safety"]["label"] == "emergency"


@pytest.mark.parametrize(
    "said",
    [
        "我上个礼拜在网上约了你们妇科的号，还算数吧",
        "我上周已经预约过妇科了，想问问预约还在不在",
        "前天约了眼科的号，现在还有效吗",
    ],
)
def test_a_question_about_an_appointment_opens_none(talk: Talk, said: str) -> None:
    """hospital.md, Segments: a question about what is there, and no second booking."""
    turn = talk(said)[-1]
    assert [frame["agent_code"] for frame in turn["frames"]] == ["smartCS"]
    assert list(bookings(talk(said, "那再挂一个骨科，明天上午")[-1])) == [("骨科", SPEAKER)]


@pytest.mark.parametrize(
    "said",
    [
        "把周五皮肤科的预约取消",
        "我妈周四的内分泌科那个号，帮她改到周五上午",
        "下周二骨科的号给我退了",
        "把我眼科的预约改到周三",
    ],
)
def test_changing_an_earlier_appointment_books_nothing_new(talk: Talk, said: str) -> None:
    """hospital.md, Segments: what no open task is about is a question to the desk, never a new booking."""
    assert [frame["agent_code"] for frame in talk(said)[-1]["frames"]] == ["smartCS"]


@pytest.mark.parametrize("said", ["取消预约", "那个号不要了", "把预约改到后天"])
def test_with_a_booking_open_it_is_that_one(talk: Talk, said: str) -> None:
    """hospital.md, Ops: the same words are about the task that is open, where there is one."""
    frames = talk("挂骨科，明天上午", said)[-1]["frames"]
    assert [frame["agent_code"] for frame in frames if frame["status"] != "canceled"] in ([], ["dept-direct"])


@pytest.mark.parametrize(
    "said", ["我弟说他在别的医院已经约上了，他那个不用了，我的照旧", "我弟在外院挂上号了，他的取消"]
)
def test_a_task_done_elsewhere_is_cancelled_here(talk: Talk, said: str) -> None:
    """hospital.md, Ops: it ends as cancelled, and only that of whom it is told."""
    turn = talk(*PAIR, said)[-1]
    assert [frame["status"] for frame in turn["frames"] if frame["slots"].get("patient") == "弟"] == ["canceled"]
    assert list(bookings(turn)) == [("李四", SPEAKER)]


QUESTIONS = ("我要交费，CT的", "能用医保卡吗", "在哪个窗口交")


@pytest.mark.parametrize("said", ["别的问题不问了，直接交吧", "其他的就不用查了，CT的钱给我交了", "其余的都不用管了"])
def test_cancelling_the_rest_keeps_the_focus(talk: Talk, said: str) -> None:
    """hospital.md, Ops: all that neither have the focus nor are named end at once, and none is asked about."""
    turn = talk(*QUESTIONS, said)[-1]
    assert {frame["agent_code"] for frame in turn["frames"] if frame["status"] == "active"} == {"payment"}
    assert "clarify smartCS" not in " ".join(ops(turn))
    assert all(frame["status"] == "canceled" for frame in turn["frames"] if frame["agent_code"] == "smartCS")


@pytest.mark.parametrize("said", ["其余的都不要了，眼科那个留着", "其他的都不要了，眼科那个还要"])
def test_a_named_task_is_not_part_of_the_rest(talk: Talk, said: str) -> None:
    """hospital.md, Ops: what a turn names beside the rest stays."""
    turn = talk("挂眼科，后天", "再挂个骨科，明天", "停车怎么收费", said)[-1]
    assert [frame["slots"]["department"] for frame in turn["frames"] if frame["status"] == "active"] == ["眼科"]


@pytest.mark.parametrize(
    "said", ["骨科唐守拙的号，排到哪了", "骨科那个号，前面还有几个人", "骨科王五的号 我早上取的 现在叫到哪儿了"]
)
def test_a_number_that_is_asked_about_is_not_booked(talk: Talk, said: str) -> None:
    """hospital.md, Class: what a question of the queue is about opens no booking, and is kept."""
    (frame,) = talk(said)[-1]["frames"]
    assert (frame["agent_code"], frame["slots"]) == ("queue", {"department": "骨科"})


@pytest.mark.parametrize("said", ["挂骨科，前面还有几个人", "再给我挂个骨科的号，前面还有几个人排队"])
def test_a_number_that_is_wanted_is_booked(talk: Talk, said: str) -> None:
    """hospital.md, Segments: a wish beside a question of the queue stays a task of its own."""
    assert {frame["agent_code"] for frame in talk(said)[-1]["frames"]} == {"dept-direct", "queue"}


@pytest.mark.parametrize("said", ["老师傅我手上起水泡看哪个科", "老姐姐我膝盖疼，挂哪个科", "老师，我嗓子疼看哪个科"])
def test_a_person_who_is_addressed_is_not_the_patient(talk: Talk, said: str) -> None:
    """hospital.md, Slots: somebody who is spoken to is no patient."""
    (frame,) = talk(said)[-1]["frames"]
    assert frame["agent_code"] == "triage"
    assert "patient" not in frame["slots"]


TWO = ("挂骨科，明天", "再挂眼科，后天")


@pytest.mark.parametrize("said", ["都改到周五", "两个都换到周五", "全都改周五"])
def test_a_change_of_each_task_moves_each(talk: Talk, said: str) -> None:
    """hospital.md, Segments: what is said of each holds for each."""
    days = [frame["slots"]["date"] for frame in talk(*TWO, said)[-1]["frames"]]
    assert days == ["2026-11-27", "2026-11-27"]


@pytest.mark.parametrize("said", ["算了，我要开会，下周一吧", "算了，明天不行，下周一吧", "算了，那天要上班，下周一去"])
def test_a_task_that_seems_cancelled_is_opened_anew(talk: Talk, said: str) -> None:
    """hospital.md, Ops: another day behind 算了 is the day of what seems given up."""
    (frame,) = talk("挂骨科，明天", said)[-1]["frames"]
    assert (frame["status"], frame["slots"]["date"]) == ("active", "2026-11-30")


@pytest.mark.parametrize("said", ["停车的事再说说", "刚才那个停车的事接着说"])
def test_an_ended_task_is_taken_up_again(talk: Talk, said: str) -> None:
    """hospital.md, Ops: what is pointed back at comes back as a task like it."""
    turn = talk("挂骨科，明天", "停车怎么收费", "停车那个不用了", said)[-1]
    assert [frame["slots"]["topic"] for frame in turn["frames"] if frame["status"] == "pending"] == ["停车"]


@pytest.mark.parametrize("said", ["我闺女长湿疹好几天了，想给她约皮肤科白雪医生", "我妈眼睛花，给她约何既明医生"])
def test_a_complaint_is_the_reason_of_the_booking(talk: Talk, said: str) -> None:
    """hospital.md, Relations: it is no task beside the booking for them, and no clarify."""
    (frame,) = talk(said)[-1]["frames"]
    assert frame["agent_code"] == "doc-direct"
    assert frame["slots"]["patient"] in ("闺女", "妈")
