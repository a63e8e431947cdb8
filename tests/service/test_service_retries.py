"""A repeated `rid` acts once, however late; a page's laws hold for both desks and wires (service.md, Retries)."""

import asyncio
import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import httpx
import msgspec
import pytest

from tingdong.bootstrap import hospital_desk
from tingdong.commands.reading import Reading
from tingdong.desk_turn import DeskPage, DeskTurns, ServedTurn, TurnAsked
from tingdong.errors import BadFrame
from tingdong.home_turn import Understander
from tingdong.pages import KEPT_BYTES, kept_answers
from tingdong.service.hospital import HOSPITAL_STREAM
from tingdong.stores import MemoryPageStore
from tingdong.stores.conversations import CONVERSATIONS
from tingdong.stores.memory import MemoryStore
from tingdong.workshop import Workshop

T = TypeVar("T")
HOMES = Path(__file__).parents[1] / "corpus" / "homes"
HOME = json.loads((HOMES / "sample8.json").read_text("utf-8"))


def _delayed(number: int, **more: Any) -> dict[str, Any]:
    question = f"{number + 1}分钟后关掉客厅的灯"
    payload = {"page_id": "p", "question": question, "instruct": True, "home": HOME, "local": "客厅", **more}
    return {"topic": "llm/smarthome", "rid": f"r{number}", "payload": payload}


@pytest.mark.parametrize("store", ["memory", "redis"])
async def test_as_many_as_may_be_in_flight_are_remembered(
    serve_settings: Any, pipe: Any, redis_url: str, store: str, tmp_path: Path
) -> None:
    """16 delayed orders, all repeated: the same closing frames to the byte, and no timer twice."""
    pages = {"store": "memory" if store == "memory" else redis_url, "prefix": f"test-{tmp_path.name}-{id(pipe)}"}
    async with serve_settings(pages=pages) as service, service.connect() as socket:
        rounds = []
        for _ in range(2):
            answers = []
            for number in range(16):
                await pipe(socket).send(_delayed(number))
                answers.append(await pipe(socket).closing(f"r{number}"))
            rounds.append(answers)
    assert rounds[0] == rounds[1]


async def test_a_rid_is_for_one_question(serve_settings: Any, pipe: Any) -> None:
    """Used for another one it is refused, on either wire and at either desk; the page stays as it was."""
    turn = {"page_id": "p", "question": "我想挂儿科的号", "rid": "r"}
    async with (
        serve_settings() as service,
        service.connect() as home,
        service.connect(HOSPITAL_STREAM) as desk,
        httpx.AsyncClient(base_url=service.http, trust_env=False) as http,
    ):
        await pipe(home).send(_delayed(0))
        first = await pipe(home).closing("r0")
        await pipe(home).send(_delayed(0, question="打开卧室的灯"))
        refused = await pipe(home).closing("r0")
        assert (refused["ret"], refused["path"]) == (400, "rid")
        answer = await http.post("/v1/understand", json={**_delayed(0)["payload"], "rid": "r0", "question": "关灯"})
        assert (answer.status_code, answer.json()["path"]) == (400, "rid")
        await pipe(home).send(_delayed(0))
        assert await pipe(home).closing("r0") == first
        assert (await http.post("/v1/hospital/turn", json=turn)).status_code == 200
        other = {**turn, "question": "我头痛"}
        assert (await http.post("/v1/hospital/turn", json=other)).json()["path"] == "rid"
        await pipe(desk).send({"topic": "llm/hospital", "rid": "r", "payload": other})
        assert (await pipe(desk).closing("r"))["ret"] == 400


async def test_a_repeat_that_asks_for_reasons_gets_the_same_answer(serve_settings: Any) -> None:
    """With `explain`, or without where it was asked for before: what both hold is the same to the byte."""
    async with serve_settings() as service, httpx.AsyncClient(base_url=service.http, trust_env=False) as http:
        plain = {**_delayed(0)["payload"], "rid": "r"}
        bodies = [
            (await http.post("/v1/understand", json={**plain, "explain": explain})).content
            for explain in (False, True, False)
        ]
    assert bodies[0] == bodies[2]
    assert bodies[1].startswith(bodies[0][:-1] + b',"explain"')


async def test_turns_of_every_desk_and_protocol_are_logged_and_counted(serve_settings: Any, pipe: Any) -> None:
    """A turn over HTTP is counted as one over the pipe is, refused ones too (docs/operations.md, Observability)."""
    async with serve_settings() as service, service.connect() as socket:
        await pipe(socket).send(_delayed(0))
        await pipe(socket).closing("r0")
        async with httpx.AsyncClient(base_url=service.http, trust_env=False) as http:
            await http.post("/v1/understand", json=_delayed(1)["payload"])
            await http.post("/v1/understand", json={**_delayed(1)["payload"], "home": []})
            await http.post("/v1/hospital/turn", json={"page_id": "p", "question": "我想挂儿科的号"})
            metrics = (await http.get("/metrics")).text
    assert 'tingdong_turns_total{kind="instruct",topic="llm/smarthome"} 2.0' in metrics
    assert 'tingdong_closing_frames_total{ret="422",topic="llm/smarthome"} 1.0' in metrics
    assert 'tingdong_turn_seconds_count{topic="llm/hospital"} 1.0' in metrics


async def test_a_turn_over_http_has_a_limit_of_time(run_service: Any, understanding: Any, frame: Any) -> None:
    """504, as over the pipe (service.md, Errors)."""
    async with (
        run_service(understanding, turn_seconds=0.05) as service,
        httpx.AsyncClient(base_url=service.http, trust_env=False) as http,
    ):
        answer = await http.post("/v1/understand", json=frame("1", "慢一点")["payload"])
    assert answer.status_code == 504


async def test_a_rolled_back_domain_breaks_no_page() -> None:
    """Tasks of an agent that a roll back took away leave the dialogue; its next turn is served (hospital.md, Per
    turn)."""
    store = MemoryStore(CONVERSATIONS)
    desk_turns = DeskTurns(store, hospital_desk())
    now = datetime(2026, 11, 23, 9, tzinfo=UTC)
    await desk_turns.turn(TurnAsked("1", "p", "我想挂儿科的号", now))
    kept = await store.get("p")
    assert kept is not None
    page, revision = kept
    frames = tuple(msgspec.structs.replace(frame, agent_code="of_a_later_file") for frame in page.context.frames)
    context = msgspec.structs.replace(page.context, frames=frames)
    assert frames
    assert await store.put("p", msgspec.structs.replace(page, context=context), expected=revision)
    later = (await desk_turns.turn(TurnAsked("2", "p", "再帮我查一下报告", now))).turn
    codes = {frame["agent_code"] for frame in later["frames"]}
    assert codes
    assert "of_a_later_file" not in codes


class SlowReader:
    """Reads short sentences at once; long ones when it may."""

    def __init__(self) -> None:
        self.reading = threading.Event()
        self.may = threading.Event()

    def read(self, text: str, names: Any = None) -> Reading:
        if len(text) > 200:
            self.reading.set()
            assert self.may.wait(30)
        return Reading(text, reason="no_request")


async def test_a_long_sentence_blocks_nobody(run_service: Any, pipe: Any, frame: Any) -> None:
    """While it is read others are served, and its own time ends too: 504 (service.md, Limits)."""
    reader = SlowReader()
    understander = Understander(MemoryPageStore(), local=reader)
    try:
        async with run_service(understander, turn_seconds=0.3) as service, service.connect() as socket:
            talk = pipe(socket)
            await talk.send(frame("long", "灯" * 900, home=HOME))
            assert await asyncio.to_thread(reader.reading.wait, 60)
            await talk.send(frame("short", "开灯", home=HOME, page_id="page-2"))
            rets: dict[str, int] = {}
            while len(rets) < 2:
                told = await talk.receive()
                if told["payload"]["finish"]:
                    rets[told["rid"]] = told["payload"]["data"]["ret"]
            assert rets == {"short": 0, "long": 504}
    finally:
        reader.may.set()


class HeldWorkshop(Workshop):
    """Begins long work only when it `may`."""

    def __init__(self) -> None:
        super().__init__()
        self.may = threading.Event()

    async def do(self, work: Callable[[], T], *, long: bool) -> T:
        return await super().do(lambda: (self.may.wait(60), work())[1], long=True) if long else work()


async def test_a_large_new_home_blocks_nobody(run_service: Any, pipe: Any, frame: Any) -> None:
    """While one of a hundred kilobytes is compiled others are served; then it is served itself (service.md, Limits)."""
    villa = json.loads((HOMES / "villa120.json").read_text("utf-8"))
    devices = [{**one, "id": f"{one['id']}-{copy}"} for copy in range(8) for one in villa["devices"]]
    workshop = HeldWorkshop()
    understander = Understander(MemoryPageStore(), workshop=workshop)
    try:
        async with run_service(understander, turn_seconds=60.0) as service, service.connect() as socket:
            await pipe(socket).send(frame("large", "打开客厅的灯", home={**villa, "devices": devices, "groups": []}))
            await pipe(socket).send(frame("short", "打开客厅的灯", home=HOME, page_id="page-2"))
            told = await pipe(socket).receive()
            assert (told["rid"], workshop.may.is_set()) == ("short", False)
            workshop.may.set()
            assert (await pipe(socket).closing("large"))["ret"] == 0
    finally:
        workshop.may.set()


async def test_stored_answers_of_a_page_are_bounded_in_bytes() -> None:
    """Of 40 answers of 250 KB 2 MB are kept, the latest; one that is not kept is refused, and not done again."""
    answers: tuple[ServedTurn, ...] = ()
    for number in range(40):
        answers = kept_answers((ServedTurn(f"r{number}", {"reply": "好" * 83_000}, size=249_013), *answers))
    page = DeskPage(served=answers)
    assert [one.rid for one in answers] == [f"r{number}" for number in reversed(range(8, 40))]
    assert [one.size > 0 for one in answers] == [True] * 8 + [False] * 24
    assert len(page.encode()) <= KEPT_BYTES + 32_000
    store = MemoryStore(CONVERSATIONS)
    assert await store.put("p", page, expected=0)
    turns, now = DeskTurns(store, hospital_desk()), datetime(2026, 11, 27, 9, tzinfo=UTC)
    assert (await turns.turn(TurnAsked("r39", "p", "挂骨科", now))).replayed
    with pytest.raises(BadFrame):
        await turns.turn(TurnAsked("r8", "p", "挂骨科", now))
