"""`tingdong chat --domain hospital|FILE`: a dialogue at a front desk, with its focus and queue after every turn."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tingdong.bootstrap import hospital_desk
from tingdong.cli.chatting import chat_words
from tingdong.front_desk.model import DeskTurn, IntentContext
from tingdong.front_desk.wire import turn_as_json

__all__ = ["chat_desk"]

ZONE = ZoneInfo("Asia/Shanghai")


def chat_desk(domain: Path | None, directory: Path | None) -> None:
    """Talk until an empty line or /quit, at the desk of these files; without them at the demo hospital's.

    Raises `DataError` for a broken file.
    """
    console, context = Console(), IntentContext()
    turn: DeskTurn | None = None
    router = hospital_desk(directory, domain).router
    words = chat_words()["hospital"]
    titles = {code: agent.title for code, agent in router.domain.agents.items()}
    console.print(escape(f"{router.domain.name if domain else words['here']} {words['help']}"), style="dim")
    while True:
        try:
            text = console.input(f"[bold]{words['asked']}[/]").strip()
        except (EOFError, KeyboardInterrupt):
            return
        command = chat_words()["commands"].get(text[1:], "help") if text.startswith("/") else ""
        if not text or command == "quit":
            return
        if command == "new":
            context, turn = IntentContext(), None
        if command:
            told = {"new": chat_words()["new_page"], "why": _segments(turn, titles)}.get(command, words["help"])
            console.print(escape(told), highlight=False)
            continue
        turn = router.turn(context, text, now=datetime.now(ZONE))
        context = turn.context
        console.print(f"[cyan]{escape(turn.reply)}[/]")
        console.print(_board(turn_as_json(turn), titles, words))


def _segments(turn: DeskTurn | None, titles: Mapping[str, str]) -> str:
    """One line per segment with its agent."""
    words = chat_words()
    if turn is None:
        return str(words["nothing_said"])
    line, unread = words["hospital"]["taken"], words["hospital"]["unread"]
    found = (line.format(text=one.text, title=titles.get(one.agent_code, unread)) for one in turn.segments)
    return "\n".join(found) or str(unread)


def _board(turn: Mapping[str, Any], titles: Mapping[str, str], words: Mapping[str, Any]) -> Table:
    """Frames as rows, operations below, in the words of data/chat.yaml and the titles of the domain's agents."""

    def slot(name: str) -> str:
        return str(words["slots"].get(name, name))

    ops = " · ".join(
        f"{words['ops'].get(op['op'], op['op'])} {'、'.join(titles.get(one, one) for one in op['target'].split('|'))}"
        for op in turn["intent_ops"]
    )
    table = Table(*words["columns"], caption=escape(ops))
    for frame in turn["frames"]:
        slots = " ".join(f"{slot(name)}：{value}" for name, value in frame["slots"].items())
        missing = "、".join(map(slot, frame["missing_slots"]))
        role, status = words["roles"].get(frame["role"], ""), words["states"].get(frame["status"], "")
        table.add_row(titles.get(frame["agent_code"], frame["agent_code"]), role, status, escape(slots), missing)
    return table
