"""What each clause of a turn does, as it was learned (service.md, Dialogue; architecture: structure is learned)."""

import json
import subprocess
import sys

import pytest
from bench.said_at_home import CORPUS, Labelled, labelled, mentions_of, without_signs
from bench.train_turns import voices

from tingdong.commands.reading import Mention, MentionKind
from tingdong.home_dialogue.function_signs import Facts
from tingdong.home_dialogue.functions import CLAUSE_ENDS, MODEL, Function, functions_of

LEAST_RIGHT = 0.9
"""Share of the clauses it was taught that are read as they were labelled."""
LARGEST = 1 << 20


@pytest.fixture(scope="module")
def said() -> dict[str, list[Labelled]]:
    """The open voices."""
    return voices(closed=False)


def test_two_speakers_are_only_scored() -> None:
    """Ten manners of speaking are learned from; two more are only ever scored."""
    names = [path.stem for path in CORPUS.glob("home_said_*.txt")]
    assert sum("check" in name for name in names) == 2
    assert len(names) >= 12


def test_every_clause_has_its_place_and_its_chances_are_whole(said: dict[str, list[Labelled]]) -> None:
    """The clauses of a turn stand one behind the other within it; the chances of one are those of all functions."""
    for turn in (one for told in said.values() for one in (*told[::5], *map(without_signs, told[::5]))):
        at = 0
        for clause in functions_of(turn.said.text, turn.mentions, turn.facts):
            assert at <= clause.start < clause.end <= len(turn.said.text)
            assert clause.chance(*Function) == pytest.approx(1, abs=1e-3)
            at = clause.end


def test_training_sentences_are_recognised(said: dict[str, list[Labelled]]) -> None:
    """Most clauses of the open voices are read as they are labelled."""
    right = total = 0
    for turn in (one for told in said.values() for one in told):
        for clause in functions_of(turn.said.text, turn.mentions, turn.facts):
            label = turn.said.stretches[turn.said.label_of(clause.start, clause.end)].label
            right += clause.function == label
            total += 1
    assert right / total >= LEAST_RIGHT


@pytest.mark.parametrize("name", ["风扇", "落地灯", "爷爷的收音机", "什么都行灯", "吗啡机"])
def test_no_name_decides_the_function_of_a_clause(name: str) -> None:
    """A thing of this home is one sign, whatever it is called (让哪吒灯亮着 is an order)."""
    text = f"让{name}亮着"
    mentions = (Mention(MentionKind.NAME, 1, 1 + len(name), name),)
    (clause,) = functions_of(text, mentions, Facts())
    assert clause.chances == functions_of("让灯亮着", (Mention(MentionKind.NAME, 1, 2, "灯"),), Facts())[0].chances
    assert clause.chance(Function.ASK, Function.TELL) < 0.5


def test_the_page_changes_the_function_of_a_clause() -> None:
    """客厅的 answers where a question is open, and is not said to order anything."""
    mentions = mentions_of("卧室", "flat25")
    (clause,) = functions_of("卧室", mentions, Facts(asked=True))
    assert clause.function is Function.ANSWER


def test_punctuation_alone_is_no_clause() -> None:
    """Signs alone are no clause."""
    assert functions_of("", (), Facts()) == functions_of("，。", (), Facts()) == ()


def test_the_files_are_small_and_read_when_they_are_needed() -> None:
    """Importing is free of effects: neither model is read, and both are below a megabyte."""
    assert MODEL.stat().st_size + CLAUSE_ENDS.stat().st_size <= LARGEST
    code = (
        "import json, sys; from tingdong.home_dialogue import functions; from tingdong.learned import chain;"
        "print(json.dumps([chain.load.cache_info().currsize, 'numpy' in sys.modules]))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(told.stdout) == [0, False]


def test_closed_speakers_can_be_scored() -> None:
    """Their lines are of the format; what they say is scored elsewhere, in total."""
    assert sum(1 for path in CORPUS.glob("home_said_check*.txt") for _ in labelled(path)) >= 300
