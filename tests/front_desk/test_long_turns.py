"""Long turns: work linear in the length, answers bounded, and what was not read is said (hospital.md, Per turn,
Ops)."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tingdong.front_desk import domain as domains
from tingdong.front_desk.atoms import MOST
from tingdong.front_desk.classify import ClassDecision, Classifier

from .conftest import Talk

LIMITS = domains.default().limits
UNITS = [
    "挂号",
    "儿科",
    "李四医生",
    "不挂",
    "布洛芬能吃吗，",
    "头痛",
    "明天",
    "停车怎么收费还有",
    "张三医生的号",
    "啊",
    "先不挂号了，",
]


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Characters classified, which is where the time of a turn goes."""
    lengths: list[int] = []
    classify = Classifier.classify

    def watched(self: Classifier, text: str, mask: int) -> ClassDecision:
        lengths.append(len(text))
        return classify(self, text, mask)

    with monkeypatch.context() as patched:
        patched.setattr(Classifier, "classify", watched)
        yield lengths


@pytest.mark.parametrize("unit", UNITS)
def test_work_grows_with_the_length_and_not_with_its_square(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, unit: str
) -> None:
    """A text of 1,200 characters is not classified more than the double of two of 600, and some."""
    work = {}
    for length in (600, 1_200):
        with counted(monkeypatch) as lengths:
            talk((unit * length)[:length])
        work[length] = sum(lengths)
    assert work[1_200] <= 2.5 * work[600] + 2_000


@pytest.mark.parametrize("unit", UNITS)
def test_answers_are_bounded(talk: Talk, unit: str) -> None:
    """hospital.md, Per turn: segments and their relations have a number; a longer turn gets no longer answer."""
    (turn,) = talk(unit * (3_000 // len(unit)))
    assert len(turn["segments"]) <= LIMITS.segments
    assert len(turn["relations"]) <= LIMITS.segments * (LIMITS.segments + 1) // 2
    assert len(json.dumps(turn, ensure_ascii=False)) < 60_000


@pytest.mark.parametrize(("text", "reason"), [("儿科" * 500, "tasks"), ("啊" * 3_000 + "停车怎么收费", "characters")])
def test_unread_text_is_reported(talk: Talk, text: str, reason: str) -> None:
    """hospital.md, Segments: no words are lost in silence: from where on, by which words, and why."""
    (turn,) = talk(text)
    unread = turn["unread"]
    assert reason in unread["reason"]
    assert (text[unread["start"] :][: len(unread["words"])], unread["end"]) == (unread["words"], len(text))
    assert unread["words"] in turn["reply"]
    assert "unread" not in talk("停车怎么收费")[0]


@pytest.mark.parametrize("rest", ["", "。", "……！？", " \n", "\u200b", "\ud800", "😀", "。" * 3_000])
def test_leftover_punctuation_is_not_unread_text(talk: Talk, rest: str) -> None:
    """hospital.md, Segments: signs say nothing, so that nobody said too much by them; a word behind them is told."""
    whole = "。".join(["嗯嗯"] * MOST)
    assert "unread" not in talk(whole + rest)[0]
    assert "unread" in talk(whole + rest + "。停车")[0]


@pytest.mark.parametrize(
    "beside", ["我儿哪里他那医保，", "医保那他，", "我女儿哪里，他那医保，", "我妈在哪，她那医保呢，"]
)
def test_a_task_without_an_agent_behind_one_with_an_agent_is_served(talk: Talk, beside: str) -> None:
    """A task that the reading is unsure of takes nobody who was spoken of before it, and fails nothing."""
    for behind in ("然后能不能郭帆医生，的号到了没", "能不能郭帆医生，的号到了没", "那医生的，号到了没有"):
        (turn,) = talk(beside + behind)
        assert turn["segments"]


def test_a_lone_surrogate_changes_nothing(talk: Talk) -> None:
    """Laws: reading never raises; what cannot be written as UTF-8 is in no answer."""
    plain, broken = talk("挂骨科")[0], talk("挂\ud800骨科\udfff")[0]
    assert [op["target"] for op in broken["intent_ops"]] == [op["target"] for op in plain["intent_ops"]]
    assert json.dumps(broken, ensure_ascii=False).encode()


def test_danger_is_read_to_the_end(talk: Talk) -> None:
    """hospital.md, Safety: a red flag behind all that is read as tasks is a red flag."""
    (turn,) = talk("停车怎么收费，" * 400 + "我爸突然晕倒了叫不醒")
    assert [op["op"] for op in turn["intent_ops"]] == ["block"]
