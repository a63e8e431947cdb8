"""The public surface is a list, and the list is true (style: "The surface is a list, and the list is tested")."""

import importlib
import pkgutil
from enum import Enum
from inspect import isfunction
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


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: root.__name__)
def test_what_the_public_surface_can_do_is_documented(root: ModuleType) -> None:
    """Every public method and property of what a package exports says what it gives."""
    classes = [getattr(root, name) for name in root.__all__ if isinstance(getattr(root, name), type)]
    assert [f"{one.__name__}.{name}" for one in classes for name in _silent(one)] == []


def _silent(one: type) -> list[str]:
    """Methods and properties of the class's own that have no docstring."""
    found = {
        name: getattr(value, "fget", None) or getattr(value, "__func__", value) for name, value in vars(one).items()
    }
    return [name for name, does in found.items() if name[0] != "_" and isfunction(does) and not does.__doc__]
