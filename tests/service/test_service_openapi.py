"""The HTTP side against its own description: what the schema allows, and much that it does not, gets no 5xx."""

import asyncio
import functools
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode

from tingdong.bootstrap import create_service
from tingdong.service.openapi import openapi_document
from tingdong.settings import load_settings

HOME = json.loads((Path(__file__).parents[1] / "corpus" / "homes" / "sample8.json").read_text("utf-8"))
SETTINGS = settings(
    max_examples=settings.default.max_examples // 8, derandomize=True, suppress_health_check=list(HealthCheck)
)
SCHEMA = schemathesis.openapi.from_dict(openapi_document("0"))
OPERATIONS = {f"{found.ok().method} {found.ok().path}": found.ok() for found in SCHEMA.get_all_operations()}
CASES = [
    (name, mode)
    for name, operation in OPERATIONS.items()
    for mode in (GenerationMode if operation.body else [GenerationMode.POSITIVE])
]


@functools.cache
def _application() -> Any:
    return create_service(load_settings(log={"level": "error"}))[0]


async def _call(case: Any) -> httpx.Response:
    arguments = case.as_transport_kwargs(base_url="http://x")
    transport = httpx.ASGITransport(_application(), raise_app_exceptions=True)
    async with httpx.AsyncClient(transport=transport) as client:
        return await client.request(
            arguments["method"],
            arguments["url"],
            headers={str(name): str(value) for name, value in (arguments.get("headers") or {}).items()},
            params=arguments.get("params"),
            json=arguments.get("json"),
            content=arguments["data"] if isinstance(arguments.get("data"), bytes) else None,
        )


@pytest.mark.parametrize(("name", "mode"), CASES)
def test_no_request_gets_a_5xx(name: str, mode: GenerationMode) -> None:
    """Generated from the OpenAPI document, valid and invalid: a status that the document names, and never a 5xx."""
    operation = OPERATIONS[name]
    named = set(operation.definition.raw["responses"])
    seen = set()

    @SETTINGS
    @given(operation.as_strategy(generation_mode=mode))
    def check(case: Any) -> None:
        status = asyncio.run(_call(case)).status_code
        seen.add(status)
        assert status < 500
        assert str(status) in named | {"404", "405"}

    check()
    assert seen


def test_the_document_describes_every_path() -> None:
    """Every HTTP route of the service, but the page's files and the document itself, is in the document."""
    served = {
        route.path.replace(":path", "")
        for route in _application().routes
        if getattr(route, "methods", None) is not None
    }
    page = {path for path in served if path in ("/", "/docs", "/icon.svg", "/openapi.json") or "{name}" in path}
    assert served - page == set(openapi_document("0")["paths"])
