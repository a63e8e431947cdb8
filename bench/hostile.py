"""`python -m bench.hostile [homes]`: what strangers may try, against one server process on loopback (docs/security.md).

Beside every attempt a home goes on talking. Kept: every turn of that home is answered and none waits longer than half a
second, health answers, memory stays within the attempt's bound, and the attempt gets what the documents say. Writes
reports/hostile.json and reports/hostile.md; 1 when something is not kept. `homes` is how many large homes come (200).
"""

import asyncio
import json
import os
import struct
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from bench.attacking import DESK, HOME, Attempt, ask, framed, payload, pipe, raw
from bench.harness import percentile
from bench.slowest import FOUND, SIZE, said
from bench.strangers import STRANGE
from bench.wire import FOLDER, Server, http_client, serving

__all__ = ["main"]

PAUSE, LONGEST_WAIT = 0.02, 0.5
"""Seconds between the turns of the home beside, and what one of them may take."""
MEGABYTE = 2**20


async def _rets(server: Server, frames: list[str], path: str | None = None) -> str:
    async with pipe(server, path) as socket:
        return ",".join(sorted({str((await ask(socket, frame))["ret"]) for frame in frames}))


async def _malformed(server: Server) -> str:
    whole = framed("r", payload())
    cut = [whole[:end] for end in range(1, len(whole), max(1, len(whole) // 300))]
    odd = ["[" * 100_000, "{}", "null", '{"topic":1}', '{"topic":"x","rid":"r","payload":{}}', "\ufeff{", '"' * 999]
    return await _rets(server, cut + odd)


async def _place(server: Server) -> str:
    return await _rets(server, [framed("r", payload(local="厅" * 50_000))])


async def _clock(server: Server) -> str:
    told = payload("后天早上八点开灯", now="9999-12-31T23:59:59+08:00")
    return await _rets(server, [framed("r", told)])


async def _before(server: Server) -> str:
    async with http_client(server) as http:
        body = {"text": "开灯", "home": HOME, "before": ["打开客厅的灯"] * 4_000}
        return str((await http.post("/v1/retrieve", json=body)).status_code)


WORST = (
    "灯亮",
    "三点",
    "如果",
    "一",
    "把",
    "不要",
    "打开客厅的灯，",
    "灯和",
    "除了",
    "儿科",
    "挂号",
    "头痛，",
    "三点",
    "，",
    "不",
)
"""Words that are slow when repeated, beside what `bench.worst` has found."""


async def _long_home(server: Server) -> str:
    frames = [framed(f"long-{at}", payload(said([word]))) for at, word in enumerate((*WORST, *FOUND["home"]))]
    return await _rets(server, frames)


async def _long_desk(server: Server) -> str:
    frames = [
        framed(f"long-{at}", {"page_id": f"long-{at}", "question": said([word])}, "llm/hospital")
        for at, word in enumerate((*WORST, *FOUND["front desk"]))
    ]
    return await _rets(server, frames, DESK)


def _large(number: int) -> dict[str, Any]:
    """A home of 100 KB, like no other."""
    rows = [
        {"id": f"h{number}-{one}", "name": f"灯{one}号{number}", "local": f"房间{one % 40}", "device": {"model": "001"}}
        for one in range(1_200)
    ]
    return {"layout": [f"房间{one}" for one in range(40)], "model": HOME["model"], "devices": rows}


def _large_homes(count: int) -> Callable[[Server], Awaitable[str]]:
    async def run(server: Server) -> str:
        async with pipe(server) as socket:
            rets = set()
            for number in range(count):
                told = payload("打开房间1的灯3号", page_id=f"large-{number}", home=_large(number), local=None)
                rets.add(str((await ask(socket, framed(f"{number}", told)))["ret"]))
        return ",".join(sorted(rets))

    return run


async def _names(server: Server) -> str:
    device = {"id": "1", "name": "灯", "local": "厅房" * 30_000, "device": {"model": "001"}}
    return await _rets(server, [framed("r", payload(home={**HOME, "devices": [device]}))])


def _flood(start: bytes, piece: bytes, *, read: bool = True) -> Callable[[Server], Awaitable[str]]:
    async def run(server: Server) -> str:
        host, _, rest = server.url.removeprefix("ws://").partition(":")
        port, _, path = rest.partition("/")
        reader, writer = await asyncio.open_connection(host, int(port))
        head = (f"GET /{path} HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket", "Connection: Upgrade")
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        writer.write("\r\n".join((*head, key, "Sec-WebSocket-Version: 13", "", "")).encode())
        await reader.readuntil(b"\r\n\r\n")
        writer.write(start)
        try:
            for _ in range(2_000):
                writer.write(piece * 100)
                await asyncio.wait_for(writer.drain(), 5)
            answer = await asyncio.wait_for(reader.read(), 10) if read else b""
        except ConnectionError:
            return "closed"
        except TimeoutError:
            answer = b""
        writer.transport.abort()
        return "closed" if not read or struct.pack("!H", 1008) in answer else "open"

    return run


async def _slow_bodies(server: Server) -> str:
    host, _, rest = server.url.removeprefix("ws://").partition(":")
    head = b"POST /v1/understand HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999\r\n\r\n{"
    opened = [await asyncio.open_connection(host, int(rest.partition("/")[0])) for _ in range(200)]
    for _, writer in opened:
        writer.write(head)
    ended = 0
    for reader, writer in opened:
        try:
            ended += bool(await asyncio.wait_for(reader.read(), 20)) or reader.at_eof()
        except ConnectionError:
            ended += 1
        writer.transport.abort()
    return f"{ended} ended"


async def _heads(server: Server) -> str:
    host, _, rest = server.url.removeprefix("ws://").partition(":")
    answers = []
    for head in (b"GET /", b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Much: "):
        _, writer = await asyncio.open_connection(host, int(rest.partition("/")[0]))
        writer.write(head)
        try:
            for _ in range(400):
                writer.write(b"a" * 65_536)
                await asyncio.wait_for(writer.drain(), 5)
            answers.append("open")
        except (ConnectionError, TimeoutError):
            answers.append("closed")
        writer.transport.abort()
    try:
        async with connect(server.url, compression=None, proxy=None, additional_headers={"X-Much": "a" * 9_000}):
            answers.append("open")
    except InvalidStatus as refused:
        answers.append(str(refused.response.status_code))
    return ",".join(sorted(set(answers)))


async def _retries(server: Server) -> str:
    async with pipe(server) as socket:
        frames = [framed(f"t{one}", payload(f"{one + 1}分钟后关灯", page_id="retries")) for one in range(16)]
        rounds = [[await ask(socket, frame) for frame in frames] for _ in range(2)]
        other = await ask(socket, framed("t0", payload("打开卧室的灯", page_id="retries")))
    return f"{'same' if rounds[0] == rounds[1] else 'different'}, {other['ret']}"


async def _foreign(server: Server) -> str:
    origin = {"Origin": "https://elsewhere.example"}
    rebound = {"Host": "rebound.example", "Origin": "http://rebound.example"}
    async with http_client(server) as http:
        reload = {"action": "reload"}
        told = [
            (await http.post("/v1/hospital/domain", json=reload, headers=origin)).status_code,
            (await http.post("/v1/hospital/domain", json=reload)).status_code,
            (await http.post("/v1/parse", json={"text": "开灯"}, headers=rebound)).status_code,
        ]
    return ",".join(map(str, told))


def attempts(homes: int) -> list[Attempt]:
    """All of them."""
    return [
        Attempt("frames cut off anywhere, nested, of no topic", _malformed, "400,404"),
        Attempt("`local` of 50,000 characters (150 KB)", _place, "400"),
        Attempt("4,000 sentences in `before`", _before, "400"),
        Attempt("a clock on the last day of the calendar", _clock, "400"),
        Attempt("the slowest sentences of 2,000 characters, home", _long_home, "0"),
        Attempt("the slowest sentences of 2,000 characters, front desk", _long_desk, "0,413", 60),
        Attempt("a room of 60,000 characters in a home", _names, "422"),
        Attempt(f"{homes} different homes of 100 KB", _large_homes(homes), "0", 300),
        Attempt("200,000 pings", _flood(b"", raw(9, b"x")), "closed"),
        Attempt("200,000 pieces of one byte", _flood(raw(1, b"{", fin=False), raw(0, b"x", fin=False)), "closed"),
        Attempt("200,000 pings, nothing read", _flood(b"", raw(9, b"x" * 125), read=False), "closed"),
        Attempt("200 bodies that never come", _slow_bodies, "200 ended"),
        Attempt("heads of 26 MB, and a line of 9 KB in a handshake", _heads, "431,closed"),
        Attempt("16 delayed orders repeated, a rid used twice", _retries, "same, 400"),
        Attempt("a page of elsewhere; reload without a token", _foreign, "403,403,403"),
        *STRANGE,
    ]


async def _talk(url: str) -> None:
    """A home that goes on talking until its input ends, in a process of its own; it prints its waits."""
    waits: list[float] = []
    ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    async with connect(url, compression=None, proxy=None, max_size=None, open_timeout=30) as socket:
        print("[]", flush=True)
        while not ended.done() or len(waits) < 20:
            started = time.perf_counter()
            told = await ask(socket, framed(f"{started}", payload(page_id=f"beside-{len(waits)}")))
            waits.append(time.perf_counter() - started if told["ret"] == 0 else float("inf"))
            await asyncio.sleep(PAUSE)
    print(json.dumps(waits))


@asynccontextmanager
async def _beside(server: Server) -> AsyncIterator[list[float]]:
    """The waits of a home that talks meanwhile, once it is over."""
    waits: list[float] = []
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "bench.hostile", server.url)
    talking = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    assert talking.stdout is not None
    await talking.stdout.readline()  # it talks
    yield waits
    waits += json.loads((await talking.communicate(b""))[0])


async def _tried(server: Server, attempt: Attempt, quiet: float) -> dict[str, Any]:
    before = server.memory()
    async with _beside(server) as waits:
        started = time.perf_counter()
        got = await attempt.run(server)
        seconds = time.perf_counter() - started
        async with http_client(server) as http:
            health = (await http.get("/healthz")).status_code
    grown, p99 = (server.memory() - before) / MEGABYTE, percentile(waits, 0.99)
    kept = (
        set(got.split(",")) <= set(attempt.expected.split(","))
        and health == 200
        and max(waits) <= LONGEST_WAIT
        and grown <= attempt.megabytes
    )
    return {
        "attempt": attempt.name,
        "got": got,
        "expected": attempt.expected,
        "seconds": round(seconds, 2),
        "p99_ms": round(p99 * 1e3, 1),
        "p99_over_quiet": round(p99 / quiet, 1),
        "longest_ms": round(max(waits) * 1e3, 1),
        "megabytes": round(grown, 1),
        "kept": kept,
    }


async def _all(homes: int) -> list[dict[str, Any]]:
    os.environ["TINGDONG_LIMITS__QUESTION_CHARS"] = str(SIZE)
    with serving("service") as server:
        async with _beside(server) as waits:
            await asyncio.sleep(4)
        quiet = percentile(waits, 0.99)
        print(f"quiet: p99 {quiet * 1e3:.1f} ms", flush=True)
        rows = []
        for attempt in attempts(homes):
            rows.append(await _tried(server, attempt, quiet))
            print(json.dumps(rows[-1], ensure_ascii=False), flush=True)
        return rows


def main() -> None:
    """Runs all attempts and says what was kept; with an address, it is the home beside."""
    if sys.argv[1:] and sys.argv[1].startswith("ws://"):
        asyncio.run(_talk(sys.argv[1]))
        return
    rows = asyncio.run(_all(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "hostile.json").write_text(json.dumps(rows, ensure_ascii=False, indent=1), "utf-8")
    head = "| attempt | gets | the home beside: p99, over quiet; longest | memory |\n| --- | --- | --- | --- |\n"
    lines = (
        f"| {row['attempt']} | {row['got']} | {row['p99_ms']} ms, × {row['p99_over_quiet']}; {row['longest_ms']} ms"
        f" | {row['megabytes']:+.1f} MB |"
        for row in rows
    )
    (FOLDER / "hostile.md").write_text(head + "\n".join(lines) + "\n", "utf-8")
    raise SystemExit(not all(row["kept"] for row in rows))


if __name__ == "__main__":
    main()
