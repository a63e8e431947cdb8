"""Whether the public surface says all of its types: `make types` (pyright; mypy checks all the rest, strictly).

The two packages that others embed are complete. `tingdong` has its share in `LEAST`, which may only rise.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
"""pyright looks for packages beside the first `python` of the path."""

LEAST = {"zhtext": 1.0, "context_retrieval": 1.0, "tingdong": 0.97}


def main() -> int:
    """0 when every package says at least its share."""
    short = 0
    for package, least in LEAST.items():
        command = [sys.executable, "-m", "pyright", "--verifytypes", package, "--ignoreexternal", "--outputjson"]
        told = subprocess.run(command, env=HERE, capture_output=True, text=True, check=False)
        share = json.loads(told.stdout)["typeCompleteness"]["completenessScore"]
        short += share < least
        sys.stdout.write(f"{package}: {share:.1%} of its public symbols have a known type (at least {least:.0%})\n")
    return 1 if short else 0


if __name__ == "__main__":
    raise SystemExit(main())
