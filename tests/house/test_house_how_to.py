"""The row that the page for new device types shows works as it is written (docs/add-a-device-type.md).

The Python of the page runs in `test_house_blocks.py`.
"""

import re
from importlib import resources
from pathlib import Path

from context_retrieval.kind_table import build_table, misplaced
from context_retrieval.lexicon import Lexicon, default_lexicon
from context_retrieval.strict_yaml import parse_yaml

PAGE = (Path(__file__).parents[2] / "docs" / "add-a-device-type.md").read_text(encoding="utf-8")


def test_the_row_of_the_page_is_a_kind() -> None:
    """One row makes a kind that is found by its words and knows what it does."""
    (row,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    data = parse_yaml(resources.files("context_retrieval").joinpath("data", "kinds.yaml").read_bytes())
    data["kinds"].update(parse_yaml(row))
    table = build_table(data, "kinds.yaml")
    kind = table.of_ending("书房望远镜")
    assert kind is not None
    assert kind.id == "telescope"
    lexicon = default_lexicon()
    assert misplaced(table, lexicon.kind_of_word, lexicon.kinds) == []


def test_a_word_without_a_known_ending_goes_into_its_class() -> None:
    """Among the `specific` words of its family a word is spotted; without, nothing says that it is one."""
    extra = {"types": {"appliance": {"specific": "望远镜"}}}
    assert default_lexicon().kind_of_name("望远镜") is None
    assert Lexicon.load(extra=[extra]).kind_of_name("天文望远镜") is None
    assert Lexicon.load(extra=[extra]).kind_of_name("望远镜") == "appliance"
