"""The examples run as they are (style: every example is executed by a test)."""

import asyncio
import importlib.util
import json
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

import httpx
import pytest

from tingdong.bootstrap import embedded

EXAMPLES = Path(__file__).parents[2] / "examples"


async def _run(name: str, *arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(sys.executable, str(EXAMPLES / name), *arguments, stdout=PIPE)
    output, _ = await process.communicate()
    assert process.returncode == 0
    return output.decode()


async def test_the_demo_holds_the_example_conversation() -> None:
    """`make demo`: the frames of service.md, Request frame, Closing frame and every dialogue line of service.md,
    Dialogue, Token frame, without a fault of ours."""
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


async def test_the_fastapi_app_holds_a_conversation() -> None:
    """`fastapi_app.py`: a home is taken, its dialogue goes on from turn to turn, faults are told in Chinese."""
    app = _loaded("fastapi_app").app
    home = json.loads((EXAMPLES.parent / "tests" / "corpus" / "homes" / "sample8.json").read_bytes())
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        assert (await client.post("/homes/mine/say", json={"text": "开灯"})).status_code == 404
        refused = await client.put("/homes/mine", json={"devices": 3})
        assert (refused.status_code, refused.json()["detail"]["path"]) == (422, "devices")
        assert (await client.put("/homes/mine", json=home)).status_code == 204
        first = await client.post("/homes/mine/say", json={"text": "打开空调", "local": "客厅"})
        second = await client.post("/homes/mine/say", json={"text": "关了", "local": "客厅"})
    assert [one["state"] for one in first.json()["instructs"]] == [{"power": True}]
    assert [one["state"] for one in second.json()["instructs"]] == [{"power": False}]


async def test_the_notebook_runs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """`notebook.ipynb`: every cell runs in order, where an event loop runs already, as in a notebook."""
    monkeypatch.chdir(EXAMPLES.parent)
    book = json.loads((EXAMPLES / "notebook.ipynb").read_bytes())
    names: dict[str, Any] = {}
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "notebook.ipynb", "exec"), names)
    assert "正在打开客厅空调。" in capsys.readouterr().out


def _loaded(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
