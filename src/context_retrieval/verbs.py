"""Properties of the protocol's verbs: what starts or ends something, and opposites (`actions.yaml`, `verbs`).

The only such table, used by rules, vetoes, arbiter, dialogue and retrieval.
"""

from collections.abc import Mapping
from functools import cache

import msgspec

from context_retrieval.lexicon import default_lexicon
from context_retrieval.vocabulary import Verb

__all__ = ["VerbTable", "table_of", "verb_table"]


class VerbTable(msgspec.Struct, frozen=True):
    """The verbs by what they are. `opposite`: what undoes a verb; `beginning` and `ending`: what begins something and
    what ends it; `lasting`: what leaves a state that stays; `moves`: the step of a cover that a verb is, `moved` the
    verb of a step; `plainly`: what a verb comes down to on a thing that cannot do it."""

    opposite: Mapping[str, str]
    beginning: frozenset[str]
    ending: frozenset[str]
    lasting: frozenset[str]
    moves: Mapping[str, str]
    moved: Mapping[str, str]
    plainly: Mapping[str, str]

    @property
    def ways(self) -> frozenset[str]:
        """The verbs that start something and those that end it."""
        return self.beginning | self.ending


def table_of(rows: Mapping[str, Verb]) -> VerbTable:
    """The table of these rows."""
    moves = {name: verb.moves for name, verb in rows.items() if verb.moves}
    return VerbTable(
        opposite={name: verb.opposite for name, verb in rows.items() if verb.opposite},
        beginning=frozenset(name for name, verb in rows.items() if verb.way == "begins"),
        ending=frozenset(name for name, verb in rows.items() if verb.way == "ends"),
        lasting=frozenset(name for name, verb in rows.items() if verb.lasts),
        moves=moves,
        moved={step: name for name, step in moves.items()},
        plainly={name: verb.plainly for name, verb in rows.items() if verb.plainly},
    )


@cache
def verb_table() -> VerbTable:
    """The table of the vocabulary."""
    return table_of(default_lexicon().actions.verbs)
