"""Vocabulary is data: adding a kind of device, an attribute, a unit or an action edits no code (commands.md)."""

from pathlib import Path

import pytest

from context_retrieval.lexicon import Lexicon, LexiconError, default_lexicon
from context_retrieval.models import DeviceType
from tingdong.commands import LocalParser, NameTable
from tingdong.commands.words import WordTable


def parser(extra: dict[str, object]) -> LocalParser:
    return LocalParser(WordTable.build(Lexicon.load(extra=[extra])))


def read(reader: LocalParser, text: str) -> list[str]:
    return [str(command) for command in reader.read(text).commands]


def test_a_kind_of_device_is_added_by_data() -> None:
    """A new kind with its words, its ending, and what a bare number sets on it."""
    reader = parser(
        {
            "types": {
                "telescope": {
                    "type": "Unknown",
                    "specific": "星特朗",
                    "suffixes": "望远镜",
                    "bare": "倍率",
                    "attributes": "倍率",
                }
            },
            "values": {
                "attributes": {"倍率": {"words": "倍率 放大", "ask": "多少倍", "bare": "times", "units": "number"}},
                "units": {"times": "倍"},
            },
        }
    )
    assert read(reader, "打开阳台的星特朗") == ["打开-阳台-星特朗#Unknown#one"]
    assert read(reader, "折射望远镜倍率调到40") == ["设置倍率=40倍-*-折射望远镜#Unknown#one"]
    assert read(reader, "星特朗多少倍") == ["查询倍率-*-星特朗#Unknown#one"]


def test_an_action_is_added_by_data() -> None:
    """A new verb is known by its words, and may mean another action on some kinds."""
    reader = parser({"actions": {"verbs": {"浇水": {"strong": "浇水 浇个水 灌溉一下"}}}})
    assert read(reader, "阳台的喷淋浇个水") == ["浇水-阳台-喷淋#Unknown#one"]


def test_words_are_added_to_a_word_list() -> None:
    """Joining appends: an added word is one more of its kind."""
    reader = parser({"types": {"light": {"generic": "亮子"}}, "rooms": {"groups": {"客厅": "堂前"}}})
    assert read(reader, "把堂前的亮子关了") == ["关闭-堂前-*#Light#all"]


def test_extra_data_may_be_a_file(tmp_path: Path) -> None:
    """The same from a YAML file."""
    file = tmp_path / "more.yaml"
    file.write_text("types:\n  fan:\n    specific: 飞流扇\n", encoding="utf-8")
    assert Lexicon.load(extra=[file]).type_of_word("飞流扇") is DeviceType.FAN


BROKEN = [
    ({"typos": {}}, "extra: typos"),
    ({"types": {"light": {"colour": "x"}}}, "types.yaml: light"),
    ({"types": {"light": {"bare": "香味"}}}, "types.yaml: light"),
    ({"types": {"fan": {"specific": "顶灯"}}}, "types.yaml"),
    ({"rooms": {"groups": {"书房": "厨房"}}}, "rooms.yaml"),
    ({"values": {"attributes": {"亮度": {"bare": "lumen"}}}}, "values.yaml: attributes: 亮度"),
]


@pytest.mark.parametrize(("extra", "place"), BROKEN, ids=[place for _, place in BROKEN])
def test_broken_data_names_file_and_key(extra: dict[str, object], place: str) -> None:
    """An unknown key, a word given twice or a reference to nothing stops loading and says where."""
    with pytest.raises(LexiconError, match=place):
        Lexicon.load(extra=[extra])


def test_types_of_words_and_names() -> None:
    """commands.md, TYPE: what a word or an ending says; otherwise Unknown."""
    lexicon = default_lexicon()
    assert lexicon.type_of_word("吊扇") is DeviceType.FAN
    assert lexicon.type_of_word("老伙计") is None
    assert lexicon.kind_of_name("小恐龙灯") == "light"
    assert not lexicon.kind_of_name("老伙计")
    assert lexicon.room_group("厕所") == lexicon.room_group("洗手间") == "卫生间"


def test_names_of_the_home_win() -> None:
    """With a home's names known, those win over the lexicon and over form."""
    table = NameTable(
        {"开心果": DeviceType.LIGHT, "关公": DeviceType.FAN}, frozenset({"书香阁"}), frozenset({"静夜思"})
    )
    reader = LocalParser()
    commands = reader.read("打开开心果，把书香阁的关公关了，执行静夜思", table).commands
    assert [str(command) for command in commands] == [
        "打开-*-开心果#Light#one",
        "关闭-书香阁-关公#Fan#one",
        "执行-*-静夜思#Unknown#one",
    ]
