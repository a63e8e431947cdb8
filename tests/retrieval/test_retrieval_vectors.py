"""The local embedder measured on hand-written pairs of action and description (retrieval.md, Devices)."""

from functools import cache
from pathlib import Path

import numpy as np
import yaml

from context_retrieval.capability import THRESHOLD
from context_retrieval.concepts import concept_table
from context_retrieval.vector_search import local_embedder

PAIRS: dict[str, list[str]] = yaml.safe_load(
    (Path(__file__).parent / "action_descriptions.yaml").read_text(encoding="utf-8")
)


@cache
def outcomes() -> dict[bool, tuple[int, int, int]]:
    """For phrases with (True) and without (False) a listed word: their number, right at the top, and also accepted."""
    table, embedder = concept_table(), local_embedder()
    matrix = embedder.embed([table.describe(description) for description in PAIRS])
    found = {True: [0, 0, 0], False: [0, 0, 0]}
    for index, phrases in enumerate(PAIRS.values()):
        for phrase in phrases:
            scores = matrix @ embedder.embed([phrase])[0]
            top = int(np.argmax(scores)) == index
            counts = found[table.lists(phrase)]
            counts[0] += 1
            counts[1] += top
            counts[2] += top and float(scores[index]) >= THRESHOLD
    return {listed: (counts[0], counts[1], counts[2]) for listed, counts in found.items()}


def test_enough_pairs() -> None:
    """At least 200 pairs, a third of them outside the lexicon at the least."""
    inside, outside = outcomes()[True][0], outcomes()[False][0]
    assert inside + outside >= 200
    assert outside >= 100


def test_listed_phrases_find_their_command() -> None:
    """A phrase with a listed word finds its description among 26."""
    total, top, _ = outcomes()[True]
    assert top / total >= 0.88


def test_unlisted_phrases_do_better_than_chance() -> None:
    """A phrase without any listed word still does far better than 1 in 26."""
    total, top, _ = outcomes()[False]
    assert top / total >= 0.45


def test_random_texts_fit_nothing() -> None:
    """Talk that asks nothing is below the threshold of nearly every command."""
    talk = "今天收益不错 明天去爬山 这道题怎么做 我饿了 他说得对 猫在哪里 股票涨了 记得买菜 生日快乐 下雨天".split()  # noqa: SIM905
    table, embedder = concept_table(), local_embedder()
    scores = embedder.embed(talk) @ embedder.embed([table.describe(description) for description in PAIRS]).T
    assert float((scores >= THRESHOLD).mean()) < 0.05
