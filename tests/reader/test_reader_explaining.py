"""Which words of a sentence an array leaves unexplained (the arbiter prefers the reading that explains more)."""

import pytest

from context_retrieval.protocol import decode
from tingdong.reader.explaining import unexplained
from tingdong.reader.spots import SentenceSpotter

SPOTTER = SentenceSpotter()


@pytest.mark.parametrize(
    ("text", "gold", "poorer"),
    [
        ("打开客厅的灯和空调", ["打开-客厅-*#Light#all", "打开-客厅-*#AirConditioner#all"], ["打开-客厅-*#Light#all"]),
        ("把卧室空调调到26度", ["设置温度=26C-卧室-*#AirConditioner#all"], ["打开-卧室-*#AirConditioner#all"]),
        ("晚上十点关掉书房的灯", ["关闭@22:00-书房-*#Light#all"], ["关闭-书房-*#Light#all"]),
        ("随便开两盏灯", ["打开-*-*#Light#any#2"], ["打开-*-*#Light#any"]),
        ("除了厨房灯都关了", ["关闭-*,!厨房-*#Light#except"], ["关闭-*-*#Light#all"]),
        ("空调开除湿", ["设置模式=除湿-*-*#AirConditioner#all"], ["打开-*-*#AirConditioner#all"]),
        ("十分钟后关床头灯", ["关闭@10分钟后-*-床头灯#Light#one"], ["关闭-*-*#Light#all"]),
    ],
)
def test_the_right_array_explains_every_word(text: str, gold: list[str], poorer: list[str]) -> None:
    """Things, rooms, values, counts and times of the sentence are all in the right array, and not in a poorer one."""
    spots = SPOTTER.read(text)
    good, bad = (decode(str(some).replace("'", '"')).commands for some in (gold, poorer))
    assert unexplained(spots, good, SPOTTER.lexicon) == 0
    assert unexplained(spots, bad, SPOTTER.lexicon) > 0
