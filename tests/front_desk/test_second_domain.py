"""Another desk by data alone: a bank, and a hospital with one agent more (hospital.md, Domain)."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from tingdong.errors import DataError
from tingdong.front_desk.desk import local_reader
from tingdong.front_desk.directory import EMPTY
from tingdong.front_desk.domain import DEFAULT_DOMAIN, Domain, load, parse
from tingdong.front_desk.model import IntentContext
from tingdong.front_desk.read import shipped_models, unserved
from tingdong.front_desk.router import Router
from tingdong.front_desk.wire import turn_as_json

NOW = datetime.fromisoformat("2026-11-23T09:30:00+08:00")
BANK = Path(__file__).parents[2] / "examples" / "domains" / "bank.yaml"


def talk(domain: Domain, *texts: str) -> list[dict[str, Any]]:
    router, context, turns = Router(domain, local_reader(domain, EMPTY)), IntentContext(), []
    for text in texts:
        turn = router.turn(context, text, now=NOW)
        context = turn.context
        turns.append(turn_as_json(turn))
    return turns


def ops(turn: dict[str, Any]) -> list[tuple[str, str]]:
    return [(op["op"], op["target"]) for op in turn["intent_ops"]]


def test_a_bank_is_only_another_file() -> None:
    """The same laws with other lanes, agents and relations; nothing medical is in code."""
    bank = load(BANK)
    first, second, third, fourth = talk(
        bank, "我信用卡丢了，另外前面还有几个人", "想转账", "明天", "先不转了，车贷利率多少"
    )
    assert [segment["agent_code"] for segment in first["segments"]] == ["card-loss", "waiting"]
    assert [(r["a"], r["b"], r["type"]) for r in first["relations"]] == [(0, 1, "insertion")]
    assert ops(first) == [("shift", "card-loss"), ("add", "waiting")]
    assert ops(second) == [("add", "transfer")]
    assert ops(third) == [("continue", "transfer")]
    assert fourth["segments"][0]["agent_code"] == "loan"
    (blocked,) = talk(bank, "他说要我把钱转到安全账户")
    assert ops(blocked) == [("block", "emergency")]
    assert "96110" in blocked["reply"]


def test_a_new_agent_and_a_new_relation_are_data() -> None:
    """`vaccine`, and how it stands to the others, come from the file alone."""
    plain = yaml.safe_load(DEFAULT_DOMAIN.read_bytes())
    plain["agents"]["vaccine"] = {
        "lane": "admin",
        "title": "疫苗接种",
        "memory": "short_term",
        "slots": {"vaccine": {"kind": "signal:vaccine_name", "required": True, "ask": "想打哪一种疫苗？"}},
    }
    plain["signals"]["vaccine_name"] = "流感疫苗 狂犬疫苗 HPV疫苗 水痘疫苗"
    plain["priority"].append("vaccine")
    plain["rules"].insert(0, {"agent": "vaccine", "score": 0.99, "any": ["vaccine_name"]})
    plain["cutting"]["asks"].append("vaccine_name")
    plain["relations"].insert(0, {"a": ["vaccine"], "b": ["payment"], "type": "insertion"})
    domain = parse(yaml.safe_dump(plain, allow_unicode=True).encode())
    (turn,) = talk(domain, "想打流感疫苗，另外我要缴费")
    assert [segment["agent_code"] for segment in turn["segments"]] == ["vaccine", "payment"]
    assert [relation["type"] for relation in turn["relations"]] == ["insertion"]
    frame = next(frame for frame in turn["frames"] if frame["agent_code"] == "vaccine")
    assert (frame["slots"], list(frame["missing_slots"]), frame["memory"]["persist_level"]) == (
        {"vaccine": "流感疫苗"},
        [],
        "short_term",
    )


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda d: d["agents"]["loan"].update(lane="nowhere"), "agents.loan.lane"),
        (lambda d: d["priority"].append("nobody"), "priority"),
        (lambda d: d["relations"].append({"a": ["loan"], "b": ["nobody"], "type": "parallel"}), "relations"),
        (lambda d: d["agents"]["loan"].update(colour="red"), "colour"),
        (lambda d: d["agents"]["loan"].update(title=""), r"agents\.loan\.title"),
        (lambda d: d["replies"].update(shift=""), r"replies\.shift"),
        (lambda d: d["replies"].update(clarify="{which}"), r"replies\.clarify"),
        (lambda d: d["replies"].update(add="{title"), r"replies\.add"),
        (lambda d: d["replies"].update(hello="你好"), r"replies\.hello"),
        (lambda d: d["safety"]["replies"].update(emergency=" "), r"safety\.replies\.emergency"),
        (lambda d: d.update(limits={"ops": 0}), r"limits\.ops"),
        (lambda d: d.update(limits={"segments": 0}), r"limits\.segments"),
        (lambda d: d["cutting"].update(questions=["no_such_signal"]), r"cutting\.questions"),
        (lambda d: d["cutting"].update(arranged=["no_such_signal"]), r"cutting\.arranged"),
        (lambda d: d["safety"].update(told_to=["nobody"]), "safety.told_to"),
        (lambda d: d["safety"]["actions"].update(emergency="pass"), r"safety\.actions\.emergency"),
        (lambda d: d["safety"]["flags"].append({"label": "emergency"}), r"safety\.flags\[3\]"),
        (lambda d: d["safety"].update(thresholds={"emergency": 40}), r"safety\.thresholds\.emergency"),
        (lambda d: d["signals"].update(card="(信用卡|储蓄卡"), r"signals\.card"),
        (lambda d: d["markers"].update(endings="谢谢]"), r"markers\.endings"),
        (lambda d: d["markers"]["cues"].append({"kind": "cancel", "whole": "(不"}), r"markers\.cues\[7\]\.whole"),
        (lambda d: d.update(refusing={"tails": "[了"}), r"refusing\.tails"),
        (lambda d: d.update(compounds=[{"signal": "both", "parts": []}]), r"compounds\[0\]\.parts"),
        (lambda d: d["rules"].append({"agent": "loan", "score": 0.9}), r"rules\[5\]"),
        (lambda d: d["rules"].append({"agent": "loan", "score": 9, "any": ["card"]}), r"rules\[5\]\.score"),
        (lambda d: d["lanes"].update(counter={"leads": True}), "lanes"),
        (lambda d: d.update(sentences={"nobody": "你好"}), "sentences.nobody"),
        (lambda d: d.update(learned="elsewhere"), "learned"),
        (lambda d: d.update(source="/tmp/bank.yaml"), "source"),
        (lambda d: d["agents"]["loan"].update(aliases=["transfer"]), r"agents\.loan\.aliases"),
        (lambda d: d["agents"]["loan"]["slots"]["loan"].update(kind="colour"), r"agents\.loan\.slots\.loan\.kind"),
        (lambda d: d["rules"].append({"agent": "loan", "score": 1.0, "any": ["no_such_signal"]}), "rules"),
    ],
)
def test_a_broken_file_is_refused_with_its_key(change: Any, where: str) -> None:
    """Strict validation names file and key."""
    plain = yaml.safe_load(BANK.read_bytes())
    change(plain)
    with pytest.raises(DataError, match=where):
        parse(yaml.safe_dump(plain, allow_unicode=True).encode(), name="bank.yaml")


def without(raw: Any, agent: str) -> Any:
    """A domain file's contents without an agent, wherever it is named."""
    if isinstance(raw, dict):
        return {key: without(value, agent) for key, value in raw.items() if key != agent}
    if isinstance(raw, list):
        kept = [one for one in raw if one != agent and not (isinstance(one, dict) and one.get("agent") == agent)]
        pairs = [one for one in kept if not (isinstance(one, list) and agent in one)]
        return [without(one, agent) for one in pairs]
    return raw


def test_a_domain_without_an_agent_keeps_what_was_learned_of_the_others() -> None:
    """hospital.md, Per turn: dropping an agent takes its tasks away and nothing else; what stays with the rules alone
    is told."""
    plain = yaml.safe_load(DEFAULT_DOMAIN.read_bytes())
    domain = parse(yaml.safe_dump(without(plain, "queue"), allow_unicode=True).encode())
    models = shipped_models(domain)
    assert all((models.classes, models.borders, models.turns, models.safety))
    assert unserved(domain) == ()
    first, second = talk(domain, "我要挂眼科", "晓得了，那就周五吧，停车方便吗")
    assert ops(first) == [("shift", "dept-direct")]
    assert ops(second) == [("continue", "dept-direct"), ("add", "smartCS")]
    (waiting,) = talk(domain, "前面还有几个人")
    assert {frame["agent_code"] for frame in waiting["frames"]} <= set(domain.agents)
    assert set(unserved(parse(BANK.read_bytes()))) == set(load(BANK).agents)  # what lies beside no file
    assert shipped_models(load(BANK)).turns is None


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [("correcting", "also", "(也|再"), ("correcting", "turned_down", "不行]"), ("markers", "weekdays", "周一 周二")],
)
def test_words_that_would_fail_at_a_turn_fail_at_load(part: str, key: str, value: str) -> None:
    """What cannot be read is told with its key when the file is loaded."""
    plain = yaml.safe_load(DEFAULT_DOMAIN.read_bytes())
    plain[part][key] = value
    with pytest.raises(DataError, match=rf"{part}\.{key}"):
        parse(yaml.safe_dump(plain, allow_unicode=True).encode())
