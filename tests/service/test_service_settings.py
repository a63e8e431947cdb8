"""Settings: file, environment, defaults, and refusal with a name (architecture, One composition root)."""

from pathlib import Path

import pytest

from tingdong.doors import access_rules
from tingdong.errors import DataError
from tingdong.llm.openai_model import ModelOptions
from tingdong.service.tokens import JwtRules
from tingdong.settings import load_settings


def test_the_defaults_are_those_of_the_specification() -> None:
    """小牛 is the wake word, Asia/Shanghai the zone, memory the store, and no language model is asked (service.md)."""
    settings = load_settings()
    assert settings.wake_words == ("小牛",)
    assert settings.time_zone == "Asia/Shanghai"
    assert (settings.pages.url, settings.llm, settings.when_mode) == (None, None, "when")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s.yaml", "wake_words: [小智]\nlimits:\n  in_flight: 3\n"),
        ("s.toml", 'wake_words = ["小智"]\n[limits]\nin_flight = 3\n'),
        ("s.json", '{"wake_words": ["小智"], "limits": {"in_flight": 3}}'),
    ],
)
def test_a_file_sets_them_and_the_environment_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    """YAML, TOML or JSON; an environment variable goes over the file, and what neither names stays."""
    (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setenv("TINGDONG_LIMITS__FRAME_BYTES", "4096")
    monkeypatch.setenv("TINGDONG_WAKE_WORDS", '["小鹿"]')
    settings = load_settings(tmp_path / name)
    assert settings.wake_words == ("小鹿",)
    assert (settings.limits.in_flight, settings.limits.frame_bytes, settings.limits.connections) == (3, 4096, 2_000)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("limits: {frame_byte: 1}", "limits.frame_byte"),
        ("limits: {frame_bytes: 1}", "limits.frame_bytes"),
        ("time_zone: Mars/Olympus", "time_zone"),
        ("when_mode: later", "when_mode"),
        ("pages: {store: 'mysql://x'}", "pages.store"),
        ("llm: {model: x}", "llm.base_url"),
        ("wake_words: ['']", "wake_words"),
        ("- a list", "mapping"),
        ("a: b: c", "s.yaml"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, named: str) -> None:
    """A typing error in a settings file stops the start and names file and key."""
    path = tmp_path / "s.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(DataError) as refused:
        load_settings(path)
    assert named in refused.value.message
    assert str(path) in refused.value.message


def test_secrets_are_not_shown() -> None:
    """Tokens never reach a log by way of the settings."""
    settings = load_settings(
        bearer_token="hush-hush-hush",
        llm={"base_url": "x", "model": "m", "api_key": "sesame"},
        pages={"store": "redis://pages:swordfish@127.0.0.1:6379/0"},
    )
    for shown in (repr(settings), str(settings), settings.model_dump_json()):
        assert not {word for word in ("hush", "sesame", "swordfish") if word in shown}
    assert settings.pages.url == "redis://pages:swordfish@127.0.0.1:6379/0"


def test_objects_with_secrets_do_not_print_them() -> None:
    """Nor by way of what is made of the settings: rules, keys, options of a model."""
    settings = load_settings(
        tenants=[{"name": "villa", "token": "hush-hush-hush-hush"}],
        jwt={"key": "swordfish " * 4, "algorithms": ["HS256"]},
        llm={"base_url": "x", "model": "m", "api_key": "sesame"},
    )
    assert settings.llm is not None
    assert settings.jwt is not None
    made = (
        access_rules(settings),
        JwtRules(settings.jwt.key.get_secret_value(), settings.jwt.algorithms),
        ModelOptions("x", "m", api_key=settings.llm.api_key.get_secret_value()),
    )
    for shown in map(repr, made):
        assert not {word for word in ("hush", "sesame", "swordfish") if word in shown}


def test_a_secret_that_is_too_short_is_counted_in_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the setting and its bound, and never the secret."""
    monkeypatch.setenv("TINGDONG_BEARER_TOKEN", "oyster")
    with pytest.raises(DataError, match=r"bearer_token: .* at least 8 characters, not 6") as told:
        load_settings()
    assert "oyster" not in str(told.value)
