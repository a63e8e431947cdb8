"""Every data file is read by a strict loader, and loads (style: "Vocabulary is data with a validator")."""

import json
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
KINDS = (".yaml", ".json", ".txt", ".csv", ".npz", ".bin", ".tsv")

PROBE = """
import importlib, inspect, json, pkgutil, sys
import context_retrieval, tingdong, zhtext

opened = set()
sys.addaudithook(lambda event, arguments: opened.add(str(arguments[0])) if event == "open" else None)
for root in (zhtext, context_retrieval, tingdong):
    for info in pkgutil.walk_packages(root.__path__, f"{root.__name__}."):
        if info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        for value in list(vars(module).values()):
            if hasattr(value, "cache_info") and value.__module__ == module.__name__:
                if not inspect.signature(value).parameters:
                    value()

from datetime import UTC, datetime

from tingdong.bootstrap import hospital_desk
from tingdong.front_desk.model import IntentContext

hospital_desk().router.read(IntentContext(), "头痛想挂号", now=datetime.now(UTC))
print(json.dumps(sorted(opened)))
"""


def test_every_data_file_is_read_by_a_loader_that_accepts_it() -> None:
    """Every cached loader, and a turn at the packaged desk, together open every data file; none is refused."""
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    opened = {Path(path).resolve() for path in json.loads(done.stdout)}
    files = {path for path in SOURCE.rglob("data/**/*") if path.suffix in KINDS and "build" not in path.parts}
    assert {str(path.relative_to(SOURCE)) for path in files if path.resolve() not in opened} == set()
