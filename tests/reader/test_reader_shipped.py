"""The shipped network beside the rules: it acts on nothing that the rules let be, and stays small (commands.md)."""

import json
import random
from functools import cache
from pathlib import Path

import pytest

from context_retrieval.models import DeviceType
from tingdong.commands import LocalParser
from tingdong.commands.reading import NameTable, Verdict
from tingdong.reader import TogetherReader, all_readers, sentence_reader
from tingdong.reader.spots import SentenceSpotter
from tingdong.reader.training.framing import Framer
from tingdong.reader.training.requests import request
from tingdong.reader.training.samples import phrases

ROOT = Path(__file__).parents[2]
DATA = ROOT / "src" / "tingdong" / "reader" / "data"


@cache
def together() -> TogetherReader:
    return TogetherReader(LocalParser())


def cases(name: str) -> list[dict[str, object]]:
    lines = (ROOT / "tests" / "corpus" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("name", ["commands_dev", "commands_second", "commands_more_a", "commands_more_e"])
def test_the_network_alone_never_acts_on_a_sentence_without_a_request(name: str) -> None:
    """commands.md: of the sentences that ask for nothing, only such as the rules read commands in have any."""
    rules, reader = LocalParser(), together()
    negatives = [str(case["text"]) for case in cases(name) if "UNKNOWN" in str(case["gold"])]
    assert len(negatives) >= 15
    acted = [text for text in negatives if reader.read(text).commands and not rules.read(text).commands]
    assert acted == []


def test_a_request_held_back_is_not_accepted() -> None:
    """Law 2 of the architecture: refused, put off, told, asked or taken back, no request is accepted as it stands."""
    framer = Framer(SentenceSpotter(), phrases(), random.Random(4))
    held = [(framer.empty(bare), bare) for bare in (request(phrases(), random.Random(seed)) for seed in range(120))]
    readings = [(together().read(frame.text), bare) for frame, bare in held]
    accepted = [r.text for r, bare in readings if r.verdict is Verdict.ACCEPT and r.commands == bare.commands]
    assert accepted == []


def test_most_of_the_open_sets_is_right() -> None:
    """The weights in the package are those that were measured: at least 98 of 100 on sentences they were trained on."""
    right = 0
    found = cases("commands_dev")[:120]
    reader = all_readers()["reader"]
    for case in found:
        commands = [str(command) for command in reader.read(str(case["text"])).commands]
        right += (commands or ["UNKNOWN-*-*#Unknown#one"]) == case["gold"]
    assert right >= 0.95 * len(found)


def test_a_name_of_the_home_is_read_as_it_is() -> None:
    """A home's names win over the lexicon with the network as without it."""
    names = NameTable({"开心果": DeviceType.LIGHT}, frozenset({"书香阁"}))
    reading = sentence_reader().read("麻烦把书香阁里那个开心果给关了呗", names)
    assert [str(command) for command in reading.commands] == ["关闭-书香阁-开心果#Light#one"]


def test_the_weights_are_small() -> None:
    """No more than 8 MB of package data (docs/reader.md)."""
    assert sum(path.stat().st_size for path in DATA.iterdir()) <= 8_000_000


@pytest.mark.parametrize("text", ["", "  ", "。。。", "开" * 3000, "\x00\ud800", "🏠" * 50, "灯" * 81])
def test_no_text_raises(text: str) -> None:
    """Whatever the text, there is a reading of it."""
    assert together().read(text).text == text


@pytest.mark.parametrize("text", ["打开İ灯", "打开ßßß灯，打开第二盏灯", "ŉŉŉ你好，把ǰ灯关了", "把灯" * 1500])
def test_letters_that_grow_when_folded_are_read(text: str) -> None:
    """commands.md: reading never raises, whatever letters a name has and however long the text is."""
    assert sentence_reader().read(text).text == text


@pytest.mark.parametrize("room", ["卧室", "客厅"])
def test_a_room_said_right_before_a_thing_is_its_room(room: str) -> None:
    """commands.md, SCOPE: what was left out in one clause is not the room of the next clause's thing."""
    commands = sentence_reader().read(f"除了厨房的灯都打开，{room}空调调到24度").commands
    assert [str(one) for one in commands] == [
        "打开-*,!厨房-*#Light#except",
        f"设置温度=24C-{room}-*#AirConditioner#all",
    ]
