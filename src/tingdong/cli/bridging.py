"""`tingdong mcp | wyoming`: what joins the bridges to the command line; each needs its extra."""

from pathlib import Path

from tingdong.errors import DataError

__all__ = ["read_home", "serve_mcp"]


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

    try:
        from tingdong.bridges.mcp_server import mcp_server
    except ImportError as error:
        raise DataError("mcp needs the extra: pip install 'tingdong[mcp]'") from error
    mcp_server(Answers(read_home(home))).run()
