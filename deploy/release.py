"""Wheel and sdist, built twice and compared, tried in a clean environment: `make dist`; `--sbom` for `make sbom`.

What is built is the last commit, with its time as `SOURCE_DATE_EPOCH`, so that the same commit gives the same bytes.
`dist/` gets both files with their `SHA256SUMS`; the bill of materials lists what the wheel with its server installs.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
PACKAGES = ("tingdong", "context_retrieval", "zhtext")
TRIED = "import json, tingdong.client, tingdong.bridges.converting, context_retrieval.pipeline, zhtext.numerals"


def main() -> int:
    """0 when both builds are the same and the wheel works where nothing else is installed."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        tree, epoch = committed(place / "tree")
        first, second = (build(tree, place / name, epoch) for name in ("first", "second"))
        if first != second:
            sys.stderr.write(f"the builds differ:\n{first}\n{second}\n")
            return 1
        (wheel,) = (place / "first").glob("*.whl")
        (sdist,) = (place / "first").glob("*.tar.gz")
        if faults := [*wheel_faults(wheel, tree), *sdist_faults(sdist)]:
            sys.stderr.write("\n".join(faults) + "\n")
            return 1
        keep(place / "first", first)
        return try_out(DIST / wheel.name, place / "clean", sbom="--sbom" in sys.argv[1:])


def committed(target: Path) -> tuple[Path, str]:
    """The last commit's files in `target` and its time; this folder as it is where git does not know it."""
    told = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    if told.returncode:
        return ROOT, os.environ.get("SOURCE_DATE_EPOCH", "1700000000")
    target.mkdir()
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", str(target)], input=archive.stdout, check=True)
    return target, told.stdout.strip()


def build(tree: Path, target: Path, epoch: str, *kinds: str) -> dict[str, str]:
    """Builds `tree` into `target`: `wheel`, `sdist`, or both; the files with their hashes."""
    chosen = [part for kind in kinds for part in ("-t", kind)]
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(target), *chosen]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": epoch}
    subprocess.run(command, cwd=tree, env=environment, check=True, capture_output=True)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(target.iterdir())}


def wheel_faults(wheel: Path, tree: Path) -> list[str]:
    """What a wheel must hold: the three packages, each typed, all of their data; and nothing of anybody else."""
    names = set(zipfile.ZipFile(wheel).namelist())
    kinds = (".py", ".yaml", ".json", ".md", ".txt", ".tsv", ".bin", ".js", ".css", ".html", ".svg", ".typed")
    here = {
        path.relative_to(tree / "src").as_posix()
        for package in PACKAGES
        for path in (tree / "src" / package).rglob("*")
        if path.suffix in kinds and "__pycache__" not in path.parts
    }
    missing = [f"the wheel lacks {name}" for name in sorted(here - names)]
    untyped = [f"{package} is not typed" for package in PACKAGES if f"{package}/py.typed" not in names]
    foreign = {name.split("/")[0] for name in names} - {*PACKAGES}
    return missing + untyped + [f"the wheel holds {name}" for name in foreign if not name.endswith(".dist-info")]


def sdist_faults(sdist: Path) -> list[str]:
    """What a source archive must hold to be built and tested."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = ("pyproject.toml", "LICENSE", "README.md", "Makefile", "constraints.txt", "tests/test_smoke.py")
    return [f"the sdist lacks {name}" for name in wanted if name not in names]


def keep(source: Path, hashes: dict[str, str]) -> None:
    """The files and their sums into `dist/`."""
    shutil.rmtree(DIST, ignore_errors=True)
    shutil.copytree(source, DIST)
    sums = "".join(f"{digest}  {name}\n" for name, digest in hashes.items())
    (DIST / "SHA256SUMS").write_text(sums, encoding="utf-8")
    sys.stdout.write(sums)


def try_out(wheel: Path, place: Path, *, sbom: bool) -> int:
    """Installs the wheel with its server where nothing else is, and lets it understand a sentence."""
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    constraints = ["-c", str(ROOT / "constraints.txt")]
    subprocess.run([*install, *constraints, f"{wheel}[server]"], check=True)
    subprocess.run([str(python), "-c", TRIED], cwd=place, check=True)
    said = subprocess.run(
        [str(place / "bin" / "tingdong"), "parse", "打开卧室顶灯调到50%"],
        cwd=place,
        capture_output=True,
        text=True,
        check=True,
    )
    sys.stdout.write(said.stdout)
    if sbom:
        tool = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", "--of", "JSON"]
        subprocess.run([*tool, "-o", str(DIST / "sbom.cdx.json"), str(python)], check=True)
        sys.stdout.write(f"{DIST.name}/sbom.cdx.json\n")
    return 0 if "设置亮度=50%" in said.stdout else 1


if __name__ == "__main__":
    raise SystemExit(main())
