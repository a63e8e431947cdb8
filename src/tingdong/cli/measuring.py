"""`tingdong eval`: connects each kind of set to its scorer."""

import contextlib
import json
import socket
import subprocess
import sys
import time
from asyncio import Runner
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from context_retrieval.models import Role
from tingdong.errors import BackendError, DataError
from tingdong.evaluate.runner import Figures, Score

__all__ = ["scorer"]

START_SECONDS = 30.0
"""How long a server may take to listen."""

MakeScorer = Callable[[], tuple[Score, Figures]]
Homes = Callable[[str], Mapping[str, Any]]


def scorer(kind: str, folder: Path) -> AbstractContextManager[MakeScorer]:
    """A maker of fresh scorers for one kind of set; what had to be started for it ends with the context.

    `folder` holds the sets; homes lie in its `homes/`, the hospital's directory in `hospital_directory.yaml`
    (without that file: the demo hospital's).
    """
    makers: Mapping[str, Callable[[Path], AbstractContextManager[MakeScorer]]]
    makers = {"commands": _commands, "retrieval": _retrieval, "service": _service, "hospital": _hospital}
    return makers[kind](folder)


@contextmanager
def _commands(_: Path) -> Iterator[MakeScorer]:
    from tingdong.evaluate.commands import CommandScorer
    from tingdong.reader import all_readers

    reads = {name: reader.read for name, reader in all_readers().items()}

    def make() -> tuple[Score, Figures]:
        fresh = CommandScorer(reads)
        return fresh.score, fresh.figures

    yield make


@contextmanager
def _retrieval(folder: Path) -> Iterator[MakeScorer]:
    from tingdong.cli.retrieving import HomeFile
    from tingdong.evaluate.retrieval import RetrievalScorer, Selection

    homes = cache(lambda name: HomeFile(folder / "homes" / f"{name}.json"))

    def retrieve(home: str, text: str, *, location: str | None, before: Sequence[str]) -> Selection:
        found = homes(home).retrieve(text, location=location, before=before)
        ids = {role: tuple(one.entity_id for one in found.candidates if one.role == role) for role in Role}
        return Selection(ids[Role.TARGET], ids[Role.CONDITION], found.hint is not None)

    def make() -> tuple[Score, Figures]:
        fresh = RetrievalScorer(retrieve)
        return fresh.score, fresh.figures

    yield make


@contextmanager
def _service(folder: Path) -> Iterator[MakeScorer]:
    """Through a real socket, against a server process started for this run."""
    from tingdong.client import Client
    from tingdong.evaluate.service import AskedTurn, ServiceReply, ServiceScorer

    with _server() as url, Runner() as runner:
        client = Client(url, attempts=3)

        def ask(asked: AskedTurn) -> ServiceReply:
            reply = runner.run(
                client.ask(
                    asked.question,
                    page_id=asked.page_id,
                    home=asked.home,
                    local=asked.local,
                    instruct=asked.instruct,
                    alternatives=asked.alternatives,
                    now=asked.now,
                )
            )
            told = None if reply.token is None else reply.token["payload"]["data"]["token"]["type"]
            return ServiceReply(reply.ret, reply.kind, reply.text, reply.instructs, reply.scheduled, told)

        def make() -> tuple[Score, Figures]:
            fresh = ServiceScorer(ask, _homes(folder))
            return fresh.score, fresh.figures

        yield make
        runner.run(client.close())


@contextmanager
def _hospital(folder: Path) -> Iterator[MakeScorer]:
    from tingdong.cli.routing import RoutingDesk
    from tingdong.evaluate.hospital import HospitalScorer

    beside = folder / "hospital_directory.yaml"
    desk = RoutingDesk(beside if beside.exists() else None)

    def make() -> tuple[Score, Figures]:
        fresh = HospitalScorer(desk.route)
        return fresh.score, fresh.figures

    yield make


@contextmanager
def _server() -> Iterator[str]:
    """The address of a server process of ours on a free port of this machine; it ends with the context.

    Raises `BackendError` with what the server said when it does not come up.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "tingdong", "serve", "--host", "127.0.0.1", "--port", str(port)]
    with TemporaryFile() as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            _await_listening(process, port, log)
            yield f"ws://127.0.0.1:{port}"
        finally:
            process.terminate()


def _await_listening(process: "subprocess.Popen[bytes]", port: int, log: IO[bytes]) -> None:
    until = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < until:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    log.seek(0)
    raise BackendError("the server did not start:\n" + log.read().decode(errors="replace"))


def _homes(folder: Path) -> Homes:
    """Home objects by their name in a set."""
    known: dict[str, Mapping[str, Any]] = {}

    def home(name: str) -> Mapping[str, Any]:
        if name not in known:
            path = folder / "homes" / f"{name}.json"
            try:
                known[name] = json.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                raise DataError(f"{path}: {error}") from error
        return known[name]

    return home
