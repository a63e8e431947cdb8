"""`tingdong eval`: joins what is measured to its scorer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tingdong.evaluate.runner import Figures, Score

__all__ = ["scorer"]

MakeScorer = Callable[[], tuple[Score, Figures]]


@contextmanager
def scorer(kind: str) -> Iterator[MakeScorer]:
    """A maker of fresh scorers for one kind of set; what had to be started for it ends with the context."""
    with _MAKERS[kind]() as make:
        yield make


@contextmanager
def _commands() -> Iterator[MakeScorer]:
    from tingdong.commands import LocalParser
    from tingdong.evaluate.commands import score_case

    parser = LocalParser()
    yield lambda: (lambda case: [score_case(case, parser.read)], dict)


_MAKERS = {"commands": _commands}
