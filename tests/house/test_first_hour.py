"""What a newcomer meets in the first hour: as documented, and safe."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from tingdong.api.homes import Home

ROOT = Path(__file__).parents[2]
HOMES = ROOT / "tests" / "corpus" / "homes"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def test_no_page_installs_from_an_index_what_is_not_there() -> None:
    """Until it is published it is installed from its folder (`pip install .`), on every page and in every message."""
    sources = [*PAGES, *ROOT.glob("src/**/*.py")]
    asked = re.compile(r"pip install '?(?:-U )?tingdong")
    assert [page.name for page in sources if asked.search(page.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_command_is_put_on_the_path_before_it_is_used(name: str) -> None:
    """`$ tingdong` stands in the README only after the line that puts it on the path."""
    text = (ROOT / name).read_text(encoding="utf-8")
    assert 0 < text.index(". .venv/bin/activate") < text.index("$ tingdong")


def test_an_example_outside_the_environment_says_what_to_do() -> None:
    """One line and no traceback where Pydantic AI or TingDong is missing."""
    example = ROOT / "examples" / "agent_pydantic_ai.py"
    done = subprocess.run([sys.executable, "-I", "-S", str(example)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert ".venv/bin/pip install" in done.stderr


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node on this machine")
def test_without_a_websocket_the_javascript_client_says_what_to_do() -> None:
    """javascript.md: Node 20 needs a flag, and whoever leaves it out is told which."""
    client = (ROOT / "src" / "tingdong" / "service" / "web" / "js" / "client.js").as_uri()
    script = f'globalThis.WebSocket = undefined; new (await import("{client}")).PipeClient("ws://127.0.0.1:1")'
    done = subprocess.run(
        ["node", "--no-warnings", "--input-type=module", "-e", script], capture_output=True, text=True, check=False
    )
    assert "start Node 20 with --experimental-websocket" in done.stderr


def test_no_address_is_a_placeholder() -> None:
    """What is shipped links to nothing that cannot exist (example.invalid)."""
    shipped = [*ROOT.glob("integrations/*/custom_components/**/*.json"), ROOT / "pyproject.toml"]
    assert [path.name for path in shipped if ".invalid" in path.read_text(encoding="utf-8")] == []


def test_addresses_of_the_project_can_be_reached_or_are_left_out() -> None:
    """`project.urls` holds no address until there is a public one (docs/decisions/0015-no-public-address.md)."""
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"].get("urls", {})
    placeholder = re.compile(r"example\.|\.invalid|\.test\b|localhost|127\.0\.0\.1|^(?!https://)")
    assert {name: url for name, url in urls.items() if placeholder.search(url)} == {}


def _closure(name: str, extras: Iterable[str], found: dict[str, set[str]]) -> None:
    """What installing a distribution with its extras brings, by name."""
    wanted = {"", *extras} - found.setdefault(name.lower().replace("_", "-"), set())
    if not wanted:
        return
    found[name.lower().replace("_", "-")] |= wanted
    for line in metadata.requires(name) or ():
        asked = Requirement(line)
        if any(asked.marker is None or asked.marker.evaluate({"extra": extra}) for extra in wanted):
            _closure(asked.name, asked.extras, found)


def test_the_size_of_the_demo_is_as_the_page_says() -> None:
    """quickstart.md: what `make demo` installs, within a fifth (its extras `cli` and `server`, and pip)."""
    told = re.search(
        r"`make demo` and `make run` install (\d+) MB", (ROOT / "docs" / "quickstart.md").read_text("utf-8")
    )
    assert told is not None
    brought: dict[str, set[str]] = {"pip": {""}}
    _closure("tingdong", ["cli", "server"], brought)
    files = [file.locate() for name in brought for file in metadata.files(name) or ()]
    blocks = sum(-(-Path(str(file)).stat().st_size // 4096) for file in files if Path(str(file)).is_file())
    assert abs(blocks * 4096 / 1e6 - int(told[1])) < int(told[1]) / 5


def test_one_version_everywhere() -> None:
    """The package, the JavaScript client, the Home Assistant integration and the changelog name one version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    manifests = [
        ROOT / "integrations" / "javascript" / "package.json",
        ROOT / "integrations" / "home_assistant" / "custom_components" / "tingdong" / "manifest.json",
    ]
    assert [json.loads(path.read_text(encoding="utf-8"))["version"] for path in manifests] == [project] * 2
    assert f"## [{project}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.fixture
def home() -> Any:
    return Home.load(HOMES / "flat25.json", local="客厅")


@pytest.mark.parametrize("name", sorted(path.name for path in HOMES.glob("*.json")))
def test_first_questions_to_a_home_are_answered(name: str) -> None:
    """In every home of the open sets: an answer that says something, and nothing is switched."""
    document = json.loads((HOMES / name).read_bytes())
    room = document["devices"][0]["local"]
    home = Home.load(document, local=room)
    for text in ("家里有什么设备", "家里有几盏灯", "你能做什么", "帮助", f"{room}灯怎么打不开", f"{room}有什么"):
        turn = home.say(text)
        assert (turn.kind, list(turn.instructs)) == ("answer", []), text
        assert len(turn.text) > 5
        assert "没听明白" not in turn.text
    thanked = home.say("谢谢")
    assert (thanked.text, list(thanked.instructs)) == ("不客气。", [])


def test_a_list_of_devices_counts_sensors_too(home: Any) -> None:
    """家里有什么设备 counts sensors too, and a room lists its thermometer."""
    assert home.say("家里有什么设备").text.startswith("家里有25个设备")
    assert "温度计" in home.say("客厅有什么").text


def test_words_of_the_turn_win_over_the_context(home: Any) -> None:
    """A brightness after a curtain is about the lamps of the room that is named; a question lists its own room."""
    home.say("卧室窗帘关上")
    turn = home.say("客厅亮度调到80%")
    assert {one.id for one in turn.instructs} in ({"dev-1"}, {"dev-1", "dev-2"})
    home.say("空调调到24度")
    asked = home.say("儿童房有什么")
    assert (asked.kind, list(asked.instructs)) == ("answer", [])
    assert "儿童房" in asked.text


def test_playing_never_switches_a_thing_on() -> None:
    """关掉油烟机 → 播放音乐: the hood stays off (every verb and kind: tests/home/test_home_switching_on.py)."""
    home = Home.load(HOMES / "sample8.json", local="厨房")
    home.say("关掉油烟机")
    turn = home.say("播放音乐")
    assert [one.id for one in turn.instructs if one.id == "dev-8"] == []


def test_a_question_about_one_device_takes_a_yes() -> None:
    """你是说孵蛋箱吗 offers yes and no, not the room where it stands; the yes does it."""
    model = {"m": {"name": "incubator", "describe": "孵蛋箱", "property": {"power": {"type": "bool"}}}}
    device = {"id": "d1", "name": "孵蛋箱", "local": "鸡舍", "device": {"model": "m", "state": {"power": False}}}
    home = Home.load({"layout": ["鸡舍", "客厅"], "model": model, "devices": [device]}, local="客厅")
    asked = home.say("蛋蛋箱子开着吗")
    assert "你是说孵蛋箱吗" in asked.text
    assert asked.options == ("确认", "算了")
    assert home.say("确认").text == "鸡舍孵蛋箱关着。"
