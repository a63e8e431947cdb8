"""What a reader of the history meets: subjects of one line (CONTRIBUTING.md)."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SINCE = "b258cf5"
LONGEST = 72
LANDED = {"Docstrings of retrieval, the parser and the learned reader in plain words"}
"""One character too long, and built upon before anybody counted; no other one is let through."""


def test_subjects_are_short() -> None:
    """A commit's subject has at most 72 characters; why it was made stands in its body."""
    asked = ["git", "log", "--no-merges", "--format=%s", f"{SINCE}..HEAD"]
    try:
        done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("no git on this machine")
    if done.returncode != 0:
        pytest.skip("no history here")
    assert {subject for subject in done.stdout.splitlines() if len(subject) > LONGEST} <= LANDED
