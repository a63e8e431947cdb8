"""Signed tokens: a JWT names its tenant (docs/security.md; extra `auth`).

Only the configured algorithms are accepted, so that a token cannot choose its own. A token needs an expiry. Errors are
not detailed to the caller.
"""

import re
from collections.abc import Sequence

import jwt
import msgspec

from tingdong.errors import DataError
from tingdong.service.access import Tenant, Verify

__all__ = ["TENANT_NAME", "JwtRules", "jwt_verifier"]

_NEVER = 2**53
"""Seconds since 1970 that a float still tells apart; whatever expires later does not."""

TENANT_NAME = r"[A-Za-z0-9_.-]{1,64}"


class JwtRules(msgspec.Struct, frozen=True):
    """How tokens are checked: the shared secret or public key (PEM), and what their claims must say."""

    key: str
    algorithms: Sequence[str]
    audience: str | None = None
    issuer: str | None = None
    tenant_claim: str = "tenant"
    operator_claim: str = "operator"

    def __repr__(self) -> str:
        """Without the key."""
        return f"JwtRules({self.algorithms})"


def jwt_verifier(rules: JwtRules) -> Verify:
    """Whom a token speaks for, by these rules. Raises `DataError` for a key that does not fit the algorithms."""
    required = ["exp", rules.tenant_claim, *(["aud"] if rules.audience else []), *(["iss"] if rules.issuer else [])]
    name = re.compile(TENANT_NAME)
    try:
        for algorithm in rules.algorithms:
            jwt.get_algorithm_by_name(algorithm).prepare_key(rules.key)
    except (jwt.InvalidKeyError, NotImplementedError, ValueError, TypeError) as error:
        raise DataError(f"jwt.key: {type(error).__name__} for {', '.join(rules.algorithms)}", path="jwt.key") from None

    def verify(token: str) -> Tenant | None:
        try:
            claims = jwt.decode(
                token,
                rules.key,
                algorithms=list(rules.algorithms),
                audience=rules.audience,
                issuer=rules.issuer,
                options={"require": required, "verify_aud": rules.audience is not None},
            )
        except (jwt.InvalidTokenError, jwt.InvalidKeyError, ValueError, OverflowError, RecursionError):
            return None
        tenant = claims[rules.tenant_claim]
        if not isinstance(tenant, str) or name.fullmatch(tenant) is None:
            return None
        until = min(int(claims["exp"]), _NEVER)
        return Tenant(tenant, claims.get(rules.operator_claim) is True, float(until))

    return verify
