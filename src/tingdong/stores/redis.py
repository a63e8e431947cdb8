"""Pages in Redis, so that any replica serves any turn (extra `redis`).

One hash a page, `<prefix>:<kind>:<page id>`, with fields `rev`, `schema` and `page` (JSON). Reading and writing touch
one key each, which a cluster needs, and the compare-and-set is one script, so that of two writers one gets a
conflict.

Replicas of two versions may serve one page while a new version is rolled out. A record of an older schema is migrated
when it is read, and written in the new one; a record of a newer schema cannot be read: the page starts anew, under
the same revision, so that no writer overwrites another one silently.
"""

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.cluster import RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from tingdong.errors import BackendError, BackendTimeout
from tingdong.home_dialogue.page import Page
from tingdong.stores.codec import HOME_PAGES, Codec

if TYPE_CHECKING:
    from tingdong.settings import PageSettings

__all__ = ["RedisPageStore", "RedisStore", "open_store"]

P = TypeVar("P")

CLUSTER = "redis+cluster://"
POOL = 64
"""Connections of one process to its Redis; who finds none free waits, as long as for an answer."""

_FIGURES = 15
"""Figures of a count; the script's numbers are exact up to there."""

_PUT = """
local kept = redis.call('HGET', KEYS[1], 'rev')
local revision = 0
if kept and #kept <= 15 and string.match(kept, '^%d+$') then revision = tonumber(kept) end
if revision ~= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'rev', revision + 1, 'schema', ARGV[4], 'page', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
"""


class RedisStore(Generic[P]):
    """Pages of one kind on a Redis server, or on a cluster (`redis+cluster://…`).

    Every wait is bounded by `timeout_seconds`; a lost connection is retried once. A retried write that had already
    happened returns False; reading the page again finds the turn there.
    """

    def __init__(
        self,
        url: str,
        codec: Codec[P],
        *,
        prefix: str = "tingdong",
        ttl_seconds: float = 1_800,
        timeout_seconds: float = 1.0,
    ) -> None:
        self._codec = codec
        self._redis: Any = _connected(url, timeout_seconds)
        self._prefix = f"{prefix}:{codec.kind}:"
        self._ttl_ms = str(int(ttl_seconds * 1000))
        self._script = self._redis.register_script(_PUT)

    async def get(self, page_id: str) -> tuple[P, int] | None:
        """The page and its revision, or None. Raises `BackendError`."""
        with _translated():
            kept, schema, data = await cast(
                "Awaitable[list[bytes | None]]", self._redis.hmget(self._key(page_id), ["rev", "schema", "page"])
            )
        revision = _number(kept)
        if revision is None or data is None:
            return None
        number = _number(schema or b"0")
        return self._codec.read(data if number is not None else b"", number or 0, page_id), revision

    async def put(self, page_id: str, page: P, *, expected: int) -> bool:
        """Stores revision `expected` + 1; False when another writer was faster. Raises `BackendError`."""
        arguments: list[Any] = [str(expected), self._codec.encode(page), self._ttl_ms, self._codec.schema]
        with _translated():
            return bool(await self._script(keys=[self._key(page_id)], args=arguments))

    async def delete(self, page_id: str) -> bool:
        """Forgets the page; False when there was none. Raises `BackendError`."""
        with _translated():
            return bool(await self._redis.delete(self._key(page_id)))

    async def check(self) -> None:
        """Raises `BackendError` when the server does not answer."""
        with _translated():
            await self._redis.ping()

    async def close(self) -> None:
        """Closes the connections."""
        await self._redis.aclose()

    def _key(self, page_id: str) -> str:
        return self._prefix + page_id


class RedisPageStore(RedisStore[Page]):
    """A `PageStore` of smart-home dialogues."""

    def __init__(
        self, url: str, *, prefix: str = "tingdong", ttl_seconds: float = 1_800, timeout_seconds: float = 1.0
    ) -> None:
        super().__init__(url, HOME_PAGES, prefix=prefix, ttl_seconds=ttl_seconds, timeout_seconds=timeout_seconds)


def open_store(pages: "PageSettings", codec: Codec[P]) -> RedisStore[P]:
    """The store that the settings describe; no connection is opened yet."""
    return RedisStore(
        pages.store.get_secret_value(),
        codec,
        prefix=pages.prefix,
        ttl_seconds=pages.ttl_seconds,
        timeout_seconds=pages.timeout_seconds,
    )


def _connected(url: str, seconds: float) -> Any:
    # A late answer is not asked for again: whether it happened is unknown, and the wait is over.
    retry = Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,))
    waits: dict[str, Any] = {"socket_timeout": seconds, "socket_connect_timeout": seconds}
    if url.startswith(CLUSTER):
        return RedisCluster.from_url("redis://" + url.removeprefix(CLUSTER), max_connections=POOL, **waits)
    pool = BlockingConnectionPool.from_url(url, max_connections=POOL, timeout=seconds, retry=retry, **waits)
    return Redis.from_pool(pool)


def _number(field: bytes | None) -> int | None:
    """A count as the script reads it; None where there is none or it is damaged."""
    return int(field) if field and len(field) <= _FIGURES and field.isdigit() else None


@contextmanager
def _translated() -> Iterator[None]:
    """Redis' errors as ours; their text stays inside, since it may name hosts."""
    try:
        yield
    except (RedisTimeoutError, TimeoutError) as error:
        raise BackendTimeout("page store timed out") from error
    except (RedisError, OSError) as error:
        raise BackendError(f"page store: {type(error).__name__}") from error
