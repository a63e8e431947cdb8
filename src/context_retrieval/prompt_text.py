"""Texts of strangers as scalars of a prompt (architecture, law 4: names are data).

Every text is cleaned (control characters, line and paragraph separators, bidi and zero-width characters become blanks
or vanish), cut, and quoted whenever YAML or a prompt could read more into it than its characters.
"""

import re

__all__ = [
    "MAX_ID",
    "MAX_NAME",
    "MAX_TEXT",
    "clean",
    "count_tokens",
    "one_line",
    "quoted",
    "scalar",
    "string",
    "type_word",
]

MAX_NAME = 40
MAX_TEXT = 60
MAX_ID = 80

_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_GONE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\uffff\ud800-\udfff\ue000-\uf8ff\U000e0000-\U000e0fff\U000f0000-\U0010ffff]+"
)
_PLAIN = re.compile(
    r"[\u4e00-\u9fffA-Za-z][\u4e00-\u9fffA-Za-z0-9_./+（）()°℃%-]*(?: [\u4e00-\u9fffA-Za-z0-9_.+（）()°℃-]+)*\Z"
)
_PLAIN_TYPE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*(?::[A-Za-z][A-Za-z0-9_.-]*)*\Z")
_RESERVED = frozenset(
    {"true", "false", "yes", "no", "on", "off", "y", "n", "null", "none", "nan", "inf", "infinity"}
    | {"system", "user", "assistant", "human", "ai", "tool", "function", "developer"}
)
_ESCAPES = {'"': '\\"', "\\": "\\\\"}
_TOKEN = re.compile(r"[A-Za-z]{1,4}|\d{1,3}|[^\sA-Za-z\d]|\s+")


_HARMLESS = str.maketrans("<>`|", "＜＞ˋ｜")


def clean(text: str, limit: int = MAX_NAME) -> str:
    """`text` as one line of visible characters, at most `limit` of them; a cut is marked with an ellipsis.

    The signs of tags, role markers and fences (`<|im_start|>`, ```) become their full-width likenesses.
    """
    if len(text) > limit * 8:
        text = text[: limit * 8]
    text = " ".join(_BREAKS.sub(" ", _GONE.sub("", text)).split()).translate(_HARMLESS)
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


_QUOTES = str.maketrans(dict.fromkeys('“”„‟〝〞〟＂"«»', "'"))


def quoted(text: str, limit: int = MAX_NAME) -> str:
    """`text` in “ ” as part of a sentence for a model: cleaned, cut, and without a quotation mark of its own, so that
    whatever stands outside the marks was written here."""
    return f"“{clean(text.translate(_QUOTES), limit)}”"


def one_line(hint: str, limit: int) -> str:
    """A hint as one line of at most `limit` characters; a quotation that the cut opens is closed again."""
    text = clean(hint, len(hint) + 1)
    if len(text) <= limit:
        return text
    cut = text[: limit - 2].rstrip()
    return cut + ("…”" if cut.count("“") > cut.count("”") else "…")


def count_tokens(text: str) -> int:
    """An upper-leaning estimate without a model's tokenizer: a Chinese character or sign is one, Latin letters one
    for four, digits one for three, a run of blanks one."""
    return sum(1 for _ in _TOKEN.finditer(text))


def type_word(text: str) -> str:
    """A platform type as a scalar: its colons and dots need no quotes."""
    text = clean(text, MAX_TEXT)
    return text if _PLAIN_TYPE.match(text) and text.lower() not in _RESERVED else string(text)


def scalar(text: str, limit: int = MAX_NAME) -> str:
    """A plain scalar where the characters leave no doubt, else a double-quoted one."""
    text = clean(text, limit)
    return text if _is_plain(text) else string(text)


def _is_plain(text: str) -> bool:
    return _PLAIN.match(text) is not None and text.lower() not in _RESERVED


def string(text: str) -> str:
    """A double-quoted YAML scalar of a text that is clean."""
    return '"' + "".join(_ESCAPES.get(character, character) for character in text) + '"'
