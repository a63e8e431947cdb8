"""What a tier and its model exchanged, for observers, and its redacted form for logs (law 4).

Utterances and device names are private (commands.md, Consumer), so a log gets an outline: signs, form and length with
every word masked.
"""

import re
from collections.abc import Callable, Mapping

import msgspec

from tingdong.llm.port import Usage

__all__ = ["Exchange", "Observer", "outline"]

OUTLINE_CHARS = 240

_KEPT = re.compile(
    r"UNKNOWN|AirConditioner|Blind|Charger|Fan|Hub|Light|NetworkAudio|Switch|Television|Washer|SmartPlug|Unknown"
    r"|\b(?:one|all|any|except|json|items|text|agent|facts|id|property|value|answer|true|false|null)\b|@last|@here"
)
_BLOTTED = re.compile(
    r"(?P<x>[^\W\d_\u2e80-\u9fff\uf900-\ufaff]+)|(?P<some>[\u2e80-\u9fff\uf900-\ufaff]+)|(?P<zero>\d+)"
)
_BLOTS = {"x": "x", "some": "某", "zero": "0"}


class Exchange(msgspec.Struct, frozen=True):
    """One answer of a model. `task` is what was asked (commands, answer, hospital); `reasons` why it was not believed.

    `raw` is the text as it came, `sections` the estimated tokens of each part of the prompt, `attempt` 1 or, for a
    repair, 2. A call that failed has the error's code as its only reason and no text.
    """

    task: str
    raw: str = ""
    reasons: tuple[str, ...] = ()
    sections: Mapping[str, int] = {}
    usage: Usage = Usage()
    seconds: float = 0.0
    attempt: int = 1


Observer = Callable[[Exchange], None]


def outline(raw: str) -> str:
    """The answer with words masked: 某 for Chinese, x for letters, 0 for digits; signs and closed words of the protocol
    stay. At most `OUTLINE_CHARS` characters."""
    kept: list[str] = []
    at = 0
    for found in _KEPT.finditer(raw[: OUTLINE_CHARS * 4]):
        kept += [_blotted(raw[at : found.start()]), found[0]]
        at = found.end()
    kept.append(_blotted(raw[at : OUTLINE_CHARS * 4]))
    text = " ".join("".join(kept).split())
    text = "".join(character for character in text if character.isprintable())
    return text if len(text) <= OUTLINE_CHARS else text[: OUTLINE_CHARS - 1] + "…"


def _blotted(text: str) -> str:
    return _BLOTTED.sub(lambda found: _BLOTS[str(found.lastgroup)], text)
