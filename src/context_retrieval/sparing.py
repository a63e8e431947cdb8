"""Protected devices in a request: excluded from sets, confirmed if named (service.md, Protected and risky).

A set is a request without the device's own name: everything, a type, a group, a general name. Excluded devices are
named with the reason, so that the agent can report them.
"""

import re
from collections.abc import Sequence
from functools import cache

from msgspec import structs

from context_retrieval.capability import OPERATE
from context_retrieval.catalog import Catalog
from context_retrieval.gating import named_list
from context_retrieval.grounding import working
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import (
    DeviceType,
    EntityKind,
    Quantifier,
    QueryIR,
    Resolution,
    ResolutionStatus,
)
from context_retrieval.outcome import TOLD
from context_retrieval.protection import protection_by
from context_retrieval.telling import rooms_of
from context_retrieval.text import normalise

__all__ = ["Spared", "spare"]

_QUERY = "查询"
_HARMLESS = ("打开", "设置", "调高", "调低", "播放", "静音", "取消静音")
"""What may be done to a protected thing that was named, without asking: it goes on running."""

Spared = tuple[Resolution, tuple[str, ...], str | None]


def spare(query: QueryIR, resolution: Resolution, catalog: Catalog, text: str = "") -> Spared:
    """The resolution without what is protected, the ids left out, and what the agent should be told.

    An order for protected things by their own name stays as it is; when it may stop them, the hint says to ask first.
    """
    asks = query.action.startswith(_QUERY)
    resolution = _lamps(query, resolution, catalog)
    ids = _meant(resolution, catalog)
    rows = {one: row for one in ids if (row := catalog.protections.get(one)) and row.is_of(query.action)}
    protected = tuple(rows)
    if asks or not protected:
        return resolution, (), None
    harmless = query.action.startswith(_HARMLESS)
    if query.action == OPERATE:
        works = working(text, catalog).intersection(map(catalog.position, rows))
        harmless = bool(works) or _asks().search(text) is not None
    harmless = harmless and not any(row.starting for row in rows.values())
    if _is_direct(query, resolution, catalog, harmless=harmless):
        return resolution, (), None if harmless else _asking(protected, catalog)
    everything = query.name is None and query.type is DeviceType.UNKNOWN
    hint = None if everything and len(protected) < len(ids) else _left_out(protected, catalog)
    return _without(resolution, [one for one in ids if one not in set(protected)]), protected, hint


def _lamps(query: QueryIR, resolution: Resolution, catalog: Catalog) -> Resolution:
    """The lamps of a set but what shines for something else (紫外灯; 呼叫灯 if asked), where others are left."""
    if query.type is not DeviceType.LIGHT or query.name is not None or resolution.kind is EntityKind.GROUP:
        return resolution
    ids, rows = _meant(resolution, catalog), catalog.protections
    asks = query.action.startswith(_QUERY)
    apart = {one: row for one in ids if (row := rows.get(one)) is not None}
    others = {one for one, row in apart.items() if (not row.starting if asks else not row.is_of(query.action))}
    kept = [one for one in ids if one not in others]
    return _without(resolution, kept) if kept and len(kept) < len(ids) else resolution


@cache
def _asks() -> re.Pattern[str]:
    """The words of a question, as the grammar lists them."""
    return re.compile("|".join(re.escape(word) for word in default_lexicon().grammar["ask"] if len(word) > 1))


def _meant(resolution: Resolution, catalog: Catalog) -> tuple[str, ...]:
    """Ids of the devices that are meant or to choose from, those of a group too."""
    if resolution.status is ResolutionStatus.AMBIGUOUS:
        return resolution.choices
    if not resolution.found or resolution.kind is EntityKind.SCENE:
        return ()
    if resolution.kind is EntityKind.GROUP:
        return tuple(member for one in resolution.entity_ids for member in catalog.members(one))
    return resolution.entity_ids


def _is_direct(query: QueryIR, resolution: Resolution, catalog: Catalog, *, harmless: bool) -> bool:
    """Whether the protected things were ordered by their own name, or pointed back to."""
    if query.reference is not None:
        return True
    named = query.name or "".join(word for word in query.include if not rooms_of(word, catalog))  # 吸痰的插座
    if not named or resolution.kind is not EntityKind.DEVICE or query.excluded_names:
        return False
    if query.name is not None and query.quantifier is Quantifier.ONE and (resolution.score > TOLD or harmless):
        return True
    ids = _meant(resolution, catalog)
    own = [catalog.get(one) for one in ids]
    by_name = all(one is not None and normalise(named) in normalise(one.name) for one in own)
    by_name = by_name and (query.name is None or query.quantifier is Quantifier.ONE)
    sure = harmless or (len(ids) == 1 and (resolution.exact or by_name))
    return sure and protection_by((named,), DeviceType.UNKNOWN) is not None


def _without(resolution: Resolution, kept: Sequence[str]) -> Resolution:
    if not kept:
        return Resolution(ResolutionStatus.NOTHING, rooms=resolution.rooms)
    if resolution.found:
        return structs.replace(resolution, entity_ids=tuple(kept), kind=EntityKind.DEVICE)
    if len(kept) == 1:
        return structs.replace(resolution, status=ResolutionStatus.FOUND, entity_ids=tuple(kept), choices=())
    return structs.replace(resolution, choices=tuple(kept))


def _left_out(ids: Sequence[str], catalog: Catalog) -> str:
    return f"{_why(ids, catalog)}，没有包括在内；如要操作，请用户说出名字并确认。"


def _asking(ids: Sequence[str], catalog: Catalog) -> str:
    return f"{_why(ids, catalog)}，请先向用户确认。"


def _why(ids: Sequence[str], catalog: Catalog) -> str:
    """The protected things with the reason, one clause for each reason."""
    by_reason: dict[str, list[str]] = {}
    for one in ids:
        protection = catalog.profile(one).protection
        if protection is not None:
            by_reason.setdefault(protection.reason, []).append(one)
    return "；".join(f"{named_list(own, catalog)}受保护（{reason}）" for reason, own in by_reason.items())
