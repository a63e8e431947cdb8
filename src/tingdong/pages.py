"""Rules of a page, whichever dialogue it belongs to (service.md, Dialogue, Retries; architecture, law 5).

* Turns of one page run one after the other, in the order received.
* A page is committed before its turn is answered, by compare-and-set; after a conflict the turn is repeated.
* A repeated `rid` gets the stored answer and acts once; a `rid` of another question is refused.
"""

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, Protocol, TypeVar

import msgspec

from tingdong.errors import BackendError, BadFrame
from tingdong.page_order import PageOrder

__all__ = ["KEPT_ANSWERS", "KEPT_BYTES", "PageRequest", "PageService", "PageStore", "kept_answers"]

KEPT_ANSWERS = 32
"""Answers that a page keeps for clients that ask again; more than a connection may have in flight at once."""

KEPT_BYTES = 2 * 2**20
"""Bytes of answers that a page keeps; of the older ones it is known only that they were given."""

MAX_WRITE_ATTEMPTS = 3

P = TypeVar("P", bound="_Page")
A = TypeVar("A")
S = TypeVar("S", bound="_StoredAnswer")


class PageStore(Protocol[A]):
    """Where pages live. A revision guards against two writers: 0 means that the page must not exist yet."""

    async def get(self, page_id: str) -> tuple[A, int] | None:
        """The page and its revision (≥ 1), or None when unknown or expired. Raises `BackendError`."""
        ...

    async def put(self, page_id: str, page: A, *, expected: int) -> bool:
        """Stores the page as revision `expected` + 1; False when another writer was faster. Raises `BackendError`."""
        ...

    async def delete(self, page_id: str) -> bool:
        """Forgets the page; False when there was none. Raises `BackendError`."""
        ...


class _StoredAnswer(Protocol):
    @property
    def rid(self) -> str: ...
    @property
    def asked(self) -> str: ...
    @property
    def size(self) -> int: ...
    def emptied(self: S) -> S: ...


def kept_answers(answers: Sequence[S]) -> tuple[S, ...]:
    """What a page keeps of its answers, the latest first. `size` is their bytes, below 0 for one that is emptied: a
    request that repeats it is refused, so that it does not act again."""
    kept = answers[:KEPT_ANSWERS]
    sizes = [one.size for one in kept]
    if min(sizes, default=0) >= 0 and sum(sizes) <= KEPT_BYTES:
        return tuple(kept)
    room, found = KEPT_BYTES, list[S]()
    for one in kept:
        room -= max(one.size, 0)
        found.append(one if room >= 0 or one.size < 0 or not found else one.emptied())
    return tuple(found)


class _Page(Protocol):
    @property
    def served(self) -> Sequence[_StoredAnswer]: ...


class PageRequest(msgspec.Struct, frozen=True):
    """The page, the question and the `rid` of a request."""

    page_id: str
    rid: str
    question: str

    @property
    def mark(self) -> str:
        """What an answer keeps of the question, to tell a retry from another question."""
        return hashlib.blake2b(self.question.encode(errors="surrogatepass"), digest_size=8).hexdigest()


class PageService(Generic[P]):
    """The pages of one desk; `new` makes the page of an id."""

    def __init__(self, store: PageStore[P], new: Callable[[str], P]) -> None:
        self._store = store
        self._new = new
        self._order = PageOrder()

    async def turn(
        self, asked: PageRequest, step: Callable[[P], Awaitable[tuple[P, A]]], again: Callable[[P, int], A]
    ) -> A:
        """The result of `step` on the page, once it is committed; `again` returns a stored answer.

        `step` may be called more than once. Raises `BadFrame` for a `rid` of another question, `BackendError`.
        """
        async with self._order.turn_of(asked.page_id):
            for _ in range(MAX_WRITE_ATTEMPTS):
                kept = await self._store.get(asked.page_id)
                page, revision = kept or (self._new(asked.page_id), 0)
                rids = [one.rid for one in page.served]
                if asked.rid in rids:
                    place = rids.index(asked.rid)
                    if page.served[place].asked not in {"", asked.mark} or page.served[place].size < 0:
                        raise BadFrame("这个 rid 已经用于另一个问题，或者它的答复不再保留", path="rid")
                    return again(page, place)
                page, answer = await step(page)
                if await self._store.put(asked.page_id, page, expected=revision):
                    return answer
        raise BackendError("情景对话正被别处写入", code="conflict")

    async def forget(self, page_id: str) -> bool:
        """Forgets a page; False when there was none."""
        async with self._order.turn_of(page_id):
            return await self._store.delete(page_id)
