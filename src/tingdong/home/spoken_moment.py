"""A `when` in Chinese (PT10M → 10分钟后, T22:00 → 晚上10点, RRULE… → 每天早上7点)."""

import re

from context_retrieval.unsaid_conditions import told_event
from zhtext.remembering import remembered

__all__ = ["tell_moment"]

_DURATION = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?\Z")
_DATED = re.compile(r"(?:\d{4}-(\d{2})-(\d{2}))?T(\d{2}):(\d{2})\Z")
_CONDITION = re.compile(r"(.+?)(>=|<=|>|<|=)(.+)\Z")
_COMPARED = {">": "高于", "<": "低于", ">=": "不低于", "<=": "不高于"}
_WEEKDAYS = {"MO": "一", "TU": "二", "WE": "三", "TH": "四", "FR": "五", "SA": "六", "SU": "日"}
_PERIODS = ((5, "凌晨"), (9, "早上"), (12, "上午"), (13, "中午"), (18, "下午"), (24, "晚上"))


@remembered(1024)
def tell_moment(when: str) -> str:
    """The Chinese of a wire `when`; a form this module does not know is said as it is."""
    if match := _DURATION.match(when):
        units = zip(match.groups(), ("天", "小时", "分钟", "秒"), strict=True)
        return "".join(f"{count}{unit}" for count, unit in units if count) + "后"
    if match := _DATED.match(when):
        day = f"{int(match[1])}月{int(match[2])}日" if match[1] else ""
        return day + _clock(int(match[3]), int(match[4]))
    if when.startswith("RRULE:"):
        return _recurring(dict(part.split("=", 1) for part in when[6:].split(";") if "=" in part))
    if match := _CONDITION.match(when):
        value = re.sub(r"C\Z", "度", match[3])
        told = told_event(match[1], value) or f"{match[1]}{_COMPARED.get(match[2], '为')}{value}"
        return f"{told}时"
    return when


def _clock(hour: int, minute: int) -> str:
    period = next(word for end, word in _PERIODS if hour < end)
    shown = hour - 12 if hour > 12 else hour
    past = "" if minute == 0 else "半" if minute == 30 else f"{minute:02d}分"
    return f"{period}{shown}点{past}"


def _recurring(rule: dict[str, str]) -> str:
    time = _clock(int(rule.get("BYHOUR", "0")), int(rule.get("BYMINUTE", "0")))
    days = rule.get("BYDAY", "")
    if not days:
        return f"每天{time}"
    if days == "MO,TU,WE,TH,FR":
        return f"工作日{time}"
    if days == "SA,SU":
        return f"周末{time}"
    return "每周" + "、".join(_WEEKDAYS.get(day, day) for day in days.split(",")) + time
