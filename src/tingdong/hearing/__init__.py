"""Correction of recognition errors: sounds, weighed against usual sentences and the names of this home.

A noisy-channel model. `Hearer.hear` takes a recogniser's sentence and returns the most probable one, with every change
and its confidence (docs/hearing.md). It knows text and names, not the meaning of a request.
"""

from tingdong.hearing.heard import Heard, HearingRepair
from tingdong.hearing.hearer import Hearer, KnownSpans, default_hearer
from tingdong.hearing.names import Names

__all__ = ["Heard", "Hearer", "HearingRepair", "KnownSpans", "Names", "default_hearer"]
