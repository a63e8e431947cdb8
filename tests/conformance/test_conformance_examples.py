"""The seeds' own examples, literally; docs/conformance.md lists each difference with its reason."""

import json
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import tingdong
from context_retrieval.demo_data import DEVICES, GROUPS, SCENES
from context_retrieval.models import DeviceType, Quantifier
from context_retrieval.pipeline import retrieve
from context_retrieval.protocol import decode, or_unknown
from context_retrieval.state import ConversationState
from tingdong.bridges.embedded_llm import EmbeddedLLM
from tingdong.commands import LocalParser
from tingdong.front_desk import directory, domain
from tingdong.front_desk.desk import local_reader
from tingdong.front_desk.model import IntentContext
from tingdong.front_desk.router import Router
from tingdong.front_desk.wire import turn_as_json

HERE = Path(__file__).parent
TESTS = HERE.parent
EXAMPLES = yaml.safe_load((HERE / "examples.yaml").read_text("utf-8"))
NOW = "2026-11-23T09:30:00+08:00"


def known(name: str) -> list[Any]:
    """The examples of a kind, as parameters named by the seed's heading and the text."""
    return [pytest.param(one, id=f"{one['where']}-{number}") for number, one in enumerate(EXAMPLES[name])]


def told(example: dict[str, Any], key: str) -> Any:
    """What the example must give: the seed's own, or ours where a difference is declared."""
    return example["differs"]["ours"] if "differs" in example else example[key]


@cache
def parser() -> LocalParser:
    return LocalParser()


def read(text: str) -> list[str]:
    return [str(command) for command in or_unknown(parser().read(text).commands)]


@pytest.mark.parametrize("example", known("commands"))
def test_commands_are_the_seeds(example: dict[str, Any]) -> None:
    """Seeds 000 and 001, 场景 and 示例用例: the array, whole and in order, as JSON of one array of strings."""
    got = read(example["text"])
    assert got == told(example, "commands")
    assert json.loads(json.dumps(got, ensure_ascii=False)) == got


@pytest.mark.parametrize("word", ["它", "那个", "上一个", "刚才的"])
@pytest.mark.parametrize("sentence", ["打开{}", "把{}关了", "关闭{}"])
def test_pointing_words_are_references(word: str, sentence: str) -> None:
    """Seed 000, NAME: what only points is `@last`, in every sentence."""
    (command,) = read(sentence.format(word))
    assert command.split("-", 2)[2] == "@last#Unknown#one"


@pytest.mark.parametrize(
    ("word", "kind"), [("灯", "Light"), ("空调", "AirConditioner"), ("风扇", "Fan"), ("窗帘", "Blind")]
)
def test_generic_words_have_no_name(word: str, kind: str) -> None:
    """Seed 001, NAME and Q: a type alone is `*` and means all."""
    assert read(f"打开{word}") == [f"打开-*-*#{kind}#all"]


@pytest.mark.parametrize(
    ("sentence", "quantifier"),
    [
        ("打开所有灯", "all"),
        ("打开全部灯", "all"),
        ("把灯都打开", "all"),
        ("打开每个灯", "all"),
        ("打开任意一盏灯", "any"),
        ("随便打开一盏灯", "any"),
        ("打开一盏灯，哪个都行", "any"),
        ("打开几盏灯", "any"),
        ("除了卧室以外的灯都打开", "except"),
        ("除卧室都把灯打开", "except"),
        ("打开卧室的顶灯", "one"),
    ],
)
def test_quantifier_words_mean_what_the_seed_says(sentence: str, quantifier: str) -> None:
    """Seed 001, Q, 映射规则: the word decides the quantifier; else it is one."""
    (command,) = read(sentence)
    assert command.split("#")[2] == quantifier


@pytest.mark.parametrize("word", ["两", "俩", "2"])
def test_counts_are_integers(word: str) -> None:
    """Seed 001, N: 两, 俩 and 2 are one number, beside any."""
    (command,) = read(f"打开{word}{'' if word == '俩' else '盏'}灯")
    assert command.endswith("#Light#any#2")


@pytest.mark.parametrize("joint", ["和", "以及", "、", "，", ","])
def test_listed_targets_are_split_whatever_joins_them(joint: str) -> None:
    """Seed 000, 需求 多目标必须拆分: one command each, of the same ACTION, in the order said."""
    assert read(f"打开卧室顶灯{joint}床头灯") == ["打开-卧室-顶灯#Light#one", "打开-卧室-床头灯#Light#one"]


def test_the_closed_sets_are_the_seeds() -> None:
    """Seed 000, TYPE and Q: the closed sets, no more and no fewer."""
    kinds = (
        "AirConditioner, Blind, Charger, Fan, Hub, Light, NetworkAudio, Switch, Television, Washer, SmartPlug, Unknown"
    )
    assert {kind.value for kind in DeviceType} == set(kinds.split(", "))
    assert {quantifier.value for quantifier in Quantifier} == {"one", "all", "any", "except"}


@pytest.mark.parametrize("example", known("consumer"))
def test_the_consumer_does_what_the_seed_says(example: dict[str, Any]) -> None:
    """Seed 001, 实现侧: what is kept, mended and dropped, and that every fault has a reason."""
    decoded = decode(example["answer"])
    assert [str(command) for command in or_unknown(decoded.commands)] == told(example, "commands")
    if "reasons" in example:
        assert bool(decoded.issues) is example["reasons"]


@pytest.mark.parametrize("example", known("retrieval"))
def test_retrieval_finds_what_the_seed_names(example: dict[str, Any]) -> None:
    """Seed 002, 为什么: names of the user, sets, exclusions and conditions, on the data that ships."""
    result = retrieve(example["text"], DEVICES, EmbeddedLLM(), ConversationState(), groups=GROUPS, scenes=SCENES)
    chosen = {candidate.entity_id for candidate in result.candidates}
    groups = {group.id: set(group.devices) for group in GROUPS}
    members = {one for name in chosen for one in groups.get(name, {name})}
    assert members == set(told(example, "entities"))


def test_the_test_files_of_the_seed_exist() -> None:
    """Seed 002, 目录结构: the names of the test files."""
    names = "smoke models text ir_compiler keyword_search vector_search scoring gating state logic capability injection"
    assert [name for name in [*names.split(), "pipeline"] if not (TESTS / f"test_{name}.py").exists()] == []


def home_of(name: str, state: dict[str, Any]) -> dict[str, Any]:
    home: dict[str, Any] = json.loads((TESTS / "corpus" / "homes" / f"{name}.json").read_text("utf-8"))
    for device in home["devices"]:
        device["device"]["state"].update(state.get(device["id"], {}))
    return home


@pytest.mark.parametrize("example", known("home"))
def test_dialogue_lines_of_the_home(example: dict[str, Any]) -> None:
    """Seed 004 §3 and §4.2: kind and text of every line, in the state that the line supposes."""
    home = tingdong.Home.load(home_of(example["home"], example.get("state", {})), local=example["local"])
    for question, kind, text, *differs in example["lines"]:
        turn = home.say(question, now=datetime.fromisoformat(NOW))
        assert (turn.kind, turn.text) == (kind, differs[0]["ours"] if differs else text)


@cache
def router() -> Router:
    spec = domain.default()
    return Router(spec, local_reader(spec, directory.load(TESTS / "corpus" / "hospital_directory.yaml")))


def turns(*texts: str) -> list[dict[str, Any]]:
    context, said = IntentContext(), []
    for text in texts:
        turn = router().turn(context, text, now=datetime.fromisoformat(NOW))
        context = turn.context
        said.append(turn_as_json(turn))
    return said


def words(text: str) -> list[str]:
    return [segment["text"] for segment in turns(text)[0]["segments"]]


def agents(text: str) -> list[str]:
    return [segment["agent_code"] for segment in turns(text)[0]["segments"]]


@pytest.mark.parametrize("example", EXAMPLES["front_desk"]["segments"], ids=lambda one: one["where"])
def test_segments_and_classes_of_the_front_desk(example: dict[str, Any]) -> None:
    """Seed 003 §2.3 and §5: the segments in the seed's words, each with its class."""
    assert (words(example["text"]), agents(example["text"])) == (told(example, "segments"), example["agents"])


def test_the_dialogue_of_the_front_desk() -> None:
    """Seed 003 §9: operations, focus and queue, turn by turn."""
    examples = EXAMPLES["front_desk"]["dialogue"]
    for example, turn in zip(examples, turns(*(one["text"] for one in examples)), strict=True):
        ops = turn["intent_ops"]
        assert [op["op"] for op in ops] == example["ops"]
        assert [op["executed"] for op in ops] == example["executed"]
        frames = turn["frames"]
        focus = [frame["agent_code"] for frame in frames if frame["frame_id"] == turn["medical_focus_id"]]
        assert focus == ([example["focus"]] if example["focus"] else [])
        waiting = [one["agent_code"] for one in frames if (one["role"], one["status"]) == ("queued", "pending")]
        assert waiting == example["queued"]


def test_a_turn_says_segments_classes_and_relations() -> None:
    """Seed 003 §6 and §7.1: every turn has them, and says why."""
    (turn,) = turns("我头痛想挂号，顺便问停车怎么收费")
    assert all(segment["agent_code"] and segment["candidates"] for segment in turn["segments"])
    assert list(turn["relations"]) == [{"a": 0, "b": 1, "type": "insertion"}]
    assert all(op["reason"] for op in turn["intent_ops"])
    assert turn["meta"]["layer_hit"]


@pytest.mark.parametrize("word", ["并且", "另外", "还有", "顺便", "再问", "同时", "但是", "不过"])
def test_connectives_cut(word: str) -> None:
    """Seed 003 §2.1: two requests joined by a connective or a turn are two segments."""
    assert agents(f"我头痛想挂号，{word}停车怎么收费") == ["triage", "smartCS"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我要挂消化科，我要缴费", ["dept-direct", "payment"]),
        ("我要缴费，前面还有几个人", ["payment", "queue"]),
        ("停车场在哪，我要缴费", ["smartCS", "payment"]),
        ("布洛芬怎么吃，我要缴费", ["drug", "payment"]),
        ("我的报告白细胞高是什么意思，我要缴费", ["report", "payment"]),
        ("帮我找李四医生，我要缴费", ["doc-direct", "payment"]),
    ],
)
def test_a_change_of_action_cuts(text: str, expected: list[str]) -> None:
    """Seed 003 §2.1, 动作切换: another action begins another segment, without any connective."""
    assert agents(text) == expected


@pytest.mark.parametrize(
    "text", ["明天下午想挂李四医生的号", "我头痛想挂号", "我头痛三天了想挂号", "给我妈挂消化科周三上午的号"]
)
def test_details_of_one_task_do_not_cut(text: str) -> None:
    """Seed 003 §2.2: time, place, person, department and symptom belong to their task."""
    assert len(words(text)) == 1


@pytest.mark.parametrize("word", ["是", "不是", "对", "不对", "是的", "改成后天"])
def test_a_confirmation_is_no_new_task(word: str) -> None:
    """Seed 003 §2.2: yes, no and 改成 speak of the task that stands; no frame is added."""
    first, second = turns("我想挂李四医生明天的号", word)
    assert len(second["frames"]) == len(first["frames"]) == 1


def test_the_agents_are_the_seeds() -> None:
    """Seed 003 §3.1 and §3.2: the eight agents with their lanes, in the order of priority."""
    spec = domain.default()
    assert list(spec.priority) == [
        "doc-direct",
        "dept-direct",
        "triage",
        "payment",
        "queue",
        "smartCS",
        "drug",
        "report",
    ]
    lanes = {
        "medical": {"triage", "dept-direct", "doc-direct", "drug", "report"},
        "admin": {"smartCS", "payment", "queue"},
    }
    for lane, codes in lanes.items():
        assert {code for code in spec.priority if spec.agents[code].lane == lane} == codes


def test_the_context_has_the_seeds_fields() -> None:
    """Seed 003 §7.2: the fields of IntentContext by name, down to a frame's memory and evidence."""
    (turn,) = turns("我想挂李四医生明天的号")
    assert {"intent_ops", "frames", "medical_focus_id", "memory_policy_default", "safety", "meta"} <= set(turn)
    assert set(turn["intent_ops"][0]) >= {"op", "target", "lane", "priority", "reason", "confidence"}
    (frame,) = turn["frames"]
    fields = "frame_id agent_code role lane status confidence slots missing_slots memory evidence"
    assert set(frame) >= set(fields.split())
    assert set(frame["memory"]) >= {"persist_level", "summary"}
    assert set(frame["evidence"]) >= {"turn_type", "signals", "candidates"}
    assert set(turn["memory_policy_default"]) == {"full_history_default", "vector_alignment", "structured_state"}
    assert set(turn["safety"]) >= {"label", "action"}
    assert set(turn["meta"]) >= {"layer_hit", "config_version", "prompt_version"}
