"""Who may speak to the service: bearer token, allowed origins, number of connections (service.md, Limits).

A browser cannot set a header on a WebSocket; it offers the subprotocols `tingdong` and `bearer.<token>` instead,
and the service takes `tingdong`.
"""

import hmac
from collections.abc import Sequence
from typing import Any

import msgspec

__all__ = ["SUBPROTOCOL", "Access", "Refusal"]

SUBPROTOCOL = "tingdong"
_BEARER_SUBPROTOCOL = "bearer."


class Refusal(msgspec.Struct, frozen=True):
    """An HTTP status and why."""

    status: int
    message: str


class Access:
    """The doorman. `token` None admits everyone; an origin of `*` admits every browser."""

    def __init__(self, *, token: str | None = None, origins: Sequence[str] = ("*",), connections: int = 2_000) -> None:
        self._token = token.encode() if token is not None else None
        self._origins = frozenset(origin.rstrip("/") for origin in origins)
        self._connections = connections

    def refuse(self, scope: Any, *, open_connections: int = 0) -> Refusal | None:
        """Why this request or handshake is not admitted; None when it is."""
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"").decode("latin-1")
        if origin and "*" not in self._origins and origin.rstrip("/") not in self._origins:
            return Refusal(403, "不允许的来源")
        if self._token is not None and not self._carries_token(headers, scope.get("subprotocols", ())):
            return Refusal(401, "需要有效的访问令牌")
        if open_connections >= self._connections:
            return Refusal(503, "连接数已满")
        return None

    def _carries_token(self, headers: dict[bytes, bytes], subprotocols: Sequence[str]) -> bool:
        scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
        offered = [given.strip()] if scheme.lower() == b"bearer" else []
        offered += [
            name.removeprefix(_BEARER_SUBPROTOCOL).encode()
            for name in subprotocols
            if name.startswith(_BEARER_SUBPROTOCOL)
        ]
        return any(hmac.compare_digest(token, self._token or b"") for token in offered)
