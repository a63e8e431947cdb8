"""Recording and replaying a model, so that two releases are measured on the same answers (commands.md, Consumer)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tingdong.errors import BackendError, BackendTimeout, DataError
from tingdong.llm import Budget, ChatMessage, ChatRequest, ScriptedChatModel, read_answer
from tingdong.llm.cassette import CassettePlayer, CassetteRecorder


def _ask(text: str) -> ChatRequest:
    return ChatRequest((ChatMessage("user", text),))


async def test_a_recording_answers_like_the_model(tmp_path: Path) -> None:
    """What was recorded is replayed, and nothing else is."""
    path = tmp_path / "run" / "cassette.jsonl"
    recorder = CassetteRecorder(ScriptedChatModel({"开灯": "甲", "关灯": BackendTimeout("late")}), path)
    assert (await read_answer(recorder, _ask("开灯"), Budget(1))).text == "甲"
    with pytest.raises(BackendTimeout):
        await read_answer(recorder, _ask("关灯"), Budget(1))
    player = CassettePlayer(path)
    assert (await read_answer(player, _ask("开灯"), Budget(1))).text == "甲"
    for text, code in (("关灯", "backend_timeout"), ("没录过", "not_recorded")):
        with pytest.raises(BackendError) as error:
            await read_answer(player, _ask(text), Budget(1))
        assert error.value.code == code


async def test_an_answer_cut_short_is_recorded_as_far_as_it_came(tmp_path: Path) -> None:
    """Early stop: the pieces that arrived are what a replay gives."""
    path = tmp_path / "cassette.jsonl"
    recorder = CassetteRecorder(ScriptedChatModel({"开灯": "好" * 64}), path)
    answer = await read_answer(recorder, _ask("开灯"), Budget(1), viable=lambda text: len(text) < 20)
    assert answer.stopped
    assert (await read_answer(CassettePlayer(path), _ask("开灯"), Budget(1))).text == answer.text


def test_a_broken_cassette_names_its_line(tmp_path: Path) -> None:
    """Bad input gets a clear error."""
    path = tmp_path / "cassette.jsonl"
    path.write_text('{"key": "a"}\nnonsense\n', encoding="utf-8")
    with pytest.raises(DataError, match="第 2 行"):
        CassettePlayer(path)


def test_the_constraint_is_the_same_in_every_process() -> None:
    """Whatever the seed of hashes: replicas ask alike, and what one run records another replays (docs/llm.md)."""
    program = (
        "import asyncio, hashlib; from tingdong.commands.llm_parser import LLMParser;"
        "from tingdong.commands.reading import Reading;"
        "from tingdong.llm import Budget, GuardedModel, ScriptedChatModel;"
        "from tingdong.llm.cassette import request_key; model = ScriptedChatModel({'开灯': '[]'});"
        "asyncio.run(LLMParser(GuardedModel(model)).read(Reading('开灯'), Budget(5)));"
        "print([request_key(request) for request in model.requests])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
    assert len(told.pop()) > 64
