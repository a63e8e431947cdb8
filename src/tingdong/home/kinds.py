"""The kind of a device, from its name, its model's `describe` and its model's `name`.

No single field is trusted (service.md: in the example, model 004 is named fan and describes an air conditioner). Order:
the noun at the end of the device's name, the start of the describe, an English model name. A plain switch or socket has
the kind of the device in its name.
"""

import re
from functools import cache, lru_cache

from context_retrieval.kind_table import kind_table
from tingdong.home.vocabulary import KindEntry, kinds, values
from zhtext.remembering import remembered

__all__ = ["described_kind", "infer_kind", "kinds_in", "kinds_that_do", "plain_name"]

_CLAUSE_END = re.compile(r"[，。,；;：:（(、\n]")
_TAIL = re.compile(r"[\s\d一二三四五六七八九十号#A-Za-z左右上下]+\Z")
_WORD = re.compile(r"[a-z]+")
_LATIN = re.compile(r"[\x20-\x7e]*[A-Za-z]{2}[\x20-\x7e]*\Z")
_FILLERS = ("设备", "装置", "产品", "系统")


@cache
def _nouns() -> dict[str, KindEntry]:
    return {noun: kind for kind in kinds().values() for noun in kind.nouns}


@cache
def _nicknames() -> dict[str, KindEntry]:
    return {noun: kind for kind in kinds().values() for noun in kind.nicknames}


@cache
def _english() -> dict[str, KindEntry]:
    return {word: kind for kind in kinds().values() for word in kind.english}


@cache
def _longest() -> int:
    return max(map(len, _nouns()))


def _at_end(text: str, table: dict[str, KindEntry]) -> KindEntry | None:
    """The kind whose longest noun ends `text`."""
    for length in range(min(len(text), _longest()), 0, -1):
        kind = table.get(text[-length:])
        if kind is not None:
            return kind
    return None


def _within(text: str) -> KindEntry | None:
    """The kind whose noun stands last in `text`, longest on a tie; one-character nouns count only at the end."""
    best: tuple[int, int, KindEntry] | None = None
    for noun, kind in _nouns().items():
        place = text.rfind(noun)
        end = place + len(noun)
        if place < 0 or (len(noun) == 1 and end != len(text)):
            continue
        if best is None or (end, len(noun)) > best[:2]:
            best = (end, len(noun), kind)
    return best[2] if best else None


def _first_within(text: str) -> KindEntry | None:
    best: tuple[int, int, KindEntry] | None = None
    for noun, kind in _nouns().items():
        place = text.find(noun) if len(noun) > 1 else -1
        if place >= 0 and (best is None or (place, -len(noun)) < best[:2]):
            best = (place, -len(noun), kind)
    return best[2] if best else None


def _by_name(name: str) -> KindEntry | None:
    if _LATIN.match(name):
        return _by_model_name(name)
    bare = _TAIL.sub("", name) or name
    kind = _at_end(bare, _nouns())
    if kind is not None and kind.generic:
        for ending in values().endings:
            # A lamp's wall switch (客厅灯开关) is the lamp to whoever speaks of it; a lamp's socket stays a socket.
            if bare.endswith(ending) and len(bare) > len(ending):
                worked = _at_end(bare[: -len(ending)], _nouns())
                if worked is not None and not worked.generic:
                    return worked
    return kind


def _by_describe(describe: str) -> KindEntry | None:
    if not describe:
        return None
    clause = _CLAUSE_END.split(describe, maxsplit=1)[0].strip()
    for filler in _FILLERS:
        if clause.endswith(filler) and clause not in _nouns():
            clause = clause[: -len(filler)]
    return _within(clause) or _first_within(describe)


@lru_cache(maxsize=2048)
def described_kind(describe: str) -> KindEntry | None:
    """The kind that a model's describe states; None if it states none."""
    return _by_describe(describe)


def _by_model_name(name: str) -> KindEntry | None:
    words = _WORD.findall(name.lower())
    table = _english()
    for length in range(len(words), 0, -1):
        for start in range(len(words) - length, -1, -1):
            kind = table.get("".join(words[start : start + length]))
            if kind is not None:
                return kind
    return _at_end(name, _nouns())


@lru_cache(maxsize=2048)
def infer_kind(device_name: str, describe: str, model_name: str) -> KindEntry:
    """The kind of a device; `other` if unknown."""
    named, described = _by_name(device_name), described_kind(describe)
    if named is not None and not named.generic:
        return named
    if described is not None and not described.generic:
        # A socket stays a socket (冰箱插座) unless its describe says that it is something else altogether.
        return described if named is None or named.key == "switch" else named
    return (
        named
        or (_at_end(device_name, _nicknames()) if described is None else None)
        or described
        or _by_model_name(model_name)
        or _at_end(device_name, _nicknames())
        or kinds()["other"]
    )


@remembered(4096)
def kinds_in(text: str) -> frozenset[str]:
    """Keys of the kinds that `text` names or counts by their own measure word (几盏 → lamp); generic ones too."""
    found: dict[str, str] = {}
    for noun, kind in _nouns().items():
        if noun in text:
            found[noun] = kind.key
    # 油烟机 is no 烟机 and 洗衣机 no 机: a noun inside a longer one does not count.
    longest = {key for noun, key in found.items() if not any(noun != other and noun in other for other in found)}
    if not longest:
        longest = {kind.key for kind in kinds().values() if kind.measure == "盏" and kind.measure in text}
    return frozenset(longest)


@cache
def _works() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in kind_table().kinds.values():
        for phrase in row.does:
            found.setdefault(phrase, set()).add(row.id if row.home is not None else row.root)
    return {phrase: frozenset(keys) for phrase, keys in found.items()}


def kinds_that_do(text: str) -> frozenset[str]:
    """Keys of the kinds whose work `text` says (烘衣服 → dryers), by the longest phrase; empty where it says none."""
    said = [phrase for phrase in _works() if phrase in text]
    return _works()[max(said, key=len)] if said else frozenset()


def plain_name(name: str) -> str:
    """`name` without descriptive prefixes (可调光照明灯 → 照明灯)."""
    found = True
    while found:
        found = False
        for prefix in values().prefixes:
            if name.startswith(prefix) and len(name) - len(prefix) >= 2:
                rest = name[len(prefix) :].lstrip("-_ ")
                # What remains must still be a noun of its own: 调光器 keeps its prefix.
                if _at_end(_TAIL.sub("", rest), _nouns()) is not None:
                    name, found = rest, True
                    break
    return name
