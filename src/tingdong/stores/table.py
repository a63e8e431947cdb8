"""Which store keeps pages, by the scheme of the setting `pages.store`: another one is a module and a row here."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tingdong.errors import DataError
from tingdong.stores.codec import Codec

if TYPE_CHECKING:
    from tingdong.settings import PageSettings

__all__ = ["STORES", "open_store"]

STORES = {
    "memory": ("tingdong.stores.memory", ""),
    "redis": ("tingdong.stores.redis", "redis"),
    "rediss": ("tingdong.stores.redis", "redis"),
    "redis+cluster": ("tingdong.stores.redis", "redis"),
    "unix": ("tingdong.stores.redis", "redis"),
}
"""Scheme → the module, whose `open_store(settings, codec)` gives a store, and the extra that it needs."""


def open_store(pages: "PageSettings", codec: Codec[Any]) -> Any:
    """The store of these settings for pages of one kind. Raises `DataError` where its extra is missing."""
    module, extra = STORES[pages.store.get_secret_value().partition(":")[0]]
    try:
        opener = import_module(module).open_store
    except ImportError as error:
        raise DataError(f"pages.store: this store needs the extra: pip install '.[{extra}]'") from error
    return opener(pages, codec)
