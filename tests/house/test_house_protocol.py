"""What the protocol pages show is what happens (docs/protocol)."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

import tingdong
from tingdong.bootstrap import embedded
from tingdong.home_turn import TurnRequest

PROTOCOL = Path(__file__).parents[2] / "docs" / "protocol"
ROW = re.compile(r"^\| ([^|`]*[\u4e00-\u9fff][^|`]*) \| ((?:`[^`]+`(?:, |、)?)+) \|$", re.MULTILINE)
JSON = re.compile(r"^```json\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", ["commands.md", "commands.zh-CN.md"])
def test_the_sentences_of_the_commands_page_give_its_commands(name: str) -> None:
    """commands.md, Output: each sentence of the table is read as the commands beside it."""
    text = (PROTOCOL / name).read_text(encoding="utf-8")
    rows = ROW.findall(text[: text.index("## ACTION")])
    assert len(rows) > 20
    wrong = {said: read for said, told in rows if (read := _read(said)) != re.findall(r"`([^`]+)`", told)}
    assert wrong == {}


def _read(said: str) -> list[str]:
    return [str(command) for command in tingdong.parse(said).commands]


@pytest.mark.parametrize("name", ["service.md", "service.zh-CN.md"])
def test_the_frames_of_the_service_page_belong_together(name: str) -> None:
    """service.md, Request frame: that request gets the token frame and the closing frame that the page shows."""
    request, token, closing = map(json.loads, JSON.findall((PROTOCOL / name).read_text(encoding="utf-8"))[:3])
    asked, told = request["payload"], closing["payload"]["data"]
    home = json.dumps(asked["home"]).encode()
    turn = asyncio.run(
        embedded().turn(
            TurnRequest(request["rid"], asked["page_id"], asked["question"], home=home, local=asked["local"])
        )
    )
    intent = {"type": turn.kind.value, "result": turn.text}
    assert token["payload"]["data"]["token"] == intent
    assert told["active"] == {"intent": intent, "instructs": list(msgspec.to_builtins(turn.instructs))}
    assert (told["page_id"], told["question"]) == (asked["page_id"], asked["question"])
    assert {frame["rid"] for frame in (request, token, closing)} == {request["rid"]}


@pytest.mark.parametrize("name", ["hospital.md", "hospital.zh-CN.md"])
def test_the_context_of_the_front_desk_page_is_what_a_turn_gives(name: str) -> None:
    """hospital.md, Turn as JSON: the turn that stands in its history gives that context, figures and versions aside."""
    shown = json.loads(JSON.findall((PROTOCOL / name).read_text(encoding="utf-8"))[0])
    given = msgspec.to_builtins(tingdong.FrontDesk.load().say(shown["history"][0]["text"]).context)
    assert _plain(given) == _plain(shown)


def _plain(context: dict[str, Any]) -> dict[str, Any]:
    told = json.loads(re.sub(r'"(confidence|score)": [\d.]+', r'"\1": 0', json.dumps(context)))
    told["meta"] = sorted(told["meta"])
    for frame in told["frames"]:
        frame["evidence"]["candidates"] = frame["evidence"]["candidates"][:1]
    return told
