"""Words of one's own without Python: a folder of YAML, validated, in every entry (docs/own-words.md)."""

import os
import re
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
    (tmp_path / "brand.yml").write_text("words: {冷风机: 空调}\n", "utf-8")
    return tmp_path


def test_an_own_word_means_what_the_known_one_means(folder: Path) -> None:
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


def test_an_own_word_finds_a_device_by_its_name(tmp_path: Path) -> None:
    """A thing whose name is the known word answers to the own one, also where no kind has that word."""
    (tmp_path / "house.yaml").write_text("words: {火龙: 炕, 西屋: 西厢房}", "utf-8")
    code = f"""
import tingdong
tingdong.use_words({str(tmp_path)!r})
model = {{"m": {{"name": "m", "describe": "", "property": {{"power": {{"type": "bool"}}}}}}}}
device = {{"id": "d1", "name": "炕", "local": "西厢房", "device": {{"model": "m", "state": {{"power": False}}}}}}
home = tingdong.Home.load({{"layout": ["西厢房", "堂屋"], "model": model, "devices": [device]}}, local="堂屋")
for text in ("打开火龙", "火龙开着吗", "西屋的火龙关了吧"):
    print(home.say(text).text)
"""
    assert _run(code).splitlines() == ["正在打开西厢房炕。", "是的，西厢房炕开着。", "正在关闭西厢房炕。"]


def test_the_command_line_takes_them_from_the_environment(folder: Path) -> None:
    """`TINGDONG_WORDS` is the setting `words`; `doctor` tells of them."""
    code = "import sys; from tingdong.cli.app import main; main(sys.argv[1:] or ['parse', '冷风机调到26度'])"
    assert "设置温度=26C-*-*#AirConditioner#all" in _run(code, words=folder)
    assert "own words" in _run(code.replace("sys.argv[1:] or ['parse', '冷风机调到26度']", "['doctor']"), words=folder)


def test_words_must_be_taken_before_the_first_reading() -> None:
    """Words that come too late are refused: a sentence never means one thing first and another one later."""
    code = "import tingdong; tingdong.parse('开灯'); tingdong.use_words('x.yaml')"
    assert "DataError" in _run(code)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("words: {冷风机: 会飞的毯子}", "house.yaml 第1行“冷风机”：“会飞"),
        ("words:\n  大灯笼: 顶灯\n  电视: 空调", "house.yaml 第3行“电视”：已经有别的意思"),
        ("words: {冷风机: 空调, 冷风机: 电扇}", "duplicate key"),
        ("words: {一二三四五六七八九十一二三四五六七: 空调}", "16 个字"),
        ("words: {冷风机: [空调]}", "house.yaml"),
        ("word: {冷风机: 空调}", "house.yaml"),
        ("words: {}", "没有一个文件"),
        ("words:\nwishes:\n", "没有一个文件"),
        ("words: {茶老板: 烧水壶}", "“烧水壶”不是已知的设备或房间（相近的：.*水壶"),
        ("words:\n  冷风机: 空调\n  打开: 空调", "第3行“打开”：是句子里常用的词"),
        ("words: {的: 空调}", "第1行“的”：只有一个字"),
        ("words: {风: 空调}", "第1行“风”：只有一个字"),
        ("words: {三十: 空调}", "第1行“三十”：是数字"),
        ("words: {百分之五十: 顶灯}", "是数字或数量"),
        ("words: {打开灯: 顶灯}", "以动作“打开”开头"),
        ("words: {亮度: 顶灯}", "第1行“亮度”"),
        ("words: {所有: 顶灯}", "第1行“所有”"),
        ("words: {不要: 顶灯}", "第1行“不要”"),
    ],
)
def test_an_unusable_word_is_named(tmp_path: Path, text: str, told: str) -> None:
    """A mistake names file, line and word, in Chinese; verbs, 的, numbers and grammar cannot be taken away."""
    (tmp_path / "house.yaml").write_text(text, "utf-8")
    with pytest.raises(OwnWordsError, match=told):
        Lexicon.load().with_words(read_words(tmp_path))


def test_words_with_a_number_or_a_particle_in_them_are_fine(tmp_path: Path) -> None:
    """一号冷风机 and 爷爷的灯笼 take nothing away: only a word that is one as a whole does."""
    (tmp_path / "house.yaml").write_text("words: {一号冷风机: 空调, 爷爷的灯笼: 顶灯}", "utf-8")
    assert len(Lexicon.load().with_words(read_words(tmp_path)).device_words) > 100


OWN = """words: {冷风机: 空调}
wishes: {我要闭关了: 我要睡觉了, 跟蒸桑拿似的: 热得}
replies: {WiFi密码是多少: 密码是 88888888。, 早餐几点: 早餐七点到十点，在二楼。}
"""


def test_own_wishes_and_replies(tmp_path: Path) -> None:
    """A phrase of one's own is the wish that the known phrase is; what is asked gets the reply, and nothing is done."""
    (tmp_path / "house.yaml").write_text(OWN, "utf-8")
    code = f"""
import tingdong
assert tingdong.use_words({str(tmp_path)!r}) == 5
home = tingdong.Home.load({str(HOMES / "flat25.json")!r}, local="客厅")
for text in ("跟蒸桑拿似的", "WiFi密码是多少？", "早餐几点", "打开电视"):
    turn = home.say(text)
    print(turn.kind, turn.text, len(turn.instructs))
"""
    hot, wifi, breakfast, television = _run(code).splitlines()
    assert hot.startswith("instruct 正在")
    assert wifi == "answer 密码是 88888888。 0"
    assert breakfast == "answer 早餐七点到十点，在二楼。 0"
    assert television.startswith("instruct")


def test_an_unknown_wish_is_named(tmp_path: Path) -> None:
    """`doctor` and `use_words` say which row means no wish that is known."""
    (tmp_path / "house.yaml").write_text("wishes:\n  我要闭关了: 去月球", "utf-8")
    told = _run(f"import tingdong; tingdong.use_words({str(tmp_path)!r})")
    assert "house.yaml 第2行“我要闭关了”：“去月球”不是已知的愿望" in told
    code = "from tingdong.cli.app import main; main(['doctor'])"
    report = _run(code, words=tmp_path)
    assert re.search("FAULT own words .*第2行“我要闭关了”", report)
    assert re.search("ok +commands", report)
