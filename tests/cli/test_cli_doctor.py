"""`tingdong doctor` and `--version`: what is installed, configured and reachable, and what is not (docs/cli.md)."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def test_the_version_is_told(tingdong: Any) -> None:
    """`tingdong --version` prints one line."""
    done = tingdong("--version")
    assert done.status == 0
    assert done.out.startswith("tingdong ")


def test_without_settings_everything_works(tingdong: Any) -> None:
    """The embedded default needs nothing else: no finding is a fault, and each extra is named."""
    done = tingdong("doctor")
    said = done.out
    assert done.status == 0
    assert "FAULT" not in said
    assert all(word in said for word in ("commands", "front desk", "extra server", "in memory", "none configured"))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("pages: {store: 'redis://127.0.0.1:PORT/0'}", "does not answer"),
        ("llm: {base_url: 'http://127.0.0.1:PORT/v1', model: qwen3}", "nobody listens"),
        ("pages: {stores: memory}", "pages.stores"),
    ],
)
def test_a_configured_part_that_is_missing_is_a_fault(
    tingdong: Any, tmp_path: Path, free_port: Any, text: str, fault: str
) -> None:
    """A store or a model that cannot be reached, and a setting that nobody knows, are named; exit status 1."""
    settings = tmp_path / "settings.yaml"
    settings.write_text(text.replace("PORT", str(free_port())))
    done = tingdong("doctor", "--settings", str(settings))
    assert done.status == 1
    (line,) = [line for line in done.out.splitlines() if line.startswith("FAULT")]
    assert fault in line


def test_a_store_that_answers_is_told(tingdong: Any, redis_url: str, tmp_path: Path) -> None:
    """A Redis that is there is found."""
    settings = tmp_path / "settings.yaml"
    settings.write_text(f"pages: {{store: '{redis_url}'}}")
    done = tingdong("doctor", "--settings", str(settings))
    assert done.status == 0
    assert "the store answers" in done.out


@pytest.mark.parametrize(("row", "said"), [("小月亮: 台灯", "1, from "), ("小太阳: 台灯", "小太阳")])
def test_own_words_are_told_without_the_server_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: str, said: str
) -> None:
    """What `pip install .` brings is enough to learn how many words of one's own there are, or what is wrong."""
    (tmp_path / "house.yaml").write_text(f"words: {{{row}}}\n", encoding="utf-8")
    source = """
import sys
sys.modules["pydantic_settings"] = None
from importlib import util
found = util.find_spec
util.find_spec = lambda name, *more: None if name == "pydantic_settings" else found(name, *more)
from tingdong.cli import main
main(["doctor"])
"""
    monkeypatch.setenv("TINGDONG_WORDS", str(tmp_path))
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False)
    (line,) = [line for line in done.stdout.splitlines() if "own words" in line]
    assert said in line
    assert done.returncode == (0 if line.startswith("ok") else 1)
