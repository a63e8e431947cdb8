"""Vetoes: rows of data that only take a reading away, never make one (architecture, laws 1 and 2).

A row says what the tokens of a sentence show, and what commands that lose it look like; such commands are not given
(`abstain`), or given and not accepted (`lower`). The rows hold for the rules, the network and a language model alike.
They stand in `data/vetoes.yaml`, each with sentences that it must and must not hold for, which run as tests;
`python -m tingdong.commands` (or `make vocabulary`) writes `data/vetoes.json`, which is what is loaded.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from itertools import chain, permutations

import msgspec

from context_retrieval.lexicon import Lexicon, default_lexicon
from context_retrieval.models import Command, DeviceType
from context_retrieval.verbs import verb_table
from tingdong.commands.spotting import Token
from tingdong.commands.veto_patterns import Pattern, Sentence, mask_of
from tingdong.commands.word_kinds import Kind
from tingdong.errors import DataError
from zhtext.package_data import read_bytes, read_text

__all__ = [
    "Effect",
    "Lost",
    "Shown",
    "Veto",
    "VetoExample",
    "Vetoes",
    "compiled",
    "default_vetoes",
    "load_vetoes",
]


class Effect(StrEnum):
    """What a row does to commands that lose what it shows."""

    ABSTAIN = "abstain"
    LOWER = "lower"


class Lost(StrEnum):
    """What commands may lack of a sentence; the token meant is the one that the pattern marks with `!`."""

    ALL = "all"  # nothing is asked: any command at all
    QUERY = "query"  # it asks: any command that is no query
    WHEN = "when"  # no command has a WHEN
    EXCLUDED = "excluded"  # the marked place or thing is not left out
    EACH_EXCLUDED = "each_excluded"  # one command does not leave the marked place or thing out
    INSIDE = "inside"  # something is done in the marked place
    WAITS = "waits"  # something waits for the marked time
    VALUE = "value"  # the marked value is in no command
    ROOM = "room"  # the marked place is in no command
    NAME = "name"  # all things of the marked kind are meant
    REFERENCE = "reference"  # nothing refers to what was said before
    ATTRIBUTE = "attribute"  # no command is about the marked attribute
    VERB = "verb"  # the opposite of the marked verb is done, and never the verb itself
    BEGUN = "begun"  # the marked mode is begun
    REFUSAL = "refusal"  # something is done to the marked thing
    UNDONE = "undone"  # what one command does another takes back: set and off, open and locked, up and down
    CONTRADICTED = "contradicted"  # a thing is opened and closed at one appointed moment


class VetoExample(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence, and commands for it (the protocol's strings, separated by blanks)."""

    text: str
    commands: str


class Veto(msgspec.Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """One veto.

    `shown`: patterns, one of which must match (`Pattern`); `lost`: what makes commands wrong then; `does`: hold back
    only where every command that does not ask has one of these verbs; `unless`: kinds of token that silence the row
    wherever they stand.
    """

    name: str
    reason: str
    why: str
    shown: tuple[str, ...]
    lost: Lost
    effect: Effect
    does: str = ""
    unless: str = ""
    positive: tuple[VetoExample, ...] = ()
    negative: tuple[VetoExample, ...] = ()

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        """What it looks for, compiled."""
        return tuple(Pattern(text) for text in self.shown)

    @cached_property
    def silent(self) -> int:
        """Mask of the kinds of token that silence it."""
        return mask_of(Kind[name] for name in self.unless.split())

    @cached_property
    def verbs(self) -> frozenset[str]:
        """It speaks only where every command has one of these; none: any."""
        return frozenset(self.does.split())

    def holds(self, token: Token, commands: Sequence[Command]) -> bool:
        """Whether commands lose what the marked token shows."""
        acts = [command for command in commands if not command.action.verb.startswith("查询")] or commands
        if self.verbs and not all(command.action.verb in self.verbs for command in acts):
            return False
        return _LOST[self.lost](token, commands)


class Shown(msgspec.Struct, frozen=True):
    """The rows that match one sentence, and the tokens they mark."""

    found: tuple[tuple[Veto, Token], ...] = ()

    def veto(self, commands: Sequence[Command]) -> Veto | None:
        """The row that the commands fall under, one that takes them away before one that only doubts them."""
        held = [row for row, token in self.found if row.holds(token, commands)] if commands else []
        return min(held, key=_weight, default=None)


def _weight(row: Veto) -> bool:
    return row.effect is Effect.LOWER


class Vetoes:
    """The rows, as they are asked about sentences; immutable."""

    def __init__(self, rows: Sequence[Veto]) -> None:
        self.rows = tuple(rows)
        self._fitting: Callable[[int], list[tuple[Veto, Pattern]]] = lru_cache(maxsize=1_024)(self._fit)

    def shown(self, tokens: Sequence[Token]) -> Shown:
        """What the tokens of a sentence show (before anybody changes them)."""
        found, sentence = [], Sentence(tokens)
        for row, pattern in self._fitting(mask_of({token.kind for token in tokens})):
            found += [(row, msgspec.structs.replace(token)) for token in pattern.marked(sentence)]
        return Shown(tuple(found)) if found else _NOTHING

    def _fit(self, kinds: int) -> list[tuple[Veto, Pattern]]:
        """The rows that can match a sentence with these kinds of token."""
        return [
            (row, pattern)
            for row in self.rows
            if not row.silent & kinds
            for pattern in row.patterns
            if all(map(kinds.__and__, pattern.needed))
        ]


_NOTHING = Shown()


def _is_for(command: Command, token: Token) -> bool:
    """Whether a command may be about the thing that a token names."""
    kind = _lexicon().kinds.get(token.device)
    target = command.target
    return kind is None or target.type in (kind.type, DeviceType.UNKNOWN) or token.text in target.name


def _is_time(token: Token) -> bool:
    """Whether a token says when; 今天 and 夜里 alone say nothing that WHEN could hold."""
    return token.kind is not Kind.WHEN or bool(token.value)


def _begins(command: Command, mode: str) -> bool:
    """Whether a command begins the mode of that word, the home's or a device's."""
    if command.action.verb == "执行":
        return command.target.name in mode or mode in command.target.name
    return command.action.verb == "设置模式" and (command.action.value or "?") in mode


def _is_said(token: Token, words: Sequence[str]) -> bool:
    return any(token.text in word or (token.value and token.value in word) for word in words)


def _places(commands: Sequence[Command]) -> list[str]:
    """Every word of the commands that may hold a place."""
    return [
        word
        for c in commands
        for word in (*c.scope.include, *c.scope.exclude, c.target.name, *c.target.excluded, c.action.when or "")
    ]


def _left_out(commands: Sequence[Command]) -> list[str]:
    return [word for c in commands for word in (*c.scope.exclude, *c.target.excluded)]


def _values(commands: Sequence[Command]) -> list[str]:
    return [
        word
        for c in commands
        for word in (
            c.action.value or "",
            c.action.when or "",
            c.target.name,
            str(c.target.count or ""),
            *c.scope.include,
        )
    ]


_LOST: Mapping[Lost, Callable[[Token, Sequence[Command]], bool]] = {
    Lost.ALL: lambda _, commands: bool(commands),
    Lost.QUERY: lambda _, commands: not all(c.action.verb.startswith("查询") for c in commands),
    Lost.WHEN: lambda token, commands: _is_time(token) and not any(c.action.when for c in commands),
    Lost.EXCLUDED: lambda token, commands: not _is_said(token, _left_out(commands)),
    Lost.EACH_EXCLUDED: lambda token, commands: not all(_is_said(token, _left_out([c])) for c in commands),
    Lost.INSIDE: lambda token, commands: any(_is_said(token, c.scope.include) for c in commands),
    Lost.WAITS: lambda token, commands: any(c.action.when == token.value for c in commands),
    Lost.VALUE: lambda token, commands: not _is_said(token, _values(commands)),
    Lost.ROOM: lambda token, commands: not _is_said(token, _places(commands)),
    Lost.NAME: lambda token, commands: any(c.target.name == "*" and _is_for(c, token) for c in commands),
    Lost.REFERENCE: lambda _, commands: not any(c.target.is_last for c in commands),
    Lost.ATTRIBUTE: lambda token, commands: not any(token.value in c.action.verb for c in commands),
    Lost.VERB: lambda token, commands: (
        verb_table().opposite.get(token.value) in (verbs := [c.action.verb for c in commands])
        and token.value not in verbs
    ),
    Lost.BEGUN: lambda token, commands: any(_begins(c, token.text) for c in commands),
    Lost.REFUSAL: lambda token, commands: any(
        _is_for(c, token) and not c.action.verb.startswith("查询") for c in commands
    ),
    Lost.UNDONE: lambda _, commands: any(_takes_back(*verbs) for verbs in _together(commands)),
    Lost.CONTRADICTED: lambda _, commands: any(
        verb_table().opposite.get(verb) == other for verb, other in _together([c for c in commands if c.action.when])
    ),
}


def _together(commands: Sequence[Command]) -> Iterator[tuple[str, str]]:
    """Every two verbs for the same thing at the same moment, either one first."""
    verbs: dict[Hashable, dict[str, None]] = {}
    for one in commands:
        verbs.setdefault((one.target, one.scope, one.action.when), {})[one.action.verb] = None
    return chain.from_iterable(permutations(of_one, 2) for of_one in verbs.values())


def _takes_back(verb: str, then: str) -> bool:
    """Whether the second verb leaves nothing of what the first does."""
    if then == "关闭":
        return verb == "打开" or verb.startswith(("设置", "调高", "调低"))
    if then == "上锁":
        return verb in ("打开", "解锁")
    return verb.startswith("调高") and then == verb.replace("高", "低")


@cache
def _lexicon() -> Lexicon:
    return default_lexicon()


@cache
def default_vetoes() -> Vetoes:
    """The shipped rows, as compiled."""
    rows = msgspec.json.decode(read_bytes("tingdong.commands", "vetoes.json"), type=tuple[Veto, ...])
    return Vetoes(rows)


@cache
def load_vetoes() -> tuple[Veto, ...]:
    """The rows of `data/vetoes.yaml` with their examples. Raises `DataError` that names the row."""
    from context_retrieval.strict_yaml import YAMLError, parse_yaml  # slow to import, and only the compiled rows serve

    try:
        rows = msgspec.convert(parse_yaml(read_text("tingdong.commands", "vetoes.yaml")), tuple[Veto, ...])
    except (YAMLError, msgspec.ValidationError) as error:
        raise DataError(f"vetoes.yaml: {error}") from error
    for row in rows:
        if len(row.positive) < 2 or not row.negative or not row.patterns:
            raise DataError(f"vetoes.yaml: {row.name}: at least two positive examples and a negative one")
        if row.silent < 0 or len({one.name for one in rows}) < len(rows):
            raise DataError(f"vetoes.yaml: {row.name}: duplicate name")
    return rows


def compiled(rows: Sequence[Veto]) -> bytes:
    """The rows without their examples, as `data/vetoes.json` holds them."""
    bare = [msgspec.structs.replace(row, positive=(), negative=(), why="") for row in rows]
    return msgspec.json.format(msgspec.json.encode(bare), indent=1) + b"\n"
