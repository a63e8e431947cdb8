"""Runs every code block of one page, in order, in the current folder, as printed: `python run_page.py PAGE`.

A block is run by its language:

* `python`: in this process, block after block with the names of those before; saved to a file where the page says so.
* `console`: `$ command` lines with exactly the output they give (`…` stands for anything).
* `sh`: by bash; it must end with status 0. A block that serves keeps running for the blocks after it. What installs is
  tried without installing: `make -n`, another environment beside `.venv`, `pip install --dry-run` without an index.
* `js`: by Node, with `home` and the package `tingdong-client`, before a service; without Node it is passed over.
* `json`, `yaml`: must parse; a home, a context, settings, words, vetoes or a platform's table must be valid as such.
* `text`, `mermaid`: no code.

Blocks that cannot run are rows of blocks.yaml with the reason. The first fault is printed, and the status is 1.
"""

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import types
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import yaml

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SAVED = re.compile(r"(?:[Ss]ave this as|Put this into|Save it as|存为) `([^`]+)`")
HERE = Path(__file__).parent
PORT, MODEL_PORT = 8765, 8080
PATIENCE_S = 60
NO_CODE = {"text", "mermaid"}
TRIED = {
    r"^make ": "make -n ",
    r"^python3 -m venv \.venv$": "python3 -m venv --without-pip .venv-tried",
    r"^\.venv/bin/pip install ": ".venv/bin/pip install -q --dry-run --no-index --no-deps --no-build-isolation ",
}
NODE_OPTIONS = {20: "--no-warnings --experimental-websocket --experimental-network-imports"}
"""Of the versions of Node that import a module from a service, as a browser does."""


class Block(NamedTuple):
    """A fenced block, and the file that the paragraph before it names for it ("" for none)."""

    language: str
    code: str
    file: str

    @property
    def first(self) -> str:
        return self.code.strip().splitlines()[0]


def blocks(page: Path) -> Iterator[Block]:
    """The blocks of a page in order."""
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        before = text[: found.start()].rstrip().rpartition("\n\n")[2]
        saved = SAVED.findall(before)
        yield Block(found[1], found[2], saved[-1] if saved else "")


def exempted(page: str) -> dict[str, str]:
    """How the blocks of a page begin that do not run, with the reason; a Chinese page has those of its twin."""
    table = yaml.safe_load((HERE / "blocks.yaml").read_text(encoding="utf-8"))
    rows: dict[str, str] = table.get(page.replace(".zh-CN", ""), {})
    return rows


class Runner:
    """Runs blocks one after the other. Raises `AssertionError` with the block and what happened instead."""

    def __init__(self) -> None:
        self._names = types.ModuleType("__main__")
        self._server: subprocess.Popen[bytes] | None = None

    def run(self, block: Block) -> None:
        if block.file:
            Path(block.file).write_text(block.code, encoding="utf-8")
        if block.language in NO_CODE:
            return
        run = getattr(self, f"_{block.language}", None)
        assert run is not None, f"no way to run a block of {block.language!r}: {block.first}"
        run(block)

    def close(self) -> None:
        """Ends the server, if one runs."""
        if self._server is not None:
            self._server.send_signal(signal.SIGTERM)
            self._server.wait(PATIENCE_S)
            self._server = None

    def _python(self, block: Block) -> None:
        if block.file:
            self._bash(f".venv/bin/python {block.file}")
            return
        sys.modules["__main__"] = self._names
        exec(compile(block.code, "block", "exec"), self._names.__dict__)

    def _console(self, block: Block) -> None:
        for session in re.split(r"^\$ ", block.code, flags=re.MULTILINE)[1:]:
            command, _, expected = session.partition("\n")
            said = self._bash(command)
            pattern = re.escape(expected.strip()).replace("…", ".*?")
            assert re.fullmatch(pattern, said.strip(), re.DOTALL), f"$ {command}\n{said}"

    def _sh(self, block: Block) -> None:
        looked_up = block.code
        for line, tried in TRIED.items():
            looked_up = re.sub(line, tried, looked_up, flags=re.MULTILINE)
        if "tingdong serve" in block.code:
            self._serve(looked_up)
        else:
            self._bash(looked_up)

    def _js(self, block: Block) -> None:
        node = shutil.which("node")
        major = (
            0 if node is None else int(subprocess.check_output([node, "--version"], text=True)[1:].partition(".")[0])
        )
        if major not in NODE_OPTIONS:
            print(f"no Node {sorted(NODE_OPTIONS)} here: {block.first}")
            return
        if self._server is None:
            self._serve("tingdong serve")
        package = Path("node_modules/tingdong-client")
        package.mkdir(parents=True, exist_ok=True)
        for source in ("integrations/javascript/package.json", "src/tingdong/service/web/js/client.js"):
            shutil.copy(source, package)
        home = Path("tests/corpus/homes/sample8.json").read_text(encoding="utf-8")
        Path("block.mjs").write_text(f"const home = {home};\n{block.code}", encoding="utf-8")
        assert "正在关闭所有房间的照明灯。" in self._bash(f"{node} {NODE_OPTIONS[major]} block.mjs"), block.first

    def _json(self, block: Block) -> None:
        value = json.loads(block.code)
        if isinstance(value, dict) and {"model", "devices"} <= value.keys():
            from tingdong.home.cache import load_parsed_home

            load_parsed_home(value)
        elif isinstance(value, dict) and "intent_ops" in value:
            import msgspec

            from tingdong.front_desk.model import IntentContext

            context = msgspec.convert(value, IntentContext, strict=False)
            assert value.keys() <= msgspec.structs.asdict(context).keys(), block.first

    def _yaml(self, block: Block) -> None:
        value = yaml.safe_load(block.code)
        assert value, block.first
        if isinstance(value, list):
            _is_part_of_a_table(value)
        elif "parts" in value:
            from tingdong.bridges.platforms.table import load_table

            load_table(yaml.safe_dump({"kinds": {}, **value}), "page")
        elif {"wake_words", "llm", "tenants", "limits"} & value.keys():
            from tingdong.settings import Settings

            Settings.model_validate(value)

    def _bash(self, command: str) -> str:
        done = subprocess.run(["bash", "-ec", command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def _serve(self, command: str) -> None:
        self.close()
        self._server = subprocess.Popen(["bash", "-ec", f"exec {command}" if _single(command) else command])
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            assert self._server.poll() is None, f"ended with {self._server.poll()}: {command}"
            with socket.socket() as trial:
                if trial.connect_ex(("127.0.0.1", PORT)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError(f"nothing listens on {PORT}: {command}")


def _is_part_of_a_table(rows: list[dict[str, Any]]) -> None:
    """A row that a page shows is one of the vetoes, perhaps shortened."""
    table = yaml.safe_load(Path("src/tingdong/commands/data/vetoes.yaml").read_text(encoding="utf-8"))
    for row in rows:
        whole = next(one for one in table if one["name"] == row["name"])
        for key, value in row.items():
            assert value == whole[key] or all(one in whole[key] for one in value), (row["name"], key)


def _single(command: str) -> bool:
    return "\n" not in command.strip() and not re.match(r"\w+=", command)


class _Model(BaseHTTPRequestHandler):
    """A language model that makes no command of anything, for pages that show how to connect one."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        message = {"role": "assistant", "content": '["UNKNOWN-*-*#Unknown#one"]'}
        choice = {"index": 0, "finish_reason": "stop", "message": message, "delta": message}
        body = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "qwen3", "choices": [choice]}
        data = f"data: {json.dumps(body)}\n\ndata: [DONE]\n\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Quiet."""


def main(page: Path, name: str) -> int:
    """Runs the blocks of `page`, known as `name` in blocks.yaml."""
    skipped, runner = exempted(name), Runner()
    if f":{MODEL_PORT}" in page.read_text(encoding="utf-8"):
        model = ThreadingHTTPServer(("127.0.0.1", MODEL_PORT), _Model)
        threading.Thread(target=model.serve_forever, daemon=True).start()
    try:
        for block in blocks(page):
            if not block.first.startswith(tuple(skipped)):
                runner.run(block)
    finally:
        runner.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]), sys.argv[2]))
