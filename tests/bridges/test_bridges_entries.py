"""Every way into the package reads one sentence alike (commands.md; retrieval.md, Calls; service.md, Request frame)."""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_retrieval.catalog import Catalog
from context_retrieval.demo_data import DEVICES, GROUPS, SCENES
from context_retrieval.models import Command
from context_retrieval.protocol import or_unknown
from tingdong.batch import ParseLine, parse_line
from tingdong.bridges.embedded_llm import EmbeddedLLM
from tingdong.commands import LocalParser, NameTable
from tingdong.home_turn import TurnRequest, Understander
from tingdong.reader import sentence_reader
from tingdong.stores import MemoryPageStore

ROOMS = ("客厅", "卧室", "书房", "厨房", "阳台", "餐厅")
FRAMES = (
    ("打开{}的灯", "打开-{}-*#Light#all", ","), ("把{}空调关了", "关闭-{}-*#AirConditioner#all", ","),
    ("{}的窗帘都关上", "关闭-{}-*#Blind#all", ","), ("打开除{}以外的灯", "打开-*,!{}-*#Light#except", ",!"),
    ("除了{}，其他灯都关了", "关闭-*,!{}-*#Light#except", ",!"),
)  # fmt: skip
SEPARATORS = ("，", ",", " ", "、", "和")
NAMES = NameTable(rooms=frozenset(ROOMS))
HOME = (Path(__file__).parent.parent / "corpus" / "homes" / "taipei36.json").read_bytes()

Entry = Callable[[str], list[str]]


def strings(commands: Sequence[Command]) -> list[str]:
    return [str(command) for command in or_unknown(commands)]


def served(text: str) -> list[str]:
    """The reading that a turn of the service stands on."""
    turn = asyncio.run(Understander(MemoryPageStore()).turn(TurnRequest("r", "page", text, home=HOME)))
    assert turn.decision is not None
    assert turn.decision.reading is not None
    return strings(turn.decision.reading.commands)


RULES, READER = LocalParser(), sentence_reader()
EMBEDDED, OF_CATALOG = EmbeddedLLM(), EmbeddedLLM(Catalog.build(DEVICES, GROUPS, SCENES))
ENTRIES: dict[str, Entry] = {
    "rules": lambda text: strings(RULES.read(text).commands),
    "rules in a home": lambda text: strings(RULES.read(text, NAMES).commands),
    "reader": lambda text: strings(READER.read(text).commands),
    "reader in a home": lambda text: strings(READER.read(text, NAMES).commands),
    "tingdong parse": lambda text: parse_line(ParseLine(text))["commands"],
    "EmbeddedLLM": lambda text: strings(EMBEDDED.parse(text).commands),
    "EmbeddedLLM of a catalog": lambda text: strings(OF_CATALOG.parse(text).commands),
    "service": served,
}


def test_a_service_home_is_accepted_as_input() -> None:
    """service.md, Home: the home that the service's turn is about has devices."""
    assert json.loads(HOME)["devices"]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from(ROOMS), min_size=2, max_size=3, unique=True), st.data(), st.sampled_from(FRAMES),
)  # fmt: skip
def test_every_entry_reads_a_list_of_places_alike(
    rooms: list[str], data: st.DataObject, frame: tuple[str, str, str]
) -> None:
    """commands.md, SCOPE: all rooms of a list, included or left out, at every entry; the arbiter loses none of them."""
    said = rooms[0]
    for room in rooms[1:]:
        said += data.draw(st.sampled_from(SEPARATORS)) + room
    expected = [frame[1].format(frame[2].join(rooms))]
    assert {name: read(frame[0].format(said)) for name, read in ENTRIES.items()} == dict.fromkeys(ENTRIES, expected)


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("打开除了老伙计以外的灯", ["打开-*-*,!老伙计#Light#except"]),
        ("打开卧室的那个灯", ["打开-卧室-@last#Light#one"]),
        ("把那盏灯关了", ["关闭-*-@last#Light#one"]),
        ("打开两盏灯", ["打开-*-*#Light#any#2"]),
        ("别开灯", ["UNKNOWN-*-*#Unknown#one"]),
        ("家里没人时，关闭空调", ["UNKNOWN-*-*#Unknown#one"]),
        ("把客厅 厨房的灯关了", ["关闭-客厅,厨房-*#Light#all"]),
    ],
)
def test_every_entry_reads_alike(text: str, commands: list[str]) -> None:
    """commands.md: a reference, a name that is left out, a number, a refusal and a condition nobody can say."""
    assert {name: read(text) for name, read in ENTRIES.items()} == dict.fromkeys(ENTRIES, commands)
