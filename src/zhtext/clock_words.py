"""Words of the calendar and the clock, and what each says: the vocabulary of `clock` as literal tables."""

from __future__ import annotations

from typing import Any, Final

from zhtext.numerals import NUMERAL_CHARACTERS
from zhtext.patterns import LazyPattern
from zhtext.timepoints import Period, Recurrence

Fields = dict[str, Any]
"""Some fields of a `TimeMention`."""

Piece = tuple[Fields, int, int]
"""What one piece of a time says, where it ends, and which slots it fills."""

DAY_SLOT: Final = 1
PERIOD_SLOT: Final = 2
CLOCK_SLOT: Final = 4
SHORT_PERIOD_SLOT: Final = 8
"""Bits of the parts of a mention, each said once; the last goes with 早, 晚: no part of the day without a clock."""


_OF_THE_DAY: Final = frozenset(("period", "hour", "past_midnight"))


def slots_of(fields: Fields) -> int:
    """The slots the fields fill."""
    return (PERIOD_SLOT if "period" in fields else 0) | (DAY_SLOT if fields.keys() - _OF_THE_DAY else 0)


_DAYS: Final = {
    "今天 今日 今儿 今儿个 今个 今个儿 今朝 今仔日": 0,
    "明天 明日 明儿 明儿个 明个 明个儿 明朝 听日 次日 明仔载": 1,
    "后天 后日 后儿 后儿个 后个 后个儿 后朝": 2,
    "大后天 大后日 大后儿": 3,
    "昨天 昨日 昨儿 昨儿个 昨个 昨个儿 夜儿个 寻日": -1,
    "前天 前日 前儿": -2,
    "大前天": -3,
}
_PERIODS: Final = {
    "凌晨": Period.DAWN,
    "清晨 清早 大清早 一清早 大清晨 一大早 大早 大早上 一早 早晨 早上 早间 晨间": Period.MORNING,
    "早浪向 朝早 朝头早 透早 赶早": Period.MORNING,
    "上午 上半天 上半日 上昼 上半昼 头晌 头午 前晌 午前": Period.FORENOON,
    "中午 正午 晌午 晌午头 午间 大中午 中昼": Period.NOON,
    "下午 午后 下半天 下半日 过午 下昼 后晌 后半晌 下晌 晏昼 下晡": Period.AFTERNOON,
    "傍晚 黄昏 傍黑 擦黑 擦黑儿": Period.DUSK,
    "晚上 晚间 大晚上 夜晚 晚夕 晚黑 夜晚黑 晚头 夜头 下黑 黑夜 暗时 下昏 夜到 夜饭边 夜饭边头": Period.EVENING,
    "夜里 夜间 深夜 半夜 大半夜 后半夜 三更半夜 午夜 子夜 半夜里 夜里头 夜里向 深更半夜": Period.NIGHT,
}
_DAYS_WITH_PERIOD: Final = {
    "今早 今早上 今晨": (0, Period.MORNING),
    "今晚 今晚上 今夜 当晚": (0, Period.EVENING),
    "明早 明早上 明晨 明仔早 听朝 听早": (1, Period.MORNING),
    "明晚 明晚上 明夜 听晚": (1, Period.EVENING),
    "后早": (2, Period.MORNING),
    "后晚": (2, Period.EVENING),
    "昨晚 昨晚上 昨夜 寻晚": (-1, Period.EVENING),
    "昨早": (-1, Period.MORNING),
}
_RECURRENCES: Final[dict[str, tuple[Recurrence, Period | None]]] = {
    "每天 天天 每日 日日": (Recurrence.DAILY, None),
    "每晚 每晚上 每个晚上 每夜 晚晚": (Recurrence.DAILY, Period.EVENING),
    "每早 每早上 每个早上 每个早晨": (Recurrence.DAILY, Period.MORNING),
    "工作日 每个工作日 每工作日 平日 平日里 上班日": (Recurrence.WORKDAYS, None),
    "周末 每周末 每个周末 每逢周末 双休日 每个双休日 休息日 礼拜六礼拜天 周六日 周六周日": (Recurrence.WEEKENDS, None),
}
_HOURS: Final[dict[str, Fields]] = {
    "正午": {"period": Period.NOON, "hour": 12},
    "午夜 子夜": {"period": Period.NIGHT, "hour": 0, "past_midnight": True},
}
"""Parts of the day that are an hour where no clock time follows."""

MEALS: Final = {
    word + tail: period
    for words, period in (
        ("早饭 早餐 早茶 早操 早自习", Period.MORNING),
        ("午饭 午餐 中饭", Period.NOON),
        ("下午茶", Period.AFTERNOON),
        ("晚饭 晚餐 夜宵 宵夜 晚自习", Period.EVENING),
    )
    for word in words.split()
    for tail in ("", "后")
}
"""What has its time of the day, where a clock time follows at once: 晚饭六点半."""

MEAL_STARTS: Final = frozenset(word[0] for word in MEALS)
BEFORE_CLOCK_ONLY: Final = {"早": Period.MORNING, "早起": Period.MORNING, "晚": Period.EVENING, "夜": Period.NIGHT}
"""Parts of the day only when a clock time follows at once: 早八点, 晚十点半."""

_HOLIDAYS: Final = {
    "元旦": (1, 1),
    "情人节": (2, 14),
    "劳动节": (5, 1),
    "儿童节": (6, 1),
    "国庆节": (10, 1),
    "平安夜": (12, 24),
    "圣诞节": (12, 25),
    "跨年夜": (12, 31),
}
_NOT_BEFORE: Final = {
    "后天": "花气",
    "午夜": "蓝场模",
    "子夜": "模",
    "正午": "阳模",
    "前天": "花气",
    "天天": "气",
    "前日": "子",
    "今儿": "子",
}
_NOT_AFTER: Final = {"天天": "一今明春夏秋冬白聊", "日日": "今明"}
_GREETED: Final = "好安茶"
_SPENT: Final = "一整"
"""Before a part of the day these make a length of time: 一晚上, 整上午."""


def _word_table() -> dict[str, tuple[tuple[str, Fields, int], ...]]:
    words: dict[str, Fields] = {}
    words |= {word: {"day_offset": offset} for row, offset in _DAYS.items() for word in row.split()}
    words |= {word: {"period": period} for row, period in _PERIODS.items() for word in row.split()}
    for row, (offset, period) in _DAYS_WITH_PERIOD.items():
        words |= {word: {"day_offset": offset, "period": period} for word in row.split()}
    for row, (recurrence, part) in _RECURRENCES.items():
        words |= {word: {"recurrence": recurrence} | ({"period": part} if part else {}) for word in row.split()}
    words |= {word: fields for row, fields in _HOURS.items() for word in row.split()}
    words |= {word: {"month": month, "day": day} for word, (month, day) in _HOLIDAYS.items()}
    longest_first = sorted(words.items(), key=lambda item: len(item[0]), reverse=True)
    return {
        start: tuple((word, fields, slots_of(fields)) for word, fields in longest_first if word[0] == start)
        for start in {word[0] for word in words}
    }


WORDS_BY_START: Final = _word_table()

_WEEK = "(?:周|星期|礼拜)"
_DAY = "(?:[一二三四五六日天]|[1-7](?![0-9]))"
WEEKDAY: Final = LazyPattern(f"(下下|上上|下|这|本|上)?个?{_WEEK}(?:({_DAY})|(末))")
WEEK: Final = LazyPattern(f"(下下|上上|下|这|本|上)个?{_WEEK}(?!{_DAY}|末|期|边|围)")
WEEKDAYS: Final = LazyPattern(f"{_WEEK}([一二三四五六日](?:[、]?[一二三四五六日天]){{2,}})(?![十点])")
WEEKLY: Final = LazyPattern(f"每(?:个|逢)?{_WEEK}({_DAY}(?:[、和跟]?[一二三四五六日天](?![档挡度成个盏台级点时十]))*)")
WORKWEEK: Final = LazyPattern(
    f"每?(?:个|逢)?{_WEEK}([一二三四五六])(?:到|至|-|~){_WEEK}?([二三四五六日天])(?![点时号月])"
)
WEEK_OFFSETS: Final = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
WEEKDAY_NUMBERS: Final = {**{name: index for index, name in enumerate("一二三四五六日")}, "天": 6}
WEEKDAY_NUMBERS.update({str(number): number - 1 for number in range(1, 8)})

MONTH_OFFSETS: Final = {"上个月": -1, "上月": -1, "这个月": 0, "这月": 0, "本月": 0, "当月": 0, "下个月": 1, "下月": 1}
MONTH: Final = LazyPattern("([上下]个?月|这个?月|[本当]月)(?:的?(底|末|初))?|月(底|末|初)")


def word_at(text: str, position: int, *, first: bool) -> Piece | None:
    """What the longest calendar word at `position` says, and its end; `first` where nothing before belongs to it."""
    for word, fields, slots in WORDS_BY_START.get(text[position : position + 1], ()):
        if not text.startswith(word, position):
            continue
        end = position + len(word)
        before = text[position - 1] if first and position else " "
        following = text[end] if end < len(text) else " "
        if following in _NOT_BEFORE.get(word, "") or before in _NOT_AFTER.get(word, ""):
            continue
        if slots == PERIOD_SLOT and (following in _GREETED or before in _SPENT):
            continue
        return fields, end, slots
    return None


_NUMERALS = "".join(sorted(NUMERAL_CHARACTERS))
_LENGTH_UNITS = "秒分小刻钟天周星礼hmsd年"
_FOLLOWERS: Final = {
    "周": "一二三四五六日天末1234567",
    "星": "期",
    "礼": "拜",
    "下上": "下上个周星礼月",
    "这": "个周星礼月",
    "本": "周星礼月",
    "当": "月",
    "月": "底末初",
    "每": "个周星礼逢月隔过小分半" + _NUMERALS,
    "早晚夜差": _NUMERALS,
    "早午中晚": "饭餐茶操自",
    "夜宵": "宵夜",
    "半": _LENGTH_UNITS + "个拉",
    "过等隔": _NUMERALS + "半点上个他会几好过了",
    "再": "过等隔有",
    "数": "到够",
    "到": "点时",
    "延推": "时迟",
    "倒": "计",
    "几好": "个秒分小钟天几",
    "个": "把",
}
"""Which characters may follow the first one of a time that is no listed word."""


def _followers() -> dict[str, frozenset[str]]:
    followers = {start: {word[1] for word, _, _ in rows} for start, rows in WORDS_BY_START.items()}
    for starts, following in _FOLLOWERS.items():
        for start in starts:
            followers.setdefault(start, set()).update(following)
    return {start: frozenset(following) for start, following in followers.items()}


FOLLOWERS: Final = _followers()
_SECOND: Final = "".join(
    sorted(frozenset().union(*FOLLOWERS.values(), NUMERAL_CHARACTERS, _LENGTH_UNITS, "点时月日号个半"))
)
TIME_STARTS: Final = LazyPattern(f"[{''.join(sorted({*NUMERAL_CHARACTERS, *FOLLOWERS}))}](?=[-.:：/ ap{_SECOND}])")
LENGTH_BEGINS: Final = LazyPattern(f"[半点拉{_NUMERALS}.]{{1,20}}\\s?[{_LENGTH_UNITS}个月]")
_NUMERAL_TIME: Final = LazyPattern(
    f"[{_NUMERALS}.]{{1,20}}\\s?(?:[点时月日号:：ap/{_LENGTH_UNITS}-]|个半?[小钟月星礼]|半|[几来]个?[秒分小钟天]|会)"
)


def may_begin(text: str, start: int) -> bool:
    """Whether a time can begin here, by a look at the next characters: cheap, and no promise."""
    character = text[start]
    followers = FOLLOWERS.get(character)
    if followers is not None and text[start + 1 : start + 2] in followers:
        return True
    return character in NUMERAL_CHARACTERS and _NUMERAL_TIME.match(text, start) is not None
