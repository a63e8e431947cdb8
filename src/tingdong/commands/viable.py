"""Whether a streamed text can still become a command array: the first impossible character ends the call.

A small automaton over the shape `["…","…"]`, or the same array wrapped in a one-key object. It judges shape only; the
consumer judges content.
"""

import re

__all__ = ["viable_array"]

_STRING = r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrtu]|\\u[0-9a-fA-F]{0,4})*'
_COMPLETE = r'"(?:[^"\\\x00-\x1f]|\\.)*"'
_ARRAY_PREFIX = rf"\[\s*(?:{_COMPLETE}\s*,\s*)*(?:{_STRING}\\?|{_COMPLETE}\s*)?(?:\]\s*)?"
_OBJECT_PREFIX = r'\{\s*(?:"[^"\\]*(?:"\s*(?::\s*)?)?)?'
_WRAPPED_PREFIX = r'\{\s*"[^"\\]*"\s*:\s*'
_VIABLE = re.compile(rf"\s*(?:{_ARRAY_PREFIX}|{_OBJECT_PREFIX}|{_WRAPPED_PREFIX}{_ARRAY_PREFIX}(?:\}}\s*)?)?")


def viable_array(text: str) -> bool:
    """True while `text` may be the beginning (or the whole) of a JSON array of strings."""
    return _VIABLE.fullmatch(text) is not None
