"""The thing a short sentence begins with, where no client could read the sentence (seed 002, 召回负责"不漏").

厕所灯, 胖墩去扫扫地, 衣架降下来: what is to be done is for the agent to see, which device is spoken of is plain. Only a
thing that is found for certain is taken (law 1), and talk about a thing (电视真好看) takes none.
"""

import re
from collections.abc import Sequence

from context_retrieval.by_type import generic_type
from context_retrieval.capability import OPERATE
from context_retrieval.catalog import Catalog
from context_retrieval.models import DeviceType, Quantifier, QueryIR, ResolutionStatus
from context_retrieval.resolve import resolve_ir
from context_retrieval.text import normalise

__all__ = ["spoken_of"]

_LEADING = re.compile("(?:请|麻烦|帮我|给我|把|让|叫|那个|这个|小牛|[，,、 ])+")
_CHATTER = re.compile(
    "[真好很挺贵买卖剧坏旧新修送看听想说讲又才啊除你]|其他|其余|别的|为什么|怎么|不要|别|过了|里的|上的|多少"
)
_MOST_AROUND = 6
"""A longer rest of the sentence may be about anything."""
_LONGEST_NAME = 8


def spoken_of(text: str, catalog: Catalog, places: Sequence[str]) -> tuple[QueryIR, ...]:
    """The query for the thing that `text` begins with; empty when it begins with none, or with talk."""
    form = normalise(_LEADING.sub("", text, count=1) if _LEADING.match(text) else text)
    room, rest = _leading_room(form, catalog)
    for end in range(min(len(rest), _LONGEST_NAME), 0, -1):
        if len(rest) - end > _MOST_AROUND:
            break
        name = rest[:end]
        if _CHATTER.search(rest[end:]):
            continue
        query = _query_for(name, room)
        if query is None or not (query.name or room or places):
            continue
        found = resolve_ir(query, catalog, places=places)
        if found.status is ResolutionStatus.FOUND and found.exact:
            return (query,)
    return ()


def _leading_room(form: str, catalog: Catalog) -> tuple[str | None, str]:
    """The room word that the sentence begins with, and what follows it."""
    for end in range(min(len(form) - 1, _LONGEST_NAME), 1, -1):
        if catalog.rooms.find(form[:end]):
            return form[:end], form[end:].removeprefix("里").removeprefix("那")
    return None, form


def _query_for(name: str, room: str | None) -> QueryIR | None:
    kind_type = generic_type(name)
    if kind_type is None and len(name) < 2:
        return None
    return QueryIR(
        OPERATE,
        include=(room,) if room else (),
        name=None if kind_type else name,
        type=kind_type or DeviceType.UNKNOWN,
        quantifier=Quantifier.ALL if kind_type else Quantifier.ONE,
        confidence=0.5,
    )
