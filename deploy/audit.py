"""Asks the advisory database about every pinned package (`make audit`, and the end of `make check`).

Exit status 1 and a table where a known weakness is found. Where the database cannot be reached, or does not know a
package, nothing is claimed: the line says how many were really looked at, and the status is 0.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

PINS = Path(__file__).resolve().parents[1] / "constraints.txt"
SECONDS = 120


def main() -> int:
    """Audit the pins; print what was found."""
    command = [sys.executable, "-m", "pip_audit", "--no-deps", "--disable-pip", "--progress-spinner", "off"]
    command += ["--timeout", "5", "--format", "json", "--requirement", str(PINS)]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False).stdout
        packages: list[dict[str, Any]] = json.loads(answer)["dependencies"]
    except (ValueError, KeyError, subprocess.TimeoutExpired):
        sys.stdout.write("audit: no answer of the advisory database; nothing was looked at\n")
        return 0
    weak = [(package, weakness) for package in packages for weakness in package.get("vulns", ())]
    for package, weakness in weak:
        fixed = ", ".join(weakness.get("fix_versions", ())) or "no release yet"
        sys.stdout.write(f"audit: {package['name']} {package['version']}: {weakness['id']}, fixed in {fixed}\n")
    known = sum("vulns" in package for package in packages)
    sys.stdout.write(f"audit: {known} of {len(packages)} pinned packages looked at, {len(weak)} known weaknesses\n")
    return 1 if weak else 0


if __name__ == "__main__":
    sys.exit(main())
