"""Two server processes, one Redis, one nginx: a dialogue goes on when its replica is gone (docs/promises.md)."""

import asyncio
import re
from typing import Any

import httpx
import pytest

from tingdong.client import Client, ConnectionFailed, Conversation


async def _metric(replica: Any, name: str) -> float:
    async with httpx.AsyncClient(trust_env=False) as http:
        text = (await http.get(f"{replica.http}/metrics")).text
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


async def _serving(replicas: list[Any]) -> Any:
    """The replica that the one open connection leads to."""
    (one,) = [replica for replica in replicas if await _metric(replica, "tingdong_connections") == 1]
    return one


async def test_a_conversation_goes_on_at_another_replica(
    redis_server: Any, replica: Any, nginx: Any, home: dict[str, Any]
) -> None:
    """After kill -9 of the replica that served it, 关了它 is understood by another, through nginx (service.md,
    Dialogue)."""
    replicas = [replica(pages__store=redis_server.url) for _ in range(2)]
    async with Client(nginx(replicas)) as client:
        talk = Conversation(client, home, local="客厅")
        first = await talk.ask("打开卧室的灯")
        assert [one["id"] for one in first.instructs] == ["dev-4"]
        serving = await _serving(replicas)
        serving.kill()
        later = await talk.ask("关了它")
        assert later.instructs == [{"id": "dev-4", "state": {"power": False}, "summary": "关闭卧室照明灯"}]
        (other,) = [one for one in replicas if one is not serving]
        assert await _metric(other, 'tingdong_turns_total{kind="instruct",topic="llm/smarthome"}') == 1


async def test_a_replica_that_restarts_hands_its_clients_over(
    redis_server: Any, replica: Any, nginx: Any, home: dict[str, Any]
) -> None:
    """SIGTERM: the client sees 1012, comes back to another replica through nginx, and the process ends with 0."""
    replicas = [replica(pages__store=redis_server.url) for _ in range(2)]
    async with Client(nginx(replicas)) as client:
        talk = Conversation(client, home, local="客厅")
        await talk.ask("打开卧室的灯")
        serving = await _serving(replicas)
        assert await asyncio.to_thread(serving.stop) == 0
        assert (await talk.ask("关了它")).instructs[0]["id"] == "dev-4"


async def test_the_proxy_publishes_no_probes(redis_server: Any, replica: Any, nginx: Any) -> None:
    """/metrics and the probes are for the inside; the pipes, /v1 and the page are served (docs/security.md)."""
    url = nginx([replica(pages__store=redis_server.url), replica(pages__store=redis_server.url)])
    async with httpx.AsyncClient(base_url=url.replace("ws", "http"), trust_env=False) as http:
        statuses = {
            path: (await http.get(path)).status_code
            for path in ("/metrics", "/readyz", "/healthz", "/openapi.json", "/")
        }
        parsed = await http.post("/v1/parse", json={"text": "开灯"})
    assert statuses == {"/metrics": 404, "/readyz": 404, "/healthz": 404, "/openapi.json": 200, "/": 200}
    assert parsed.status_code == 200


async def test_two_replicas_lose_no_turn_of_a_page(redis_server: Any, replica: Any, home: dict[str, Any]) -> None:
    """Sixteen turns of one page sent to two replicas at once: each is answered, and all are in the page's count."""
    from tingdong.stores.redis import RedisPageStore

    one, two = (replica(pages__store=redis_server.url) for _ in range(2))
    async with Client(one.url) as here, Client(two.url) as there:
        asked = [
            client.ask("打开卧室的灯", page_id="p", home=home, rid=f"{client is here}-{number}")
            for number in range(4)
            for client in (here, there)
        ]
        replies = await asyncio.gather(*asked)
        served = [reply for reply in replies if reply.ret == 0]
        for reply in replies:
            assert reply.ret in (0, 500)
    store = RedisPageStore(redis_server.url)
    kept = await store.get("p")
    await store.close()
    assert kept is not None
    assert kept[1] == len(served) == kept[0].turn


async def test_a_replica_killed_after_the_commit_acted_once(
    redis_server: Any, replica: Any, wire_to: Any, home: dict[str, Any]
) -> None:
    """The page is committed, and the replica dies before it hears of it: asked again with the same rid, another replica
    gives the stored turn and does not act (service.md, Retries)."""
    wire = await wire_to(redis_server.port)
    dying = replica(pages__store=f"redis://127.0.0.1:{wire.listening}/0", pages__timeout_seconds="30")
    async with Client(dying.url, attempts=1) as client:
        assert (await client.ask("打开卧室的灯", page_id="p", home=home, rid="1")).ret == 0
        wire.stall(after=1)  # the page is read; the answer to the commit is never heard
        lost = asyncio.create_task(client.ask("关了它", page_id="p", home=home, rid="2"))
        await wire.held.wait()
        dying.kill()
        with pytest.raises(ConnectionFailed):
            await lost
    async with Client(replica(pages__store=redis_server.url).url) as client:
        again = await client.ask("关了它", page_id="p", home=home, rid="2")
        assert [one["id"] for one in again.instructs] == ["dev-4"]
        assert again.token is None


async def test_a_replica_killed_before_the_commit_did_not_act(
    redis_server: Any, replica: Any, wire_to: Any, home: dict[str, Any]
) -> None:
    """The replica dies while it reads the page: asked again with the same rid, another replica serves the turn."""
    wire = await wire_to(redis_server.port)
    dying = replica(pages__store=f"redis://127.0.0.1:{wire.listening}/0", pages__timeout_seconds="30")
    async with Client(dying.url, attempts=1) as client:
        assert (await client.ask("打开卧室的灯", page_id="p", home=home, rid="1")).ret == 0
        wire.stall()
        lost = asyncio.create_task(client.ask("关了它", page_id="p", home=home, rid="2"))
        await wire.held.wait()
        dying.kill()
        with pytest.raises(ConnectionFailed):
            await lost
    async with Client(replica(pages__store=redis_server.url).url) as client:
        again = await client.ask("关了它", page_id="p", home=home, rid="2")
        assert [one["id"] for one in again.instructs] == ["dev-4"]
        assert again.token is not None
