"""The conversation of service.md through a real WebSocket, on the embedded parser: no network, no model, no database.

    python examples/demo.py

Starts `tingdong serve` on a free port of this machine, plays the dialogues of service.md, Dialogue, Token frame and the
frame of service.md, Request frame, and shows what goes over the wire.
"""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.json import JSON
from rich.panel import Panel
from rich.table import Table

from tingdong.client import Client, Conversation, Reply

HOMES = Path(__file__).parents[1] / "tests" / "corpus" / "homes"
KINDS = {"instruct": "green", "question": "yellow", "answer": "cyan", "none": "dim"}

DIALOGUES = (
    ("情景对话", "sample8", "客厅", ("小牛，厨房灯是开的吗？", "关了")),
    ("我要睡觉了", "sample8", "卧室", ("小牛，我要睡觉了。",)),
    ("好热，还是好热", "flat25", "客厅", ("小牛，好热！", "还是好热！")),
    ("浴室就是卫生间", "sample8", "客厅", ("小牛，开浴室灯！",)),
    ("指代不明确，先问", "flat25", "卫生间", ("小牛，打开风扇！", "客厅")),
    (
        "询问，闲聊，别人",
        "sample8",
        "客厅",
        ("小牛，厕所的灯是开的吗?", "小牛，现在有啥是开着的?", "小牛，今天收益不错，我很开心。", "小爱，开灯。"),
    ),
)

console = Console()


def home_of(name: str) -> dict[str, Any]:
    """A home of the corpus."""
    home: dict[str, Any] = json.loads((HOMES / f"{name}.json").read_text(encoding="utf-8"))
    return home


@asynccontextmanager
async def server() -> AsyncIterator[str]:
    """A server process of our own; its address."""
    command = ("-m", "tingdong", "serve", "--host", "127.0.0.1", "--port", "0")
    process = await asyncio.create_subprocess_exec(sys.executable, *command, stderr=PIPE)
    log: asyncio.Task[None] | None = None
    try:
        url = await listening(process)
        log = asyncio.create_task(swallow(process))
        console.print(f"[bold]tingdong serve[/] → [link]{url}[/]\n")
        yield url
    finally:
        if process.returncode is None:
            process.terminate()
        if log is not None:
            await log
        await process.wait()


async def listening(process: Process) -> str:
    """Waits for the log line that names the port."""
    assert process.stderr is not None
    lines: list[str] = []
    async for line in process.stderr:
        lines.append(line.decode())
        if '"listening"' in lines[-1]:
            event = json.loads(lines[-1])
            return f"ws://{event['host']}:{event['port']}"
    raise SystemExit("the server did not start:\n" + "".join(lines))


async def swallow(process: Process) -> None:
    """Reads the rest of the log, so that the server never waits for a reader."""
    assert process.stderr is not None
    async for _ in process.stderr:
        pass


def show_frame(direction: str, text: str) -> None:
    """A frame as it went over the wire, its home cut short."""
    frame = json.loads(text)
    if "home" in frame["payload"]:
        home = frame["payload"]["home"]
        frame["payload"]["home"] = {key: f"… {len(home[key])} …" for key in ("layout", "model", "devices")}
    title = {">": "请求帧 →", "<": "← 结尾帧" if frame["payload"].get("finish") else "← 流式帧"}[direction]
    console.print(Panel(JSON(json.dumps(frame, ensure_ascii=False), indent=2), title=title, title_align="left"))


def show_reply(question: str, reply: Reply) -> None:
    """A turn as people hear it, and the instructs that go with it."""
    console.print(f"  用户：{question}")
    if reply.ret:
        console.print(f"  [red]ret {reply.ret}[/]：{reply.message}")
        return
    console.print(f"  AI：  [{KINDS[reply.kind]}]{reply.kind}[/] {reply.text}")
    if reply.instructs:
        table = Table(box=None, padding=(0, 2), show_header=False)
        for one in reply.instructs:
            state = json.dumps(one["state"], ensure_ascii=False)
            table.add_row("      ", one["id"], state, one.get("summary", ""))
        console.print(table)


async def play(url: str) -> None:
    """The whole conversation."""
    console.rule("小牛，关所有房间的灯")
    async with Client(url, on_frame=show_frame) as client:
        await Conversation(client, home_of("sample8"), local="客厅").ask("小牛，关所有房间的灯")
    async with Client(url) as client:
        for title, home, local, questions in DIALOGUES:
            console.rule(f"{title} [dim](用户在{local})")
            conversation = Conversation(client, home_of(home), local=local)
            for question in questions:
                show_reply(question, await conversation.ask(question))
        console.rule("一个坏帧只伤自己，下一帧照常")
        show_reply("（没有 page_id）", await client.send({"question": "开灯"}, rid="bad"))
        conversation = Conversation(client, home_of("sample8"), local="客厅")
        show_reply("小牛，客厅灯调到一半", await conversation.ask("小牛，客厅灯调到一半"))
        console.rule("同一个 rid 重发，只做一次")
        for _ in range(2):
            show_reply("再亮一点 (rid 1)", await conversation.ask("再亮一点", rid="1"))


async def main() -> None:
    """Serve, talk, stop."""
    async with server() as url:
        await play(url)


if __name__ == "__main__":
    asyncio.run(main())
