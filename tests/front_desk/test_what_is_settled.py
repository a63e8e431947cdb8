"""What is settled stays (hospital.md, Segments, Ops): a clause changes the booking that it means, and no other."""

from itertools import permutations, product
from typing import Any

import pytest

from .conftest import Talk

PEOPLE = ("我爸", "我妈", "我老公", "我婆婆")
OPENED = "给{one}挂骨科周三上午，给{other}挂眼科周四下午"
CLAUSES = (
    "{one}的改到周五",
    "{one}那个换到下周一下午",
    "{one}周三没空，改下周二",
    "{one}的不要了",
    "给{one}换成王五医生",
    "{one}那个先放一放",
    "给{one}也挂一个皮肤科，周五下午",
    "{one}还要再挂一个口腔科，周五",
    "要是没号，{one}就改到周五",
    "万一{one}来不了就取消",
    "{one}陪我来",
)


def bookings(turn: dict[str, Any]) -> dict[str, dict[str, str]]:
    """What the open bookings hold, by frame."""
    open_frames = (one for one in turn["frames"] if one["status"] in ("active", "pending"))
    return {one["frame_id"]: one["slots"] for one in open_frames if one["agent_code"].endswith("-direct")}


@pytest.mark.parametrize(("people", "clause"), list(product(permutations(PEOPLE, 2), CLAUSES)))
@pytest.mark.parametrize("number", [0, 1])
def test_a_clause_about_one_booking_leaves_the_other(
    talk: Talk, people: tuple[str, str], clause: str, number: int
) -> None:
    """Of two bookings for two people, whichever is spoken of and whichever has the focus."""
    opened, turn = talk(OPENED.format(one=people[0], other=people[1]), clause.format(one=people[number]))
    before, after = bookings(opened), bookings(turn)
    (other,) = [key for key, slots in before.items() if slots["patient"] == people[1 - number].removeprefix("我")]
    assert after[other] == before[other]


@pytest.mark.parametrize("case", ["要是", "如果", "万一", "假如"])
@pytest.mark.parametrize("then", ["那就换王五医生", "就改到周五", "就取消", "就挂皮肤科吧"])
def test_a_hypothetical_change_changes_nothing(talk: Talk, case: str, then: str) -> None:
    """Nothing is replaced, moved or ended by it, and the reply says so."""
    opened, turn = talk("挂何既明医生下周二上午", f"{case}他那天不出诊，{then}")
    assert bookings(turn) == bookings(opened)
    assert "什么也没有改" in turn["reply"]


@pytest.mark.parametrize("said", ["可以的话改到周五", "方便的话，改周五吧"])
def test_a_polite_condition_is_a_request(talk: Talk, said: str) -> None:
    """可以的话 asks politely."""
    turn = talk("挂何既明医生下周二", said)[-1]
    assert [slots["date"] for slots in bookings(turn).values()] == ["2026-12-04"]


@pytest.mark.parametrize("said", ["周二上午我要送孩子，下午吧", "不过下周二上午我有课，下午好一点"])
def test_rejecting_a_part_of_a_day_keeps_the_day(talk: Talk, said: str) -> None:
    """A day that is turned down together with a part of it is still the day."""
    (slots,) = bookings(talk("挂何既明医生下周二", said)[-1]).values()
    assert slots["date"] == "2026-12-01"
    assert slots.get("period") != "上午"


def test_a_companion_replaces_no_patient(talk: Talk) -> None:
    """也 asks for one more, and hands nothing on."""
    opened, turn = talk("给我老伴挂心内科，周五上午", "那我也顺带挂一个吧，眼睛老流泪")
    assert bookings(opened).items() <= bookings(turn).items()
    assert turn["reply"] != opened["reply"]


@pytest.mark.parametrize("said", ["我娃儿后天才得空带我来", "我老公到时候陪我去", "我闺女周五开车送我来"])
def test_an_accompanying_person_is_no_patient(talk: Talk, said: str) -> None:
    """A word of company names somebody, and nobody whom a booking is for."""
    (slots,) = bookings(talk("挂骨科", said)[-1]).values()
    assert "patient" not in slots


def test_a_task_that_is_not_open_is_not_cancelled(talk: Talk) -> None:
    """What seems given up names a doctor of none that is open: nothing ends, and the reply asks."""
    opened, turn = talk("我妈挂内分泌科周四，我自己挂皮肤科周五", "算了我妈说她想找唐主任看，科室就不用了")
    assert bookings(turn) == bookings(opened)
    assert "还没有改动" in turn["reply"]


@pytest.mark.parametrize("said", ["我老太婆也要来开点降压药", "我妈也想查个前列腺"])
def test_somebody_with_another_wish_is_not_the_patient(talk: Talk, said: str) -> None:
    """Neither in the same turn, nor as one more for the same thing."""
    (slots,) = bookings(talk(f"挂个骨科，后天上午，{said}")[-1]).values()
    assert "patient" not in slots
    opened, turn = talk("挂个骨科，后天上午", said)
    assert bookings(turn) == bookings(opened)


def test_a_booking_is_said_to_be_the_speakers_own(talk: Talk) -> None:
    """是我本人的 hands back what was taken for somebody else's."""
    (slots,) = bookings(talk("给我老伴挂骨科周五", "错了，骨科是我本人的")[-1]).values()
    assert "patient" not in slots
