"""When deferred instructs come due (service.md, Timers fire at the client)."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tingdong.talk.schedule import due_of

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 11, 21, 20, 0, tzinfo=ZONE)  # a Saturday


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("10分钟后", datetime(2026, 11, 21, 20, 10, tzinfo=ZONE)),
        ("22:00", datetime(2026, 11, 21, 22, 0, tzinfo=ZONE)),
        ("07:00", datetime(2026, 11, 22, 7, 0, tzinfo=ZONE)),
        ("后天05:00", datetime(2026, 11, 23, 5, 0, tzinfo=ZONE)),
        ("下周三07:00", datetime(2026, 11, 25, 7, 0, tzinfo=ZONE)),
        ("1月3日08:00", datetime(2027, 1, 3, 8, 0, tzinfo=ZONE)),
    ],
)
def test_due_time(text: str, due: datetime) -> None:
    """A single time is due at its next occurrence; a bare clock time that has passed is tomorrow's."""
    assert due_of(text, NOW) == due.timestamp()


@pytest.mark.parametrize("text", ["每天07:00", "工作日18:20", "客厅温度>28C", "天黑了", ""])
def test_no_single_due_time(text: str) -> None:
    """Recurring and conditional requests have no single due time: they stay on the page until cancelled."""
    assert due_of(text, NOW) is None
