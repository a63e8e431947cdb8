"""`tingdong train-domain`: the reading of a front desk, learned from the sentences of its domain file."""

import sys
import time
from pathlib import Path

from tingdong.errors import DataError
from tingdong.front_desk import directory as directories
from tingdong.front_desk.domain import load
from tingdong.front_desk.lacking import lacking
from tingdong.front_desk.own_models import PARTS, model_path
from tingdong.front_desk.train_domain import train_domain

__all__ = ["train_file"]


def train_file(domain_file: Path, directory_file: Path | None) -> None:
    """Trains, writes the model beside the file, and prints what the desk still lacks.

    Raises:
        DataError: a file is broken, there are too few sentences, or the model cannot be written.
    """
    begun, done = time.monotonic(), 0
    domain = load(domain_file)
    directory = directories.load(directory_file) if directory_file is not None else directories.EMPTY
    path = model_path(domain) or domain_file

    def told(step: str) -> None:
        nonlocal done
        _bar(done, step)
        done += 1

    raw = train_domain(domain, directory, told)
    _bar(len(PARTS), "done\n")
    try:
        path.write_bytes(raw)
    except OSError as error:
        raise DataError(f"{path.name}: cannot be written: {error.strerror}", path=str(path)) from error
    print(f"{path}: {len(raw) // 1024} KiB, {time.monotonic() - begun:.0f} s")
    for line in lacking(domain, directory):
        print(f"without {line}")


def _bar(done: int, step: str) -> None:
    """A progress bar on standard error."""
    sys.stderr.write(f"\r[{'#' * 10 * done}{'.' * 10 * (len(PARTS) - done)}] {step:<12}")
    sys.stderr.flush()
