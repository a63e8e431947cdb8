"""Homes and shapes are kept by their exact value (architecture, "Home = shape + state")."""

import json
from collections.abc import Callable

import pytest

from tingdong.errors import BadHome
from tingdong.home.cache import ShapeCache, load_home


def test_the_same_bytes_are_not_decoded_again(raw: Callable[[str], bytes]) -> None:
    """service.md: unchanged homes are not decoded or indexed again, even when the bytes are another object."""
    cache = ShapeCache()
    first = load_home(raw("villa120"), cache)
    assert load_home(bytes(bytearray(raw("villa120"))), cache) is first
    assert (cache.decoded, cache.compiled) == (1, 1)


def test_a_state_change_does_not_recompile(raw: Callable[[str], bytes]) -> None:
    """Architecture: obeying a command changes state, so a state change must never recompile."""
    cache = ShapeCache()
    text = raw("sample8")
    before = load_home(text, cache)
    after = load_home(text.replace(b'"level": 128', b'"level": 99'), cache)
    assert after.shape is before.shape
    assert (after.properties["dev-1"]["level"], before.properties["dev-1"]["level"]) == (99, 128)
    assert cache.compiled == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("油烟机，厨房油烟风力排污", "电风扇，厨房通风"),
        ('"max": 4', '"max": 5'),
        ('"name": "油烟机"', '"name": "抽油烟机"'),
        ('"local": "卫生间"', '"local": "厨房"'),
        ('"id": "dev-8"', '"id": "dev-9"'),
    ],
)
def test_whatever_shapes_the_home_makes_another_shape(raw: Callable[[str], bytes], old: str, new: str) -> None:
    """Architecture: the shape is keyed by its exact value."""
    cache = ShapeCache()
    text = raw("sample8").decode()
    assert old in text
    first = load_home(text.encode(), cache)
    second = load_home(text.replace(old, new, 1).encode(), cache)
    assert second.shape is not first.shape


def test_online_is_state(raw: Callable[[str], bytes]) -> None:
    """service.md: `online` stands beside `name`; a device that drops off changes no shape."""
    cache = ShapeCache()
    document = json.loads(raw("sample8"))
    first = load_home(json.dumps(document).encode(), cache)
    document["devices"][0]["online"] = False
    second = load_home(json.dumps(document).encode(), cache)
    assert second.shape is first.shape
    assert (first.is_online("dev-1"), second.is_online("dev-1")) == (True, False)


def test_the_cache_is_bounded(raw: Callable[[str], bytes]) -> None:
    """Seed 004 §4.1: many homes may come; the least recently used go first."""
    cache = ShapeCache(shapes=2, homes=2)
    texts = [raw("sample8").replace("油烟机".encode(), ("机" * (number + 3)).encode()) for number in range(3)]
    for text in texts:
        load_home(text, cache)
    assert cache.compiled == 3
    load_home(texts[2], cache)
    assert cache.compiled == 3
    load_home(texts[0], cache)
    assert cache.compiled == 4


def test_equal_edges_are_told_apart(raw: Callable[[str], bytes]) -> None:
    """Two homes of one length and equal ends are never taken for each other."""
    cache = ShapeCache()
    text = raw("sample8")
    other = text.replace(b'"level": 20', b'"level": 21')
    assert len(other) == len(text)
    assert load_home(text, cache).properties["dev-6"]["level"] == 20
    assert load_home(other, cache).properties["dev-6"]["level"] == 21
    assert load_home(text, cache).properties["dev-6"]["level"] == 20


def test_a_bad_home_is_not_kept() -> None:
    """service.md: a bad frame harms only itself."""
    cache = ShapeCache()
    bad = b'{"model": {}, "devices": [{"id": "a", "device": {"model": "x"}}]}'
    for _ in range(2):
        with pytest.raises(BadHome) as caught:
            load_home(bad, cache)
        assert caught.value.path == "devices[0].device.model"
    assert cache.compiled == 0
