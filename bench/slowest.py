"""The slowest texts that searches have found (`bench.worst`): mixtures that are said over and over."""

from collections.abc import Mapping, Sequence

__all__ = ["FOUND", "SIZE", "said"]

SIZE = 2_000
"""Characters of a searched turn."""

FOUND: Mapping[str, tuple[str, ...]] = {
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
        "台灯打开开一有哪一个就哪些到三档厅灯亮着烧到五十五度音量调吊儿，空调全关投影仪打开一个就行小牛，老遮光帘合房跟儿童到““计，"
        "投影音量调到和6百分之六十跟一个就牛，除了老人房跟调到20统统关掉牛，灯统统，灯开灯开开到百分调到20%遮光帘合上，投影八成",
        "牛，老伙计开到八儿射灯开一一、统统关掉厅调到26",
        "到五十开到八到26度帘射灯开一，统统关掉统统关掉调到26",
        "别开灯",
        "灯亮" * 82 + "，",
        "开灯关灯" * 41 + "，",
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
        "打得我打得我我要付掉爸膝盖不爸膝盖不",
        "on院手续怎么办，余但是常青我验光我验光开发",
        "A想挂个叫他疼该看我验光我验光我验光我验光烧药隔多烧药隔多",
    ),
}
"""What earlier searches found, from which a search goes on: each took 60 to 1,500 usual turns."""


def said(pieces: Sequence[str]) -> str:
    """The pieces said over and over, `SIZE` characters of them."""
    unit = "".join(pieces) or "啊"
    return (unit * (SIZE // len(unit) + 1))[:SIZE]
