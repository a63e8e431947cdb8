"""What `bench.hostile` tries at the wire: each attempt speaks to one server and tells what it got."""

import asyncio
import gzip
import json
import struct
import zlib
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bench.attacking import (
    HOME,
    KEY,
    UPGRADE,
    VERSION,
    Attempt,
    ask,
    code_of,
    framed,
    payload,
    pipe,
    place,
    raw,
    request,
    said,
    statuses_of,
    told_of,
)
from bench.wire import Server, http_client

__all__ = ["STRANGE"]


async def _smuggled(server: Server) -> str:
    """Two lengths, lengths beside chunks, odd codings and odd lines: at most one answer, and it is no good one."""
    inner, body = request(b"", path="/healthz", method="GET"), '{"text":"开灯"}'.encode()
    length = f"Content-Length: {len(body)}"
    odd = [
        request(body + inner, length, "Content-Length: 0"),
        request(b"0\r\n\r\n" + inner, length, "Transfer-Encoding: chunked"),
        request(b"0\r\n\r\n" + inner, "Transfer-Encoding: xchunked"),
        request(body, "Content-Length : 5"),
        request(body, "Content-Length: -1"),
        request(body, "Content-Length: 99999999999999999999999"),
        request(b"FFFFFFFFFFFFFFFFF\r\n", "Transfer-Encoding: chunked"),
        request(b"-1\r\n\r\n", "Transfer-Encoding: chunked"),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        bytes.fromhex("16030100050100000100"),
        b"\r\n" * 5_000,
        b"GET / HTTP/9.9\r\n\r\n",
    ]
    got = []
    for words in odd:
        got += [
            status if status[0] != "2" else f"{status} for {words[:60]!r}"
            for status in statuses_of(await said(server, words, seconds=12))
        ]
    return told_of(got)


async def _half_closed(server: Server) -> str:
    """A peer that says all, or half, and ends its side."""
    body = '{"text":"开灯"}'.encode()
    whole = request(body, f"Content-Length: {len(body)}")
    return told_of(
        [*statuses_of(await said(server, whole, end=True)), *statuses_of(await said(server, whole[:-9], end=True))]
    )


async def _many_heads(server: Server) -> str:
    heads = [f"X-{number}: {'a' * 90}" for number in range(2_000)]
    return told_of(statuses_of(await said(server, request(b"", *heads, path="/healthz", method="GET"))))


async def _pipelined(server: Server) -> str:
    """4,000 requests at once on one connection, the answers unread meanwhile."""
    return told_of(statuses_of(await said(server, request(b"", path="/healthz", method="GET") * 4_000)))


DEEP = "[" * 60_000 + "]" * 60_000
BODIES: dict[str, str | bytes] = {
    "nested": f'{{"text":"开灯","home":{DEEP}}}',
    "nested beside": f'{{"text":"开灯","x":{DEEP}}}',
    "NaN": '{"text":"开灯","now":NaN}',
    "a number without end": f'{{"text":"开灯","now":{"9" * 100_000}}}',
    "1e999": '{"text":"开灯","now":1e999}',
    "half a character": '{"text":"\\ud800"}',
    "no UTF-8": b'{"text":"\xff\xfe"}',
    "a zero": '{"text":"\\u0000"}',
    "twice": '{"text":"开灯","text":7}',
    "a list": "[" * 3 + "]" * 3,
    "nothing": "",
    "gzip": gzip.compress(b" " * 10_000_000),
    "UTF-16": '{"text":"开灯"}'.encode("utf-16"),
}


async def _bodies(server: Server) -> str:
    got = []
    async with http_client(server) as http:
        for path in ("/v1/parse", "/v1/understand", "/v1/retrieve", "/v1/hospital/turn"):
            for body in BODIES.values():
                head = {"Content-Encoding": "gzip"} if body is BODIES["gzip"] else {}
                got.append((await http.post(path, content=body, headers=head)).status_code)
    return told_of(got)


ODD_VALUES = ("1e999", "-1e999", "1e-320", "9" * 400, "0", "-1", '"x"', "null", "[]", "true", "1.5")


async def _odd_homes(server: Server) -> str:
    """Bounds, steps and values that no device has; names that are patterns; ids with signs."""
    got = []
    asked = ("把灯调亮一点", "把灯调到一半", "灯多亮", "灯调到50")
    level = {"type": "float", "min": 0, "max": 100, "step": 1}
    for value in ODD_VALUES:
        for key in ("min", "max", "step", "range", "type", "state"):
            spec = {**level, key: "#"}
            lamp = {
                "name": "LED-lamp",
                "describe": "灯，可调节亮度。",
                "property": {"power": {"type": "bool"}, "level": spec},
            }
            got += await _at_home(server, lamp, {"power": True, "level": "#" if key == "state" else 50}, value, asked)
    for name in ("(.*)+$", "\\u0000", "\\", "\ud83d", "九" * 128, "，。！", "%s%n{}{0}", "灯|空调", "  "):
        device = {"id": "a:b\n#-*", "name": name, "local": "客厅", "device": {"model": "001"}}
        answer = framed(f"name {name[:9]!r}", payload(home={**HOME, "devices": [device]})).encode("utf-8", "replace")
        async with pipe(server) as socket:
            got.append(str((await ask(socket, answer))["ret"]))
    return told_of(got)


async def _at_home(server: Server, model: Any, state: Any, value: str, asked: Sequence[str]) -> list[str]:
    """What a home of one lamp gets whose `#` is this."""
    lamp = {"id": "1", "name": "灯", "local": "客厅", "device": {"model": "002", "state": state}}
    got = []
    async with pipe(server) as socket:
        for text in asked:
            told = payload(text, home={"layout": ["客厅"], "model": {"002": model}, "devices": [lamp]}, page_id="odd")
            frame = framed(f"{hash((text, value, str(model)))}", told).replace('"#"', value)
            got.append(str((await ask(socket, frame))["ret"]))
    return got


async def _keys(server: Server) -> str:
    """Keys said twice, page ids of a megabyte, odd ids and clocks: one closing frame each, of the frame's own rid."""
    whole = json.loads(framed("r", payload()))
    twice = json.dumps(whole, ensure_ascii=False).replace('"rid": "r"', '"rid": "other", "rid": "r"')
    clocks = ("2026-02-30T00:00:00Z", "0001-01-01T00:00:00+14:00", "now", "2026-11-27T24:00:00", "1" * 64, "")
    frames = [
        twice,
        framed("r", payload(page_id="页" * 350_000)),
        framed("r", payload(page_id="")),
        framed("r", payload(page_id="\ud800a".encode("utf-16", "surrogatepass").decode("utf-16", "replace"))),
        framed("r", payload(page_id="../../etc\n\x00")),
        framed("r", payload(home_id="h" * 300)),
        framed("r", payload(alternatives=["灯" * 1_001])),
        *(framed("r", payload(now=clock)) for clock in clocks),
    ]
    got = []
    async with pipe(server) as socket:
        for frame in frames:
            await socket.send(frame)
            while True:
                answer = json.loads(await asyncio.wait_for(socket.recv(), 60))
                if answer["payload"]["finish"]:
                    got.append(answer["payload"]["data"]["ret"] if answer["rid"] in ("r", "") else "another rid")
                    break
    return told_of(got)


async def _many_rids(server: Server) -> str:
    """1,000 requests of one page under as many rids; a rid of the pipe used over HTTP."""
    async with pipe(server) as socket, http_client(server) as http:
        frames = (framed(f"many-{number}", payload("你好", page_id="many")) for number in range(1_000))
        got = [(await ask(socket, frame))["ret"] for frame in frames]
        body = {"page_id": "many", "rid": "many-999", "question": "打开卧室的灯", "home": HOME, "instruct": True}
        got.append((await http.post("/v1/understand", json=body)).status_code)
    return told_of(got)


async def _origins(server: Server) -> str:
    host, port, path = place(server)
    got = []
    near = (f"http://{host}:{port}@evil.example", f"http://{host}.evil.example:{port}", "http://localhost:1")
    foreign = ("null", "file://", "http://", "*", *near)
    async with http_client(server) as http:
        for origin in foreign:
            for method, where in (("POST", "/v1/parse"), ("POST", "/v1/hospital/domain"), ("DELETE", "/v1/pages/x")):
                answer = await http.request(method, where, content=b"{}", headers={"Origin": origin})
                told = answer.headers.get("access-control-allow-origin")
                got.append(answer.status_code if told is None else f"lets {told} read")
    for origin in foreign:
        try:
            async with connect(f"ws://{host}:{port}{path}", proxy=None, additional_headers={"Origin": origin}):
                got.append("open")
        except InvalidStatus as refused:
            got.append(refused.response.status_code)
    return told_of(got)


async def _operator(server: Server) -> str:
    """Operator's routes without a token, by every way there is to say them."""
    body = b'{"action":"reload"}'
    there = "/v1/hospital/domain"
    ways = (there, f"{there}/", "/v1//hospital/domain", "/v1/hospital/%64omain", f"{there}?token=x", f"/{there}")
    tokens = ({"X-HTTP-Method-Override": "POST"}, {"Authorization": "Bearer x"}, {"Authorization": "Basic eDp5"})
    heads: tuple[dict[str, str], ...] = ({}, *tokens, {"X-Forwarded-For": "127.0.0.1"})
    got = []
    async with http_client(server) as http:
        for way in ways:
            for head in heads:
                for method in ("POST", "PUT", "PATCH", "TRACE"):
                    answer = await http.request(method, way, content=body, headers=head)
                    got.append(answer.status_code if "versions" not in answer.text else "reloaded")
    return told_of(got)


async def _broken_frames(server: Server) -> str:
    """Frames that WebSocket forbids: the socket is closed, nobody else's is."""
    odd = {
        "unmasked": raw(1, b"{}", masked=False),
        "of a reserved kind": raw(3, b"{}"),
        "with reserved bits": raw(1, b"{}", reserved=0x70),
        "no UTF-8": raw(1, b"\xff\xfe"),
        "a piece of nothing": raw(0, b"x"),
        "a text within a text": raw(1, b"a", fin=False) + raw(1, b"b"),
        "a ping in pieces": raw(9, b"", fin=False),
        "a ping of 126 bytes": bytes([0x89, 0xFE, 0, 126]) + bytes(4) + bytes(126),
        "2^63 bytes": bytes([0x81, 0xFF]) + b"\xff" * 8 + bytes(4),
        "5 MB": bytes([0x81, 0xFF]) + struct.pack("!Q", 5_000_000) + bytes(4) + b"a" * 100,
        "a close of one byte": raw(8, b"x"),
        "a close of 1005": raw(8, struct.pack("!H", 1005)),
    }
    return told_of([code_of(await said(server, one, seconds=3, within=(KEY, VERSION))) for one in odd.values()])


async def _inflated(server: Server) -> str:
    """A compressed message of 200 MB, where the server takes compressed ones at all."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = packer.compress(bytes(200_000_000)) + packer.flush(zlib.Z_SYNC_FLUSH)
    frame = bytes([0xC1, 0xFF]) + struct.pack("!Q", len(bomb) - 4) + bytes(4) + bomb[:-4]
    packed = (KEY, VERSION, "Sec-WebSocket-Extensions: permessage-deflate")
    return code_of(await said(server, frame, within=packed))


async def _handshakes(server: Server) -> str:
    """Subprotocols without number, tokens in the address, odd versions and keys."""
    host, port, path = place(server)
    odd = [
        (
            path,
            (
                *UPGRADE,
                KEY,
                VERSION,
                "Sec-WebSocket-Protocol: " + ", ".join(f"bearer.{number}" for number in range(900)),
            ),
        ),
        (path, (*UPGRADE, KEY, VERSION, "Sec-WebSocket-Protocol: bearer.\xe9\x00")),
        (path, (*UPGRADE, KEY, "Sec-WebSocket-Version: 99")),
        (path, (*UPGRADE, VERSION)),
        (f"{path}/../llm", (*UPGRADE, KEY, VERSION)),
        ("/healthz", (*UPGRADE, KEY, VERSION)),
        (path, ("Connection: close",)),
    ]
    got = []
    for where, heads in odd:
        words = "\r\n".join((f"GET {where} HTTP/1.1", f"Host: {host}:{port}", *heads, "", "")).encode("latin-1")
        got += statuses_of(await said(server, words, seconds=3))
    return told_of(got)


async def _gone(server: Server) -> str:
    """500 peers that ask and are gone before the answer, by RST; then one that stays."""
    host, port, _ = place(server)
    body = json.dumps({"page_id": "gone", "question": "打开客厅的灯", "home": HOME, "instruct": True}).encode()
    for _ in range(500):
        _, writer = await asyncio.open_connection(host, port)
        writer.write(request(body, f"Content-Length: {len(body)}", path="/v1/understand"))
        writer.transport.abort()
    async with pipe(server) as socket:
        return str((await ask(socket, framed("after", payload(page_id="after-gone"))))["ret"])


async def _forgotten(server: Server) -> str:
    """A page that is forgotten while its turns run."""

    async def forget(http: Any) -> int:
        return int((await http.delete("/v1/pages/forgotten")).status_code)

    got: list[object] = []
    async with pipe(server) as socket, http_client(server) as http:
        for number in range(40):
            asked = ask(socket, framed(f"f{number}", payload("开灯", page_id="forgotten")))
            answer, status = await asyncio.gather(asked, forget(http))
            got += [answer["ret"], status]
    return told_of(got)


async def _slow_lines(server: Server) -> str:
    """40 peers that say a head one byte a second, until they are shut out."""
    host, port, _ = place(server)

    async def slow() -> str:
        reader, writer = await asyncio.open_connection(host, port)
        try:
            for byte in request(b"", path="/healthz", method="GET")[:30]:
                writer.write(bytes([byte]))
                await writer.drain()
                with suppress(TimeoutError):
                    if not await asyncio.wait_for(reader.read(64), 1):
                        return "closed"
        except ConnectionError:
            return "closed"
        return "open"

    return told_of(await asyncio.gather(*(slow() for _ in range(40))))


async def _closing(server: Server) -> str:
    """Asked and closed at once, in order and by force, a hundred times; the next is served."""
    for number in range(100):
        with suppress(ConnectionClosed):
            async with pipe(server) as socket:
                await socket.send(framed(f"c{number}", payload(page_id=f"c{number}")))
    async with pipe(server) as socket:
        return str((await ask(socket, framed("c", payload(page_id="closing"))))["ret"])


STRANGE = (
    Attempt(
        "requests that two readers may read differently: lengths, codings, other protocols (12)",
        _smuggled,
        "400,closed,431",
    ),
    Attempt("peers that end their side, in time and too early", _half_closed, "200,closed,400"),
    Attempt("2,000 lines of a head", _many_heads, "431,400,closed"),
    Attempt("4,000 requests at once on one connection", _pipelined, "200,closed"),
    Attempt("bodies nested, not numbers, cut, packed, in other codings (13 × 4 routes)", _bodies, "400,413,200,422"),
    Attempt("homes with bounds, steps, values and names that no device has (273)", _odd_homes, "0,422,400"),
    Attempt("keys said twice, page ids of a megabyte, odd ids and clocks (13)", _keys, "0,400,413"),
    Attempt("1,000 rids of one page, one of them again over HTTP", _many_rids, "0,400"),
    Attempt("seven foreign origins, `null` among them, on four routes", _origins, "403"),
    Attempt("an operator's route without a token (120 ways)", _operator, "403,404,405,307,400"),
    Attempt("frames that WebSocket forbids (12)", _broken_frames, "1002,1007,1009,refused"),
    Attempt("a packed message of 200 MB", _inflated, "1002,1009"),
    Attempt("odd handshakes (7)", _handshakes, "101,400,403,404,405,426,431"),
    Attempt("500 peers that are gone before the answer", _gone, "0"),
    Attempt("a page forgotten while its turns run (40)", _forgotten, "0,204,404"),
    Attempt("40 heads of one byte a second", _slow_lines, "closed"),
    Attempt("asked and closed at once (100)", _closing, "0"),
)
"""What is tried, beside the attempts of `bench.hostile`."""
