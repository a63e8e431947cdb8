"""Mentions of fragments, slips by sound, and confidence (architecture: "a reading is a value")."""

import pytest

from tingdong.commands import MentionKind, Verdict
from tingdong.commands.confidence import FEATURES, default_model
from tingdong.reader import sentence_reader

PARSER = sentence_reader()
FRAGMENTS = {
    "客厅": [(MentionKind.ROOM, "客厅")],
    "第二个": [(MentionKind.ORDINAL, "2")],
    "最后一个": [(MentionKind.ORDINAL, "-1")],
    "两个都要": [(MentionKind.ALL, "两个都")],
    "卧室的呢": [(MentionKind.ROOM, "卧室")],
    "再亮一点": [(MentionKind.AGAIN, "再"), (MentionKind.ACTION, "调高亮度")],
    "也打开": [(MentionKind.ALSO, "也"), (MentionKind.ACTION, "打开")],
    "换成红色": [(MentionKind.VALUE, "红色")],
    "不对，是书房": [(MentionKind.CORRECTION, "不对"), (MentionKind.CONFIRM, "是"), (MentionKind.ROOM, "书房")],
    "算了": [(MentionKind.CANCEL, "算了")],
    "好的": [(MentionKind.CONFIRM, "好的")],
    "那个": [(MentionKind.REFERENCE, "last")],
    "它们": [(MentionKind.REFERENCE, "these")],
    "十分钟后": [(MentionKind.WHEN, "10分钟后")],
}


@pytest.mark.parametrize(("text", "expected"), FRAGMENTS.items())
def test_fragments_have_mentions(text: str, expected: list[tuple[MentionKind, str]]) -> None:
    """A fragment that makes no command still says what it names (service.md, Dialogue)."""
    found = [(m.kind, m.value) for m in PARSER.read(text).mentions if m.kind is not MentionKind.FILLER]
    assert found == expected


def test_spans_point_into_the_original_text() -> None:
    """Width and script are normalised; spans stay those of what was written."""
    text = "　打開　客廳大燈"
    reading = PARSER.read(text)
    assert [str(command) for command in reading.commands] == ["打开-客厅-大灯#Light#one"]
    assert [text[m.start : m.end] for m in reading.mentions if m.kind is MentionKind.ROOM] == ["客廳"]


SLIPS = {
    "空条除湿": ["设置模式=除湿-*-*#AirConditioner#all"],
    "窗联拉上": ["关闭-*-*#Blind#all"],
    "风善开到三挡": ["设置风速=3档-*-*#Fan#all"],
}


@pytest.mark.parametrize(("text", "commands"), SLIPS.items())
def test_slips_by_sound(text: str, commands: list[str]) -> None:
    """A slip of a recogniser is read where exactly one known word sounds so."""
    assert [str(command) for command in PARSER.read(text).commands] == commands


def test_a_name_is_not_corrected_to_a_similar_word() -> None:
    """A name by its form stays what it is, though a word sounds alike (树屋, 书屋)."""
    assert [str(c) for c in PARSER.read("打开树屋的灯").commands] == ["打开-树屋-*#Light#all"]


def test_confidence_orders_what_is_clear_and_what_is_not() -> None:
    """A plain request is surer than one that leans on guesses; the threshold decides the verdict."""
    model = default_model()
    assert set(model.weights) == set(FEATURES)
    plain, guessed = PARSER.read("打开客厅的灯"), PARSER.read("老王头说那疙瘩整点啥亮起来")
    assert plain.confidence > guessed.confidence
    assert plain.verdict is Verdict.ACCEPT
    assert (guessed.confidence >= model.threshold) == (guessed.verdict is not Verdict.ABSTAIN)
