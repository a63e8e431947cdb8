"""Strangers at the door, and tenants who know each other's page ids (docs/security.md)."""

import json
import time
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tingdong.client import Client
from tingdong.errors import DataError
from tingdong.service.access import HOLDER, Access, Rules, Tenant, page_of
from tingdong.service.hospital import HOSPITAL_STREAM
from tingdong.service.rates import Rate
from tingdong.settings import load_settings

HOME = json.loads((Path(__file__).parents[1] / "corpus" / "homes" / "sample8.json").read_text("utf-8"))
TENANTS = [{"name": "villa", "token": "token-of-the-villa"}, {"name": "hotel", "token": "token-of-the-hotel"}]
SECRET = "a secret of thirty-two characters"


def _bearer(token: str) -> dict[str, Any]:
    return {"additional_headers": {"Authorization": f"Bearer {token}"}}


@pytest.mark.parametrize("store", ["memory", "redis"])
async def test_tenants_share_no_pages(serve_settings: Any, redis_url: str, store: str) -> None:
    """With the same page id: no context, no stored turn, nothing to forget, in any store (architecture, law 5)."""
    pages = {"store": "memory" if store == "memory" else redis_url, "prefix": f"test-{time.time_ns()}"}
    async with serve_settings(tenants=TENANTS, pages=pages) as service:
        villa = Client(service.url, token="token-of-the-villa")
        hotel = Client(service.url, token="token-of-the-hotel")
        async with villa, hotel:
            first = await villa.ask("打开卧室的灯", page_id="p", home=HOME, rid="1", local="客厅")
            assert [one["id"] for one in first.instructs] == ["dev-4"]
            guessed = await hotel.ask("关了它", page_id="p", home=HOME, rid="2", local="客厅")
            assert guessed.instructs == []
            stolen = await hotel.ask("今天天气不错", page_id="p", home=HOME, rid="1", local="客厅")
            assert (stolen.kind, stolen.token is not None) == ("none", True)
            by_id = await hotel.ask("开灯", page_id="p", home_id="h", rid="3")
            assert by_id.ret == 422
        async with httpx.AsyncClient(base_url=service.http, trust_env=False) as http:
            headers = {"Authorization": "Bearer token-of-the-hotel"}
            assert (await http.delete("/v1/pages/p", headers=headers)).status_code == 204
            assert (await http.delete("/v1/pages/p", headers=headers)).status_code == 404
        async with Client(service.url, token="token-of-the-villa") as villa:
            later = await villa.ask("关了它", page_id="p", home=HOME, rid="4", local="客厅")
            assert [one["id"] for one in later.instructs] == ["dev-4"]


def test_without_a_tenant_no_page_of_a_tenant_is_reached() -> None:
    """The one token beside tenants: a page id that is written like a tenant's page is another page."""
    assert page_of(HOLDER, "villa:p") != page_of(Tenant("villa"), "p")
    assert page_of(HOLDER, "p") == "p"


async def test_tenants_share_no_front_desk_pages(serve_settings: Any, pipe: Any) -> None:
    """The hospital desk keeps tenants apart too: the same page id is two dialogues."""

    async def ask(socket: Any, rid: str, question: str) -> Any:
        payload = {"page_id": "p", "question": question}
        await pipe(socket).send({"topic": "llm/hospital", "rid": rid, "payload": payload})
        return (await pipe(socket).closing(rid))["active"]["turn"]

    async with (
        serve_settings(tenants=TENANTS) as service,
        service.connect(HOSPITAL_STREAM, **_bearer("token-of-the-villa")) as villa,
        service.connect(HOSPITAL_STREAM, **_bearer("token-of-the-hotel")) as hotel,
    ):
        assert (await ask(villa, "1", "我想挂李四医生的号"))["medical_focus_id"]
        assert (await ask(hotel, "1", "明天下午的"))["medical_focus_id"] is None
        assert (await ask(villa, "2", "明天下午的"))["medical_focus_id"]


def _signed(**claims: Any) -> str:
    return jwt.encode({"exp": time.time() + 60, "tenant": "villa", "aud": "tingdong", **claims}, SECRET, "HS256")


JWT = {"key": SECRET, "algorithms": ["HS256"], "audience": "tingdong"}


async def test_a_signed_token_names_its_tenant(serve_settings: Any) -> None:
    """Tenants by token and by signature are the same tenants; a page is known under both."""
    async with serve_settings(tenants=TENANTS, jwt=JWT) as service:
        async with Client(service.url, token=_signed()) as client:
            await client.ask("打开卧室的灯", page_id="p", home=HOME)
        async with Client(service.url, token="token-of-the-villa") as client:
            assert (await client.ask("关了它", page_id="p", home=HOME)).instructs[0]["id"] == "dev-4"
        async with Client(service.url, token=_signed(tenant="hotel")) as client:
            assert (await client.ask("关了它", page_id="p", home=HOME)).instructs == []


@pytest.mark.parametrize(
    "token",
    [
        _signed(exp=time.time() - 1),
        _signed(aud="another service"),
        _signed(tenant=""),
        _signed(tenant="a:b"),
        _signed(tenant=7),
        jwt.encode({"tenant": "villa", "aud": "tingdong"}, SECRET, "HS256"),
        jwt.encode({"exp": time.time() + 60, "aud": "tingdong"}, SECRET, "HS256"),
        jwt.encode({"exp": time.time() + 60, "tenant": "villa", "aud": "tingdong"}, "x" * 40, "HS256"),
        jwt.encode({"exp": time.time() + 60, "tenant": "villa", "aud": "tingdong"}, None, "none"),
        _signed()[:-4],
        "a.b.c",
        "令牌",
        "",
    ],
    ids=[
        *("expired", "of another audience", "of nobody", "of a tenant with a colon", "of a number", "without expiry"),
        *("without tenant", "of another key", "unsigned", "cut off", "rubbish", "not ascii", "empty"),
    ],
)
async def test_an_invalid_token_is_refused(serve_settings: Any, token: str) -> None:
    """401 before the handshake, whatever is wrong, and for WebSocket and HTTP alike."""
    async with serve_settings(jwt=JWT) as service:
        offered = {"additional_headers": {"Authorization": f"Bearer {token}".encode().decode("latin-1")}}
        with pytest.raises(InvalidStatus) as refused:
            await service.connect(**offered)
        assert refused.value.response.status_code == 401
        async with httpx.AsyncClient(base_url=service.http, trust_env=False) as http:
            headers = {"Authorization": f"Bearer {token}".strip().encode()}
            assert (await http.post("/v1/parse", json={"text": "开灯"}, headers=headers)).status_code == 401


async def test_a_websocket_ends_with_its_token(run_service: Any, understanding: Any, pipe: Any, frame: Any) -> None:
    """The first message after the token's expiry gets 1008, and no turn (docs/security.md)."""
    now = [1_000.0]
    access = Access(Rules(verify=lambda token: Tenant("villa", until=1_060.0)), wall=lambda: now[0])
    async with run_service(understanding, access=access) as service, service.connect(**_bearer("x")) as socket:
        await pipe(socket).send(frame("1", "开灯"))
        assert (await pipe(socket).closing("1"))["ret"] == 0
        now[0] = 1_060.0
        await pipe(socket).send(frame("2", "开灯"))
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008
    assert len(understanding.asked) == 1


async def test_a_client_above_its_rate_is_refused_and_affects_no_other(
    run_service: Any, understanding: Any, pipe: Any, frame: Any
) -> None:
    """429 with the rid, on an open connection; bad frames count; another connection is served (docs/security.md)."""
    now = [0.0]
    access = Access(Rules(connection_rate=Rate(1.0, 2.0)), clock=lambda: now[0])
    async with (
        run_service(understanding, access=access) as service,
        service.connect() as fast,
        service.connect() as slow,
    ):
        await pipe(fast).send("rubbish")
        assert (await pipe(fast).closing(""))["ret"] == 400
        for rid, ret in (("1", 0), ("2", 429), ("3", 429)):
            await pipe(fast).send(frame(rid, "开灯"))
            assert (await pipe(fast).closing(rid))["ret"] == ret
        await pipe(slow).send(frame("4", "开灯"))
        assert (await pipe(slow).closing("4"))["ret"] == 0
        now[0] = 5.0
        await pipe(fast).send(frame("3", "开灯"))
        assert (await pipe(fast).closing("3"))["ret"] == 0


async def test_one_tenant_cannot_take_every_connection(run_service: Any, understanding: Any) -> None:
    """Over its share a tenant's handshakes get 503, and another tenant comes in; HTTP keeps the tenant's rate."""
    tokens = {"token-a": Tenant("a"), "token-b": Tenant("b")}
    rules = Rules(tokens=tokens, tenant_connections=1, tenant_rate=Rate(0.001, 1.0))
    async with run_service(understanding, access=Access(rules)) as service, service.connect(**_bearer("token-a")):
        with pytest.raises(InvalidStatus) as refused:
            await service.connect(**_bearer("token-a"))
        assert refused.value.response.status_code == 503
        async with (
            service.connect(**_bearer("token-b")),
            httpx.AsyncClient(base_url=service.http, trust_env=False) as http,
        ):
            headers = {"Authorization": "Bearer token-b"}
            statuses = [(await http.delete("/v1/pages/p", headers=headers)).status_code for _ in range(2)]
        assert statuses == [404, 429]


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"tenants": [{"name": "a:b", "token": "x" * 16}]}, "tenants.0.name"),
        ({"tenants": [{"name": "a", "token": "short"}]}, "tenants.0.token"),
        ({"tenants": [{"name": name, "token": "x" * 16} for name in "ab"]}, "same token"),
        ({"tenants": TENANTS, "bearer_token": "x" * 16}, "bearer_token"),
        ({"jwt": {"key": "x" * 40, "algorithms": ["none"]}}, "jwt.algorithms"),
        ({"jwt": {"key": "x" * 40, "algorithms": ["HS256", "RS256"]}}, "jwt.algorithms"),
        ({"jwt": {"key": "short"}}, "jwt.key"),
    ],
)
def test_unsafe_settings_are_refused(values: Any, named: str) -> None:
    """No unsigned tokens, no public key taken for a secret, no token of two tenants, no weak ones."""
    with pytest.raises(DataError) as refused:
        load_settings(**values)
    assert named in refused.value.message


def test_a_key_that_does_not_fit_its_algorithm_stops_the_start() -> None:
    """A broken public key is found at the start, not at the first token."""
    from tingdong.doors import access_rules

    with pytest.raises(DataError) as refused:
        access_rules(load_settings(jwt={"key": "not a public key, though long enough", "algorithms": ["RS256"]}))
    assert "jwt.key" in refused.value.message
    assert "not a public key" not in refused.value.message
