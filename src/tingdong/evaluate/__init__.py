"""Corpora → scores → report: what `tingdong eval` measures (docs/evaluation.md).

Scorers take what they measure as a callable, so that the same scorer judges a parser in this process or a server behind
a socket.
"""

from tingdong.evaluate.corpus import Case, is_closed, load
from tingdong.evaluate.runner import RunOptions, run
from tingdong.evaluate.score import ScoredItem, Summary, Tally

__all__ = ["Case", "RunOptions", "ScoredItem", "Summary", "Tally", "is_closed", "load", "run"]
