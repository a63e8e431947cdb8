"""`tingdong mcp | wyoming`: starts the bridges; each needs its extra."""

import asyncio
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from tingdong.cli.files import fault_of, read_file

if TYPE_CHECKING:
    from tingdong.reader import SentenceReader

__all__ = ["led_reader", "read_home", "serve_mcp", "serve_voice"]


def read_home(path: Path | None) -> bytes | None:
    """The bytes of a home file, None without one. Raises `DataError`."""
    return None if path is None else read_file(path)


@contextlib.contextmanager
def led_reader(settings: Path | None) -> "Iterator[SentenceReader | None]":
    """The reader with the model of a settings file, or of the environment where that names one; None without a model.

    Raises `DataError`.
    """
    if settings is None and "TINGDONG_LLM__BASE_URL" not in os.environ:
        yield None
        return
    from tingdong.settings import load_settings

    described = load_settings(settings).llm
    if described is None:
        yield None
        return
    from tingdong.bridges.model_clients import LedReader

    with LedReader(described) as reader:
        yield reader


def serve_mcp(home: Path | None, settings: Path | None = None) -> None:
    """Serve the Model Context Protocol on standard input and output. Raises `DataError`, `BadHome`."""
    from tingdong.bridges.answers import Answers
    from tingdong.bridges.mcp_server import mcp_server

    with led_reader(settings) as reader:
        with fault_of(home):
            answers = Answers(read_home(home), reader=reader)
        mcp_server(answers).run()


def serve_voice(uri: str, home: Path | None, location: str | None) -> None:
    """Serve a Wyoming intent handler until it is told to stop. Raises `DataError`, `BadHome`."""
    from tingdong.bridges.wyoming_handler import VoiceHome, serve_wyoming
    from tingdong.home.document import decode_home

    raw = read_home(home)
    if raw is not None:
        with fault_of(home):
            decode_home(raw)
    voice = VoiceHome(None if raw is None else msgspec.json.decode(raw), location=location)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve_wyoming(uri, voice))
