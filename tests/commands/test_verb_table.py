"""One table says what the verbs of the protocol are (architecture, "Laws are tables"; commands.md, ACTION)."""

import pytest

from context_retrieval.lexicon import Lexicon, LexiconError, default_lexicon
from context_retrieval.verbs import verb_table


def test_opposites_undo_each_other_and_go_opposite_ways() -> None:
    """What undoes a verb is undone by it; the one begins what the other ends."""
    table = verb_table()
    assert table.opposite["打开"] == "关闭"
    assert table.opposite["静音"] == "取消静音"
    for verb, other in table.opposite.items():
        assert table.opposite[other] == verb
        assert (verb in table.beginning) == (other in table.ending)


def test_every_verb_of_the_table_is_one_of_the_vocabulary() -> None:
    """No way, state or step stands for a verb that no word says."""
    table, known = verb_table(), default_lexicon().actions.verbs.keys()
    assert table.ways | table.lasting | table.moves.keys() | table.plainly.keys() <= known
    assert not table.beginning & table.ending


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"opposite": "关闭"}, "opposite"),
        ({"opposite": "飞走"}, "opposite"),
        ({"way": "both"}, "way"),
    ],
)
def test_a_verb_that_disagrees_with_its_opposite_is_refused(row: dict[str, str], fault: str) -> None:
    """The validator names the file and the key (CONTRIBUTING, "Data over branches")."""
    with pytest.raises(LexiconError, match=f"actions.yaml.*{fault}"):
        Lexicon.load(extra=[{"actions": {"verbs": {"试试": row}}}])
