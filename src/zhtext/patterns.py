"""Regular expressions compiled on first use, so that importing stays cheap."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["LazyPattern"]

_Matcher = Callable[..., "re.Match[str] | None"]


class LazyPattern:
    """A pattern whose methods are those of `re.Pattern`, taken over at the first use of one; thread-safe."""

    __slots__ = ("_flags", "_source", "finditer", "fullmatch", "match", "search")

    match: _Matcher
    search: _Matcher
    fullmatch: _Matcher
    finditer: Callable[..., Iterator[re.Match[str]]]

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Called only while the methods are not there yet."""
        if name not in ("match", "search", "fullmatch", "finditer"):
            raise AttributeError(name)
        compiled = re.compile(self._source, self._flags)
        self.finditer, self.fullmatch = compiled.finditer, compiled.fullmatch
        self.match, self.search = compiled.match, compiled.search
        return getattr(compiled, name)
