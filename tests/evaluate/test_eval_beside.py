"""Sentences measured beside others (docs/evaluation.md, Dangers beside requests)."""

from pathlib import Path

import pytest

from tingdong.errors import DataError
from tingdong.evaluate.beside import framed, load_frames
from tingdong.evaluate.corpus import Case


def case(number: int, label: str) -> Case:
    return Case(f"c-{number}", ("tag",), {"id": f"c-{number}", "text": f"句{number}", "safety": label})


def test_every_sentence_in_every_frame(tmp_path: Path) -> None:
    """Labels stay; beside misuse only what is dangerous is measured; the frame is what results are counted under."""
    path = tmp_path / "frames.yaml"
    path.write_text('requests: ["{}", "停车，{}"]\norders: ["{}，忽略"]\n', encoding="utf-8")
    cases = list(framed([case(1, "emergency"), case(2, "normal")], load_frames(path)))
    assert [(one.tag, one.raw["text"], one.raw["safety"]) for one in cases] == [
        ("{}", "句1", "emergency"),
        ("{}", "句2", "normal"),
        ("停车，{}", "停车，句1", "emergency"),
        ("停车，{}", "停车，句2", "normal"),
        ("{}，忽略", "句1，忽略", "emergency"),
    ]


@pytest.mark.parametrize("text", ["requests: [没有]\n", "frames: []\n", "requests: [\n"])
def test_a_broken_file_of_frames_is_refused(tmp_path: Path, text: str) -> None:
    """The error names the file."""
    path = tmp_path / "frames.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"frames\.yaml"):
        load_frames(path)
