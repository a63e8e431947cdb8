"""Normal form of names and room words (retrieval.md, Names).

Two spellings that a listener cannot tell apart share one form: full and half width, simplified and traditional,
letter case, Chinese and Arabic digits, zeros before a number, blanks, 的, and the counter of an ordinal
(草坪灯二号 = 草坪灯2).
"""

import re
import unicodedata

import zhtext.normalise
from zhtext.remembering import remembered

__all__ = [
    "bigrams",
    "normalise",
    "ordinal_last",
    "plain_question",
    "side_last",
    "spoken",
    "without_last_side",
    "without_number",
    "without_side",
]

_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "○": 0}
_NUMERAL = re.compile("[〇○零一二三四五六七八九十]+")
_ZEROS = re.compile(r"(?<![\d.])0+(?=\d)")
_DROPPED = re.compile(r"[\s的·・._\-—()（）「」『』\"'“”‘’,，。!！?？、:：;；#*@]+")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]+")
_SIDE = re.compile("(?<=[左右上下前后里外中东西南北])[边侧面头](?=.)")
_COUNTER = re.compile(r"(?:第(?=\d))|(?<=\d)(?:号|#)(?=$|\D)")
_PLAIN = re.compile("[\u4e00-\u9fff]*")
_ORDINAL_FIRST = re.compile(r"(\d+)[个盏台只扇号组路]?([^\d楼栋单层].*)")
_NUMBER_LAST = re.compile(r"(.*[^\da-z])(?:\d+|[a-z])\Z")
_SIDE_FIRST = re.compile(r"([左右上下前后里外中东西南北])[边侧面头]?(.+)")
_SIDE_LAST = re.compile(r"(.{2,})[左右上下前后里外中东西南北][边侧面头]?\Z")


def _arabic(match: re.Match[str]) -> str:
    text = match[0]
    if "十" not in text:
        return "".join(str(_DIGITS[char]) for char in text)
    tens, _, ones = text.partition("十")
    if len(tens) > 1 or len(ones) > 1 or ones == "十":
        return text
    return str((_DIGITS[tens] if tens else 1) * 10 + (_DIGITS[ones] if ones else 0))


_HOW_MUCH = re.compile(
    r"好多(?=[度级档格])|(?:(?<=[剩是度量速])|(?<=设的)|(?<=开的)|(?<=PM2\.5)|(?<=CO2))好多(?=[哦喔噢啊呀嘛呢哟诶？?！!。，,\s]*\Z)",
    re.IGNORECASE,
)


def plain_question(text: str) -> str:
    """The text with 好多 as 多少 where it asks how much, as half the country says (湿度好多, 还剩好多); same length."""
    return _HOW_MUCH.sub("多少", text) if "好多" in text else text


@remembered(8192)
def normalise(text: str) -> str:
    """The form under which spoken and written names are compared. Never raises; may be empty."""
    return _COUNTER.sub("", spoken(text))


@remembered(8192)
def spoken(text: str) -> str:
    """The normal form in which counting words still stand (第2盏, 1号)."""
    text = zhtext.normalise.normalise(text).text
    if _PLAIN.fullmatch(text) is None:
        text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).lower()
        text = _DROPPED.sub("", text)
    else:
        text = text.replace("的", "") or text
    return _ZEROS.sub("", _NUMERAL.sub(_arabic, text))


def ordinal_last(form: str) -> str | None:
    """`2草坪灯` as `草坪灯2`; None when the normal form does not start with a number."""
    match = _ORDINAL_FIRST.fullmatch(form)
    return None if match is None else match[2] + match[1]


def without_side(form: str) -> str:
    """`左边床头灯` as `左床头灯`."""
    return _SIDE.sub("", form)


def side_last(form: str) -> str | None:
    """`右边床头灯` as `床头灯右`; None when the normal form does not start with a side."""
    match = _SIDE_FIRST.fullmatch(form)
    return None if match is None else match[2] + match[1]


def without_last_side(form: str) -> str | None:
    """`床头灯左` as `床头灯`; None when the normal form does not end in a side."""
    match = _SIDE_LAST.fullmatch(form)
    return None if match is None else match[1]


def without_number(form: str) -> str | None:
    """`射灯1` and `射灯a` as `射灯`; None when the normal form does not end in a number or a letter."""
    match = _NUMBER_LAST.match(form)
    return None if match is None else match[1]


def bigrams(form: str) -> frozenset[str]:
    """Character pairs of a form, its single character when it has but one."""
    if len(form) < 2:
        return frozenset(form)
    return frozenset(form[index : index + 2] for index in range(len(form) - 1))
