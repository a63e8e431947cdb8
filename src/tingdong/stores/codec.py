"""How pages of one kind are written as bytes, and how older records are read (service.md, Dialogue)."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

import msgspec

from tingdong.home_dialogue.page import PAGE_VERSION, Page

__all__ = ["HOME_PAGES", "Codec", "Migration"]

P = TypeVar("P")

Migration = Callable[[dict[str, Any]], dict[str, Any]]
"""A record, decoded, of one schema → of the next."""


class Codec(msgspec.Struct, Generic[P], frozen=True):
    """How pages of one kind are written: `decode` gets the bytes and the page id, and never raises for damaged records.
    `latest` tells about how many bytes a page got with its last turn, where that is known.

    `migrations[n]` turns a record of schema n into one of n + 1; a record that no chain leads from starts anew.
    """

    kind: str
    schema: int
    encode: Callable[[P], bytes]
    decode: Callable[[bytes, str], P]
    migrations: Mapping[int, Migration] = {}
    latest: Callable[[P], int] | None = None

    def read(self, data: bytes, schema: int, page_id: str) -> P:
        """The page of a stored record."""
        return self.decode(data if schema == self.schema else self._migrated(data, schema), page_id)

    def _migrated(self, data: bytes, schema: int) -> bytes:
        if not all(step in self.migrations for step in range(schema, self.schema)) or schema > self.schema:
            return b""
        try:
            record = msgspec.json.decode(data, type=dict[str, Any])
            for step in range(schema, self.schema):
                record = self.migrations[step](record)
            return msgspec.json.encode(record)
        except Exception:  # noqa: BLE001  a migration may fail in any way on what is damaged
            return b""


HOME_PAGES: Codec[Page] = Codec("page", PAGE_VERSION, Page.encode, Page.decode, latest=Page.latest)
"""Pages of smart-home dialogues."""
