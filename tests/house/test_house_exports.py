"""The public surface is a list, and the list is true (style: "The surface is a list, and the list is tested")."""

import importlib
import pkgutil
from enum import Enum
from types import ModuleType

import pytest

import context_retrieval
import tingdong
import zhtext

ROOTS = (zhtext, context_retrieval, tingdong)
MODULES = sorted(
    [root.__name__ for root in ROOTS]
    + [
        info.name
        for root in ROOTS
        for info in pkgutil.walk_packages(root.__path__, f"{root.__name__}.")
        if not info.name.endswith("__main__")
    ]
)


def _public(module: ModuleType) -> list[str]:
    return list(getattr(module, "__all__", ()))


@pytest.mark.parametrize("name", MODULES)
def test_exported_names_exist_once(name: str) -> None:
    """`__all__` names what is there, each once."""
    module = importlib.import_module(name)
    names = _public(module)
    assert [missing for missing in names if not hasattr(module, missing)] == []
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", MODULES)
def test_public_definitions_are_documented(name: str) -> None:
    """Exported functions and classes say shapes, units and errors in a docstring; an enum's members speak for it."""
    module = importlib.import_module(name)
    silent = [
        public
        for public in _public(module)
        if getattr(getattr(module, public), "__module__", None) == name
        and callable(getattr(module, public))
        and not (isinstance(getattr(module, public), type) and issubclass(getattr(module, public), Enum))
        and not getattr(module, public).__doc__
    ]
    assert silent == []
