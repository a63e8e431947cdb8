"""The reader of the package as seed 002's `llm`: no model server, no key, some milliseconds (seed 002, 对外接口).

It reads as `tingdong parse` and the service do. It knows the catalog's own names and rooms, which win over the words of
its lexicon (老伙计, 大白).
"""

from functools import cache

from context_retrieval.catalog import Catalog
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import DeviceType
from tingdong.commands.reading import NameTable, Reading
from tingdong.reader import sentence_reader

__all__ = ["EmbeddedLLM"]


class EmbeddedLLM:
    """`EmbeddedLLM(catalog)` in place of a language model, for `retrieve`."""

    def __init__(self, catalog: Catalog | None = None) -> None:
        self._parser = sentence_reader()
        self._names = _names(catalog) if catalog is not None else None

    def parse(self, text: str) -> Reading:
        """What the parser understood; UNKNOWN falls through a `Chain` to whoever is asked next."""
        return self._parser.read(text, self._names)


def _names(catalog: Catalog) -> NameTable:
    names: dict[str, DeviceType] = {}
    for device, profile in zip(catalog.devices, catalog.profiles, strict=True):
        for word in (device.name, *device.aliases):
            if word and word not in _generic_words():
                known = names.get(word)
                names[word] = profile.type if known in (None, profile.type) else DeviceType.UNKNOWN
    for group in catalog.groups.values():
        names.setdefault(group.name, DeviceType.UNKNOWN)
    scenes = frozenset(scene.name for scene in catalog.scenes.values())
    return NameTable(names=names, rooms=frozenset(room for room in catalog.rooms.rooms if room), scenes=scenes)


@cache
def _generic_words() -> frozenset[str]:
    """Words that mean any device of a type are no names (空调)."""
    lexicon = default_lexicon()
    types = [one for one in DeviceType if one is not DeviceType.UNKNOWN]
    return frozenset(word for one in types for word in lexicon.generic_words(one))
