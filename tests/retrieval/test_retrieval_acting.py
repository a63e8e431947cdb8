"""The YAML can be acted on: a small interpreter that knows nothing else makes the right calls (retrieval.md, YAML)."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from context_retrieval.injection import PROMPT_TOKENS, count_tokens, summarize_result_for_prompt
from context_retrieval.models import Candidate, Device, DeviceCommand, RetrievalResult, Role, ValueRange
from tingdong.cli.retrieving import HomeFile

CORPUS = Path(__file__).parents[1] / "corpus"
Call = tuple[str, str, Any]


@cache
def home(name: str) -> HomeFile:
    found = next(CORPUS.glob(f"**/homes/{name}.json"))
    return HomeFile(found)


class Wanted(msgspec.Struct):
    """What an agent understood of the sentence: the act in the words of command descriptions, its value and unit."""

    act: str
    value: Any = None
    unit: str | None = None


def entries(prompt: str) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """Each entry of the prompt with its ids."""
    loaded = yaml.safe_load(prompt)
    for entry in [*loaded.get("devices", ()), *loaded.get("groups", ())]:
        ids = [entry["id"]] if "id" in entry else list(entry.get("ids", ()))
        ids += [member["id"] for member in entry.get("members", ()) if "role" not in member]
        yield ids, entry


def calls(prompt: str, wanted: Wanted) -> set[Call]:
    """What is sent for `wanted`; nothing to what is watched or protected, nothing out of range or of another unit."""
    found: set[Call] = set()
    most = {one: row["count"] for row in yaml.safe_load(prompt).get("choose", ()) for one in row["of"]}
    sent = 0
    for ids, entry in entries(prompt):
        if entry.get("role") == "condition" or "protected" in entry:
            continue
        for command in entry.get("commands", ()):
            value = _sendable(command, wanted)
            if value is _NOT:
                continue
            for one in ids:
                if one in most and sent >= most[one]:
                    continue
                sent += one in most
                found.add((one, command["id"], value))
            break
    return found


_NOT = object()


def _sendable(command: dict[str, Any], wanted: Wanted) -> Any:
    """The value to send with a command, or `_NOT` where it does not serve."""
    if not command["description"].startswith(wanted.act):
        return _NOT
    if wanted.value is None:
        return None
    if "values" in command:
        return wanted.value if wanted.value in command["values"] else _NOT
    limits = command.get("value_range")
    if limits is None:
        return _NOT if command.get("type") in (None, "bool") else wanted.value
    low, high = limits.get("minimum"), limits.get("maximum")
    number = wanted.value
    if wanted.unit == "%" and limits.get("unit") != "%":
        number = round(low + (high - low) * number / 100)
    return number if low <= number <= high else _NOT


ON, OFF = Wanted("打开设备"), Wanted("关闭设备")
ACTED: list[tuple[str, str, Wanted, set[Call]]] = [
    ("songhe106", "康复室的空调打开", ON, {("z081", "power:on", None)}),
    ("songhe106", "201到203的顶灯关掉", OFF, {(one, "power:off", None) for one in ("z005", "z010", "z015")}),
    ("songhe106", "活动室空调调到26度", Wanted("设置温度", 26), {("z067", "target", 26)}),
    ("songhe106", "活动室空调调成除湿", Wanted("设置模式", "dry"), {("z067", "mode", "dry")}),
    ("songhe106", "活动室空调风速调到三档", Wanted("设置风速", 3), {("z067", "wind", 3)}),
    ("songhe106", "活动室空调风速调到九档", Wanted("设置风速", 9), set()),
    ("songhe106", "活动室空调调到40度", Wanted("设置温度", 40), set()),
    ("songhe106", "202的制氧机关掉", OFF, set()),
    ("songhe106", "201的窗帘开到一半", Wanted("设置开合度", 50, "%"), {("z049", "open", 50)}),
    ("songhe106", "活动室的电视声音调到20", Wanted("设置音量", 20), {("z066", "vol", 20)}),
    ("songhe106", "活动室电视换到八频道", Wanted("设置频道", 8), {("z066", "ch", 8)}),
    ("songhe106", "张爷爷房的电视关了", OFF, {("z060", "power:off", None)}),
    ("songhe106", "康复室低于20度就打开空调", ON, {("z081", "power:on", None)}),
    ("songhe106", "餐厅没人的话空调就关了", OFF, {("z075", "power:off", None)}),
    ("songhe106", "小天鹅快洗", Wanted("设置模式", "quick"), {("z093", "mode", "quick")}),
    ("songhe106", "女浴室的水温调到45度", Wanted("设置温度", 45), {("z092", "temp", 45)}),
    ("design192", "泰山会议室的投影仪打开", ON, {("y092", "sw:on", None)}),
    ("design192", "泰山会议室投影仪切到cast", Wanted("设置输入源", "cast"), {("y092", "src", "cast")}),
    ("design192", "A区的灯带亮度调到百分之五十", Wanted("设置亮度", 50, "%"), {("y019", "lvl", 128)}),
    ("design192", "王总办公室主灯色温调到4000K", Wanted("设置色温", 4000), {("y060", "cct", 4000)}),
    ("design192", "王总办公室主灯亮度调到百分之三十", Wanted("设置亮度", 30, "%"), {("y060", "lvl", 30)}),
    ("design192", "赵总办公室的卷帘拉上", OFF, {("y070", "pos:close", None)}),
    ("design192", "男厕的灯都关了", OFF, {("y168", "sw:off", None), ("y169", "sw:off", None)}),
    ("design192", "洽谈间2和4的空调关掉", OFF, {("y123", "sw:off", None), ("y131", "sw:off", None)}),
    ("design192", "机房的服务器1关掉", OFF, set()),
    ("design192", "理光那台关掉", OFF, {("y150", "sw:off", None)}),
    ("design192", "B区二氧化碳超过1000就把B区空调打开", ON, {("y036", "sw:on", None), ("y037", "sw:on", None)}),
    ("design192", "跑步机速度调到6", Wanted("设置风速", 6), {("y188", "speed", 6)}),
    ("design192", "任意开两盏A区的面板灯", ON, {("y013", "sw:on", None), ("y014", "sw:on", None)}),
    ("design192", "德龙关了", OFF, {("y145", "sw:off", None)}),
]
"""Home, sentence, what an agent understood of it, and the calls that are right."""


def test_a_small_interpreter_makes_the_right_calls() -> None:
    """retrieval.md, Devices: of 30 prompts at least 28 are acted on rightly by a program that knows only the YAML."""
    wrong = []
    for name, text, wanted, right in ACTED:
        prompt = str(home(name).retrieve(text, explain=True).yaml)
        if (made := calls(prompt, wanted)) != right:
            wrong.append((text, made, right))
    assert len(ACTED) == 30
    assert len(wrong) <= 2, wrong


def test_readings_stand_where_they_are_asked_for() -> None:
    """A question brings the reading, of the property asked for; an order brings none."""
    warm = yaml.safe_load(str(home("songhe106").retrieve("康复室现在多少度", explain=True).yaml))["devices"]
    assert [one["state"] for one in warm] == [{"temp": -7}]
    doors = str(home("songhe106").retrieve("哪几间房的门开着", explain=True).yaml)
    told = {one: entry["state"]["opened"] for ids, entry in entries(doors) for one in ids}
    assert told["z045"] != told["z046"]
    assert "state" not in str(home("songhe106").retrieve("康复室的空调打开", explain=True).yaml)
    lamps = str(home("songhe106").retrieve("还有哪些灯没关", explain=True).yaml)
    assert {entry["state"]["power"] for _, entry in entries(lamps)} == {True, False}


def test_a_condition_is_told_from_a_target() -> None:
    """What is watched has a role and its reading; it is nothing to act on."""
    devices = yaml.safe_load(str(home("songhe106").retrieve("康复室低于20度就打开空调", explain=True).yaml))["devices"]
    assert [(one["id"], one.get("role"), "state" in one) for one in devices] == [
        ("z081", None, False),
        ("z083", "condition", True),
    ]


def test_a_restart_tells_its_steps() -> None:
    """Off, then on, in this order."""
    prompt = yaml.safe_load(str(home("songhe106").retrieve("活动室电视重启", explain=True).yaml))
    assert prompt["devices"][0]["steps"] == ["power:off", "power:on"]


def devices_of(number: int, describe: str = "设置亮度") -> RetrievalResult:
    limits = ValueRange(0, 100, "%")
    made = [
        Device(
            f"d{n}",
            f"灯{n}",
            "厅",
            "light",
            tuple(DeviceCommand(f"c{k}", describe, "integer", limits) for k in range(9)),
        )
        for n in range(number)
    ]
    found = tuple(Candidate(one.id, role=Role.TARGET, command_ids=tuple(c.id for c in one.commands)) for one in made)
    return RetrievalResult(found, tuple(made))


@pytest.mark.parametrize("number", [1, 5, 6, 12, 13, 60, 400])
def test_nothing_is_cut_in_silence(number: int) -> None:
    """Above 600 tokens the prompt says what was cut, and no id ever is (retrieval.md)."""
    prompt = summarize_result_for_prompt(devices_of(number, "设置亮度" * 12))
    assert count_tokens(prompt) <= PROMPT_TOKENS or "# 为控制长度，省略了：" in prompt
    assert {one for ids, _ in entries(prompt) for one in ids} == {f"d{n}" for n in range(number)}
    assert all(entry["commands"] for _, entry in entries(prompt))
