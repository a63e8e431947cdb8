"""Token buckets, and the doorman that keeps them: pure, with a clock that is handed in (docs/security.md, Bounds)."""

from hypothesis import given
from hypothesis import strategies as st

from tingdong.service.access import MAX_BUCKETS, Access, Rules, Tenant
from tingdong.service.rates import Rate, TokenBucket


def test_a_burst_is_followed_by_the_steady_rate() -> None:
    """`burst` at once, then `per_second`; silence fills the bucket to its burst and no further."""
    bucket = TokenBucket(Rate(2.0, 3.0), now=100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(100.5), bucket.take(100.5)] == [True, False]
    assert [bucket.take(9_999.0) for _ in range(4)] == [True, True, True, False]


@given(steps=st.lists(st.floats(-5, 5), max_size=60), rate=st.floats(0.1, 50), burst=st.floats(1, 20))
def test_a_jumping_clock_grants_no_extra_messages(steps: list[float], rate: float, burst: float) -> None:
    """Whatever the clock does, no more is taken than the burst and the rate over the time that went forward."""
    now, forward, taken = 0.0, 0.0, 0
    bucket = TokenBucket(Rate(rate, burst), now)
    for step in steps:
        now += step
        forward += max(0.0, step)
        taken += bucket.take(now)
    assert taken <= burst + forward * rate + 1e-6


def test_a_connection_and_its_tenant_have_rates_of_their_own() -> None:
    """Two connections of a tenant share the tenant's rate; another tenant is not concerned."""
    now = [0.0]
    rules = Rules(tenant_rate=Rate(1.0, 3.0), connection_rate=Rate(1.0, 2.0))
    access = Access(rules, clock=lambda: now[0])
    one, two = (access.gate(Tenant("a")) for _ in range(2))
    assert [one(), one(), one()] == [True, True, False]
    assert [two(), two()] == [True, False]
    assert access.gate(Tenant("b"))()
    now[0] = 1.0
    assert [two(), one()] == [True, False]


def test_the_memory_for_tenants_rates_is_bounded() -> None:
    """Tokens that name their tenant themselves can bring any number of them; the longest silent are forgotten."""
    access = Access(Rules(tenant_rate=Rate(1.0, 1.0)), clock=lambda: 0.0)
    for number in range(MAX_BUCKETS + 50):
        assert access.in_turn(Tenant(str(number)))
    assert not access.in_turn(Tenant(str(MAX_BUCKETS + 49)))
    assert access.in_turn(Tenant("0"))


def test_a_token_that_expires_ends_its_connection() -> None:
    """`until` is compared with the wall clock; without one nothing expires."""
    now = [1_000.0]
    access = Access(wall=lambda: now[0])
    assert not access.expired(Tenant("a", until=1_001.0))
    now[0] = 1_001.0
    assert access.expired(Tenant("a", until=1_001.0))
    assert not access.expired(Tenant("a"))
