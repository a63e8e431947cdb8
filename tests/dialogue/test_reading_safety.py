"""What takes a red flag back, and what does not (seed 003; hospital.md, "Safety")."""

from datetime import datetime
from pathlib import Path

import pytest

from tingdong.dialogue import directory, domain
from tingdong.dialogue.model import IntentContext, SafetyLabel
from tingdong.dialogue.read import Reader, default_reader
from tingdong.errors import DataError

CORPUS = Path(__file__).parents[1] / "corpus"
NOW = datetime.fromisoformat("2026-11-23T09:30:00+08:00")


@pytest.fixture(scope="module")
def reader() -> Reader:
    return default_reader(directory.load(CORPUS / "hospital_directory.yaml"))


def label(reader: Reader, text: str) -> SafetyLabel:
    return reader.read(IntentContext(), text, now=NOW).safety.label


SIGNS = ["呼吸困难", "昏迷", "大出血", "中风", "抽搐"]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(
    "frame",
    [
        "没有{}，就是有点累",
        "不是{}，是没睡好",
        "{}？没有没有",
        "我爸去年{}过，现在来复查",
        "{}有哪些前兆",
        "万一{}了该怎么办，先了解一下",
        "听说有人{}，是真的吗",
        "电视剧里那个人{}了，演得真像",
        "{}的住院费医保能报吗",
        "{}早就治好了，来开个证明",
    ],
)
def test_a_frame_takes_a_sign_back(reader: Reader, frame: str, sign: str) -> None:
    """Denied, past, asked in general, supposed, told of others, over: no emergency."""
    assert label(reader, frame.format(sign)) is SafetyLabel.NORMAL


@pytest.mark.parametrize("sign", ["呼吸困难", "昏迷了", "大出血", "中风了", "在抽搐"])
@pytest.mark.parametrize("frame", ["我爸突然{}", "快来人，这里有人{}", "孩子现在{}，怎么办"])
def test_now_is_an_emergency_whoever_it_is(reader: Reader, frame: str, sign: str) -> None:
    """Recall comes first: a sign of now counts in the third person and beside a question."""
    assert label(reader, frame.format(sign)) is SafetyLabel.EMERGENCY


def test_what_was_before_excuses_nothing_that_is_now(reader: Reader) -> None:
    """A past in one clause does not take back the sign of another."""
    assert label(reader, "我妈三年前中过风") is SafetyLabel.NORMAL
    assert label(reader, "我妈三年前中过风，刚才又说不出话，半边身子动不了") is SafetyLabel.EMERGENCY


@pytest.mark.parametrize("flag", ["我不想活了", "我爸大口吐血", "孩子叫不醒了"])
@pytest.mark.parametrize("turn", ["{}，顺便问停车场在哪", "停车场在哪，{}", "{}，另外我还想问一下医保报销怎么走流程"])
def test_a_flag_beside_a_request(reader: Reader, turn: str, flag: str) -> None:
    """Several wishes in one breath: what else is asked takes nothing back (safety stands outside everything)."""
    assert label(reader, turn.format(flag)) in {SafetyLabel.EMERGENCY, SafetyLabel.SELF_HARM}


def test_a_frame_of_an_unknown_signal_is_refused() -> None:
    """A domain file says its mistakes with file and key."""
    raw = domain.DEFAULT_DOMAIN.read_bytes().replace(b"signals: [fr_general]", b"signals: [fr_nothing]")
    with pytest.raises(DataError, match=r"safety\.frames\.general"):
        domain.parse(raw)
