"""One loader of YAML for data and settings: a key that stands twice is an error, never lost in silence."""

from pathlib import Path

import pytest

from context_retrieval.strict_yaml import YAMLError, parse_yaml
from tingdong.errors import DataError
from tingdong.front_desk import directory, domain
from tingdong.settings import load_settings


@pytest.mark.parametrize(
    "text", ["a: 1\na: 2", "x: {b: 1, b: 1}", "- {c: 1, c: 2}", "? [1]\n: 2", "? {a: 1}\n: 2", "a: ["]
)
def test_what_yaml_would_drop_silently_is_an_error(text: str) -> None:
    """At any depth, with the line; so are keys that are no words, and broken YAML. The message is one line."""
    with pytest.raises(YAMLError, match=r"\Aline [12], column \d+: .+\Z"):
        parse_yaml(text)


def test_valid_yaml_is_kept() -> None:
    """Scalars have their types, and a merged key may be said again."""
    assert parse_yaml("base: &b {q: 1, no: x}\nc: {<<: *b, q: 2}") == {
        "base": {"q": 1, False: "x"},
        "c": {"q": 2, False: "x"},
    }


def test_files_of_users_say_where_a_key_stands_twice(tmp_path: Path) -> None:
    """Settings, a domain and a directory are files that people write."""
    settings = tmp_path / "settings.yaml"
    settings.write_text("turn_seconds: 1\nturn_seconds: 2\n", "utf-8")
    twice = b"name: a\nname: b\n"
    for load in (
        lambda: load_settings(settings),
        lambda: directory.parse(twice, name="settings.yaml"),
        lambda: domain.parse(twice, name="settings.yaml"),
    ):
        with pytest.raises(DataError, match=r"settings\.yaml(.|\n)*duplicate key"):
            load()
