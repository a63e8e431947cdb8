"""Speed of retrieval: queries in, entities out, on the home of 120 devices and on homes up to 100,000 devices."""

from collections.abc import Callable, Iterator

import msgspec

from bench.harness import Figure, frame, home, labelled, measure
from context_retrieval.catalog import Catalog
from context_retrieval.models import Device, DeviceCommand, QueryIR
from context_retrieval.pipeline import retrieve_ir
from context_retrieval.state import ConversationState
from tingdong.commands import LocalParser
from tingdong.home.cache import ShapeCache, load_home

__all__ = ["figures", "large_home"]

SIZES = {100: 1.0, 1_000: None, 10_000: None, 100_000: 15.0}
"""Devices of a home → the limit of a named target's median, as a multiple of json.loads of the frame of villa120."""

NAMES = (("顶灯", "light"), ("台灯", "light"), ("空调", "airConditioner"), ("窗帘", "blind"), ("插座", "smartPlug"))
SWITCH = (DeviceCommand("on", "打开设备"), DeviceCommand("off", "关闭设备"))


def figures() -> Iterator[Figure]:
    """The open set on villa120, then a named target in ever larger homes."""
    baseline = frame("villa120")
    shape = load_home(msgspec.json.encode(home("villa120")), ShapeCache()).shape
    parser = LocalParser()
    queries = [_queries(parser, case["text"]) for case in labelled("retrieval_dev") if case["home"] == "villa120"]
    yield measure("retrieve_ir, open set", lambda: _retriever(shape.catalog), queries, baseline=baseline)
    for size, limit in SIZES.items():
        catalog = Catalog.build(large_home(size))
        named = [_queries(parser, f"打开{number}号房的顶灯") for number in range(1, size // 5, size // 100)]
        if not all(_found(catalog, queries) for queries in named):
            raise RuntimeError("a named lamp was not found; its time would mean nothing")
        title = f"retrieve_ir, named target of {size:,}"
        yield measure(
            title, lambda catalog=catalog: _retriever(catalog), named, baseline=baseline, limits=(limit, None)
        )


def large_home(size: int) -> list[Device]:
    """`size` devices in numbered rooms, five to a room."""
    return [
        Device(
            f"d{number}", NAMES[number % 5][0], f"{number // 5 + 1}号房", f"smartthings:{NAMES[number % 5][1]}", SWITCH
        )
        for number in range(size)
    ]


def _queries(parser: LocalParser, text: str) -> tuple[QueryIR, ...]:
    return tuple(QueryIR.from_command(command) for command in parser.read(text).commands)


def _retriever(catalog: Catalog) -> Callable[[tuple[QueryIR, ...]], object]:
    state = ConversationState()
    return lambda queries: retrieve_ir(queries, catalog, state, location="客厅")


def _found(catalog: Catalog, queries: tuple[QueryIR, ...]) -> bool:
    return len(retrieve_ir(queries, catalog, ConversationState()).candidates) == 1
