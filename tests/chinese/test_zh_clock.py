"""`zhtext.clock`: times in a text, their WHEN, and their dates."""

import datetime as dt
import json
import re
from itertools import pairwise
from pathlib import Path
from time import thread_time

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from zhtext.clock import Period, Recurrence, TimeKind, find_times, resolve, when_string
from zhtext.durations import Duration, TimeUnit
from zhtext.quantities import QuantityKind, find_quantities

CORPUS_FOLDER = Path(__file__).parent.parent / "corpus"
CORPUS = yaml.safe_load((CORPUS_FOLDER / "numerals.yaml").read_text(encoding="utf-8"))
MONDAY = dt.datetime(2026, 11, 23, 9, 30)
PIECES = [
    *"一二两三十半零点分刻时号月日周天早晚今明后过等再差每下这个的，年01259:-/ap",
    *(
        "今天",
        "明早",
        "晚上",
        "星期",
        "礼拜",
        "每天",
        "周末",
        "工作日",
        "小时",
        "分钟",
        "以后",
        "下个月",
        "月底",
        "大后天",
        "上午",
    ),
]
WORDS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@pytest.mark.parametrize(("text", "expected"), CORPUS["when"].items())
def test_when(text: str, expected: list[str]) -> None:
    """Delays, clock times, days and recurrences as the command protocol writes them (commands.md, ACTION)."""
    assert [when for mention in find_times(text) if (when := when_string(mention))] == expected


@pytest.mark.parametrize("text", CORPUS["no_when"])
def test_no_when(text: str) -> None:
    """亮一点 is a little brighter; a day or a part of it alone has no WHEN."""
    assert not [when for mention in find_times(text) if (when := when_string(mention))]


@pytest.mark.parametrize(
    ("text", "date", "session"),
    [
        ("今天", "2026-11-23", None),
        ("明天下午", "2026-11-24", "下午"),
        ("后天上午", "2026-11-25", "上午"),
        ("大后天", "2026-11-26", None),
        ("明早", "2026-11-24", "上午"),
        ("今晚", "2026-11-23", "晚上"),
        ("昨天", "2026-11-22", None),
        ("周三下午", "2026-11-25", "下午"),
        ("礼拜三", "2026-11-25", None),
        ("周一", "2026-11-23", None),
        ("这周六", "2026-11-28", None),
        ("这礼拜五", "2026-11-27", None),
        ("下周一上午", "2026-11-30", "上午"),
        ("下周三", "2026-12-02", None),
        ("下礼拜二", "2026-12-01", None),
        ("下下周一", "2026-12-07", None),
        ("上周五", "2026-11-20", None),
        ("这周末", "2026-11-28", None),
        ("下周末", "2026-12-05", None),
        ("周末", "2026-11-28", None),
        ("25号", "2026-11-25", None),
        ("20号", "2026-12-20", None),
        ("下个月5号", "2026-12-05", None),
        ("月底", "2026-11-30", None),
        ("下个月底", "2026-12-31", None),
        ("11月24日", "2026-11-24", None),
        ("一月三号", "2027-01-03", None),
        ("2027年3月1日", "2027-03-01", None),
        ("三天后", "2026-11-26", None),
        ("两个礼拜后", "2026-12-07", None),
        ("一个月后", "2026-12-23", None),
        ("两周以后的周五", "2026-12-11", None),
        ("下下周的周三", "2026-12-09", None),
        ("明晚十二点", "2026-11-25", "晚上"),
        ("下周", None, None),
        ("下午", None, "下午"),
        ("2月30日", None, None),
    ],
)
def test_resolve(text: str, date: str | None, session: str | None) -> None:
    """Dates and sessions counted from now (hospital.md: slots date and period)."""
    (mention,) = find_times(text)
    resolved = resolve(mention, MONDAY)
    assert resolved[0] == (dt.date.fromisoformat(date) if date else None)
    assert resolved[1] == session


def test_resolve_times_of_day() -> None:
    """A clock time gives the time and its session; a short delay is added to now."""
    assert resolve(find_times("明天下午三点")[0], MONDAY) == (dt.date(2026, 11, 24), "下午", dt.time(15))
    assert resolve(find_times("22:00")[0], MONDAY) == (None, "晚上", dt.time(22))
    assert resolve(find_times("半小时后")[0], MONDAY) == (dt.date(2026, 11, 23), None, dt.time(10))


def test_fields() -> None:
    """A mention tells what was said."""
    (mention,) = find_times("每周三晚上七点半")
    assert (mention.kind, mention.recurrence, mention.weekdays) == (TimeKind.RECURRING, Recurrence.WEEKLY, (2,))
    assert (mention.period, mention.hour, mention.minute) == (Period.EVENING, 19, 30)
    (mention,) = find_times("一个半小时后")
    assert (mention.kind, mention.delay) == (TimeKind.DELAY, Duration(1.5, TimeUnit.HOUR))


def test_carry_can_be_left_out() -> None:
    """A caller may ask for what each mention says alone."""
    text = "明早七点开，八点关"
    assert [when_string(mention) for mention in find_times(text)] == ["明天07:00", "明天08:00"]
    assert [when_string(mention) for mention in find_times(text, carry=False)] == ["明天07:00", "08:00"]


def test_sentences_do_not_carry() -> None:
    """A new sentence begins anew."""
    assert [when_string(mention) for mention in find_times("明早七点开。八点关")] == ["明天07:00", "08:00"]


@given(st.one_of(WORDS, st.text(max_size=40)))
def test_spans_are_ordered_and_do_not_overlap(text: str) -> None:
    """Never raises; spans lie in the text, in order, apart; every mention has a WHEN or none, and resolves."""
    mentions = find_times(text)
    assert all(0 <= mention.start < mention.end <= len(text) for mention in mentions)
    assert all(before.end <= after.start for before, after in pairwise(mentions))
    for mention in mentions:
        when_string(mention)
        resolve(mention, MONDAY)


@given(st.dates(dt.date(2020, 1, 1), dt.date(2040, 1, 1)), st.sampled_from("一二三四五六日"))
def test_coming_weekday(today: dt.date, name: str) -> None:
    """A bare weekday is within the next seven days, and is that weekday."""
    date, _, _ = resolve(find_times(f"周{name}")[0], dt.datetime.combine(today, dt.time(9)))
    assert date is not None
    assert 0 <= (date - today).days < 7
    assert date.weekday() == "一二三四五六日".index(name)


@given(st.integers(0, 23), st.integers(0, 59))
def test_digital_clock(hour: int, minute: int) -> None:
    """Every time on a digital clock is its own WHEN."""
    said = f"{hour:02d}:{minute:02d}"
    assert [when_string(mention) for mention in find_times(said)] == [said]


def test_reading_takes_linear_time() -> None:
    """Ten times the text takes about ten times as long, also where nothing can be read."""
    for piece in (
        "明天上午",
        "十二点三十",
        "每周一二三",
        "过等再",
        "1:1:1:",
        "差差十分",
        "一个半",
        "下下周",
        "十月十日",
        "七点和",
    ):
        find_times(piece * 20)
        short, long = (min(_seconds(piece * (size // len(piece))) for _ in range(3)) for size in (2_000, 20_000))
        assert long < 60 * short + 0.01


def _seconds(text: str) -> float:
    begin = thread_time()
    find_times(text)
    return thread_time() - begin


def test_open_commands() -> None:
    """Of the open commands with a time, at least 98 % get the WHEN of their gold (conditions aside)."""
    right = total = 0
    for line in (CORPUS_FOLDER / "commands_train.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        actions = [command.split("-")[0] for command in row["gold"]]
        gold = {action.split("@", 1)[1] for action in actions if "@" in action}
        gold = {when for when in gold if not re.search("[<>=]", when)}
        if not gold:
            continue
        total += 1
        right += gold <= _whens(row["text"])
    assert total > 100
    assert right / total >= 0.98


def _whens(text: str) -> set[str]:
    """The WHENs of the times, and of the lengths of time (空调开两小时: off after two hours)."""
    mentions = find_times(text)
    quantities = find_quantities(text, taken=[(mention.start, mention.end) for mention in mentions])
    lengths = [Duration(q.value, TimeUnit(q.unit)) for q in quantities if q.kind is QuantityKind.DURATION]
    whens = {when for mention in mentions if (when := when_string(mention))}
    return whens | {length.delay_string() for length in lengths}
