"""Never acting wrongly: what speaks of things and asks nothing of the home gives no command (commands.md: UNKNOWN).

The sentences are sorted by what makes them no request; beside them stand requests of much the same words.
"""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from context_retrieval.lexicon import Lexicon, LexiconError
from tingdong.commands import LocalParser
from tingdong.commands.frames import Frames
from tingdong.commands.words import default_words
from tingdong.reader import SentenceReader, sentence_reader

CASES: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("own_negatives.yaml").read_text(encoding="utf-8"))


@cache
def parser() -> SentenceReader:
    return sentence_reader()


@pytest.mark.parametrize("kind", CASES["talk"])
def test_dialogue_never_acts(kind: str, known: frozenset[str]) -> None:
    """Architecture law 2: a told event, a plan, a complaint, a wonder or a word to somebody else is no request."""
    read = {text: [str(command) for command in parser().read(text).commands] for text in CASES["talk"][kind]}
    acted = {text: commands for text, commands in read.items() if commands}
    assert acted.keys() == known & read.keys()


@pytest.mark.parametrize("case", CASES["acting"], ids=lambda case: case["text"])
def test_a_request_beside_talk_still_acts(case: dict[str, Any]) -> None:
    """Rejecting talk costs no request: the part that asks is read (commands.md)."""
    assert [str(command) for command in parser().read(case["text"]).commands] == case["gold"]


@pytest.mark.parametrize("row", ["BEFORE_TARGET+self", "self+stranger", "self+NO_KIND"])
def test_a_frame_that_cannot_be_read_is_refused(row: str) -> None:
    """Vocabulary that means nothing stops loading and is named."""
    with pytest.raises(LexiconError, match="frames"):
        Frames(Lexicon.load(extra=[{"grammar": {"frames": {"told": row}}}]))


def test_a_frame_is_data() -> None:
    """A new frame is an edit of data: 据说… tells."""
    lexicon = Lexicon.load(extra=[{"grammar": {"frame_words": {"rumour": "隔壁讲"}, "frames": {"told": "rumour"}}}])
    told = LocalParser(type(default_words()).build(lexicon))
    assert LocalParser().read("隔壁讲客厅灯关了").commands
    assert not told.read("隔壁讲客厅灯关了").commands
