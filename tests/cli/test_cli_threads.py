"""One process uses one core (docs/operations.md): numpy is told so before it wakes a thread a core."""

import subprocess
import sys

import pytest

from tingdong.cli.threads import limit_threads

READ = """
import os
from pathlib import Path
from tingdong.cli.threads import limit_threads
limit_threads(os.environ)
from tingdong.reader import sentence_reader
sentence_reader().read("那个啥客厅的小玩意儿你看着整一下呗")
print(len(list(Path("/proc/self/task").iterdir())))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_the_learned_reader_runs_in_one_thread() -> None:
    """A sentence that touches the networks starts no further thread."""
    done = subprocess.run([sys.executable, "-c", READ], capture_output=True, text=True, check=True)
    assert int(done.stdout) == 1


def test_a_thread_setting_of_the_environment_is_kept() -> None:
    """Whoever gives numpy more threads keeps them."""
    environment = {"OMP_NUM_THREADS": "4"}
    limit_threads(environment)
    assert environment["OMP_NUM_THREADS"] == "4"
    assert environment["OPENBLAS_NUM_THREADS"] == "1"
