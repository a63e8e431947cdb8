"""The playground's files on the wire (service.md, Endpoint; a page that shows strangers' words runs
none)."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx
import pytest

WEB = files("tingdong.service").joinpath("web")
TYPES = {
    "/": "text/html; charset=utf-8",
    "/css/base.css": "text/css; charset=utf-8",
    "/js/app.js": "text/javascript; charset=utf-8",
    "/homes/sample8.json": "application/json",
    "/icon.svg": "image/svg+xml",
}


def _client(service: Any) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=service.http, trust_env=False)


@pytest.mark.parametrize(("path", "kind"), TYPES.items())
async def test_files_come_as_what_they_are(run_service: Any, understanding: Any, path: str, kind: str) -> None:
    """Content type, no sniffing, revalidation by ETag, and the policy on every file."""
    async with run_service(understanding) as service, _client(service) as client:
        answer = await client.get(path)
        again = await client.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (answer.status_code, answer.headers["content-type"]) == (200, kind)
    assert answer.content == WEB.joinpath(path.lstrip("/") or "index.html").read_bytes()
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-cache"
    assert (again.status_code, again.content) == (304, b"")
    assert "default-src 'none'" in answer.headers["content-security-policy"]


async def test_the_content_policy_allows_no_external_resource(run_service: Any, understanding: Any) -> None:
    """Scripts, styles and connections are this host's own; nothing inline, no frames, no forms sent anywhere."""
    async with run_service(understanding) as service, _client(service) as client:
        policy = (await client.get("/")).headers["content-security-policy"]
        host = service.http.removeprefix("http://")
        strange = (await client.get("/", headers={"Host": "a; script-src *"})).headers["content-security-policy"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data: blob:",
        "connect-src": f"'self' ws://{host} wss://{host}",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    assert "script-src *" not in strange


@pytest.mark.parametrize("path", ["/js/nothing.js", "/js/..%2fapp.py", "/css/%2e%2e/%2e%2e/app.py", "/homes/", "/web/"])
async def test_only_the_pages_files_are_served(run_service: Any, understanding: Any, path: str) -> None:
    """A path that names no file of the page is 404 in the house's JSON."""
    async with run_service(understanding) as service, _client(service) as client:
        answer = await client.get(path)
    assert (answer.status_code, answer.json()["ret"]) == (404, 404)


def test_the_page_asks_nobody_else() -> None:
    """No file of the page names another host: it works offline."""
    for folder in (WEB, WEB.joinpath("js"), WEB.joinpath("css")):
        for entry in folder.iterdir():
            if entry.is_file():
                links = re.findall(r"https?://(?!www\.w3\.org/)[\w.]+", entry.read_text(encoding="utf-8"))
                assert links == [], entry.name


def test_the_homes_are_those_of_the_corpus() -> None:
    """The homes one can choose are the ones the sentences are scored on."""
    corpus = Path(__file__).parents[1] / "corpus" / "homes"
    for name in ("sample8", "flat25", "villa120"):
        shipped = json.loads(WEB.joinpath("homes", f"{name}.json").read_text(encoding="utf-8"))
        assert shipped == json.loads((corpus / f"{name}.json").read_text(encoding="utf-8"))


def test_every_rule_of_the_dialogue_has_words_on_the_page() -> None:
    """What took a turn is told by words in both languages, never by the code of the rule."""
    rule = re.compile(r'Outcome\(.*?\brule="(\w+)"|(?:close|carried_out)\([^"\n]*"(\w+)"')
    dialogue = Path(str(files("tingdong.home_dialogue")))
    named = {name for path in dialogue.glob("*.py") for pair in rule.findall(path.read_text("utf-8")) for name in pair}
    terms = WEB.joinpath("js", "terms.js").read_text("utf-8")
    assert len(named) > 20
    assert sorted(name for name in named if name and f'"rule.{name}": ' not in terms) == []
