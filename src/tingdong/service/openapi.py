"""The OpenAPI document of the HTTP side, made from the types that decode and encode it."""

from collections.abc import Mapping
from typing import Any

import msgspec

from tingdong.service.frames import Fault
from tingdong.service.http import ParseAnswer, ParseRequest, UnderstandAnswer, UnderstandRequest
from tingdong.service.retrieval import RetrieveAnswer, RetrieveRequest

__all__ = ["openapi_document"]

_OPERATIONS: tuple[tuple[str, str, type, type], ...] = (
    ("parse", "One sentence → its command array", ParseRequest, ParseAnswer),
    ("retrieve", "One sentence and a home → the fewest entities it needs", RetrieveRequest, RetrieveAnswer),
    ("understand", "One turn of a dialogue → reply and instructs", UnderstandRequest, UnderstandAnswer),
)
_FAULTS = {
    "400": "No JSON, a missing field or a wrong type",
    "401": "No valid bearer token",
    "413": "Too large",
    "422": "The home does not validate; `path` says where",
    "429": "Too many",
    "500": "Our fault",
    "504": "No answer in time",
}
_SCHEMAS = "#/components/schemas/"


def openapi_document(version: str) -> dict[str, Any]:
    """OpenAPI 3.1 as a JSON-ready mapping."""
    types = [kind for _, _, request, answer in _OPERATIONS for kind in (request, answer)]
    _, schemas = msgspec.json.schema_components([*types, Fault], ref_template=_SCHEMAS + "{name}")
    paths: dict[str, Any] = {f"/v1/{operation[0]}": {"post": _post(*operation)} for operation in _OPERATIONS}
    paths["/v1/pages/{page_id}"] = {"delete": _forget()}
    for probe, text in (("healthz", "The process lives"), ("readyz", "The process can serve turns")):
        paths[f"/{probe}"] = {
            "get": {"operationId": probe, "summary": text, "responses": {"200": {"description": text}}}
        }
    paths["/readyz"]["get"]["responses"]["503"] = {"description": "Draining, or the page store cannot be reached"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "TingDong", "version": version, "license": {"name": "Apache-2.0"}},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"bearer": []}],
    }


def _post(name: str, summary: str, request: type, answer: type) -> Mapping[str, Any]:
    return {
        "operationId": name,
        "summary": summary,
        "requestBody": {"required": True, "content": _json(request)},
        "responses": {"200": {"description": "Served", "content": _json(answer)}, **_faults()},
    }


def _forget() -> Mapping[str, Any]:
    page_id = {"name": "page_id", "in": "path", "required": True, "schema": {"type": "string"}}
    return {
        "operationId": "forget",
        "summary": "Forget a page",
        "parameters": [page_id],
        "responses": {
            "204": {"description": "Forgotten"},
            "404": {"description": "No such page", "content": _json(Fault)},
            **{code: _faults()[code] for code in ("401", "500", "504")},
        },
    }


def _faults() -> dict[str, Any]:
    return {code: {"description": text, "content": _json(Fault)} for code, text in _FAULTS.items()}


def _json(kind: type) -> Mapping[str, Any]:
    return {"application/json": {"schema": {"$ref": _SCHEMAS + kind.__name__}}}
