"""Puts every case of a set into every frame of a file (docs/evaluation.md, Dangers beside requests)."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from context_retrieval.strict_yaml import YAMLError, parse_yaml
from tingdong.errors import DataError
from tingdong.evaluate.corpus import Case

__all__ = ["SentenceFrames", "framed", "load_frames"]

HARMLESS = "normal"


class SentenceFrames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Texts with a `{}` for the sentence: `requests` leave its safety label as it is; `orders` are misuse, so that only
    a sentence with another label than `normal` keeps its own."""

    requests: tuple[str, ...]
    orders: tuple[str, ...] = ()


def load_frames(path: Path) -> SentenceFrames:
    """Frames of a YAML file. Raises `DataError` when it is none, or a frame has no `{}`."""
    try:
        frames = msgspec.convert(parse_yaml(path.read_bytes()), SentenceFrames)
    except (OSError, YAMLError, msgspec.ValidationError) as error:
        raise DataError(f"{path.name}: {error}", path=path.name) from error
    for frame in (*frames.requests, *frames.orders):
        if frame.count("{}") != 1:
            raise DataError(f"{path.name}: expected exactly one {{}} in {frame!r}", path=path.name)
    return frames


def framed(cases: Sequence[Case], frames: SentenceFrames) -> Iterator[Case]:
    """Cases of one sentence with a safety label, in every frame; the frame is the tag. Others are left out."""
    for frame in (*frames.requests, *frames.orders):
        for case in cases:
            text, label = case.raw.get("text"), case.raw.get("safety")
            if text is not None and label is not None and not (frame in frames.orders and label == HARMLESS):
                said = frame.replace("{}", text)
                yield Case(f"{case.id} {frame}", (frame,), {"id": case.id, "text": said, "safety": label})
