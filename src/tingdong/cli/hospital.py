"""`tingdong chat --domain hospital`: a dialogue at the front desk, with its focus and queue after every turn."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tingdong.bootstrap import hospital_desk
from tingdong.dialogue.model import IntentContext
from tingdong.dialogue.wire import turn_as_json

__all__ = ["chat_hospital"]

ZONE = ZoneInfo("Asia/Shanghai")


def chat_hospital(directory: Path | None) -> None:
    """Talk until an empty line; without a directory the demo hospital. Raises `DataError` for a broken file."""
    console, context = Console(), IntentContext()
    router = hospital_desk(directory).router
    console.print("[dim]医院导诊台。空行结束。[/]")
    while True:
        try:
            text = console.input("[bold]您：[/]").strip()
        except (EOFError, KeyboardInterrupt):
            return
        if not text:
            return
        turn = router.turn(context, text, now=datetime.now(ZONE))
        context = turn.context
        console.print(f"[cyan]{escape(turn.reply)}[/]")
        console.print(_board(turn_as_json(turn)))


def _board(turn: Mapping[str, Any]) -> Table:
    """Frames as rows, operations below."""
    ops = " · ".join(f"{op['op']} {op['target']}" for op in turn["intent_ops"])
    table = Table("任务", "角色", "状态", "槽位", "还缺", caption=escape(ops))
    for frame in turn["frames"]:
        slots = " ".join(f"{name}={value}" for name, value in frame["slots"].items())
        missing = "、".join(frame["missing_slots"])
        table.add_row(frame["agent_code"], frame["role"], frame["status"], escape(slots), missing)
    return table
