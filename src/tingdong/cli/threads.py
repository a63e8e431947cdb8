"""Limits numpy's BLAS to one thread: splitting small matrices over cores costs more than it saves.

The learned reader multiplies matrices with one row per token. The command line sets this before numpy is imported;
other programs set the environment (docs/reader.md).
"""

from collections.abc import MutableMapping

__all__ = ["limit_threads"]

_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def limit_threads(environment: MutableMapping[str, str]) -> None:
    """One thread for each BLAS that numpy may be built with, where the environment does not say how many."""
    for name in _VARIABLES:
        environment.setdefault(name, "1")
