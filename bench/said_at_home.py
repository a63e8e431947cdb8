"""Turns at home whose clauses are labelled with what they do (`tests/corpus/home_said_*.txt`): what is learned from.

A file of lines. `= home` names the home (of tests/corpus) in which the lines behind it are said; `#` begins a comment.
A turn is `words/code words/code` (`learned.stretches`). Before it stands what the page holds, where that matters: `?` a
question of ours is open, `!` we have just acted, `@` a timer runs. The codes are `CODES`.
"""

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from context_retrieval.text import plain_question
from tingdong.commands.local_parser import LocalParser
from tingdong.commands.reading import Mention, MentionKind, NameTable
from tingdong.home.cache import HomeStore, read_home
from tingdong.home_dialogue import pauses
from tingdong.home_dialogue.function_signs import Ends, Facts, Symbol, clauses, places, signs, symbols
from tingdong.home_dialogue.functions import END, INSIDE, Function
from tingdong.learned import fitting
from tingdong.learned.chain_fit import Example
from tingdong.learned.stretches import Stretch, TurnStretches, spoken
from zhtext.normalise import respelled

CORPUS = Path(__file__).resolve().parents[1] / "tests" / "corpus"
HOMES = (CORPUS / "homes", CORPUS / "live" / "homes")
CODES = {
    "o": Function.ORDER.value,
    "a": Function.ASK.value,
    "t": Function.TELL.value,
    "w": Function.WISH.value,
    "r": Function.REFUSE.value,
    "c": Function.CORRECT.value,
    "=": Function.ANSWER.value,
    "u": Function.UNDO.value,
    "m": Function.TIMER.value,
    "y": Function.COURTESY.value,
}
_FACTS = re.compile(r"([?!@]+) (.+)")
_SIGNS = re.compile(r"[，,。.！!？?；;、…~～\s]+")
_THINGS = (MentionKind.NAME, MentionKind.DEVICE)
_JOINED, _UNKNOWN = 0.3, 0.25
"""Shares of the turns that are said behind another one, and of those whose things the home does not know."""


class Labelled(NamedTuple):
    """A turn with its labels, what the page holds, what the preparation of the sentence finds in it, and its home."""

    said: TurnStretches
    facts: Facts
    mentions: tuple[Mention, ...]
    home: str = ""


def labelled(path: Path) -> Iterator[Labelled]:
    """The turns of a file, as they are found in its home."""
    home = ""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if line.startswith("= home "):
            home = line.removeprefix("= home ").strip()
        elif line.strip() and not line.startswith("#"):
            found = _FACTS.fullmatch(line.strip())
            marks, words = (found[1], found[2]) if found else ("", line.strip())
            said = spoken(words, CODES, Function.TELL.value, f"{path.name}:{number}")
            facts = Facts(*(mark in marks for mark in "?!@"))
            yield Labelled(said, facts, mentions_of(said.text, home), home)


def mentions_of(text: str, home: str) -> tuple[Mention, ...]:
    """What the rules find in a text, in its own characters; nothing where they hear another text."""
    reading, *_ = _parser().draft(plain_question(respelled(text)), _names(home))
    return reading.mentions if len(reading.text) == len(text) else ()


@cache
def _parser() -> LocalParser:
    return LocalParser()


@cache
def _names(home: str) -> NameTable:
    path = next(folder / f"{home}.json" for folder in HOMES if (folder / f"{home}.json").exists())
    return read_home(path.read_bytes(), HomeStore()).home.shape.names


# ---- variations


def varied(turns: Sequence[Labelled], words: Sequence[str]) -> Iterator[Labelled]:
    """The turns, and some of them without signs, behind one another, or with things that no home knows (`words`)."""
    chance = random.Random(3)
    for place, turn in enumerate(turns):
        yield turn
        bare = without_signs(turn)
        if bare.said.text != turn.said.text:
            yield bare
        if chance.random() < _UNKNOWN and any(one.kind in _THINGS for one in turn.mentions):
            yield _of_unknown(turn, chance.choice(words))
        other = turns[chance.randrange(len(turns))]
        if chance.random() < _JOINED and place and other.facts == Facts() and turn.facts.asked is False:
            yield joined(turn, other, chance.choice(("，", "，", "", " ")))


def without_signs(turn: Labelled) -> Labelled:
    """The turn as a recogniser writes it."""
    return _edited(turn, [(found.start(), found.end(), "") for found in _SIGNS.finditer(turn.said.text)])


def _of_unknown(turn: Labelled, word: str) -> Labelled:
    things = [one for one in turn.mentions if one.kind in _THINGS]
    kept = turn._replace(mentions=tuple(one for one in turn.mentions if one not in things))
    return _edited(kept, [(one.start, one.end, word) for one in things])


def joined(first: Labelled, second: Labelled, sign: str) -> Labelled:
    """Two turns in one breath."""
    head = first.said.text.rstrip("，,。.！!？?；; ") + sign
    by = len(head)
    last = [*first.said.stretches[:-1], first.said.stretches[-1]._replace(end=by)]
    moved = [Stretch(one.start + by, one.end + by, one.label) for one in second.said.stretches]
    mentions = [one for one in first.mentions if one.end <= by] + [_moved(one, by) for one in second.mentions]
    return Labelled(TurnStretches(head + second.said.text, (*last, *moved)), first.facts, tuple(mentions))


def _edited(turn: Labelled, edits: Sequence[tuple[int, int, str]]) -> Labelled:
    """The turn with stretches of its text replaced."""
    text, at = "", {}
    place = 0
    for start, end, new in sorted(edits):
        for one in range(place, start):
            at[one] = len(text) + one - place
        text += turn.said.text[place:start]
        for one in range(start, end):
            at[one] = len(text)
        text += new
        place = end
    for one in range(place, len(turn.said.text) + 1):
        at[one] = len(text) + one - place
    text += turn.said.text[place:]
    stretches = tuple(Stretch(at[one.start], at[one.end], one.label) for one in turn.said.stretches)
    mentions = tuple(
        Mention(one.kind, at[one.start], at[one.end], one.value, one.type)
        for one in turn.mentions
        if at[one.end] - at[one.start] == one.end - one.start
    )
    return Labelled(TurnStretches(text, stretches), turn.facts, mentions)


def _moved(one: Mention, by: int) -> Mention:
    return Mention(one.kind, one.start + by, one.end + by, one.value, one.type)


# ---- examples


def example(turn: Labelled, cut: Ends) -> Example:
    """The signs of the turn's clauses, as cut, and what each does."""
    parts = clauses(turn.said.text, symbols(turn.said.text, turn.mentions), cut)
    labels = [turn.said.stretches[turn.said.label_of(part[0].start, part[-1].end)].label for part in parts]
    return signs(parts, turn.mentions, turn.facts), labels


def ends(turns: Sequence[Labelled]) -> Iterator[fitting.Example]:
    """Places of turns without signs: whether a clause ends there."""
    for turn in turns:
        borders = _borders(turn)
        row = symbols(turn.said.text, turn.mentions)
        spans = [one for one in row if not _SIGNS.fullmatch(one.sign)]
        for place, beside in places(spans):
            yield set(beside), END if _is_border(spans, place, borders) else INSIDE


def _borders(turn: Labelled) -> set[int]:
    begins = {start for start, _ in pauses.spans(turn.said.text)}
    return begins | {one.start for one in turn.said.stretches}


def _is_border(row: Sequence[Symbol], place: int, borders: set[int]) -> bool:
    return any(row[place - 1].end <= border <= row[place].start for border in borders)
