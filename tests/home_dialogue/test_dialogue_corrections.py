"""service.md, Dialogue: a correction replaces the part it names; what only points is for what was just spoken of."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tingdong.home.model import ReplyKind

Say = Callable[[str, str], Any]


def states(turn: Any) -> dict[str, dict[str, Any]]:
    return {one.id: one.state for one in turn.instructs}


@pytest.mark.parametrize("said", ["我说的是厨房不是餐厅", "不是餐厅，是厨房"])
def test_a_denied_part_tells_which_request_is_corrected(dialogue: Say, said: str) -> None:
    """The request that named it is done anew, also two turns later, and what another clause did stays."""
    held = dialogue("flat25", "客厅")
    held.state("dev-8")["power"] = False
    held.say("餐厅灯开一下，卧室空调调到28")
    held.say("不对，是27")
    assert states(held.say(said)) == {"dev-7": {"power": False}, "dev-8": {"power": True}}
    assert held.state("dev-14")["level"] == 27


def test_a_value_is_corrected_where_it_fits(dialogue: Say) -> None:
    """不对，二十五 after a lamp and a television is the television's, and nothing is said of the lamp."""
    held = dialogue("grandma22", "客厅")
    held.say("大灯关了，长虹声音调到三十")
    turn = held.say("说错了，二十五")
    assert (states(turn), "大灯" in turn.text) == ({"g04": {"volume": 25}}, False)


@pytest.mark.parametrize("said", ["不对，是窗帘", "我说的是窗帘，打开"])
def test_a_correction_replaces_what_was_not_found(dialogue: Say, said: str) -> None:
    """What another clause did stays as it is, where the home lacks what the corrected one named."""
    held = dialogue("couple12", "大间")
    held.state("a4")["position"] = 0
    held.say("打开床头灯，天窗打开")
    assert states(held.say(said)) == {"a4": {"position": 100}}


@pytest.mark.parametrize(
    ("said", "closes"),
    [("大间都关了", False), ("这屋都关上", False), ("全部关掉", True), ("家里都关了", True), ("窗帘和灯都关了", True)],
)
def test_a_correction_that_does_not_fit_a_curtain_leaves_it_open(dialogue: Say, said: str, closes: bool) -> None:
    """都关了 of a room is what is switched on; curtains close where they, or all there is, are said."""
    held = dialogue("couple12", "大间")
    turn = held.say(said)
    assert ("a4" in states(turn), states(turn)["a1"]) == (closes, {"power": False})


@pytest.mark.parametrize("said", ["错了，东屋灯是关！不是开", "不对，东屋灯关，不是开"])
def test_an_act_that_is_denied_is_not_done(dialogue: Say, said: str) -> None:
    """是关，不是开 switches off."""
    held = dialogue("granny15", "灶屋")
    held.say("东屋灯打开")
    assert states(held.say(said)) == {"b5": {"power": False}}


def test_a_sentence_that_corrects_itself_takes_back_nothing_earlier(dialogue: Say) -> None:
    """关电视，哦不，静音就行 is about itself."""
    held = dialogue("couple12", "大间")
    held.say("窗帘拉上")
    assert states(held.say("关电视，哦不，静音就行")) == {"a5": {"mute": True}}


@pytest.mark.parametrize("said", ["撤销", "恢复", "还是刚才那样", "undo", "改回来"])
def test_every_wording_of_undo_restores_the_last_turn(dialogue: Say, said: str) -> None:
    """Each of them puts back what the last turn did."""
    held = dialogue("granny15", "东屋")
    held.say("空调关了")
    assert states(held.say(said)) == {"b6": {"power": True}}


def test_the_other_one_is_the_remaining_device(dialogue: Say) -> None:
    """另外那盏 is the other lamp of the room, 它俩 both; the side that is said is put right."""
    held = dialogue("grandma22", "小屋")
    held.say("把床头灯关了")
    assert states(held.say("另外那盏打开")) == {"g15": {"power": True}}
    assert set(states(held.say("它俩都关了吧"))) == {"g15", "g16"}
    held = dialogue("taipei36", "主臥")
    held.say("把左边的床头灯打开")
    assert states(held.say("不对，右边")) == {"t17": {"on": False}, "t18": {"on": True}}


def test_resume_applies_to_the_paused_device(dialogue: Say) -> None:
    """它继续 after two things: the one that was paused."""
    held = dialogue("couple12", "大间")
    held.say("豆豆去扫地，洗衣机停一下")
    assert list(states(held.say("它继续"))) == ["a13"]


@pytest.mark.parametrize("later", ["十分钟后全关", "十分钟后全拉上", "十分钟后都关上"])
def test_a_clause_without_a_name_keeps_the_previous_device(dialogue: Say, later: str) -> None:
    """十分钟后全关 names nothing: it is the curtain's, not the room's."""
    turn = dialogue("couple12", "厨房").say(f"大间窗帘拉一半，{later}")
    assert {one.id for one in (*turn.instructs, *turn.scheduled)} == {"a4"}


def test_an_action_in_a_time_clause_is_not_executed(dialogue: Say) -> None:
    """打开的时候家里没人 opens nothing."""
    turn = dialogue("couple12", "大间").say("我不冷了，关掉电视，打开的时候家里谁也没有哦")
    assert states(turn) == {"a5": {"power": False}}


def test_a_room_that_the_home_lacks_is_not_left_out(dialogue: Say) -> None:
    """妈那屋，灯，关了吧: law 1 holds over a pause as well."""
    turn = dialogue("granny15", "灶屋").say("妈那屋，那个，灯，关了吧")
    assert turn.instructs == ()
    assert "妈那屋" in turn.text


def test_a_question_is_no_complaint(dialogue: Say) -> None:
    """湿气大不大 asks; a comparison beside a complaint does not hide it."""
    held = dialogue("granny15", "东屋")
    assert held.say("屋里多少度？湿气大不大").kind is not ReplyKind.INSTRUCT
    assert list(states(held.say("冷得很嘞，这空调跟冰窖一样样的"))) == ["b6"]


LESS = (
    "暗一点",
    "{}暗一点",
    "{}再暗一点",
    "把{}调暗",
    "声音小一点",
    "{}声音小点",
    "{}小一点",
    "{}低一点",
    "再低一点",
    "再小点",
)
THINGS = ("灯", "吸顶灯", "落地灯", "电视", "空调", "加湿器", "风扇", "床头灯")


@given(
    home=st.sampled_from(("flat25", "loft30", "grandma22", "xinyuan54", "northflat34")),
    said=st.lists(st.tuples(st.sampled_from(LESS), st.sampled_from(THINGS)), min_size=1, max_size=3),
)
def test_less_never_switches_on(dialogue: Say, home: str, said: list[tuple[str, str]]) -> None:
    """Law: a dimming, lowering or quietening act switches nothing on, in whatever order such are said."""
    held = dialogue(home, "客厅")
    off = {"power": False, "onoff": False, "switch": False, "on": False}
    for template, thing in said:
        before = copy.deepcopy({one["id"]: one["device"].get("state", {}) for one in held.home["devices"]})
        for one in held.say(template.format(thing)).instructs:
            for name, value in off.items():
                assert not (before[one.id].get(name) is value and one.state.get(name) is True), (template, thing)


DOINGS = (
    "打开电视", "把灯都关了", "空调调到二十四度", "暗一点", "窗帘拉上", "不对，是卧室的", "把它关了", "再低一点",
    "打开落地灯，空调调到25度", "说错了，26", "十分钟后关电视", "别关", "另外那盏打开", "撤销", "声音小一点",
)  # fmt: skip


@given(
    home=st.sampled_from(("flat25", "loft30", "xinyuan54")),
    said=st.lists(st.sampled_from(DOINGS), min_size=1, max_size=5),
)
def test_undoing_all_is_the_inverse_of_whatever_was_done(dialogue: Say, home: str, said: list[str]) -> None:
    """Law: undo ∘ do is the identity on the state, for any sequence of turns."""
    held = dialogue(home, "客厅")
    before = copy.deepcopy(held.home)
    for question in said:
        held.say(question)
    for _ in range(len(said) + 1):
        if not held.say("全部撤销").instructs:
            break
    assert held.home == before


def test_a_value_is_put_right_behind_and_among_several(dialogue: Say) -> None:
    """加湿器是一档，说错了 sets one; 是二十六 after 二十四度，风小点 is the temperature's."""
    held = dialogue("flat25", "儿童房")
    held.say("空调打开，加湿器开二档")
    assert states(held.say("加湿器是一档，说错了")) == {"dev-20": {"level": 1}}
    held = dialogue("couple12", "大间")
    held.say("大金开起，二十四度，风小点")
    assert states(held.say("错咯，是二十六")) == {"a3": {"target_temp": 26}}


def test_what_is_wanted_instead_is_ordered(dialogue: Say) -> None:
    """空调还是开着吧 switches it on again, and nothing else that the last turn did comes back."""
    held = dialogue("granny15", "东屋")
    held.say("空调关了，电热毯打开")
    assert states(held.say("空调还是开着吧")) == {"b6": {"power": True}}


def test_an_abandoned_change_is_undone(dialogue: Say) -> None:
    """窗帘不用了 after it was opened; where nothing was done to it, that is said."""
    held = dialogue("taipei36", "主臥")
    held.say("冷氣調到26度，窗簾打開一半")
    assert states(held.say("窗簾不用了")) == {"t21": {"position": 0}}
    assert "没有" in held.say("除濕機不用了").text


def test_a_state_that_is_described_holds_where_it_is_repeated(dialogue: Say) -> None:
    """那一楼的呢，也一样: what was off stays off; where none is on, nothing is switched on."""
    held = dialogue("inn30", "前台")
    held.say("二楼开着的空调都调到26")
    assert set(states(held.say("那一楼的呢，也一样"))) == {"101a"}
    held.say("所有空调都关了")
    assert held.say("开着的空调都调到25度").instructs == ()


def test_undo_can_be_repeated(dialogue: Say) -> None:
    """上一步也撤了 goes back one turn more, and leaves nobody in the dark."""
    held = dialogue("loft30", "书房")
    held.say("空调开24度")
    held.say("新风高档")
    held.say("新风撤销")
    assert set(states(held.say("上一步也撤了"))) == {"L21"}


def test_one_of_two_is_told_by_its_side(dialogue: Say) -> None:
    """右边的也暗一点 after both is the right one."""
    held = dialogue("taipei36", "主臥")
    held.say("床頭燈兩盞都開")
    assert set(states(held.say("右邊的也暗一點"))) == {"t18"}


@pytest.mark.parametrize("said", ["百叶帘收一点", "百叶帘关一点", "百叶帘合上一些"])
def test_a_small_step_is_never_a_full_close(dialogue: Say, said: str) -> None:
    """A cover that is closed a little is moved by a step, beside a question too."""
    for text in (said, f"会议室现在几度，{said}"):
        positions = [one["position"] for one in states(dialogue("office14", "会议室").say(text)).values()]
        assert all(0 < position < 60 for position in positions)


def test_a_command_with_a_value_can_be_undone(dialogue: Say) -> None:
    """刚才油烟机开最大撤销，台灯留着: the value tells what was done, and what stays is not put back."""
    held = dialogue("flat25", "书房")
    held.say("台灯打开")
    held.say("油烟机开最大")
    assert states(held.say("刚才油烟机开最大撤销，台灯留着")) == {"dev-9": {"level": 2}}
    held.say("窗帘拉上")
    assert set(states(held.say("窗帘别关，我没说窗帘，恢复"))) == {"dev-5"}


def test_a_thing_is_put_back_by_its_name_and_a_value_keeps_its_unit(dialogue: Say) -> None:
    """空调是二十六 sets degrees; 大灯也恢复 puts an earlier turn back."""
    held = dialogue("northflat34", "客厅")
    held.say("大灯调到五十，空调二十五度")
    assert states(held.say("空调是二十六"))["n06"]["temperature"] == 26
    assert states(held.say("大灯也恢复")) == {"n04": {"dimming": 80}}


def test_opening_after_a_question_about_many_kinds_asks(dialogue: Say) -> None:
    """哪个快没电了 … 打开: nothing that was only asked about begins to run."""
    held = dialogue("inn30", "前台")
    held.say("哪把锁的电最少")
    assert held.say("打开").instructs == ()
