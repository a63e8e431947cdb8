"""One thread for the products of small matrices: what splits them over cores costs more than they do.

The learned reader multiplies rows of a sentence's length; numpy's BLAS would wake a thread a core for each of them. The
command line says so before numpy is imported; a process of one's own does it by the environment (docs/reader.md).
"""

from collections.abc import MutableMapping

__all__ = ["limit_threads"]

_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def limit_threads(environment: MutableMapping[str, str]) -> None:
    """One thread for each BLAS that numpy may be built with, where the environment does not say how many."""
    for name in _VARIABLES:
        environment.setdefault(name, "1")
