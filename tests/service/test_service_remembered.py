"""Readings that are kept are those that would be made (architecture, A reading is a value)."""

from context_retrieval.models import DeviceType
from tingdong.commands import LocalParser
from tingdong.commands.reading import NameTable, Reading
from tingdong.service.remembered import LONGEST, Remembered, RememberingReader


class _Counting:
    def __init__(self) -> None:
        self.texts: list[str] = []
        self._parser = LocalParser()

    def read(self, text: str, names: NameTable | None = None) -> Reading:
        self.texts.append(text)
        return self._parser.read(text, names)


def test_a_sentence_is_read_once_for_each_home() -> None:
    """Same sentence, same names: the same reading; other names, equal or not, are read with."""
    parser = _Counting()
    reader = RememberingReader(parser)
    homes = [NameTable(names={"小夜灯": DeviceType.LIGHT}), NameTable(names={"小夜灯": DeviceType.LIGHT}), None]
    for _ in range(3):
        for names in homes:
            assert reader.read("打开小夜灯", names) == LocalParser().read("打开小夜灯", names)
    assert len(parser.texts) == 3


def test_the_memory_is_bounded() -> None:
    """The least recently used goes first; long texts are not kept at all."""
    parser = _Counting()
    reader = RememberingReader(parser, Remembered(capacity=2))
    for text in ("开灯", "关灯", "开灯", "开窗", "开灯", "关灯"):
        reader.read(text)
    assert parser.texts == ["开灯", "关灯", "开窗", "关灯"]
    for _ in range(2):
        reader.read("开灯" * LONGEST)
    assert len(parser.texts) == 6
