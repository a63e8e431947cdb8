"""The one-pass trial beside the product (decision 0010): its weights read, and what it gives is valid (seed 001)."""

import msgspec
import pytest
from bench.onepass.inputs import fingerprint
from bench.onepass.learned import advice
from bench.onepass.reading import DATA, OnePassReader
from bench.onepass.weights import Trained, load

from context_retrieval.protocol import decode, encode, or_unknown
from tingdong.commands.words import WordTable, default_words


@pytest.fixture(scope="module")
def trained() -> Trained:
    return load(DATA)


@pytest.fixture(scope="module")
def reader(trained: Trained) -> OnePassReader:
    return OnePassReader(trained)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("打开卧室顶灯调到50%", ["打开-卧室-顶灯#Light#one", "设置亮度=50%-卧室-顶灯#Light#one"]),
        ("别开灯了", ["UNKNOWN-*-*#Unknown#one"]),
    ],
)
def test_the_kept_weights_read(reader: OnePassReader, text: str, wanted: list[str]) -> None:
    """Seed 000: two commands in their order, and none where nothing is asked."""
    assert [str(command) for command in or_unknown(reader.read(text).commands)] == wanted


@pytest.mark.parametrize("text", ["客厅的小玩意儿你看着整一下", "把除了书房以外的灯都调暗十分钟后关掉", "？开3", "嗯"])
def test_whatever_it_reads_is_a_valid_array(reader: OnePassReader, text: str) -> None:
    """Seed 001: slots are filled under the grammar."""
    commands = or_unknown(reader.read(text).commands)
    decoded = decode(encode(commands))
    assert (decoded.commands, decoded.issues) == (tuple(commands), ())


@pytest.mark.parametrize("text", ["", "   ", "灯" * 81])
def test_what_cannot_be_laid_before_it_is_not_read(reader: OnePassReader, text: str) -> None:
    """Empty and too long sentences give no command."""
    assert reader.look(text) is None
    assert reader.read(text).commands == ()


def test_a_changed_vocabulary_says_retrain(trained: Trained) -> None:
    """A known word that is gone from the table is told, not raised; a table as it was in training is passed."""
    table = default_words()
    same = msgspec.structs.replace(trained, words=fingerprint(trained.vocabulary, table))
    assert advice(same, table) == ""
    left = {form: word for form, word in table.forms.items() if word.value != "打开"}
    assert advice(same, WordTable(table.lexicon, left)).startswith("retrain")


def test_weights_of_another_vocabulary_still_read(trained: Trained) -> None:
    """What is out of date is said; the reader reads on."""
    older = msgspec.structs.replace(trained, words="of another vocabulary")
    assert advice(older, default_words()).startswith("retrain")
    assert OnePassReader(older).read("打开卧室的灯").commands
