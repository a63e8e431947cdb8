"""Compiles the guards after an edit of `data/guards.yaml`: `python -m tingdong.hearing` (or `make vocabulary`)."""

from pathlib import Path

from tingdong.hearing.guards import compiled, load_guards

if __name__ == "__main__":
    (Path(__file__).parent / "data" / "guards.json").write_bytes(compiled(load_guards()))
