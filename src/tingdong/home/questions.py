"""What a question wants to know: whether, which, how many, a value, or an end of a comparison (seed 004 §4.2, answers).

The command protocol says only `查询状态` or `查询温度`; the rest of a question is in its words, which are data.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from tingdong.home.vocabulary import read_table

__all__ = ["Form", "Question", "read_question", "stock_words"]


class Form(StrEnum):
    WHETHER = "whether"
    ANY = "any"
    LIST = "list"
    STOCK = "stock"
    COUNT = "count"
    STATUS = "status"
    VALUE = "value"
    COMPARE = "compare"


class Question(msgspec.Struct, frozen=True):
    """A question. `attribute` is 状态 or what is measured; `on` the state asked about (None: neither was said);
    `highest` the end a comparison wants, `extreme` its word; `target` that a setting is meant, not a measurement;
    `every` that all of them are asked about; `plain` that neither yes nor no answers it.
    """

    form: Form
    attribute: str = "状态"
    on: bool | None = None
    highest: bool = True
    extreme: str = ""
    target: bool = False
    every: bool = False
    plain: bool = False


class _Ends(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    high: tuple[str, ...]
    low: tuple[str, ...]


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    forms: dict[str, tuple[str, ...]]
    polarity: dict[str, tuple[str, ...]]
    attributes: dict[str, tuple[str, ...]]
    extremes: dict[str, _Ends]
    plain: dict[str, _Ends]
    every: tuple[str, ...]
    plainly: tuple[str, ...]
    ends: _Ends
    target: tuple[str, ...]
    beside: tuple[str, ...]


@cache
def _words() -> _Words:
    return read_table(Path(__file__).parent / "data" / "questions.yaml", _Words)


@cache
def stock_words() -> re.Pattern[str]:
    """What a question of what there is consists of beside the place and the kind of thing."""
    words = _words()
    asking = (*words.forms["stock"], *words.forms["count"], *words.beside)
    return re.compile("|".join(re.escape(word) for word in sorted(asking, key=len, reverse=True)))


def _longest(text: str, table: dict[str, tuple[str, ...]]) -> tuple[str, str]:
    """The key whose longest word stands in `text`, and the word; a later place wins among equals."""
    best: tuple[int, int, str, str] | None = None
    for key, words in table.items():
        for word in words:
            place = text.rfind(word)
            if place >= 0 and (best is None or (len(word), place) > best[:2]):
                best = (len(word), place, key, word)
    return (best[2], best[3]) if best else ("", "")


@lru_cache(maxsize=4096)
def read_question(action: str, text: str) -> Question:
    """The question of a protocol verb (`查询温度`) and the words it came in (may be empty)."""
    words = _words()
    attribute = action.removeprefix("查询") or "状态"
    # 所有灯 and 没有灯 hold no 有灯.
    text = text.replace(" ", "").replace("所有", "全部")
    compared, highest, extreme = _extreme(text, (*words.extremes.items(), ("", words.ends)))
    asks_where = any(word in text for word in (*words.forms["where"], "哪个", "哪台", "哪盏", "比"))
    if asks_where and not extreme:
        compared, highest, extreme = _extreme(text, words.plain.items())
    if attribute == "状态":
        named = _longest(text, words.attributes)[0]
        attribute = (compared if compared and asks_where else named) or attribute
    if extreme and asks_where and (compared or attribute != "状态"):
        return Question(
            Form.COMPARE, compared or attribute, highest=highest, extreme=extreme, target=_target(text, words)
        )
    counted = any(word in text for word in words.forms["count"])
    if counted and not _longest(text, words.attributes)[0]:
        attribute = "状态"
    if attribute != "状态":
        return Question(Form.VALUE, attribute, target=_target(text, words))
    said = _longest(text, words.polarity)[0]
    on = None if not said else said == "on"
    plain = any(word in text for word in words.plainly)
    every = any(word in text for word in words.every)
    for form in (Form.COUNT, Form.STATUS, Form.STOCK, Form.LIST, Form.ANY):
        if any(word in text for word in words.forms[form.value]):
            if form in (Form.STATUS, Form.STOCK) and on is not None:
                continue
            return Question(form, on=on, every=every, plain=plain)
    return Question(Form.WHETHER, on=on, every=every, plain=plain)


def _extreme(text: str, table: Iterable[tuple[str, _Ends]]) -> tuple[str, bool, str]:
    """(attribute, highest, word) of a comparing word; the attribute is empty for a bare 最高."""
    best: tuple[int, str, bool, str] = (0, "", True, "")
    for attribute, ends in table:
        for highest, said in ((True, ends.high), (False, ends.low)):
            for word in said:
                if len(word) > best[0] and word in text:
                    best = (len(word), attribute, highest, word)
    return best[1], best[2], best[3]


def _target(text: str, words: _Words) -> bool:
    return any(word in text for word in words.target)
