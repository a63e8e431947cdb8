"""Whether a streamed text can still become JSON: the first impossible character ends the call.

A small pushdown automaton over RFC 8259; it judges form only, a consumer judges content. `root` is the character that
the text must begin with; an array may also come wrapped in an object, as some servers demand one.
"""

import re

__all__ = ["viable_json"]

_SPACE = " \t\n\r"
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_PARTIAL_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*(?:\\(?:u[0-9a-fA-F]{0,3})?)?')
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_PARTIAL_NUMBER = re.compile(r"-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d*)?)?")
_WORDS = ("true", "false", "null")
MAX_DEPTH = 16

_VALUE, _FIRST_VALUE, _KEY, _FIRST_KEY, _COLON, _NEXT = range(6)


def viable_json(text: str, root: str = "{[") -> bool:
    """True while `text` may be the beginning, or the whole, of one JSON value; it starts with a character of `root`."""
    at, end = _skip(text, 0), len(text)
    if at == end:
        return True
    if text[at] not in root:
        return False
    stack: list[str] = []
    state = _VALUE
    while at < end:
        step = _step(text, at, state, stack)
        if step is None:
            return False
        at, state = step
        at = _skip(text, at)
        if not stack:
            return at == end
    return True


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _step(text: str, at: int, state: int, stack: list[str]) -> tuple[int, int] | None:
    """The position and state after one token; None when no text can go on like this."""
    letter = text[at]
    if state in (_KEY, _FIRST_KEY):
        if letter == "}" and state == _FIRST_KEY:
            stack.pop()
            return at + 1, _NEXT
        return _scalar(text, at, _COLON) if letter == '"' else None
    if state == _COLON:
        return (at + 1, _VALUE) if letter == ":" else None
    if state == _NEXT:
        if letter == ",":
            return at + 1, _KEY if stack[-1] == "}" else _VALUE
        return (at + 1, _NEXT) if letter == stack.pop() else None
    if letter == "]" and state == _FIRST_VALUE:
        stack.pop()
        return at + 1, _NEXT
    if letter in "{[":
        stack.append("}" if letter == "{" else "]")
        opened = _FIRST_KEY if letter == "{" else _FIRST_VALUE
        return (at + 1, opened) if len(stack) <= MAX_DEPTH else None
    return _scalar(text, at, _NEXT)


def _scalar(text: str, at: int, after: int) -> tuple[int, int] | None:
    """A string, number or word; one that the text breaks off within counts as long as it may go on."""
    letter, end = text[at], len(text)
    if letter == '"':
        whole, partial = _STRING.match(text, at), _PARTIAL_STRING
    elif letter == "-" or letter.isdigit():
        whole, partial = _NUMBER.match(text, at), _PARTIAL_NUMBER
    else:
        word = next((word for word in _WORDS if text.startswith(word, at)), None)
        if word is not None:
            return at + len(word), after
        rest = text[at:]
        return (end, after) if any(word.startswith(rest) for word in _WORDS) else None
    begun = partial.match(text, at)
    if begun is not None and begun.end() == end:
        return end, after
    return (whole.end(), after) if whole is not None else None
