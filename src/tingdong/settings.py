"""Every setting, its default and its bounds, in one place (architecture: settings → ports → service).

The first of these that names a value wins: the environment (`TINGDONG_…`, nested with `__`, as in
`TINGDONG_LIMITS__FRAME_BYTES=131072`), the settings file (YAML, TOML or JSON), the default below. An unknown key or a
value out of bounds is refused with its name. pydantic is costly to import: only the composition root imports this.
"""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from context_retrieval.strict_yaml import YAMLError, parse_yaml
from tingdong.errors import DataError

__all__ = [
    "JwtSettings",
    "Limits",
    "LlmSettings",
    "LogSettings",
    "PageSettings",
    "Settings",
    "TenantSettings",
    "load_settings",
]


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"unknown time zone {name!r}") from error
    return name


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Limits(_Section):
    """What clients may ask for; over a limit the closing frame says 413 or 429."""

    frame_bytes: int = Field(
        default=262_144, ge=1_024, description="Largest request frame, bytes of UTF-8 (over: 413)."
    )
    message_bytes: int = Field(
        default=4_194_304,
        ge=1_024,
        description="Largest WebSocket message; over it the socket closes with 1009.",
    )
    question_chars: int = Field(default=1_000, ge=1, description="Longest `question`, in characters (over: 413).")
    in_flight: int = Field(default=16, ge=1, le=32, description="Requests served at once on a connection (over: 429).")
    connections: int = Field(default=2_000, ge=1, description="Open WebSockets of this process (over: HTTP 503).")
    turn_seconds: float = Field(default=30.0, gt=0, description="Longest a turn may take (over: 504).")
    drain_seconds: float = Field(default=10.0, ge=0, description="Time for turns to finish after SIGTERM.")
    ping_seconds: float = Field(default=20.0, gt=0, description="Interval of pings on idle connections.")
    pong_seconds: float = Field(
        default=20.0, gt=0, description="A connection is closed if it answers no ping within this time."
    )
    handshake_seconds: float = Field(default=10.0, gt=0, description="A socket without a request by then is closed.")
    connection_rate: float | None = Field(
        default=1_000.0, gt=0, description="Messages a second on one connection, in the long run (over: 429)."
    )
    frame_rate: float = Field(
        default=200.0, gt=0, description="Pings, pongs and fragments a second on one socket (over: closed)."
    )
    http_connections: int = Field(default=1_000, ge=1, description="Open HTTP connections of this process (over: 503).")
    tenant_rate: float | None = Field(
        default=2_000.0, gt=0, description="Messages and `/v1` requests a second of one tenant, in the long run (429)."
    )
    burst_seconds: float = Field(default=10.0, ge=1, description="Size of a burst, in seconds of the rate.")
    tenant_connections: int | None = Field(
        default=None, ge=1, description="Open WebSockets of one tenant in this process (over: HTTP 503)."
    )


_STORE = re.compile(r"(memory|rediss?://.+|redis\+cluster://.+|unix://.+)")


def _known_store(store: SecretStr) -> SecretStr:
    if _STORE.fullmatch(store.get_secret_value()) is None:
        raise ValueError("`memory`, or a URL that begins with redis://, rediss://, redis+cluster:// or unix://")
    return store


class PageSettings(_Section):
    """Memory of dialogues (情景对话)."""

    store: Annotated[SecretStr, AfterValidator(_known_store)] = Field(
        default=SecretStr("memory"),
        description="`memory`, or the URL of a Redis (`redis+cluster://` for a cluster); never logged.",
    )
    ttl_seconds: int = Field(default=1_800, ge=1, description="An unused page is dropped after this time.")
    capacity: int = Field(default=10_000, ge=1, description="Pages in memory; the least recently used goes first.")
    memory_bytes: int = Field(default=134_217_728, ge=65_536, description="Bytes of all pages in memory.")
    homes_bytes: int = Field(default=201_326_592, ge=1_048_576, description="Bytes of all known homes of a process.")
    prefix: str = Field(default="tingdong", pattern=r"^[A-Za-z0-9_.-]+$", description="First part of every Redis key.")
    timeout_seconds: float = Field(default=1.0, gt=0, description="Longest wait for the store.")

    @property
    def url(self) -> str | None:
        """The URL of the Redis; None where pages are kept in memory."""
        store = self.store.get_secret_value()
        return None if store == "memory" else store


class LlmSettings(_Section):
    """An OpenAI-compatible server for what the local tiers leave open; none by default (docs/llm.md)."""

    base_url: str = Field(description="Root of the API, e.g. `http://127.0.0.1:8080/v1`.")
    model: str = Field(description="Model name as the server knows it.")
    api_key: SecretStr = Field(default=SecretStr(""), description="Bearer token for that server; never logged.")
    timeout_seconds: float = Field(
        default=8.0, gt=0, description="Time of a turn for all calls of models, repair and answer included."
    )
    first_token_seconds: float = Field(default=5.0, gt=0, description="Longest wait for the first token of an answer.")
    turn_tokens: int = Field(default=16_000, ge=1_000, description="Tokens of a turn, prompts and answers.")
    extra_body: dict[str, Any] = Field(default={}, description="Added to every request, unchanged.")
    constraint: Literal["regex", "json_schema", "json_object_schema", "json_object", "prompt"] | None = Field(
        default=None, description="Constraint that the server supports; found out by a request if not set."
    )
    stream: bool = Field(default=True, description="Off: answers are requested without streaming.")
    hedge_seconds: float | None = Field(
        default=None, gt=0, description="Send a second request after this silence; costs tokens. Off by default."
    )
    answers: bool = Field(default=True, description="Let the model answer open questions about the home.")
    hospital: bool = Field(default=True, description="Let the model read what the hospital's rules leave open.")
    path: Literal["old", "new", "shadow", "always"] = Field(
        default="new",
        description="`old` asks no model, `new` where the local tier is unsure, `shadow` beside the turn and only "
        "compares, `always` before the local tier.",
    )
    tenants: dict[str, Literal["old", "new", "shadow", "always"]] = Field(
        default={}, description="The path of single tenants, by name."
    )
    legacy: bool = Field(
        default=False,
        description="Also accept a model's commands without slots, `打开-卧室-顶灯`.",
    )
    first_only: bool = Field(default=False, description="Use only the first command of a model's array.")


class TenantSettings(_Section):
    """Who a bearer token speaks for; pages of one tenant are invisible to another."""

    name: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$", description="Name in logs and keys.")
    token: SecretStr = Field(min_length=16, description="Its bearer token; never logged.")
    operator: bool = Field(default=False, description="May reload and roll back the hospital's domain file.")


class JwtSettings(_Section):
    """Signed tokens (extra `auth`); a token must carry `exp` and the tenant."""

    key: SecretStr = Field(min_length=32, description="Shared secret, or public key in PEM.")
    algorithms: tuple[Literal["HS256", "HS384", "HS512", "RS256", "ES256", "EdDSA"], ...] = Field(
        default=("RS256",), min_length=1, description="Accepted algorithms."
    )
    audience: str | None = Field(default=None, description="If set, `aud` must contain it.")
    issuer: str | None = Field(default=None, description="If set, `iss` must equal it.")
    tenant_claim: str = Field(default="tenant", description="Claim that names the tenant.")
    operator_claim: str = Field(default="operator", description="Claim that is true for operators.")


class LogSettings(_Section):
    """Logs go to standard error, one JSON object a line."""

    level: Literal["debug", "info", "warning", "error"] = Field(default="info", description="Lowest level written.")
    utterances: bool = Field(default=False, description="Write utterances and device names; off: only lengths.")
    model_output: bool = Field(
        default=False, description="Write all answers of a language model unchanged, with reasons if refused."
    )


class Settings(BaseSettings):
    """All settings of a service process."""

    model_config = SettingsConfigDict(
        env_prefix="TINGDONG_", env_nested_delimiter="__", extra="forbid", frozen=True, validate_default=True
    )

    wake_words: tuple[Annotated[str, Field(min_length=1)], ...] = Field(
        default=("小牛",), description="Names of the assistant; speech to another name is ignored."
    )
    time_zone: Annotated[str, AfterValidator(_known_zone)] = Field(
        default="Asia/Shanghai", description="Zone of clock times when a request has no `now`."
    )
    when_mode: Literal["when", "question"] = Field(
        default="when",
        description="Timed requests: an instruct with `when`, or (for clients without timers) a question.",
    )
    words: Path | None = Field(
        default=None,
        description="Folder or file of YAML with words of your own (docs/own-words.md); read once, at the start.",
    )
    hospital_directory: Path | None = Field(
        default=None, description="YAML of departments and doctors of the hospital desk; the demo hospital by default."
    )
    hospital_domain: Path | None = Field(
        default=None, description="Domain file of the hospital desk; the one that ships with the package by default."
    )
    hospital_legacy: bool = Field(default=False, description="Fill `legacy_agent_code` for chains that need it.")
    bearer_token: SecretStr | None = Field(default=None, min_length=8, description="Every request must carry it.")
    bearer_token_file: Path | None = Field(
        default=None,
        description="File with the token, if no other setting configures tokens; created with a new token if missing.",
    )
    open_to_all: bool = Field(
        default=False,
        description="Serve addresses beyond this machine without a token; otherwise such an address is refused.",
    )
    tenants: tuple[TenantSettings, ...] = Field(
        default=(), description="Tenants by bearer token (`name`, `token`, `operator`); not with `bearer_token`."
    )
    jwt: JwtSettings | None = Field(default=None, description="Signed tokens that name their tenant.")
    origins: tuple[str, ...] = Field(
        default=(),
        description="`Origin`s of browser pages besides the service's own, e.g. `https://app.example.com`; `*` is all.",
    )
    limits: Limits = Field(default_factory=Limits, description="What clients may ask for.")
    pages: PageSettings = Field(default_factory=PageSettings, description="Memory of dialogues.")
    llm: LlmSettings | None = Field(default=None, description="Optional language model.")
    log: LogSettings = Field(default_factory=LogSettings, description="Logs.")

    @model_validator(mode="after")
    def _one_kind_of_token(self) -> Self:
        tokens = [tenant.token.get_secret_value() for tenant in self.tenants]
        if len(set(tokens)) < len(tokens):
            raise ValueError("tenants: two have the same token")
        if self.bearer_token is not None and (self.tenants or self.jwt):
            raise ValueError("bearer_token: cannot be combined with `tenants` or `jwt`; give the token to a tenant")
        if self.jwt is not None and len({name.startswith("HS") for name in self.jwt.algorithms}) > 1:
            raise ValueError("jwt.algorithms: a shared secret and a public key cannot be combined")
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over the settings file, which `load_settings` hands in as keyword arguments."""
        return env_settings, init_settings


_READERS: dict[str, Callable[[str], Any]] = {
    ".yaml": parse_yaml,
    ".yml": parse_yaml,
    ".toml": tomllib.loads,
    ".json": json.loads,
}


def load_settings(path: Path | None = None, **overrides: Any) -> Settings:
    """Settings from the environment and, when given, a file. Raises `DataError` that names file and key."""
    values = {**(_read(path) if path else {}), **overrides}
    source = str(path) if path else "settings"
    try:
        return Settings(**values)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        faults = faults.replace(" items after validation", " characters")  # of a secret
        raise DataError(f"{source}: {faults}") from None


def _read(path: Path) -> dict[str, Any]:
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise DataError(f"{path}: settings files end in {', '.join(_READERS)}")
    try:
        values = reader(path.read_text("utf-8"))
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from None
    except (UnicodeError, YAMLError, tomllib.TOMLDecodeError, json.JSONDecodeError) as error:
        raise DataError(f"{path}: {error}") from None
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise DataError(f"{path}: a mapping of settings is expected")
    return values
