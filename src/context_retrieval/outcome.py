"""Results of a resolution, each with what a reply needs.

`Asking` is the input: query, home, default places, and whether capabilities count.
"""

from collections.abc import Sequence

import msgspec

from context_retrieval.capability import Capability
from context_retrieval.catalog import Catalog
from context_retrieval.logic import RoomScope
from context_retrieval.models import EntityKind, Quantifier, QueryIR, Resolution, ResolutionStatus

__all__ = ["TOLD", "Asking", "positions_of"]

_QUERY = "查询"
TOLD = 0.6
"""How sure it is that a thing is meant that is told by other words than its name."""


class Asking(msgspec.Struct, frozen=True):
    """One query in one home. `capability` None leaves the question what a device can do to the caller."""

    query: QueryIR
    catalog: Catalog
    places: tuple[str, ...] = ()
    explicit_all: bool = False
    capability: Capability | None = None
    scope: RoomScope = RoomScope()

    def chosen(
        self, positions: Sequence[int], *, exact: bool = True, score: float = 1.0, single: bool = True
    ) -> Resolution:
        """The capable ones of `positions`: one target or the set; several where one was asked for are a question.

        Anything may be asked of a thing that was named: whether it can tell is for the answer to say.
        """
        capable, incapable = self.capable(positions)
        if not capable and self.query.name is not None and self.query.action.startswith(_QUERY):
            capable, incapable = positions, ()
        if not capable:
            return self.incapable(incapable)
        if single and len(capable) > 1 and self.query.quantifier is Quantifier.ONE:
            return self.ambiguous(capable, exact=exact)
        return Resolution(
            ResolutionStatus.FOUND,
            self.catalog.ids(capable),
            rooms=self.scope.rooms or (),
            missing=self._missing_of(capable),
            incapable=self.catalog.ids(incapable),
            exact=exact,
            score=score,
        )

    def capable(self, positions: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        """The positions that can do the action, and those that cannot."""
        if self.capability is None:
            return positions, ()
        can, action = self.capability.can, self.query.action
        commands, profiles = self.catalog.commands, self.catalog.profiles
        found, sorts = self.catalog.by_sort(positions), self.catalog.sorts
        able = {sort for sort, one in found.items() if can(action, commands[one], profiles[one])}
        if len(able) == len(found):
            return positions, ()
        return [one for one in positions if sorts[one] in able], [one for one in positions if sorts[one] not in able]

    def _missing_of(self, positions: Sequence[int]) -> tuple[str, ...]:
        """The room words of the query that are none, and no part of what all these are called (床 of 阅读灯（A床）)."""
        names = [self.catalog.devices[position].name for position in positions] if self.scope.missing else []
        return tuple(word for word in self.scope.missing if not all(word in name for name in names))

    def ambiguous(self, positions: Sequence[int], *, exact: bool = True) -> Resolution:
        """Several things fit, by their positions; `exact` where the name itself does."""
        return Resolution(
            ResolutionStatus.AMBIGUOUS,
            choices=self.catalog.ids(positions),
            rooms=self.scope.rooms or (),
            missing=self.scope.missing,
            exact=exact,
        )

    def incapable(self, positions: Sequence[int]) -> Resolution:
        """Things of that name, none of which can do what is asked."""
        return Resolution(
            ResolutionStatus.NO_CAPABILITY, rooms=self.scope.rooms or (), incapable=self.catalog.ids(positions)
        )

    def no_room(self) -> Resolution:
        """No room of the home has a name that was said."""
        return Resolution(ResolutionStatus.NO_ROOM, rooms=self.scope.rooms or (), missing=self.scope.missing)

    def no_device(self, missing: tuple[str, ...]) -> Resolution:
        """Nothing of that name or type in scope; `near` are names of the home that come close."""
        near = () if self.query.name is None else self.catalog.names.near(self.query.name)
        return Resolution(
            ResolutionStatus.NO_DEVICE, rooms=self.scope.rooms or (), missing=missing, near=near, exact=False
        )


def positions_of(result: Resolution, catalog: Catalog) -> set[int]:
    """The positions of what a resolution found, or may mean; a group's are its members'."""
    ids = result.choices or result.entity_ids
    if result.kind is EntityKind.GROUP:
        ids = tuple(member for one in ids for member in catalog.members(one))
    return {position for position in map(catalog.position, ids) if position is not None}
