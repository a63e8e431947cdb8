"""Values shared by the use case and the answerer."""

import msgspec

from tingdong.commands.reading import Reading, Verdict
from tingdong.home.home import HomeSnapshot

__all__ = ["Answer", "OpenQuestion"]


class OpenQuestion(msgspec.Struct, frozen=True):
    """A question about a home that is no command: the local reading of its words, and where the user is."""

    reading: Reading
    home: HomeSnapshot
    local: str = ""


class Answer(msgspec.Struct, frozen=True):
    """What a model answered, validated: `text` is "" unless `verdict` is accept; `reason` a stable code otherwise."""

    verdict: Verdict
    reason: str = ""
    text: str = ""
    confidence: float = 0.0
    tier: str = "llm_answer"
