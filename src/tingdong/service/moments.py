"""A client's clock (service.md: optional `now`, ISO 8601, else the server's in the configured zone)."""

from datetime import datetime, tzinfo

from tingdong.errors import BadFrame

__all__ = ["moment_of"]

_YEARS = range(1970, 9001)
"""Years a clock may show: what is reckoned from it, days and years ahead, stays within the calendar."""


def moment_of(text: str, zone: tzinfo, path: str) -> datetime:
    """The moment a client names; without an offset it is in `zone`. Raises `BadFrame` with `path`."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadFrame("now 应为 ISO 8601 时间，如 2026-11-23T21:30:00+08:00", path=path) from None
    if moment.year not in _YEARS:
        raise BadFrame(f"now 的年份应在 {_YEARS[0]} 到 {_YEARS[-1]} 之间", path=path)
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)
