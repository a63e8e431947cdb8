"""What the store of homes counts is what they take, measured (service.md, Limits; docs/operations.md, Sizing)."""

import asyncio
import copy
import functools
import gc
import json
import tracemalloc
from collections.abc import Callable
from typing import Any
from weakref import ref

import pytest
from tests.home.conftest import raw_home

from tingdong.home.cache import HomeStore
from tingdong.home_turn import TurnRequest, Understander
from tingdong.stores import MemoryPageStore

SAID = ("打开灯", "房间3的灯开着吗", "把灯3号{0}调到50%", "关掉左边那个", "除了客厅，其他房间的灯都关了", "我要睡觉了")

_SWITCH = {"power": {"type": "bool", "range": [True, False]}, "level": {"type": "uint", "min": 1, "max": 100}}


def _lamps(number: int, *, devices: int = 900, rooms: int = 40) -> dict[str, Any]:
    """Lamps of many names and rooms, of one model."""
    names = [f"房间{number % 7}号{one}" for one in range(rooms)]
    rows = [
        {"id": f"h{number}-{one}", "name": f"灯{one}号{number}", "local": names[one % rooms], "device": {"model": "1"}}
        for one in range(devices)
    ]
    return {"layout": names, "model": {"1": {"name": "lamp", "describe": "灯", "property": _SWITCH}}, "devices": rows}


def _models(number: int) -> dict[str, Any]:
    """A model for each device, each with a long description."""
    models = {f"m{one}": {"describe": f"灯{one}，{number}。" * 30, "property": _SWITCH} for one in range(100)}
    rows = [{"id": f"{one}", "name": f"灯{one}", "local": "厅", "device": {"model": f"m{one}"}} for one in range(100)]
    return {"layout": ["厅"], "model": models, "devices": rows}


def _like(name: str) -> Callable[[int], dict[str, Any]]:
    """A home of the open sets under other names."""
    document = json.loads(raw_home(name))

    def make(number: int) -> dict[str, Any]:
        other = copy.deepcopy(document)
        for device in other["devices"]:
            device["name"] += f"{number}"
        return {key: other[key] for key in ("layout", "model", "devices")}

    return make


def _talk(understander: Understander, make: Callable[[int], dict[str, Any]], number: int) -> None:
    home = json.dumps(make(number), ensure_ascii=False).encode()
    for turn, said in enumerate(SAID):
        request = TurnRequest(f"{number}-{turn}", f"{number}", said.format(number), home=home)
        asyncio.run(understander.turn(request))


def _forget_texts() -> None:
    """The bounded memories of texts are no home's."""
    for one in gc.get_objects():
        if type(one) is functools._lru_cache_wrapper and one.cache_info().maxsize:
            one.cache_clear()
    gc.collect()


def _taken(make: Callable[[int], dict[str, Any]], homes: int) -> tuple[float, float]:
    """Bytes that a home takes, and bytes that are counted for it."""
    store = HomeStore(most_bytes=2**30)
    understander = Understander(MemoryPageStore(capacity=1), homes=store)
    _talk(understander, make, 1)
    _forget_texts()
    counted = store.bytes
    tracemalloc.start()
    try:
        for number in range(2, 2 + homes):
            _talk(understander, make, number)
        _forget_texts()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return taken / homes, (store.bytes - counted) / homes


@pytest.mark.parametrize("name", ["sample8", pytest.param("villa120", marks=pytest.mark.slow)])
def test_the_accounted_memory_is_the_used_memory(name: str) -> None:
    """However a home is used, the store counts at least what it takes, and not three times as much."""
    taken, counted = _taken(_like(name), 2)
    assert taken <= counted <= 3 * taken


@pytest.mark.slow
@pytest.mark.parametrize("make", [_lamps, _models, functools.partial(_lamps, devices=600, rooms=600)])
def test_the_accounted_memory_of_large_homes(make: Callable[[int], dict[str, Any]]) -> None:
    """So too of homes of many names, rooms and models: strangers send what is dearest."""
    taken, counted = _taken(make, 2)
    assert taken <= counted <= 3 * taken


def test_a_dropped_home_frees_all_that_was_made_of_it() -> None:
    """Nothing that was made of a home outlives it, and none of it waits for the collector of rubbish."""
    store = HomeStore(most_bytes=1)
    understander = Understander(MemoryPageStore(), homes=store)
    home = json.dumps(_lamps(1, devices=30)).encode()
    gc.disable()
    try:
        for turn, said in enumerate(SAID):
            asyncio.run(understander.turn(TurnRequest(f"{turn}", "page", said.format(1), home=home)))
        known = store.home(home)
        assert known is not None
        parts = [ref(part) for part in (known.shape, known.shape.names, known.shape.catalog)]
        del known
        _talk(understander, _like("sample8"), 1)
        assert [part() for part in parts] == [None] * 3
    finally:
        gc.enable()
