"""The published JavaScript client without a browser: in Node, against a real service (service.md, Endpoint)."""

import json
import re
import shutil
import signal
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright._impl._driver import compute_driver_executable

SCRIPTS = Path(str(files("tingdong.service").joinpath("web", "js")))


def _nodes() -> list[str]:
    """Node as it comes with Playwright, and the one of this machine where it is 20 or later."""
    found = [str(compute_driver_executable()[0])]
    own = shutil.which("node")
    if own and int(re.findall(r"\d+", subprocess.check_output([own, "--version"], text=True))[0]) >= 20:
        found.append(own)
    return found


@pytest.fixture(params=_nodes(), ids=lambda path: "bundled" if "playwright" in path else "system")
def node(request: Any) -> list[str]:
    version = subprocess.check_output([request.param, "--version"], text=True)
    needs_flag = int(re.findall(r"\d+", version)[0]) < 22
    return [
        request.param,
        *(["--experimental-websocket"] if needs_flag else []),
        "--no-warnings",
        "--input-type=module",
    ]


def _run(node: list[str], script: str, **values: Any) -> Any:
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in values.items())
    done = subprocess.run([*node, "-e", head + script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


TURN = """
const { PipeClient } = await import(`${scripts}/client.js`);
const pipe = new PipeClient(url);
const statuses = [];
pipe.addEventListener("status", () => statuses.push(pipe.status));
const tokens = [], frames = [];
const ask = (question) => pipe.request({ page_id: "p", question, local: "客厅", instruct: true, home },
  { onToken: (intent) => tokens.push(intent), onFrame: (direction) => frames.push(direction) });
const answers = await Promise.all([ask("小牛，厨房灯是开的吗？"), ask("关了")]);
pipe.close();
console.log(JSON.stringify({ answers, tokens, frames, statuses }));
"""


def test_turns_on_one_pipe(node: list[str], service: Any, homes: Any) -> None:
    """Two turns of a page on one pipe: paired by rid, summaries first, instructs in the closing frame (service.md,
    Request frame, Closing frame)."""
    got = _run(node, TURN, scripts=SCRIPTS.as_uri(), url=service.stream, home=homes("sample8"))
    assert [answer["active"]["intent"]["type"] for answer in got["answers"]] == ["answer", "instruct"]
    assert got["answers"][1]["active"]["instructs"][0]["id"] == "dev-3"
    assert [token["type"] for token in got["tokens"]] == ["answer", "instruct"]
    assert got["frames"].count("sent") == 2
    assert got["statuses"] == ["connecting", "open", "closed"]


REFUSED = """
const { PipeClient, RefusedError, UnansweredError } = await import(`${scripts}/client.js`);
const pipe = new PipeClient(url);
const payload = { page_id: "p", question: "开灯", instruct: true, home: { devices: [{ id: "a" }] } };
const refused = await pipe.request(payload).catch((error) => error);
const waiting = pipe.request({ ...payload, home: { devices: [] } }).catch((error) => error);
pipe.close();
const closed = await waiting;
const late = new PipeClient("ws://127.0.0.1:1/", { timeoutMs: 50 });
const unanswered = await late.request(payload).catch((error) => error);
late.close();
console.log(JSON.stringify([refused instanceof RefusedError, refused.ret, refused.path,
  closed instanceof UnansweredError, closed.reason, unanswered.reason]));
"""


def test_errors_are_reported(node: list[str], service: Any) -> None:
    """`ret` ≠ 0 rejects with the code and the path; a closed pipe and a late answer reject too, each with its name."""
    got = _run(node, REFUSED, scripts=SCRIPTS.as_uri(), url=service.stream)
    assert got[:2] == [True, 422]
    assert got[2].startswith("devices[0]")
    assert got[3:] == [True, "closed", "timeout"]


AGAIN = """
const { PipeClient } = await import(`${scripts}/client.js`);
const pipe = new PipeClient(url, { timeoutMs: 60000 });
const ask = (question, rid) => pipe.request({ page_id: "p", question, instruct: true, home }, { rid });
await ask("打开客厅空调", "r1");
const down = new Promise((resolve) => pipe.addEventListener("status", () => pipe.status === "closed" && resolve()));
process.stderr.write("up\\n");
await down;
const sent = [];
const answer = await pipe.request({ page_id: "p", question: "调到24度", instruct: true, home },
  { rid: "r2", onFrame: (direction) => sent.push(direction) });
pipe.close();
console.log(JSON.stringify({ answer, sent }));
"""


@pytest.mark.parametrize("node", _nodes()[-1:], indirect=True)
def test_a_restart_is_survived(node: list[str], own_service: Any, homes: Any) -> None:
    """The server dies and comes back; the pipe is opened again and the request is answered (service.md, Idle
    connections)."""
    values = {"scripts": SCRIPTS.as_uri(), "url": own_service.stream, "home": homes("sample8")}
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in values.items())
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([*node, "-e", head + AGAIN], **pipes) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "up\n"
        own_service.stop(signal.SIGKILL)
        own_service.start()
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    got = json.loads(out)
    assert got["answer"]["ret"] == 0
    assert got["sent"][-1] == "received"


SCAN = """
const { scan, locate } = await import(`${scripts}/json.js`);
const verdict = (text) => { try { scan(text); return true; } catch (error) { return [error.code, error.position]; } };
console.log(JSON.stringify({ verdicts: texts.map(verdict), places: paths.map((path) => locate(home, path)) }));
"""
GOOD = ["{}", "[]", ' {"a": [1, -2.5e+3, true, false, null, "\\u00e9\\n"]} ', '"x"', "0"]
BAD = {
    "": ["json.value", 0],
    "{a: 1}": ["json.key", 1],
    '{"a" 1}': ["json.colon", 5],
    '{"a": 1 "b": 2}': ["json.comma", 8],
    '{"a": 1,}': ["json.key", 8],
    "[1,]": ["json.value", 3],
    "[01]": ["json.value", 1],
    '["a\nb"]': ["json.string", 3],
    '["\\x"]': ["json.escape", 2],
    "{} x": ["json.end", 3],
    "nul": ["json.value", 0],
    "[" * 300: ["json.deep", 201],
}


def test_faults_in_json_have_places(node: list[str]) -> None:
    """The scanner accepts what JSON is and says where a text stops being it; a path is found, or else its parent."""
    home = '{"model": {"a.b": {"x": 1}},\n "devices": [{"id": "a"}, {"name": "b"}]}'
    paths = ["devices[1].name", "devices[1].id", "home.devices[0]", "model.a.b.x", "nowhere", ""]
    got = _run(node, SCAN, scripts=SCRIPTS.as_uri(), texts=[*GOOD, *BAD], home=home, paths=paths)
    assert got["verdicts"] == [True] * len(GOOD) + list(BAD.values())
    second = home.index('{"name"')
    assert got["places"] == [home.index('"b"}'), second, home.index('{"id"'), home.index("1}}"), 0, 0]


PRIVATE = """
const { privateParts } = await import(`${scripts}/privacy.js`);
console.log(JSON.stringify(names.map(privateParts)));
"""
NAMES = {
    "客厅吸顶灯": [],
    "左床头灯": [],
    "射灯2": [],
    "可调光照明灯": [],
    "二楼主卧": [],
    "大白": ["大白"],
    "老伙计": ["老伙计"],
    "小明的台灯": ["小明"],
    "王阿姨房间": ["王阿姨"],
    "iPad 充电插座": ["iPad 充电"],
}


def test_private_names_are_told_from_generic_words(node: list[str]) -> None:
    """Words that any home has stay; what somebody gave is found, without the words around it."""
    got = _run(node, PRIVATE, scripts=SCRIPTS.as_uri(), names=list(NAMES))
    assert dict(zip(NAMES, got, strict=True)) == NAMES
