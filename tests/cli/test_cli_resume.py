"""`tingdong parse --jsonl --out`: millions of lines, interrupted and gone on with (docs/cli.md, Long runs)."""

import json
import os
import signal
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from tingdong.cli.lines import Output

SENTENCES = ("打开卧室顶灯", "关闭所有灯", "今天天气不错")


def _lines(count: int, *, broken: int | None = None) -> bytes:
    lines = [json.dumps({"id": number, "text": SENTENCES[number % 3]}).encode() for number in range(count)]
    if broken is not None:
        lines[broken] = b"{broken"
    return b"\n".join(lines) + b"\n"


@pytest.fixture
def run(tingdong: Any) -> Any:
    """`tingdong parse --jsonl` of these lines."""
    return lambda given, *arguments: tingdong("parse", "--jsonl", *arguments, given=given)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("cut", [b"", b'{"id":3,"comm'])
def test_a_run_goes_on_behind_its_last_whole_line(run: Any, tmp_path: Path, jobs: str, cut: bytes) -> None:
    """Whatever was left, half a line included, the file ends as if nothing had happened: nothing lost, none twice."""
    given, out = _lines(40, broken=20), tmp_path / "out.jsonl"
    whole = run(given)
    assert whole.status == 1
    assert b"error" in whole.written.splitlines()[20]
    out.write_bytes(b"".join(whole.written.splitlines(keepends=True)[:3]) + cut)
    resumed = run(given, "--out", str(out), "--resume", "--jobs", jobs, "--progress")
    assert resumed.status == 1
    assert out.read_bytes() == whole.written
    assert "40 lines (3 from before), 1 not readable" in resumed.err
    again = run(given, "--out", str(out), "--resume")
    assert (again.status, out.read_bytes()) == (1, whole.written)


def test_a_killed_run_is_resumed(run: Any, tmp_path: Path) -> None:
    """A process killed while it works leaves whole lines behind, and another one finishes them."""
    given, out = _lines(300), tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "tingdong", "parse", "--jsonl", "--out", str(out)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(_lines(300)[:5_000])
        process.stdin.flush()
        while not out.exists() or not out.stat().st_size:
            assert process.poll() is None
            os.sched_yield()
        process.send_signal(signal.SIGKILL)
    assert 0 < out.read_bytes().count(b"\n") < 300
    assert run(given, "--out", str(out), "--resume").status == 0
    assert out.read_bytes() == run(given).written


def test_an_answer_file_is_never_overwritten_or_continued_by_mistake(run: Any, tmp_path: Path) -> None:
    """A file that exists needs --resume; another input, or a file of something else, is refused and left as it was."""
    out = tmp_path / "out.jsonl"
    assert run(_lines(5), "--out", str(out)).status == 0
    before = out.read_bytes()
    for given, arguments, said in (
        (_lines(5), (), "--resume"),
        (_lines(3), ("--resume",), "fewer lines"),
        (_lines(9).replace(b'"id": 4', b'"id": 40'), ("--resume",), "another file"),
    ):
        refused = run(given, "--out", str(out), *arguments)
        assert (refused.status, out.read_bytes()) == (2, before)
        assert said in refused.err
    out.write_bytes(b"a letter\nto someone\n")
    assert run(_lines(5), "--out", str(out), "--resume").status == 2
    assert out.read_bytes() == b"a letter\nto someone\n"
    out.write_bytes(b"a letter without an end")
    assert run(_lines(5), "--out", str(out), "--resume").status == 2
    assert out.read_bytes() == b"a letter without an end"


def test_unreadable_and_unwritable_files_are_reported(run: Any, tmp_path: Path) -> None:
    """A line nested past all sense costs itself only; a folder that is not there is told in a sentence."""
    told = run(b"[" * 100_000 + b"\n" + _lines(1))
    assert (told.status, told.written.count(b"\n"), told.err) == (1, 2, "")
    told = run(_lines(1), "--out", str(tmp_path / "missing" / "out.jsonl"))
    assert (told.status, "Traceback" in told.err) == (2, False)
    assert run(_lines(1), "--resume").status == 2


def test_progress_is_told_once_a_second(capsys: pytest.CaptureFixture[str]) -> None:
    """Progress goes to standard error, one line a second at the most, with lines, unreadable ones and speed."""
    ticks = iter([0.0, *(number * 0.4 for number in range(1, 30))])
    output = Output(BytesIO(), progress=True, clock=lambda: next(ticks))
    output.write((b"{}", number != 2) for number in range(6))
    told = capsys.readouterr().err.splitlines()
    assert 1 <= len(told) <= 3
    assert told[-1].startswith("6 lines, 1 not readable") or told[-1].split()[0].isdigit()
