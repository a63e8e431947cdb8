"""Whether a clause accounts for a request; otherwise the dialogue asks first (是要…吗？).

Law: nothing changes that no clause accounts for. Each fact against a request (`evidence.py`) has a weight in
`data/accounting.yaml`, fitted to judged conversations by `python -m bench.fit_accounting`. Their sum is compared with a
threshold, which is lower for protected and risky devices.
"""

from collections.abc import Sequence

import msgspec

from tingdong.home.model import Plan
from tingdong.home_dialogue.accounting_table import accounting_table
from tingdong.home_dialogue.evidence import facts_of
from tingdong.home_dialogue.proposal import Proposal

__all__ = ["Account", "account", "part_of"]


class Account(msgspec.Struct, frozen=True):
    """What speaks against a request, each fact with what it weighs here, and whether it is asked about first."""

    against: dict[str, float] = {}
    asks: bool = False


def account(proposal: Proposal, asked: Sequence[Plan] = ()) -> Account:
    """What speaks against the request; nothing where it does nothing. What goes on with a request of the turn that is
    `asked` about already (六点半给我开吧，制冷二十六) waits with it."""
    if not proposal.planned.instructs:
        return Account()
    table = accounting_table()
    weighed = {name: round(much * table.facts[name].weight, 2) for name, much in facts_of(proposal).items()}
    bound = table.ask.risky if any(one.protected or one.risky for one in proposal.devices) else table.ask.any
    waiting = {one.id for plan in asked for one in plan.instructs}
    goes_on = proposal.carried and waiting.issuperset(one.id for one in proposal.planned.instructs)
    return Account(weighed, goes_on or sum(weighed.values()) >= bound)


def part_of(planned: Plan, ids: frozenset[str], *, kept: bool) -> Plan:
    """The part of a plan that is about `ids` (`kept`), or the rest with the notes."""
    chosen = [index for index, instruct in enumerate(planned.instructs) if (instruct.id in ids) is kept]
    return Plan(
        tuple(planned.instructs[index] for index in chosen),
        () if kept else planned.notes,
        tuple(planned.deeds[index] for index in chosen),
    )
