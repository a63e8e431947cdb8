"""What a question asks: whether, which, how many, a value, or an extreme (service.md, Token frame, answers).

The command says only `查询状态` or `查询温度`; the rest is in the words, which are data: forms in `questions.yaml`,
attributes in `properties.yaml`.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from tingdong.home.vocabulary import Ends, read_table, roles
from zhtext.finding import any_of
from zhtext.numerals import find_numbers
from zhtext.remembering import remembered

__all__ = [
    "Form",
    "Question",
    "asks_ability",
    "asks_on",
    "is_main_door",
    "is_question",
    "only_asks_on",
    "openings_in",
    "polarity_words",
    "puts_either",
    "read_question",
    "says_main_door",
    "speaks_of_locks",
    "stock_words",
    "versus_words",
    "wants_answer",
]


STATE = "状态"
"""The attribute of a question that asks for none."""


class Form(StrEnum):
    """Form of a question: yes/no, any, which, how many, state, value, extreme."""

    WHETHER = "whether"
    ANY = "any"
    LIST = "list"
    STOCK = "stock"
    COUNT = "count"
    STATUS = "status"
    VALUE = "value"
    COMPARE = "compare"
    ABILITY = "ability"


class Question(msgspec.Struct, frozen=True):
    """A question. `attribute` is 状态 or what is measured; `on` the state asked about (None: neither was said);
    `highest` the end a comparison wants, `extreme` its word; `target` that a setting is meant, not a measurement;
    `every` that all of them are asked about; `plain` that neither yes nor no answers it; `where` that places are asked
    for; `versus` that two things are measured against each other, `amount` that it is asked how much; `period` the time
    that a count is asked for (今日); `limit` the number of which those above (`highest`) or below are asked for;
    `order` how several are listed: rising, falling, or "" for the home's order.
    """

    form: Form
    attribute: str = STATE
    on: bool | None = None
    highest: bool = True
    extreme: str = ""
    target: bool = False
    every: bool = False
    plain: bool = False
    where: bool = False
    versus: bool = False
    amount: bool = False
    period: str = ""
    limit: float | None = None
    order: str = ""


class _AskingForms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: tuple[str, ...]
    endings: tuple[str, ...]
    patterns: tuple[str, ...]
    either: str
    telling: tuple[str, ...]
    on: tuple[str, ...]


class _QuestionWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    asking: _AskingForms
    forms: dict[str, tuple[str, ...]]
    polarity: dict[str, tuple[str, ...]]
    orders: dict[str, tuple[str, ...]]
    ability: tuple[str, ...]
    wanting: tuple[str, ...]
    every: tuple[str, ...]
    openings: dict[str, tuple[str, ...]]
    main_door: tuple[str, ...]
    locked: tuple[str, ...]
    chosen: tuple[str, ...]
    versus: dict[str, tuple[str, ...]]
    amount: tuple[str, ...]
    limits: dict[str, str]
    half: str
    less: tuple[str, ...]
    periods: dict[str, tuple[str, ...]]
    plainly: tuple[str, ...]
    ends: Ends
    target: tuple[str, ...]
    beside: tuple[str, ...]


T = TypeVar("T")


class _QuestionTable(NamedTuple, Generic[T]):
    """Words by meaning, and a pattern that finds any of them."""

    any: re.Pattern[str]
    rows: tuple[tuple[str, T], ...]


@cache
def _words() -> _QuestionWords:
    return read_table(Path(__file__).parent / "data" / "questions.yaml", _QuestionWords)


@cache
def _question_pattern() -> re.Pattern[str]:
    asking = _words().asking
    return re.compile("|".join((*map(re.escape, asking.words), asking.either, *asking.patterns)))


@remembered(4096)
def is_question(text: str) -> bool:
    """Whether the text has the form of a question; 呢 alone only continues one (卧室的呢)."""
    return text.rstrip("。！!，,？? ").endswith(_words().asking.endings) or _question_pattern().search(text) is not None


def only_asks_on(text: str) -> bool:
    """Whether the text ends in a word that only continues a question (最凉快的呢)."""
    return text.rstrip("。！!，,？? ").endswith(_words().asking.on)


def asks_on(text: str) -> bool:
    """Whether the text asks for a report or continues a question (报一下, 卧室的呢)."""
    return _any(_words().asking.telling, text)


@cache
def _ability() -> re.Pattern[str]:
    return re.compile("|".join(_words().ability))


def asks_ability(text: str) -> bool:
    """Whether it is asked what a thing can be told (能调什么, 有几档)."""
    return _ability().search(_bare(text)) is not None


@cache
def _either() -> re.Pattern[str]:
    return re.compile(_words().asking.either)


def puts_either(text: str) -> bool:
    """Whether the text offers two states (是升着还是降着)."""
    return _either().search(_bare(text)) is not None


def _bare(text: str) -> str:
    """The text as it is looked into: 所有灯 and 没有灯 hold no 有灯."""
    return text.replace(" ", "").replace("所有", "全部")


@cache
def _asked() -> _QuestionTable[tuple[str, ...]]:
    """Attributes with the words that ask for them."""
    asked = {entry.attribute: entry.asked for entry in roles().values() if entry.asked}
    return _QuestionTable(any_of(_joined(asked.values())), tuple(asked.items()))


@cache
def _keyed(table: str) -> _QuestionTable[tuple[str, ...]]:
    words: dict[str, tuple[str, ...]] = getattr(_words(), table)
    return _QuestionTable(any_of(_joined(words.values())), tuple(words.items()))


@cache
def _extremes() -> _QuestionTable[Ends]:
    return _ends((*((entry.attribute, entry.compared) for entry in roles().values()), ("", _words().ends)))


@cache
def _plain_extremes() -> _QuestionTable[Ends]:
    return _ends(tuple((entry.attribute, entry.plain) for entry in roles().values()))


def _ends(rows: tuple[tuple[str, Ends], ...]) -> _QuestionTable[Ends]:
    return _QuestionTable(any_of(_joined(words for _, ends in rows for words in (ends.high, ends.low))), rows)


def _joined(words: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(chain.from_iterable(words))


def wants_answer(text: str) -> bool:
    """Whether the text wants information and is no mere complaint (怎么这么暗)."""
    return _any(_words().wanting, text)


def versus_words() -> tuple[str, ...]:
    """Words that measure one thing against another (比)."""
    return tuple(_words().versus)


def polarity_words() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words that say a thing is on (open, unlocked), and words that say it is off."""
    return _words().polarity["on"], _words().polarity["off"]


@cache
def stock_words() -> re.Pattern[str]:
    """What a question of what there is consists of beside the place and the kind of thing."""
    words = _words()
    asking = (*words.forms["stock"], *words.forms["count"], *words.beside)
    return re.compile("|".join(re.escape(word) for word in sorted(asking, key=len, reverse=True)))


@cache
def _alone(table: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The words of a table as they stand alone, and not within the longer words beside them."""
    words: dict[str, tuple[str, ...]] = getattr(_words(), table)
    return tuple((word, re.compile("|".join((*map(re.escape, longer), f"({word})")))) for word, longer in words.items())


def _standing(table: str, text: str) -> tuple[str, ...]:
    return tuple(word for word, pattern in _alone(table) if any(match[1] for match in pattern.finditer(text)))


def openings_in(text: str) -> tuple[str, ...]:
    """The doors or windows (门, 窗) that the text speaks of; none where it speaks of others (窗帘, 门锁)."""
    return _standing("openings", text)


def speaks_of_locks(text: str) -> bool:
    """Whether it is asked of a door whether it is locked."""
    return _any(_words().locked, text)


def is_main_door(name: str) -> bool:
    """Whether the name is one of the door of the home."""
    return name in _words().main_door


def says_main_door(text: str) -> bool:
    """Whether the text speaks of the door of the home."""
    return _any(_words().main_door, text)


def _longest(text: str, table: _QuestionTable[tuple[str, ...]]) -> tuple[str, str]:
    """The key whose longest word stands in `text`, and the word; a later place wins among equals."""
    best: tuple[int, int, str, str] | None = None
    if table.any.search(text) is None:
        return "", ""
    for key, words in table.rows:
        for word in words:
            place = text.rfind(word)
            if place >= 0 and (best is None or (len(word), place) > best[:2]):
                best = (len(word), place, key, word)
    return (best[2], best[3]) if best else ("", "")


@lru_cache(maxsize=4096)
def read_question(action: str, text: str) -> Question:
    """The question of a protocol verb (`查询温度`) and the words it came in (may be empty)."""
    words = _words()
    attribute = action.removeprefix("查询") or STATE
    text = _bare(text)
    put = Question(
        Form.WHETHER,
        target=_any(words.target, text),
        every=_any(words.every, text),
        plain=_any(words.plainly, text),
        where=_any(words.forms["where"], text),
        versus=bool(_standing("versus", text)),
        amount=_any(words.amount, text),
        period=_longest(text, _keyed("periods"))[0],
        order=_longest(text, _keyed("orders"))[0],
    )
    limit, over = _limit(text)
    if asks_ability(text):
        return msgspec.structs.replace(put, form=Form.ABILITY)
    measured = _measured(put, attribute, text) or _state_asked(put, text)
    return measured if limit is None else msgspec.structs.replace(measured, limit=limit, highest=over)


def _limit(text: str) -> tuple[float | None, bool]:
    """The number of which those above (True) or below are asked for; None where none is said."""
    words = _words()
    text = text.replace(words.half, "50")
    for number in find_numbers(text):
        marked = f"{text[: number.start]}#{text[number.end :]}"
        for side, said in words.limits.items():
            if re.search(said, marked):
                return float(number.value), side == "over"
    return None, True


def _measured(put: Question, attribute: str, text: str) -> Question | None:
    """The question as one about an attribute, or its end among several; None when it asks for a state."""
    words = _words()
    compared, highest, extreme = _extreme(text, _extremes())
    chosen = put.where or put.versus or _any(words.chosen, text)
    if chosen and not extreme and not _longest(text, _keyed("polarity"))[0]:  # 哪个屋的灯还亮着
        compared, highest, extreme = _extreme(text, _plain_extremes())
    if attribute == STATE:
        named = _longest(text, _asked())[0]
        attribute = (compared if compared and chosen else named) or attribute
    highest = highest if extreme or not put.versus else not _any(words.less, text)  # 跟海景房差几度 names no end
    ends = msgspec.structs.replace(put, highest=highest, extreme=extreme)
    if (extreme or put.versus) and chosen and (compared or attribute != STATE):
        return msgspec.structs.replace(ends, form=Form.COMPARE, attribute=compared or attribute)
    counted = _any(words.forms["count"], text)
    if attribute == STATE or (counted and not _longest(text, _asked())[0]):
        return None
    beside = compared == attribute or not compared
    return msgspec.structs.replace(ends if beside else put, form=Form.VALUE, attribute=attribute)


def _state_asked(put: Question, text: str) -> Question:
    words = _words()
    said = _longest(text, _keyed("polarity"))[0]
    on = None if not said else said == "on"
    for form in (Form.COUNT, Form.STATUS, Form.STOCK, Form.LIST, Form.ANY):
        if _any(words.forms[form.value], text) and not (form in (Form.STATUS, Form.STOCK) and on is not None):
            return msgspec.structs.replace(put, form=form, on=on)
    return msgspec.structs.replace(put, on=on)


def _any(words: Iterable[str], text: str) -> bool:
    return any_of(tuple(words)).search(text) is not None


def _extreme(text: str, table: _QuestionTable[Ends]) -> tuple[str, bool, str]:
    """(attribute, highest, word) of a comparing word; the attribute is empty for a bare 最高."""
    best: tuple[int, str, bool, str] = (0, "", True, "")
    if table.any.search(text) is None:
        return best[1:]
    for attribute, ends in table.rows:
        for highest, said in ((True, ends.high), (False, ends.low)):
            for word in said:
                if len(word) > best[0] and word in text:
                    best = (len(word), attribute, highest, word)
    return best[1:]
