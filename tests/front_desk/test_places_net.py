"""The network over places: what it learns, keeps in a file, and refuses (hospital.md, "Safety")."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from bench.fit_places import Stretched, fit, names_of

from tingdong.errors import DataError
from tingdong.front_desk import places_net
from tingdong.front_desk.places_net import PlacesNet, dump, parse

LABELS = ("loud", "odd")


def told(word: str, label: str, chance: random.Random) -> Stretched:
    """A word somewhere among others."""
    before, after = (chance.choices("一二三四五六七八", k=chance.randrange(1, 9)) for _ in range(2))
    places = [[char] for char in (*before, *word, *after)]
    return Stretched(places, label, len(before), len(before) + len(word))


@pytest.fixture(scope="module")
def net() -> PlacesNet:
    chance = random.Random(1)
    kinds = [("甲乙", "loud"), ("丙丁", "odd"), ("甲丁", ""), ("没甲乙", "")]
    examples = [told(word, label, chance) for word, label in kinds for _ in range(700)]
    names = names_of(examples)
    return parse(dump(LABELS, names, fit(examples, LABELS, names)))


@pytest.mark.parametrize("beside", ["", "一二三", "八" * 40])
@pytest.mark.parametrize(("word", "label"), [("甲乙", "loud"), ("丙丁", "odd"), ("甲丁", ""), ("没甲乙", "")])
def test_a_sign_counts_whatever_stands_beside_it(net: PlacesNet, word: str, label: str, beside: str) -> None:
    """Several wishes in one breath: neighbours that change the meaning count, distance and length do not."""
    leanings = net.leanings([[char] for char in f"{beside}{word}{beside}"])
    assert {name for name, leaning in leanings.items() if leaning > 0} == ({label} if label else set())


def test_the_words_that_decide_a_label_are_reported(net: PlacesNet) -> None:
    """What a label stands on can be told."""
    text = "一二三甲乙四五六七"
    assert text[net.peak([[char] for char in text], "loud")] in "甲乙"


def test_an_empty_text_favours_no_label(net: PlacesNet) -> None:
    """An empty text leans nowhere, and unknown features say no more than their places do."""
    assert net.leanings([]) == {}
    assert max(net.leanings([["未知"]]).values()) < 0


def test_the_same_examples_give_the_same_file() -> None:
    """A file can be made again."""
    examples = [told("甲乙", "loud", random.Random(seed)) for seed in range(60)]
    names = names_of(examples)
    made = [dump(("loud",), names, fit(examples, ("loud",), names)) for _ in range(2)]
    assert made[0] == made[1]
    assert np.isfinite(parse(made[0]).places([["甲"]])).all()


@pytest.mark.parametrize("damage", [lambda raw: raw[:-1], lambda raw: b"{}\n", lambda raw: b"", lambda raw: raw + b"x"])
def test_a_damaged_file_is_refused(net: PlacesNet, damage: Callable[[bytes], bytes]) -> None:
    """A model that cannot be read is said to be none."""
    weights = net._weights
    raw = dump(LABELS, list(net._rows), weights)
    with pytest.raises(DataError, match="not a model file"):
        places_net.parse(damage(raw))
