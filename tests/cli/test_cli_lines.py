"""The command line keeps its contract (docs/cli.md): order, ids, errors beside answers, exit status."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tingdong.cli.app import EXTRAS

Run = Callable[..., tuple[int, list[Any]]]


@pytest.fixture
def run(tingdong: Any) -> Run:
    """Exit status, and the answers."""

    def answers(*arguments: str, given: bytes = b"") -> tuple[int, list[Any]]:
        done = tingdong(*arguments, given=given)
        return done.status, [json.loads(line) for line in done.out.splitlines()]

    return answers


def test_parse_answers_line_by_line_in_order(run: Run) -> None:
    """`tingdong parse --jsonl`: id, commands, confidence in 0..1 and tier for each line, unknown fields ignored."""
    lines = [
        {"id": "a", "text": "打开卧室顶灯调到50%"},
        {"id": 7, "text": "今天天气不错", "more": 1},
        {"text": "关闭所有灯"},
        {"id": "e", "text": ""},
    ]
    given = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode() + b"\n\n"
    status, answers = run("parse", "--jsonl", given=given)
    assert status == 0
    assert [answer["id"] for answer in answers] == ["a", 7, None, "e"]
    assert [answer["commands"] for answer in answers] == [
        ["打开-卧室-顶灯#Light#one", "设置亮度=50%-卧室-顶灯#Light#one"],
        ["UNKNOWN-*-*#Unknown#one"],
        ["关闭-*-*#Light#all"],
        ["UNKNOWN-*-*#Unknown#one"],
    ]
    assert all(0 <= answer["confidence"] <= 1 and answer["tier"] == "local" for answer in answers)


UNREADABLE = {
    b"{not json": None,
    b'{"id": "x"}': "x",
    b'{"id": 5, "text": 7}': 5,
    b'["text"]': None,
    b'{"id": "u", "text": "\xff"}': "u",
}


def test_an_unreadable_line_is_answered_and_the_rest_goes_on(run: Run) -> None:
    """Input that cannot be read: the line's answer says so, the next line is served, exit status 1 at the end."""
    good = '{"id": "next", "text": "开灯"}'.encode()
    status, answers = run("parse", "--jsonl", given=b"\n".join(line + b"\n" + good for line in UNREADABLE))
    assert status == 1
    assert [(answer["id"], set(answer)) for answer in answers[::2]] == [
        (name, {"id", "error"}) for name in UNREADABLE.values()
    ]
    assert [answer["commands"] for answer in answers[1::2]] == [["打开-*-*#Light#all"]] * len(UNREADABLE)


def test_several_processes_give_the_same_answers_in_the_same_order(run: Run) -> None:
    """`--jobs` changes nothing but the time: 600 lines, one of them broken, come out alike."""
    sentences = ["打开卧室顶灯", "关闭所有灯", "今天天气不错"] * 200
    lines = [json.dumps({"id": number, "text": text}) for number, text in enumerate(sentences)]
    lines[300] = "{broken"
    given = "\n".join(lines).encode()
    assert run("parse", "--jsonl", "--jobs", "2", given=given) == run("parse", "--jsonl", given=given)


def test_parse_prints_the_array_of_a_sentence(run: Run) -> None:
    """A sentence on the command line prints its strict JSON array (the protocol's example)."""
    status, answers = run("parse", "打开卧室顶灯调到50%")
    assert status == 0
    assert answers == [["打开-卧室-顶灯#Light#one", "设置亮度=50%-卧室-顶灯#Light#one"]]


@pytest.mark.parametrize(
    "command", [("parse",), ("retrieve", "--home", "home.json"), ("route", "--directory", "hospital.yaml")]
)
def test_nothing_to_read_is_a_mistake_of_use(tingdong: Any, command: tuple[str, ...]) -> None:
    """Neither a sentence nor `--jsonl`: status 2 and what to give, instead of silence."""
    done = tingdong(*command)
    assert (done.status, done.out) == (2, "")
    assert "give a sentence" in done.err


def test_a_front_desk_has_no_server_to_talk_to(tingdong: Any) -> None:
    """`chat --url` is for a home; for a front desk it is said, and not passed over in silence (docs/cli.md)."""
    done = tingdong("chat", "--domain", "hospital", "--url", "ws://127.0.0.1:1")
    assert done.status == 2
    assert "--url" in done.err


LLM = "llm: {base_url: 'http://127.0.0.1:9/v1', model: none}"
REDIS = "pages: {store: 'redis://127.0.0.1:9/0'}"
JWT = "jwt: {key: 'a secret of thirty-two characters', algorithms: [HS256]}"


@pytest.mark.parametrize(
    ("lacks", "command", "settings", "extra"),
    [
        ("rich", "chat", "", "cli"),
        ("websockets", "chat --url ws://127.0.0.1:9", "", "server"),
        ("uvicorn", "serve --port 0", "", "server"),
        ("pydantic", "serve --port 0", "", "server"),
        ("prometheus_client", "serve --port 0", "", "server"),
        ("openai", "serve --port 0 --settings {}", LLM, "llm"),
        ("redis", "serve --port 0 --settings {}", REDIS, "redis"),
        ("jwt", "serve --port 0 --settings {}", JWT, "auth"),
        ("openai", "retrieve --home {home} 开灯 --settings {}", LLM, "llm"),
        ("mcp", "mcp", "", "mcp"),
        ("wyoming", "wyoming --uri tcp://127.0.0.1:0", "", "voice"),
    ],
)
def test_a_missing_extra_is_named(tmp_path: Path, lacks: str, command: str, settings: str, extra: str) -> None:
    """A command whose packages are not installed says in one line which extra brings them (docs/quickstart.md)."""
    file = tmp_path / "settings.yaml"
    file.write_text(settings, "utf-8")
    home = Path(__file__).parents[1] / "corpus" / "homes" / "sample8.json"
    arguments = command.format(file, home=home).split()
    program = f"import sys; sys.modules[{lacks!r}] = None; from tingdong.cli import main; main({arguments!r})"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120, input=""
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert f"pip install '.[{extra}]'" in done.stderr


def test_extras_that_commands_name_exist() -> None:
    """Every extra that a command may name is one of the package's."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(EXTRAS.values()) <= set(project["optional-dependencies"])


def test_parse_starts_without_the_service() -> None:
    """Heavy parts are imported by the command that needs them: parsing loads no server, client or settings."""
    code = (
        "import sys, tingdong.cli.reading, tingdong.cli.app; from tingdong.commands import LocalParser;"
        "LocalParser().read('开灯');"
        "heavy = {'uvicorn', 'starlette', 'pydantic', 'openai', 'websockets', 'rich'};"
        "print(sorted(heavy & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_parse_explained_tells_what_was_heard(tingdong: Any) -> None:
    """`tingdong parse --explain`: what was heard, what was understood, and what is only asked about."""
    made, asked = (
        tingdong("parse", "--explain", text).out.splitlines()[1:5] for text in ("空条打开", "空调调到二十五五度")
    )
    assert made[:2] == ["heard: 空条打开", "understood: 空调打开"]
    assert made[2].startswith("  1-2: 条 -> 调 understood, ")
    assert asked[2] == "asked about: 空调调到二十五度"
    assert " in doubt, " in asked[3]


def test_parse_takes_alternatives(run: Run, tingdong: Any) -> None:
    """An optional `alternatives` of a line and `--alternative`: the text that was probably said is read."""
    line = {"id": 1, "text": "课厅空挑打凯", "alternatives": ["客厅空挑打开", "客厅空调打开"]}
    wrong = {"id": 2, "text": "开灯", "alternatives": ["开灯"] * 9}
    given = "\n".join(json.dumps(one, ensure_ascii=False) for one in (line, wrong)).encode()
    status, (read, refused) = run("parse", "--jsonl", given=given)
    assert (status, read["commands"]) == (1, ["打开-客厅-*#AirConditioner#all"])
    assert (refused["id"], list(refused)) == (2, ["id", "error"])
    told = tingdong("parse", "--explain", "课厅空挑打凯", "--alternative", "客厅空调打开").out.splitlines()
    assert told[0] == '["打开-客厅-*#AirConditioner#all"]'
    assert told[2].startswith("alternative 1: 客厅空调打开 (+")
    assert tingdong("parse", "开灯", "关灯", "--alternative", "开灯").status == 2
