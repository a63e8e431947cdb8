"""From a sentence and a home's devices to the fewest that are needed, and to text for a prompt (retrieval.md).

>>> import context_retrieval
>>> lamp = {"id": "lamp-1", "name": "老伙计", "room": "客厅", "type": "light"}
>>> llm = context_retrieval.FakeLLM({"打开老伙计": ["打开-*-老伙计#Light#one"]})
>>> found = context_retrieval.retrieve("打开老伙计", [lamp], llm, context_retrieval.ConversationState())
>>> [candidate.entity_id for candidate in found.candidates]
['lamp-1']

Everything is loaded when it is first used; importing costs nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from context_retrieval.catalog import Catalog
    from context_retrieval.injection import summarize_devices_for_prompt
    from context_retrieval.ir_compiler import FakeLLM
    from context_retrieval.models import Device, Group, RetrievalResult, Scene
    from context_retrieval.pipeline import aretrieve, retrieve
    from context_retrieval.state import ConversationState

    __version__: str

__all__ = [
    "Catalog",
    "ConversationState",
    "Device",
    "FakeLLM",
    "Group",
    "RetrievalResult",
    "Scene",
    "__version__",
    "aretrieve",
    "retrieve",
    "summarize_devices_for_prompt",
]

_MODULES = {
    "Catalog": "catalog",
    "ConversationState": "state",
    "FakeLLM": "ir_compiler",
    "summarize_devices_for_prompt": "injection",
    **dict.fromkeys(("Device", "Group", "RetrievalResult", "Scene"), "models"),
    **dict.fromkeys(("aretrieve", "retrieve"), "pipeline"),
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("tingdong")
    if name in _MODULES:
        from importlib import import_module

        return getattr(import_module(f"context_retrieval.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'context_retrieval' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
