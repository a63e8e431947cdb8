"""The addressee of a sentence (service.md, Token frame: 小爱，开灯 is 无关对象; service.md, Addressee).

A configured wake word wins; another assistant or a person means not us; no call means us. Names of the home's devices
are never a call (小太阳也开).
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from pathlib import Path

import msgspec

from tingdong.home.vocabulary import read_table
from zhtext.normalise import respelled

__all__ = ["Addressee", "Call", "hear", "spoken_to"]

DEFAULT_WAKE_WORDS = ("小牛",)

_PAUSE = "，,、。.!！?？~～…:：;； \t\u3000"


class Addressee(StrEnum):
    """Who was spoken to (service.md, Addressee)."""

    US = "us"  # a wake word came
    OPEN = "open"  # nobody was called
    OTHER = "other"  # another assistant, or a person


class Call(msgspec.Struct, frozen=True):
    """Who was called, by which name, and where the request itself starts."""

    to: Addressee
    name: str = ""
    start: int = 0


class _AddresseeWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`addressee.yaml`."""

    assistants: list[str]
    greetings: list[str]
    persons: list[str]
    surnames: str
    prefixes: list[str]
    titles: list[str]
    person_verbs: list[str]
    thing_suffixes: list[str]
    particles: list[str]


class _Patterns(msgspec.Struct, frozen=True):
    greeting: re.Pattern[str]
    assistant: re.Pattern[str]
    doubled: re.Pattern[str]
    person: re.Pattern[str]
    trailing: re.Pattern[str]
    things: tuple[str, ...]
    starts: frozenset[str]


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(set(words), key=len, reverse=True))


def _words() -> _AddresseeWords:
    return read_table(Path(__file__).parent / "data" / "addressee.yaml", _AddresseeWords)


def spoken_to() -> tuple[str, ...]:
    """Names of other assistants, and words that call a person."""
    words = _words()
    return (*words.assistants, *words.persons)


@cache
def _patterns() -> _Patterns:
    words = _words()
    pause = f"[{re.escape(_PAUSE)}]"
    surname, prefix = f"[{words.surnames}]", f"(?:{_alternatives(words.prefixes)})"
    person = f"(?:{_alternatives(words.persons)}|{prefix}{surname}|{surname}(?:{_alternatives(words.titles)}))"
    assistants, things = _alternatives(words.assistants), _alternatives(words.thing_suffixes)
    particles = f"(?:{_alternatives(words.particles)})?"
    return _Patterns(
        greeting=re.compile(f"(?:(?:{_alternatives(words.greetings)}){pause}*)+"),
        assistant=re.compile(f"(?:{assistants})(?:同学)?(?!{things})"),
        doubled=re.compile(f"({prefix}[^点声心些步时块半{re.escape(_PAUSE)}])\\1"),
        person=re.compile(f"{person}{particles}(?:{pause}|(?={_alternatives(words.person_verbs)}))"),
        trailing=re.compile(f"(?:{pause}|[吧呗哈嘛])(?P<name>{person}|{assistants}){particles}{pause}*$"),
        things=tuple(words.thing_suffixes),
        starts=frozenset(word[0] for word in (*words.assistants, *words.persons, *words.prefixes, *words.surnames)),
    )


def hear(text: str, *, wake_words: tuple[str, ...] = DEFAULT_WAKE_WORDS, names: Iterable[str] = ()) -> Call:
    """Who `text` speaks to. `names` are the home's own device names; `start` skips the call of a wake word."""
    patterns = _patterns()
    start = _wake_call(text, wake_words, patterns.things)
    if start is None and (spelled := respelled(text)) != text:
        text = spelled
        start = _wake_call(text, wake_words, patterns.things)
    if start:
        return Call(Addressee.US, start[1], start[0])
    at = _skip(text, patterns)
    if at < len(text) and text[at] in patterns.starts and not any(text.startswith(name, at) for name in names):
        for pattern in (patterns.assistant, patterns.doubled, patterns.person):
            if found := pattern.match(text, at):
                return Call(Addressee.OTHER, found.group().rstrip(_PAUSE), found.end())
    if found := patterns.trailing.search(text, max(0, len(text) - 12)):
        return Call(Addressee.OTHER, found["name"], 0)
    return Call(Addressee.OPEN)


def _skip(text: str, patterns: _Patterns) -> int:
    found = patterns.greeting.match(text)
    at = found.end() if found else 0
    while at < len(text) and text[at] in _PAUSE:
        at += 1
    return at


def _wake_call(text: str, wake_words: tuple[str, ...], things: tuple[str, ...]) -> tuple[int, str] | None:
    """Where the request begins after a wake word that stands at the start, after a pause, or at the very end."""
    for word in wake_words:
        at = text.find(word)
        while at >= 0:
            end = at + len(word)
            while text.startswith(word, end):
                end += len(word)
            rest = text[end:].strip(_PAUSE)
            leads = at == 0 or text[at - 1] in _PAUSE or _only_greeting(text[:at])
            if leads and not text.startswith(things, end):
                return (end, word) if rest else (0, word)
            at = text.find(word, end)
    return None


def _only_greeting(before: str) -> bool:
    found = _patterns().greeting.fullmatch(before.strip(_PAUSE))
    return found is not None
