"""The pipe over a real socket: every fault gets its `ret`, and the next frame is served (service.md, Endpoint,
service.md)."""

import asyncio
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tingdong.service.access import NOBODY, Access, Rules
from tingdong.service.session import ConnectionLimits


def _without(frame: dict[str, Any], *names: str) -> dict[str, Any]:
    payload = {key: value for key, value in frame["payload"].items() if key not in names}
    return {**{key: value for key, value in frame.items() if key not in names}, "payload": payload}


def _nested(frame: Any, depth: int) -> str:
    text = msgspec.json.encode(frame("r", "开灯", home="DEEP")).decode()
    return text.replace('"DEEP"', "[" * depth + "]" * depth)


FAULTS: list[tuple[str, Any, int, str, str]] = [
    ("not json", lambda frame: "关灯", 400, "", ""),
    ("empty", lambda frame: "", 400, "", ""),
    ("a list", lambda frame: "[]", 400, "", ""),
    ("cut off", lambda frame: msgspec.json.encode(frame("r", "开灯")).decode()[:-20], 400, "r", ""),
    ("binary rubbish", lambda frame: b"\xff\xfe\x00", 400, "", ""),
    ("half a surrogate", lambda frame: '{"topic":"llm/smarthome","rid":"\\ud800"}', 400, "", ""),
    ("nested without end", lambda frame: _nested(frame, 20_000), 400, "r", ""),
    ("unknown topic", lambda frame: {**frame("r", "开灯"), "topic": "llm/farm"}, 404, "r", "topic"),
    ("no topic", lambda frame: _without(frame("r", "开灯"), "topic"), 400, "r", "topic"),
    ("no rid", lambda frame: _without(frame("r", "开灯"), "rid"), 400, "", "rid"),
    ("rid of a wrong type", lambda frame: frame(7, "开灯"), 400, "", "rid"),
    ("no question", lambda frame: _without(frame("r", "开灯"), "question"), 400, "r", "payload.question"),
    ("no page", lambda frame: _without(frame("r", "开灯"), "page_id"), 400, "r", "payload.page_id"),
    ("an empty page id", lambda frame: frame("r", "开灯", page_id=""), 400, "r", "payload.page_id"),
    ("no instruct", lambda frame: _without(frame("r", "开灯"), "instruct"), 400, "r", "payload.instruct"),
    ("no home", lambda frame: _without(frame("r", "开灯"), "home"), 400, "r", "payload.home"),
    ("question of a wrong type", lambda frame: frame("r", ["开灯"]), 400, "r", "payload.question"),
    ("instruct of a wrong type", lambda frame: frame("r", "开灯", instruct="yes"), 400, "r", "payload.instruct"),
    ("a clock that is none", lambda frame: frame("r", "开灯", now="昨天"), 400, "r", "payload.now"),
    ("1 MB of question", lambda frame: frame("r", "灯" * 350_000), 413, "r", ""),
    ("1 MB of home", lambda frame: frame("r", "开灯", home={"x": "y" * 1_048_576}), 413, "r", ""),
    ("a question over the limit", lambda frame: frame("r", "灯" * 1_001), 413, "r", "payload.question"),
    ("a home that does not validate", lambda frame: frame("r", "开灯", home=[]), 422, "r", "home"),
    ("a home that nobody knows", lambda frame: frame("r", "开灯", home=..., home_id="h"), 422, "r", "home"),
    ("a bug of ours", lambda frame: frame("r", "坏"), 500, "r", ""),
    ("a store that is gone", lambda frame: frame("r", "库"), 500, "r", ""),
]


@pytest.mark.parametrize(("make", "ret", "rid", "path"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
async def test_a_bad_frame_gets_its_ret_and_harms_nothing(
    run_service: Any, understanding: Any, pipe: Any, frame: Any, make: Any, ret: int, rid: str, path: str
) -> None:
    """Errors are closing frames with `ret` and message on an open connection; the next one is served (service.md,
    Endpoint)."""
    async with run_service(understanding) as service, service.connect() as socket:
        talk = pipe(socket)
        await talk.send(make(frame))
        answer = await talk.receive()
        assert (answer["topic"], answer["rid"], answer["payload"]["finish"]) == ("llm/smarthome", rid, True)
        data = answer["payload"]["data"]
        assert (data["ret"], data.get("path", "")) == (ret, path)
        assert data["message"]
        assert "secret" not in data["message"]
        assert "10.0.0.7" not in data["message"]
        await talk.send(frame("next", "开灯"))
        assert (await talk.closing("next"))["ret"] == 0


async def test_one_token_frame_then_one_closing_frame(
    run_service: Any, understanding: Any, pipe: Any, frame: Any
) -> None:
    """A request gets one token frame and one closing frame in the documented form and field order (service.md, Token
    frame, Closing frame)."""
    async with run_service(understanding) as service, service.connect() as socket:
        await pipe(socket).send(frame("r-1", "关灯"))
        token, closing = await socket.recv(), await socket.recv()
    assert token == (
        '{"topic":"llm/smarthome","rid":"r-1","payload":{"finish":false,"data":{"ret":0,"type":"token",'
        '"token":{"type":"instruct","result":"page-1第1句：关灯"}}}}'
    )
    assert closing == (
        '{"topic":"llm/smarthome","rid":"r-1","payload":{"finish":true,"data":{"ret":0,"page_id":"page-1",'
        '"question":"关灯","active":{"intent":{"type":"instruct","result":"page-1第1句：关灯"},'
        '"instructs":[{"id":"dev-1","state":{"power":false},"summary":"关闭客厅照明灯"}]}}}}'
    )


async def test_pages_interleave_and_each_keeps_its_order(
    run_service: Any, understanding: Any, pipe: Any, frame: Any
) -> None:
    """Answers of different pages may overtake each other; those of one page never do (service.md, Endpoint)."""
    async with run_service(understanding) as service, service.connect() as socket:
        talk = pipe(socket)
        await talk.send(frame("a1", "慢一", page_id="a"))
        await talk.send(frame("a2", "二", page_id="a"))
        await talk.send(frame("b1", "一", page_id="b"))
        assert (await talk.closing("b1"))["active"]["intent"]["result"] == "b第1句：一"
        assert [request.rid for request in understanding.asked] == ["a1", "b1"]
        understanding.gates["慢一"].set()
        order = [(one["rid"], one["payload"]["finish"]) for one in [await talk.receive() for _ in range(4)]]
        assert order == [("a1", False), ("a1", True), ("a2", False), ("a2", True)]


async def test_a_repeated_rid_acts_once(run_service: Any, understanding: Any, pipe: Any, frame: Any) -> None:
    """A repeated rid gets the stored closing frame, byte for byte, also on another connection (service.md, Retries)."""
    async with run_service(understanding) as service:
        async with service.connect() as socket:
            await pipe(socket).send(frame("r", "再亮一点"))
            await socket.recv()
            first = await socket.recv()
            await pipe(socket).send(frame("r", "再亮一点"))
            assert await socket.recv() == first
        async with service.connect() as socket:
            await pipe(socket).send(frame("r", "再亮一点"))
            assert await socket.recv() == first
    assert len(understanding.asked) == 1


async def test_a_rid_repeated_while_it_is_served_is_answered_once(
    run_service: Any, understanding: Any, pipe: Any, frame: Any
) -> None:
    """One token frame and one closing frame per rid, also when the client is impatient (architecture, law 5)."""
    async with run_service(understanding) as service, service.connect() as socket:
        talk = pipe(socket)
        for _ in range(3):
            await talk.send(frame("r", "慢"))
        await understanding.started["慢"].wait()
        understanding.gates["慢"].set()
        await talk.closing("r")
        await talk.send(frame("next", "开灯"))
        assert [(await talk.receive())["rid"] for _ in range(2)] == ["next", "next"]
    assert len(understanding.asked) == 2


async def test_too_many_requests_at_once_are_refused(
    run_service: Any, understanding: Any, pipe: Any, frame: Any
) -> None:
    """Over the number of requests in flight: 429, and those in flight are not harmed (service.md, Limits)."""
    async with (
        run_service(understanding, limits=ConnectionLimits(in_flight=2)) as service,
        service.connect() as socket,
    ):
        talk = pipe(socket)
        await talk.send(frame("1", "慢一", page_id="a"))
        await talk.send(frame("2", "慢二", page_id="b"))
        await talk.send(frame("3", "三", page_id="c"))
        assert (await talk.closing("3"))["ret"] == 429
        for gate in ("慢一", "慢二"):
            understanding.gates[gate].set()
        rets = {one["rid"]: one["payload"]["data"]["ret"] for one in [await talk.receive() for _ in range(4)]}
        assert rets == {"1": 0, "2": 0}


async def test_a_turn_that_takes_too_long_is_closed_with_504(
    run_service: Any, understanding: Any, pipe: Any, frame: Any
) -> None:
    """No answer in time: 504, and the page goes on (service.md, Errors)."""
    async with run_service(understanding, turn_seconds=0.01) as service, service.connect() as socket:
        talk = pipe(socket)
        await talk.send(frame("1", "慢"))
        assert (await talk.closing("1"))["ret"] == 504
        await talk.send(frame("2", "开灯"))
        assert (await talk.closing("2"))["ret"] == 0


async def test_a_turn_goes_on_when_its_client_is_gone(
    run_service: Any, understanding: Any, pipe: Any, frame: Any
) -> None:
    """What was begun is committed; the client that comes back with the same rid gets it (service.md, Retries)."""
    async with run_service(understanding) as service:
        async with service.connect() as socket:
            await pipe(socket).send(frame("r", "慢"))
            await understanding.started["慢"].wait()
        understanding.gates["慢"].set()
        async with service.connect() as socket:
            await pipe(socket).send(frame("r", "慢"))
            assert (await pipe(socket).closing("r"))["ret"] == 0
    assert len(understanding.asked) == 1


async def test_a_drain_lets_turns_finish_and_closes_with_1012(
    run_service: Any, understanding: Any, pipe: Any, frame: Any
) -> None:
    """On SIGTERM turns in flight get their closing frame before the socket closes with 1012 (service.md, Idle
    connections)."""
    async with run_service(understanding) as service, service.connect() as busy, service.connect() as idle:
        talk = pipe(busy)
        await talk.send(frame("r", "慢"))
        await understanding.started["慢"].wait()
        service.server.should_exit = True
        with pytest.raises(ConnectionClosed) as closed:
            await idle.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
        understanding.gates["慢"].set()
        assert (await talk.closing("r"))["ret"] == 0
        with pytest.raises(ConnectionClosed) as closed:
            await busy.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012


async def test_a_drain_does_not_wait_for_ever(run_service: Any, understanding: Any, pipe: Any, frame: Any) -> None:
    """A turn that does not end within the drain's seconds costs its socket, and the process ends (operations.md)."""
    async with run_service(understanding, drain_seconds=0.01) as service, service.connect() as socket:
        await pipe(socket).send(frame("r", "慢"))
        await understanding.started["慢"].wait()
        service.server.should_exit = True
        with pytest.raises(ConnectionClosed):
            await socket.recv()


async def test_a_message_beyond_all_bounds_ends_its_connection_only(
    run_service: Any, understanding: Any, pipe: Any, frame: Any
) -> None:
    """Over `limits.message_bytes` nothing is read: 1009, and other connections go on (service.md, Limits)."""

    async def flood(socket: Any) -> None:
        await socket.send("x" * 4_200_000)
        await socket.recv()

    async with run_service(understanding) as service, service.connect() as huge, service.connect() as other:
        with pytest.raises(ConnectionClosed) as closed:
            await flood(huge)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        await pipe(other).send(frame("r", "开灯"))
        assert (await pipe(other).closing("r"))["ret"] == 0


async def test_a_home_id_is_known_to_the_connection_that_sent_it(
    run_service: Any, understanding: Any, pipe: Any, frame: Any
) -> None:
    """`home_id` alone works once the connection brought the home; a stranger who guesses it gets nothing."""
    async with run_service(understanding) as service, service.connect() as owner, service.connect() as stranger:
        talk = pipe(owner)
        await talk.send(frame("1", "开灯", home={"devices": [1]}, home_id="h"))
        assert (await talk.closing("1"))["ret"] == 0
        await talk.send(frame("2", "关灯", home=..., home_id="h", page_id="page-2"))
        assert (await talk.closing("2"))["ret"] == 0
        assert understanding.asked[-1].home == b'{"devices":[1]}'
        await pipe(stranger).send(frame("3", "关灯", home=..., home_id="h", page_id="page-3"))
        assert (await pipe(stranger).closing("3"))["ret"] == 422


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ({}, 401),
        ({"additional_headers": {"Authorization": "Bearer wrong-token"}}, 401),
        ({"subprotocols": ["tingdong", "bearer.wrong"]}, 401),
        ({"additional_headers": {"Authorization": "Bearer right-token"}, "origin": "https://evil.example"}, 403),
    ],
)
async def test_clients_without_a_token_are_refused(
    run_service: Any, understanding: Any, options: Any, status: int
) -> None:
    """Bearer token and origin are checked before the handshake (service.md, Limits)."""
    access = Access(Rules(tokens={"right-token": NOBODY}, origins=("https://app.example.com",)))
    async with run_service(understanding, access=access) as service:
        with pytest.raises(InvalidStatus) as refused:
            await service.connect(**options)
        assert refused.value.response.status_code == status


@pytest.mark.parametrize(
    "options",
    [
        {"additional_headers": {"Authorization": "Bearer right-token"}},
        {"subprotocols": ["tingdong", "bearer.right-token"], "origin": "https://app.example.com"},
    ],
)
async def test_a_client_with_the_token_is_admitted(
    run_service: Any, understanding: Any, pipe: Any, frame: Any, options: Any
) -> None:
    """A header, or a subprotocol for browsers, carries the token (service.md, Limits)."""
    access = Access(Rules(tokens={"right-token": NOBODY}, origins=("https://app.example.com",)))
    async with run_service(understanding, access=access) as service, service.connect(**options) as socket:
        await pipe(socket).send(frame("r", "开灯"))
        assert (await pipe(socket).closing("r"))["ret"] == 0
        assert socket.subprotocol == ("tingdong" if "subprotocols" in options else None)


async def test_connections_are_counted(run_service: Any, understanding: Any) -> None:
    """Over the number of connections the handshake gets 503; one that closes makes room (service.md, Limits)."""
    async with run_service(understanding, access=Access(Rules(connections=1))) as service:
        async with service.connect():
            with pytest.raises(InvalidStatus) as refused:
                await service.connect()
            assert refused.value.response.status_code == 503
        async with asyncio.timeout(60):
            while service.telemetry.metrics.registry.get_sample_value("tingdong_connections"):
                await asyncio.sleep(0)
        async with service.connect():
            pass


async def test_logs_contain_no_utterance(run_service: Any, understanding: Any, pipe: Any, frame: Any) -> None:
    """Utterances, page ids and the text of our errors stay out of the log by default (telemetry)."""
    async with run_service(understanding) as service, service.connect() as socket:
        for rid, question in (("1", "我藏钱的柜子在哪"), ("2", "坏")):
            await pipe(socket).send(frame(rid, question, page_id="page-of-mine"))
            await pipe(socket).closing(rid)
    log = service.log.getvalue().decode()
    assert '"event":"turn"' in log
    assert '"error":"ZeroDivisionError"' in log
    for private in ("藏钱", "page-of-mine", "secret"):
        assert private not in log
