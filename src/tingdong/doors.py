"""From settings to access rules: tokens, tenants, origins, rates (docs/security.md).

Part of the composition root. Safe by default: without a token only this machine is served.
"""

import contextlib
import ipaddress
import os
import secrets
from pathlib import Path

import msgspec

from tingdong.errors import DataError
from tingdong.service.access import HOLDER, Rules, Tenant, Verify
from tingdong.service.rates import Rate
from tingdong.settings import JwtSettings, Settings

__all__ = ["access_rules", "listening_rules"]

LEAST_TOKEN = 16
"""Characters of a token that is kept in a file."""


def access_rules(settings: Settings) -> Rules:
    """The rules of admission. Raises `DataError` when tokens are configured and cannot be read or checked."""
    bounds = settings.limits
    tokens = {one.token.get_secret_value(): Tenant(one.name, one.operator) for one in settings.tenants}
    if settings.bearer_token is not None:
        tokens[settings.bearer_token.get_secret_value()] = HOLDER
    if settings.bearer_token_file is not None and not tokens and settings.jwt is None:
        tokens[_kept_token(settings.bearer_token_file)] = HOLDER

    def rate(per_second: float | None) -> Rate | None:
        return None if per_second is None else Rate(per_second, max(1.0, per_second * bounds.burst_seconds))

    return Rules(
        tokens=tokens,
        verify=_verifier(settings.jwt),
        origins=settings.origins,
        here_only=not settings.open_to_all,
        connections=bounds.connections,
        tenant_connections=bounds.tenant_connections,
        tenant_rate=rate(bounds.tenant_rate),
        connection_rate=rate(bounds.connection_rate),
    )


def _kept_token(path: Path) -> str:
    """The token in the file; where there is no file, a fresh token is put there first, for its owner's eyes only.

    The file appears whole, so of replicas that start together all take the same token. Raises `DataError`.
    """
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if not path.exists():
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(32))
            with contextlib.suppress(FileExistsError):
                os.link(fresh, path)
            fresh.unlink()
        token = path.read_text("ascii").strip()
    except (OSError, UnicodeError) as error:
        raise DataError(f"bearer_token_file: {path}: {error}", path="bearer_token_file") from error
    if len(token) < LEAST_TOKEN:
        raise DataError(f"bearer_token_file: {path}: a token has at least {LEAST_TOKEN} characters")
    return token


def listening_rules(settings: Settings, host: str | None) -> Rules:
    """The rules of a service that listens on `host`; None if another server listens and restricts access.

    Raises `DataError` for an address beyond this machine without a token, unless `open_to_all` is set.
    """
    rules = access_rules(settings)
    if host is None:
        return msgspec.structs.replace(rules, here_only=False)
    if not rules.closed and rules.here_only and not _is_here(host):
        raise DataError(
            f"--host {host}: without a token the service serves this machine only. Set TINGDONG_BEARER_TOKEN, `tenants`"
            " or `jwt`, or set TINGDONG_OPEN_TO_ALL=true to admit everybody",
            path="open_to_all",
        )
    return rules


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _verifier(jwt: JwtSettings | None) -> Verify | None:
    if jwt is None:
        return None
    try:
        from tingdong.service.tokens import JwtRules, jwt_verifier
    except ImportError as error:
        raise DataError("jwt: signed tokens need the extra: pip install '.[auth]'") from error
    key = jwt.key.get_secret_value()
    return jwt_verifier(
        JwtRules(key, jwt.algorithms, jwt.audience, jwt.issuer, jwt.tenant_claim, operator_claim=jwt.operator_claim)
    )
