"""`python -m bench.wire`: server CPU of a whole turn over WebSocket, as a multiple of an echo's on the same stack.

The echo is the same uvicorn with the same settings; it parses the whole JSON of the same frames (`json.loads`) and
sends two frames back. Both are processes of their own, driven in turns by the same client in the same run, each
connection in a closed loop; CPU is what the operating system charged the server process, user and system, divided by
the turns. The service runs with its default settings, its log going to /dev/null. Writes reports/wire.json, .md, .svg.
"""

import asyncio
import itertools
import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import connect

from bench.harness import home, percentile
from bench.verdicts import Verdict, conclude

__all__ = ["Case", "Result", "main", "run_case"]

FOLDER = Path("reports")
STREAM = "/agent/smarthome-gpt/llm/stream"
ROUNDS = 3


class Case(msgspec.Struct, frozen=True):
    """What is sent: `turns` a round, over `connections`; `limit` is what the ratio of CPU must keep."""

    home: str
    connections: int = 32
    changed: bool = False
    fresh: bool = True
    store: str = "memory"
    limit: float | None = None
    turns: int = 640

    @property
    def name(self) -> str:
        """How a table calls it."""
        size = {"sample8": "8 devices", "villa120": "120 devices"}[self.home]
        state = "one state changed" if self.changed else "unchanged"
        words = "fresh" if self.fresh else "repeated"
        return f"{size}, {state}, {words}, {self.store}, {self.connections} connections"


_LIMITS = {  # at 32 connections: (store, home, changed, fresh) → most that a turn may cost, in echoes
    ("memory", "sample8", False, True): 5.0,
    ("memory", "sample8", False, False): 2.0,
    ("memory", "villa120", False, True): 1.8,
    ("memory", "villa120", False, False): 1.0,
    ("memory", "villa120", True, True): 2.0,
    ("redis", "sample8", False, True): 7.0,
    ("redis", "villa120", False, True): 2.2,
}
_TURNS = {1: 200, 32: 640, 256: 768}
_SEEDS = itertools.count()  # other sentences for each case: the service remembers what it has read
_SERIAL = itertools.count()  # one for all cases: a page that saw a `rid` before answers it with the closing frame only


def _cases() -> Iterator[Case]:
    """Every number of connections, home, change and kind of sentence; on a Redis at 32 connections."""
    for connections, store in ((32, "memory"), (1, "memory"), (256, "memory"), (32, "redis")):
        for name, changed, fresh in itertools.product(("sample8", "villa120"), (False, True), (True, False)):
            limit = _LIMITS.get((store, name, changed, fresh)) if connections == 32 else None
            yield Case(name, connections, changed, fresh, store, limit, _TURNS[connections])


CASES = tuple(_cases())


class Sample(msgspec.Struct, frozen=True):
    """One round against one server: microseconds of its CPU a turn, and the client's waiting times in microseconds."""

    cpu_us: float
    waits_us: list[float]


class Result(msgspec.Struct, frozen=True):
    """Medians over the rounds; waiting times over all turns."""

    case: Case
    cpu_us: float
    echo_us: float
    p99_us: float
    echo_p99_us: float
    frame_bytes: int

    @property
    def ratio(self) -> float:
        return self.cpu_us / self.echo_us


class Server:
    """A server process and where it listens."""

    def __init__(self, process: "subprocess.Popen[str]", port: int) -> None:
        self.process = process
        self.url = f"ws://127.0.0.1:{port}{STREAM}"

    def cpu(self) -> float:
        """Seconds on a processor so far, of all threads, as the scheduler counts them: clock ticks are too coarse."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9

    def memory(self) -> int:
        """Resident bytes."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def http_client(server: Server) -> httpx.AsyncClient:
    """A client of the server's HTTP side; it gives idle connections up before the server does, so that none is asked
    on that ends meanwhile."""
    base, limits = server.url.replace("ws://", "http://").split("/agent")[0], httpx.Limits(keepalive_expiry=2)
    return httpx.AsyncClient(base_url=base, trust_env=False, timeout=60, verify=False, limits=limits)


@contextmanager
def serving(kind: str, store: str = "memory") -> Iterator[Server]:
    """The service or the echo as a process of its own."""
    environment = {**os.environ, "TINGDONG_PAGES__STORE": store}
    command = [sys.executable, "-m", "bench.wire_server", kind]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        try:
            yield Server(process, int(process.stdout.readline()))
        finally:
            process.terminate()


@contextmanager
def redis() -> Iterator[str | None]:
    """A Redis of this run's own on a unix socket; None where none is installed."""
    if shutil.which("redis-server") is None:
        yield None
        return
    path = f"/tmp/tingdong-bench-{os.getpid()}.sock"
    command = ["redis-server", "--port", "0", "--unixsocket", path, "--save", ""]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            next(line for line in process.stdout if "ready to accept" in line.lower())
            yield f"unix://{path}"
        finally:
            process.terminate()


def sentences(document: dict[str, Any], *, fresh: bool) -> Callable[[], str]:
    """Requests to the devices of a home: each once when `fresh`, else twenty over and over."""
    rng = random.Random(20261122 + next(_SEEDS))
    made: dict[str, None] = {}
    while len(made) < 6_000:
        device = rng.choice(document["devices"])
        place, name, level = device["local"], device["name"], rng.randrange(1, 100)
        before = rng.choice(("小牛，", "", "帮我", "请"))
        forms = (
            f"{before}打开{place}的{name}",
            f"{before}把{place}{name}调到百分之{level}",
            f"{before}{place}{name}调成{level}%",
            f"{before}{level}分钟后打开{place}的{name}",
            f"{place}的{name}开着吗",
            f"{before}{level}分钟后关掉{place}{name}",
            f"{before}关闭{place}的{name}和灯",
            f"{before}除了{place}，其他房间的灯都关了",
        )
        made[rng.choice(forms)] = None
    texts = iter(made) if fresh else itertools.cycle(list(made)[:20])
    return lambda: next(texts)


def frames(case: Case) -> Callable[[str], str]:
    """Makes a request frame for a page; with `changed` the state of one device is another each turn."""
    document = home(case.home)
    say = sentences(document, fresh=case.fresh)
    plain = msgspec.json.encode(document).decode()
    levels = itertools.cycle((10, 20, 30))

    def frame(page_id: str) -> str:
        text, number = plain, next(_SERIAL)
        if case.changed:
            document["devices"][number % 8]["device"]["state"]["level"] = next(levels)
            text = msgspec.json.encode(document).decode()
        head = f'{{"topic":"llm/smarthome","rid":"{number}-{page_id}","payload":{{"page_id":"{page_id}",'
        said = msgspec.json.encode(say()).decode()
        return f'{head}"question":{said},"local":"客厅","instruct":true,"home":{text}}}}}'

    return frame


async def _drive(server: Server, sockets: list[Any], make: Callable[[str], str], turns: int) -> Sample:
    """Every connection in a closed loop; frames are made beforehand, so that the client does little else."""
    share = max(1, turns // len(sockets))
    batches = [[make(f"{number}-{server.process.pid}") for _ in range(share)] for number in range(len(sockets))]
    waits: list[float] = []

    async def talk(socket: Any, batch: list[str]) -> None:
        for text in batch:
            started = time.perf_counter()
            await socket.send(text)
            await socket.recv()
            await socket.recv()
            waits.append((time.perf_counter() - started) * 1e6)

    before = server.cpu()
    await asyncio.gather(*(talk(socket, batch) for socket, batch in zip(sockets, batches, strict=True)))
    return Sample((server.cpu() - before) * 1e6 / len(waits), waits)


async def _open(server: Server, count: int) -> list[Any]:
    return [await connect(server.url, compression=None, proxy=None, max_size=None) for _ in range(count)]


async def run_case(case: Case, server: Server, echo: Server) -> Result:
    """Measures both servers in turns; the first round of each is thrown away."""
    make = frames(case)
    pair = [(one, await _open(one, case.connections)) for one in (server, echo)]
    for one, sockets in pair:
        await _drive(one, sockets, make, len(sockets) * 2)
    samples: dict[int, list[Sample]] = {0: [], 1: []}
    for _ in range(ROUNDS):
        for index, (one, sockets) in enumerate(pair):
            samples[index].append(await _drive(one, sockets, make, case.turns))
    for _, sockets in pair:
        for socket in sockets:
            await socket.close()
    cpu, echo_cpu = (statistics.median(sample.cpu_us for sample in samples[index]) for index in (0, 1))
    waits, echo_waits = ([wait for sample in samples[index] for wait in sample.waits_us] for index in (0, 1))
    return Result(case, cpu, echo_cpu, percentile(waits, 0.99), percentile(echo_waits, 0.99), len(make("x").encode()))


async def memory(server: Server) -> dict[str, float]:
    """Bytes that an open connection, and a page in memory, take."""
    start = server.memory()
    sockets = await _open(server, 500)
    per_connection = (server.memory() - start) / len(sockets)
    make = frames(Case("sample8", fresh=False))
    for number in range(200):
        await _ask(sockets[0], make(f"warm-{number}"))
    start = server.memory()
    for number in range(2_000):
        await _ask(sockets[0], make(f"page-{number}"))
    per_page = (server.memory() - start) / 2_000
    for socket in sockets:
        await socket.close()
    return {"connection": per_connection, "page": per_page}


async def _ask(socket: Any, text: str) -> None:
    await socket.send(text)
    await socket.recv()
    await socket.recv()


def main() -> int:
    """Measure the cases whose names hold one of the arguments, all without; print, write; 1 when a limit is not kept.

    `SECONDS` in the environment cuts the turns of a case to that share of ten minutes.
    """
    from bench.wire_report import write

    wanted = sys.argv[1:]
    share = float(os.environ.get("SECONDS") or 600) / 600
    if share < 1:
        print("a glance: so few turns show that it runs, not how fast")
    verdicts: list[Verdict] = []
    results: list[Result] = []
    with ExitStack() as stack:
        url = stack.enter_context(redis())
        echo = stack.enter_context(serving("echo"))
        servers = {"memory": stack.enter_context(serving("service"))}
        if url is not None:
            servers["redis"] = stack.enter_context(serving("service", url))
        for case in CASES:
            if wanted and not any(word in case.name for word in wanted):
                continue
            if case.store not in servers:
                verdicts.append(Verdict(case.name, None, case.limit, why="no redis-server here"))
                continue
            fewer = msgspec.structs.replace(case, turns=max(case.connections, int(case.turns * share)))
            results.append(asyncio.run(run_case(fewer, servers[case.store], echo)))
            verdicts.append(Verdict(case.name, results[-1].ratio, case.limit))
            print(f"{results[-1].ratio:5.2f} ×  {results[-1].cpu_us:6.0f} µs  {case.name}", flush=True)
    with serving("service") as fresh:
        sizes = asyncio.run(memory(fresh))
    write(FOLDER, results, sizes)
    return conclude(verdicts, "wire")


if __name__ == "__main__":
    sys.exit(main())
