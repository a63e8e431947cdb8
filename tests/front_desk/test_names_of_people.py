"""Who is meant: by name, by surname, by sound, in the directory or not (hospital.md, Class, Relations)."""

from typing import Any

import pytest

from .conftest import Talk


def slots(turn: dict[str, Any], agent: str = "doc-direct") -> dict[str, str]:
    return next((dict(f["slots"]) for f in turn["frames"] if f["agent_code"] == agent), {})


def clarifies(turn: dict[str, Any]) -> str:
    return next((op["target"] for op in turn["intent_ops"] if op["op"] == "clarify"), "")


@pytest.mark.parametrize("name", ["张伟大夫", "施展医生", "欧阳锋医生", "司马光主任", "皇甫端", "聂小雨医生", "张大夫"])
@pytest.mark.parametrize("text", ["挂心内科{}的号", "我要挂心内科，{}明天出诊吗"])
def test_a_doctor_outside_the_directory_beside_a_department(talk: Talk, name: str, text: str) -> None:
    """hospital.md, Relations: exclusive as with one of the directory, whatever the surname; the answer says that nobody
    was found."""
    (turn,) = talk(text.format(name))
    assert clarifies(turn) == "dept-direct|doc-direct"
    assert f"没有找到{name}" in turn["reply"]


@pytest.mark.parametrize(
    ("text", "doctor"),
    [
        ("唐主任明天出诊吗", "唐守拙"),
        ("挂欧阳主任的号", "欧阳川"),
        ("挂眼科何医生", "何既明"),
        ("挂何寄明医生", "何既明"),
        ("挂韩松西的号", "韩松溪"),
        ("何寄明明天在吗", "何既明"),
    ],
)
def test_one_person_is_told_by_surname_or_sound(talk: Talk, text: str, doctor: str) -> None:
    """hospital.md, Class: a surname that one person has, and what sounds like a name, is that person."""
    assert slots(talk(text)[0])["doctor"] == doctor


@pytest.mark.parametrize(
    ("text", "department"), [("挂小化内科", "消化内科"), ("挂股科", "骨科"), ("挂口枪科", "口腔科")]
)
def test_a_department_is_told_by_its_sound(talk: Talk, text: str, department: str) -> None:
    """hospital.md, Class: a department that only sounds so is that department."""
    assert slots(talk(text)[0], "dept-direct")["department"] == department


@pytest.mark.parametrize(
    ("text", "doctor"),
    [
        ("不对，是王五医生", "王五"),
        ("换成唐主任", "唐守拙"),
        ("不对，是张三医生", "张三"),
        ("改挂张三", "张三"),
        ("改挂司马光医生", "司马光"),
        ("换成陈医生", ""),
    ],
)
def test_a_correction_changes_the_doctor(talk: Talk, text: str, doctor: str) -> None:
    """hospital.md, Segments, Frames repair: somebody else is meant; who is not in the directory is said, who is not
    told is asked for."""
    _, turn = talk("挂李四医生的号，明天", text)
    assert [op["op"] for op in turn["intent_ops"]] == ["continue"]
    assert slots(turn).get("doctor", "") == doctor
    assert slots(turn)["date"] == "2026-11-24"
    assert ("没有找到" in turn["reply"]) == (doctor not in ("王五", "唐守拙"))
    assert ("哪位医生" in turn["reply"]) == (not doctor)


@pytest.mark.parametrize(
    "text",
    [
        "周三医生在吗",
        "高血压挂什么科",
        "全科医生几点上班",
        "谢谢医生",
        "挂白内障的号",
        "找家庭医生看病",
        "精神可，想约儿保",
    ],
)
def test_common_words_are_not_read_as_names(talk: Talk, text: str) -> None:
    """hospital.md, Class: days, illnesses and kinds of doctors name nobody."""
    (turn,) = talk(text)
    assert "doctor" not in slots(turn)
    assert "没有找到" not in turn["reply"]
