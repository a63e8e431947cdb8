"""Redis slow, gone, back, changed by others, and of another schema (docs/promises.md; architecture, law 5)."""

import asyncio
import json
from typing import Any
from uuid import uuid4

import httpx
import msgspec
import pytest

from tingdong.client import Client
from tingdong.errors import BackendError, BackendTimeout
from tingdong.home_dialogue.page import Page
from tingdong.stores.codec import Codec
from tingdong.stores.redis import POOL, RedisPageStore, RedisStore


class Note(msgspec.Struct, frozen=True):
    """A page of a later version: `words` was one `text` in schema 1, and has `by` since 3."""

    words: tuple[str, ...] = ()
    by: str = ""

    @staticmethod
    def decode(data: bytes, _page_id: str) -> "Note":
        try:
            return msgspec.json.decode(data, type=Note)
        except msgspec.DecodeError:
            return Note()


def _store(url: str, prefix: str, schema: int, migrations: Any = None) -> RedisStore[Note]:
    codec = Codec("note", schema, msgspec.json.encode, Note.decode, migrations or {})
    return RedisStore(url, codec, prefix=prefix)


MIGRATIONS = {
    1: lambda record: {"words": [record["text"]]},
    2: lambda record: {**record, "by": "somebody"},
}


async def _old_record(url: str, prefix: str, page: dict[str, Any], *, schema: int, rev: int = 7) -> None:
    from redis.asyncio import Redis

    client = Redis.from_url(url)
    fields = {"rev": rev, "schema": schema, "page": json.dumps(page)}
    await client.hset(f"{prefix}:note:a", mapping=fields)
    await client.aclose()


async def test_a_record_of_an_older_schema_is_migrated(redis_server: Any) -> None:
    """Schema by schema, under the same revision; written, it is of the new one (docs/operations.md, Pages)."""
    prefix = str(uuid4())
    await _old_record(redis_server.url, prefix, {"text": "关灯"}, schema=1)
    store = _store(redis_server.url, prefix, 3, MIGRATIONS)
    assert await store.get("a") == (Note(("关灯",), "somebody"), 7)
    assert await store.put("a", Note(("开灯",)), expected=7)
    assert await store.get("a") == (Note(("开灯",)), 8)
    await store.close()


@pytest.mark.parametrize(
    ("record", "schema"),
    [({"text": "关灯"}, 9), ({"text": "关灯"}, 0), ({"no": "text"}, 1), ({"words": 5}, 2)],
    ids=["newer", "older than any known", "not as its schema says", "a value of a wrong type"],
)
async def test_a_record_that_cannot_be_read_starts_anew(redis_server: Any, record: Any, schema: int) -> None:
    """Never guessed at, and never overwritten unawares: the revision still guards it."""
    prefix = str(uuid4())
    await _old_record(redis_server.url, prefix, record, schema=schema)
    store = _store(redis_server.url, prefix, 3, MIGRATIONS)
    assert await store.get("a") == (Note(), 7)
    assert not await store.put("a", Note(), expected=0)
    assert await store.put("a", Note(("开灯",)), expected=7)
    await store.close()


async def test_replicas_of_two_versions_take_turns(redis_server: Any) -> None:
    """While a release is rolled out one page is written by both versions, and neither overwrites the other unawares."""
    prefix = str(uuid4())
    old, new = _store(redis_server.url, prefix, 2), _store(redis_server.url, prefix, 3, MIGRATIONS)
    assert await old.put("a", Note(("一",)), expected=0)
    kept = await new.get("a")
    assert kept == (Note(("一",), "somebody"), 1)
    assert await old.put("a", Note(("二",)), expected=1)
    assert not await new.put("a", kept[0], expected=1)
    assert await new.put("a", Note(("三",)), expected=2)
    assert await old.get("a") == (Note(), 3)
    await old.close()
    await new.close()


async def test_a_cluster_serves_pages(redis_cluster: Any) -> None:
    """Every operation touches one key, so slots do not matter, whatever characters a page id has."""
    store = RedisPageStore(redis_cluster.url.replace("redis://", "redis+cluster://"))
    await store.check()
    for page_id in ("a", "{a}b", "页", "tenant:a"):
        assert await store.put(page_id, Page(id=page_id), expected=0)
        assert not await store.put(page_id, Page(id=page_id), expected=0)
        assert await store.get(page_id) == (Page(id=page_id), 1)
        assert await store.delete(page_id)
    await store.close()


async def test_two_concurrent_writers_lose_no_update(redis_server: Any) -> None:
    """Two stores, forty increments of one page with retries: the page counts forty (compare-and-set)."""
    prefix = str(uuid4())
    stores = [_store(redis_server.url, prefix, 3) for _ in range(2)]

    async def add(store: Any, word: str) -> None:
        while True:
            note, revision = await store.get("a") or (Note(), 0)
            if await store.put("a", Note((*note.words, word)), expected=revision):
                return

    await asyncio.gather(*(add(stores[number % 2], str(number)) for number in range(40)))
    kept = await stores[0].get("a")
    assert kept is not None
    assert sorted(kept[0].words, key=int) == [str(number) for number in range(40)]
    for store in stores:
        await store.close()


async def test_a_redis_that_is_slow_is_waited_for_once(redis_server: Any, wire_to: Any) -> None:
    """A late answer is a `BackendTimeout` and is not asked for again; when it flows again, so do turns."""
    wire = await wire_to(redis_server.port)
    store = RedisPageStore(f"redis://127.0.0.1:{wire.listening}/0", timeout_seconds=0.1)
    assert await store.put("a", Page(id="a"), expected=0)
    wire.stall()
    with pytest.raises(BackendTimeout):
        await store.put("a", Page(id="a", turn=1), expected=1)
    wire.flow()
    assert await store.get("a") == (Page(id="a", turn=1), 2)
    await store.close()


async def test_a_cut_connection_is_no_fault(redis_server: Any, wire_to: Any) -> None:
    """A connection that broke is opened again, and the operation asked again, unseen."""
    wire = await wire_to(redis_server.port)
    store = RedisPageStore(f"redis://127.0.0.1:{wire.listening}/0")
    assert await store.put("a", Page(id="a"), expected=0)
    wire.cut()
    assert await store.get("a") == (Page(id="a"), 1)
    await store.close()


async def test_many_turns_at_a_slow_redis_open_few_connections(redis_server: Any, wire_to: Any) -> None:
    """Three hundred readers of a Redis that says nothing: bounded connections, and every one gets an error in time."""
    wire = await wire_to(redis_server.port)
    store = RedisPageStore(f"redis://127.0.0.1:{wire.listening}/0", timeout_seconds=0.2)
    wire.stall()
    async with asyncio.timeout(60):
        results = await asyncio.gather(*(store.get(str(number)) for number in range(300)), return_exceptions=True)
    assert {isinstance(result, BackendError) for result in results} == {True}
    # Who waited at the start gets the place of one that timed out, and the wire may see that one close late: two waves.
    assert 1 < wire.peak <= 2 * POOL
    await store.close()


async def test_a_service_survives_a_redis_outage(redis_server: Any, replica: Any, home: dict[str, Any]) -> None:
    """Gone: turns get 500, /readyz 503, the connection stays. Back: the same connection is served."""
    server = replica(pages__store=redis_server.url, pages__timeout_seconds="0.5")
    async with Client(server.url) as client, httpx.AsyncClient(base_url=server.http, trust_env=False) as http:
        assert (await client.ask("打开卧室的灯", page_id="p", home=home)).ret == 0
        redis_server.stop()
        refused = await client.ask("关了它", page_id="p", home=home, rid="2")
        assert (refused.ret, refused.instructs) == (500, [])
        assert str(redis_server.port) not in refused.message
        assert (await http.get("/readyz")).status_code == 503
        assert (await http.get("/healthz")).status_code == 200
        redis_server.start()
        assert (await http.get("/readyz")).status_code == 200
        again = await client.ask("打开厨房的灯", page_id="p", home=home, rid="2")
        assert (again.ret, [one["id"] for one in again.instructs]) == (0, ["dev-3"])
        metrics = (await http.get("/metrics")).text
    assert 'tingdong_store_failures_total{code="backend",operation="get"}' in metrics
    assert "tingdong_connections 1.0" in metrics
