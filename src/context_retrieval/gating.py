"""The fewest candidates, and the hint if they are uncertain (retrieval.md, Sets).

A hint is a sentence for the agent that says what to ask. Names and words of the user in it are data: cleaned, cut and
quoted, so that only our own text stands outside the quotation marks.
"""

from collections.abc import Iterable, Sequence

from msgspec import structs

from context_retrieval.by_type import type_word
from context_retrieval.catalog import Catalog
from context_retrieval.injection import quoted
from context_retrieval.models import (
    HERE_SCOPE,
    Candidate,
    Device,
    EntityKind,
    Quantifier,
    QueryIR,
    Resolution,
    ResolutionStatus,
)

__all__ = ["count_hint", "gate", "hint_for", "named_list", "range_hint", "wanted_count"]

MAX_NAMED = 5
_CLOSE = 0.05


def gate(candidates: Iterable[Candidate], *, limit: int) -> tuple[tuple[Candidate, ...], bool]:
    """At most `limit` candidates, best first (equal scores keep their order), and whether the best two are too close
    to tell.
    """
    ranked = sorted(candidates, key=lambda candidate: -candidate.score)
    close = len(ranked) > 1 and ranked[0].score - ranked[1].score < _CLOSE
    return tuple(ranked[:limit]), close


def hint_for(query: QueryIR, resolution: Resolution, catalog: Catalog) -> str | None:
    """What the agent should know or ask; None when the resolution is certain."""
    status = resolution.status
    if status is ResolutionStatus.AMBIGUOUS:
        return _choices(query, resolution, catalog)
    if status is ResolutionStatus.NO_ROOM:
        return _no_room(resolution)
    if status is ResolutionStatus.NO_DEVICE:
        return _no_device(query, resolution)
    if status is ResolutionStatus.NO_CAPABILITY:
        return f"{named_list(resolution.incapable, catalog)}不支持{quoted(query.action)}。"
    if status is ResolutionStatus.NO_REFERENCE:
        return "不清楚用户指的是哪个设备，请向用户确认。"
    if resolution.missing:
        return f"没有找到{_list(resolution.missing)}。"
    return _any_of(query, resolution, catalog)


def count_hint(query: QueryIR, ids: Sequence[str], catalog: Catalog) -> str:
    """How many things of a type there are, where the type alone was said and no word for all of them."""
    what = quoted(type_word(query.type))
    return f"{what}有{len(ids)}个：{named_list(ids, catalog)}。用户没有说全部，若只要其中一个，请确认是哪一个。"


def wanted_count(query: QueryIR, found: int) -> int | None:
    """How many of `found` things will do (commands.md, any + N); None where all of them are meant."""
    few = query.quantifier is Quantifier.ANY and query.count is not None and query.count < found
    return query.count if few else None


def _choices(query: QueryIR, resolution: Resolution, catalog: Catalog) -> str:
    ids = resolution.choices
    number = wanted_count(query, len(ids))
    ask = "请向用户确认是哪一个。" if number is None else f"用户只要其中{number}个，可任选，或请用户指定。"
    return f"有{len(ids)}个设备都符合：{named_list(ids, catalog)}。{ask}"


def _any_of(query: QueryIR, resolution: Resolution, catalog: Catalog) -> str | None:
    """How many of a set will do, or that there are not so many."""
    if query.quantifier is not Quantifier.ANY or query.count is None:
        return None
    ids = resolution.entity_ids
    if resolution.kind is EntityKind.GROUP:
        ids = catalog.members(ids[0])
    if len(ids) < query.count:
        return f"用户要{query.count}个，只有{len(ids)}个：{named_list(ids, catalog)}。"
    return _choices(query, structs.replace(resolution, choices=ids), catalog) if len(ids) > query.count else None


def _no_room(resolution: Resolution) -> str:
    if HERE_SCOPE in resolution.missing:
        return "不知道用户在哪个房间，请向用户确认。"
    return f"家里没有{_list(resolution.missing)}，请向用户确认房间。"


def _no_device(query: QueryIR, resolution: Resolution) -> str:
    what = quoted(query.name) if query.name else _list(resolution.missing) or "这样的设备"
    where = _list(resolution.rooms)
    near = f"相近的有：{_list(resolution.near)}。" if resolution.near else ""
    return f"{where or '家里'}没有找到{what}。{near}"


def named_list(ids: Sequence[str], catalog: Catalog) -> str:
    """`“room的name”`, quoted, of at most five entities."""
    parts = []
    for entity_id in ids[:MAX_NAMED]:
        entity = catalog.get(entity_id)
        if entity is None:
            continue
        room = entity.room if isinstance(entity, Device) else ""
        parts.append(quoted(f"{room}的{entity.name}" if room else entity.name))
    return "、".join(parts) + ("等" if len(ids) > MAX_NAMED else "")


def _list(words: Sequence[str]) -> str:
    return "、".join(map(quoted, words[:MAX_NAMED]))


def range_hint(out_of_range: Sequence[tuple[str, str]], catalog: Catalog) -> str:
    """What range the devices allow whose value was out of it; `out_of_range` holds (id, range)."""
    parts = [
        f"{named_list((entity_id,), catalog)}只支持{quoted(limits)}" for entity_id, limits in out_of_range[:MAX_NAMED]
    ]
    return f"超出范围：{'，'.join(parts)}。"
