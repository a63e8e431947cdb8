"""What is said beside a booking and asks for none: reasons, what is held, doubts, conditions, half a name (hospital.md,
Segments, Ops, Slots)."""

import pytest

from .conftest import Talk
from .test_what_is_told import bookings


@pytest.mark.parametrize(
    "said",
    [
        "改到周五吧，我周三要带外孙",
        "周三不行，周三要陪我妈去买菜，换周五",
        "改周五，周三我得给孙女做饭",
        "我那天要给我爸过生日，周五吧",
        "换周五，周三要带我婆婆去不了",
    ],
)
def test_a_person_named_in_a_reason_is_no_patient(talk: Talk, said: str) -> None:
    """hospital.md, Slots: patient. A reason for another day names nobody who comes."""
    *_, turn = talk("挂心内科周三上午", said)
    assert bookings(turn) == [("", "心内科")]
    assert turn["frames"][0]["slots"]["date"] == "2026-11-27"


@pytest.mark.parametrize(
    ("said", "whose"),
    [("我周五要带我爸来看骨科", "爸"), ("周五我要给我儿子挂骨科", "儿子"), ("周五要带孩子打针，挂个骨科", "孩子")],
)
def test_somebody_brought_to_the_doctor_is_the_patient(talk: Talk, said: str, whose: str) -> None:
    """hospital.md, Slots: patient. Whoever is brought for what a visit is for comes for themselves."""
    assert bookings(talk(said)[-1]) == [(whose, "骨科")]


@pytest.mark.parametrize("said", ["孙女不看病，是我看", "我媳妇不看病的，就我看", "儿子不用看，给我挂就行"])
def test_somebody_who_does_not_come_is_no_patient(talk: Talk, said: str) -> None:
    """hospital.md, Slots: patient. Somebody who is denied never becomes whom a task is for."""
    assert bookings(talk("挂心内科周三上午", said)[-1])[0][0] in ("", "本人")


@pytest.mark.parametrize(
    "said",
    [
        "是挂的何既明医生的 上午的号 看下前头还有几个",
        "是约的心内科下午的号，前面还有多少人",
        "我是约的下午那个，李四医生，前头还有多少",
        "我拿的唐守拙大夫的号，还要等几个",
        "挂的是李四医生的，上午的号，看看还有几个",
    ],
)
def test_an_existing_booking_is_not_made_again(talk: Talk, said: str) -> None:
    """hospital.md, Class: whoever says which appointment they hold asks about its queue."""
    *_, turn = talk("我排到几号了", said)
    assert [one["agent_code"] for one in turn["frames"]] == ["queue"]


@pytest.mark.parametrize(
    "said",
    [
        "肚子上长了个包，看方便医生对不对路",
        "她老是肚子疼，看方便医生合不合适",
        "我腿上起了个疙瘩，他看不看这个",
        "肚子疼找方医生对口吗",
        "她这个病他看得了吗",
    ],
)
def test_a_question_about_a_doctor_cancels_no_booking(talk: Talk, said: str) -> None:
    """hospital.md, Ops: cancel. A question about whoever is booked leaves the booking as it is."""
    *_, before, turn = talk("给我妈挂方便医生明天上午", said)
    assert bookings(turn) == bookings(before) == [("妈", "方便")]


@pytest.mark.parametrize("said", ["没说不挂呀，号还要的", "没说不约，号还是要的", "没说别挂，那个号留着"])
def test_an_uncancelled_task_stays_open(talk: Talk, said: str) -> None:
    """hospital.md, Ops: cancel. A refusal that is denied refuses nothing."""
    assert bookings(talk("挂何既明医生明天下午", said)[-1]) == [("", "何既明")]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("我还是要后天下午方便医生的号 给我爸挂的", ("爸", "方便")),
        ("我还想要周五眼科的号 帮我婆婆约的", ("婆婆", "眼科")),
        ("我就要李四周五的号，替我公公挂的", ("公公", "李四")),
    ],
)
def test_an_explanation_names_whose_the_booking_is(talk: Talk, said: str, expected: tuple[str, str]) -> None:
    """hospital.md, Slots: patient. It is one booking, and for nobody besides."""
    assert bookings(talk(said)[-1]) == [expected]


@pytest.mark.parametrize(
    "said",
    ["交完了给我开个发票", "付完了给我打个收据", "交好了把发票给我", "弄好了叫我一下", "交完了能给我打个清单吗"],
)
def test_a_future_completion_completes_nothing(talk: Talk, said: str) -> None:
    """hospital.md, Ops: complete. Behind a completion that something is asked for hangs on, nothing is done yet."""
    *_, turn = talk("我要交拍片的费", said)
    assert turn["frames"][0]["status"] == "active"


@pytest.mark.parametrize("said", ["交完了，谢谢", "我已经交完了", "钱交完了，给我挂个眼科"])
def test_a_finished_task_stays_finished(talk: Talk, said: str) -> None:
    """hospital.md, Ops: complete. Where nothing hangs on it, or it is so already, the task is over."""
    *_, turn = talk("我要交拍片的费", said)
    assert turn["frames"][0]["status"] == "completed"


@pytest.mark.parametrize(
    "said",
    [
        "她那个不用了，我的骨科照旧",
        "我妈那个帮我退了哈，她好了",
        "她的先退了嘛，我的不动",
        "周三那个号退了嘛",
        "礼拜三的那个号取消算了",
    ],
)
def test_soft_cancelling_ends_what_it_names(talk: Talk, said: str) -> None:
    """hospital.md, Ops: cancel. It ends whoever's, or whichever day's, it says."""
    *_, turn = talk("给我妈挂眼科周三", "再给我自己挂骨科周四", said)
    assert [thing for _, thing in bookings(turn)] == ["骨科"]


@pytest.mark.parametrize("said", ["那个号退了吗", "号退了没", "那个号能退吗"])
def test_a_question_whether_it_is_cancelled_cancels_nothing(talk: Talk, said: str) -> None:
    """hospital.md, Ops: cancel. A question ends nothing."""
    assert bookings(talk("挂骨科明天", said)[-1]) == [("", "骨科")]


@pytest.mark.parametrize(
    ("said", "doctor"),
    [
        ("挂精神心理科，姓宋的那个女大夫", "宋知微"),
        ("要骨科那个唐什么的大夫", "唐守拙"),
        ("神外姓钟离的医生", "钟离岳"),
        ("挂妇科，姓许那个女大夫，周五上午", "许南枝"),
        ("消化科那个姓周的大夫周一在吗", "周广陵"),
        ("挂心内科姓郭的", "郭远帆"),
    ],
)
def test_a_surname_tells_who_is_meant(talk: Talk, said: str, doctor: str) -> None:
    """hospital.md, Class: a surname that one person has is that person, however it is told."""
    assert talk(said)[-1]["frames"][0]["slots"]["doctor"] == doctor


@pytest.mark.parametrize(
    "said", ["我姓唐，挂骨科", "我是姓宋的那个病人，挂骨科", "病人姓何的，挂骨科", "患者姓王，挂骨科"]
)
def test_the_surname_of_who_comes_is_no_doctor(talk: Talk, said: str) -> None:
    """hospital.md, Class: the surname of whoever speaks tells who they are, and asks for nobody."""
    assert bookings(talk(said)[-1]) == [("", "骨科")]
    (_, thing), *_ = bookings(talk("我妈姓王，给她挂骨科明天")[-1])
    assert thing == "骨科"


def test_an_allergy_is_not_the_drug_asked_about(talk: Talk) -> None:
    """hospital.md, Slots: drug. Of several that one is allergic to none is what the question is about."""
    *_, turn = talk("罗红霉素能不能吃 我头孢和阿莫西林都过敏")
    assert turn["frames"][0]["slots"]["drug"] == "罗红霉素"
