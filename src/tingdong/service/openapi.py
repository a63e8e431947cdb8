"""The OpenAPI document of the HTTP side, made from the types that decode and encode it."""

from collections.abc import Mapping
from typing import Any

import msgspec

from tingdong.service.frames import Fault
from tingdong.service.hospital import DomainAction, HospitalTurnRequest
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
    types += [HospitalTurnRequest, DomainAction, Fault]
    _, schemas = msgspec.json.schema_components(types, ref_template=_SCHEMAS + "{name}")
    paths: dict[str, Any] = {f"/v1/{operation[0]}": {"post": _post(*operation)} for operation in _OPERATIONS}
    paths["/v1/pages/{page_id}"] = {"delete": _forget("forget")}
    paths |= _hospital()
    paths["/metrics"] = {"get": _plain("metrics", "Prometheus metrics", "text/plain")}
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


def _hospital() -> dict[str, Any]:
    turn, schema = "A turn; its schema is at /v1/hospital/context.schema.json", "JSON Schema of a turn"
    versions = {"description": "Versions of the domain file, the one in force last", "content": _anything()}
    faults = _faults()
    change = {
        "operationId": "changeDomain",
        "summary": "Read the domain file again, or take the last reading back",
        "requestBody": {"required": True, "content": _json(DomainAction)},
        "responses": {"200": versions, "403": {"description": "Not an operator", "content": _json(Fault)}, **faults},
    }
    return {
        "/v1/hospital/turn": {
            "post": {
                "operationId": "hospitalTurn",
                "summary": "One turn of the hospital desk",
                "requestBody": {"required": True, "content": _json(HospitalTurnRequest)},
                "responses": {"200": {"description": turn, "content": _anything()}, **faults},
            }
        },
        "/v1/hospital/pages/{page_id}": {"delete": _forget("forgetHospital")},
        "/v1/hospital/context.schema.json": {"get": _plain("contextSchema", schema, "application/json")},
        "/v1/hospital/domain": {
            "get": {
                "operationId": "domain",
                "summary": "The domain file in force",
                "responses": {"200": versions, **{code: faults[code] for code in ("401", "429", "500")}},
            },
            "post": change,
        },
    }


def _plain(name: str, summary: str, media: str) -> dict[str, Any]:
    answer = {"description": summary, "content": {media: {}}}
    return {"operationId": name, "summary": summary, "responses": {"200": answer}}


def _anything() -> dict[str, Any]:
    return {"application/json": {"schema": {"type": "object"}}}


def _post(name: str, summary: str, request: type, answer: type) -> Mapping[str, Any]:
    return {
        "operationId": name,
        "summary": summary,
        "requestBody": {"required": True, "content": _json(request)},
        "responses": {"200": {"description": "Served", "content": _json(answer)}, **_faults()},
    }


def _forget(name: str) -> Mapping[str, Any]:
    page_id = {"name": "page_id", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
    return {
        "operationId": name,
        "summary": "Forget a page",
        "parameters": [page_id],
        "responses": {
            "204": {"description": "Forgotten"},
            "404": {"description": "No such page", "content": _json(Fault)},
            **{code: _faults()[code] for code in ("401", "429", "500", "504")},
        },
    }


def _faults() -> dict[str, Any]:
    return {code: {"description": text, "content": _json(Fault)} for code, text in _FAULTS.items()}


def _json(kind: type) -> Mapping[str, Any]:
    return {"application/json": {"schema": {"$ref": _SCHEMAS + kind.__name__}}}
