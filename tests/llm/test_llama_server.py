"""A real client against a real model server: llama-cpp-python with a tiny random model (docs/llm.md, "Real server").

The model knows nothing, so whatever sense its answers make is the grammar's. Skipped where the server is not installed;
`make test-llama` installs it beside the project and runs this file.
"""

import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from context_retrieval.models import DeviceType
from tingdong.commands import LocalParser
from tingdong.commands.codec import CommandConsumer
from tingdong.commands.grounding import faults
from tingdong.commands.llm_parser import LLMParser, command_constraint
from tingdong.commands.reading import NameTable, Reading, Verdict
from tingdong.llm import Budget, ChatMessage, ChatRequest, ConstraintKind, GuardedModel, read_answer
from tingdong.llm.openai_model import ModelOptions, OpenAIChatModel, preload
from tingdong.llm.viable import viable_json

HERE = Path(__file__).parent
PYTHON = os.environ.get("TINGDONG_LLAMA_PYTHON") or (sys.executable if importlib.util.find_spec("llama_cpp") else "")
START_SECONDS = 120.0
NAMES = NameTable({"顶灯": DeviceType.LIGHT, "老伙计": DeviceType.FAN}, frozenset({"客厅", "卧室"}))

pytestmark = pytest.mark.skipif(not PYTHON, reason="llama-cpp-python is not installed (make test-llama)")


@pytest.fixture(scope="module")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of this machine with a model made for this run."""
    folder = tmp_path_factory.mktemp("llama")
    model, log = folder / "tiny.gguf", folder / "server.log"
    subprocess.run([PYTHON, str(HERE / "tiny_gguf.py"), str(model)], check=True, capture_output=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [PYTHON, "-m", "llama_cpp.server", "--model", str(model), "--n_ctx", "12288"]
    with log.open("wb") as out, subprocess.Popen([*command, "--port", str(port)], stdout=out, stderr=out) as server:
        try:
            _await_listening(server, port, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.kill()  # it would first finish what nobody reads


def _await_listening(server: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        assert server.poll() is None, log.read_text(errors="replace")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            continue
        return
    pytest.fail("the model server did not start: " + log.read_text(errors="replace"))


@pytest.fixture
async def model(base_url: str) -> "OpenAIChatModel":
    preload()
    return OpenAIChatModel(ModelOptions(base_url, "tiny"))


async def test_the_server_is_found_to_obey_a_schema(model: OpenAIChatModel) -> None:
    """Negotiation against the real thing: no regular expressions, no json_schema, but a schema under json_object."""
    assert await model.negotiate(timeout_s=60.0) is ConstraintKind.JSON_OBJECT_SCHEMA
    await model.aclose()


async def test_an_untrained_model_gives_commands_of_this_home(model: OpenAIChatModel) -> None:
    """The home-compiled constraint holds: every room, name and type is the home's, whatever the weights say."""
    await model.negotiate(timeout_s=60.0)
    request = ChatRequest((ChatMessage("user", "打开灯"),), constraint=command_constraint(NAMES), max_tokens=1_024)
    answer = await read_answer(model, request, Budget(120.0), first_token_s=60.0)
    await model.aclose()
    assert answer.usage.completion_tokens > 0
    decoded = CommandConsumer().read(answer.text)
    assert decoded.issues == ()
    assert decoded.commands
    for command in decoded.commands:
        assert {*command.scope.include, *command.scope.exclude} <= {"*", "@here", "客厅", "卧室"}
        assert command.target.name in {"*", "@last", "顶灯", "老伙计"}


async def test_without_a_constraint_its_noise_does_nothing(base_url: str) -> None:
    """The same model by the prompt alone: nothing is believed.

    In one piece, since this server never serves again once a client has left a stream (docs/llm.md, "Real server").
    """
    model = OpenAIChatModel(ModelOptions(base_url, "tiny", constraint=ConstraintKind.PROMPT, stream=False))
    guarded = GuardedModel(model, first_token_s=120.0)
    reading = await LLMParser(guarded).read(Reading("打开灯"), Budget(240.0, 64_000), NAMES)
    await model.aclose()
    assert (reading.commands, reading.verdict) == ((), Verdict.ABSTAIN)
    assert guarded.statistics.stopped_early == 2


async def test_the_whole_tier_is_grounded_on_real_answers(model: OpenAIChatModel) -> None:
    """Prompt of commands.md and our rules, grammar, stream, consumer, grounding: what is believed could have been
    said."""
    await model.negotiate(timeout_s=60.0)
    guarded = GuardedModel(model, first_token_s=120.0)
    local = LocalParser().read("把客厅的顶灯关了", NAMES)
    reading = await LLMParser(guarded).read(local, Budget(240.0, 64_000), NAMES)
    await model.aclose()
    assert guarded.statistics.prompt_tokens > 1_500
    assert faults(local, reading.commands, NAMES) == ()
    assert (reading.verdict is Verdict.ACCEPT) == bool(reading.commands)


async def test_the_constrained_stream_stays_viable(model: OpenAIChatModel) -> None:
    """Piece by piece: a constrained answer never meets the early stop."""
    await model.negotiate(timeout_s=60.0)
    text, request = "", ChatRequest((ChatMessage("user", "灯"),), command_constraint(NAMES), max_tokens=400)
    async for chunk in model.stream(request, timeout_s=120.0):
        text += chunk.text
        assert viable_json(text)
    await model.aclose()
    assert text
