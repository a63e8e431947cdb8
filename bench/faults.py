"""`python -m bench.faults`: two replicas on one Redis while one is killed, and the Redis stops or is slow.

Homes set timers, one after the other, now at this replica and now at that one; what is not answered with `ret` 0 is
sent again with its `rid`. Kept: every order is answered in the end, and every page has exactly the timers ordered
on it: nothing lost, nothing doubled. Prints what each fault did; 1 when something is not kept.
"""

import asyncio
import json
import random
import signal
import sys
import time
import urllib.parse
from collections import Counter
from contextlib import ExitStack
from typing import Any

from redis.asyncio import Redis
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from bench.harness import home
from bench.verdicts import Verdict, conclude
from bench.wire import Server, redis, serving

__all__ = ["main"]

HOMES, ORDERS = 24, 24
"""Pages, and timers set on each: fewer than a page keeps."""
HOME = home("sample8")
PATIENCE, PAUSE, SLOW_MS = 5.0, 2.5, 300


class Replicas:
    """Two servers; one that was killed is started anew."""

    def __init__(self, stack: ExitStack, store: str) -> None:
        self._stack = stack
        self._store = store
        self.servers: list[Server] = [self._started(), self._started()]
        self.over = False

    def _started(self) -> Server:
        return self._stack.enter_context(serving("service", self._store))

    async def kill(self) -> None:
        """Ends one as a power cut would, and starts another in its place."""
        place = random.randrange(2)
        self.servers[place].process.send_signal(signal.SIGKILL)
        self.servers[place] = await asyncio.to_thread(self._started)


async def _ask(server: Server, frame: str) -> int:
    """`ret` of the closing frame."""
    async with connect(server.url, compression=None, proxy=None, open_timeout=PATIENCE) as socket:
        await socket.send(frame)
        while True:
            payload = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))["payload"]
            if payload["finish"]:
                ret: int = payload["data"]["ret"]
                return ret


async def _home(replicas: Replicas, number: int, seen: Counter[str]) -> None:
    rng = random.Random(number)
    for order in range(ORDERS):
        payload = {"page_id": f"f{number}", "instruct": True, "local": "客厅", "home": HOME}
        payload["question"] = f"{order + 60}分钟后打开客厅的灯"  # none is due before the end
        frame = json.dumps(
            {"topic": "llm/smarthome", "rid": f"{number}-{order}", "payload": payload}, ensure_ascii=False
        )
        answered = False
        while not answered:
            try:
                ret = await _ask(rng.choice(replicas.servers), frame)
                answered = ret == 0
                seen[f"ret {ret}"] += 1
            except (OSError, TimeoutError, ConnectionClosed, InvalidHandshake) as error:
                seen[type(error).__name__] += 1
                await asyncio.sleep(0.2)
        await asyncio.sleep(rng.expovariate(1 / PAUSE))


async def _faults(replicas: Replicas, store: Any, stop: Any, told: Counter[str]) -> None:
    """Over and over until all is ordered."""
    while not replicas.over:
        for name, fault in (
            ("kill -9 of a replica", replicas.kill),
            ("Redis stopped for 2 s", stop),
            (f"Redis slow, {SLOW_MS} ms an answer, for 3 s", lambda: _slow(store)),
        ):
            await asyncio.sleep(1)
            if not replicas.over:
                told[name] += 1
                await fault()


async def _slow(store: Any) -> None:
    until = time.monotonic() + 3
    while time.monotonic() < until:
        await store.client_pause(SLOW_MS)
        await asyncio.sleep(SLOW_MS / 1_000 + 0.01)


async def _run(url: str) -> tuple[Counter[str], Counter[str], int, int]:
    store = Redis(unix_socket_path=urllib.parse.urlparse(url).path, socket_timeout=30)
    pid = int((await store.info("server"))["process_id"])

    async def stop() -> None:
        process = await asyncio.create_subprocess_exec("kill", "-STOP", str(pid))
        await process.wait()
        await asyncio.sleep(2)
        process = await asyncio.create_subprocess_exec("kill", "-CONT", str(pid))
        await process.wait()

    seen, told = Counter[str](), Counter[str]()
    with ExitStack() as stack:
        replicas = Replicas(stack, url)
        breaking = asyncio.create_task(_faults(replicas, store, stop, told))
        await asyncio.gather(*(_home(replicas, number, seen) for number in range(HOMES)))
        replicas.over = True
        await breaking
        lost = doubled = 0
        for number in range(HOMES):
            page = json.loads(await store.hget(f"tingdong:page:f{number}", "page"))
            kept = len(page.get("timers", ()))
            lost, doubled = lost + max(0, ORDERS - kept), doubled + max(0, kept - ORDERS)
    await store.aclose()
    return seen, told, lost, doubled


def main() -> int:
    """All faults, until every home has ordered all of its timers."""
    with redis() as url:
        if url is None:
            print("faults: passed over, no redis-server here")
            return 0
        seen, told, lost, doubled = asyncio.run(_run(url))
    print(f"{HOMES * ORDERS} orders of {HOMES} homes; answers: {dict(seen)}; faults: {dict(told)}")
    return conclude([Verdict("lost", lost, 0, ""), Verdict("doubled", doubled, 0, "")], "faults")


if __name__ == "__main__":
    sys.exit(main())
