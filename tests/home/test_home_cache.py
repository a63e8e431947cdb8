"""Homes and shapes are kept by their exact value (architecture, "Home = shape + state")."""

import json
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tingdong.errors import BadHome
from tingdong.home.cache import HomeStore, load_home, read_home
from tingdong.home.changed import differing
from tingdong.home.home import HomeSnapshot


def test_the_same_bytes_are_not_decoded_again(raw: Callable[[str], bytes]) -> None:
    """service.md: unchanged homes are not decoded or indexed again, even when the bytes are another object."""
    cache = HomeStore()
    first = load_home(raw("villa120"), cache)
    assert load_home(bytes(bytearray(raw("villa120"))), cache) is first
    assert (cache.decoded, cache.compiled) == (1, 1)


def test_a_state_change_does_not_recompile(raw: Callable[[str], bytes]) -> None:
    """Architecture: obeying a command changes state, so a state change must never recompile."""
    cache = HomeStore()
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
def test_a_changed_layout_or_model_compiles_a_new_shape(raw: Callable[[str], bytes], old: str, new: str) -> None:
    """Architecture: the shape is keyed by its exact value."""
    cache = HomeStore()
    text = raw("sample8").decode()
    assert old in text
    first = load_home(text.encode(), cache)
    second = load_home(text.replace(old, new, 1).encode(), cache)
    assert second.shape is not first.shape


def test_online_is_state(raw: Callable[[str], bytes]) -> None:
    """service.md: `online` stands beside `name`; a device that drops off changes no shape."""
    cache = HomeStore()
    document = json.loads(raw("sample8"))
    first = load_home(json.dumps(document).encode(), cache)
    document["devices"][0]["online"] = False
    second = load_home(json.dumps(document).encode(), cache)
    assert second.shape is first.shape
    assert (first.is_online("dev-1"), second.is_online("dev-1")) == (True, False)


def test_the_store_is_bounded_in_bytes(raw: Callable[[str], bytes]) -> None:
    """service.md, Request frame: any number of homes may come; the least recently used go first, and the last one
    stays."""
    store = HomeStore(most_bytes=4_000_000)
    texts = [raw("sample8").replace("油烟机".encode(), f"油烟机{number}".encode()) for number in range(30)]
    for text in texts:
        load_home(text, store)
        assert store.bytes <= 4_000_000
    assert store.compiled == 30
    load_home(texts[-1], store)
    assert store.compiled == 30
    load_home(texts[0], store)
    assert store.compiled == 31
    load_home(raw("villa120"), HomeStore(most_bytes=1))


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["", "page", "other"])), max_size=30))
def test_the_store_counts_what_it_keeps(raw: Callable[[str], bytes], said: list[tuple[int, str]]) -> None:
    """However homes come, by bytes and by name, in new states and again: nothing is counted that is gone."""
    store = HomeStore(most_bytes=1_200_000)
    for number, name in said:
        text = (
            raw("sample8").replace(b"did-3768", b"did-%d" % (number // 2)).replace(b": 128", b": %d" % (100 + number))
        )
        home = load_home(text, store)
        assert home is load_home(text, store)
        if name:
            store.keep_name(text, name)
            assert store.named(name) == text
        assert store.bytes <= 1_200_000
    store.most_bytes = 0
    last = read_home(raw("villa120"), store)
    store.keep(last)
    alone = HomeStore(most_bytes=0)
    alone.keep(last)
    assert store.bytes == alone.bytes > 0


def test_homes_that_differ_in_the_middle_are_told_apart(raw: Callable[[str], bytes]) -> None:
    """Two homes of one length and equal ends are never taken for each other."""
    cache = HomeStore()
    text = raw("sample8")
    other = text.replace(b'"level": 20', b'"level": 21')
    assert len(other) == len(text)
    assert load_home(text, cache).properties["dev-6"]["level"] == 20
    assert load_home(other, cache).properties["dev-6"]["level"] == 21
    assert load_home(text, cache).properties["dev-6"]["level"] == 20


def test_a_bad_home_is_not_kept() -> None:
    """service.md: a bad frame harms only itself."""
    cache = HomeStore()
    bad = b'{"model": {}, "devices": [{"id": "a", "device": {"model": "x"}}]}'
    for _ in range(2):
        with pytest.raises(BadHome) as caught:
            load_home(bad, cache)
        assert caught.value.path == "devices[0].device.model"
    assert cache.compiled == 0


def test_one_changed_state_is_patched(raw: Callable[[str], bytes]) -> None:
    """service.md: obeying a command changes a state; the other devices are not decoded again."""
    cache = HomeStore()
    document = json.loads(raw("villa120"))
    before = load_home(json.dumps(document).encode(), cache)
    for level in (7, 77, 100, 7):
        document["devices"][3]["device"]["state"]["level"] = level
        after = load_home(json.dumps(document).encode(), cache)
        assert after.properties[document["devices"][3]["id"]]["level"] == level
        assert after.shape is before.shape
    document["devices"][5]["online"] = False
    document["devices"][6]["device"]["state"] = {}
    after = load_home(json.dumps(document).encode(), cache)
    assert not after.is_online(document["devices"][5]["id"])
    assert after.properties[document["devices"][6]["id"]] == {}
    assert (cache.decoded, cache.patched) == (1, 4)  # the fourth level was met before


_PIECES = st.one_of(
    st.text(max_size=3).map(lambda text: text.encode("utf-8", "replace")),
    st.sampled_from([b"{", b"}", b"[", b"]", b",", b":", b'"', b"1", b"true", b"false", b"null", b"{}", b'"a":1,']),
    st.sampled_from([b'"online":false,', b'"id":"dev-1",', b'"state":{},', b'"devices":[],', b'},{"id":"x"', b"\\"]),
)


@given(st.lists(st.tuples(st.integers(0, 3_000), st.integers(0, 40), _PIECES), min_size=1, max_size=3))
@example([(1_500, 0, b" ")])
def test_a_patched_home_is_the_home(raw: Callable[[str], bytes], edits: list[tuple[int, int, bytes]]) -> None:
    """A known home and an edit of its bytes give what the edited bytes alone give: the same home, or the same refusal
    (law: keys are the exact value)."""
    text = json.dumps(json.loads(raw("sample8")), separators=(",", ":")).encode()
    cache = HomeStore()
    load_home(text, cache)
    edited = text
    for at, cut, piece in edits:
        edited = edited[: at % len(edited)] + piece + edited[at % len(edited) + cut :]
    assert _result(edited, cache) == _result(edited, HomeStore())


def _result(text: bytes, cache: HomeStore) -> object:
    try:
        home: HomeSnapshot = load_home(text, cache)
    except BadHome:
        return None
    shape = home.shape
    return home.properties, home.online, shape.devices, shape.rooms, shape.groups, shape.scenes


@given(st.binary(max_size=12), st.binary(max_size=12))
def test_a_patch_finds_every_difference(old: bytes, new: bytes) -> None:
    """Before and behind the difference two texts are the same, and it could not be narrower at either end."""
    start, old_end, new_end = differing(old, new)
    assert (old[:start], old[old_end:]) == (new[:start], new[new_end:])
    assert start <= min(old_end, new_end)
    if start < min(old_end, new_end):
        assert old[start] != new[start]
        assert old[old_end - 1] != new[new_end - 1]
