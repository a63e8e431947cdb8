"""Who is spoken to: service.md, Token frame (小爱，开灯 → 无关对象) and service.md, Addressee."""

import pytest

from tingdong.home_dialogue.addressee import Addressee, hear

NAMES = ("小太阳", "大白", "阿福")


@pytest.mark.parametrize(
    "text",
    ["小爱，开灯。", "小度小度，把空调打开", "天猫精灵关灯", "小明小明，开灯", "嘿Siri，关灯", "开灯吧，小爱同学"],
)
def test_an_order_to_another_assistant_is_ignored(text: str) -> None:
    """A call to another assistant is for it, not for us (service.md, Token frame)."""
    assert hear(text, names=NAMES).to is Addressee.OTHER


@pytest.mark.parametrize(
    "text",
    ["妈，帮我把台灯关一下", "老婆，帮我倒杯水", "老张把灯关了", "小张，关灯", "把窗帘关上，王姐", "灯关一下吧老公"],
)
def test_an_order_to_a_person_is_ignored(text: str) -> None:
    """A call to a person is for the person unless a wake word came (service.md, Addressee)."""
    assert hear(text, names=NAMES).to is Addressee.OTHER


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("小牛，开灯", 2),
        ("小牛小牛，开灯", 4),
        ("嘿小牛开灯", 3),
        ("妈，我自己来。小牛，开灯", 9),
        ("把灯关了，小牛", 0),
    ],
)
def test_a_wake_word_wins(text: str, start: int) -> None:
    """A wake word makes the sentence ours, whoever else was spoken to before (service.md, Addressee)."""
    call = hear(text, names=NAMES)
    assert (call.to, call.name, call.start) == (Addressee.US, "小牛", start)


@pytest.mark.parametrize(
    "text",
    [
        "打开灯",
        "小太阳也开",
        "大白，开到二档",
        "小点声",
        "妈妈房间的灯打开",
        "小牛电动车充电好了吗",
        "行了行了，小一档",
    ],
)
def test_without_a_name_the_order_is_ours(text: str) -> None:
    """A thing, a room, a device of this home or a plain request is no call (service.md, Addressee)."""
    assert hear(text, names=NAMES).to is Addressee.OPEN


def test_wake_words_are_configured() -> None:
    """With another wake word, 小牛 is nobody and the new name is us."""
    assert hear("管家，开灯", wake_words=("管家",)).to is Addressee.US
    assert hear("小牛，开灯", wake_words=("管家",)).to is not Addressee.US
