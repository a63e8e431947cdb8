"""One table of kinds for spotting, retrieval, the home and protection (retrieval.md, Devices; service.md, Home)."""

from copy import deepcopy
from typing import Any

import pytest

from context_retrieval.kind_table import build_table, kind_table, misplaced
from context_retrieval.lexicon import default_lexicon
from context_retrieval.protection import protection_table
from tingdong.home.kinds import infer_kind
from tingdong.home.vocabulary import kinds

BASE: dict[str, Any] = {
    "prefixes": [],
    "endings": [],
    "attributes": {},
    "commands": {},
    "kinds": {
        "lamp": {"type": "Light", "words": ["灯"], "home": {"level": "brightness", "nouns": ["灯管"]}},
        "desk_lamp": {"like": "lamp", "words": ["台灯"]},
        "valve": {"words": ["水阀"], "home": {"level": "opening"}},
    },
}


def _with(row: str, **fields: Any) -> dict[str, Any]:
    data = deepcopy(BASE)
    data["kinds"].setdefault(row, {}).update(fields)
    return data


def test_a_finer_kind_is_what_its_root_is() -> None:
    """Type, class, protection and what a home knows are said once."""
    table = kind_table().kinds
    assert (table["desk_lamp"].type, table["desk_lamp"].family, table["desk_lamp"].root) == ("Light", "light", "lamp")
    assert "台灯" in kinds()["lamp"].nouns
    assert table["camera"].apart
    assert not kinds()["security"].bulk


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (_with("valve", words=["水阀", "灯"]), "valve: '灯' is already a word of lamp"),
        (_with("valve", home={"level": "opening", "nouns": ["灯管"]}), "'灯管' is already a noun of lamp"),
        (_with("valve", home={"level": "opening", "nouns": ["台灯"]}), "nouns: '台灯' is a word of desk_lamp"),
        (_with("valve", home={"level": "opening", "first": ["水阀"]}), "first: '水阀' is a word of no other kind"),
        (_with("desk_lamp", like="nothing"), "like: 'nothing' names no row"),
        (_with("desk_lamp", type="Fan"), "desk_lamp: type and home cannot be set beside like: lamp"),
        (_with("empty", type="Fan"), "empty: words are missing"),
        (_with("harp", word=["竖琴"]), "kinds.harp: Object contains unknown field `word`"),
        (_with("harp", words="竖琴"), "kinds.harp: Expected `array`, got `str`"),
    ],
)
def test_a_word_in_two_kinds_is_refused(data: dict[str, Any], fault: str) -> None:
    """Unless the row says that it goes first, a word has one kind; the fault names file, row and word."""
    with pytest.raises(ValueError, match=r"k\.yaml: kinds"):
        build_table(data, "k.yaml")
    with pytest.raises(ValueError, match=fault.replace("'", ".")):
        build_table(data, "k.yaml")


def test_a_word_has_one_class_for_spotting_and_kinds() -> None:
    """What types.yaml and kinds.yaml both know is of one class, or its row declares which goes first."""
    lexicon = default_lexicon()
    of_word, classes = lexicon.kind_of_word, lexicon.kinds
    assert misplaced(kind_table(), of_word, classes) == []
    assert misplaced(kind_table(), lambda word: "gate" if word == "台灯" else of_word(word), classes) == [
        "kinds.yaml: kinds.desk_lamp: 台灯 is of gate in types.yaml (where both are meant: seen_as: {gate: [台灯]})"
    ]
    table = build_table(_with("harp", words=["竖琴"], family="strings"), "k.yaml")
    (fault,) = (fault for fault in misplaced(table, of_word, classes) if "harp" in fault)
    assert fault == "kinds.yaml: kinds.harp: family: strings is no class of types.yaml"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("毛巾架", "towel_rail"),
        ("马桶", "toilet"),
        ("香薰机", "humidifier"),
        ("鱼缸泵", "aquarium"),
        ("循环泵", "pump"),
        ("煤气阀机械手", "gas"),
        ("微波炉", "kitchen"),
        ("电磁炉", "oven"),
        ("燃气报警器", "alarm_sensor"),
        ("吸氧机", "medical"),
        ("水质检测仪", "air_sensor"),
    ],
)
def test_where_tables_disagreed_one_row_says(name: str, kind: str) -> None:
    """A towel rail is no toilet and no room heater; what keeps an aquarium alive is the aquarium in a home."""
    assert infer_kind(name, "", "").key == kind


def test_words_of_protected_kinds_protect() -> None:
    """The reason stands in a row of kinds.yaml, its words nowhere else (service.md, Protected and risky)."""
    protected = {row.protection.key: row.words for row in protection_table()}
    for kind in kind_table().kinds.values():
        if kind.protected:
            assert all(protected[kind.protected].search(f"{word.lower()} | {word.lower()} ") for word in kind.words)
