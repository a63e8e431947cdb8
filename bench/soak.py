"""`python -m bench.soak [seconds] [pause]`: many connections, good and hostile, against one server process on loopback.

A part of the good ones speaks over HTTP, at both desks, and asks now and then for what it has asked before. Kept all
along: every good request gets exactly one token frame at most and one closing frame, a repeated one the same answer, no
answer carries an error that was not asked for, and memory stays flat after the warm-up (the first third). The p99 of
waiting over WebSocket is stated as a multiple of the echo's, under the same load. Writes reports/soak.json and
reports/soak.svg; 1 when something is not kept.
"""

import asyncio
import contextlib
import json
import os
import random
import re
import statistics
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from bench.harness import percentile
from bench.verdicts import Verdict, conclude, pyplot
from bench.wire import FOLDER, Case, Server, frames, http_client, serving

__all__ = ["main"]

GOOD, OVER_HTTP, HOSTILE = 380, 70, 50
PAUSE = float(sys.argv[2]) if len(sys.argv) > 2 else 2.0
"""Mean seconds between two requests of a good connection: people, not machines; more where the machine is shared."""
PATIENCE = 60.0
"""Seconds after which a closing frame counts as lost."""
GROWTH = 0.05
"""Share of memory that may come after the warm-up."""


class Tally:
    """What was asked and what came."""

    def __init__(self) -> None:
        self.closings: Counter[str] = Counter()
        self.tokens: Counter[str] = Counter()
        self.asked: set[str] = set()
        self.wrong: Counter[str] = Counter()
        self.waits: list[tuple[float, float]] = []
        self.hostile = 0
        self.over_http = 0


async def _good(server: Server, tally: Tally, make: Callable[[str], str], *, page: str, until: float) -> None:
    """A home that talks now and then, and comes back on a new connection from time to time."""
    rng = random.Random(page)
    while time.monotonic() < until:
        try:
            async with connect(server.url, compression=None, proxy=None, max_size=None, open_timeout=60) as socket:
                await _visit(socket, tally, lambda: make(page), rng.randrange(5, 40), rng, until)
        except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError) as error:  # nobody asked for it
            tally.wrong[type(error).__name__] += 1


async def _visit(
    socket: Any, tally: Tally, make: Callable[[], str], turns: int, rng: random.Random, until: float
) -> None:
    """Some turns on one connection."""
    for _ in range(turns):
        await asyncio.sleep(rng.expovariate(1 / PAUSE))
        if time.monotonic() >= until:
            break
        await _turn(socket, tally, make())
    with contextlib.suppress(TimeoutError):  # whatever comes after the closing frame is one too many
        async with asyncio.timeout(0.05):
            _count(tally, json.loads(await socket.recv()))


async def _turn(socket: Any, tally: Tally, text: str) -> None:
    rid = json.loads(text)["rid"]
    tally.asked.add(rid)
    started = time.perf_counter()
    await socket.send(text)
    async with asyncio.timeout(PATIENCE):
        while not tally.closings[rid]:
            _count(tally, json.loads(await socket.recv()))
    ended = time.perf_counter()
    tally.waits.append((ended, ended - started))


def _count(tally: Tally, frame: dict[str, Any]) -> None:
    data, rid = frame["payload"]["data"], frame["rid"]
    (tally.closings if frame["payload"]["finish"] else tally.tokens)[rid] += 1
    if data["ret"]:
        tally.wrong[str(data["ret"])] += 1


async def _good_http(server: Server, tally: Tally, make: Callable[[str], str], *, page: str, until: float) -> None:
    """The same over HTTP, now at home and now at the front desk; every fifth request is sent twice."""
    rng = random.Random(page)
    async with http_client(server) as http:
        while time.monotonic() < until:
            await asyncio.sleep(rng.expovariate(1 / PAUSE))
            frame = json.loads(make(page))
            body, path = {**frame["payload"], "rid": frame["rid"]}, "understand"
            if rng.random() < AT_DESK:
                said = rng.choice(("停车怎么收费", "我想挂儿科的号", "明天上午", "报告出来了吗"))
                body, path = {"page_id": page, "question": said, "rid": frame["rid"]}, "hospital/turn"
            tally.asked.add(frame["rid"])
            try:
                answers = [await http.post(f"/v1/{path}", json=body) for _ in range(1 + (rng.random() < AGAIN))]
            except httpx.HTTPError as error:
                tally.wrong[type(error).__name__] += 1
                continue
            tally.closings[frame["rid"]] += len({answer.content for answer in answers})
            tally.over_http += len(answers)
            if answers[0].status_code != HTTPStatus.OK:
                tally.wrong[str(answers[0].status_code)] += 1


AT_DESK, AGAIN = 0.3, 0.2
"""Shares of requests over HTTP: at the front desk, and sent twice."""


async def _hostile(server: Server, tally: Tally, make: Callable[[str], str], *, kind: int, until: float) -> None:
    """Rubbish, floods, vanishing, half frames, silence: again and again."""
    rng = random.Random(kind)
    while time.monotonic() < until:
        tally.hostile += 1
        with contextlib.suppress(ConnectionClosed, OSError, TimeoutError, InvalidHandshake):
            async with connect(server.url, compression=None, proxy=None, open_timeout=60, close_timeout=1) as socket:
                await _offend(socket, make(f"hostile-{kind}"), kind % 6)
        await asyncio.sleep(rng.uniform(0.2, 1.5))


async def _offend(socket: Any, text: str, kind: int) -> None:
    if kind == 0:
        for rubbish in ("", "[]", text[:-9], text.replace('"home":{', '"home":[', 1), "[" * 9_000, b"\xff\xfe"):
            await socket.send(rubbish)
    elif kind == 1:
        for _ in range(40):
            await socket.send(text)
    elif kind == 2:
        await socket.send(text)
        socket.transport.abort()
    elif kind == 3:
        await socket.send(text.replace("打开", "打开" * 2_000))
    elif kind == 4:
        await socket.send("x" * 300_000)
    else:
        socket.transport.pause_reading()
        for _ in range(16):
            await socket.send(text)
        await asyncio.sleep(1)


async def _load(server: Server, seconds: float, *, hostile: bool) -> tuple[Tally, list[tuple[float, int]]]:
    tally, make = Tally(), frames(Case("sample8", fresh=False))
    started = time.monotonic()
    until = started + seconds
    memory: list[tuple[float, int]] = []

    async def watch() -> None:
        while time.monotonic() < until:
            memory.append((time.monotonic() - started, server.memory()))
            await asyncio.sleep(seconds / 120)

    talks = [_good(server, tally, make, page=f"home-{number}", until=until) for number in range(GOOD)]
    if hostile:  # the echo speaks no HTTP
        talks += [_good_http(server, tally, make, page=f"http-{number}", until=until) for number in range(OVER_HTTP)]
        talks += [_hostile(server, tally, make, kind=number, until=until) for number in range(HOSTILE)]
    await asyncio.gather(watch(), *talks)
    return tally, memory


def _faults(server: Server) -> list[str]:
    url = re.sub(r"^ws(.*?\d)/.*", r"http\1/metrics", server.url)
    text = urllib.request.urlopen(url).read().decode()
    return [line for line in text.splitlines() if line.startswith("tingdong_faults_total")]


def main() -> int:
    """Ten minutes unless told otherwise, and a tenth of it for the echo."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 600.0
    os.environ.setdefault("TINGDONG_LIMITS__PING_SECONDS", "20")
    with serving("service") as server:
        tally, memory = asyncio.run(_load(server, seconds, hostile=True))
        faults = _faults(server)
    with serving("echo") as echo:
        calm, _ = asyncio.run(_load(echo, max(10.0, seconds / 10), hostile=False))
    late = [size for at, size in memory if at > seconds / 3]
    half = len(late) // 2
    growth = statistics.median(late[half:]) / statistics.median(late[:half]) - 1
    lost = len([rid for rid in tally.asked if not tally.closings[rid]])
    doubled = sum(count > 1 for count in (*tally.closings.values(), *tally.tokens.values()))
    p99, echo_p99 = _p99(tally), _p99(calm)
    report = {
        "seconds": seconds,
        "pause": PAUSE,
        "connections": GOOD + OVER_HTTP + HOSTILE,
        "requests": len(tally.asked),
        "over_http": tally.over_http,
        "hostile_connections": tally.hostile,
        "lost": lost,
        "doubled": doubled,
        "errors": dict(tally.wrong),
        "faults": faults,
        "memory_mb": [round(size / 1e6, 1) for _, size in memory[:: max(1, len(memory) // 12)]],
        "growth_after_warm_up": round(growth, 4),
        "p99_ms": round(p99 * 1e3, 2),
        "echo_p99_ms": round(echo_p99 * 1e3, 2),
        "p99_ratio": round(p99 / echo_p99, 2),
    }
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "soak.json").write_text(json.dumps(report, indent=2), "utf-8")
    _plot(memory)
    print(json.dumps(report, indent=2))
    counted = {"lost": lost, "doubled": doubled, "errors": sum(tally.wrong.values()), "faults": len(faults)}
    return conclude(
        [
            *(Verdict(name, value, 0, "") for name, value in counted.items()),
            Verdict("memory after the warm-up: growth", growth * 100, GROWTH * 100, "%"),
            Verdict("p99 of waiting", p99 / echo_p99, unit="× echo"),
        ],
        "soak",
    )


def _p99(tally: Tally) -> float:
    """Seconds, after the warm-up."""
    first, last = tally.waits[0][0], tally.waits[-1][0]
    return percentile([wait for at, wait in tally.waits if at > first + (last - first) / 3], 0.99)


def _plot(memory: list[tuple[float, int]]) -> None:
    if (plots := pyplot()) is None:
        return
    figure, axes = plots.subplots(figsize=(7, 3.5), layout="constrained")
    axes.plot([at for at, _ in memory], [size / 1e6 for _, size in memory])
    axes.set_ylim(bottom=0)
    axes.set_xlabel("seconds")
    axes.set_ylabel("resident memory, MB")
    axes.set_title(f"{GOOD + OVER_HTTP} good and {HOSTILE} hostile connections")
    figure.savefig(FOLDER / "soak.svg")
    plots.close(figure)


if __name__ == "__main__":
    sys.exit(main())
