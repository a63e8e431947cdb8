"""Corpora → scores → report: `tingdong eval` (docs/evaluation.md).

Scorers take the measured function as a callable, so that one scorer serves a parser in this process and a server behind
a socket.
"""

from tingdong.evaluate.corpus import Case, is_closed, load
from tingdong.evaluate.runner import RunOptions, run
from tingdong.evaluate.score import ScoredItem, Summary, Tally

__all__ = ["Case", "RunOptions", "ScoredItem", "Summary", "Tally", "is_closed", "load", "run"]
