"""Speed of the hearing: what a plain sentence pays for being found so, and what one that was garbled costs to hear."""

import random
from collections.abc import Callable, Iterator, Sequence

from bench.harness import Figure, frame, home, labelled, measure
from bench.noise import garbled
from tingdong.hearing import Hearer, Names

__all__ = ["figures", "garbled_sentences", "hears", "names_of_villa"]

SEED = 18
REPAIRED = 10.0
"""Median of hearing a garbled sentence as a multiple of json.loads of the frame that holds the home of 120 devices."""


def names_of_villa() -> Names:
    """What the home of 120 devices calls its things and rooms."""
    devices = home("villa120")["devices"]
    words = {str(one.get(key) or "") for one in devices for key in ("name", "nickname", "room", "group", "zone")}
    return Names(sorted(words), calls=("小牛",))


def garbled_sentences(count: int = 200) -> list[str]:
    """Sentences of the open set with one slip each."""
    rng = random.Random(SEED)
    return [garbled(case["text"], rng) for case in labelled("commands_dev")[:count]]


def hears() -> Callable[[str], object]:
    """A fresh hearer in that home."""
    hearer, names = Hearer(), names_of_villa()
    return lambda text: hearer.hear(text, names)


def figures() -> Iterator[Figure]:
    """Hearing one sentence with a slip, and finding that one without any is usual."""
    others = [case["text"] for case in labelled("commands_train")[:800]]
    baseline = frame("villa120")
    yield measure("hear a sentence with a slip", hears, garbled_sentences(), baseline=baseline,
                  warm=others, limits=(REPAIRED, None))  # fmt: skip
    yield measure("find a sentence usual", _glances, _plain(), baseline=baseline, warm=others)


def _plain() -> Sequence[str]:
    return [case["text"] for case in labelled("commands_dev")]


def _glances() -> Callable[[str], object]:
    hearer, names = Hearer(), names_of_villa()
    return lambda text: hearer.is_usual(text, names)
