"""Variation of a sentence: rooms, names and words for a kind are replaced in the text and in its commands."""

import random
from collections.abc import Iterable, Sequence

import msgspec

from context_retrieval.models import Command, DeviceType, Quantifier, Scope, Target
from tingdong.commands.words import Kind
from tingdong.reader.spots import SentenceSpotter, SentenceTokens
from tingdong.reader.training.inventing import invented_name, invented_room
from tingdong.reader.training.rewording import Reworder
from tingdong.reader.training.samples import Phrases, Sample

__all__ = ["Swapper"]

_PLAIN = frozenset(("打开", "关闭", "查询状态"))
_PLAIN_WORDS = frozenset("开关启闭断电打掉上开启关闭把将的都全给我帮请了吧啊一下")
_COUNTING = (Kind.ALL, Kind.COUNT, Kind.ANY, Kind.EACH, Kind.REFERENCE, Kind.REFERENCES, Kind.OTHER, Kind.EXCEPT_AFTER,
             Kind.EXCEPT_BEFORE, Kind.BOTH, Kind.WHICH, Kind.ORDINAL)  # fmt: skip
_INVENTED = 0.25
"""Of the fresh rooms and names, how many are invented."""
_LONG = 10
"""Characters from which a sentence that asks for nothing still does with another verb (灯熄了, but 灯关了)."""
_RANDOM = "阿小老大胖花豆米糖果星月云雪风雷电光熊猫兔虎龙鱼鸟红蓝绿白黑金银木水火土天地山河海石竹梅兰菊"


class Swapper:
    """Exchanges words by the pools of the phrases and of the training sentences themselves."""

    def __init__(
        self, spotter: SentenceSpotter, phrases: Phrases, samples: Iterable[Sample], rng: random.Random
    ) -> None:
        samples = list(samples)
        self._spotter = spotter
        self._phrases = phrases
        self._rng = rng
        self._reworder = Reworder(spotter, (sample.text for sample in samples), rng)
        self._rooms = [*phrases.rooms, *phrases.rooms]
        self._names = {kind: list(words) for kind, words in phrases.names.items()}
        self._scenes = list(phrases.scenes)
        self._spots: dict[str, SentenceTokens] = {}
        for sample in samples:
            for command in sample.commands:
                self._rooms += command.scope.include
                target = command.target
                if target.name not in ("*", "@last"):
                    pool = self._scenes if command.action.verb == "执行" else self._names[target.type.value]
                    pool.append(target.name)

    def vary(self, sample: Sample) -> Sample:
        """The sentence with some of its words exchanged; itself where nothing can be."""
        spots = self._spots.get(sample.text)
        if spots is None:
            spots = self._spots[sample.text] = self._spotter.read(sample.text)
        if not sample.commands:
            return Sample(self._vary_unasked(spots), ())
        edits: dict[tuple[int, int], str] = {}
        commands = self._names_of(spots, list(sample.commands), edits)
        commands = self._rooms_of(spots, commands, edits)
        before = [command.target.type for command in commands]
        commands = self._kinds_of(spots, commands, edits)
        self._reword(spots, edits, acts=before == [command.target.type for command in commands])
        return Sample(_apply(spots.text, edits), tuple(commands))

    def _reword(self, spots: SentenceTokens, edits: dict[tuple[int, int], str], *, acts: bool) -> None:
        for (start, end), fresh in self._reworder.edits(spots, acts=acts).items():
            if not any(start < taken[1] and taken[0] < end for taken in edits):
                edits[start, end] = fresh

    def _room(self) -> str:
        if self._rng.random() < _INVENTED:
            return invented_room(self._phrases, self._rng)
        return self._rng.choice(self._rooms)

    def _vary_unasked(self, spots: SentenceTokens) -> str:
        """Where nothing is asked, rooms and kinds are exchanged freely."""
        edits: dict[tuple[int, int], str] = {}
        for token in spots.tokens:
            if self._rng.random() < 0.4:
                if token.kind is Kind.ROOM:
                    edits[token.start, token.end] = self._room()
                elif token.kind is Kind.DEVICE:
                    kind = self._spotter.lexicon.kinds.get(token.device)
                    pool = self._names.get(kind.type.value if kind else "Unknown", ())
                    generic = self._phrases.generic.get(kind.type.value if kind else "", ())
                    edits[token.start, token.end] = self._rng.choice((generic or pool) if token.value == "*" else pool)
        self._reword(spots, edits, acts=len(spots.text) >= _LONG)
        return _apply(spots.text, edits)

    def _names_of(
        self, spots: SentenceTokens, commands: list[Command], edits: dict[tuple[int, int], str]
    ) -> list[Command]:
        told: dict[str, tuple[str, str]] = {}
        for command in commands:
            kind = "scene" if command.action.verb == "执行" else command.target.type.value
            for name in (command.target.name, *command.target.excluded):
                if name not in ("*", "@last"):
                    told.setdefault(name, (kind, command.action.verb))
        for name in sorted(told, key=len, reverse=True):
            places = _places(spots.text, name, edits)
            if not places or any(name in (command.action.when or "") for command in commands):
                continue
            kind, verb = told[name]
            fresh = name if self._rng.random() < 0.4 else self._fresh_name(name, kind, verb)
            edits.update((place, fresh) for place in places)
            commands = [_renamed(command, name, fresh) for command in commands]
        return commands

    def _fresh_name(self, name: str, kind: str, verb: str) -> str:
        if kind == "scene":
            return self._rng.choice(self._scenes) if name.endswith("模式") else name
        if self._spotter.lexicon.kind_of_name(name) is None and kind == "Unknown" and self._rng.random() < 0.3:
            return "".join(self._rng.choice(_RANDOM) for _ in range(self._rng.randint(2, 3)))
        if kind == "Unknown" and verb not in _PLAIN:
            return name
        alone = self._spotter.lexicon.is_generic(name)
        if alone:
            return name
        if self._rng.random() < _INVENTED:
            return invented_name(kind, self._phrases, self._rng)
        return self._rng.choice(self._names[kind])

    def _rooms_of(
        self, spots: SentenceTokens, commands: list[Command], edits: dict[tuple[int, int], str]
    ) -> list[Command]:
        said = dict.fromkeys(room for c in commands for room in (*c.scope.include, *c.scope.exclude))
        taken = set(said)
        for room in sorted(said, key=len, reverse=True):
            places = _places(spots.text, room, edits)
            if not places or self._rng.random() < 0.35 or any(room in (c.action.when or "") for c in commands):
                continue
            if any(other != room and room in other for other in said):
                continue
            fresh = self._room()
            if fresh in taken:
                continue
            taken.add(fresh)
            edits.update((place, fresh) for place in places)
            commands = [_moved(command, room, fresh) for command in commands]
        return commands

    def _kinds_of(
        self, spots: SentenceTokens, commands: list[Command], edits: dict[tuple[int, int], str]
    ) -> list[Command]:
        generic: dict[DeviceType, list[tuple[int, int]]] = {}
        for token in spots.tokens:
            known = self._spotter.lexicon.kinds.get(token.device)
            if token.kind is Kind.DEVICE and token.value == "*" and known is not None:
                generic.setdefault(known.type, []).append((token.start, token.end))
        loose = not any(token.kind in _COUNTING for token in spots.tokens)
        for kind, places in generic.items():
            mine = [c for c in commands if c.target.type is kind and c.target.name == "*" and not c.target.excluded]
            named = any(c.target.type is kind and (c.target.name != "*" or c.target.excluded) for c in commands)
            clash = any(p in edits for p in places) or any(kind.value in (c.action.when or "") for c in commands)
            if not mine or named or clash or kind.value not in self._phrases.generic:
                continue
            fresh = self._fresh_kind(spots, kind, mine, set(generic), single=loose and len(places) == 1)
            if fresh is not None:
                words, target = fresh
                edits.update((place, self._rng.choice(words)) for place in places)
                commands = [_with_target(c, target) if c in mine and target is not None else c for c in commands]
        return commands

    def _fresh_kind(
        self, spots: SentenceTokens, kind: DeviceType, mine: Sequence[Command], taken: set[DeviceType], *, single: bool
    ) -> tuple[Sequence[str], Target | None] | None:
        """Other words for a generic one, and the target they say where it is another; None to leave it."""
        chance, generic = self._rng.random(), self._phrases.generic
        if chance < 0.25:
            return generic[kind.value], None
        target = mine[0].target
        alike = all(c.target == target for c in mine)
        if chance < 0.45 and alike and self._plain(spots, mine):
            other = self._rng.choice([DeviceType(name) for name in generic if DeviceType(name) not in taken])
            return generic[other.value], msgspec.structs.replace(target, type=other)
        if 0.45 <= chance < 0.65 and single and alike and target.quantifier is Quantifier.ALL:
            name = self._rng.choice(self._names[kind.value])
            if not self._spotter.lexicon.is_generic(name):
                return [name], msgspec.structs.replace(target, name=name, quantifier=Quantifier.ONE)
        return None

    def _plain(self, spots: SentenceTokens, commands: Sequence[Command]) -> bool:
        """Whether what is done can be done to any kind of thing, and is said so (not 拉上 or 点亮)."""
        if any(command.action.verb not in _PLAIN for command in commands):
            return False
        acts = (Kind.VERB, Kind.WEAK, Kind.STATE, Kind.MORE, Kind.UP, Kind.DOWN, Kind.OPEN, Kind.VALUE, Kind.DOUBLE)
        return all(set(token.text) <= _PLAIN_WORDS for token in spots.tokens if token.kind in acts)


def _places(text: str, word: str, edits: dict[tuple[int, int], str]) -> list[tuple[int, int]]:
    """The places of the word outside what is already edited."""
    found: list[tuple[int, int]] = []
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if not any(start < edited[1] and edited[0] < end for edited in edits):
            found.append((start, end))
        start = text.find(word, end)
    return found


def _apply(text: str, edits: dict[tuple[int, int], str]) -> str:
    for (start, end), fresh in sorted(edits.items(), reverse=True):
        text = text[:start] + fresh + text[end:]
    return text


def _with_target(command: Command, target: Target) -> Command:
    return Command(command.action, command.scope, target)


def _renamed(command: Command, name: str, fresh: str) -> Command:
    old = command.target
    if old.excluded:
        excluded = tuple(fresh if one == name else one for one in old.excluded)
        return _with_target(command, Target(old.name, old.type, old.quantifier, old.count, excluded))
    return _with_target(command, msgspec.structs.replace(old, name=fresh)) if old.name == name else command


def _moved(command: Command, room: str, fresh: str) -> Command:
    scope = command.scope
    include, exclude = ([fresh if one == room else one for one in rooms] for rooms in (scope.include, scope.exclude))
    return Command(command.action, Scope(tuple(include), tuple(exclude), scope.here), command.target)
