"""The kind and the measurements of a device, from name, description, commands and platform type.

No single field is trusted: a lamp may have the type `smartthings:switch`, an air conditioner a model named `fan`
(service.md, Home). The words are data (`kind_table`).
"""

import re
from functools import lru_cache

import msgspec

from context_retrieval.kind_table import DeviceKind, kind_table
from context_retrieval.models import Device, DeviceCommand, DeviceType
from context_retrieval.protection import Protection, protection_by
from context_retrieval.text import normalise, without_last_side
from zhtext.remembering import remembered

__all__ = ["Profile", "attributes_in", "gloss", "profile", "strip_prefixes"]

_FIRST_CLAUSE = re.compile(r"[，,。；;：:（(、\n]")
_TOKEN = re.compile(r"[a-z0-9]+")
_NUMBER_TAIL = re.compile(r"[\da-z]+\Z")
_BRACKET_LAST = re.compile(r"[（(\[【][^（(\[【]+[）)\]】]\s*\Z")
_MARK = re.compile(r"(?:left|right|\d+|[a-z])\Z")
_SIDES = {"left": "左", "right": "右", "l": "左", "r": "右"}
_LATIN = re.compile(r"[\da-z]+\Z")
_QUERY_WORDS = ("查询", "读取", "检测", "获取", "查看")


class Profile(msgspec.Struct, frozen=True, gc=False):
    """What is known of a device beyond its fields. `attributes` can be set, `senses` can only be read.

    `is_apart` devices (locks, gateways, sensors) never belong to 所有设备; those with a `protection` (fridge, oxygen,
    router, what they hang on) to no set at all. `described_as` is the normal form of what the description calls it.
    """

    type: DeviceType = DeviceType.UNKNOWN
    kinds: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()
    senses: frozenset[str] = frozenset()
    is_sensor: bool = False
    is_apart: bool = False
    protection: Protection | None = None
    described_as: str = ""

    @property
    def is_protected(self) -> bool:
        """Whether no set that stops things includes it: only its own name means it."""
        return self.protection is not None and not self.protection.starting


@remembered(8192)
def strip_prefixes(form: str) -> str:
    """The normal form without its descriptive prefixes (可调光照明灯 → 照明灯); at least two characters stay."""
    table = kind_table()
    stripped = True
    while stripped:
        stripped = False
        for prefix in table.prefixes:
            if form.startswith(prefix) and len(form) >= len(prefix) + 2:
                form, stripped = form[len(prefix) :], True
                break
    return form


@remembered(8192)
def kind_of_name(name: str) -> DeviceKind | None:
    """The kind a name or a noun phrase ends in; what stands behind hides nothing (射灯1, Lamp L, 吊灯南)."""
    table = kind_table()
    form = normalise(_BRACKET_LAST.sub("", name) or name)
    bare = _NUMBER_TAIL.sub("", form) or _MARK.sub("", form)
    return table.of_ending(form) or table.of_ending(bare) or table.of_ending(without_last_side(form) or form)


@remembered(8192)
def gloss(form: str) -> str | None:
    """What a Chinese speaker calls a thing whose normal form is English: `bedsidelampl` → 床头灯左.

    The plain word of its kind, with the side or number that tells it apart; None for names that hold Chinese or say no
    kind.
    """
    if _LATIN.match(form) is None:
        return None
    kind = kind_of_name(form)
    if kind is None or kind.generic:
        return None
    mark = "" if kind_table().of_ending(form) is kind else _MARK.search(form)
    tail = _SIDES.get(mark[0], mark[0]) if mark else ""
    return normalise(kind.words[0]) + tail


@lru_cache(maxsize=2048)
def kind_of_description(description: str) -> DeviceKind | None:
    """The kind that the first clause of a description states, not a generic one."""
    clause = _FIRST_CLAUSE.split(description, maxsplit=1)[0]
    kind = kind_of_name(clause)
    if kind is not None:
        return None if kind.generic else kind
    form = normalise(clause)
    table = kind_table()
    for end in range(len(form) - 1, 1, -1):
        kind = table.of_ending(form[:end])
        if kind is not None and not kind.generic and len(kind.words[0]) > 1:
            return kind
    return None


@lru_cache(maxsize=2048)
def described_as(description: str) -> str:
    """The normal form of what a description calls the thing: its first clause (按摩椅，力度1-5。 → 按摩椅)."""
    return normalise(_FIRST_CLAUSE.split(description, maxsplit=1)[0]) if description else ""


@lru_cache(maxsize=2048)
def kind_of_platform(platform: str) -> DeviceKind | None:
    """The kind of a platform type: `LED-lamp`, `smartthings:switch`, `AirConditioner`, `oic.d.light`."""
    tokens = _TOKEN.findall(platform.lower())
    by_platform = kind_table().by_platform
    joined = by_platform.get("".join(tokens))
    if joined is not None:
        return joined
    found = [by_platform[token] for token in reversed(tokens) if token in by_platform]
    specific = [kind for kind in found if not kind.generic]
    return next(iter(specific or found), None)


_PROTOCOL_TYPES = {member.value.lower(): member for member in DeviceType}


def _type_of_platform(platform: str) -> DeviceType:
    exact = _PROTOCOL_TYPES.get(platform.rpartition(":")[2].lower())
    kind = kind_of_platform(platform)
    if kind is not None and not kind.generic:
        return kind.type
    return exact if exact is not None and exact is not DeviceType.SWITCH else DeviceType.UNKNOWN


@lru_cache(maxsize=2048)
def attributes_in(text: str) -> frozenset[str]:
    """The attributes that a description speaks of."""
    return frozenset(
        attribute for attribute, words in kind_table().attributes.items() if any(word in text for word in words)
    )


def is_query(command: DeviceCommand) -> bool:
    """Whether a command only reads (查询温度)."""
    return command.description.startswith(_QUERY_WORDS)


@lru_cache(maxsize=2048)
def _abilities(commands: tuple[DeviceCommand, ...]) -> tuple[frozenset[str], frozenset[str], bool]:
    """Attributes that commands set, attributes they read (by their own word where none is known), whether they only
    read."""
    settable: set[str] = set()
    readable: set[str] = set()
    for command in commands:
        known = attributes_in(command.description)
        (readable if is_query(command) else settable).update(known)
        if is_query(command) and not known and (own := normalise(command.description[len(_QUERY_WORDS[0]) :])):
            readable.add(own)
    return frozenset(settable), frozenset(readable), bool(commands) and all(map(is_query, commands))


def profile(device: Device) -> Profile:
    """The device's profile; equal fields share one cached profile."""
    return _profile(device.name, device.description, device.type, device.commands, device.room, device.aliases)


@lru_cache(maxsize=2048)
def _profile(
    name: str,
    description: str,
    platform: str,
    commands: tuple[DeviceCommand, ...],
    room: str,
    aliases: tuple[str, ...],
) -> Profile:
    settable, readable, reads_only = _abilities(commands)
    by_name = kind_of_name(name)
    by_description = kind_of_description(description) if description else None
    by_platform = kind_of_platform(platform) if platform else None
    stated = [kind for kind in (by_name, by_description) if kind is not None and not kind.generic]
    kinds = stated or [kind for kind in (by_platform,) if kind is not None and not kind.generic]
    is_sensor = reads_only or (not commands and any(kind.senses for kind in kinds[:1]))
    senses = set(readable)
    for kind in kinds:
        senses.update(kind.senses)
    if is_sensor and description:
        senses |= attributes_in(description)
    kind_type = DeviceType.UNKNOWN if is_sensor else _type(stated, platform, settable)
    called = described_as(description)
    words = (kind.words[0] for kind in kinds if kind.words)
    protection = None
    if not is_sensor:
        protection = protection_by(
            (name, *aliases, *words), kind_type, described_as=called, describe=description, room=room
        )
    return Profile(
        kind_type,
        _one(frozenset(kind.id for kind in kinds)),
        settable,
        _one(frozenset(senses)),
        is_sensor,
        is_sensor or any(kind.apart for kind in kinds[:1]),
        protection,
        called,
    )


@lru_cache(maxsize=2048)
def _one(words: frozenset[str]) -> frozenset[str]:
    """The same set for all devices that have it."""
    return words


def _type(stated: list[DeviceKind], platform: str, settable: frozenset[str]) -> DeviceType:
    """Name, then description, then the platform type, then the commands."""
    if stated:
        return stated[0].type
    by_platform = _type_of_platform(platform)
    if by_platform is not DeviceType.UNKNOWN:
        return by_platform
    for kind_type, wanted in kind_table().commands.items():
        if settable & wanted:
            return kind_type
    return DeviceType.UNKNOWN
