"""The command line in this process: the parser is loaded once, and a command costs what it does."""

import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from tingdong.cli import main


class Done(NamedTuple):
    """What a command left behind."""

    status: int
    written: bytes
    err: str

    @property
    def out(self) -> str:
        return self.written.decode()


Run = Callable[..., Done]


@pytest.fixture
def tingdong(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `tingdong ARGUMENTS` with this on standard input."""

    def run(*arguments: str, given: str | bytes = b"") -> Done:
        monkeypatch.setattr(sys, "argv", ["tingdong", *arguments])
        with CliRunner().isolation(input=given) as (out, err, _):
            with pytest.raises(SystemExit) as ended:
                main()
            sys.stdout.flush()
            sys.stderr.flush()
            return Done(int(ended.value.code or 0), out.getvalue(), err.getvalue().decode())

    return run
