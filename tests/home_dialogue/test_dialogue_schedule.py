"""When deferred instructs come due (service.md, Timers fire at the client)."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tingdong.home_dialogue.schedule import due_of

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 21, 20, 0, tzinfo=ZONE)  # a Saturday


@pytest.mark.parametrize(
    ("when", "due"),
    [
        ("P1DT2H", datetime(2026, 11, 22, 22, 0, tzinfo=ZONE)),
        ("PT10M", datetime(2026, 11, 21, 20, 10, tzinfo=ZONE)),
        ("T22:00", datetime(2026, 11, 21, 22, 0, tzinfo=ZONE)),
        ("T07:00", datetime(2026, 11, 22, 7, 0, tzinfo=ZONE)),
        ("2026-11-23T05:00", datetime(2026, 11, 23, 5, 0, tzinfo=ZONE)),
        ("2026-11-25T07:00", datetime(2026, 11, 25, 7, 0, tzinfo=ZONE)),
        ("2027-01-03T08:00", datetime(2027, 1, 3, 8, 0, tzinfo=ZONE)),
    ],
)
def test_due_time(when: str, due: datetime) -> None:
    """A single time is due at its next occurrence; a bare clock time that has passed is tomorrow's."""
    assert due_of(when, NOW) == due.timestamp()


@pytest.mark.parametrize("when", ["RRULE:FREQ=DAILY;BYHOUR=7;BYMINUTE=0", "客厅温度>28C", ""])
def test_no_single_due_time(when: str) -> None:
    """Recurring and conditional requests have no single due time: they stay on the page until cancelled."""
    assert due_of(when, NOW) is None
