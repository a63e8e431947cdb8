"""The ONNX embedder with a tiny real model: a table of 16 numbers for each of 49 pieces (retrieval.md)."""

from pathlib import Path

import numpy as np
import pytest

from context_retrieval.capability import Capability
from context_retrieval.models import DeviceCommand
from context_retrieval.onnx_embedder import OnnxEmbedder, Pooling, WordPieces

HERE = Path(__file__).parent
MODEL, VOCABULARY = HERE / "tiny_embedder.onnx", HERE / "tiny_embedder_vocab.txt"


def embedder() -> OnnxEmbedder:
    pytest.importorskip("onnxruntime", reason="needs the extra onnx")
    return OnnxEmbedder(MODEL, VOCABULARY, pooling=Pooling.MEAN)


def test_pieces() -> None:
    """One piece a Chinese character, the longest known pieces of Latin words, [UNK] for the rest, cut at the limit."""
    pieces = WordPieces(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "灯", "led", "##s", "1"])
    assert pieces.ids("LEDs灯1", 10) == [2, 5, 6, 4, 7, 3]
    assert pieces.ids("魑 xyz", 10) == [2, 1, 1, 3]
    assert pieces.ids("灯" * 50, 5) == [2, 4, 4, 4, 3]
    assert pieces.ids("", 5) == [2, 3]


def test_vocabulary_is_checked() -> None:
    """A vocabulary without the marks is refused and says which."""
    with pytest.raises(ValueError, match=r"\[CLS\]"):
        WordPieces(["[PAD]", "[UNK]", "[SEP]"])


def test_rows_do_not_depend_on_their_neighbours() -> None:
    """Padding says nothing: a text has one vector, alone or beside a longer one, of length 1."""
    model = embedder()
    together = model.embed(["打开", "打开设备调亮度"])
    np.testing.assert_allclose(together[:1], model.embed(["打开"]), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1.0, rtol=1e-5)
    assert model.embed([]).shape == (0, 0)


def test_capability_through_the_model() -> None:
    """The port carries: shared characters lead to the right command."""
    commands = (DeviceCommand("on", "打开设备"), DeviceCommand("off", "关闭设备"), DeviceCommand("level", "调亮度"))
    capability = Capability(embedder(), threshold=0.1)
    assert capability.fitting("打开", commands)[0][0] == "on"
    assert capability.fitting("调高亮度", commands)[0][0] == "level"
