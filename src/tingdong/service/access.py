"""Admission: who may use the service, as which tenant, how many and how often (service.md, Limits; docs/security.md).

A token speaks for a tenant. Pages belong to a tenant: the same page id of two tenants is two pages, so that a known id
reveals nothing. Without tenants there is a single nameless one with all rights. A browser cannot set a header on a
WebSocket; it offers the subprotocols `tingdong` and `bearer.<token>`, and the service accepts `tingdong`.
"""

import hmac
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from tingdong.errors import TooMany
from tingdong.service.rates import Rate, TokenBucket

__all__ = ["HOLDER", "NOBODY", "SUBPROTOCOL", "Access", "Refusal", "Rules", "Tenant", "Verify", "page_of"]

SUBPROTOCOL = "tingdong"
_BEARER_SUBPROTOCOL = "bearer."
MAX_BUCKETS = 10_000
"""Tenants whose bucket is remembered; tokens that name their tenant themselves can bring any number."""


class Refusal(msgspec.Struct, frozen=True):
    """An HTTP status and why."""

    status: int
    message: str


class Tenant(msgspec.Struct, frozen=True):
    """The caller. An `operator` may reload data; `until` is the expiry of the token, in seconds since 1970."""

    name: str = ""
    operator: bool = False
    until: float | None = None


NOBODY = Tenant()
"""Whoever comes in where no token is asked for."""

HOLDER = Tenant(operator=True)
"""Who carries the one token of a service without tenants."""

_HERE = re.compile(rb"(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?")

Verify = Callable[[str], Tenant | None]
"""Tells whom a signed token speaks for; None when it is not valid."""


class Rules(msgspec.Struct, frozen=True):
    """Admission rules. `tokens` maps bearer tokens to tenants; `verify` checks signed tokens.

    Without both, everyone is admitted; `here_only` admits browsers only under a host name of this machine (DNS
    rebinding). Browsers are admitted from the service's own page and from `origins`; `*` admits all. A rate of None is
    no limit.
    """

    tokens: Mapping[str, Tenant] = {}
    verify: Verify | None = None
    origins: Sequence[str] = ()
    here_only: bool = False
    connections: int = 2_000
    tenant_connections: int | None = None
    tenant_rate: Rate | None = None
    connection_rate: Rate | None = None

    def __repr__(self) -> str:
        """Without the tokens."""
        return f"Rules({len(self.tokens)} tokens, origins={self.origins!r})"

    @property
    def closed(self) -> bool:
        """Whether a token is required."""
        return bool(self.tokens) or self.verify is not None


class Access:
    """Admission of requests and sockets. `rules` may be replaced; `clock` counts seconds, `wall` since 1970."""

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.rules: Rules = rules or Rules()
        self._clock = clock
        self._wall = wall
        self._open: Counter[str] = Counter()
        self._buckets: dict[tuple[str, Rate], TokenBucket] = {}

    def admit(self, scope: Any) -> Tenant | Refusal:
        """The tenant of this request or handshake, or the reason for its refusal."""
        rules = self.rules
        headers = dict(scope["headers"])
        host, origin = headers.get(b"host", b""), headers.get(b"origin", b"")
        if not self.welcomes(origin.decode("latin-1"), host.decode("latin-1")):
            return Refusal(403, "不允许的来源")
        if not rules.closed:
            # A browser says where its page is from; that page may have let its own name point to this machine.
            away = rules.here_only and origin and _HERE.fullmatch(host) is None
            return Refusal(403, "不允许的主机名") if away else NOBODY
        for token in _offered(headers, scope.get("subprotocols", ())):
            if (tenant := self._tenant_of(token)) is not None:
                return tenant
        return Refusal(401, "需要有效的访问令牌")

    def welcomes(self, origin: str, host: str = "") -> bool:
        """Whether a browser page of this origin may call; `host` is the name under which it calls the service."""
        origin = origin.rstrip("/")
        if not origin or "*" in self.rules.origins or origin in {one.rstrip("/") for one in self.rules.origins}:
            return True
        return bool(host) and origin.partition("://")[2].lower() == host.lower()

    def admit_socket(self, scope: Any) -> Tenant | Refusal:
        """The same for a WebSocket; refused above the connection limit of the service or the tenant."""
        admitted = self.admit(scope)
        if isinstance(admitted, Refusal):
            return admitted
        share = self.rules.tenant_connections
        full = self._open.total() >= self.rules.connections
        if full or (share is not None and self._open[admitted.name] >= share):
            return Refusal(503, "连接数已满")
        return admitted

    @contextmanager
    def staying(self, tenant: Tenant) -> Iterator[None]:
        """Counts a connection while it is open."""
        self._open[tenant.name] += 1
        try:
            yield
        finally:
            self._open[tenant.name] -= 1
            if not self._open[tenant.name]:
                del self._open[tenant.name]

    def gate(self, tenant: Tenant) -> Callable[[], bool]:
        """A check for every message of one connection: False above the rate of the connection or its tenant."""
        own = self.rules.connection_rate
        bucket = TokenBucket(own, self._clock()) if own is not None else None
        return lambda: (bucket is None or bucket.take(self._clock())) and self.in_turn(tenant)

    def in_turn(self, tenant: Tenant) -> bool:
        """Whether the tenant is within its rate; takes one token of its bucket."""
        rate = self.rules.tenant_rate
        if rate is None:
            return True
        key = (tenant.name, rate)
        bucket = self._buckets.pop(key, None) or TokenBucket(rate, self._clock())
        self._buckets[key] = bucket  # last used last
        while len(self._buckets) > MAX_BUCKETS:
            del self._buckets[next(iter(self._buckets))]
        return bucket.take(self._clock())

    def pace(self, tenant: Tenant) -> None:
        """Raises `TooMany` for a request over the tenant's rate."""
        if not self.in_turn(tenant):
            raise TooMany("请求太频繁，请稍后再试")

    def expired(self, tenant: Tenant) -> bool:
        """Whether the token of a connection has expired."""
        return tenant.until is not None and tenant.until <= self._wall()

    def _tenant_of(self, token: str) -> Tenant | None:
        found: Tenant | None = None
        for known, tenant in self.rules.tokens.items():  # all of them, so that the time tells nothing
            if hmac.compare_digest(token.encode(), known.encode()):
                found = tenant
        if found is None and self.rules.verify is not None:
            found = self.rules.verify(token)
        return found


def page_of(tenant: Tenant, page_id: str) -> str:
    """The page's id in the store. Tenants' names hold no colon, so no two pages meet, nor does one of who has no name
    that is called like one of theirs."""
    return f"{tenant.name}:{page_id}" if tenant.name or ":" in page_id else page_id


def _offered(headers: Mapping[bytes, bytes], subprotocols: Sequence[str]) -> Iterator[str]:
    scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
    if scheme.lower() == b"bearer":
        yield given.strip().decode("latin-1")
    for name in subprotocols:
        if name.startswith(_BEARER_SUBPROTOCOL):
            yield name.removeprefix(_BEARER_SUBPROTOCOL)
