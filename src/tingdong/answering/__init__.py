"""Open questions about a home, answered by a language model from injected data (seed 002, 集成; service.md, Scene).

`Answerer` asks and validates; `prompt` puts the prompt together, `claims` says what an answer may hold.
"""

from tingdong.answering.answerer import Answerer

__all__ = ["Answerer"]
