"""Pages in Redis, so that any replica serves any turn (extra `redis`).

One hash a page, `<prefix>:<kind>:<schema>:<page id>`, with fields `rev` and `page` (JSON). Reading and writing touch
one key each, which a cluster needs, and the compare-and-set is one script, so that of two writers one is told that it
lost. The schema number stands in the key: replicas of different versions never misread each other's records.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar, cast

import msgspec
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from tingdong.errors import BackendError, BackendTimeout
from tingdong.talk.page import PAGE_VERSION, Page

__all__ = ["Codec", "RedisPageStore", "RedisStore"]

P = TypeVar("P")

_PUT = """
local revision = tonumber(redis.call('HGET', KEYS[1], 'rev') or '0')
if revision ~= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'rev', revision + 1, 'page', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
"""


class Codec(msgspec.Struct, Generic[P], frozen=True):
    """How pages of one kind are written: `decode` gets the bytes and the page id, and never raises for old records."""

    kind: str
    schema: int
    encode: Callable[[P], bytes]
    decode: Callable[[bytes, str], P]


class RedisStore(Generic[P]):
    """Pages of one kind on a Redis server.

    Every wait is bounded by `timeout_seconds`; a lost connection is retried once. A retried write that had already
    happened returns False; whoever reads the page again finds its own turn there.
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
        self._redis = Redis.from_url(
            url,
            socket_timeout=timeout_seconds,
            socket_connect_timeout=timeout_seconds,
            retry=Retry(NoBackoff(), 1),
        )
        self._prefix = f"{prefix}:{codec.kind}:{codec.schema}:"
        self._ttl_ms = str(int(ttl_seconds * 1000))
        self._script = self._redis.register_script(_PUT)

    async def get(self, page_id: str) -> tuple[P, int] | None:
        """The page and its revision, or None. Raises `BackendError`."""
        with _translated():
            revision, data = await cast(
                "Awaitable[list[bytes | None]]", self._redis.hmget(self._key(page_id), ["rev", "page"])
            )
        if revision is None or data is None:
            return None
        return self._codec.decode(data, page_id), int(revision)

    async def put(self, page_id: str, page: P, *, expected: int) -> bool:
        """Stores revision `expected` + 1; False when another writer was faster. Raises `BackendError`."""
        arguments: list[Any] = [str(expected), self._codec.encode(page), self._ttl_ms]
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
        codec = Codec("page", PAGE_VERSION, Page.encode, Page.decode)
        super().__init__(url, codec, prefix=prefix, ttl_seconds=ttl_seconds, timeout_seconds=timeout_seconds)


@contextmanager
def _translated() -> Iterator[None]:
    """Redis' errors as ours; their text stays inside, since it may name hosts."""
    try:
        yield
    except (RedisTimeoutError, TimeoutError) as error:
        raise BackendTimeout("page store timed out") from error
    except (RedisError, OSError) as error:
        raise BackendError(f"page store: {type(error).__name__}") from error
