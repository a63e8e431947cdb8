"""Choices and features of a device by their names (service.md, Home `model`).

Before a request is refused, the labels and choices of the device's thing model are searched, then synonyms
(`values.yaml`). 开强效 of a purifier with 强效 is that mode, whatever the verb.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from context_retrieval.models import QueryIR
from tingdong.commands.reading import MentionKind
from tingdong.home.device import DeviceShape
from tingdong.home.document import PropertyType
from tingdong.home.model import PropertyRole
from tingdong.home.properties import PropertySpec
from tingdong.home.terms import SHORTEST, feature_words
from tingdong.home.vocabulary import attribute_word, read_table, values
from tingdong.home_dialogue.acting import has_attribute
from tingdong.home_dialogue.answers import step_said
from tingdong.home_dialogue.situation import Situation

__all__ = ["OwnWord", "as_its_own", "best_choice", "own_terms", "own_words"]


class OwnTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`own_terms.yaml`."""

    stops: tuple[str, ...]
    refuses: tuple[str, ...]
    set_off: tuple[str, ...]
    telling: str
    around: str
    asks: tuple[str, ...]
    asking: str


@cache
def own_terms() -> OwnTerms:
    """The table. Raises `DataError` naming the file."""
    return read_table(Path(__file__).parent / "data" / "own_terms.yaml", OwnTerms)


class OwnWord(msgspec.Struct, frozen=True):
    """A word of the sentence that is one of a device: `value` of the property, at `[start, end)`."""

    spec: PropertySpec
    value: str
    start: int
    end: int


def own_words(device: DeviceShape, text: str) -> Iterator[OwnWord]:
    """The choices and features of the device that stand in the text, the longest first."""
    found = []
    text = text.lower()
    for spec in device.properties.values():
        if spec.readonly or spec.role is PropertyRole.POWER:
            continue
        if spec.type is PropertyType.ENUM:
            words = _choice_words(tuple(spec.words))
        elif spec.is_feature:
            words = dict.fromkeys(feature_words(spec), "开")
        else:
            continue
        for word, value in words.items():
            place = text.find(word) if len(word) >= SHORTEST and word not in device.name else -1
            if place >= 0:
                found.append(OwnWord(spec, value, place, place + len(word)))
    yield from sorted(found, key=lambda one: one.start - one.end)


@lru_cache(maxsize=512)
def _choice_words(own: tuple[str, ...]) -> dict[str, str]:
    """Words for the choices of a property, each with the choice it stands for: its own, and those of choices that it
    lacks and has one akin to (安静: 睡眠)."""
    found: dict[str, str] = {}
    for key, others in values().akin.items():
        near = next((other for other in others if other in own), None)
        entry = values().choices.get(key)
        if near is not None and key not in own:
            found.update(dict.fromkeys((key, *(entry.words if entry else ())), near))
    return {**found, **{word: word for word in own}}


def as_its_own(query: QueryIR, devices: Sequence[DeviceShape], situation: Situation, *, denied: bool) -> QueryIR | None:
    """The request with the choice or feature that the devices have by its words; None where they have none.

    `denied`: the device cannot do what was read. Else only a word that the reading cut through is taken (开强|效).
    """
    if not devices or situation.asks or situation.has(MentionKind.NEGATION):
        return None
    taken = denied or not situation.has(MentionKind.ACTION, MentionKind.VALUE)
    cut = [one for one in situation.of(MentionKind.ACTION) if one.value != "关闭"]
    for own in own_words(devices[0], situation.text):
        if not taken and not any(_cuts(one.start, one.end, own) for one in cut):
            continue
        value = "关" if own.value == "开" and query.action == "关闭" else own.value
        attribute = own.spec.label if own.value == "开" else attribute_word(own.spec.role, own.spec.label)
        return msgspec.structs.replace(query, action=f"设置{attribute}", value=value)
    step = step_said(situation.text) if denied else None
    if step is None or not has_attribute(devices[0], step) or step == query.action:
        return None
    return msgspec.structs.replace(query, action=step, value=None)


def _cuts(start: int, end: int, own: OwnWord) -> bool:
    """Whether the stretch `[start, end)` overlaps the word and leaves some of it out."""
    return start < own.end and own.start < end and not (start <= own.start and own.end <= end)


def best_choice(text: str, devices: Sequence[DeviceShape]) -> tuple[PropertySpec, str] | None:
    """The property and the word of its choice that is said; the attribute spoken of wins, then the longest word."""
    best: tuple[tuple[bool, int], PropertySpec, str] | None = None
    for device in devices:
        for spec in device.properties.values():
            if spec.readonly or spec.type is not PropertyType.ENUM:
                continue
            named = attribute_word(spec.role, spec.label) in text
            for word in spec.words:
                if len(word) < SHORTEST or word not in text.lower():
                    continue
                rank = (named, len(word))
                if best is None or rank > best[0]:
                    best = (rank, spec, word)
    return None if best is None else (best[1], best[2])
