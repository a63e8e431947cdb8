"""The strict reader and writer of command arrays (commands.md, Consumer).

`decode` never raises on model text: it returns the commands and every issue it met. `UNKNOWN-*-*#Unknown#one` is made
in one place, `or_unknown`. `decode(encode(commands)).commands == commands` for valid commands.
"""

import json
import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec

from context_retrieval.models import ANY_NAME, HERE_SCOPE, Action, Command, DeviceType, Quantifier, Scope, Target

__all__ = ["UNKNOWN", "Decoded", "Issue", "IssueCode", "Remedy", "decode", "decode_command", "encode", "or_unknown"]

UNKNOWN = Command(Action("UNKNOWN"))

MAX_TEXT = 65_536
MAX_COMMANDS = 100

_TYPES = frozenset(member.value for member in DeviceType)
_QUANTIFIERS = frozenset(member.value for member in Quantifier)
_INTEGER = re.compile(r"\s*(?P<sign>[+-]?)\s*(?P<digits>[0-9]+)\s*")


class IssueCode(StrEnum):
    """Stable reason codes; they are metric labels and never change meaning."""

    NOT_JSON = "not_json"
    NOT_ARRAY = "not_array"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    TOO_MANY = "too_many"
    NOT_STRING = "not_string"
    NOT_THREE_PARTS = "not_three_parts"
    NO_SLOTS = "no_slots"
    NO_ACTION = "no_action"
    BAD_TYPE = "bad_type"
    BAD_QUANTIFIER = "bad_quantifier"
    BAD_COUNT = "bad_count"
    BAD_NAME = "bad_name"
    BAD_VALUE = "bad_value"
    LEGACY_FORM = "legacy_form"


class Remedy(StrEnum):
    """How an issue was handled: dropped, normalised, or fallen back from."""

    DROPPED = "dropped"
    NORMALISED = "normalised"
    FELL_BACK = "fell_back"


class Issue(msgspec.Struct, frozen=True):
    """One fault in a model's answer.

    `index` is the element's position (None: the whole text), `raw` the faulty piece, at most 200 characters.
    """

    code: IssueCode
    remedy: Remedy
    raw: str
    index: int | None = None


class Decoded(msgspec.Struct, frozen=True):
    """What `decode` understood: never empty, at worst the one UNKNOWN command."""

    commands: tuple[Command, ...]
    issues: tuple[Issue, ...] = ()


def or_unknown(commands: Iterable[Command]) -> tuple[Command, ...]:
    """The commands, or the one UNKNOWN command when there are none (commands.md, Consumer)."""
    return tuple(commands) or (UNKNOWN,)


def encode(commands: Sequence[Command]) -> str:
    """The strict JSON array of command strings; no commands at all give the UNKNOWN array."""
    return json.dumps([str(command) for command in or_unknown(commands)], ensure_ascii=False)


def decode(text: str, *, first_only: bool = False, legacy: bool = False) -> Decoded:
    """Read a model's answer strictly; what is wrong is dropped or normalised, each with its reason.

    `first_only` serves a consumer of one command (commands.md, Consumer); `legacy` also reads bare strings
    such as `打开-卧室-顶灯`.
    """
    items, whole = _load(text)
    issues: list[Issue] = [] if whole is None else [whole]
    commands: list[Command] = []
    for index, item in enumerate(items):
        if index >= MAX_COMMANDS:
            issues.append(Issue(IssueCode.TOO_MANY, Remedy.DROPPED, _raw(item), index))
            break
        command, found = decode_command(item, legacy=legacy)
        issues.extend(Issue(code, remedy, _raw(item), index) for code, remedy in found)
        if command is not None:
            commands.append(command)
    known = [command for command in commands if not command.is_unknown]
    return Decoded(or_unknown(known[:1] if first_only else known), tuple(issues))


def decode_command(item: object, *, legacy: bool = False) -> tuple[Command | None, list[tuple[IssueCode, Remedy]]]:
    """One array element as a command (None when it must be dropped) with its faults."""
    if not isinstance(item, str):
        return None, [(IssueCode.NOT_STRING, Remedy.DROPPED)]
    issues: list[tuple[IssueCode, Remedy]] = []
    parts = _three_parts(item, issues)
    if parts is None:
        return None, [(IssueCode.NOT_THREE_PARTS, Remedy.DROPPED)]
    action = _action(parts[0])
    if action is None:
        return None, [(IssueCode.NO_ACTION, Remedy.DROPPED)]
    if _is_no_count(parts[2]):
        return None, [(IssueCode.BAD_COUNT, Remedy.DROPPED)]
    target = _target(parts[2], issues, legacy=legacy)
    if target is None:
        return None, [(IssueCode.NO_SLOTS, Remedy.DROPPED)]
    return Command(action, Scope.parse(parts[1]), target), issues


def _raw(item: object) -> str:
    return (item if isinstance(item, str) else repr(item))[:200]


def _load(text: str) -> tuple[list[object], Issue | None]:
    if len(text) > MAX_TEXT:
        return [], Issue(IssueCode.TOO_LONG, Remedy.FELL_BACK, text[:200])
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return [], Issue(IssueCode.NOT_JSON, Remedy.FELL_BACK, text[:200])
    if not isinstance(value, list):
        return [], Issue(IssueCode.NOT_ARRAY, Remedy.FELL_BACK, text[:200])
    if not value:
        return [], Issue(IssueCode.EMPTY, Remedy.FELL_BACK, text[:200])
    return value, None


def _three_parts(item: str, issues: list[tuple[IssueCode, Remedy]]) -> tuple[str, str, str] | None:
    """Split at `-`; a dash too many is the sign of a count, or belongs to the action's value or to the name."""
    parts = item.split("-")
    if len(parts) < 3:
        return None
    if len(parts) > 3 and parts[-2].rstrip().endswith("#"):
        parts[-2:] = [f"{parts[-2]}-{parts[-1]}"]
    if len(parts) == 3:
        return parts[0], parts[1], parts[2]
    if "=" in parts[0] and _is_open_scope(parts[-2]):
        issues.append((IssueCode.BAD_VALUE, Remedy.NORMALISED))
        return "".join(parts[:-2]), parts[-2], parts[-1]
    issues.append((IssueCode.BAD_NAME, Remedy.NORMALISED))
    return parts[0], parts[1], " ".join(parts[2:])


def _is_open_scope(text: str) -> bool:
    return text in (ANY_NAME, HERE_SCOPE) or text.startswith(("*,!", "!"))


def _action(text: str) -> Action | None:
    head, _, when = text.partition("@")
    verb, _, value = head.partition("=")
    try:
        return Action(verb, value or None, when or None)
    except ValueError:
        return None


def _target(text: str, issues: list[tuple[IssueCode, Remedy]], *, legacy: bool) -> Target | None:
    parts = text.split("#")
    if len(parts) < 3:
        if not legacy or len(parts) != 1 or not parts[0].strip():
            return None
        issues.append((IssueCode.LEGACY_FORM, Remedy.NORMALISED))
        every = parts[0].strip() == ANY_NAME
        return Target(parts[0], quantifier=Quantifier.ALL if every else Quantifier.ONE)
    name, kind, quantifier, count = _slots(parts, issues)
    excluded: tuple[str, ...] = ()
    if name.startswith("*,!"):
        excluded = tuple(piece.strip().lstrip("!") for piece in name.split(",")[1:])
    if kind not in _TYPES:
        issues.append((IssueCode.BAD_TYPE, Remedy.NORMALISED))
        kind = DeviceType.UNKNOWN.value
    if quantifier not in _QUANTIFIERS:
        issues.append((IssueCode.BAD_QUANTIFIER, Remedy.NORMALISED))
        quantifier = Quantifier.ONE.value
    return Target(name, DeviceType(kind), Quantifier(quantifier), _count(count, issues), excluded)


def _slots(parts: list[str], issues: list[tuple[IssueCode, Remedy]]) -> tuple[str, str, str, str | None]:
    """Name, type, quantifier and count; a `#` inside the name is found by where the closed sets stand."""
    at = 1
    if len(parts) > 3 and parts[1].strip() not in _TYPES:
        for index in range(2, len(parts) - 1):
            if parts[index].strip() in _TYPES and parts[index + 1].strip() in _QUANTIFIERS:
                issues.append((IssueCode.BAD_NAME, Remedy.NORMALISED))
                at = index
                break
    name = " ".join(part.strip() for part in parts[:at])
    rest = parts[at + 2 :]
    return name, parts[at].strip(), parts[at + 1].strip(), "#".join(rest) if rest else None


def _is_no_count(text: str) -> bool:
    """Whether the last slot is an integer of which no number of devices can be: zero, or less (`any#-2`)."""
    slots = text.split("#")
    number = _INTEGER.fullmatch(slots[-1]) if len(slots) > 3 else None
    return number is not None and (number["sign"] == "-" or not number["digits"].strip("0"))


def _count(text: str | None, issues: list[tuple[IssueCode, Remedy]]) -> int | None:
    if text is None:
        return None
    stripped = text.strip()
    if stripped.isascii() and stripped.isdigit() and len(stripped) <= 6 and int(stripped) > 0:
        return int(stripped)
    issues.append((IssueCode.BAD_COUNT, Remedy.NORMALISED))
    return None
