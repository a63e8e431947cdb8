"""A command that was asked for is not dropped in silence (architecture, law 2)."""

from functools import cache

import pytest

from tingdong.commands import Verdict
from tingdong.reader import SentenceReader, sentence_reader


@cache
def parser() -> SentenceReader:
    return sentence_reader()


@pytest.mark.parametrize(
    "text",
    [
        "把空调关了，净化器也给它唠一唠",
        "加湿器戳一戳，风扇打开",
        "请打开电视，热水器嗡两下",
    ],
)
def test_a_reading_that_ignores_a_named_device_is_not_accepted(text: str) -> None:
    """Beside what is read a thing without a command makes the reading unsure (architecture, law 2)."""
    reading = parser().read(text)
    assert reading.commands
    assert reading.verdict is Verdict.ABSTAIN
    assert reading.reason == "unsure"


@pytest.mark.parametrize(
    "text",
    [
        "把空调关了，净化器留着",
        "关掉加湿器，不对，除湿机",
        "除了冰箱全断电",
        "打开客厅和卧室的灯，窗帘拉上",
        "台灯别开，吊灯打开",
    ],
)
def test_exclusions_and_corrections_are_not_unread_words(text: str) -> None:
    """A thing that shall be left alone, or was a slip of the tongue, needs no command (commands.md, Order and
    splitting)."""
    assert parser().read(text).verdict is Verdict.ACCEPT
