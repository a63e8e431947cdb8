"""The vocabulary of the home as typed data: rooms, device kinds, actions, values, and the words between them.

Words live in `data/*.yaml`; what can be composed is composed by the reader of the words, not listed. A word list is
one string, its words separated by blanks. Loading is strict: an unknown key, a word given twice or a reference to
nothing stops it and names file and key. `Lexicon.load(extra=…)` joins further data at run time: adding a device kind,
an attribute, a unit or an action is an edit of data.

Reading and checking YAML is slow, so the result is shipped beside it (`data/lexicon.json`, written by
`python -m context_retrieval.lexicon`) with a checksum of its sources; where it does not fit them, they are read.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

import msgspec
from msgspec.structs import replace

from context_retrieval.models import DeviceType
from context_retrieval.own_words import OwnWords, in_force, near, read_words, take
from context_retrieval.vocabulary import Actions, Rooms, Talk, Values, Verb, WordClass
from zhtext.numerals import find_numbers
from zhtext.package_data import read_bytes, read_text
from zhtext.quantities import find_quantities

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Lexicon", "LexiconError", "compiled_lexicon", "default_lexicon", "use_words"]

_T = TypeVar("_T")

FILES = ("rooms", "types", "actions", "values", "grammar", "talk")
_COMPILED = "lexicon.json"


class LexiconError(ValueError):
    """Vocabulary data that cannot be used; the message names the file and the key."""


class Lexicon(msgspec.Struct, dict=True):
    """All vocabulary, validated and immutable; lookups take one word as `normalise` writes it."""

    rooms: Rooms
    kinds: dict[str, WordClass]
    anything: tuple[str, ...]
    actions: Actions
    values: Values
    grammar: dict[str, tuple[str, ...]]
    tables: dict[str, dict[str, tuple[str, ...]]]
    talk: Talk

    @classmethod
    def load(cls, extra: "Sequence[Mapping[str, Any] | Path]" = ()) -> "Lexicon":
        """The shipped data joined with `extra`: mappings `{file: {key: …}}` or YAML files of that shape.

        Joining adds: word lists are appended, mappings are merged. Raises `LexiconError`.
        """
        data = {name: _read_shipped(name) for name in FILES}
        for item in extra:
            source = "extra" if isinstance(item, Mapping) else str(item)
            more = item if isinstance(item, Mapping) else _parse_yaml(item.read_text(encoding="utf-8"), source)
            for name, part in more.items():
                if name not in FILES:
                    raise LexiconError(f"{source}: {name}: no such vocabulary file (one of {', '.join(FILES)})")
                data[name] = _join(data[name], part, f"{source}: {name}")
        return _build(data)

    def with_words(self, words: OwnWords) -> "Lexicon":
        """This vocabulary with own words as what the known ones are. Raises `OwnWordsError`, naming file and line."""
        kinds, groups = dict(self.kinds), dict(self.rooms.groups)
        for own, known in words.words.items():
            kind, group = self.device_words.get(known), self.room_group(known)
            means, meant = self.kind_of_word(own) or self.room_group(own), kind[0] if kind else group
            if taken := self._taken_by(own):
                raise words.fault(own, taken)
            if meant is None:
                like = near(known, self.device_words, self.room_groups)
                raise words.fault(own, f"“{known}”不是已知的设备或房间{like}")
            if means not in (None, meant):
                raise words.fault(own, f"已经有别的意思（{means}）")
            if means is None and kind is not None:
                key = "generic" if kind[1] else "specific"
                kinds[meant] = replace(kinds[meant], **{key: f"{getattr(kinds[meant], key)} {own}"})
            elif means is None:
                groups[meant] = f"{groups[meant]} {own}"
        return replace(self, kinds=kinds, rooms=replace(self.rooms, groups=groups))

    def _taken_by(self, own: str) -> str:
        """Why the word cannot be one's own: what it would take away from every other sentence; "" where nothing."""
        if len(own) == 1:
            return "只有一个字，别的句子里也会有"
        if own in self._closed_words:
            return "是句子里常用的词，不能改作设备或房间"
        if verb := next((verb for verb in self.actions.verbs if own.startswith(verb)), ""):
            return f"以动作“{verb}”开头，会抢走整句话"
        spans = [(found.start, found.end) for found in find_numbers(own)]
        spans += [(found.start, found.end) for found in find_quantities(own)]
        if (0, len(own)) in spans:
            return "是数字或数量"
        return ""

    @cached_property
    def _closed_words(self) -> frozenset[str]:
        """Words that hold sentences together or act: grammar, verbs, steps, attributes."""
        verbs = (f"{verb.strong} {verb.weak} {verb.state}" for verb in self.actions.verbs.values())
        acting = (self.actions.set.words, self.actions.degrees, self.actions.up, self.actions.down, self.actions.light)
        attributes = (attribute.words for attribute in self.values.attributes.values())
        words = {word for text in (*verbs, *acting, *attributes) for word in text.split()}
        return frozenset(words.union(*self.grammar.values(), self.actions.verbs, self.values.attributes))

    @cached_property
    def room_groups(self) -> dict[str, str]:
        """Room word → canonical word of its group."""
        groups = {word: word for word in self.rooms.groups}
        for canonical, words in self.rooms.groups.items():
            groups.update(dict.fromkeys(words.split(), canonical))
        return groups

    @cached_property
    def device_words(self) -> dict[str, tuple[str, bool]]:
        """Device word → (kind, whether the word names the kind as a whole)."""
        words: dict[str, tuple[str, bool]] = {}
        for name, kind in self.kinds.items():
            words.update((word, (name, True)) for word in kind.generic.split())
            words.update((word, (name, False)) for word in kind.specific.split())
        return words

    @cached_property
    def _kind_suffixes(self) -> dict[str, str]:
        return {suffix: name for name, kind in self.kinds.items() for suffix in kind.suffixes.split()}

    @cached_property
    def _suffix_lengths(self) -> tuple[int, ...]:
        return tuple(sorted({len(suffix) for suffix in self._kind_suffixes}, reverse=True))

    @cached_property
    def room_endings(self) -> tuple[str, ...]:
        """Endings that make an open word a room."""
        return tuple(self.rooms.suffixes.split())

    def room_group(self, word: str) -> str | None:
        """The canonical word of the group a room word belongs to (厕所 → 卫生间), or None for a word of no group."""
        return self.room_groups.get(word)

    def is_room_word(self, word: str) -> bool:
        """Whether the word is a known room, a zone, or a room by its form (弱电间, 儿子房间, 三楼走廊)."""
        if word in self.room_groups or word in self.zones:
            return True
        return len(word) > 1 and word.endswith(self.room_endings) and self.kind_of_word(word) is None

    @cached_property
    def scenes(self) -> frozenset[str]:
        """Modes of the home."""
        return frozenset(self.values.scenes.split())

    @cached_property
    def weak_modes(self) -> frozenset[str]:
        """Modes that are everyday words too."""
        return frozenset(self.values.weak_modes.split())

    @cached_property
    def places(self) -> frozenset[str]:
        """Words for any room."""
        return frozenset(self.rooms.places.split())

    @cached_property
    def sources(self) -> frozenset[str]:
        """Inputs of a screen or a player."""
        return frozenset(self.values.sources.split())

    @cached_property
    def zones(self) -> frozenset[str]:
        """Words for a part of a home that holds several rooms (楼上)."""
        return frozenset(self.rooms.zones.split())

    def kind_of_word(self, word: str) -> str | None:
        """The device kind (key of `kinds`) of a known generic or specific word."""
        entry = self.device_words.get(word)
        return entry[0] if entry else None

    def kind_of_name(self, name: str) -> str | None:
        """The device kind a name reveals: as a known word, else by its longest known ending (鱼缸插座 → plug)."""
        known = self.device_words.get(name)
        if known is not None:
            return known[0]
        for length in self._suffix_lengths:
            if length < len(name) and (kind := self._kind_suffixes.get(name[-length:])) is not None:
                return kind
        return None

    def type_of_word(self, word: str) -> DeviceType | None:
        """TYPE of a known device word (风扇, 吊扇 → Fan; 油烟机 → Unknown), None for a word that is no device."""
        kind = self.kind_of_word(word)
        return self.kinds[kind].type if kind else None

    def is_generic(self, word: str) -> bool:
        """Whether the word means a whole kind (灯, 空调), so that NAME is `*` (commands.md, NAME and TYPE)."""
        entry = self.device_words.get(word)
        return bool(entry and entry[1])

    @cached_property
    def generic_words(self) -> dict[DeviceType, tuple[str, ...]]:
        """The generic words of each TYPE."""
        words: dict[DeviceType, tuple[str, ...]] = dict.fromkeys(DeviceType, ())
        for kind in self.kinds.values():
            words[kind.type] += tuple(kind.generic.split())
        return words


class _CompiledLexicon(msgspec.Struct, frozen=True):
    """What `data/lexicon.json` holds; `sources` is the checksum of the files it was made of."""

    sources: int
    lexicon: Lexicon


@cache
def default_lexicon() -> Lexicon:
    """The shipped vocabulary with the words of one's own, loaded once per process."""
    shipped = compiled_lexicon() or Lexicon.load()
    return shipped.with_words(own) if (own := in_force()).words else shipped


def use_words(folder: "Path") -> None:
    """Takes words of one's own for this process: a folder of YAML files, or one (docs/own-words.md).

    Raises `OwnWordsError` for a file that cannot be read, a word said twice or with another meaning already, one beside
    which nothing known stands, and where a sentence has been read before.
    """
    words = read_words(folder)
    (compiled_lexicon() or Lexicon.load()).with_words(words)
    take(words)


def compiled_lexicon() -> Lexicon | None:
    """The shipped result of loading the shipped files, or None where it is missing or older than they are."""
    try:
        compiled = msgspec.json.decode(read_bytes("context_retrieval", _COMPILED), type=_CompiledLexicon)
    except (OSError, msgspec.MsgspecError):
        return None
    return compiled.lexicon if compiled.sources == _checksum() else None


def _checksum() -> int:
    checksum = 0
    for name in FILES:
        checksum = crc32(read_bytes("context_retrieval", f"{name}.yaml"), checksum)
    return checksum


def _read_shipped(name: str) -> Any:
    return _parse_yaml(read_text("context_retrieval", f"{name}.yaml"), f"{name}.yaml")


def _parse_yaml(text: str, source: str) -> Any:
    from context_retrieval.strict_yaml import YAMLError, parse_yaml  # PyYAML is slow to import, and seldom needed

    try:
        return parse_yaml(text)
    except YAMLError as error:
        raise LexiconError(f"{source}: {error}") from error


def _join(old: Any, new: Any, where: str) -> Any:
    if isinstance(old, dict) and isinstance(new, Mapping):
        return {
            **old,
            **{key: _join(old[key], part, f"{where}: {key}") if key in old else part for key, part in new.items()},
        }
    if isinstance(old, str) and isinstance(new, str):
        return f"{old} {new}"
    if isinstance(old, list) and isinstance(new, list):
        return [*old, *new]
    if type(old) is type(new):
        return new
    raise LexiconError(f"{where}: expected {type(old).__name__}, got {type(new).__name__}")


def _build(data: dict[str, Any]) -> Lexicon:
    types, grammar = dict(data["types"]), dict(data["grammar"])
    anything = types.pop("anything", "")
    tables = {name: grammar.pop(name) for name in list(grammar) if isinstance(grammar[name], dict)}
    lexicon = Lexicon(
        rooms=_convert(data["rooms"], Rooms, "rooms.yaml"),
        kinds={name: _convert(part, WordClass, f"types.yaml: {name}") for name, part in types.items()},
        anything=tuple(_convert(anything, str, "types.yaml: anything").split()),
        actions=_convert(data["actions"], Actions, "actions.yaml"),
        values=_convert(data["values"], Values, "values.yaml"),
        grammar={k: tuple(v.split()) for k, v in _convert(grammar, dict[str, str], "grammar.yaml").items()},
        tables={
            name: {k: tuple(v.split()) for k, v in _convert(table, dict[str, str], f"grammar.yaml: {name}").items()}
            for name, table in tables.items()
        },
        talk=_convert(data["talk"], Talk, "talk.yaml"),
    )
    _check_unique("rooms.yaml: groups", ((group, f"{group} {words}") for group, words in lexicon.rooms.groups.items()))
    _check_unique("types.yaml", ((name, f"{k.generic} {k.specific}") for name, k in lexicon.kinds.items()))
    _check_references(lexicon)
    return lexicon


def _convert(value: Any, target: type[_T], where: str) -> _T:
    try:
        return msgspec.convert(value, target)
    except msgspec.ValidationError as error:
        raise LexiconError(f"{where}: {error}") from error


def _check_unique(where: str, lists: Iterator[tuple[str, str]] | Any) -> None:
    owner: dict[str, str] = {}
    for key, words in lists:
        for word in words.split():
            if owner.setdefault(word, key) != key:
                raise LexiconError(f"{where}: {key}: {word} stands in {owner[word]} already")


def _check_references(lexicon: Lexicon) -> None:
    attributes = lexicon.values.attributes
    for name, kind in lexicon.kinds.items():
        for attribute in (*kind.attributes.split(), *kind.bare.split()):
            if attribute not in attributes:
                raise LexiconError(f"types.yaml: {name}: no attribute {attribute} in values.yaml")
    for adjective in lexicon.actions.adjectives:
        if adjective.attribute and adjective.attribute not in attributes:
            raise LexiconError(f"actions.yaml: adjectives: no attribute {adjective.attribute} in values.yaml")
    _check_verbs(lexicon.actions.verbs)
    for name, item in attributes.items():
        if item.bare not in (*lexicon.values.units, "number", "none"):
            raise LexiconError(f"values.yaml: attributes: {name}: bare: no unit {item.bare}")


def _check_verbs(verbs: Mapping[str, Verb]) -> None:
    for name, verb in verbs.items():
        other = verbs.get(verb.opposite)
        if verb.opposite and (other is None or other.opposite != name):
            raise LexiconError(f"actions.yaml: verbs: {name}: opposite: {verb.opposite} is not the opposite of {name}")
        if verb.opposite and other is not None and verb.way and other.way == verb.way:
            raise LexiconError(f"actions.yaml: verbs: {name}: way: the same as that of its opposite")


def _compile() -> bytes:
    from context_retrieval.kind_table import kind_table, misplaced

    compiled = _CompiledLexicon(_checksum(), Lexicon.load())
    if faults := misplaced(kind_table(), compiled.lexicon.kind_of_word, compiled.lexicon.kinds):
        raise LexiconError("\n".join(faults))
    return msgspec.json.format(msgspec.json.encode(compiled), indent=1) + b"\n"


if __name__ == "__main__":
    from pathlib import Path

    try:
        Path(__file__).with_name("data").joinpath(_COMPILED).write_bytes(_compile())
    except ValueError as _fault:
        raise SystemExit(str(_fault)) from None
