"""The front desk reads a turn as it was probably said, and judges danger by every wording of it (hospital.md,
Class)."""

import json
import random
from pathlib import Path

import pytest
from bench.noise import garbled

from tingdong.bootstrap import hospital_desk
from tingdong.front_desk.advance import advance
from tingdong.front_desk.directory import load
from tingdong.front_desk.flags import URGENCY
from tingdong.front_desk.hearing import DeskListener
from tingdong.front_desk.model import IntentContext
from tingdong.front_desk.read import DeskReader, default_reader
from tingdong.hearing import Heard, Hearer, HearingRepair, KnownSpans, Names

from .conftest import NOW, Talk

CORPUS = Path(__file__).parents[1] / "corpus"
_tier = hospital_desk().router.tier
assert isinstance(_tier, DeskReader)
READER = _tier


def _told(path: str) -> list[str]:
    rows = (json.loads(line) for line in (CORPUS / path).read_text("utf-8").splitlines())
    return [row["text"] for row in rows]


class _Soothing(Hearer):
    """Hears every danger as something harmless."""

    def is_usual(self, text: str, names: Names) -> bool:
        return False

    def hear(self, text: str, names: Names = Names(), known: KnownSpans = KnownSpans()) -> Heard:  # noqa: B008
        return Heard(text, "停车多少钱", (HearingRepair(0, len(text), text, "停车多少钱", 9.0),))


@pytest.mark.parametrize("text", ["我喘不上气，嘴唇发紫", "我爸突然半边身子动不了，话也说不清"])
def test_a_repair_takes_no_danger_back(text: str) -> None:
    """hospital.md, "Safety": whatever is understood, what was heard is judged too, and the worst wins."""
    listener = DeskListener(READER._spotter, _Soothing())
    safety = READER._safety
    listened = listener.listen(text)
    assert listened.spots.text == "停车多少钱"
    assert safety.worst([listened.spots]).label == "normal"
    assert safety.worst(listened.wordings) == safety.worst([READER._spotter.spot(text)])
    assert safety.worst(listened.wordings).label != "normal"


def test_garbled_danger_is_never_less_than_what_was_heard() -> None:
    """The label of a turn is the most urgent of its wordings."""
    rng = random.Random(18)
    for text in rng.sample(_told("hospital_redflags_train.jsonl"), 60):
        said = garbled(text, rng)
        heard = READER._safety.worst([READER._spotter.spot(said)])
        read = READER.read(IntentContext(), said, now=NOW)
        assert URGENCY[read.safety.label] <= URGENCY[heard.label], said


def test_places_are_those_of_the_text_that_was_sent() -> None:
    """hospital.md, Frames: a segment is a stretch of the user's own words, whatever was understood by them."""
    rng, put_right = random.Random(3), 0
    for text in rng.sample(_told("hospital_train.jsonl"), 60):
        said = garbled(text, rng, 2)
        read = READER.read(IntentContext(), said, now=NOW)
        put_right += read.heard is not None and bool(read.heard.changes)
        for segment in read.segments:
            assert said[segment.start : segment.end] == segment.text
            for mention in segment.mentions:
                assert said[mention.start : mention.end] == mention.text
    assert put_right > 20


def test_a_turn_reports_the_corrected_text(talk: Talk) -> None:
    """hospital.md, "Turn as JSON": a repair is told with its place; nothing is told where nothing was repaired."""
    garbled_turn, plain = talk("挂小化内科的号，明天"), talk("挂消化内科的号，明天")
    heard = garbled_turn[0]["heard"]
    assert heard["understood"] == "挂消化内科的号，明天"
    (change,) = heard["changes"]
    assert (change["start"], change["end"], change["heard"], change["understood"]) == (1, 2, "小", "消")
    assert change["sure"] > 0.9
    assert "heard" not in plain[0]


def test_a_name_is_corrected_only_to_names_of_the_directory(talk: Talk) -> None:
    """hospital.md, Class: a name that is not listed stays as it was said, unless it sounds like one that is."""
    listener = READER._listener
    for text in ("改挂司马光医生", "挂李嘉诚医生", "挂汪主任的号"):
        assert listener.listen(text).spots.text == text
    assert talk("挂李思医生的号")[0]["segments"][0]["slots"]["doctor"] == "李四"


@pytest.mark.parametrize("text", ["挂沈内科", "我想挂沈内科", "预约沈内科明天上午", "帮我挂个沈内科的号"])
def test_one_of_two_near_departments_is_asked_for(text: str) -> None:
    """hospital.md, Class: which of two names that sound as near was said is not taken in silence; the answer is."""
    reader, context, turns = default_reader(load(CORPUS / "hospital_directory.yaml")), IntentContext(), []
    for said in (text, "神经内科"):
        turns.append(advance(context, reader.read(context, said, now=NOW), now=NOW, domain=reader.domain))
        context = turns[-1].context
    assert "神经内科" in turns[0].reply
    assert "肾内科" in turns[0].reply
    assert all("department" not in frame.slots for frame in turns[0].context.frames)
    assert [frame.slots.get("department") for frame in context.frames] == ["神经内科"]


def test_a_name_is_filled_in_or_asked_for_and_never_both() -> None:
    """What is asked for is in no slot of the turn, whatever was garbled."""
    rng, asked = random.Random(7), 0
    names = [entry.name for entry in READER.directory.places]
    for name in names * 3:
        read = READER.read(IntentContext(), "挂" + garbled(name + "的号", rng), now=NOW)
        values = {value for segment in read.segments for value in segment.slots.values()}
        asked += bool(read.either)
        assert values.isdisjoint(read.either)
    assert asked
