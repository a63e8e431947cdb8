"""`python -m bench.bench_retrieval`: retrieval at 100 to 100,000 devices, the prompt's share, and the local embedder.

Times are of the processor, as multiples of `json.loads` of the frame of villa120 in the same run; the catalog is frozen
for the garbage collector, as a server does with what it keeps. Writes docs/images/retrieval-*.svg and
reports/retrieval.md with the tables of docs/retrieval.md.
"""

import gc
import json
import statistics
import sys
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import msgspec

from bench.harness import frame, home, labelled, percentile
from bench.verdicts import Verdict, conclude, pyplot
from context_retrieval.catalog import Catalog
from context_retrieval.injection import count_tokens, summarize_devices_for_prompt, summarize_result_for_prompt
from context_retrieval.models import Device, DeviceCommand, QueryIR, ValueRange
from context_retrieval.pipeline import retrieve, retrieve_ir
from context_retrieval.protocol import decode
from context_retrieval.state import ConversationState
from tingdong.bridges.embedded_llm import EmbeddedLLM
from tingdong.home.cache import HomeStore, load_home

SIZES = (100, 1_000, 10_000, 100_000)
IMAGES = Path(__file__).parents[1] / "docs" / "images"
REPORT = Path("reports/retrieval.md")
SAMPLES = 200

_SWITCH = (DeviceCommand("on", "打开设备"), DeviceCommand("off", "关闭设备"))
_LEVEL = DeviceCommand("level", "设置亮度", "integer", ValueRange(0, 100, "%"))
_COOLING = DeviceCommand("temperature", "设置温度", "integer", ValueRange(16, 30, "C"))
KINDS: tuple[tuple[str, str, tuple[DeviceCommand, ...]], ...] = (
    ("顶灯", "light", (*_SWITCH, _LEVEL)),
    ("台灯", "light", _SWITCH),
    ("空调", "airConditioner", (*_SWITCH, _COOLING)),
    ("窗帘", "blind", _SWITCH),
    ("书桌插座", "smartPlug", _SWITCH),
    ("电视", "television", _SWITCH),
    ("温度计", "temp-sensor", (DeviceCommand("t", "查询温度"),)),
    ("床头灯", "light", _SWITCH),
    ("加湿器", "humidifier", _SWITCH),
    ("夜灯", "light", _SWITCH),
)


class Point(msgspec.Struct, frozen=True):
    """One kind of request at one size; times in microseconds."""

    request: str
    size: int
    p50_us: float
    p99_us: float


class Size(msgspec.Struct, frozen=True):
    """Building one catalog: seconds, and bytes held by it beside the devices themselves."""

    size: int
    build_s: float
    bytes_held: int


def campus(size: int) -> list[Device]:
    """Ten devices a room, rooms numbered by building and floor; every 97th device has a name of its own."""
    return [
        Device(
            f"d{number}",
            f"小宝{number}" if number % 97 == 1 else KINDS[number % 10][0],
            _room(number // 10),
            f"smartthings:{KINDS[number % 10][1]}",
            KINDS[number % 10][2],
        )
        for number in range(size)
    ]


def _room(room: int) -> str:
    return f"{room // 200 + 1}号楼{room // 20 % 10 + 1}{room % 20 + 1:02d}"


def requests(size: int) -> Iterator[tuple[str, list[QueryIR]]]:
    """Requests of several kinds, spread over the home."""
    rooms = size // 10
    some = [number * max(rooms // SAMPLES, 1) % rooms for number in range(SAMPLES)]
    own = list(range(1, size, 97))
    owned = [own[number * max(len(own) // SAMPLES, 1) % len(own)] for number in range(SAMPLES)]
    yield "a name in a room", [_query(f"打开-{_room(room)}-床头灯#Light#one") for room in some]
    yield "a name of its own", [_query(f"打开-*-小宝{number}#Unknown#one") for number in owned]
    yield "a misheard name", [_query(f"打开-*-晓宝{number}#Unknown#one") for number in owned]
    yield "a type in a room", [_query(f"关闭-{_room(room)}-*#Light#all") for room in some]
    yield "a tenth of the home", [_query("关闭-*-*#Television#all")] * 20
    yield "a condition", [_query(f"打开@{_room(room)}温度>28C-{_room(room)}-*#AirConditioner#all") for room in some]
    yield "an unknown room", [_query(f"打开-{_room(rooms + 5_000 + room)}-*#Light#all") for room in some]


def _query(command: str) -> QueryIR:
    return QueryIR.from_command(decode(json.dumps([command])).commands[0])


def measure_size(size: int) -> tuple[Size, list[Point]]:
    devices = campus(size)
    gc.collect()
    start = time.thread_time()
    catalog = Catalog.build(devices)
    built = time.thread_time() - start
    gc.collect()
    gc.freeze()
    points = [Point(request, size, *_times(catalog, queries)) for request, queries in requests(size)]
    del catalog
    gc.unfreeze()
    gc.collect()
    tracemalloc.start()
    catalog = Catalog.build(devices)
    for _, queries in requests(size):
        retrieve_ir(queries[:1], catalog, ConversationState())
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return Size(size, built, held), points


def _times(catalog: Catalog, queries: Sequence[QueryIR]) -> tuple[float, float]:
    state = ConversationState()
    retrieve_ir(queries[:1], catalog, state)
    found: list[float] = []
    for query in queries:
        start = time.thread_time_ns()
        retrieve_ir((query,), catalog, state)
        found.append((time.thread_time_ns() - start) / 1000)
    return statistics.median(found), percentile(found, 0.99)


def baseline_us(samples: int = 200) -> float:
    """Median time of `json.loads` of the frame of villa120."""
    text = frame("villa120").text
    found = []
    for _ in range(samples):
        start = time.thread_time_ns()
        json.loads(text)
        found.append((time.thread_time_ns() - start) / 1000)
    return statistics.median(found)


class Shares(msgspec.Struct, frozen=True):
    """Tokens as shares of the whole home's, one a request, ascending: of the request's prompt, which holds only the
    commands that serve it, and of the same entities with all their commands.
    """

    serving: list[float]
    full: list[float]


SETS = ("retrieval_dev", "retrieval_second", "retrieval_more", "retrieval_more_b", "retrieval_more_c")


def prompt_shares() -> Shares:
    """Over the open sets, each request against its own home, with the earlier turns of its conversation."""
    shapes = cache(lambda name: load_home(msgspec.json.encode(home(name)), HomeStore()).shape)
    tokens = cache(lambda name: count_tokens(summarize_devices_for_prompt(shapes(name).catalog, compact=True)))
    clients = cache(lambda name: EmbeddedLLM(shapes(name).catalog))
    serving, full = list[float](), list[float]()
    for case in (case for name in SETS for case in labelled(name)):
        name, state = case["home"], ConversationState()
        for text in (*case.get("before", ()), case["text"]):
            result = retrieve(text, shapes(name).catalog, clients(name), state, location=case.get("location"))
        if result.entities:
            serving.append(count_tokens(summarize_result_for_prompt(result)) / tokens(name))
            full.append(count_tokens(summarize_devices_for_prompt(result.entities)) / tokens(name))
    return Shares(sorted(serving), sorted(full))


def report(baseline: float, sizes: Sequence[Size], points: Sequence[Point], shares: Shares) -> str:
    """The tables as Markdown."""
    lines = [f"`json.loads` of the frame of villa120: {baseline:.0f} µs.", ""]
    lines += ["| devices | build | memory of the catalog |", "| ---: | ---: | ---: |"]
    lines += [
        f"| {one.size:,} | {one.build_s * 1e6 / baseline:,.0f} × | {one.bytes_held / 1e6:.1f} MB |" for one in sizes
    ]
    head = " | ".join(f"{size:,}" for size in SIZES)
    lines += ["", f"| request: median (p99) | {head} |", "| --- |" + " ---: |" * len(SIZES)]
    for request in dict.fromkeys(point.request for point in points):
        row = [point for point in points if point.request == request]
        cells = [f"{point.p50_us / baseline:.2f} × ({point.p99_us / baseline:.2f} ×)" for point in row]
        lines.append(f"| {request} | " + " | ".join(cells) + " |")
    for what, found in (("Prompt of one request", shares.serving), ("The same with all commands", shares.full)):
        median, high = percentile(found, 0.5), percentile(found, 0.95)
        lines += ["", f"{what} against the whole home: median {median:.1%}, p95 {high:.1%}."]
    return "\n".join(lines) + "\n"


def plot(baseline: float, points: Sequence[Point], shares: Shares) -> None:
    """docs/images/retrieval-scale.svg and retrieval-prompt.svg."""
    if (plots := pyplot()) is None:
        return
    IMAGES.mkdir(parents=True, exist_ok=True)
    figure, axes = plots.subplots(figsize=(6, 4), layout="constrained")
    for request in dict.fromkeys(point.request for point in points):
        row = [point for point in points if point.request == request]
        axes.loglog([p.size for p in row], [p.p50_us / baseline for p in row], marker="o", label=request)
    axes.axhline(1, color="grey", linewidth=0.8)
    axes.set_xlabel("devices")
    axes.set_ylabel("median, multiple of json.loads of villa120")
    axes.legend(fontsize="small")
    figure.savefig(IMAGES / "retrieval-scale.svg", metadata={"Date": None})
    plots.close(figure)
    figure, axes = plots.subplots(figsize=(6, 3.5), layout="constrained")
    for label, found in (("commands that serve it", shares.serving), ("all commands", shares.full)):
        axes.plot([(i + 1) / len(found) * 100 for i in range(len(found))], [s * 100 for s in found], label=label)
    axes.legend(fontsize="small")
    for height, share in ((2.5, 50), (8, 95)):
        axes.plot([share], [height], marker="_", markersize=14, color="red")
    axes.set_xlabel("requests of the open sets, %")
    axes.set_ylabel("tokens, % of the whole home")
    figure.savefig(IMAGES / "retrieval-prompt.svg", metadata={"Date": None})
    plots.close(figure)


def main() -> int:
    """Measure, print, write; 1 when a limit of retrieval.md is not kept."""
    measure_size(10)
    baseline = baseline_us()
    sizes, points = [], []
    for size in SIZES:
        print(f"{size:,} devices …", file=sys.stderr)
        built, found = measure_size(size)
        sizes.append(built)
        points += found
    shares = prompt_shares()
    text = report(baseline, sizes, points, shares)
    print(text)
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(text, encoding="utf-8")
    plot(baseline, points, shares)
    return conclude(_verdicts(baseline, points, shares, sizes), "retrieval")


LIMITS = {("a name in a room", 100): 1.0, ("a name in a room", 100_000): 15.0, ("a tenth of the home", 100_000): 15.0}
"""The median of a request at a size, in `json.loads`."""
DEVICE_BYTES = 400
"""Bytes of a device in a catalog after a request of each kind."""


def _verdicts(baseline: float, points: Sequence[Point], shares: Shares, sizes: Sequence[Size]) -> Iterator[Verdict]:
    for point in points:
        if (limit := LIMITS.get((point.request, point.size))) is not None:
            yield Verdict(f"{point.request}, {point.size:,} devices: median", point.p50_us / baseline, limit)
    for one in sizes[-1:]:
        yield Verdict(f"catalog of {one.size:,} devices, by device", one.bytes_held / one.size, DEVICE_BYTES, "bytes")
    yield Verdict("prompt against the whole home: median", percentile(shares.serving, 0.5) * 100, 2.5, "%")
    yield Verdict("prompt against the whole home: p95", percentile(shares.serving, 0.95) * 100, 8, "%")


if __name__ == "__main__":
    sys.exit(main())
