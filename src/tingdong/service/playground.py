"""The playground's files under a strict Content-Security-Policy (service.md, Endpoint: a demo page).

The page shows device names of strangers, which must never be executed: no inline script or style, no external resource,
no framing. Files are read on the first request.
"""

import hashlib
import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

__all__ = ["PAGE_PATHS", "page_response"]

PAGE_PATHS = ("/", "/docs", "/icon.svg", "/css/{name}", "/js/{name}", "/homes/{name}")
"""Where the page and its parts are served."""

_NAMES = {"": "index.html", "docs": "docs.html"}
_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src {connect}; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(self)",
    "Cache-Control": "no-cache",
}
_HOST = re.compile(r"(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")


class _ServedFile(msgspec.Struct, frozen=True):
    body: bytes
    type: str
    etag: str


async def page_response(request: Request) -> Response:
    """The file of this path; 304 when the browser has it; `HTTPException` 404 for anything else."""
    path = request.url.path.lstrip("/")
    file = _files().get(_NAMES.get(path, path))
    if file is None:
        raise HTTPException(404)
    headers = {**_HEADERS, "ETag": file.etag, "Content-Security-Policy": _policy(request.headers.get("host", ""))}
    if file.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(file.body, headers={**headers, "Content-Type": file.type})


def _policy(host: str) -> str:
    # Not every browser takes 'self' for the WebSocket of the same host, so it is named.
    named = f"'self' ws://{host} wss://{host}" if _HOST.fullmatch(host) else "'self'"
    return _POLICY.format(connect=named)


@cache
def _files() -> dict[str, _ServedFile]:
    """Every file of the page by its path; a name that is not here does not exist."""
    return dict(_walk(files("tingdong.service").joinpath("web"), ""))


def _walk(folder: Traversable, path: str) -> list[tuple[str, _ServedFile]]:
    found: list[tuple[str, _ServedFile]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _walk(entry, f"{path}{entry.name}/")
        elif (kind := _TYPES.get(entry.name.rpartition(".")[2])) is not None:
            body = entry.read_bytes()
            etag = f'"{hashlib.blake2s(body, digest_size=12).hexdigest()}"'
            found.append((f"{path}{entry.name}", _ServedFile(body, kind, etag)))
    return found
