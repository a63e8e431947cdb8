"""Data files of a package, read through its loader: from a folder or an archive, importing next to nothing."""

from __future__ import annotations

import importlib
import os
from typing import Any

__all__ = ["read_bytes", "read_text"]


def read_bytes(package: str, name: str) -> bytes:
    """The file `data/<name>` of the package. Raises OSError where there is none."""
    module: Any = importlib.import_module(package)
    data: bytes = module.__spec__.loader.get_data(os.path.join(os.path.dirname(module.__file__), "data", name))
    return data


def read_text(package: str, name: str) -> str:
    """The same as text (UTF-8)."""
    return read_bytes(package, name).decode("utf-8")
