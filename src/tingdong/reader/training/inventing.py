"""Invented rooms and names for training: a name is to be recognised by position and ending, not from a list
(commands.md: no huge dictionary)."""

import random
from functools import cache

import msgspec

from tingdong.reader.training.samples import Phrases, words_of

__all__ = ["invented_name", "invented_room"]


class _NameParts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`inventing.yaml`; words separated by blanks are split."""

    room_leads: tuple[str, ...]
    numbered: tuple[str, ...]
    room_ends: tuple[str, ...]
    name_ends: dict[str, tuple[str, ...]]
    whats: tuple[str, ...]
    systems: tuple[str, ...]
    syllables: tuple[str, ...]
    persons: tuple[str, ...]
    persons_rooms: tuple[str, ...]
    digits: tuple[str, ...]


@cache
def _parts() -> _NameParts:
    return words_of("inventing.yaml", _NameParts)


def invented_room(phrases: Phrases, rng: random.Random) -> str:
    """A room word: a lead before a known one, a number, a person's, or two signs and an ending."""
    chance = rng.random()
    if chance < 0.35:
        return rng.choice(_parts().room_leads) + rng.choice(phrases.rooms)
    if chance < 0.5:
        number = str(rng.randint(1, 1999)) if rng.random() < 0.5 else rng.choice(_parts().digits[0])
        return rng.choice(_parts().numbered).replace("{}", number)
    if chance < 0.62:
        return rng.choice(_parts().persons) + rng.choice(_parts().persons_rooms)
    return _word(rng) + rng.choice(_parts().room_ends)


def invented_name(kind: str, phrases: Phrases, rng: random.Random) -> str:
    """A name that shows its type by its ending; `kind` is a device type."""
    chance, ends = rng.random(), _parts().name_ends[kind]
    if chance < 0.2:
        known = rng.choice(phrases.names[kind])
        return rng.choice((f"{known}{rng.randint(1, 9)}", f"{rng.choice('一二三四五六')}号{known}", f"{known}A"))
    if chance < 0.35:
        return rng.choice(phrases.names["Unknown"]) + rng.choice(ends[:3])
    if kind == "Unknown" and chance < 0.5:
        return rng.choice(_parts().whats) + _word(rng) * (rng.random() < 0.5) + rng.choice(_parts().systems)
    if chance < 0.6 and rng.random() < 0.3:
        return rng.choice(_parts().whats) + rng.choice(phrases.names[kind])
    if chance < 0.45:
        return rng.choice(_parts().persons) + rng.choice(("的", "")) + rng.choice(phrases.names[kind])
    return _word(rng) + rng.choice(ends)


def _word(rng: random.Random) -> str:
    signs = "".join(_parts().syllables)
    return "".join(rng.choice(signs) for _ in range(rng.choice((1, 2, 2, 2, 3))))
