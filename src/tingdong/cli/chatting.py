"""`tingdong chat`: a conversation at the terminal; what an instruct says has happened at the next turn."""

import json
from asyncio import Runner
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tingdong.bootstrap import embedded
from tingdong.client import Client, apply_instructs
from tingdong.errors import DataError, TingDongError
from tingdong.understand import Decision, TurnRequest

__all__ = ["HomeChat", "chat", "open_home"]

COLOURS = {"instruct": "green", "question": "yellow", "answer": "cyan", "none": "dim"}
HELP = "/room ROOM where you stand · /state of the home · /why it was understood so · /new page · /quit"


class Said(msgspec.Struct, frozen=True):
    """What came back on one turn: `instructs` for now, `scheduled` for later. `decision` is known only where the turn
    was served in this process."""

    kind: str
    text: str
    instructs: Sequence[Mapping[str, Any]] = ()
    scheduled: Sequence[Mapping[str, Any]] = ()
    decision: Decision | None = None


Ask = Callable[[str, "HomeChat"], Said]


class HomeChat:
    """One conversation: its page, where the speaker stands, and a home whose state follows the instructs."""

    def __init__(self, home: Mapping[str, Any], local: str | None, ask: Ask) -> None:
        self.home: dict[str, Any] = dict(home)
        self.local = local
        self.page_id: str = str(uuid4())
        self.last: Said | None = None
        self._ask = ask

    def turn(self, question: str) -> Said:
        """Ask, and let what was told happen. Raises `TingDongError` when the turn was refused."""
        said = self.last = self._ask(question, self)
        self.home = apply_instructs(self.home, said.instructs)
        return said


def open_home(path: Path | None) -> dict[str, Any]:
    """The home in the file, or the sample home of seed 004. Raises `DataError`."""
    try:
        if path is None:
            raw = files("tingdong.service").joinpath("web/homes/sample8.json").read_bytes()
        else:
            raw = path.read_bytes()
        home: dict[str, Any] = json.loads(raw)
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: {error}") from error
    return home


def chat(home: Mapping[str, Any], *, local: str | None, url: str | None, token: str | None = None) -> None:
    """Read sentences until the end of input or /quit; with `url` a server answers, else this process."""
    console = Console()
    with Runner() as runner:
        client = Client(url, token=token) if url is not None else None
        session = HomeChat(home, local, _here(runner) if client is None else _there(runner, client))
        console.print(HELP, style="dim", highlight=False)
        while (line := _read(console, session)) is not None:
            if line.startswith("/"):
                _command(console, session, line)
            elif line:
                _say(console, session, line)
        if client is not None:
            runner.run(client.close())


def _here(runner: Runner) -> Ask:
    """Turns served in this process by the embedded parser."""
    understander = embedded()

    def ask(question: str, session: HomeChat) -> Said:
        home = msgspec.json.encode(session.home)
        request = TurnRequest(str(uuid4()), session.page_id, question, home=home, local=session.local or "")
        turn = runner.run(understander.turn(request))
        now, later = map(msgspec.to_builtins, (turn.instructs, turn.scheduled))
        return Said(turn.kind.value, turn.text, now, later, turn.decision)

    return ask


def _there(runner: Runner, client: Client) -> Ask:
    """Turns served by a server."""

    def ask(question: str, session: HomeChat) -> Said:
        asked = client.ask(question, page_id=session.page_id, home=session.home, local=session.local)
        reply = runner.run(asked)
        return Said(reply.kind, reply.text, reply.instructs, reply.scheduled)

    return ask


def _read(console: Console, session: HomeChat) -> str | None:
    try:
        return console.input(f"[dim]{escape(session.local or '家')}[/] 你：").strip()
    except (EOFError, KeyboardInterrupt):
        return None


def _say(console: Console, session: HomeChat, question: str) -> None:
    try:
        said = session.turn(question)
    except TingDongError as error:
        console.print(f"[red]{error.ret}[/] {escape(str(error))}")
        return
    console.print(f"[{COLOURS.get(said.kind, 'red')}]{said.kind}[/] {escape(said.text)}", highlight=False)
    if said.instructs or said.scheduled:
        table = Table(box=None, padding=(0, 2), show_header=False)
        for one in (*said.instructs, *said.scheduled):
            when = one.get("when") or ("cancel" if one.get("cancel") else "")
            table.add_row(one["id"], json.dumps(one["state"], ensure_ascii=False), when, escape(one.get("summary", "")))
        console.print(table)


def _command(console: Console, session: HomeChat, line: str) -> None:
    name, _, rest = line[1:].partition(" ")
    if name == "quit":
        raise SystemExit(0)
    if name == "room":
        session.local = rest.strip() or None
    elif name == "new":
        session.page_id = str(uuid4())
    elif name == "state":
        _show_state(console, session.home)
    elif name == "why" and session.last is not None and session.last.decision is not None:
        console.print_json(msgspec.json.encode(session.last.decision).decode())
    else:
        console.print(HELP, style="dim", highlight=False)


def _show_state(console: Console, home: Mapping[str, Any]) -> None:
    table = Table("id", "room", "name", "state")
    for device in home["devices"]:
        state = json.dumps(device["device"].get("state", {}), ensure_ascii=False)
        table.add_row(device["id"], device.get("local", ""), escape(device.get("name", "")), escape(state))
    console.print(table)
