"""Filters for streamed answers: removes thinking tags, unwraps an array in an object. Pure."""

import json
import re

__all__ = ["ThinkingFilter", "token_estimate", "unwrap", "wrap_schema"]

WRAP_KEY = "items"

_OPEN, _CLOSE = "<think>", "</think>"
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
_WORD = re.compile(r"[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9]")


class ThinkingFilter:
    """Drops a leading `<think>…</think>` block from a streamed answer."""

    def __init__(self) -> None:
        self._held = ""
        self._state = "start"

    def feed(self, piece: str) -> str:
        """The part of `piece` (and of what was held back) that belongs to the answer."""
        if self._state == "answer":
            return piece
        self._held += piece
        if self._state == "start":
            stripped = self._held.lstrip()
            if len(stripped) < len(_OPEN) and _OPEN.startswith(stripped):
                return ""
            if not stripped.startswith(_OPEN):
                return self._release(self._held)
            self._state = "thinking"
        at = self._held.find(_CLOSE)
        if at < 0:
            self._held = self._held[-len(_CLOSE) :] if len(self._held) > 4096 else self._held
            return ""
        return self._release(self._held[at + len(_CLOSE) :].lstrip())

    def _release(self, text: str) -> str:
        self._state, self._held = "answer", ""
        return text


def wrap_schema(schema: dict[str, object]) -> dict[str, object]:
    """An object schema around an array root, for servers that demand an object."""
    return {"type": "object", "properties": {WRAP_KEY: schema}, "required": [WRAP_KEY], "additionalProperties": False}


def unwrap(text: str) -> str:
    """The array inside a wrapping object; any other text unchanged (its reader judges it)."""
    if not text.lstrip().startswith("{"):
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if isinstance(value, dict) and len(value) == 1:
        (inner,) = value.values()
        if isinstance(inner, list):
            return json.dumps(inner, ensure_ascii=False)
    return text


def token_estimate(text: str) -> int:
    """Tokens by a stated rule of thumb: a CJK character is one, a run of Latin letters or digits a quarter of its
    length rounded up, any other visible character one."""
    cjk = len(_CJK.findall(text))
    return cjk + sum(
        -(-len(word) // 4) if word.isalnum() else 1 for word in _WORD.findall(_CJK.sub(" ", text)) if word.isascii()
    )
