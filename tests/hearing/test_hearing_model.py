"""The language model is that of the sentences and the vocabulary of today."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_model_file_matches_its_sources() -> None:
    """`make train-hearing` writes `hearing.bin` and `hearing.sources` anew after an edit of sentences or vocabulary."""
    command = [sys.executable, "-m", "bench.train_hearing", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
