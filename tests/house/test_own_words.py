"""Words of one's own without Python: a folder of YAML, validated, in every entry (docs/own-words.md)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from context_retrieval.lexicon import Lexicon
from context_retrieval.own_words import OwnWordsError, read_words

HOMES = Path(__file__).parents[1] / "corpus" / "homes"


def _run(code: str, *, words: Path | None = None) -> str:
    given = {**os.environ, **({} if words is None else {"TINGDONG_WORDS": str(words)})}
    done = subprocess.run([sys.executable, "-c", code], env=given, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "house.yaml").write_text("words:\n  大灯笼: 顶灯\n  聚义厅: 客厅\n", "utf-8")
    (tmp_path / "brand.yaml").write_text("words: {冷风机: 空调}\n", "utf-8")
    return tmp_path


def test_an_own_word_is_what_the_known_one_is(folder: Path) -> None:
    """A name, a whole kind and a room; in commands and in a home, where the thing is called by the known word."""
    code = f"""
import tingdong
assert tingdong.use_words({str(folder)!r}) == 3
for text in ("打开大灯笼", "冷风机都关掉", "聚义厅的灯打开"):
    print(*tingdong.parse(text).commands)
home = tingdong.Home.load({str(HOMES / "sample8.json")!r}, local="卧室")
print(*((one.id, one.state) for one in home.say("聚义厅的冷风机打开").instructs))
"""
    assert _run(code).splitlines() == [
        "打开-*-大灯笼#Light#one",
        "关闭-*-*#AirConditioner#all",
        "打开-聚义厅-*#Light#all",
        "('dev-6', {'power': True})",
    ]


def test_the_command_line_takes_them_from_the_environment(folder: Path) -> None:
    """`TINGDONG_WORDS` is the setting `words`; `doctor` tells of them."""
    code = "import sys; from tingdong.cli.app import main; main(sys.argv[1:] or ['parse', '冷风机调到26度'])"
    assert "设置温度=26C-*-*#AirConditioner#all" in _run(code, words=folder)
    assert "own words" in _run(code.replace("sys.argv[1:] or ['parse', '冷风机调到26度']", "['doctor']"), words=folder)


def test_words_come_before_what_is_read() -> None:
    """Words that come too late are refused: a sentence never means one thing first and another one later."""
    code = "import tingdong; tingdong.parse('开灯'); tingdong.use_words('x.yaml')"
    assert "DataError" in _run(code)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("words: {冷风机: 会飞的毯子}", "冷风机: 会飞"),
        ("words: {电视: 空调}", "电视: means"),
        ("words: {冷风机: 空调, 冷风机: 电扇}", "duplicate key"),
        ("words: {一二三四五六七八九十一二三四五六七: 空调}", "16 characters"),
        ("words: {冷风机: [空调]}", "house.yaml"),
        ("word: {冷风机: 空调}", "house.yaml"),
        ("words: {}", "no file with words"),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, text: str, told: str) -> None:
    """A mistake names the file or the word; nothing is taken."""
    (tmp_path / "house.yaml").write_text(text, "utf-8")
    with pytest.raises(OwnWordsError, match=told):
        Lexicon.load().with_words(read_words(tmp_path))
