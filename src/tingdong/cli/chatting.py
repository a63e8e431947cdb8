"""`tingdong chat`: a conversation in Chinese at the terminal; instructs are applied before the next turn.

Texts: data/chat.yaml.
"""

import json
from asyncio import Runner
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
from rich.console import Console
from rich.markup import escape

from context_retrieval.strict_yaml import parse_yaml
from tingdong.bootstrap import embedded
from tingdong.cli.files import fault_of, read_file
from tingdong.client import Client, ConnectionFailed, apply_instructs
from tingdong.errors import DataError, TingDongError
from tingdong.home.cache import load_parsed_home
from tingdong.home.document import decode_home, passed_over
from tingdong.home.spoken_moment import tell_moment
from tingdong.home.states import state_clause
from tingdong.home_turn import TurnRequest
from tingdong.service.explain import explanation

__all__ = ["HomeChat", "chat", "chat_words", "open_home"]

_DEFAULT_ROOM = "客厅"
_SAMPLE = files("tingdong.service").joinpath("web/homes/sample8.json")
COLOURS = {"instruct": "green", "question": "yellow", "answer": "cyan", "none": "dim"}


class ChatReply(msgspec.Struct, frozen=True):
    """What came back on one turn: `instructs` for now, `scheduled` for later; `explain` as `data.explain` has it.

    `refused` is the message of a turn that was not served, with its `code`.
    """

    kind: str = ""
    text: str = ""
    instructs: Sequence[Mapping[str, Any]] = ()
    scheduled: Sequence[Mapping[str, Any]] = ()
    explain: Mapping[str, Any] = {}
    refused: str = ""
    code: int = 0


Ask = Callable[[str, "HomeChat"], ChatReply]


class HomeChat:
    """One conversation: its page, where the speaker stands, and a home whose state follows the instructs."""

    def __init__(self, home: Mapping[str, Any], ask: Ask) -> None:
        self.home: dict[str, Any] = dict(home)
        self.local: str | None = None
        self.page_id: str = str(uuid4())
        self.last: ChatReply | None = None
        self._ask = ask

    @property
    def rooms(self) -> list[str]:
        """The rooms of the home, in its order."""
        placed = [device.get("local") or "" for device in self.home.get("devices", ())]
        return [room for room in dict.fromkeys([*self.home.get("layout", ()), *placed]) if room]

    def stand(self, room: str) -> bool:
        """Stand in a room of the home ("" for none); False, and nothing changes, where it has no such room."""
        if room and room not in self.rooms:
            return False
        self.local = room or None
        return True

    def turn(self, question: str) -> ChatReply:
        """Sends a turn and applies its instructs. Raises `TingDongError` if it was refused."""
        said = self.last = self._ask(question, self)
        self.home = apply_instructs(self.home, said.instructs)
        return said


def open_home(path: Path | None) -> dict[str, Any]:
    """The home in the file, or the sample home of service.md. Raises `DataError`, and `BadHome` naming the file."""
    raw = _SAMPLE.read_bytes() if path is None else read_file(path)
    with fault_of(path):
        decode_home(raw)
    home: dict[str, Any] = json.loads(raw)
    return home


def chat(home: Mapping[str, Any], *, local: str | None, url: str | None, token: str | None = None) -> None:
    """Read sentences until the end of input or /quit; with `url` a server answers, else this process.

    Raises `DataError` for a `local` that is no room of the home.
    """
    console = Console()
    with Runner() as runner:
        client = Client(url, token=token) if url is not None else None
        session = HomeChat(home, _here(runner) if client is None else _there(runner, client))
        if local is None:
            session.stand(_DEFAULT_ROOM)
        elif not session.stand(local):
            raise DataError(chat_words()["no_room"].format(room=local, rooms="、".join(session.rooms)))
        for one in passed_over(decode_home(session.home)):
            console.print(f"{one.path}: {escape(one.message)}", style="yellow", highlight=False)
        console.print(chat_words()["help"], style="dim", highlight=False)
        while (line := _read(console, session)) is not None:
            if line.startswith("/"):
                if not _command(console, session, line):
                    break
            elif line:
                _say(console, session, line)
        if client is not None:
            runner.run(client.close())


@cache
def chat_words() -> dict[str, Any]:
    """The texts of the chat, by key."""
    words: dict[str, Any] = parse_yaml(files("tingdong.cli").joinpath("data/chat.yaml").read_bytes())
    return words


def _here(runner: Runner) -> Ask:
    """Turns served in this process by the embedded parser."""
    understander = embedded()

    def ask(question: str, session: HomeChat) -> ChatReply:
        home = msgspec.json.encode(session.home)
        request = TurnRequest(str(uuid4()), session.page_id, question, home=home, local=session.local or "")
        turn = runner.run(understander.turn(request))
        now, later = map(msgspec.to_builtins, (turn.instructs, turn.scheduled))
        return ChatReply(turn.kind.value, turn.text, now, later, msgspec.to_builtins(explanation(turn, question)))

    return ask


def _there(runner: Runner, client: Client) -> Ask:
    """Turns served by a server."""

    def ask(question: str, session: HomeChat) -> ChatReply:
        payload = {"page_id": session.page_id, "question": question, "instruct": True, "home": session.home}
        payload |= {"explain": True} | ({"local": session.local} if session.local else {})
        reply = runner.run(client.send(payload, rid=str(uuid4())))
        if reply.ret:
            return ChatReply(refused=reply.message, code=reply.ret)
        return ChatReply(reply.kind, reply.text, reply.instructs, reply.scheduled, reply.data.get("explain") or {})

    return ask


def _read(console: Console, session: HomeChat) -> str | None:
    try:
        return console.input(f"[dim]{escape(session.local or chat_words()['whole_home'])}[/] 你：").strip()
    except (EOFError, KeyboardInterrupt):
        return None


def _say(console: Console, session: HomeChat, question: str) -> None:
    try:
        said = session.turn(question)
    except TingDongError as error:
        said = ChatReply(refused=_told(error), code=error.ret)
    if said.refused:
        told = chat_words()["refused"].format(code=said.code, message=said.refused)
        console.print(f"[red]{escape(told)}[/]", highlight=False)
        return
    kind = chat_words()["kinds"].get(said.kind, said.kind)
    console.print(f"[{COLOURS.get(said.kind, 'red')}]{kind}[/] {escape(said.text)}", highlight=False)
    for line in _deeds(said):
        console.print(f"  {escape(line)}", style="dim", highlight=False)


def _told(error: TingDongError) -> str:
    """The error as one line for the user at the terminal."""
    if not isinstance(error, ConnectionFailed):
        return str(error)
    if isinstance(error.__cause__, OSError):
        return str(chat_words()["unreachable"]).format(url=str(error).partition(": ")[0])
    return str(chat_words()["denied"]).format(cause=error.__cause__)


def _deeds(said: ChatReply) -> Iterator[str]:
    """The actions in words: each summary, with its time if it is scheduled."""
    for one in (*said.instructs, *said.scheduled):
        summary = one.get("summary") or one["id"]
        if one.get("cancel"):
            yield f"{summary}（{chat_words()['cancelled']}）"
        else:
            yield f"{summary}（{tell_moment(one['when'])}）" if one.get("when") else summary


def _command(console: Console, session: HomeChat, line: str) -> bool:
    """Whether the conversation goes on after a line with a slash."""
    words = chat_words()
    name, _, rest = line[1:].partition(" ")
    room = rest.strip()
    match words["commands"].get(name):
        case "quit":
            return False
        case "room" if not session.stand(room):
            told = words["no_room"].format(room=room, rooms="、".join(session.rooms))
        case "room":
            told = words["room_set"].format(room=room) if room else words["room_left"]
        case "new":
            session.page_id = str(uuid4())
            told = words["new_page"]
        case "state":
            told = "\n".join(_states(session.home))
        case "why":
            told = "\n".join(_reasons(session))
        case _:
            told = words["help"]
    console.print(escape(told), highlight=False)
    return True


def _states(home: Mapping[str, Any]) -> Iterator[str]:
    """One line per room with the state of its devices."""
    known = load_parsed_home(dict(home))
    told: dict[str, list[str]] = {}
    for device in known.shape.devices.values():
        told.setdefault(device.room or chat_words()["whole_home"], []).append(state_clause(known, device))
    for room, clauses in told.items():
        yield f"{room}：{'，'.join(clauses)}"


def _reasons(session: HomeChat) -> Iterator[str]:
    """Reasons of the last turn: corrections, commands, tier, devices."""
    words, why = chat_words(), chat_words()["why"]
    if session.last is None:
        yield words["nothing_said"]
        return
    reading, findings = session.last.explain.get("reading"), session.last.explain.get("findings") or ()
    if reading is None and not findings:
        yield words["no_reasons"]
        return
    if reading is not None:
        if reading.get("heard"):
            yield why["heard"].format(text=reading["heard"]["understood"])
        commands = reading["commands"]
        yield why["commands"].format(commands="，".join(commands)) if commands else why["no_commands"]
        tier = words["tiers"].get(reading["tier"], reading["tier"])
        yield why["read"].format(tier=tier, sure=round(reading["confidence"] * 100))
    names = {
        device["id"]: f"{device.get('local') or ''}{device.get('name') or ''}" for device in session.home["devices"]
    }
    for finding in findings:
        query, status = finding["query"], finding.get("status", "")
        action = " ".join(filter(None, (query["action"], query.get("value"), query.get("when"))))
        devices = "、".join(names.get(one, one) for one in finding.get("ids", ()))
        if status == "found" and devices:
            yield why["found"].format(action=action, devices=devices)
        else:
            yield why["failed"].format(action=action, status=words["statuses"].get(status, status))
