"""The slowest turn that a search finds stays near a usual one (service.md, Limits): one text stops nobody else."""

import pytest
from bench.worst import front_desk, home_desk, measured, said

FOUND = {
    "home": (
        "灯亮",
        "热",
        "留",
        "和",
        "台灯打开开一有哪一个就哪些小牛，吊灯亮着烧到五十五度音量调儿，空调全关投影仪打开一个就行小牛，老遮光帘合房跟儿童到",
        "楼的灯",
        "房跟",
        "开到八到26度帘射灯开一，统统关掉统统关掉调到26",
        "？了老”老小牛，二楼的灯统牛，全家空调都调光帘合上，投影仪，老伙灯亮家空调都调到26",
    ),
    "front desk": (
        "再",
        "刚",
        "宝",
        "订看哪个能开退烧药两天了挂",
        "，认一下是什么药昏过顺便把化一岁",
        "想挂个叫他疼该看我验光我验光我验光我验光烧药隔多烧药隔多",
        "，认一下是什么药昏过一了张大夫",
        "儿科",
        "三点",
    ),
}
"""What earlier searches found: each took 60 to 1,500 usual turns."""
MOST = {1_000: 60.0, 2_000: 100.0}
"""Characters → usual turns, with room for a machine that is busy otherwise; `python -m bench.worst` asks for 50."""


@pytest.mark.slow
@pytest.mark.parametrize("desk", ["home", "front desk"])
def test_no_text_takes_long(desk: str) -> None:
    """What searches found stays mended: work grows with the length of a text."""
    turn, questions = home_desk() if desk == "home" else front_desk()
    for text in map(said, ([one] for one in FOUND[desk])):
        for size, most in MOST.items():
            usual, seconds = measured(turn, questions, text[:size])
            assert seconds <= most * usual, text[:60]
