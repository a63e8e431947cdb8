"""What the package needs is there. First by its name: a bare machine is told so in one line, not test by test."""

import os
import re
import sys
import tomllib
import unittest
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).parents[1]


def missing() -> list[str]:
    """Requirements of the base install that are not installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lacking = []
    for requirement in project["dependencies"]:
        try:
            version(re.match(r"[\w.-]+", requirement)[0])
        except PackageNotFoundError:
            lacking.append(requirement)
    return lacking


if missing():
    said = f"not installed: {', '.join(missing())}; install the package first: {sys.executable} -m pip install -e ."
    os.write(2, f"{said}\n".encode())
    os._exit(1)  # unittest catches every exception of a module and would go on


class DependenciesTest(unittest.TestCase):
    def test_the_base_install_is_whole(self):
        """retrieval.md: the tests of `context_retrieval` need the package's own requirements and nothing else."""
        self.assertEqual(missing(), [])
