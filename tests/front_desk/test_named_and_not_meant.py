"""What is named and still no value of its slot, and what is asked with a word that denies (hospital.md, "Slots")."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.front_desk.test_what_is_meant import open_frames

from tingdong.errors import DataError
from tingdong.front_desk import domain

Talk = Callable[..., list[dict[str, Any]]]


def slots_of(turn: dict[str, Any], agent: str) -> dict[str, str]:
    """The slots of an agent's one open frame."""
    (frame,) = open_frames(turn, agent)
    slots: dict[str, str] = frame["slots"]
    return slots


@pytest.mark.parametrize(
    "turns",
    [
        ["姑娘，我头晕，挂什么科"],
        ["大姐，我膝盖疼，看什么科"],
        ["我头晕，看什么科", "是我儿子非让我来看的"],
        ["我胃疼，看什么科", "我老伴催我来的"],
        ["我头晕，看什么科", "给我女儿看", "看病的是我，不是我女儿"],
    ],
)
def test_people_addressed_or_mentioned_are_not_the_patient(talk: Talk, turns: list[str]) -> None:
    """Slots: `patient` is who is ill. Who is addressed, who sends them, and who is denied is not."""
    assert "patient" not in slots_of(talk(*turns)[-1], "triage")


def test_somebody_of_the_family_is_ill_all_the_same(talk: Talk) -> None:
    """Slots: a person who is told of, not to, is the patient."""
    assert slots_of(talk("我姑娘发烧两天了，看什么科")[-1], "triage")["patient"] == "姑娘"


@pytest.mark.parametrize(
    ("told", "finding"),
    [("B超报告上写着乳腺结节四a类，这是什么意思", "四a类"), ("上面写转氨酶78，要不要紧", "78")],
)
def test_a_finding_is_kept_with_its_number(talk: Talk, told: str, finding: str) -> None:
    """Slots: a grade or a value is the finding as a whole; its unit alone is none."""
    assert finding in slots_of(talk(told)[-1], "report")["finding"]


def test_a_question_about_a_value_is_no_finding(talk: Talk) -> None:
    """Slots: 高不高 asks for what a finding would tell."""
    assert "高" not in slots_of(talk("血压的单子，算高吗，是什么意思")[-1], "report").get("finding", "")


def test_a_complaint_in_other_words_is_the_symptom(talk: Talk) -> None:
    """Slots: triage without a known symptom keeps the clause that says where it is, and does not ask again."""
    assert "胳肢窝" in slots_of(talk("我这胳肢窝老是一蹦一蹦的，该看什么科")[-1], "triage")["symptom"]


@pytest.mark.parametrize("asked", ["听日有冇沈小满", "明天有没有沈小满"])
def test_asking_whether_somebody_is_there_denies_nobody(talk: Talk, asked: str) -> None:
    """hospital.md, Class: a doctor who is asked for is named, whatever the word that asks."""
    assert slots_of(talk(asked)[-1], "doc-direct")["doctor"] == "沈小满"


def test_a_question_of_two_ways_refuses_nothing(talk: Talk) -> None:
    """hospital.md, Segments 先不: 用不用 asks; what is asked stands as said."""
    turn = talk("挂王五，周五", "拆线用不用空腹啊")[-1]
    assert not turn["notes"]
    assert slots_of(turn, "doc-direct")["doctor"] == "王五"


def test_negated_values_belong_to_a_kind_of_slot() -> None:
    """A domain file that says so of a kind no slot takes is refused."""
    raw = domain.DEFAULT_DOMAIN.read_bytes().replace(b"unmeant:\n", b"unmeant:\n  signal:nobody: {words: x}\n")
    with pytest.raises(DataError, match="unmeant"):
        domain.parse(raw)
