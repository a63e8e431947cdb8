"""What was perhaps said is asked about (architecture, laws: nothing acts on a number that was not heard)."""

import asyncio
from pathlib import Path

import pytest

from tingdong.bootstrap import embedded
from tingdong.home_turn import Turn, TurnRequest, Understander

HOME = (Path(__file__).parents[1] / "corpus" / "homes" / "sample8.json").read_bytes()


def _say(
    desk: Understander, *said: str, offered: tuple[str, ...] = ()
) -> list[tuple[str, str, list[dict[str, object]]]]:
    async def talk() -> list[tuple[str, str, list[dict[str, object]]]]:
        turns = [
            await desk.turn(
                TurnRequest(str(at), "p", text, home=HOME, local="客厅", alternatives=offered if at == 0 else ())
            )
            for at, text in enumerate(said)
        ]
        return [(str(turn.kind), turn.text, [dict(one.state) for one in turn.instructs]) for turn in turns]

    return asyncio.run(talk())


def test_a_doubtful_number_is_confirmed_before_it_is_set() -> None:
    """service.md, Endpoint: a question, then the instruct."""
    asked, done = _say(embedded(), "客厅空调调到二十五五度", "确认")
    assert asked == ("question", "是说“客厅空调调到二十五度”吗？", [])
    assert (done[0], done[2]) == ("instruct", [{"power": True, "level": 25}])


def test_a_no_drops_it() -> None:
    """算了 leaves the home as it is."""
    asked, dropped = _say(embedded(), "客厅空调调到二十五五度", "算了")
    assert (asked[0], asked[2]) == ("question", [])
    assert (dropped[0], dropped[2]) == ("answer", [])


def test_a_silently_corrected_sentence_acts() -> None:
    """One slip, no question."""
    (turn,) = _say(embedded(), "客厅空条调到二十五度")
    assert (turn[0], turn[2]) == ("instruct", [{"power": True, "level": 25}])


EITHER = ("客厅空调调到二十五度", "客厅空调调到二十七度")
GARBLED = "课厅空吊吊到儿十五渡"


@pytest.mark.parametrize(
    ("answer", "level"),
    [
        ("前一个", 25),
        ("第一个", 25),
        ("后一个吧", 27),
        ("第二个", 27),
        ("二十七度", 27),
        ("25度", None),
        (EITHER[1], 27),
    ],
)
def test_which_of_two_was_said_is_asked_and_the_answer_taken(answer: str, level: int | None) -> None:
    """Two that are nearly as probable and would do different things: neither is done before it is said which."""
    asked, done = _say(embedded(), GARBLED, answer, offered=EITHER)
    assert asked == ("question", f"是说“{EITHER[0]}”还是“{EITHER[1]}”？", [])
    if level is not None:
        assert (done[0], done[2][-1]["level"]) == ("instruct", level)


def test_a_yes_to_two_options_chooses_neither() -> None:
    """It is asked once more; a no, or a second yes, leaves the home as it is."""
    _, again, third = _say(embedded(), GARBLED, "对", "对", offered=EITHER)
    assert (again[0], again[1], again[2]) == ("question", f"是说“{EITHER[0]}”还是“{EITHER[1]}”？", [])
    assert third[2] == []
    _, dropped = _say(embedded(), GARBLED, "都不是，算了", offered=EITHER)
    assert dropped[2] == []


def test_a_new_request_replaces_the_open_confirmation() -> None:
    """What is said anew after the question is done, and what was asked about is not."""
    _, other, late = _say(embedded(), GARBLED, "打开客厅灯", "前一个", offered=EITHER)
    assert (other[0], other[2]) == ("instruct", [{"power": True}])
    assert {"level"}.isdisjoint(*late[2]) if late[2] else True


@pytest.mark.parametrize("other", ["小爱，打开客厅灯", "妈，打开客厅灯"])
def test_an_alternative_says_who_is_called(other: str) -> None:
    """A call to somebody else that was garbled is not for us (service.md, Token frame)."""
    (turn,) = _say(embedded(), "肖矮，打凯课厅登", offered=(other,))
    assert (turn[0], turn[2]) == ("none", [])


def test_names_that_sound_alike_are_asked_about() -> None:
    """Of two things whose names are as near to what was heard none is taken: nothing acts on a toss-up."""
    home = HOME.decode().replace("照明灯", "雪莉灯", 1).replace("照明灯", "雪梨灯", 1).encode()

    async def talk() -> Turn:
        return await embedded().turn(TurnRequest("1", "p", "把雪里灯打开", home=home, local="卫生间"))

    turn = asyncio.run(talk())
    assert (turn.kind.value, turn.text) == ("question", "是说“把雪梨灯打开”还是“把雪莉灯打开”？")
    assert turn.instructs == ()
    assert turn.options == ("把雪梨灯打开", "把雪莉灯打开", "算了")


@pytest.mark.parametrize(
    ("said", "garbled"),
    [
        ("再高点，二十七度", "再高点，儿十七度"),
        ("再高点，二十七度", "再羔点，二十七度"),
        ("卧室的也开，二十六度", "卧室的也开，二是六度"),
    ],
)
def test_a_corrected_sentence_is_read_like_any_other(said: str, garbled: str) -> None:
    """At home a repaired sentence does what the plain one does, to the last value."""
    plain, heard = (_say(embedded(), "打开客厅空调调到二十六度", one)[1] for one in (said, garbled))
    assert heard == plain
    assert plain[0] == "instruct"


@pytest.mark.parametrize("said", ["除灯关了", "客厅空调调到最低关看看", "卧室空调调到二十六度关掉看看"])
def test_contradicting_commands_are_not_executed(said: str) -> None:
    """A garbled word that would leave something out, or off, that was just set (laws 1 and 2)."""
    (turn,) = _say(embedded(), said)
    assert all(state.get("power") is not False for state in turn[2])


@pytest.mark.parametrize("said", ["水把灯关上了", "水把窗帘打开了", "出了客厅的灯都关了", "全部灯都给把十"])
def test_a_possible_question_negation_or_other_number_does_nothing(said: str) -> None:
    """What is in doubt and asks for nothing, or for another thing, is asked about (architecture, laws)."""
    asked = _say(embedded(), said)[0]
    assert (asked[0], asked[2]) == ("question", [])


def test_a_name_nearly_said_is_asked_about_where_nothing_else_is_understood() -> None:
    """打开客调光照明灯: one lamp is called 可调光照明灯, and not all of them are taken."""
    asked, done = _say(embedded(), "打开客调光照明灯", "后一个")
    assert asked[1] == "是说“打开客调光照明灯”还是“打开可调光照明灯”？"
    assert len(done[2]) == 1
