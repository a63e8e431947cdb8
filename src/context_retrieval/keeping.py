"""Exclusions in a sentence, and the devices that remain (留许工那盏, 鱼缸别动)."""

import re
from collections.abc import Iterator
from functools import cache

from context_retrieval.grounding import clauses_of, ground, words_in
from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import Quantifier, Resolution, ResolutionStatus
from context_retrieval.outcome import Asking, positions_of
from context_retrieval.telling import said_table, telling
from context_retrieval.text import spoken

__all__ = ["keeps", "spared"]


@cache
def keeps() -> re.Pattern[str]:
    """The words that say to leave something, as the grammar lists them."""
    return words_in((*default_lexicon().grammar["keep"], *default_lexicon().grammar["only"]))


@cache
def _so_many() -> re.Pattern[str]:
    """A number that counts what stays, and tells none of it (留一盏)."""
    table = said_table()
    return re.compile(rf"\A(?:\d|{table.two})[{table.counters}]")


def spared(result: Resolution, asking: Asking, text: str) -> Resolution:
    """The result without what the sentence says to leave, where the query does not say it.

    Of a row of which a part stays the rest is meant, and no more than that row; where only so many are to stay, it is
    a question which (law 2).
    """
    query, catalog = asking.query, asking.catalog
    before = positions_of(result, catalog)
    says = bool(query.exclude or query.excluded_names)
    for form in clauses_of(text):
        match = keeps().search(form)
        if match is None:
            continue
        after = _so_many().sub("", form[match.end() :], count=1)
        kept, row = _of_a_row(form[: match.start()] + after, asking)
        told = words_in(default_lexicon().grammar["other"]).search(spoken(text)) is not None
        everything = query.quantifier is Quantifier.EXCEPT and not (query.include or asking.explicit_all or query.here)
        if told and kept == row and len(row) > 1 and after != form[match.end() :]:
            return asking.ambiguous(sorted(row if everything else before | row))
        if told and kept < row and (everything or result.status is not ResolutionStatus.FOUND):
            return asking.chosen(sorted(row - kept), exact=result.exact, single=False)
        of_one = result.found or (result.choices and len({*map(catalog.room_of, before)}) == 1)
        if of_one and len(before) > 1 and not says:
            for found in _left(form, match, asking, before):
                return asking.chosen(sorted(before - found), exact=result.exact, single=False)
    return result


def _left(form: str, match: re.Match[str], asking: Asking, before: set[int]) -> Iterator[set[int]]:
    """Which of the things meant a clause says to leave; less than all of them."""
    for stretch in (form[match.end() :], form[: match.start()]):
        found = set(ground(stretch, asking.catalog, sorted(before)).positions)
        if found and found < before:
            yield found


def _of_a_row(form: str, asking: Asking) -> tuple[set[int], set[int]]:
    """What a clause without its word for leaving tells of, and all in its room that are called alike."""
    catalog = asking.catalog
    kept = set(ground(form, catalog).positions)
    rooms, bare = {*map(catalog.room_of, kept)}, telling(catalog).bare
    row = {p for p in catalog.in_rooms(sorted(rooms)) if bare[p] in {bare[one] for one in kept}}
    return kept, row if len(rooms) == 1 else kept
