"""Nothing changes that no clause accounts for; else it is asked about first (docs/dialogue-home.md, Accounting)."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tingdong.commands.reading import Mention, MentionKind, Reading
from tingdong.home.acts import ActKind, read_act
from tingdong.home.model import ReplyKind
from tingdong.home_dialogue.accounting_table import accounting_table
from tingdong.home_dialogue.evidence import FACTS
from tingdong.home_turn import Turn

Say = Callable[..., Any]
CORPUS = Path(__file__).parent.parent / "corpus"
TEXTS = [json.loads(line)["text"] for line in (CORPUS / "commands_dev.jsonl").read_text("utf-8").splitlines()]
HOMES = ("flat25", "grandma22", "loft30", "sample8", "villa120", "northflat34", "taipei36")
MORE = frozenset({ActKind.ON, ActKind.RAISE, ActKind.UNLOCK, ActKind.UNMUTE})
LESS = frozenset({ActKind.OFF, ActKind.LOWER, ActKind.LOCK, ActKind.MUTE})
CARRIED = ("关了", "再亮一点", "把它关了", "调到一半", "打开", "它开大点")


def against(turn: Turn) -> set[str]:
    """The facts against what a turn would do."""
    return {fact for finding in turn.decision.findings for fact in finding.against} if turn.decision else set()


def test_every_fact_has_its_weight() -> None:
    """`accounting.yaml` weighs the facts there are and no others; a grave one is enough by itself."""
    table = accounting_table()
    assert set(table.facts) == FACTS
    assert table.ask.risky <= table.ask.any
    grave = {name: fact.weight for name, fact in table.facts.items() if fact.grave and name != "opposite"}
    assert min(grave.values()) >= table.ask.any


@pytest.mark.parametrize(
    ("home", "local", "sentences", "fact"),
    [
        ("villa120", "一楼老人房", ("高处的灯关了",), "thing_described"),
        ("grandma22", "客厅", ("大屋的灯、空调和电热毯都关了", "六点半给我开吧"), "kinds_mixed"),
        ("grandma22", "客厅", ("大屋的灯、空调和电热毯都关了", "打开它"), "one_pointed_at"),
        ("villa120", "二楼书房", ("二楼书房台灯打开", "再多吹十分钟"), "length_lost"),
        ("family39", "客厅", ("空调打开", "主卧", "把它关了"), "walked_away"),
    ],
)
def test_an_unexplained_change_is_asked_about(
    dialogue: Say, home: str, local: str, sentences: tuple[str, ...], fact: str
) -> None:
    """service.md, Dialogue; law 2: it is asked about and not done; a yes does just that, a no nothing."""
    for answer, does in (("嗯", True), ("不", False)):
        talk = dialogue(home, local)
        for sentence in sentences[:-1]:
            if sentence == "主卧":
                talk.local = sentence
            else:
                talk.say(sentence)
        asked = talk.say(sentences[-1])
        assert asked.kind is ReplyKind.QUESTION, asked.text
        assert asked.text.startswith("是要"), asked.text
        assert asked.text.endswith("吗？"), asked.text
        assert not asked.instructs
        assert not asked.scheduled
        assert fact in against(asked)
        then = talk.say(answer)
        assert bool(then.instructs or then.scheduled) is does, then.text


def test_a_no_with_a_new_order_does_the_new_order(dialogue: Say) -> None:
    """不，把长虹打开: what was asked about is dropped, what is said with the no is done."""
    talk = dialogue("grandma22", "客厅")
    talk.say("大屋的灯、空调和电热毯都关了")
    talk.say("打开它")
    assert [one.id for one in talk.say("不，把长虹打开").instructs] == ["g04"]
    assert not talk.say("嗯").instructs


def test_naming_another_thing_is_no_yes(dialogue: Say) -> None:
    """Where it was doubted what is meant, another thing of the kind does not confirm it."""
    talk = dialogue("villa120", "一楼老人房")
    talk.say("顶上的灯关了")
    assert [one.id for one in talk.say("只关吸顶灯").instructs] == ["v33"]


def test_one_yes_confirms_each_request_for_its_own_devices(dialogue: Say) -> None:
    """One yes to two requests does each to what it was said of, and neither to the other's."""
    talk = dialogue("grandma22", "客厅")
    talk.say("大屋的灯、空调和电热毯都关了")
    asked = talk.say("六点半给我开吧，制冷二十六")
    assert not asked.scheduled
    done = {one.id: one.state for one in talk.say("嗯").scheduled}
    assert set(done) == {"g08", "g09", "g10", "g12"}
    assert all(set(state) == {"power"} for device, state in done.items() if device != "g10")


# ---- properties


def mentions(reading: Reading) -> Iterator[Mention]:
    """What the sentence and its clauses mention."""
    yield from reading.mentions
    for part in reading.parts:
        yield from part.reading.mentions


def rooms_of(home: dict[str, Any]) -> list[str]:
    return sorted({device["local"] for device in home["devices"] if device.get("local")})


@given(data=st.data())
def test_no_change_without_a_word_for_its_direction(dialogue: Say, data: st.DataObject) -> None:
    """In any home, of any sentence: what is done goes in a direction that a word of the sentence says, or a wish."""
    talk = dialogue(data.draw(st.sampled_from(HOMES)), "")
    talk.local = data.draw(st.sampled_from(rooms_of(talk.home)))
    turn = talk.say(data.draw(st.sampled_from(TEXTS)))
    sent = {one.id for one in (*turn.instructs, *turn.scheduled)}
    reading = turn.decision.reading if turn.decision else None
    if reading is None or not sent:
        return
    said = {read_act(one.value).kind for one in mentions(reading) if one.kind is MentionKind.ACTION}
    small = {one.kind for one in mentions(reading)} & {MentionKind.EXCEPT, MentionKind.SCENE, MentionKind.WHEN}
    for finding in turn.decision.findings:
        kind = read_act(finding.query.action).kind
        way = MORE if kind in MORE else LESS if kind in LESS else None
        if way is None or finding.completed == "wish" or not sent.intersection(finding.ids) or small:
            continue
        ends = finding.query.when is not None  # 开俩钟头 says its end by a length of time
        assert said & way or ends or finding.query.value is not None, (reading.text, finding.query)


@given(data=st.data())
def test_after_walking_things_in_other_rooms_are_not_switched(dialogue: Say, data: st.DataObject) -> None:
    """In any home: an order that names nothing, said in another room, switches nothing outside it without asking."""
    talk = dialogue(data.draw(st.sampled_from(HOMES)), "")
    rooms = rooms_of(talk.home)
    first, second = data.draw(st.permutations(rooms))[:2] if len(rooms) > 1 else (rooms[0], rooms[0])
    device = data.draw(st.sampled_from([one for one in talk.home["devices"] if one.get("local") == first]))
    talk.local = first
    talk.say(f"打开{first}{device['name']}")
    talk.local = second
    turn = talk.say(data.draw(st.sampled_from(CARRIED)))
    placed = {one["id"]: one.get("local") for one in talk.home["devices"]}
    if turn.decision is not None and "confirmed" not in {one.completed for one in turn.decision.findings}:
        assert all(placed[one.id] == second for one in turn.instructs if one.id in placed), turn.text
