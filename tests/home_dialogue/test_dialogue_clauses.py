"""Every clause of a turn is accounted for, and changes nothing that it was not said of (service.md, Dialogue)."""

import json
from collections.abc import Callable
from datetime import datetime
from itertools import product
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tingdong.commands import LocalParser
from tingdong.home.cache import HomeStore, load_home
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import ReplyKind
from tingdong.home_dialogue import pauses
from tingdong.home_dialogue.outcome import Fate
from tingdong.home_dialogue.page import Page
from tingdong.home_dialogue.parting import in_parts
from tingdong.home_dialogue.step import Circumstances, step

Say = Callable[[str, str], Any]
PARSER = LocalParser()
NOW = datetime(2026, 11, 21, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai"))

ORDERS = ["把{word}打开", "把{word}关了", "{word}关掉", "打开{word}"]
QUESTIONS = ["{word}开着吗", "现在几度"]
TALK = ["我先去洗澡了", "谢谢你啊", "今天真累", "哎呀"]
JOINTS = ["，", "。", "；", "，然后", "！", "…"]


HOMES = [
    json.loads((Path(__file__).parent.parent / "corpus" / "homes" / f"{name}.json").read_bytes())
    for name in ("flat25", "loft30", "northflat34", "homestay49")
]


@st.composite
def homes(draw: st.DrawFn) -> dict[str, Any]:
    """Some of the devices of one of the open homes."""
    home = draw(st.sampled_from(HOMES))
    devices = draw(st.lists(st.sampled_from(home["devices"]), min_size=2, max_size=8, unique_by=lambda one: one["id"]))
    return {**home, "devices": devices, "groups": [], "scenes": []}


def compiled(document: dict[str, Any]) -> HomeSnapshot:
    return load_home(json.dumps(document, ensure_ascii=False).encode(), HomeStore())


def spoken(home: Any, page: Page, text: str) -> tuple[Page, Any]:
    """One turn, its clauses read as the service reads them."""
    names = home.shape.names
    reading = in_parts(PARSER.read(text, names), lambda part: PARSER.read(part, names))
    return step(page, reading, home, Circumstances(now=NOW, local="客厅"))


def words(document: dict[str, Any]) -> list[str]:
    return sorted({one["local"] + one["name"] for one in document["devices"]})


@st.composite
def joined(draw: st.DrawFn) -> tuple[dict[str, Any], list[str], str]:
    document = draw(homes())
    said = [
        draw(st.sampled_from(draw(st.sampled_from([ORDERS, ORDERS, QUESTIONS, TALK])))).format(
            word=draw(st.sampled_from(words(document)))
        )
        for _ in range(draw(st.integers(2, 4)))
    ]
    return document, said, draw(st.sampled_from(JOINTS)).join(said)


@given(joined())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_nothing_changes_that_no_clause_accounts_for(case: tuple[dict[str, Any], list[str], str]) -> None:
    """Law 1: a device that is switched stands in a clause that orders something."""
    document, said, text = case
    home = compiled(document)
    _, outcome = spoken(home, Page(id="p"), text)
    orders = [one for one in said if "打开" in one or "关" in one]
    for instruct in outcome.instructs:
        device = home.shape.devices[instruct.id]
        assert any(device.plain in one and device.room in one for one in orders), (text, outcome.text)


@given(joined())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_no_order_is_dropped_in_silence(case: tuple[dict[str, Any], list[str], str]) -> None:
    """An order said among others does what it does alone, or the reply names its thing or its words."""
    document, said, text = case
    home = compiled(document)
    _, outcome = spoken(home, Page(id="p"), text)
    sent = {instruct.id for instruct in outcome.instructs}
    for order in (one for one in said if "打开" in one or one.endswith(("关了", "关掉"))):
        _, alone = spoken(home, Page(id="p"), order)
        for instruct in alone.instructs:
            device = home.shape.devices[instruct.id]
            assert instruct.id in sent or device.plain in outcome.text or order in outcome.text, (text, outcome.text)


@given(joined())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_every_clause_has_an_outcome(case: tuple[dict[str, Any], list[str], str]) -> None:
    """A turn that is taken clause by clause tells of each what became of it; what is lost is said."""
    document, _, text = case
    _, outcome = spoken(compiled(document), Page(id="p"), text)
    for clause in outcome.clauses:
        assert clause.fate is not Fate.LOST or text[clause.start : clause.end] in outcome.text
    if outcome.clauses:
        assert outcome.clauses[0].start == 0
        assert all(one.end <= other.start for one, other in zip(outcome.clauses, outcome.clauses[1:], strict=False))


@given(homes(), st.lists(st.sampled_from(TALK), min_size=1, max_size=2))
def test_dialogue_beside_an_order_is_no_loss(document: dict[str, Any], talk: list[str]) -> None:
    """Reasons and courtesy need no mention: the reply is that to the order alone."""
    home = compiled(document)
    order = f"把{words(document)[0]}关了"
    _, alone = spoken(home, Page(id="p"), order)
    _, outcome = spoken(home, Page(id="p"), "，".join((*talk, order)))
    assert (outcome.kind, outcome.text, outcome.instructs) == (alone.kind, alone.text, alone.instructs)


@pytest.mark.parametrize(("sign", "first"), list(product("，。；！", ["灯关了", "电视关了"])))
def test_clauses_end_at_every_sign(sign: str, first: str) -> None:
    """One table says where a clause ends."""
    text = f"{first}{sign}窗帘拉上"
    assert [text[start:end] for start, end in pauses.spans(text)] == [first, "窗帘拉上"]
    assert pauses.has_pause(text)


def test_an_order_of_the_same_turn_can_be_taken_back(dialogue: Say) -> None:
    """等等 takes back its own clause and no timer that was set before."""
    held = dialogue("flat25", "客厅")
    held.say("二十分钟后关风扇")
    turn = held.say("把灯关了吧，等等，先别关")
    assert (turn.kind, turn.instructs, turn.scheduled) == (ReplyKind.ANSWER, (), ())


def test_a_device_excluded_by_one_clause_is_touched_by_none(dialogue: Say) -> None:
    """壁灯2留着 holds for 走廊的灯都关 and for nothing else."""
    turn = dialogue("villa120", "二楼书房").say("二楼走廊的灯都关，电脑插座关掉，走廊壁灯2留着")
    assert {one.id for one in turn.instructs} == {"v86", "v88", "v83"}


def test_a_time_is_of_its_own_clause(dialogue: Say) -> None:
    """一小时后关 is said of what stands before it, and not of what stands behind."""
    turn = dialogue("flat25", "儿童房").say("空调开26度睡眠模式，一小时后关，加湿器也开着")
    assert {one.id for one in turn.scheduled} == {"dev-19"}
    assert {"dev-19", "dev-20"} <= {one.id for one in turn.instructs}


def test_a_yes_and_another_request_are_both_heard(dialogue: Say) -> None:
    """嗯，开，再把照明灯关一下 confirms and switches off."""
    held = dialogue("northflat34", "厨房")
    held.say("燃气阀打开")
    turn = held.say("嗯，开，再把照明灯关一下")
    assert {one.id: one.state for one in turn.instructs} == {"n27": {"open": True}, "n25": {"switch": False}}


@pytest.mark.parametrize("said", ["要是下雨了，就把窗帘关上", "等我回来，再开空调"])
def test_a_request_with_an_unobservable_condition_is_not_done_now(dialogue: Say, said: str) -> None:
    """Law 2: a conditional request never becomes an immediate one, and the reply says that it was not done."""
    turn = dialogue("flat25", "卧室").say(f"{said}，灯开着")
    assert all(one.id not in ("dev-16", "dev-14") for one in turn.instructs)
    assert "没有做" in turn.text


@pytest.mark.parametrize("said", ["等一下窗帘先别拉", "窗帘先等等", "别拉窗帘"])
def test_what_was_just_done_and_is_refused_is_put_back(dialogue: Say, said: str) -> None:
    """service.md, Dialogue: 等一下 takes back or holds back, and never does it again."""
    held = dialogue("loft30", "客厅")
    held.say("窗帘拉上")
    assert {one.id: one.state for one in held.say(said).instructs} == {"L12": {"position": 100}}


def test_undoing_asks_before_what_is_risky(dialogue: Say) -> None:
    """service.md, More decisions: what needs a confirming turn needs it when it is undone as well."""
    held = dialogue("shancheng45", "灶房")
    held.say("燃气阀关了")
    asked = held.say("撤销")
    assert (asked.kind, asked.instructs) == (ReplyKind.QUESTION, ())
    assert {one.id: one.state for one in held.say("确认").instructs} == {"c19": {"open": True}}


def test_a_place_that_is_described_is_no_order(dialogue: Say) -> None:
    """暖和点的那间 tells which room is meant."""
    turn = dialogue("taipei36", "書房").say("暖和點的那間，冷氣開除濕")
    assert turn.instructs == ()
    assert "没有做" in turn.text


def test_a_name_outside_the_options_is_no_answer(dialogue: Say) -> None:
    """A thing that is none of those asked about is not taken for one of them."""
    held = dialogue("shancheng45", "堂屋")
    assert held.say("打开射灯").kind == ReplyKind.QUESTION
    assert [one.id for one in held.say("我等哈儿再打牌，吊灯先关到").instructs] == ["c40"]


@pytest.mark.parametrize(
    ("said", "when"),
    [("空调那个改成两小时", "PT2H"), ("空调的推迟半小时", "PT1H30M"), ("空调那个改到晚上十点", "T22:00")],
)
def test_one_of_several_timers_is_moved_by_its_name(dialogue: Say, said: str, when: str) -> None:
    """service.md, Timers: the one that is named is set anew and taken back; the other stays."""
    held = dialogue("flat25", "卧室")
    held.say("空调一小时后关")
    other = held.say("风扇半小时后关").scheduled[0].timer_id
    moved = held.say(said).scheduled
    assert [(one.id, one.when) for one in moved if one.when] == [("dev-14", when)]
    assert other not in [one.cancel for one in moved]


@pytest.mark.parametrize("said", ["别等了", "别等了，现在就关", "空调不用等，现在就关"])
def test_a_scheduled_request_can_be_executed_now(dialogue: Say, said: str) -> None:
    """别等了 does it now and takes the timer back."""
    held = dialogue("flat25", "卧室")
    set_for_later = held.say("空调一小时后关").scheduled[0].timer_id
    turn = held.say(said)
    assert {one.id: one.state for one in turn.instructs} == {"dev-14": {"power": False}}
    assert [one.cancel for one in turn.scheduled] == [set_for_later]


@pytest.mark.parametrize("said", ["那个自动的别要了", "这个条件取消", "空调到点关的那个不要了"])
def test_a_rule_is_taken_back_by_what_it_is_called(dialogue: Say, said: str) -> None:
    """service.md, Timers: conditional requests stay until they are cancelled, in whatever words."""
    held = dialogue("flat25", "卧室")
    held.say("温度低于25度就关空调")
    turn = held.say(said)
    assert [one.cancel is not None for one in turn.scheduled] == [True]
    assert turn.instructs == ()


STEPS = [
    "{word}打开",
    "把{word}关了",
    "{word}调亮一点",
    "{word}暗一点",
    "{word}声音小一点",
    "{word}调到50%",
    "全部关掉",
]


@given(st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_undoing_all_gives_the_home_back(data: st.DataObject) -> None:
    """undo ∘ do is the identity on state, for any sequence of turns; what is risky is asked about and then put back."""
    document = data.draw(homes())
    home, page = compiled(document), Page(id="p")
    before = home.properties
    said = [
        data.draw(st.sampled_from(STEPS)).format(word=data.draw(st.sampled_from(words(document)))) for _ in range(3)
    ]
    for text in said:
        page, outcome = spoken(home, page, text)
        home = home.after(one for one in outcome.instructs if not one.deferred)
    for text in ("全部撤销", "确认"):
        page, outcome = spoken(home, page, text)
        home = home.after(one for one in outcome.instructs if not one.deferred)
    changed = {one: home.properties[one] for one in before if home.properties[one] != before[one]}
    assert not changed, (said, changed, outcome.text)


@given(st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_less_of_something_switches_nothing_on(data: st.DataObject) -> None:
    """A dimming act never switches on, alone or beside other clauses."""
    document = data.draw(homes())
    home = compiled(document)
    word = data.draw(st.sampled_from(words(document)))
    less = data.draw(st.sampled_from(["{}暗一点", "{}声音小一点", "把{}调低一点", "{}风小点"])).format(word)
    _, outcome = spoken(
        home, Page(id="p"), data.draw(st.sampled_from(["{}", "我先去洗澡了，{}", "{}，谢谢"])).format(less)
    )
    for instruct in outcome.instructs:
        power = home.shape.devices[instruct.id].power
        off = power is not None and home.properties[instruct.id].get(power.name) == power.off
        assert power is None or not (off and instruct.state.get(power.name) == power.on), (less, outcome.text)


def test_a_denied_act_is_not_done(dialogue: Say) -> None:
    """喷灌还是不开了 switches off what was just switched on, and takes no timer back that would end it."""
    held = dialogue("homestay49", "院子")
    held.say("喷灌开十分钟就关")
    turn = held.say("喷灌还是不开了")
    assert {one.id: one.state for one in turn.instructs} == {"h33": {"on": False}}
    assert turn.scheduled == ()


def test_a_correction_of_an_earlier_turn_leaves_the_last_one(dialogue: Say) -> None:
    """开错了，插座关了 is about the socket of an earlier turn; what was done since stays."""
    held = dialogue("shancheng45", "灶房")
    held.say("电饭煲插座打开")
    held.say("外婆屋的小太阳关了")
    assert {one.id for one in held.say("开错了，电饭煲插座关了").instructs} == {"c20"}


def test_a_correction_in_one_clause_does_not_change_another(dialogue: Say) -> None:
    """还是 within a clause puts nothing of the clause before it right, which is carried out as well."""
    turn = dialogue("villa120", "二楼书房").say("走廊壁灯2关掉，书房台灯还是打开")
    assert {one.id: one.state for one in turn.instructs} == {"v87": {"power": False}, "v78": {"power": True}}


TAKEN_BACK = [
    ["窗帘打开，算了"],
    ["关灯，取消"],
    ["把电视关掉，不用了"],
    ["厨房灯打开，电视打开，算了都不要了"],
    ["十分钟后关灯，取消"],
    ["关电视，撤销刚才的操作"],
]


@pytest.mark.parametrize("said", TAKEN_BACK, ids=[said[0] for said in TAKEN_BACK])
def test_a_request_withdrawn_in_the_same_sentence_is_not_done(dialogue: Say, said: list[str]) -> None:
    """Architecture, law 2: a cancel that names nothing takes back what was ordered before it in the turn."""
    turn = dialogue("flat25", "客厅").say(said[0])
    assert (turn.instructs, turn.scheduled) == ((), ())


def test_a_request_after_a_cancel_is_executed(dialogue: Say) -> None:
    """打开风扇，算了，开电视: the television alone; and 取消 before an order takes back what an earlier turn set."""
    turn = dialogue("flat25", "客厅").say("打开风扇，算了，开电视")
    assert {one.id: one.state for one in turn.instructs} == {"dev-4": {"power": True}}
    held = dialogue("flat25", "客厅")
    timers = held.say("十分钟后关灯").scheduled
    turn = held.say("取消，开电视")
    assert {one.cancel for one in turn.scheduled} == {one.timer_id for one in timers}
    assert {one.id: one.state for one in turn.instructs} == {"dev-4": {"power": True}}


@pytest.mark.parametrize("text", ["快点，把电视打开", "你快点，把电视打开啊"])
def test_a_word_of_hurry_gives_no_order(dialogue: Say, text: str) -> None:
    """快点 before an order switches no fan on, where nothing spoken of has a speed."""
    turn = dialogue("flat25", "客厅").say(text)
    assert {one.id: one.state for one in turn.instructs} == {"dev-4": {"power": True}}


def test_a_cancel_of_timers_is_theirs_alone(dialogue: Say) -> None:
    """关灯，定时都取消: the lamps go off and the timers are taken back; so are they behind a question."""
    held = dialogue("flat25", "客厅")
    timers = held.say("十分钟后关电视").scheduled
    turn = held.say("关灯，定时都取消")
    assert {one.cancel for one in turn.scheduled} == {one.timer_id for one in timers}
    assert turn.instructs
    timers = held.say("十分钟后关电视").scheduled
    assert {one.cancel for one in held.say("风扇还开着吗？定时都取消").scheduled} == {one.timer_id for one in timers}


def test_still_before_a_value_corrects_no_other_clause(dialogue: Say) -> None:
    """客厅…，卧室的灯还是…: 还是 before the value of a thing that is named belongs to that thing."""
    turn = dialogue("flat25", "客厅").say("电视关掉，卧室空调还是26度")
    assert {one.id: one.state for one in turn.instructs} == {"dev-4": {"power": False}, "dev-14": {"level": 26}}


@pytest.mark.parametrize("joint", ["。", "，", "，然后"])
def test_of_too_many_requests_at_once_none_is_done(dialogue: Say, joint: str) -> None:
    """service.md, instructs: of more requests than are read none is done, whatever its end takes back; the reply says
    so, and the page goes on as it was."""
    held = dialogue("flat25", "客厅")
    held.say("打开电视")
    many = held.say(joint.join(["把卧室的灯打开", "空调关掉"] * 40) + "，都别开了")
    assert (many.kind, many.instructs, many.scheduled) == (ReplyKind.ANSWER, (), ())
    assert "太多" in many.text
    assert held.say("关了它").instructs
