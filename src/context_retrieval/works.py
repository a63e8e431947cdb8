"""Work without a named device: 煮杯咖啡, 喂两份粮, 把地扫一扫 (`data/works.yaml`)."""

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

import msgspec

from context_retrieval.kind_table import kind_table
from context_retrieval.strict_yaml import parse_yaml

__all__ = ["Work", "act_on_it", "bare", "ends_with_it", "is_done_with", "made_in", "spoken_works", "work_in"]

LONGEST = 24
"""Characters of a text that tells work and nothing more."""
_FEW = "{0,3}"
"""How often what says nothing more may stand at either end; a bound, so that no text takes long to be tried."""
_SIGNS = "，。,.!！ "


class _WorkRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    do: str
    what: str
    by: tuple[str, ...] = ()
    called: tuple[str, ...] = ()


class _WorkTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    measures: str
    before: str
    after: str
    works: dict[str, _WorkRow]
    made: dict[str, str]
    done_with: str
    acts: dict[str, str]
    no_more: str
    around: str
    numerals: str
    between: tuple[str, ...]


class Work(msgspec.Struct, frozen=True):
    """Work that is told: `things` are words for what does it, the plain one first; `what` is worked on; `by` stands in
    the name of the property that does it."""

    things: tuple[str, ...]
    what: str
    by: tuple[str, ...]


def work_in(text: str) -> Work | None:
    """The work that the whole text tells and nothing more; None where it says anything else."""
    said_alone = text.strip(_SIGNS)
    if len(said_alone) > LONGEST:
        return None
    for key, row in _table().works.items():
        if (said := _pattern(key).fullmatch(said_alone)) is not None:
            kind = kind_table().kinds.get(key)
            words = kind.words if kind is not None else ()
            return Work((*words, *row.called), said["what"] or said["first"], row.by)
    return None


def made_in(text: str) -> tuple[str, str] | None:
    """The kind of thing that gives out what the text begins with (音乐, 把歌), and the rest of it; None for none."""
    text = text.strip(_SIGNS)
    for key, pattern in _given_out().items():
        if len(text) <= LONGEST and (said := pattern.match(text)) is not None:
            return key, text[said.end() :]
    return None


def ends_with_it(text: str) -> bool:
    """Whether the text says, last, that something is no longer needed (不用了, 没人看了)."""
    return len(text) <= LONGEST and _done_with().search(text) is not None


def is_done_with(text: str) -> bool:
    """Whether the text says that and nothing more."""
    said = text.strip(f"{_table().around} ")
    return len(said) <= LONGEST and _done_with().fullmatch(said) is not None


def act_on_it(action: str) -> str | None:
    """What an act comes to where what a thing gives out is meant (调低 of music: 调低音量); None for another act."""
    return next((act for begins, act in _table().acts.items() if action.startswith(begins)), None)


def bare(text: str) -> str:
    """The text without what says no more at its ends."""
    return text.strip(f"{_table().no_more} ")


def spoken_works() -> Iterator[str]:
    """How such work is mostly said."""
    for row in _table().works.values():
        for what in row.what.split():
            for do in row.do.split():
                yield from (f"{do}{between}{what}" for between in _table().between)
                yield f"{what}{do}{do}"


@cache
def _table() -> _WorkTable:
    text = resources.files("context_retrieval").joinpath("data/works.yaml").read_text("utf-8")
    return msgspec.convert(parse_yaml(text), _WorkTable)


@cache
def _given_out() -> dict[str, re.Pattern[str]]:
    table = _table()
    before = _any_of(table.before)
    return {key: re.compile(f"(?:{before}){_FEW}把?(?:{_any_of(words)})") for key, words in table.made.items()}


@cache
def _done_with() -> re.Pattern[str]:
    table = _table()
    return re.compile(f"(?:{_any_of(table.done_with)})(?:{_any_of(table.after)}){_FEW}$")


@cache
def _pattern(key: str) -> re.Pattern[str]:
    table, row = _table(), _table().works[key]
    before, after, do, what = map(_any_of, (table.before, table.after, row.do, row.what))
    measure = f"[{table.numerals}]{_FEW}(?:{_any_of(table.measures)})?"
    for_whom = f"(?:给(?:{what}|.)(?={do}))?"  # 给猫喂点粮, 给碗消个毒
    verb = f"(?:{do})(?:{do})?{measure}"  # 扫扫地
    said = f"{for_whom}{verb}(?P<what>{what})|(?:把|给)?(?P<first>{what}){verb}(?:{do})?"
    return re.compile(f"(?:{before}){_FEW}(?:{said})(?:{after}){_FEW}")


def _any_of(words: str) -> str:
    return "|".join(map(re.escape, sorted(words.split(), key=len, reverse=True)))
