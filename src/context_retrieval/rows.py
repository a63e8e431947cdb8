"""Rows of things that a number or a side tells apart, and the one beside the one spoken of (retrieval.md).

四号 after 射灯三, 右边的 and 另一边的 after 左边床头灯: a row stands in one room and shares a name.
"""

import re
from collections.abc import Sequence

from context_retrieval.kinds import gloss
from context_retrieval.name_forms import lettered_family
from context_retrieval.text import normalise, without_number

__all__ = ["family_of", "marks_said"]

_SIDES = "左右上下前后里外东西南北"
_SIDED = re.compile(f"([{_SIDES}])[边侧面头]?(?P<behind>.{{2,}})|(?P<before>.{{2,}}?)([{_SIDES}])[边侧面头]?")
_SAID_SIDE = re.compile(f"([{_SIDES}])[边侧面头手]")
_NUMBER = r"(十[一二]?|[一二三四五六七八九]|\d{1,2})"
_SAID_NUMBER = re.compile(f"第{_NUMBER}[个盏台只扇号]?|{_NUMBER}号")
_OTHER_SIDE = re.compile("另外?一?[边侧头个盏台只扇]|对面|对过")


def family_of(name: str) -> tuple[str, str]:
    """A name without its number or side, and that number or side; "" for a name that has none."""
    form = normalise(name)
    if (lettered := lettered_family(name)) is not None:
        return lettered, form[len(lettered) :]
    form = gloss(form) or form
    if (bare := without_number(form)) is not None:
        return bare, form[len(bare) :]
    sided = _SIDED.fullmatch(form)
    if sided is None:
        return form, ""
    return sided["behind"] or sided["before"], sided[1] or sided[4]


def marks_said(text: str, marks: Sequence[str], own: str) -> tuple[str, ...]:
    """Which of a row's `marks` the sentence says: by number or side, or the other of two; none where one is no mark."""
    if _OTHER_SIDE.search(text) and len(marks) == 2:
        return tuple(mark for mark in marks if mark != own)
    said = [normalise(match[1] or match[2]) for match in _SAID_NUMBER.finditer(text)]
    said += [match[1] for match in _SAID_SIDE.finditer(text)]
    found = tuple(dict.fromkeys(mark for mark in said if mark in marks))
    return found if len(said) == len(found) else ()
