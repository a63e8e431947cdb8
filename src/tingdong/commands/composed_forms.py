"""Forms composed of two or three small parts, too regular to be listed: 升上去, 扯紧; 那条, 刚才那两盏, 这破玩意儿."""

from collections.abc import Iterable, Iterator

from tingdong.commands.word_kinds import Kind, Word

__all__ = ["motions", "references", "unmuted"]

_Composed = tuple[Iterable[str], Word]

_RAISED = "升 卷 收 摇 掀 撑 提 抬 吊 撩"
_LOWERED = "降 落 摇 卷 垂 撂 放"
_DRAWN = "扯 拽 拉 合 闭 关 扣"
_POINTERS = "这 那 刚才那 刚刚那 刚那 方才那 之前那"
_BEFORE_ONE = "上一 前一 这一 那一"
_MEASURES = "个 台 盏 只 扇 架 部 张 幅 支 条 组 串 块 道 款"
_LAMPS = {"盏": "light"}
"""Measure words that say what is counted."""
_SCORNED = "玩意 玩意儿 东西 家伙"
_ENDS_MUTING = "退出 结束 停止 终止 停掉 退掉 撤掉 撤销 去除"
_NOT_MUTED = "不要 别再 不用 不用再 不要再 甭 莫 勿 不"


def motions() -> Iterator[_Composed]:
    """升上去, 收起, 垂下来, 扯紧: which way a thing that moves goes, by the verb and where it ends."""
    raised, lowered = Word(Kind.VERB, "打开", "拉"), Word(Kind.VERB, "关闭", "拉")
    yield (stem + end for stem in _RAISED.split() for end in ("起", "起来", "上去", "上来")), raised
    yield (stem + end for stem in _LOWERED.split() for end in ("下", "下来", "下去")), lowered
    yield (stem + end for stem in _DRAWN.split() for end in ("紧", "严", "严实", "牢", "拢")), lowered


def references() -> Iterator[_Composed]:
    """那条, 刚才那支, 上一盏; 这几台, 那两扇; 这破玩意儿: what was spoken of before."""
    pointers = _POINTERS.split()
    for measure in _MEASURES.split():
        device = _LAMPS.get(measure, "")
        yield (head + measure for head in (*pointers, *_BEFORE_ONE.split())), Word(Kind.REFERENCE, device=device)
        several = (head + number + measure for head in pointers for number in "几两三四五")
        yield several, Word(Kind.REFERENCES, device=device)
    yield (head + rest for head in pointers for rest in ("俩", "仨", "些")), Word(Kind.REFERENCES)
    scorned = (head + bad + thing for head in "这那" for bad in ("", "破", "鬼", "死") for thing in _SCORNED.split())
    yield scorned, Word(Kind.REFERENCE)


def unmuted() -> Iterator[str]:
    """退出静音, 不要静音了: phrases that end the silence; they never start it."""
    for end in _ENDS_MUTING.split():
        yield f"{end}静音"
    for end in _NOT_MUTED.split():
        yield f"{end}静音了"
