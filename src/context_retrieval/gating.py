"""The fewest necessary candidates, and the hint when they are not certain (seed 002, 候选筛选排序 + hint).

A hint is a sentence for the agent that names what to ask; it never decides. Names in it are data: they are cleaned
and cut.
"""

from collections.abc import Iterable, Sequence

from context_retrieval.catalog import Catalog
from context_retrieval.injection import clean
from context_retrieval.models import Candidate, Device, QueryIR, Resolution, ResolutionStatus

__all__ = ["gate", "hint_for", "range_hint"]

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
        return f"有{len(resolution.choices)}个设备都符合：{_names(resolution.choices, catalog)}。请向用户确认是哪一个。"
    if status is ResolutionStatus.NO_ROOM:
        return _no_room(resolution)
    if status is ResolutionStatus.NO_DEVICE:
        return _no_device(query, resolution)
    if status is ResolutionStatus.NO_CAPABILITY:
        return f"{_names(resolution.incapable, catalog)}不支持“{clean(query.action)}”。"
    if status is ResolutionStatus.NO_REFERENCE:
        return "不清楚用户指的是哪个设备，请向用户确认。"
    if status is ResolutionStatus.FOUND and resolution.missing:
        return f"没有找到{_list(resolution.missing)}。"
    return None


def _no_room(resolution: Resolution) -> str:
    if "@here" in resolution.missing:
        return "不知道用户在哪个房间，请向用户确认。"
    return f"家里没有{_list(resolution.missing)}，请向用户确认房间。"


def _no_device(query: QueryIR, resolution: Resolution) -> str:
    what = clean(query.name) if query.name else _list(resolution.missing) or "这样的设备"
    where = _list(resolution.rooms)
    near = f"相近的有：{_list(resolution.near)}。" if resolution.near else ""
    return f"{where or '家里'}没有找到{what}。{near}"


def _names(ids: Sequence[str], catalog: Catalog) -> str:
    """`room的name` of at most five entities."""
    parts = []
    for entity_id in ids[:MAX_NAMED]:
        entity = catalog.get(entity_id)
        if entity is None:
            continue
        room = clean(entity.room) if isinstance(entity, Device) else ""
        parts.append(f"{room}的{clean(entity.name)}" if room else clean(entity.name))
    return "、".join(parts) + ("等" if len(ids) > MAX_NAMED else "")


def _list(words: Sequence[str]) -> str:
    return "、".join(clean(word) for word in words[:MAX_NAMED])


def range_hint(out_of_range: Sequence[tuple[str, str]], catalog: Catalog) -> str:
    """What range the devices allow whose value was out of it; `out_of_range` holds (id, range)."""
    parts = [f"{_names((entity_id,), catalog)}只支持{limits}" for entity_id, limits in out_of_range[:MAX_NAMED]]
    return f"超出范围：{'，'.join(parts)}。"
