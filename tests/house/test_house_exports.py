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
from tingdong.llm.port import ChatModel

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


@pytest.mark.parametrize("name", MODULES)
def test_methods_of_exported_classes_are_documented(name: str) -> None:
    """Every public method and property says what it gives; what a base or a port documents is not said again."""
    module = importlib.import_module(name)
    exported = [getattr(module, public) for public in _public(module)]
    classes = [one for one in exported if isinstance(one, type) and one.__module__ == name]
    assert [f"{one.__name__}.{silent}" for one in classes for silent in _silent(one)] == []


STREAM = ChatModel.stream
"""Who implements the port of chat models says nothing more of it."""


def _silent(one: type) -> list[str]:
    """Methods and properties of the class's own that have no docstring."""
    found = {
        name: getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", value)
        for name, value in vars(one).items()
        if name[0] != "_" and not any(hasattr(base, name) for base in one.__mro__[1:])
    }
    return [name for name, does in found.items() if isfunction(does) and not does.__doc__ and name != STREAM.__name__]
