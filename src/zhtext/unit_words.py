"""Units and measure words after a numeral, by kind of quantity: the table of `quantities`.

Each row: the words, the kind, the canonical unit (None: the word itself), the factor on the value.
"""

from __future__ import annotations

import enum
from typing import Final

import msgspec

COMPARISONS: Final = frozenset(("高于", "低于", "大于", "小于", "多于", "少于", "超过", "等于", "不足", "高过", "低过"))
"""Words of comparison: the number after one is a value, and no hour where 时 follows (温度低于18时开空调)."""


class QuantityKind(enum.StrEnum):
    """What a quantity counts."""

    PERCENT = "percent"
    DEGREE = "degree"
    DURATION = "duration"
    KELVIN = "kelvin"
    GEAR = "gear"
    COUNT = "count"
    ORDINAL = "ordinal"
    NUMBER = "number"


class UnitWord(msgspec.Struct, frozen=True):
    """A unit word: what it makes of the numeral before it."""

    word: str
    kind: QuantityKind
    unit: str
    factor: float
    latin: bool
    """Whether the word is written in Latin letters; no further letter may follow it."""


_K = QuantityKind
_MINUTES, _HOURS = "分钟", "小时"
_ROWS: Final[tuple[tuple[str, QuantityKind, str | None, float], ...]] = (
    ("% ％ 个百分点 百分点 个点", _K.PERCENT, "%", 1),
    ("成", _K.PERCENT, "%", 10),
    ("度 摄氏度 ℃ °C °c ºC °", _K.DEGREE, "C", 1),
    ("C c", _K.DEGREE, "C", 1),
    ("华氏度 ℉ °F", _K.DEGREE, "F", 1),
    ("K k Kelvin kelvin 开尔文", _K.KELVIN, "K", 1),
    ("档 挡 级 格", _K.GEAR, "档", 1),
    ("秒 秒钟 s sec secs second seconds", _K.DURATION, "秒", 1),
    ("分钟 min mins minute minutes", _K.DURATION, _MINUTES, 1),
    ("刻钟 刻", _K.DURATION, _MINUTES, 15),
    ("小时 个小时 个钟 个钟头 钟头 h hr hrs hour hours", _K.DURATION, _HOURS, 1),
    ("时辰 个时辰", _K.DURATION, _HOURS, 2),
    ("天 day days", _K.DURATION, "天", 1),
    ("周 星期 礼拜 个星期 个礼拜", _K.DURATION, "周", 1),
    ("个月 个多月", _K.DURATION, "个月", 1),
    ("年", _K.DURATION, "年", 1),
    ("号 号楼 楼 层 栋 幢 单元 床 路 频道", _K.ORDINAL, None, 1),
    (
        "个 盏 台 只 扇 把 条 张 间 部 块 颗 根 面 组 套 幅 件 位 座 道 对 副 排 串 支 枚 片 杯 瓶 首 集 遍 次 趟 匹 "
        "架 样 项 种 处 桌 粒 滴 袋 盒 本 份 篇 米 瓦 斤 岁 元 毛",
        _K.COUNT,
        None,
        1,
    ),
)


def _table() -> dict[str, tuple[UnitWord, ...]]:
    words = [
        UnitWord(word, kind, unit or word, factor, word[-1].isascii() and word[-1].isalpha())
        for row, kind, unit, factor in _ROWS
        for word in row.split()
    ]
    words.sort(key=lambda entry: len(entry.word), reverse=True)
    return {start: tuple(entry for entry in words if entry.word[0] == start) for start in {w.word[0] for w in words}}


UNITS_BY_START: Final = _table()
UNIT_STARTS: Final = frozenset(UNITS_BY_START)


def unit_at(text: str, position: int) -> UnitWord | None:
    """The longest unit word that begins at `position`."""
    for entry in UNITS_BY_START.get(text[position : position + 1], ()):
        if text.startswith(entry.word, position):
            following = text[position + len(entry.word) : position + len(entry.word) + 1]
            if not (entry.latin and following.isascii() and following.isalpha()):
                return entry
    return None
