"""One contract for every page store (service.md, Dialogue; architecture, small ports with shipped doubles)."""

import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from tingdong.errors import BackendError, BackendTimeout, DataError
from tingdong.home_dialogue.page import Page
from tingdong.settings import load_settings
from tingdong.stores import MemoryPageStore
from tingdong.stores.codec import HOME_PAGES
from tingdong.stores.redis import RedisPageStore
from tingdong.stores.table import STORES, open_store


@pytest.fixture(params=["memory", "redis"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Any]:
    if request.param == "memory":
        yield MemoryPageStore()
        return
    redis = RedisPageStore(request.getfixturevalue("redis_url"), prefix=f"test-{uuid4()}")
    yield redis
    await redis.close()


async def test_a_page_comes_back_as_it_was(store: Any) -> None:
    """What is stored is what is read, with revisions that count from 1."""
    page = Page(id="a", room="厨房", local="客厅", turn=7)
    assert await store.get("a") is None
    assert await store.put("a", page, expected=0)
    assert await store.get("a") == (page, 1)
    later = msgspec.structs.replace(page, turn=8)
    assert await store.put("a", later, expected=1)
    assert await store.get("a") == (later, 2)


async def test_of_two_writers_one_gets_a_conflict(store: Any) -> None:
    """Compare-and-set: a turn is never lost without its writer knowing."""
    pages = [Page(id="a", turn=turn) for turn in range(8)]
    won = await asyncio.gather(*(store.put("a", page, expected=0) for page in pages))
    assert sum(won) == 1
    assert await store.get("a") == (pages[won.index(True)], 1)
    assert not await store.put("a", pages[0], expected=0)
    assert not await store.put("a", pages[0], expected=2)


async def test_stored_pages_are_independent(store: Any) -> None:
    """Nothing of one page is read under another id, whatever characters ids are made of (law 5)."""
    ids = ["a", "a:b", "{a}", "a}{b", "页", "a\n", "*", "A"]
    for number, page_id in enumerate(ids):
        assert await store.put(page_id, Page(id=page_id, turn=number), expected=0)
    for number, page_id in enumerate(ids):
        assert await store.get(page_id) == (Page(id=page_id, turn=number), 1)


async def test_a_page_can_be_forgotten(store: Any) -> None:
    """DELETE /v1/pages/{page_id}: the page is gone, and says whether it was there."""
    await store.put("a", Page(id="a"), expected=0)
    assert await store.delete("a")
    assert not await store.delete("a")
    assert await store.get("a") is None
    assert await store.put("a", Page(id="a"), expected=0)


async def test_the_memory_store_drops_unused_pages() -> None:
    """A page that was not used for `ttl_seconds` is gone; use keeps it."""
    now = [0.0]
    store = MemoryPageStore(ttl_seconds=60, clock=lambda: now[0])
    await store.put("used", Page(id="used"), expected=0)
    await store.put("idle", Page(id="idle"), expected=0)
    now[0] = 59
    assert await store.get("used") is not None
    now[0] = 61
    assert await store.get("idle") is None
    assert not await store.delete("idle")
    assert await store.get("used") is not None
    assert await store.put("other", Page(id="other"), expected=0)
    assert await store.put("idle", Page(id="idle"), expected=0)


async def test_the_memory_store_is_bounded() -> None:
    """Over `capacity` the least recently used page goes; expired ones go first."""
    now = [0.0]
    store = MemoryPageStore(capacity=2, ttl_seconds=60, clock=lambda: now[0])
    for name in ("a", "b"):
        await store.put(name, Page(id=name), expected=0)
    await store.get("a")
    await store.put("c", Page(id="c"), expected=0)
    assert (await store.get("a"), await store.get("b")) == ((Page(id="a"), 1), None)
    now[0] = 100
    await store.put("d", Page(id="d"), expected=0)
    assert len(store) == 1


async def test_the_memory_store_keeps_what_was_put_and_counts_it() -> None:
    """A page that goes on is written now and then only; what comes back is the one put last, and the size is that of
    what is stored, at most a few turns old (service.md, Dialogue: TTL and bounded)."""
    store, last = MemoryPageStore(), dict[str, Page]()
    for turn in range(1, 21):
        for page_id in ("a", "b"):
            last[page_id] = Page(id=page_id, turn=turn, room="厅" * 1_000 * turn)
            assert await store.put(page_id, last[page_id], expected=turn - 1)
            assert await store.get(page_id) == (last[page_id], turn)
    sizes = sum(len(HOME_PAGES.encode(page)) for page in last.values())
    assert sizes / 2 < store.bytes <= sizes
    assert await store.delete("a")
    assert await store.delete("b")
    assert store.bytes == 0


async def test_pages_beyond_those_kept_as_values_come_back_as_well() -> None:
    """A page that gives way to others is written whole."""
    store = MemoryPageStore()
    pages = [Page(id=str(number), room="厅" * 100_000) for number in range(40)]
    for page in pages:
        assert await store.put(page.id, page, expected=0)
        assert await store.put(page.id, msgspec.structs.replace(page, turn=1), expected=1)
    for page in pages:
        assert await store.get(page.id) == (msgspec.structs.replace(page, turn=1), 2)


async def test_redis_drops_unused_pages(redis_url: str) -> None:
    """Every write sets the time to live."""
    from redis.asyncio import Redis

    prefix = f"test-{uuid4()}"
    store = RedisPageStore(redis_url, prefix=prefix, ttl_seconds=90)
    await store.put("a", Page(id="a"), expected=0)
    client = Redis.from_url(redis_url)
    (key,) = [key async for key in client.scan_iter(f"{prefix}*")]
    assert 80_000 < await client.pttl(key) <= 90_000
    await client.aclose()
    await store.close()


async def test_a_damaged_record_is_a_new_page(redis_url: str) -> None:
    """What cannot be read is forgotten, never guessed at, and can be written over."""
    from redis.asyncio import Redis

    prefix = f"test-{uuid4()}"
    store = RedisPageStore(redis_url, prefix=prefix)
    await store.put("a", Page(id="a", room="厨房"), expected=0)
    client = Redis.from_url(redis_url)
    (key,) = [key async for key in client.scan_iter(f"{prefix}*")]
    for field, damaged in (("page", b"\xff{"), ("page", b'{"id":"\xff"}'), ("schema", b"x")):
        await client.hset(key, field, damaged)
        _, revision = await store.get("a") or (None, 0)
        assert await store.get("a") == (Page(id="a"), revision)
        assert await store.put("a", Page(id="a", room="卧室"), expected=revision)
    for damaged in (b"x", b"-1", b"1.5", b"9" * 400):
        await client.hset(key, "rev", damaged)
        assert await store.get("a") is None
        assert await store.put("a", Page(id="a", room="卧室"), expected=0)
        assert await store.get("a") == (Page(id="a", room="卧室"), 1)
    await client.aclose()
    await store.close()


@pytest.mark.parametrize("data", [b'{"id":"a","room":3}', b"[]", b'"\xff"', b'{"x":' + b"[" * 100_000, b""])
def test_damage_met_by_a_migration_is_a_new_page(data: bytes) -> None:
    """A migration was written for records that are whole; what it raises on others is nobody's fault."""

    def migration(record: dict[str, Any]) -> dict[str, Any]:
        return {**record, "room": record["room"].strip(), "version": 1}

    codec = msgspec.structs.replace(HOME_PAGES, migrations={0: migration})
    assert codec.read(data, 0, "a") == Page(id="a")
    assert codec.read(data, codec.schema, "a") == Page(id="a")
    assert codec.read(b'{"id":"a","room":" k "}', 0, "a") == Page(id="a", room="k")


async def test_a_redis_that_is_gone_is_a_backend_error() -> None:
    """Our error tree, not the library's; the message names no host."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    store = RedisPageStore(f"redis://127.0.0.1:{port}/0", timeout_seconds=0.2)
    for call in (store.get("a"), store.put("a", Page(id="a"), expected=0), store.delete("a"), store.check()):
        with pytest.raises(BackendError) as failed:
            await call
        assert "127.0.0.1" not in failed.value.message
    await store.close()


async def test_a_redis_that_does_not_answer_is_a_timeout() -> None:
    """A wait for the store is bounded."""

    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            await reader.read()
        writer.close()

    silent = await asyncio.start_server(hold, "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    store = RedisPageStore(f"redis://127.0.0.1:{port}/0", timeout_seconds=0.05)
    with pytest.raises(BackendTimeout):
        await store.get("a")
    await store.close()
    silent.close()
    await silent.wait_closed()


@pytest.mark.parametrize("scheme", STORES)
def test_every_store_of_the_table_can_be_set(scheme: str) -> None:
    """A scheme of the table is a setting, and the other way round; opening one connects to nothing yet."""
    url = scheme if scheme == "memory" else f"{scheme}:///tmp/x" if scheme == "unix" else f"{scheme}://127.0.0.1:1"
    settings = load_settings(pages={"store": url})
    assert open_store(settings.pages, HOME_PAGES).get
    with pytest.raises(DataError, match="memory"):
        load_settings(pages={"store": f"{scheme}x://127.0.0.1:1"})


def test_a_store_without_its_extra_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing extras name themselves, never a traceback."""
    monkeypatch.setitem(sys.modules, "tingdong.stores.redis", None)
    with pytest.raises(DataError, match=r"\[redis\]"):
        open_store(load_settings(pages={"store": "redis://127.0.0.1:1"}).pages, HOME_PAGES)
