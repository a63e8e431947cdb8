"""Fixed words that contain a numeral character but no number: exceptions of `numerals` and `quantities`.

A word here loses against a longer quantity at the same place: 十分钟 is read, 十分 is not; 一点五 is read, 一点 is not.
"""

from __future__ import annotations

from typing import Final

_STARTING_WITH_NUMERAL: Final = """
一下 一下子 一点 一点点 一点儿 一些 一丢丢 一丁点 一样 一个样 一般 一起 一齐 一直 一定 一会 一会儿 一共 一切
一律 一旦 一同 一道 一块 一块儿 一边 一面 一旁 一阵 一番 一致 一向 一再 一时 一味 一概 一贯 一心 一路 一带 一生
一辈子 一口气 一股脑 一股脑儿 一体 一体机 一代 一流 一手 一早 一大早 一溜 一径 一眼 一准 一家 一家人 一键 一笔
一塌糊涂 一模一样 一五一十 一把 一锅 一团 一次性 一气 一言 一场 一声 一身 一头 一宿 一整 一整天 一整晚 一夜
一晚上 一级棒 一门心思 一干二净 一清二楚 一视同仁 一如既往 一天到晚 一应
一哈 一哈子 一哈儿 一眼眼 一歇 一歇歇 一丝 一丝丝 一滴滴 一咪咪 一捏捏 一会会 一记 一丢丢
二甲 二甲双胍 二胎 三酯 三口之家 五星
二话 二维码 二手 二胡 二氧化碳 二哈
二手房 两口子 两边 两侧 两旁 两头 两样 两面 两难 三轮车 三轮 三明治 三角 三脚架 三文鱼 三星 三心二意 三缺一
三更半夜 三天两头 三下五除二 三三两两 三番五次 三叉 三七 三亚 四周 四处 四季 四川 四方 四面 四面八方 四肢 四环素
五金 五官 五花肉 五谷 五香 五颜六色 五一 五行 五脏 六神 六亲 七夕 七上八下 七嘴八舌 七七八八 七手八脚 乱七八糟
八卦 八宝粥 八角 八仙桌 八成新 九阳 九牛 九九 十分 十足 十字 十字路口 十一黄金周 十全十美 十几 十来 十多
十万个为什么 百叶 百叶窗 百叶帘 百度 百合 百货 百科 百姓 百家 百事 百般 百日咳 百变 百搭 百灵 千万 千里 千金
千篇 千层 千禧 千克 千瓦 千瓦时 千米 千纸鹤 千兆 万一 万能 万万 万事 万里 万物 万岁 万圣 万分 万般 万和 万科
万用表 万向 万家乐 万年青 亿万 零食 零钱 零件 零散 零零碎碎 零花钱
"""
_ENDING_IN_NUMERAL: Final = """
统一 唯一 单一 之一 逐一 专一 划一 同一 某一 每一 老三 老二 老四 老五 张三 李四 王五
接二 连三 丢三 落四 颠三 倒四 独一 无二
"""

COMMON_WORDS: Final = frozenset(_STARTING_WITH_NUMERAL.split())
_LENGTHS_BY_START: Final = {
    start: tuple(sorted({len(word) for word in COMMON_WORDS if word[0] == start}, reverse=True))
    for start in {word[0] for word in COMMON_WORDS}
}
_REFERRING: Final = frozenset("上下前后")
_REFERRED: Final = frozenset("个首曲集条台位张")
_PLACES: Final = frozenset("楼床桌地墙门柜过")
"""Before 上 and 下 these make a place (楼上一盏灯), or 过上 (过上一个钟头)."""
_ENDINGS: Final = frozenset(_ENDING_IN_NUMERAL.split())


def ends_fixed_word(text: str, start: int) -> bool:
    """Whether the numeral character at `start` is the end of a word (统一, 老三) or of a reference (上一个, 下一首)."""
    if not start:
        return False
    if text[start] == "一" and text[start - 1] in _REFERRING and text[start + 1 : start + 2] in _REFERRED:
        return start == 1 or text[start - 2] not in _PLACES
    return text[start - 1 : start + 1] in _ENDINGS


def fixed_word_end(text: str, start: int) -> int:
    """The end of the fixed word that begins with the numeral character at `start`, or 0 where none does."""
    for length in _LENGTHS_BY_START.get(text[start], ()):
        if text[start : start + length] in COMMON_WORDS:
            return start + length
    return 0
