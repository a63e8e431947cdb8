"""A real `tingdong serve` for the bridges that talk to one."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def served_port() -> Iterator[int]:
    """The port of a server that stays for all tests."""
    command = [sys.executable, "-m", "tingdong", "serve", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        told = []
        for line in process.stderr:
            told.append(line)
            if '"listening"' in line:
                break
        else:
            pytest.fail("the server did not start:\n" + "".join(told))
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield json.loads(told[-1])["port"]
        process.terminate()
