"""`tingdong mcp | wyoming`: what joins the bridges to the command line; each needs its extra."""

import asyncio
import contextlib
from pathlib import Path

import msgspec

from tingdong.errors import DataError

__all__ = ["read_home", "serve_mcp", "serve_voice"]


def read_home(path: Path | None) -> bytes | None:
    """The bytes of a home file, None without one. Raises `DataError`."""
    if path is None:
        return None
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from error


def serve_mcp(home: Path | None) -> None:
    """Serve the Model Context Protocol on standard input and output. Raises `DataError`, `BadHome`."""
    from tingdong.bridges.answers import Answers
    from tingdong.bridges.mcp_server import mcp_server

    mcp_server(Answers(read_home(home))).run()


def serve_voice(uri: str, home: Path | None, location: str | None) -> None:
    """Serve a Wyoming intent handler until it is told to stop. Raises `DataError`, `BadHome`."""
    from tingdong.bridges.wyoming_handler import VoiceDesk, serve_wyoming
    from tingdong.home.document import decode_home

    raw = read_home(home)
    if raw is not None:
        decode_home(raw)
    desk = VoiceDesk(None if raw is None else msgspec.json.decode(raw), location=location)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve_wyoming(uri, desk))
