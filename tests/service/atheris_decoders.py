"""Coverage-guided fuzzing of everything that decodes what strangers send: frames, homes, command arrays (extra `fuzz`).

`make fuzz-decoders` runs it; libFuzzer's own options apply (`-max_total_time=60`). A decoder either gives a value or
refuses with its own error; anything else stops the run with the bytes that did it.
"""

import contextlib
import sys
from datetime import UTC
from typing import Any

import atheris  # type: ignore[import-not-found]

with atheris.instrument_imports(include=["tingdong", "context_retrieval.protocol"]):
    from context_retrieval.protocol import decode
    from tingdong.batch import parse_batch
    from tingdong.errors import BadHome
    from tingdong.home.cache import HomeStore, load_home
    from tingdong.service.handlers import HomeHandler
    from tingdong.service.hospital import HospitalHandler
    from tingdong.service.session import ConnectionLimits, Session

HOME = (
    b'{"did":"d","layout":["\xe5\xae\xa2\xe5\x8e\x85"],"model":{"1":{"name":"lamp","property":{"power":{"type":"bool",'
    b'"range":[true,false]}}}},"devices":[{"id":"a","name":"\xe7\x81\xaf","local":"\xe5\xae\xa2\xe5\x8e\x85",'
    b'"device":{"model":"1","state":{"power":true}}}]}'
)
FRAME = b'{"topic":"llm/smarthome","rid":"r","payload":{"page_id":"p","question":"q","instruct":true,"home":%b}}'
COMMANDS = '["打开-客厅-灯#Light#one","设置亮度=50%-*-*#Light#all"]'.encode()

nobody: Any = object()
topics = [HomeHandler(nobody), HospitalHandler(nobody, question_chars=1_000, zone=UTC)]


def edited(valid: bytes, data: bytes) -> bytes:
    """Something valid with the bytes at one place replaced, so that the fuzzer starts behind the first brace."""
    at, cut = int.from_bytes(data[:2], "big") % (len(valid) + 1), int.from_bytes(data[2:3], "big") % 32
    return valid[:at] + data[3:] + valid[at + cut :]


def one(data: bytes) -> None:
    """One input: what to decode is its first byte, and whether it is all there is or an edit of something valid."""
    kind, whole, data = data[:1], data[:1] > b"\x7f", data[1:]
    turn = int.from_bytes(kind, "big") % 4
    if turn == 0:
        session = Session(topics, ConnectionLimits())
        session.receive(FRAME % HOME)
        session.receive(data if whole else edited(FRAME % HOME, data))
    elif turn == 1:
        cache = HomeStore()
        load_home(HOME, cache)
        with contextlib.suppress(BadHome):
            load_home(data if whole else edited(HOME, data), cache)
    elif turn == 2:
        decode((data if whole else edited(COMMANDS, data)).decode(errors="replace"))
    else:
        parse_batch([data if whole else edited(b'{"id":1,"text":7}', data)])


def main() -> None:
    """Runs until libFuzzer is told to stop."""
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
