"""Forms of a name for matching, and the similarity of two forms by sound (retrieval.md, Names)."""

import re

from context_retrieval.kinds import gloss, kind_of_name
from context_retrieval.text import normalise, without_last_side, without_number

__all__ = ["lettered_family", "likeness", "name_forms", "name_variants"]

_CONTRASTS = frozenset("老左右上下大小前后东西南北内外里男女主次新旧早晚冷热0123456789")
_SAME_SOUND = 0.95
_LETTERED = re.compile(r"(.*[A-Za-z]{2,})\s+(?:[A-Za-z]|\d{1,2})")


def name_variants(form: str) -> tuple[str, ...]:
    """The form, and what is left of it without its number or side at the end."""
    bare = without_number(form) or without_last_side(form)
    return (form,) if bare is None else (form, bare)


def lettered_family(name: str) -> str | None:
    """The normal form of an English name without the number or letter that stands apart behind it (Panel A → panel)."""
    match = _LETTERED.fullmatch(name)
    return normalise(match[1]) if match is not None else None


def name_forms(name: str) -> tuple[str, ...]:
    """The normal forms under which a name is found: its own, and the Chinese one of an English name."""
    form = normalise(name)
    chinese = gloss(form)
    return (form,) if chinese is None or chinese == form else (form, chinese)


def likeness(form: str, other: str) -> float:
    """How sure a listener can be that `form` was meant as `other`; 0 when it must not be taken for it.

    Same sound counts for any name. One character more, less or different counts only for a name that says no kind
    (老伙计), and never where the character tells two things apart (左, 右, 1, 2).
    """
    from zhtext.sound import sound_key  # the sound table loads when a name is first misheard

    changes = _changes(form, other)
    if changes is None or any(one in _CONTRASTS and two in _CONTRASTS for one, two in changes):
        return 0.0
    if sound_key(form) == sound_key(other):
        return _SAME_SOUND
    if min(len(form), len(other)) >= 3 and len(changes) == 1 and kind_of_name(other) is None:
        return 1 - 1 / max(len(form), len(other))
    return 0.0


def _changes(form: str, other: str) -> list[tuple[str, str]] | None:
    """The characters exchanged between two forms (a missing one stands for itself twice); None when order is lost
    too.
    """
    if len(form) == len(other):
        return [(one, two) for one, two in zip(form, other, strict=True) if one != two]
    longer, shorter = (form, other) if len(form) > len(other) else (other, form)
    for index in range(len(longer)):
        if longer[:index] + longer[index + 1 :] == shorter:
            return [(longer[index], longer[index])]
    return None
