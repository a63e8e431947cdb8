"""What several folders start: a Redis, and `tingdong serve`, each a real process on a port of its own."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from tingdong import bootstrap
from tingdong.cli import main
from tingdong.cli.threads import limit_threads

TESTS = Path(__file__).parent

limit_threads(os.environ)

# How long an example takes says how busy the machine is: no deadline. A test that passed for somebody passes for
# everybody: examples are the same in every run, and `make properties` looks for new ones.
settings.register_profile("search", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("whole", settings.get_profile("search"), max_examples=200, derandomize=True)
settings.register_profile("quick", settings.get_profile("whole"), max_examples=20)

SLOW = (
    "browser/",
    "chaos/",
    "packaging/",
    "bridges/test_bridges_javascript.py",
    "cli/test_cli_ray.py",
    "commands/test_taken_corpus.py::test_no_more_of_a_set_fail_than_recorded",
    "commands/test_taken_corpus.py::test_no_more_sentences_without_a_request_become_commands_than_recorded",
    "home_dialogue/test_power_words.py::test_no_verb_switches_on_a_kind_it_does_not_fit",
    "house/test_house_data.py",
    "house/test_house_effects.py",
    "llm/test_llama_server.py",
    "retrieval/test_retrieval_onnx.py",
    "service/test_service_conversation.py::test_a_conversation_survives_its_server",
)
"""What `make test` leaves to `make test-all`: folders, files and tests below `tests/`."""

TOKEN = "only-for-those-who-know"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: left to `make test-all`; the list stands in tests/conftest.py")
    settings.load_profile(config.option.hypothesis_profile or ("quick" if _quick(config) else "whole"))


def _quick(config: pytest.Config) -> bool:
    return bool(config.option.markexpr == "not slow")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What would not run is not imported."""
    place = collection_path.relative_to(TESTS).as_posix()
    return True if _quick(config) and f"{place}/".startswith(tuple(f"{slow.rstrip('/')}/" for slow in SLOW)) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.removeprefix(f"{TESTS.name}/").startswith(SLOW):
            item.add_marker("slow")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _binary(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed (Debian package of that name, see .ci/run)")
    return found


class RedisServer:
    """A Redis that can be stopped and started again on its port; `arguments` are options of redis-server."""

    def __init__(self, *arguments: str) -> None:
        self.port = _free_port()
        self._arguments = arguments
        self._process: subprocess.Popen[str] | None = None
        self._started = False

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Starts it, on another port where this one was taken or leaves none for a cluster (10,000 above it)."""
        for _ in range(1 if self._started else 10):
            if self._runs():
                self._started = True
                return
            self.port = _free_port()
        pytest.fail("redis-server did not start")

    def _runs(self) -> bool:
        command = [_binary("redis-server"), "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        process = subprocess.Popen([*command, *self._arguments], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for line in process.stdout:
            if "Ready to accept connections" in line:
                self._process = process
                return True
        process.wait()
        process.stdout.close()
        return False

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


@pytest.fixture(scope="session", autouse=True)
def _one_desk() -> Iterator[None]:
    """Services of this process share a hospital desk for each pair of files: loading one costs more than most tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap, "hospital_desk", cache(bootstrap.hospital_desk))
        yield


@pytest.fixture
def free_port() -> Callable[[], int]:
    """A port that nobody listens on, each time it is called."""
    return _free_port


@pytest.fixture
def binary() -> Callable[[str], str]:
    """Where a program lies; the test is skipped where it is not installed."""
    return _binary


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    server = RedisServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A Redis that stays for all tests."""
    server = RedisServer()
    server.start()
    yield server.url
    server.stop()


@pytest.fixture
def redis_cluster(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis in cluster mode that holds every slot."""
    server = RedisServer("--cluster-enabled", "yes", "--dir", str(tmp_path))
    server.start()
    client = [_binary("redis-cli"), "-p", str(server.port)]
    subprocess.run([*client, "cluster", "addslotsrange", "0", "16383"], check=True, capture_output=True)
    while b"cluster_state:ok" not in subprocess.check_output([*client, "cluster", "info"]):
        pass
    yield server
    server.stop()


class Done(NamedTuple):
    """What a command left behind."""

    status: int
    written: bytes
    err: str

    @property
    def out(self) -> str:
        return self.written.decode()


@pytest.fixture
def tingdong(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Runs `tingdong ARGUMENTS` in this process, with this on standard input: the parser is loaded once."""

    def run(*arguments: str, given: str | bytes = b"") -> Done:
        sent = given.encode() if isinstance(given, str) else given
        streams = {"stdin": BytesIO(sent), "stdout": BytesIO(), "stderr": BytesIO()}
        with monkeypatch.context() as patch:
            for name, stream in streams.items():
                patch.setattr(sys, name, TextIOWrapper(stream, "utf-8", write_through=True))
            with pytest.raises(SystemExit) as ended:
                main(arguments)
            written, said = streams["stdout"].getvalue(), streams["stderr"].getvalue().decode()
        return Done(int(ended.value.code or 0), written, said)

    return run


class Service:
    """A `tingdong serve` process on a port of its own; it can be killed and started again on the same port."""

    def __init__(self, *entry: str, **settings: str) -> None:
        self.port = 0
        self.entry = entry or ("serve", "--host", "127.0.0.1")
        self.environment = {**os.environ, **settings}
        self.process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def stream(self) -> str:
        return f"ws://127.0.0.1:{self.port}/agent/smarthome-gpt/llm/stream"

    def start(self) -> "Service":
        command = [sys.executable, "-m", "tingdong", *self.entry, "--port", str(self.port)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=self.environment)
        assert self.process.stderr is not None
        log = []
        for line in self.process.stderr:
            if '"listening"' in line:
                self.port = json.loads(line)["port"]
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return self
            log.append(line)
        self.process.wait()
        self.process.stderr.close()
        pytest.fail("the server did not start:\n" + "".join(log))

    def stop(self, how: int = signal.SIGTERM) -> None:
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    running = Service().start()
    yield running
    running.stop()


@pytest.fixture
def own_service() -> Iterator[Service]:
    """A server that a test may kill."""
    running = Service().start()
    yield running
    running.stop()


@pytest.fixture
def start_service() -> Iterator[Callable[..., Service]]:
    """Starts servers with arguments and settings of their own, and stops them."""
    running: list[Service] = []

    def start(*entry: str, **settings: str) -> Service:
        running.append(Service(*entry, **settings).start())
        return running[-1]

    yield start
    for one in running:
        one.stop()


@pytest.fixture
def locked_service(start_service: Callable[..., Service]) -> Service:
    """A server that asks for a token."""
    return start_service(TINGDONG_BEARER_TOKEN=TOKEN)
