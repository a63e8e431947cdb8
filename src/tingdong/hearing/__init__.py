"""What was probably said: the sounds of what was heard, weighed against what people say and this home's names.

A noisy channel. `Hearer.hear` takes a sentence as a recogniser wrote it and gives the most probable one, with every
change and how sure it is (docs/hearing.md). It knows text and names only; what a sentence asks for is not its business.
"""

from tingdong.hearing.heard import Heard, HearingRepair
from tingdong.hearing.hearer import Hearer, KnownSpans, default_hearer
from tingdong.hearing.names import Names

__all__ = ["Heard", "Hearer", "HearingRepair", "KnownSpans", "Names", "default_hearer"]
