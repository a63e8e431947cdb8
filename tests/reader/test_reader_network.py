"""The network's file and what it was trained with: weights outlive it, and a changed vocabulary is told."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from tingdong.commands.words import WordTable, default_words
from tingdong.reader.inputs import fingerprint
from tingdong.reader.learned import DATA, LearnedReader, advice
from tingdong.reader.weights import Trained, load, save


@pytest.fixture(scope="module")
def trained() -> Trained:
    return load(DATA)


def test_weights_outlive_the_file(tmp_path: Path, trained: Trained) -> None:
    """Saved and loaded, the network is the same; sizes, vocabulary and classes are too."""
    save(tmp_path, trained)
    other = load(tmp_path)
    assert (other.shape, other.vocabulary, other.alphabet) == (trained.shape, trained.vocabulary, trained.alphabet)
    assert other.words == trained.words
    for name, value in trained.weights.items():
        assert np.array_equal(other.weights[name], value)


def test_the_same_sentence_has_the_same_scores(trained: Trained) -> None:
    """Sentences do not touch: what was read before changes nothing."""
    fresh, used = LearnedReader(trained), LearnedReader(trained)
    for text in ("把客厅空调调到26度半", "十分钟后关掉卧室和书房的灯"):
        used.open(text)
    one, other = fresh.open("打开卧室顶灯调到50%"), used.open("打开卧室顶灯调到50%")
    assert one is not None
    assert other is not None
    assert one.guess == other.guess


@pytest.mark.parametrize("text", ["", "   ", "灯" * 81])
def test_a_text_that_the_network_cannot_encode_is_not_read(trained: Trained, text: str) -> None:
    """Empty and too long sentences are left to the rules."""
    assert LearnedReader(trained).open(text) is None


def test_a_changed_vocabulary_says_retrain(trained: Trained) -> None:
    """A known word that is gone from the table is told, not raised; a table as it was in training is passed."""
    table = default_words()
    same = msgspec.structs.replace(trained, words=fingerprint(trained.vocabulary, table))
    assert advice(same, table) == ""
    left = {form: word for form, word in table.forms.items() if word.value != "打开"}
    assert advice(same, WordTable(table.lexicon, left)).startswith("retrain")


def test_the_shipped_weights_know_the_shipped_vocabulary(trained: Trained) -> None:
    """An edit of the vocabulary that changes what the network is fed fails here until it is trained anew."""
    assert advice(trained, default_words()) == ""
