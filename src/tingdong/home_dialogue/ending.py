"""Ends a turn: the next page and the outcome."""

import msgspec

from tingdong.home_dialogue.outcome import Outcome
from tingdong.home_dialogue.page import Page
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.timers import alive

__all__ = ["Ended", "passed"]

Ended = tuple[Page, Outcome]
"""The next page and the outcome."""


def passed(situation: Situation) -> Page:
    """The page after a turn that carried nothing out."""
    page, scene = situation.page, situation.scene
    return msgspec.structs.replace(
        page, turn=page.turn + 1, local=scene.local, timers=alive(page.timers, scene.now.timestamp())
    )
