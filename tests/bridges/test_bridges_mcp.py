"""The MCP server before the SDK's own client, over real standard input and output."""

import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

from tingdong.batch import ParseLine, parse_line
from tingdong.bridges.answers import Answers
from tingdong.bridges.mcp_server import mcp_server

HOMES = Path(__file__).parents[1] / "corpus" / "homes"
SAMPLE = HOMES / "sample8.json"

Call = Callable[..., Awaitable[Any]]


@asynccontextmanager
async def _client(*arguments: str) -> AsyncIterator[Client]:
    parameters = StdioServerParameters(command=sys.executable, args=["-m", "tingdong", "mcp", *arguments])
    async with Client(parameters, read_timeout_seconds=60) as client:
        yield client


async def _call(client: Client, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    value = result.structured_content
    return value["result"] if set(value) == {"result"} else value


def _are_described(tools: list[Any]) -> None:
    """The tools are parse, retrieve, resolve and explain, told in words, and marked as reading only."""
    assert [tool.name for tool in tools] == ["parse", "retrieve", "resolve", "explain"]
    for tool in tools:
        assert tool.description
        assert tool.annotations.read_only_hint is True
        assert all("description" in described for described in tool.input_schema["properties"].values())


async def test_the_tools_answer_over_stdio() -> None:
    """Commands, the fewest entities with YAML, their meaning in the home, a validated turn."""
    async with _client("--home", str(SAMPLE)) as client:
        _are_described((await client.list_tools()).tools)
        parsed = await _call(client, "parse", text="打开卧室空调")
        found = await _call(client, "retrieve", text="打开卧室空调")
        resolved = await _call(client, "resolve", commands=[*parsed["commands"], "打开-书房-*#Light#all", "胡说"])
        turn = await _call(client, "explain", text="小牛，除了厨房，其他灯都打开", page_id="p")
        more = await _call(client, "explain", text="关了", page_id="p")
    assert parsed["commands"] == ["打开-卧室-*#AirConditioner#all"]
    assert [one["entity_id"] for one in found["candidates"]] == ["dev-7"]
    assert "name: 空调" in found["yaml"]
    assert [one["status"] for one in resolved] == ["found", "no_room", "nothing"]
    assert resolved[0]["entity_ids"] == ["dev-7"]
    assert resolved[2]["issues"]
    assert turn["type"] == "instruct"
    assert {one["id"]: one["state"]["power"] for one in turn["instructs"]} == dict.fromkeys(
        ["dev-1", "dev-2", "dev-4"], True
    )
    assert turn["explain"]["reading"]["commands"]
    assert [one["id"] for one in more["instructs"]] == ["dev-1", "dev-2", "dev-4"]


async def test_a_call_may_bring_its_own_home_and_learns_what_is_wrong_with_it() -> None:
    """A home that does not validate is a tool error with the path of the fault, and the server goes on."""
    broken = {"devices": [{"id": "a", "device": {"model": "x"}}]}
    async with Client(mcp_server(Answers())) as client:  # the same client, in this process
        refused = await client.call_tool("explain", {"text": "开灯", "home": broken})
        nowhere = await client.call_tool("retrieve", {"text": "开灯"})
        home = json.loads(SAMPLE.read_bytes())
        found = await _call(client, "retrieve", text="把它关了", home=home, before=["打开厨房的灯"])
    assert refused.is_error
    assert "devices[0].device.model" in refused.content[0].text
    assert nowhere.is_error
    assert "--home" in nowhere.content[0].text
    assert [one["entity_id"] for one in found["candidates"]] == ["dev-3"]


def test_a_sentence_reads_as_at_the_command_line() -> None:
    """One tier reads for all ways in (docs/agents.md): rules and learned reader, also where the rules are not sure."""
    answers = Answers()
    for text in ("打开客厅的灯", "这里黑咕隆咚的，灯给我弄亮", "那啥，卧室里凉快点儿"):
        line = parse_line(ParseLine(text))
        assert answers.parse(text) == {key: line[key] for key in ("commands", "confidence", "tier")}
