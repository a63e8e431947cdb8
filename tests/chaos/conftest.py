"""Real processes for the tests of faults: replicas, nginx with the shipped configuration, and a TCP proxy that stalls
or cuts."""

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
HOME = json.loads((ROOT / "tests" / "corpus" / "homes" / "sample8.json").read_text("utf-8"))


class Wire:
    """A TCP proxy to `port`. `stalled` holds back what servers say, so that what was asked happens unheard."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.listening = 0
        self.peak = 0
        self._open = 0
        self._passing = 0
        self.flowing = asyncio.Event()
        self.flowing.set()
        self.held = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def stall(self, *, after: int = 0) -> None:
        """Holds answers back, once `after` more of them have passed; `held` says that one is waiting."""
        self._passing = after
        self.held.clear()
        self.flowing.clear()

    def flow(self) -> None:
        self.flowing.set()

    def cut(self) -> None:
        """Breaks every connection that is open."""
        for writer in self._writers:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open += 1
        self.peak = max(self.peak, self._open)
        try:
            there, away = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, away}
        for source, sink, gated in ((reader, away, False), (there, writer, True)):
            task = asyncio.create_task(self._pump(source, sink, gated))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, gated: bool) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await source.read(65_536):
                if gated and not self.flowing.is_set():
                    self._passing -= 1
                    if self._passing < 0:
                        self.held.set()
                        await self.flowing.wait()
                sink.write(data)
                await sink.drain()
        self._open -= not gated  # the client is done
        sink.close()

    def stop(self) -> None:
        self.flowing.set()
        self.cut()
        for task in self._tasks:
            task.cancel()


@pytest.fixture
async def wire_to() -> AsyncIterator[Callable[[int], Any]]:
    """Starts proxies."""
    started: list[tuple[Wire, asyncio.Server]] = []

    async def start(port: int) -> Wire:
        wire = Wire(port)
        server = await asyncio.start_server(wire.serve, "127.0.0.1", 0)
        wire.listening = server.sockets[0].getsockname()[1]
        started.append((wire, server))
        return wire

    yield start
    for wire, server in started:
        server.close()
        wire.stop()


class Replica:
    """A server process, as `tingdong serve` starts it. Settings go by the environment."""

    def __init__(self, process: subprocess.Popen[bytes], port: int = 0) -> None:
        self.process = process
        self.port = port
        self.log: list[dict[str, Any]] = []
        self._said = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def wait_for(self, event: str, count: int = 1) -> None:
        """Waits until the log has said it so often."""
        with self._said:
            enough = self._said.wait_for(lambda: sum(line["event"] == event for line in self.log) >= count, 60)
        assert enough, self.log

    def _read(self) -> None:
        if self.process.stderr is None:
            return
        for line in self.process.stderr:
            with self._said:
                self.log.append(json.loads(line) if line.startswith(b"{") else {"event": line.decode()})
                self._said.notify_all()

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stderr is not None:
            self.process.stderr.close()

    def hang_up(self) -> None:
        self.process.send_signal(signal.SIGHUP)

    def stop(self) -> int:
        """SIGTERM, and the status it ends with."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)


@pytest.fixture
def replica(free_port: Callable[[], int]) -> Iterator[Callable[..., Replica]]:
    """Starts replicas that listen when this returns; all of them end with the test."""
    started: list[Replica] = []

    def start(*, settings_file: Path | None = None, stderr: int | None = None, **settings: str) -> Replica:
        port = free_port() if stderr is not None else 0  # whose log is read says which port it took
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TINGDONG_")}
        environment |= {f"TINGDONG_{name.upper()}": value for name, value in settings.items()}
        command = [sys.executable, "-m", "tingdong", "serve", "--port", str(port)]
        command += ["--settings", str(settings_file)] if settings_file else []
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE if stderr is None else stderr, env=environment
        )
        started.append(Replica(process, port))
        if stderr is None:
            started[-1].wait_for("listening")
            started[-1].port = next(line["port"] for line in started[-1].log if line["event"] == "listening")
        else:
            _wait_for(port, process)
        return started[-1]

    yield start
    for one in started:
        one.kill()


def _wait_for(port: int, process: subprocess.Popen[Any]) -> None:
    while process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.05):
            return
    pytest.fail("a process ended before it listened")


@pytest.fixture
def nginx(
    tmp_path: Path, free_port: Callable[[], int], binary: Callable[[str], str]
) -> Iterator[Callable[[list[Replica]], str]]:
    """Starts nginx with `deploy/nginx.conf` before these replicas; the URL it listens on."""
    started: list[subprocess.Popen[bytes]] = []

    def start(replicas: list[Replica]) -> str:
        port = free_port()
        text = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
        servers = "\n".join(f"server 127.0.0.1:{one.port} max_fails=1 fail_timeout=2s;" for one in replicas)
        text = re.sub(r"( +server tingdong-\d:8765 [^\n]*\n)+", servers + "\n", text)
        text = text.replace("listen 8080", f"listen 127.0.0.1:{port}")
        scratch = "".join(f"{kind}_temp_path {tmp_path}/{kind};\n" for kind in ("proxy", "fastcgi", "uwsgi", "scgi"))
        text = text.replace("http {", f"http {{\n{scratch}client_body_temp_path {tmp_path}/body;\n")
        (tmp_path / "nginx.conf").write_text(f"daemon off;\npid {tmp_path}/nginx.pid;\n{text}", "utf-8")
        command = [binary("nginx"), "-p", str(tmp_path), "-e", "stderr", "-c", str(tmp_path / "nginx.conf")]
        started.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
        _wait_for(port, started[-1])
        return f"ws://127.0.0.1:{port}"

    yield start
    for process in started:
        process.terminate()
        process.wait()


@pytest.fixture
def home() -> dict[str, Any]:
    """The sample home of service.md, Request frame, a fresh copy."""
    return dict(json.loads(json.dumps(HOME)))
