"""Whether the attribute of an action was spoken, or only inferred from a device name.

A reader may give 小太阳调到两成 the attribute of a heater although the home's model is a lamp. A spoken attribute is
kept (law 1: a plug is not dimmed); an inferred one is left to the device (retrieval.md, Devices).
"""

import re
from collections.abc import Iterator
from functools import cache

from context_retrieval.kind_table import kind_table
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import QueryIR
from context_retrieval.verbs import verb_table

__all__ = ["attribute_said", "bare_verb", "other_actions"]

_SET = "设置"
_WARMTH = re.compile("[暖冷]")
_VERBS = ("设置", "调高", "调低")
_HUES = ("色温", "颜色")
"""Either is meant by what is warm, cold or white of a lamp that has one of them."""
_UNITS = (("C", "温度", "度"), ("K", _HUES[0], "k"), ("档", "风速", "档"))
"""The unit of a value, whose it is, and what is said of it: a reader also gives 开到三段 a unit."""


def bare_verb(action: str, value: str | None, text: str) -> str | None:
    """设置, 调高 or 调低 for an action whose attribute `text` does not say; None where it says it, or there is none."""
    verb, attribute = action[:2], action[2:]
    if verb not in _VERBS or not attribute or not text:
        return None
    return None if attribute_said(attribute, value, text) else verb


def other_actions(query: QueryIR, text: str) -> Iterator[str]:
    """What an action may have been, where the device found cannot do the one read.

    放水 is read as playing, 暖一点 of a lamp as a temperature, and a value without its attribute (开到最大) as one that
    the device does not have. An attribute that was said stays (law 1: a plug is not dimmed).
    """
    if (plain := verb_table().plainly.get(query.action)) is not None:
        yield plain
    if query.action.endswith("温度") and _WARMTH.search(text) is not None:
        yield f"{_SET}{_HUES[0]}"
    for hue, other in (_HUES, _HUES[::-1]):
        if query.action == f"{_SET}{hue}":
            yield f"{_SET}{other}"
    if query.action == f"{_SET}模式" and query.value:
        yield query.value
    if bare_verb(query.action, query.value, text) is not None:
        yield _SET


def attribute_said(attribute: str, value: str | None, text: str) -> bool:
    """Whether `text` names the attribute, says an adjective of it (亮, 响), or gives a value in its unit."""
    if value is not None and any(value.endswith(u) and attribute == of and said in text for u, of, said in _UNITS):
        return True
    if value is not None and not value[0].isdigit() and not value.startswith("最"):
        return True
    return _words(attribute).search(text) is not None


@cache
def _words(attribute: str) -> re.Pattern[str]:
    words = {attribute, *kind_table().attributes.get(attribute, ())}
    for adjective in default_lexicon().actions.adjectives:
        if adjective.attribute == attribute:
            words |= {*adjective.up.split(), *adjective.down.split()}
    return re.compile("|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word))))
