"""The examples run as they are (style: every example is executed by a test)."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

from tingdong.bootstrap import embedded

EXAMPLES = Path(__file__).parents[2] / "examples"


async def _run(name: str, *arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(sys.executable, str(EXAMPLES / name), *arguments, stdout=PIPE)
    output, _ = await process.communicate()
    assert process.returncode == 0
    return output.decode()


async def test_the_demo_holds_the_seeds_conversation() -> None:
    """`make demo`: the frames of §4.1-§4.3 and every dialogue line of §3 and §4.2, without a fault of ours."""
    shown = await _run("demo.py")
    for line in (
        "正在关闭所有房间的照明灯。",
        "正在关闭厨房照明灯。",
        "正在打开客厅风扇。",
        "正在打开卫生间照明灯。",
        "无关会话",
        "无关对象",
        "ret 400",
    ):
        assert line in shown, line
    assert "ret 5" not in shown
    (first, second) = [line for line in shown.splitlines() if "dev-1" in line][-2:]
    assert first == second


async def test_the_plain_client_talks(run_service: Any) -> None:
    """`websocket_client.py` shows `data` of the token frame and of the closing frame."""
    async with run_service(embedded()) as service:
        shown = await _run("websocket_client.py", service.url, "小牛，打开卧室的灯", "关了")
    lines = shown.splitlines()
    assert len(lines) == 4
    assert '"type": "token"' in lines[0]
    assert '"id": "dev-4", "state": {"power": true}' in lines[1]
    assert '"id": "dev-4", "state": {"power": false}' in lines[3]
