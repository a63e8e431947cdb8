"""A client of the smart-home pipe with nothing but `websockets` and JSON (service.md, Endpoint).

    tingdong serve --port 8765
    python examples/websocket_client.py ws://127.0.0.1:8765 小牛，关所有房间的灯

For a client that reconnects and repeats a request with the same `rid`, see `tingdong.client`.
"""

import asyncio
import json
import sys
from pathlib import Path
from uuid import uuid4

from websockets.asyncio.client import connect

HOME = Path(__file__).parents[1] / "tests" / "corpus" / "homes" / "sample8.json"


async def talk(url: str, questions: list[str]) -> None:
    """One scenario dialogue: the same `page_id` in every request, a new `rid` for each."""
    page_id = str(uuid4())
    async with connect(f"{url}/agent/smarthome-gpt/llm/stream") as socket:
        for question in questions:
            request = {
                "topic": "llm/smarthome",
                "rid": str(uuid4()),
                "payload": {
                    "page_id": page_id,
                    "question": question,
                    "local": "客厅",
                    "instruct": True,
                    "home": json.loads(HOME.read_text(encoding="utf-8")),
                },
            }
            await socket.send(json.dumps(request, ensure_ascii=False))
            finished = False
            while not finished:  # one token frame, then the closing frame
                payload = json.loads(await socket.recv())["payload"]
                finished = payload["finish"]
                print(json.dumps(payload["data"], ensure_ascii=False))


if __name__ == "__main__":
    address, *said = sys.argv[1:] or ["ws://127.0.0.1:8765"]
    asyncio.run(talk(address, said or ["小牛，关所有房间的灯"]))
