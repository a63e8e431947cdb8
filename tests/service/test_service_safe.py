"""Safe by default: without a token, this machine and the service's own page are served, nobody else (security.md)."""

import asyncio
import stat
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tingdong.doors import access_rules, listening_rules
from tingdong.errors import DataError
from tingdong.service.access import HOLDER, Access, Rules, Tenant
from tingdong.settings import load_settings


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "host.example", ""])
def test_another_address_without_a_token_is_refused(host: str) -> None:
    """The start stops, and says what to set; said on purpose, or with a token, it goes on."""
    with pytest.raises(DataError, match="TINGDONG_BEARER_TOKEN"):
        listening_rules(load_settings(), host)
    assert listening_rules(load_settings(bearer_token="a token of some length"), host).closed
    assert not listening_rules(load_settings(open_to_all=True), host).here_only


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.9", "::1", "[::1]", "localhost"])
def test_this_machine_needs_no_token(host: str) -> None:
    """The command-line contract: `tingdong serve --host 127.0.0.1` as it stands (cli.md)."""
    assert not listening_rules(load_settings(), host).closed


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "{own}"}, 200),
        ({"Host": "localhost:{port}", "Origin": "http://localhost:{port}"}, 200),
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "rebound.example:{port}", "Origin": "http://rebound.example:{port}"}, 403),
        ({"Host": "rebound.example"}, 200),
    ],
)
async def test_without_a_token_only_the_own_page_is_served(serve_settings: Any, headers: Any, status: int) -> None:
    """By HTTP and by WebSocket; also where a page of elsewhere lets its name point to this machine."""
    async with serve_settings() as service:
        own, port = service.http, service.http.rpartition(":")[2]
        sent = {name: value.format(own=own, port=port) for name, value in headers.items()}
        async with httpx.AsyncClient(base_url=own, trust_env=False) as http:
            assert (await http.post("/v1/parse", json={"text": "开灯"}, headers=sent)).status_code == status
        if "Host" in sent:
            return
        if status == 200:
            async with service.connect(additional_headers=sent):
                return
        with pytest.raises(InvalidStatus) as refused:
            await service.connect(additional_headers=sent)
        assert refused.value.response.status_code == status


@pytest.mark.parametrize(
    ("settings", "token", "status"),
    [
        ({}, "", 403),
        ({"open_to_all": True}, "", 403),
        ({"tenants": [{"name": "villa", "token": "token-of-the-villa"}]}, "token-of-the-villa", 403),
        ({"tenants": [{"name": "a", "token": "token-of-operations", "operator": True}]}, "token-of-operations", 200),
        ({"bearer_token": "the-one-token"}, "the-one-token", 200),
    ],
)
async def test_an_operators_route_wants_an_operators_token(
    serve_settings: Any, settings: Any, token: str, status: int
) -> None:
    """Nobody is operator where no token is asked for."""
    async with (
        serve_settings(**settings) as service,
        httpx.AsyncClient(base_url=service.http, trust_env=False) as http,
    ):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = await http.post("/v1/hospital/domain", json={"action": "reload"}, headers=headers)
    assert answer.status_code == status


def test_a_token_is_made_where_there_is_none(tmp_path: Path) -> None:
    """Long, for its owner's eyes only, and the same for every replica and at every start (bearer_token_file)."""
    path = tmp_path / "token"
    first = access_rules(load_settings(bearer_token_file=path))
    (token,) = first.tokens
    assert len(token) >= 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert access_rules(load_settings(bearer_token_file=path)).tokens == {token: HOLDER}
    assert [entry.name for entry in tmp_path.iterdir()] == ["token"]
    told = load_settings(bearer_token_file=path, bearer_token="another-token")
    assert list(access_rules(told).tokens) == ["another-token"]


@pytest.mark.parametrize("text", ["", "short"])
def test_a_file_without_a_token_stops_the_start(tmp_path: Path, text: str) -> None:
    """A guessable token is none."""
    (tmp_path / "token").write_text(text)
    with pytest.raises(DataError, match="bearer_token_file"):
        access_rules(load_settings(bearer_token_file=tmp_path / "token"))


async def test_a_socket_ends_with_the_token_that_opened_it(
    run_service: Any, understanding: Any, pipe: Any, frame: Any
) -> None:
    """Tokens that a reload took away close their sockets, also those that say nothing; the others go on."""
    villa, hotel = Tenant("villa"), Tenant("hotel")
    access = Access(Rules(tokens={"of-the-villa": villa, "of-the-hotel": hotel}))
    bearer = [{"additional_headers": {"Authorization": f"Bearer {name}"}} for name in ("of-the-villa", "of-the-hotel")]
    async with (
        run_service(understanding, access=access) as service,
        service.connect(**bearer[0]) as removed,
        service.connect(**bearer[1]) as kept,
    ):
        access.rules = Rules(tokens={"of-the-hotel": hotel})
        assert service.app.reload()
        with pytest.raises(ConnectionClosed) as closed:
            async with asyncio.timeout(10):
                await removed.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008
        await pipe(kept).send(frame("1", "开灯"))
        assert (await pipe(kept).closing("1"))["ret"] == 0


async def test_origins_of_a_reload_hold_for_browsers_too(serve_settings: Any) -> None:
    """What CORS says follows the settings that were read last."""
    origin = "https://app.example.com"
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    settings = [load_settings(origins=(origin,))]
    async with (
        serve_settings(reread=lambda: settings[-1]) as service,
        httpx.AsyncClient(base_url=service.http, trust_env=False) as http,
    ):
        assert (await http.options("/v1/parse", headers=asked)).status_code == 400
        assert service.app.reload()
        allowed = await http.options("/v1/parse", headers=asked)
        assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (200, origin)
        settings.append(load_settings())
        assert service.app.reload()
        assert (await http.options("/v1/parse", headers=asked)).status_code == 400
