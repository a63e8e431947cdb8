"""The texts that the local models learn from, made of single requests and of turns that open something."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from tingdong.front_desk.lexicon import PUNCTUATION
from tingdong.front_desk.model import UNKNOWN_AGENT


class OpeningTurns(NamedTuple):
    """Turns that open something, as labelled, and single requests with their agent."""

    turns: list[dict[str, Any]]
    phrases: list[tuple[str, str]]


def class_sentences(said: OpeningTurns) -> list[tuple[str, str]]:
    """Single tasks with their agent."""
    segments = [(segment["text"], segment["agent"]) for turn in said.turns for segment in turn["segments"]]
    return segments + said.phrases


Apart = Callable[[str, str], bool]
"""Whether requests of two agents never stand one behind the other."""


class BorderText(NamedTuple):
    """A text with the places where a request begins; what links two requests may go with either (`open_places`)."""

    text: str
    begins: frozenset[int]
    open_places: frozenset[int] = frozenset()


def border_texts(said: OpeningTurns, never: Apart, alarms: list[str], beside: list[str]) -> list[BorderText]:
    """Turns as said and without their signs, single requests, and requests put one behind the other, except those of
    two agents that `never` stand apart; `alarms` before and behind a request
    and what is said `beside` them."""
    single = [one for one in dict.fromkeys(class_sentences(said)) if one[1] != UNKNOWN_AGENT]
    single = [(text, agent) for text, agent in single if len(text) >= _LEAST_REQUEST]
    texts = [BorderText(text, frozenset()) for text, _ in single]
    texts += [BorderText(unsigned(text), frozenset()) for text, _ in single if unsigned(text) != text]
    texts += [_begins(turn, str) for turn in said.turns] * 2
    texts += [_begins(turn, unsigned) for turn in said.turns]
    texts += _concatenated(said, single * _COPIES, never)
    return texts + list(_alarmed(alarms, [text for text, _ in single], beside))


_JOINTS = ("", "", "", "", "", "", "，", "？")
_LEAST_REQUEST = 3
_EVEN = 0.5
_COPIES = 2
"""Concatenations that begin with a request."""


def _concatenated(said: OpeningTurns, single: list[tuple[str, str]], never: Apart) -> Iterator[BorderText]:
    """Single requests one behind the other; half of them follow the agents of a turn that was really said."""
    chance = random.Random(1)
    by_agent: dict[str, list[str]] = {}
    for text, agent in single:
        by_agent.setdefault(agent, []).append(text)
    orders = [[segment["agent"] for segment in turn["segments"]] for turn in said.turns if len(turn["segments"]) > 1]
    orders = [order for order in orders if by_agent.keys() >= set(order)]
    for number, (text, agent) in enumerate(single):
        if number % 2 and orders:
            parts = [(chance.choice(by_agent[one]), one) for one in chance.choice(orders)]
        else:
            parts = [(text, agent), *chance.sample(single, chance.choice((1, 1, 1, 2)))]
        if any(never(one, other) for (_, one), (_, other) in pairwise(parts)):
            continue
        sign = chance.choice(_JOINTS)
        words = [part for part, _ in parts] if sign else [unsigned(part) for part, _ in parts]
        yield BorderText(sign.join(words), _sums(words, len(sign)))


def _alarmed(alarms: list[str], *requests: list[str]) -> Iterator[BorderText]:
    """Alarms without a sign before and behind one of each kind of requests; inside an alarm nothing begins."""
    chance = random.Random(1)
    for alarm in map(unsigned, alarms):
        for kind in requests:
            request = unsigned(chance.choice(kind))
            parts = [alarm, request] if chance.random() < _EVEN else [request, alarm]
            yield BorderText("".join(parts), _sums(parts, 0))


def _begins(turn: dict[str, Any], written: Callable[[str], str]) -> BorderText:
    """Where the later segments of a turn begin in its text, as it is written; what links them stands before."""
    text = written(turn["text"])
    at, begins, links = 0, set(), set()
    for number, segment in enumerate(turn["segments"]):
        words = written(segment["text"])
        start = text.find(words, at)
        if start < 0:
            continue
        if number:
            first = next((place for place in range(at, start) if text[place] not in PUNCTUATION), start)
            begins |= {first, start}
            links |= set(range(first + 1, start))
        at = start + len(words)
    return BorderText(text, frozenset(begins), frozenset(links))


def _sums(parts: list[str], between: int) -> frozenset[int]:
    ends = [sum(len(part) + between for part in parts[:number]) for number in range(1, len(parts))]
    return frozenset(ends)


def unsigned(text: str) -> str:
    """A text as it is spoken: no punctuation, no blanks."""
    return "".join(char for char in text if char not in PUNCTUATION and not char.isspace())
