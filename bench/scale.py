"""`python -m bench.scale`: what a replica holds and serves, and what four of them behind a proxy do.

Bytes of a home by device, as `tests/home/test_home_bytes.py` takes them; the processor's time of a page's turn; and one
and four replicas behind nginx (`deploy/nginx.conf` with `hash $arg_page`): every connection carries one page, so that a
page stays where it lives in memory, and names its home (`home_id`) after the first frame. Client, proxy and replicas
share the machine, so the processor's time of a turn says more than turns a second do. Writes reports/scale.json.
"""

import asyncio
import gc
import json
import shutil
import socket
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from websockets.asyncio.client import connect

from bench.harness import home
from bench.verdicts import Verdict, conclude
from bench.wire import Case, Server, run_case, sentences, serving
from tingdong.cli.threads import limit_threads
from tingdong.home.cache import HomeStore
from tingdong.home_turn import TurnRequest, Understander
from tingdong.stores import MemoryPageStore

REPORT = Path("reports/scale.json")
REPLICAS = (1, 4)
CONNECTIONS, TURNS = 64, 12
DEVICES, HOMES = 900, 3
PAGE_US = 333
"""3,000 pages a second with two cores, one of them the client's (docs/operations.md, Sizing)."""
SAID = ("打开灯", "房间3的灯开着吗", "关掉左边那个", "除了房间2，其他房间的灯都关了")
_CONF = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/log;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    upstream replicas {{ hash $arg_page consistent; {servers} }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://replicas; proxy_http_version 1.1; proxy_buffering off; proxy_read_timeout 120s;
            proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade;
            proxy_set_header Host $http_host;
        }}
    }}
}}
"""


def _lamps(number: int) -> bytes:
    """A large home of lamps, of one model."""
    rooms = [f"房间{room}" for room in range(40)]
    power = {"power": {"type": "bool", "range": [True, False]}}
    rows = [
        {"id": f"h{number}-{one}", "name": f"灯{one}号{number}", "local": rooms[one % 40], "device": {"model": "1"}}
        for one in range(DEVICES)
    ]
    document = {"layout": rooms, "model": {"1": {"name": "lamp", "describe": "灯", "property": power}}, "devices": rows}
    return json.dumps(document, ensure_ascii=False).encode()


def bytes_of_devices() -> float:
    """Bytes that the homes of a process take, by device, after some turns in each."""
    understander = Understander(MemoryPageStore(capacity=1), homes=HomeStore(most_bytes=2**30))

    def talk(number: int) -> None:
        raw = _lamps(number)
        for turn, said in enumerate(SAID):
            asyncio.run(understander.turn(TurnRequest(f"{number}-{turn}", f"{number}", said, home=raw)))

    talk(0)
    gc.collect()
    tracemalloc.start()
    for number in range(1, HOMES + 1):
        talk(number)
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return taken / HOMES / DEVICES


def page_us(service: Server, echo: Server) -> float:
    """Microseconds of the replica's processor for a page's turn: 120 devices, unchanged."""
    return asyncio.run(run_case(Case("villa120"), service, echo)).cpu_us


@contextmanager
def proxy(replicas: Sequence[Server]) -> Iterator[Server]:
    """nginx before the replicas, a connection by its page."""
    with socket.socket() as probe, TemporaryDirectory() as folder:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        servers = " ".join(f"server {one.url.split('/')[2]};" for one in replicas)
        conf = Path(folder, "nginx.conf")
        conf.write_text(_CONF.format(folder=folder, port=port, servers=servers), encoding="utf-8")
        with subprocess.Popen(
            ["nginx", "-c", str(conf), "-p", folder], stderr=subprocess.DEVNULL, text=True
        ) as process:
            try:
                yield Server(process, port)
            finally:
                process.terminate()


async def _talk(url: str, page: int, document: str, questions: Sequence[str]) -> None:
    """One page on a connection of its own; its home goes along once."""
    async with connect(f"{url}?page={page}", compression=None, proxy=None, open_timeout=60) as pipe:
        for turn, question in enumerate(questions):
            what = f',"home":{document}' if turn == 0 else ""
            asked = json.dumps(question, ensure_ascii=False)
            payload = (
                f'{{"page_id":"{page}","question":{asked},"local":"客厅","instruct":true,"home_id":"villa"{what}}}'
            )
            await pipe.send(f'{{"topic":"llm/smarthome","rid":"{page}-{turn}","payload":{payload}}}')
            while not (told := json.loads(await pipe.recv())["payload"])["finish"]:
                pass
            if told["data"]["ret"] != 0:
                raise ValueError(f"refused: {told}")


def replicated(count: int) -> dict[str, float]:
    """Turns a second through the proxy, and microseconds of the replicas' processor that one takes."""
    villa = home("villa120")
    document, say = json.dumps(villa, ensure_ascii=False, separators=(",", ":")), sentences(villa, fresh=True)
    with ExitStack() as stack:
        replicas = [stack.enter_context(serving("service")) for _ in range(count)]
        front = stack.enter_context(proxy(replicas))

        async def wave(first: int) -> float:
            pages = [(first + page, [say() for _ in range(TURNS)]) for page in range(CONNECTIONS)]
            started = time.perf_counter()
            await asyncio.gather(*(_talk(front.url, page, document, questions) for page, questions in pages))
            return time.perf_counter() - started

        _await_open(front)
        asyncio.run(wave(0))
        before = [one.cpu() for one in replicas]
        walls = [asyncio.run(wave(1_000 * (1 + number))) for number in range(3)]
        turns = 3 * CONNECTIONS * TURNS
        used = [one.cpu() - was for one, was in zip(replicas, before, strict=True)]
    share = max(used) / sum(used)
    return {
        "replicas": count,
        "turns_per_second": CONNECTIONS * TURNS / statistics.median(walls),
        "replica_us": sum(used) * 1e6 / turns,
        "busiest_share": share,
    }


def _await_open(server: Server) -> None:
    port = int(server.url.split(":")[2].split("/")[0])
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise OSError("the proxy does not listen")


def main() -> int:
    """Measure, print, write; 1 when a limit is not kept."""
    import os

    limit_threads(os.environ)
    found: dict[str, Any] = {"bytes_a_device": bytes_of_devices()}
    with serving("service") as service, serving("echo") as echo:
        found["page_us"] = page_us(service, echo)
    verdicts = [
        Verdict(f"memory of a home of {DEVICES} devices, by device", found["bytes_a_device"], unit="bytes"),
        Verdict("a page's turn, 120 devices unchanged, processor", found["page_us"], PAGE_US, "µs"),
    ]
    if shutil.which("nginx") is None:
        verdicts.append(Verdict("replicas behind a proxy", None, why="no nginx here"))
    else:
        found["proxy"] = [replicated(count) for count in REPLICAS]
        for one in found["proxy"]:
            name = f"{one['replicas']} behind a proxy, homes by reference"
            verdicts.append(Verdict(f"{name}: a turn, processor of the replicas", one["replica_us"], unit="µs"))
            verdicts.append(Verdict(f"{name}: turns a second", one["turns_per_second"], unit="/s"))
            verdicts.append(Verdict(f"{name}: share of the busiest", 100 * one["busiest_share"], unit="%"))
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(json.dumps(found, indent=2), encoding="utf-8")
    return conclude(verdicts, "scale")


if __name__ == "__main__":
    sys.exit(main())
