"""Chinese text without any domain: spelling, numerals, quantities, times, sound, and an offline embedder.

The lowest layer: it knows neither homes nor hospitals. Names are imported when first used; `normalise` is the name of
a module, so its function is imported from there: `from zhtext.normalise import normalise`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zhtext.clock import TimeKind, TimeMention, find_times, resolve, when_string
    from zhtext.durations import Duration, TimeUnit
    from zhtext.ngram import NGramEmbedder
    from zhtext.normalise import Normalised, fold
    from zhtext.numerals import NumberSpan, find_numbers, parse_number, to_chinese
    from zhtext.quantities import Quantity, QuantityKind, find_quantities
    from zhtext.sound import sound_key, sounds_like, syllables

__all__ = [
    "Duration",
    "NGramEmbedder",
    "Normalised",
    "NumberSpan",
    "Quantity",
    "QuantityKind",
    "TimeKind",
    "TimeMention",
    "TimeUnit",
    "find_numbers",
    "find_quantities",
    "find_times",
    "fold",
    "parse_number",
    "resolve",
    "sound_key",
    "sounds_like",
    "syllables",
    "to_chinese",
    "when_string",
]

_MODULES = {
    "clock": ("TimeKind", "TimeMention", "find_times", "resolve", "when_string"),
    "durations": ("Duration", "TimeUnit"),
    "ngram": ("NGramEmbedder",),
    "normalise": ("Normalised", "fold"),
    "numerals": ("NumberSpan", "find_numbers", "parse_number", "to_chinese"),
    "quantities": ("Quantity", "QuantityKind", "find_quantities"),
    "sound": ("sound_key", "sounds_like", "syllables"),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    module = _HOMES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"zhtext.{module}"), name)
