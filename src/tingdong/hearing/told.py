"""The corrections as reported to a client; positions are those of the text as sent (docs/hearing.md)."""

import msgspec

from tingdong.hearing.heard import Heard, TakenAlternative
from zhtext.normalise import normalise

__all__ = ["ChangeView", "HeardView", "heard_at", "heard_view"]


class ChangeView(msgspec.Struct, frozen=True):
    """One repair: `heard` at `[start, end)` of the text, `understood` instead, `sure` in 0..1."""

    start: int
    end: int
    heard: str
    understood: str
    sure: float


class HeardView(msgspec.Struct, frozen=True):
    """What was understood instead of what was heard, by which changes; `doubts` are only asked about (`asks`).

    `rivals` are texts that are nearly as probable. `taken` is the alternative that was taken in place of the text: its
    place among those sent, itself, and how much more probable it is (natural log-odds).
    """

    understood: str
    changes: list[ChangeView]
    doubts: list[ChangeView]
    asks: str
    rivals: tuple[str, ...] = ()
    taken: TakenAlternative | None = None


def heard_at(heard: Heard, text: str, start: int, end: int) -> tuple[int, int]:
    """Where in the text a span of what was heard stands, which is a part of it in the spelling of `normalise`."""
    normal = normalise(text)
    offset = max(0, normal.text.rfind(heard.said))
    return normal.original_span(start + offset, end + offset)


def heard_view(heard: Heard, text: str) -> HeardView:
    """The repairs of a text, as a client is told of them."""
    changes, doubts = (
        [
            ChangeView(*heard_at(heard, text, one.start, one.end), one.heard, one.understood, round(one.sure, 4))
            for one in found
        ]
        for found in (heard.changes, heard.doubts)
    )
    return HeardView(heard.text, changes, doubts, heard.asks, heard.rivals, heard.taken)
