"""What a request gets depends on the request and its page, not on who else asks, waits, or came before (service.md)."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tingdong.service.hospital import HOSPITAL_STREAM

HOME = json.loads((Path(__file__).parents[1] / "corpus" / "homes" / "sample8.json").read_text("utf-8"))


async def test_a_desk_that_waits_for_its_model_blocks_nobody(serve_settings: Any, pipe: Any) -> None:
    """Pages in memory, and a model that does not answer: the connection's other pages are served meanwhile."""
    asked, over = asyncio.Event(), asyncio.Event()

    async def silent(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await over.wait()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    llm = {"base_url": f"http://127.0.0.1:{port}/v1", "model": "none", "timeout_seconds": 60, "first_token_seconds": 60}

    def frame(rid: str, question: str) -> dict[str, Any]:
        return {"topic": "llm/hospital", "rid": rid, "payload": {"page_id": rid, "question": question}}

    try:
        async with (
            serve_settings(llm=llm) as service,
            service.connect(HOSPITAL_STREAM) as socket,
        ):
            talk, came = pipe(socket), []
            await talk.send(frame("open", "帮我看看这个事"))
            async with asyncio.timeout(60):
                await asked.wait()
            await talk.send(frame("sure", "停车怎么收费"))
            while len(came) < 2:
                told = await talk.receive()
                if told["payload"]["finish"]:
                    came.append((told["rid"], told["payload"]["data"]["ret"]))
                    over.set()
    finally:
        over.set()
        server.close()
    assert came == [("sure", 0), ("open", 0)]


def _changed(**device: Any) -> dict[str, Any]:
    return {**HOME, "devices": [{**HOME["devices"][0], **device}, *HOME["devices"][1:]]}


HOMES = {
    "as it is": HOME,
    "another state": _changed(device={"model": "002", "state": {"power": False, "level": 7}}),
    "a state of another kind": _changed(device={"model": "002", "state": {"power": "真", "level": "高"}}),
    "an unknown model": _changed(device={"model": "没有", "state": {"power": True}}),
    "no model": _changed(device={"state": {"power": True}}),
    "a state that is none": _changed(device={"model": "002", "state": 1}),
    "an id twice": _changed(id=HOME["devices"][1]["id"]),
    "a name that is none": _changed(name=7),
    "switched off": _changed(online=False),
    "no layout": {**HOME, "layout": 3},
}


@pytest.mark.parametrize("first", ["as it is", "a state that is none", "no model"])
async def test_validation_does_not_depend_on_earlier_homes(serve_settings: Any, pipe: Any, first: str) -> None:
    """Refused on a fresh connection is refused behind another home, taken is taken, with the same answer: whatever the
    connection, the page or the process knew before."""

    async def answer(service: Any, name: str, number: int) -> tuple[Any, ...]:
        payload = {"page_id": f"p{number}", "question": "打开客厅的灯", "instruct": True, "home": HOMES[name]}
        await service.send({"topic": "llm/smarthome", "rid": f"r{number}", "payload": payload})
        data = await service.closing(f"r{number}")
        return data["ret"], data.get("path"), data.get("active")

    fresh, after = {}, {}
    for name in HOMES:
        async with serve_settings() as service, service.connect() as socket:
            fresh[name] = await answer(pipe(socket), name, 0)
    async with serve_settings() as service, service.connect() as socket:
        talk = pipe(socket)
        for number, name in enumerate(HOMES):
            await answer(talk, first, 2 * number)
            after[name] = await answer(talk, name, 2 * number + 1)
    assert after == fresh
    assert {told[0] for told in fresh.values()} == {0, 422}
