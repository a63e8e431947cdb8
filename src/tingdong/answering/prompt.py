"""The prompt of an open question: static rules, the home's stable part, then what this turn is about (retrieval.md,
YAML).

The first two are the same bytes for every question about one home, whatever its state and whoever asks: prompt caches
depend on it. The turn's part holds the entities that the question needs, as the YAML of retrieval.md, and present
states.
"""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
import yaml

from context_retrieval.injection import (
    Entity,
    clean,
    count_tokens,
    one_line,
    summarize_devices_for_prompt,
    summarize_result_for_prompt,
)
from context_retrieval.models import DeviceType, RetrievalResult
from context_retrieval.pipeline import retrieve
from context_retrieval.state import ConversationState
from tingdong.answering.model import OpenQuestion
from tingdong.commands.reading import MentionKind, Reading
from tingdong.home.device import DeviceShape
from tingdong.home.home import HomeSnapshot
from tingdong.home.shape import HomeShape, devices_of

__all__ = ["AnswerPrompt", "HomeSections", "answer_rules"]

HOME_TOKENS = 1_500
"""How much of the prompt the home's stable part may take, and the turn's entities; counted by `count_tokens`."""
TURN_TOKENS = 1_000
MAX_STATES = 60
"""Devices whose state is told; a question that concerns more is about the home as a whole."""

_STATES = "# 当前状态（只是数据）"


@cache
def answer_rules() -> str:
    """The static rules, package data."""
    return (files("tingdong.answering") / "data" / "answer_rules.md").read_text(encoding="utf-8").rstrip()


class AnswerPrompt(msgspec.Struct, frozen=True):
    """The prompt in its sections. `prefix` is what stays the same from question to question about one home."""

    rules: str
    home: str
    turn: str

    @property
    def prefix(self) -> str:
        """What stays the same from turn to turn of a home, for caches of prompts."""
        return f"{self.rules}\n\n{self.home}\n\n"

    @property
    def system(self) -> str:
        """The system prompt, put together in the order of retrieval.md: base, YAML, hint."""
        return self.prefix + self.turn

    def section_tokens(self, question: str) -> dict[str, int]:
        """Estimated tokens of each section."""
        sections = {"rules": self.rules, "home": self.home, "turn": self.turn, "sentence": question}
        return {name: count_tokens(text) for name, text in sections.items()}


class HomeSections:
    """Makes prompts; the stable part of a home is made once for its shape."""

    def __init__(self) -> None:
        self._homes: WeakKeyDictionary[HomeShape, str] = WeakKeyDictionary()

    def prompt(self, question: OpenQuestion) -> AnswerPrompt:
        """The prompt of one question."""
        return AnswerPrompt(answer_rules(), self._home(question.home.shape), _turn(question))

    def _home(self, shape: HomeShape) -> str:
        known = self._homes.get(shape)
        if known is None:
            whole: list[Entity] = [*devices_of(shape), *shape.groups.values(), *shape.scenes.values()]
            known = self._homes[shape] = summarize_devices_for_prompt(whole, budget=HOME_TOKENS, compact=True)
        return known


def _turn(question: OpenQuestion) -> str:
    """The entities that this question needs, their states, where the user is, and the hint of the retrieval."""
    reading, home = question.reading, question.home
    result = retrieve(
        reading.text, home.shape.catalog, _Read(reading), ConversationState(), location=question.local or None
    )
    devices = _concerned(result, reading, home.shape)
    parts = []
    if result.candidates:
        parts.append(summarize_result_for_prompt(result, budget=TURN_TOKENS))
    parts.append(f"{_STATES}\n{_states(devices, home)}")
    if question.local:
        parts.append(f"# 用户所在房间：{clean(question.local)}")
    if result.hint:
        parts.append(f"# 提示：{one_line(result.hint, 120)}")
    return "\n\n".join(parts)


class _Read:
    """A reading that is there already, as retrieval's `llm`."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    def parse(self, text: str) -> Reading:  # noqa: ARG002
        return self._reading


def _concerned(result: RetrievalResult, reading: Reading, shape: HomeShape) -> list[DeviceShape]:
    """The retrieved devices; else those of the rooms and types named; else all."""
    ids = {candidate.entity_id for candidate in result.candidates} & shape.devices.keys()
    if not ids:
        rooms = {
            room
            for mention in reading.mentions
            if mention.kind is MentionKind.ROOM
            for room in shape.catalog.rooms.find(mention.value)
        }
        types = {mention.type for mention in reading.mentions} - {DeviceType.UNKNOWN}
        ids = {
            device.id
            for device in shape.devices.values()
            if (rooms or types) and (not rooms or device.room in rooms) and (not types or device.type in types)
        }
    chosen = [device for device in shape.devices.values() if not ids or device.id in ids]
    return chosen[:MAX_STATES]


def _states(devices: Iterable[DeviceShape], home: HomeSnapshot) -> str:
    """What each device's properties are now, as YAML; values that do not fit the thing model are left out."""
    listed: list[dict[str, Any]] = []
    for device in devices:
        state = {
            clean(name): clean(value) if isinstance(value, str) else value
            for name, spec in device.properties.items()
            if (value := home.value(device, spec)) is not None
        }
        entry: dict[str, Any] = {"id": clean(device.id, 80), "name": clean(device.name), "room": clean(device.room)}
        if not home.is_online(device.id):
            entry["online"] = False
        listed.append({**entry, "state": state})
    text: str = yaml.safe_dump(listed, allow_unicode=True, sort_keys=False, default_flow_style=None, width=1_000)
    return text.rstrip()
