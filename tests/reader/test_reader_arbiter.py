"""The arbiter's laws: what either of the two found to hold a request back is never lost (commands.md, ACTION)."""

from collections.abc import Sequence

import msgspec
import pytest

from context_retrieval.models import Command
from context_retrieval.protocol import decode
from tingdong.commands import LocalParser
from tingdong.commands.preparing import Prepared
from tingdong.commands.reading import MentionKind, NameTable, Verdict
from tingdong.reader.arbiter import AGREED, DIFFERED, ArbiterModel, BothReadings, Source, choose
from tingdong.reader.guess import Guess
from tingdong.reader.learned import shipped
from tingdong.reader.together import TogetherReader

LIGHTS = "打开-*-*#Light#all"


def commands(*texts: str) -> tuple[Command, ...]:
    return decode('["' + '","'.join(texts) + '"]').commands if texts else ()


def model(*, rules: float, guess: float) -> ArbiterModel:
    """An arbiter that gives each side this logit, whatever the facts."""
    flat = dict.fromkeys(DIFFERED, 0.0)
    return ArbiterModel(
        0.5,
        0.99,
        0.99,
        0.6,
        0.6,
        dict.fromkeys(AGREED, 0.0) | {"bias": 9.0},
        flat | {"bias": rules},
        flat | {"bias": guess},
    )


def evidence(text: str, guess: Sequence[Command]) -> BothReadings:
    reading, shown, _ = LocalParser().draft(text)
    acts = any(mention.kind is MentionKind.ACTION for mention in reading.mentions)
    return BothReadings(reading, Guess(tuple(guess), -0.1, 0.9, -0.2), -3.0, acts=acts, shown=shown)


@pytest.mark.parametrize(
    ("text", "guess"),
    [
        ("十分钟后打开灯", (LIGHTS,)),
        ("客厅温度超过28度就打开灯", (LIGHTS,)),
        ("灯都打开，厨房的别开", (LIGHTS,)),
        ("除了台灯都打开", ("打开-*-*#Unknown#all",)),
        ("打开书房的灯", (LIGHTS,)),
    ],
)
def test_a_reading_that_lost_a_condition_or_the_rooms_is_not_accepted(text: str, guess: tuple[str, ...]) -> None:
    """Law 2 of the architecture: the network is as sure as can be, and still the bare command is not lawful."""
    found = evidence(text, commands(*guess))
    assert found.reading.commands
    assert not choose(found, model(rules=-9, guess=9)).lawful


@pytest.mark.parametrize(("score", "source"), [(-0.1, Source.GUESS), (-1.5, Source.RULES)])
def test_a_room_is_not_lost_to_a_doubtful_reading(score: float, source: Source) -> None:
    """Nothing acts in more rooms than were said because of a reading that the network itself doubts."""
    found = evidence("关掉主卧次卧的灯", commands("关闭-主卧-*#Light#all"))
    found = msgspec.structs.replace(found, guess=msgspec.structs.replace(found.guess, score=score))
    choice = choose(found, model(rules=-9, guess=9))
    assert (choice.source, choice.lawful) == (source, source is Source.RULES)


@pytest.mark.parametrize(
    ("text", "guess"),
    [
        ("把门插上", "打开-*-门#Unknown#one"),
        ("退出影院模式", "执行-*-影院模式#Unknown#one"),
        ("开灯", "关闭-*-*#Light#all"),
    ],
)
def test_the_network_never_reverses_an_action(text: str, guess: str) -> None:
    """What the rules end is not begun because the network says so, nor the reverse (architecture, law 2)."""
    found = evidence(text, commands(guess))
    choice = choose(found, model(rules=-9, guess=9))
    assert found.reading.commands
    assert (choice.commands, choice.lawful) == (found.reading.commands, False)


@pytest.mark.parametrize(
    ("text", "guess"),
    [
        ("空调退出睡眠模式，调到26度", ("设置模式=睡眠-*-*#AirConditioner#all", "设置温度=26C-*-*#AirConditioner#all")),
        ("空调睡眠模式关掉", ("设置模式=睡眠-*-*#AirConditioner#all",)),
    ],
)
def test_leaving_a_mode_is_not_read_as_starting_it(text: str, guess: tuple[str, ...]) -> None:
    """A device's mode that the sentence ends is not begun because the network says so (commands.md, ACTION:
    设置模式)."""
    found = evidence(text, commands(*guess))
    choice = choose(found, model(rules=-9, guess=9))
    assert (choice.commands, choice.lawful) == (found.reading.commands, False)


@pytest.mark.parametrize(
    ("text", "guess"),
    [
        ("打开除卧室，书房以外的灯", "打开-*,!卧室-*#Light#except"),
        ("关闭客厅，卧室的灯", "关闭-客厅-*#Light#all"),
        ("打开卧室的那个灯", "打开-卧室-*#Light#all"),
    ],
)
def test_the_network_does_not_undo_what_the_sentence_shows(text: str, guess: str) -> None:
    """Law 1: a guess that falls under a veto never stands in place of the rules' commands, however sure it is."""
    reading, shown, _ = LocalParser().draft(text)
    found = BothReadings(reading, Guess(commands(guess), -0.01, 0.99, -0.02), -3.0, shown=shown)
    assert choose(found, model(rules=-9, guess=9)).commands == reading.commands


def test_a_substitute_for_a_vetoed_reading_is_never_accepted() -> None:
    """Laws 1 and 2: where the rules lose what is shown, a guess that keeps it is given; one that does not is not."""
    reading, shown, _ = LocalParser().draft("音箱音量要放最大")
    assert shown.veto(reading.commands) is not None
    kept, lost = commands("设置音量=最大-*-*#NetworkAudio#all"), commands("打开-*-*#NetworkAudio#all")
    for guess, given in ((kept, kept), (lost, ())):
        found = BothReadings(reading, Guess(guess, -0.01, 0.99, -0.02), -3.0, shown=shown)
        choice = choose(found, model(rules=9, guess=-9))
        assert (choice.commands, choice.lawful) == (given, False)


def test_a_condition_that_the_network_found_holds_for_the_rules_too() -> None:
    """A time that only the network found keeps the rules' bare command from being accepted."""
    found = evidence("打开灯", commands("打开@10分钟后-*-*#Light#all"))
    choice = choose(found, model(rules=9, guess=-9))
    assert (choice.source, choice.lawful) == (Source.RULES, False)


@pytest.mark.parametrize("text", ["别开灯", "等天黑了再开灯", "打开灯，算了不用了", "播放周杰伦的歌"])
def test_a_refusal_stands_whatever_the_network_says(text: str) -> None:
    """commands.md: what is refused, put off, taken back or for another service gives no command."""
    choice = choose(evidence(text, commands(LIGHTS)), model(rules=-9, guess=9))
    assert choice.commands == ()


def test_a_fragment_is_no_request() -> None:
    """客厅的 answers a question in a dialogue; the network may not make a request of it."""
    said = msgspec.structs.replace(evidence("客厅的", commands(LIGHTS)), at_home=True)
    assert choose(said, model(rules=-9, guess=9)).commands == ()


@pytest.mark.parametrize(("guess", "given"), [(1.0, ()), (3.0, commands(LIGHTS))])
def test_a_reading_of_the_network_alone_is_never_accepted(guess: float, given: tuple[Command, ...]) -> None:
    """Nothing is acted on that the rules alone did not read; the network has to be all but certain to say it."""
    unheard = evidence("天气不错", commands(LIGHTS))
    assert unheard.reading.commands == ()
    found = msgspec.structs.replace(unheard, acts=False)
    choice = choose(found, msgspec.structs.replace(model(rules=-9, guess=guess), make=0.9))
    assert (choice.commands, choice.lawful) == (given, not given)


@pytest.mark.parametrize(("at_home", "given"), [(False, ()), (True, commands(LIGHTS))])
def test_a_dialogue_may_ask_less_of_the_network(at_home: bool, given: tuple[Command, ...]) -> None:
    """A dialogue judges by itself what is merely told, so a request that only the network reads needs less there."""
    said = msgspec.structs.replace(evidence("打开天气不错", commands(LIGHTS)), acts=True, at_home=at_home)
    silent = msgspec.structs.replace(said, reading=msgspec.structs.replace(said.reading, commands=(), reason=""))
    weights = msgspec.structs.replace(model(rules=-9, guess=1.0), make=0.9, make_at_home=0.7)
    choice = choose(silent, weights)
    assert (choice.commands, choice.lawful) == (given, not given)


def test_the_network_dismisses_nothing_in_a_dialogue() -> None:
    """What the rules read stays for the dialogue, which knows what was said before; it is only no longer sure."""
    alone = evidence("打开灯", ())
    assert choose(alone, model(rules=-9, guess=9)).commands == ()
    said = choose(msgspec.structs.replace(alone, at_home=True), model(rules=-9, guess=9))
    assert (said.commands, said.lawful) == (commands(LIGHTS), False)


def test_commands_that_the_network_denies_are_not_accepted() -> None:
    """Where the network finds nothing asked and the rules do, the commands are not accepted."""
    choice = choose(evidence("打开灯", ()), model(rules=9, guess=-9))
    assert choice.commands == commands(LIGHTS)
    assert not choice.lawful


class Unasked:
    """A network that must not be asked."""

    def before(self, said: Prepared) -> None:
        raise AssertionError(f"asked about {said.text}")


def test_sure_rules_never_touch_the_network() -> None:
    """A sentence above `sure` costs what the rules cost (docs/reader.md)."""
    sure = model(rules=0, guess=0)
    plain = LocalParser().read("打开客厅的灯")
    reader = TogetherReader(LocalParser(), Unasked(), ArbiterModel(  # type: ignore[arg-type]
        0.5, plain.confidence, 0.99, 0.6, 0.6, sure.agreed, sure.rules, sure.guess))  # fmt: skip
    assert reader.read("打开客厅的灯") == plain
    assert reader.asked == 0
    with pytest.raises(AssertionError, match="asked"):
        reader.read("那个啥客厅的小玩意儿你看着整一下呗")


def test_an_improbable_reading_is_not_given() -> None:
    """Never acting wrongly: commands with a chance below `least` are no answer, but a dialogue at home gets them."""
    never = msgspec.structs.replace(model(rules=-9, guess=-9), sure=2.0, sure_at_home=2.0, least=0.2)
    never = msgspec.structs.replace(never, agreed=dict.fromkeys(AGREED, 0.0) | {"bias": -9.0})
    reader = TogetherReader(LocalParser(), shipped(), never)
    alone = reader.read("打开客厅的灯")
    assert (alone.commands, alone.verdict, alone.reason) == ((), Verdict.ABSTAIN, "unsure")
    assert reader.read("打开客厅的灯", NameTable({}, frozenset({"客厅"}))).commands


def test_agreement_is_accepted_with_the_tier_of_the_rules() -> None:
    """Where both read the same, the reading is the rules' own, only surer."""
    choice = choose(evidence("打开灯", commands(LIGHTS)), model(rules=0, guess=0))
    assert (choice.source, choice.commands, choice.lawful) == (Source.BOTH, commands(LIGHTS), True)
    assert choice.probability > 0.9
