"""Purposes of clauses: order, question, wish. Clauses of different purposes are never read as one.

A reading of the whole sentence has one kind of reply, so that it loses a question beside an order, or one of two
wishes. Such clauses are handled separately.
"""

from collections.abc import Sequence
from enum import Enum, auto
from typing import NamedTuple

from tingdong.commands.reading import MentionKind
from tingdong.home.questions import asks_ability, wants_answer
from tingdong.home.wish_reading import match_wish
from tingdong.home.wish_table import wish_table
from tingdong.home_dialogue.clause_kinds import Clause
from tingdong.home_dialogue.inquiries import inquiries_of
from tingdong.home_dialogue.situation import Situation

__all__ = ["Aim", "Purpose", "aim_of", "are_apart"]


class Purpose(Enum):
    """What a clause is for, by itself."""

    ORDER = auto()
    ASK = auto()
    WISH = auto()
    NONE = auto()  # a reason, courtesy, or nothing that is understood alone


class Aim(NamedTuple):
    """The purpose of a clause; `wish` is the key of what is wished."""

    purpose: Purpose
    wish: str = ""


def aim_of(clause: Clause, situation: Situation) -> Aim:
    """What a clause is for; `situation` is the clause as a turn of its own."""
    if any(not command.action.verb.startswith("查询") for command in clause.commands):
        asks = (situation.asks or asks_ability(situation.text)) and inquiries_of(situation)
        return Aim(Purpose.ASK if asks else Purpose.ORDER)
    if clause.commands or inquiries_of(situation) or wants_answer(situation.text):
        return Aim(Purpose.ASK)
    if situation.has(MentionKind.NEGATION, MentionKind.CANCEL, MentionKind.WHEN):
        return Aim(Purpose.NONE)
    wish = match_wish(situation.without(MentionKind.ROOM))
    if wish is not None:
        return Aim(Purpose.WISH, wish.key)
    return Aim(Purpose.ORDER if situation.has(MentionKind.ACTION) and not situation.asks else Purpose.NONE)


def are_apart(aims: Sequence[Aim]) -> bool:
    """Whether clauses ask beside others that order or wish, or several wish for different things. A wish beside orders
    is their reason; so is one of what somebody is about to do (我要走了，窗都关好没) beside a question."""
    purposes = [aim.purpose for aim in aims]
    asks = Purpose.ASK in purposes
    if Purpose.ORDER in purposes:
        return asks
    felt = {aim.wish for aim in aims if aim.wish and wish_table().wishes[aim.wish].do == "first"}
    return len(felt) > 1 or (asks and bool(felt))
