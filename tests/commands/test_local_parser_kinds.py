"""Kinds of wording that the sets do not hold, each by several sentences (commands.md)."""

from functools import cache
from pathlib import Path

import pytest
import yaml

from context_retrieval.protocol import or_unknown
from tingdong.evaluate.commands import canonical
from tingdong.reader import SentenceReader, sentence_reader

KINDS: dict[str, dict[str, str]] = {
    kind: sentences
    for name in ("own_kinds.yaml", "own_turns.yaml", "own_corrections.yaml")
    for kind, sentences in yaml.safe_load(Path(__file__).with_name(name).read_text(encoding="utf-8")).items()
}


@cache
def parser() -> SentenceReader:
    return sentence_reader()


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_read(kind: str, known: frozenset[str]) -> None:
    """Every sentence of the kind gives exactly its commands, in order."""
    wrong = {}
    for text, gold in KINDS[kind].items():
        got = [canonical(str(command)) for command in or_unknown(parser().read(text).commands)]
        if got != [canonical(command) for command in gold.split(" ")]:
            wrong[text] = got
    assert wrong.keys() == known & KINDS[kind].keys(), wrong
