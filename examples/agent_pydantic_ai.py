"""Embed retrieval in an agent of Pydantic AI: the few devices of this request as prompt and tools, calls checked.

    .venv/bin/pip install 'pydantic-ai-slim>=2'
    .venv/bin/python examples/agent_pydantic_ai.py '把老伙计调到50%'
    .venv/bin/python examples/agent_pydantic_ai.py --model openai:gpt-5 '打开客厅的灯'

Without `--model` a scripted model answers, which calls the first tool it is given; everything else is real.
"""

import argparse
import asyncio
from typing import Any

try:
    from pydantic_ai import Agent, ModelRetry, Tool
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models import Model
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    import tingdong  # noqa: F401
except ModuleNotFoundError as error:
    raise SystemExit(
        f"{error.name} is not installed here; in the folder of TingDong: "
        ".venv/bin/pip install . 'pydantic-ai-slim>=2', then run this with .venv/bin/python"
    ) from None

from context_retrieval.catalog import Catalog
from context_retrieval.demo_data import DEVICES, GROUPS, SCENES
from context_retrieval.ir_compiler import LLMClient
from context_retrieval.pipeline import retrieve
from context_retrieval.state import ConversationState
from tingdong.bridges.agent_tools import AgentTools, DeviceCall, InvalidCall
from tingdong.bridges.embedded_llm import EmbeddedLLM
from tingdong.bridges.system_prompt import system_prompt

BASE = "你是智能家居助手。只使用给出的设备；有提示时先问清楚再操作。"


class HomeAgent:
    """One conversation. `done` lists what the agent did; a real home would be switched in `_carry_out`."""

    def __init__(self, model: Model | str) -> None:
        self.model = model
        self.catalog = Catalog.build(DEVICES, GROUPS, SCENES)
        self.llm: LLMClient = EmbeddedLLM(self.catalog)
        self.state = ConversationState()
        self.done: list[DeviceCall] = []

    async def say(self, text: str, location: str | None = None) -> str:
        """One turn: retrieve, assemble prompt and tools, let the agent work."""
        result = retrieve(text, self.catalog, self.llm, self.state, location=location)
        tools = AgentTools.of(result, self.catalog)
        agent = Agent(
            self.model,
            instructions=system_prompt(BASE, result),
            tools=[self._tool(definition["function"], tools) for definition in tools.definitions],
            retries=3,
        )
        return (await agent.run(text)).output

    def _tool(self, definition: dict[str, Any], tools: AgentTools) -> Tool[None]:
        def call(**arguments: Any) -> str:
            try:
                checked = tools.read(definition["name"], arguments)
            except InvalidCall as error:
                raise ModelRetry(str(error)) from error
            return self._carry_out(checked)

        return Tool.from_schema(call, definition["name"], definition["description"], definition["parameters"])

    def _carry_out(self, call: DeviceCall) -> str:
        self.done.append(call)
        return "done"


def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Stands in for a language model: calls the first tool for all its devices, at half of its range."""
    if isinstance(messages[-1].parts[-1], ToolReturnPart):
        # A refused call comes back here too; a real model would read the reason and try again.
        return ModelResponse(parts=[TextPart("好的。")])
    if not info.function_tools:
        return ModelResponse(parts=[TextPart("请问是哪一个？")])
    tool = info.function_tools[0]
    properties = tool.parameters_json_schema["properties"]
    arguments: dict[str, Any] = {"devices": properties["devices"]["items"]["enum"]}
    if "value" in properties:
        arguments["value"] = (properties["value"].get("minimum", 0) + properties["value"].get("maximum", 100)) // 2
    return ModelResponse(parts=[ToolCallPart(tool.name, arguments)])


def main() -> None:
    """Play the sentences as one conversation."""
    parser = argparse.ArgumentParser(description="An agent of Pydantic AI with TingDong's retrieval")
    parser.add_argument("sentence", nargs="*", default=["把老伙计调到50%"])
    parser.add_argument("--model", help="a model of Pydantic AI, such as openai:gpt-5; a scripted one without it")
    parser.add_argument("--location", help="the room where the speaker is")
    options = parser.parse_args()
    agent = HomeAgent(options.model or FunctionModel(scripted))

    async def play() -> None:
        for sentence in options.sentence:
            before = len(agent.done)
            print(f"你：{sentence}\n助手：{await agent.say(sentence, options.location)}")
            for call in agent.done[before:]:
                print(f"  {call.command_id or '执行场景'}({', '.join(call.entity_ids)}) {call.value or ''}".rstrip())

    asyncio.run(play())


if __name__ == "__main__":
    main()
