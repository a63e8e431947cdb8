"""The home that a connection sent last, so that the same home, sent again, is compared instead of decoded (seed 004
§4.1; service.md: unchanged homes are not decoded or indexed again).

Finding the end of a home in a frame means skimming all of it, which at 40 KB is most of what a turn costs. Bytes that
are equal to a value known to be JSON need no skimming. The law: a shortened frame has a marker where the home was, and
only a frame whose `payload.home` turns out to be that marker is taken; then the frame is valid with the home in place.
"""

import re

import msgspec

from tingdong.home.changed import differing

__all__ = ["LastHome", "Shortened"]

_KEY = b'"home":'
_MARK = b'"\\u0000home"'
_LONGEST_TAIL = 512
"""Bytes behind the home that are compared with those of the last frame, to find a home that changed."""
_LONGEST_CHANGE = 64

_WORD = re.compile(rb"[A-Za-z0-9_.+-]*")
_WORD_BACK = re.compile(rb"[A-Za-z0-9_.+-]*\Z")
_SCALAR = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")


class Shortened(msgspec.Struct, frozen=True):
    """A frame with a marker in place of its `home`."""

    data: bytes
    home: bytes

    def holds(self, home: msgspec.Raw) -> bool:
        """Whether `payload.home` of the decoded frame is the marker, so that `home` stood there."""
        return bytes(home) == _MARK


class LastHome:
    """What one connection sent last: the home, and what stood behind it."""

    __slots__ = ("_home", "_tail")

    def __init__(self) -> None:
        self._home = b""
        self._tail = b""

    def keep(self, data: bytes, home: bytes) -> None:
        """Remember the home of a frame that was decoded as a whole; a home that stands elsewhere is forgotten."""
        at = _place(data)
        self._home = home if at is not None and data.startswith(home, at) else b""
        self._tail = data[at + len(home) :] if self._home and at is not None else b""

    def shorten(self, data: bytes) -> Shortened | None:
        """The frame with a marker in place of its home, when that is the last one or a small change of it."""
        at = _place(data) if self._home else None
        if at is None:
            return None
        if not data.startswith(self._home, at) and not self._follow(data, at):
            return None
        return Shortened(b"%b%b%b" % (data[:at], _MARK, data[at + len(self._home) :]), self._home)

    def _follow(self, data: bytes, at: int) -> bool:
        """Takes a home that differs from the last one by one number, truth value or plain word in one place.

        Everything else being equal, the bytes are JSON again: such a word stands for itself, or within a string.
        """
        if len(self._tail) > _LONGEST_TAIL or not data.endswith(self._tail):
            return False
        old, new = self._home, data[at : len(data) - len(self._tail)]
        start, old_end, new_end = differing(old, new)
        if max(old_end, new_end) - start > _LONGEST_CHANGE:
            return False
        before = _WORD_BACK.search(old, max(0, start - _LONGEST_CHANGE), start)
        after = _WORD.match(old, old_end)
        if before is None or after is None:
            return False
        first, more = before.start(), after.end() - old_end
        if not _replaceable(old[first - 1 : first], old[first : old_end + more], new[first : new_end + more]):
            return False
        self._home = new
        return True


def _replaceable(before: bytes, old: bytes, new: bytes) -> bool:
    """Whether in valid JSON `new` may stand for the whole word `old`, which `before` stands in front of."""
    if not old or before == b"\\" or _WORD.fullmatch(old) is None or _WORD.fullmatch(new) is None:
        return False
    # Behind a quotation mark a word is in a string: a closing one is never followed by a word.
    return before == b'"' or _SCALAR.fullmatch(new) is not None


def _place(data: bytes) -> int | None:
    """Where the value of the first key `home` begins."""
    at = data.find(_KEY)
    if at < 0:
        return None
    at += len(_KEY)
    return at + 1 if data[at : at + 1] == b" " else at
