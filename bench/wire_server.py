"""The two servers that `bench.wire` compares, on the same stack: `python -m bench.wire_server service|echo`.

Prints the port it listens on.
"""

import asyncio
import json
import os
import sys
from typing import Any

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tingdong.service.server import server_config

TOKEN = (
    '{"topic":"llm/smarthome","rid":%s,"payload":{"finish":false,"data":{"ret":0,"type":"token",'
    '"token":{"type":"instruct","result":"正在关闭所有房间的照明灯。"}}}}'
)
CLOSING = (
    '{"topic":"llm/smarthome","rid":%s,"payload":{"finish":true,"data":{"ret":0,"page_id":"p","question":"关灯",'
    '"active":{"intent":{"type":"instruct","result":"正在关闭所有房间的照明灯。"},'
    '"instructs":[{"id":"dev-1","state":{"power":false},"summary":"关闭客厅照明灯"}]}}}}'
)


async def echo(_scope: Any, receive: Any, send: Any) -> None:
    """Parses the whole JSON of every frame and sends two frames back."""
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        rid = json.dumps(json.loads(message["text"])["rid"])
        await send({"type": "websocket.send", "text": TOKEN % rid})
        await send({"type": "websocket.send", "text": CLOSING % rid})


class _Announcing(uvicorn.Server):
    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        print(self.servers[0].sockets[0].getsockname()[1], flush=True)


def main() -> None:
    """Serves until SIGTERM."""
    if sys.argv[1] == "service":
        from tingdong.bootstrap import serve
        from tingdong.cli.threads import limit_threads

        limit_threads(os.environ)  # as the command line does
        serve(port=0, on_listening=lambda _host, port: print(port, flush=True))
        return
    # uvicorn's own protocol: it hands text over as text, and the echo parses it.
    config = server_config(echo)  # type: ignore[arg-type]
    config.port, config.ws = 0, WebSocketsSansIOProtocol
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(_Announcing(config).serve())


if __name__ == "__main__":
    main()
