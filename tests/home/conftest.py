"""The four homes of the open sets, loaded once."""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import pytest

from tingdong.home.cache import HomeStore, load_home
from tingdong.home.home import HomeSnapshot

HOMES = Path(__file__).parents[1] / "corpus" / "homes"


def raw_home(name: str) -> bytes:
    return (HOMES / f"{name}.json").read_bytes()


@pytest.fixture(scope="session")
def homes() -> Mapping[str, HomeSnapshot]:
    cache = HomeStore()
    return {path.stem: load_home(path.read_bytes(), cache) for path in sorted(HOMES.glob("*.json"))}


@pytest.fixture(scope="session")
def sample(homes: Mapping[str, HomeSnapshot]) -> HomeSnapshot:
    """The home of service.md, Home."""
    return homes["sample8"]


@pytest.fixture(scope="session")
def raw() -> Callable[[str], bytes]:
    return raw_home


@pytest.fixture(scope="session")
def monday() -> datetime:
    return datetime(2026, 11, 23, 12, 0)
