"""Stored words of a turn: remembered and unread ones (hospital.md, Frames)."""

from __future__ import annotations

from msgspec import Struct


class RememberedTurn(Struct, frozen=True):
    """A turn that is remembered (hospital.md, Frames, M1): its number, the user's words, the frames that it touched."""

    turn: int
    text: str
    frame_ids: tuple[str, ...] = ()


class Unread(Struct, frozen=True):
    """A stretch of a turn's text that was not read, from its first words on, and why."""

    start: int
    end: int
    words: str
    reason: str
