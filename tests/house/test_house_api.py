"""The public interface of `import tingdong`: what people come for, in a few lines (docs/python.md)."""

import asyncio
import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest

import context_retrieval
import tingdong
from context_retrieval.demo_data import DEVICES
from tingdong.errors import BadHome

HOME = Path(__file__).parents[1] / "corpus" / "homes" / "sample8.json"


def test_importing_loads_nothing() -> None:
    """Importing is free of effects: only what is used is loaded."""
    listed = "[name for name in sys.modules if name.startswith(('tingdong.', 'context_retrieval.'))]"
    code = f"import sys, tingdong, context_retrieval; print({listed}, tingdong.__version__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("[] ")


@pytest.mark.parametrize(
    ("called", "unneeded"),
    [
        ("parse('打开灯')", {"tingdong.home_turn", "tingdong.home.home", "tingdong.front_desk.router"}),
        ("FrontDesk.load()", {"tingdong.home_turn", "tingdong.home.home"}),
    ],
)
def test_only_what_is_called_is_loaded(called: str, unneeded: set[str]) -> None:
    """A program that parses sentences loads no dialogue, and a front desk no home."""
    code = f"import sys, tingdong; tingdong.{called}; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) & unneeded == set()


@pytest.mark.parametrize("package", [tingdong, context_retrieval])
def test_every_name_is_there(package: ModuleType) -> None:
    """`__all__` names what can be had, and nothing else can; both packages tell one version."""
    assert all(getattr(package, name) for name in package.__all__)
    assert package.__version__ == version("tingdong")
    assert dir(package) == sorted(package.__all__)
    with pytest.raises(AttributeError, match="nothing_of_this_name"):
        _ = package.nothing_of_this_name


async def test_retrieval_alone_takes_a_few_lines() -> None:
    """`import context_retrieval` gives what retrieval.md says, awaited or not, and loads nothing of TingDong."""
    llm = context_retrieval.FakeLLM({"打开老伙计": ["打开-*-老伙计#Light#one"]})
    catalog = context_retrieval.Catalog.build(DEVICES)
    found = context_retrieval.retrieve("打开老伙计", catalog, llm, context_retrieval.ConversationState())
    assert [candidate.entity_id for candidate in found.candidates] == ["lamp-1"]
    again = await context_retrieval.aretrieve("打开老伙计", catalog, llm, context_retrieval.ConversationState())
    assert again.candidates == found.candidates
    assert "lamp-1" in context_retrieval.summarize_devices_for_prompt(found.entities)
    code = "import sys, context_retrieval; context_retrieval.retrieve; print('tingdong' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("source", [HOME, str(HOME), HOME.read_bytes(), json.loads(HOME.read_bytes())])
def test_a_home_is_loaded_from_file_text_or_object(source: object) -> None:
    """A path, bytes or an object: one dialogue, and the home follows it (service.md, Dialogue)."""
    home = tingdong.Home.load(source, local="客厅")  # type: ignore[arg-type]
    home.say("打开空调")
    assert home.state("dev-6")["power"] is True
    assert home.say("关了").kind == "instruct"
    assert home.state("dev-6")["power"] is False


def test_a_lone_surrogate_is_ignored() -> None:
    """Broken input of a keyboard or a pipe ends no dialogue (service.md, Dialogue: what is said is kept)."""
    home = tingdong.Home.load(HOME, local="客厅\ud800")
    home.say("打开\udfff空调\ud800")
    assert home.state("dev-6")["power"] is True
    assert home.say("关了", local="客厅").kind == "instruct"


def test_a_home_without_instruct_stays_as_it_is() -> None:
    """`obeys=False`: the state is the caller's; the document handed in is never changed."""
    document = json.loads(HOME.read_bytes())
    home = tingdong.Home.load(document, local="客厅", obeys=False)
    assert home.say("打开空调").instructs
    assert home.state("dev-6")["power"] is False
    tingdong.Home.load(document, local="客厅").say("打开空调")
    assert document == json.loads(HOME.read_bytes())


@pytest.mark.parametrize(("raw", "message"), [(b"{", "JSON"), (b"[]", "对象"), (b'{"devices": 3}', "devices")])
def test_a_broken_home_is_named(raw: bytes, message: str) -> None:
    """Bad input gets a clear error in Chinese."""
    with pytest.raises(BadHome, match=message):
        tingdong.Home.load(raw)


def test_unused_parts_of_a_home_are_warned_of() -> None:
    """service.md, Home: a property of an unknown type is left out, and its place is said; the rest works."""
    lamp = {"describe": "灯", "property": {"power": {"type": "bool"}, "tint": {"type": "palette"}}}
    device = {"id": "a", "name": "灯", "local": "客厅", "device": {"model": "m", "state": {"power": False}}}
    home = tingdong.Home.load({"layout": ["客厅"], "model": {"m": lamp}, "devices": [device]})
    (warned,) = home.warnings
    assert warned.path == "model.m.property.tint.type"
    assert "palette" in warned.message
    assert home.say("开灯").instructs


async def test_async_and_sync_functions_agree() -> None:
    """Awaited or not, also where an event loop runs already (a notebook)."""
    home, other = tingdong.Home.load(HOME, local="客厅"), tingdong.Home.load(HOME, local="客厅")
    assert (await home.asay("打开空调")).text == other.say("打开空调").text
    assert await tingdong.aparse("打开灯") == tingdong.parse("打开灯")
    assert (await tingdong.aretrieve("打开老伙计", DEVICES)).candidates == tingdong.retrieve(
        "打开老伙计", DEVICES
    ).candidates
    (turn,) = await tingdong.aroute("我要缴费")
    assert turn.segments == tingdong.route("我要缴费")[0].segments
    desk = tingdong.FrontDesk.load()
    assert (await desk.asay("我要缴费")).context == desk.context


def test_it_works_from_any_thread() -> None:
    """A dialogue may go on in another thread than the one it began in."""
    home = tingdong.Home.load(HOME, local="客厅")
    home.say("打开空调")
    turn = asyncio.run(asyncio.to_thread(home.say, "关了"))
    assert [one.id for one in turn.instructs] == ["dev-6"]


@pytest.mark.parametrize(
    "text", ["Where can I park my car?", "I would like to see a doctor", "wo yao gua hao", "Hi.", "hello"]
)
def test_the_front_desk_answers_english_in_one_english_sentence(text: str) -> None:
    """What is written in letters gets one sentence that says what is understood here, and no task begins."""
    turn = tingdong.FrontDesk.load().say(text)
    assert turn.reply.startswith("Only Chinese is understood here, for example")
    assert turn.reply.count(". ") == 0
    assert turn.context.frames == ()
