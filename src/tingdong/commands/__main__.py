"""Compiles the vetoes after an edit of `data/vetoes.yaml`: `python -m tingdong.commands` (or `make vocabulary`)."""

from pathlib import Path

from tingdong.commands.vetoes import compiled, load_vetoes

if __name__ == "__main__":
    (Path(__file__).parent / "data" / "vetoes.json").write_bytes(compiled(load_vetoes()))
