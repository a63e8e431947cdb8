"""A recogniser's other texts: taken where they were probably said, never another act in silence (docs/hearing.md)."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_retrieval.models import DeviceType
from tingdong.commands.reading import NameTable, Reading
from tingdong.hearing import Names, default_hearer
from tingdong.hearing.heard import HearingRepair
from tingdong.hearing.offered import MOST_OFFERED, changes_between
from tingdong.reader import sentence_reader

HOME = NameTable({"空调": DeviceType.AIR_CONDITIONER, "吸顶灯": DeviceType.LIGHT}, frozenset(("客厅", "卧室")))
TEXT = st.text(alphabet=st.sampled_from("开关灯空调把不二八客厅度登，"), max_size=8)
READER = sentence_reader()


def read(*texts: str) -> Reading:
    return READER.read(texts[0], HOME, texts[1:])


def commands(reading: Reading) -> list[str]:
    return [str(command) for command in reading.commands]


@pytest.mark.parametrize(
    ("said", "others"),
    [
        ("把课厅空头调道二十五渡", ("把客听空调调到二十五度", "把客厅空调调到二十五度")),
        ("科听吸盯等大凯", ("客厅吸顶灯打凯", "客厅吸顶灯打开")),
        ("我是空挑管掉", ("卧室空调关掉", "卧是空调关掉")),
    ],
)
def test_the_text_that_was_probably_said_is_taken(said: str, others: tuple[str, ...]) -> None:
    """It is read as if it had come first; the reading tells which it was and how much better (explanations)."""
    reading = read(said, *others)
    assert reading.heard is not None
    assert reading.heard.taken is not None
    assert reading.heard.text == others[reading.heard.taken.alternative]
    assert commands(reading) == commands(read(reading.heard.text)) != []
    assert reading.heard.taken.gain > 0
    assert not reading.repaired


@pytest.mark.parametrize("said", ["打开客厅吸顶灯", "卧室空调调到二十六度", "今天天气不错", "别开客厅吸顶灯"])
@pytest.mark.parametrize(
    "others", [("打凯客厅吸顶灯",), ("关掉客厅吸顶灯", "打开卧室空调"), ("啊啊啊", "", " "), ("灯" * 900,)]
)
def test_the_first_is_kept_where_none_is_better(said: str, others: tuple[str, ...]) -> None:
    """What a recogniser put first and people say stays as it is, whatever stands beside it."""
    assert commands(read(said, *others)) == commands(read(said))


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("课厅吸顶登关掉", "客厅吸顶灯打开"),
        ("课厅空挑调到二十五渡", "客厅空调调到二十七度"),
        ("课厅吸顶登开着马吗", "客厅吸顶灯打开"),
        ("课厅吸顶登别开", "客厅吸顶灯开"),
        ("不要打开课厅吸顶登", "打开客厅吸顶灯"),
        ("除了课厅登都管掉", "客厅吸顶灯都关掉"),
    ],
)
def test_another_act_number_or_request_is_asked_about(said: str, other: str) -> None:
    """An opposite, another number, a refusal or a question that is gone, in silence (architecture, laws 1 and 2)."""
    reading = read(said, other)
    assert set(commands(reading)) <= set(commands(read(said)))
    assert not reading.perhaps or reading.perhaps[-1].text == other


def test_two_that_are_as_probable_are_both_told() -> None:
    """Nothing acts on a toss-up between two numbers; the order of a list does not decide it."""
    both = ("客厅空调调到二十五度", "客厅空调调到二十七度")
    for others in (both, both[::-1]):
        reading = read("课厅空吊吊到儿十五渡", *others)
        assert reading.commands == ()
        assert {one.text for one in reading.perhaps} == set(both)
        assert all(one.commands for one in reading.perhaps)


def test_more_than_a_request_may_have_do_not_count() -> None:
    """The first eight are looked at (docs/security.md, Bounds)."""
    others = ("科厅灯打凯",) * MOST_OFFERED + ("客厅吸顶灯打开",)
    assert read("科听吸盯等大凯", *others).heard != read("科听吸盯等大凯", *others[1:]).heard


def test_names_of_the_home_tell_texts_apart() -> None:
    """Names win (retrieval.md): what only this home says is taken."""
    offer = default_hearer().offered("打开书香鸽", ("打开书乡哥", "打开书香阁"), Names(("书香阁",)))
    assert offer is not None
    assert offer.taken.text == "打开书香阁"


def _made(said: str, changes: tuple[HearingRepair, ...]) -> str:
    parts, at = [], 0
    for change in changes:
        parts += [said[at : change.start], change.understood]
        assert said[change.start : change.end] == change.heard
        at = change.end
    return "".join((*parts, said[at:]))


@settings(deadline=None)
@given(TEXT.filter(bool), TEXT.filter(bool))
def test_changes_make_the_other_text(said: str, text: str) -> None:
    """The changes told are those between what was heard and what was understood, in order."""
    changes = changes_between(said, text, 1.0)
    assert _made(said, changes) == text
    assert all(one.end <= other.start for one, other in pairwise(changes))


@settings(deadline=None)
@given(TEXT, st.lists(TEXT, max_size=10))
def test_no_list_of_alternatives_raises(said: str, others: list[str]) -> None:
    """Never raises; the same list gives the same reading."""
    assert read(said, *others) == read(said, *others)
