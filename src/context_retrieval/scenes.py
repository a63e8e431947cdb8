"""Scenes are run on request, not when their name occurs in passing (下班了，会议室的灯关掉)."""

import re
from collections.abc import Sequence
from functools import cache

from context_retrieval.catalog import SCENE_ENDINGS, Catalog
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import QueryIR, Scene
from context_retrieval.text import normalise

__all__ = ["asked_scenes"]

_EXECUTE = "执行"
_CLAUSE_END = re.compile(r"[，。！!？?；;\n]|[,.](?!\d)")


def asked_scenes(queries: Sequence[QueryIR], text: str, catalog: Catalog) -> tuple[QueryIR, ...]:
    """The queries without scenes that another request only stands beside.

    A scene is asked for by a verb (执行下班, 打开观影), as a mode (离家模式), or by its bare name as a whole clause
    that is no greeting; alone in its sentence it always is.
    """
    if len(queries) < 2:
        return tuple(queries)
    clauses = [normalise(clause) for clause in _CLAUSE_END.split(text)]
    return tuple(query for query in queries if not _is_scene(query, catalog) or _is_asked(query.name or "", clauses))


def _is_scene(query: QueryIR, catalog: Catalog) -> bool:
    named = catalog.collectives_named(normalise(query.name or ""))
    return query.action == _EXECUTE and any(isinstance(entity, Scene) for _, entity in named)


def _is_asked(name: str, clauses: Sequence[str]) -> bool:
    form = normalise(name)
    said = [clause for clause in clauses if form in clause]
    if not said:
        return True
    return any(_asks_for(form, clause) for clause in said)


def _asks_for(form: str, clause: str) -> bool:
    if clause == form:
        return form not in _greetings()
    return form.endswith(SCENE_ENDINGS) or _asking().search(clause.replace(form, " ", 1)) is not None


@cache
def _greetings() -> frozenset[str]:
    return frozenset(map(normalise, default_lexicon().grammar["polite"]))


@cache
def _asking() -> re.Pattern[str]:
    """Verbs that run a scene, before its name, and the words for a mode behind it."""
    verbs = default_lexicon().actions.verbs
    words = {normalise(word) for action in (_EXECUTE, "打开") for word in verbs[action].strong.split()}
    longer = sorted((word for word in words if len(word) > 1), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, [*SCENE_ENDINGS, *longer])))
