"""Copies what the integration carries of TingDong: the tables and their interpreter. `--check` only compares.

An integration must stand alone in `custom_components`; the copy is made here and nowhere else.
"""

import filecmp
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "tingdong" / "bridges" / "platforms"
TARGET = Path(__file__).parent / "custom_components" / "tingdong" / "platforms"
CARRIED = ("__init__.py", "home_assistant.py", "table.py", "translate.py", "values.py", "data/home_assistant.yaml")


def main() -> int:
    """1 when `--check` finds a difference."""
    stale = [name for name in CARRIED if not _same(name)]
    if "--check" in sys.argv[1:]:
        sys.stdout.write("".join(f"stale: {name}\n" for name in stale))
        return 1 if stale else 0
    for name in stale:
        (TARGET / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(SOURCE / name, TARGET / name)
    return 0


def _same(name: str) -> bool:
    return (TARGET / name).is_file() and filecmp.cmp(SOURCE / name, TARGET / name, shallow=False)


if __name__ == "__main__":
    raise SystemExit(main())
