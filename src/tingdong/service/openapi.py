"""The OpenAPI document of the HTTP side, made from its operations and the types that decode and encode them."""

from typing import Any

import msgspec

from tingdong.service.frames import Fault
from tingdong.service.operations import OPERATIONS, Operation, Other

__all__ = ["openapi_document"]

_FAULTS = {
    400: "No JSON, a missing field or a wrong type",
    401: "No valid bearer token",
    413: "Too large",
    422: "The home does not validate; `path` says where",
    429: "Too many",
    500: "Our fault",
    504: "No answer in time",
}
_OF_A_BODY = {400, 413, 422}
_SCHEMAS = "#/components/schemas/"


def openapi_document(version: str) -> dict[str, Any]:
    """OpenAPI 3.1 as a JSON-ready mapping."""
    types = [kind for one in OPERATIONS for kind in (one.takes, one.gives) if isinstance(kind, type)]
    _, schemas = msgspec.json.schema_components([*types, Fault], ref_template=_SCHEMAS + "{name}")
    paths: dict[str, Any] = {}
    for one in OPERATIONS:
        paths.setdefault(one.described, {})[one.method.lower()] = _operation(one)
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


def _operation(one: Operation) -> dict[str, Any]:
    told: dict[str, Any] = {"operationId": one.name, "summary": one.summary}
    if "{page_id}" in one.described:
        schema = {"type": "string", "minLength": 1}
        told["parameters"] = [{"name": "page_id", "in": "path", "required": True, "schema": schema}]
    if one.takes is not None:
        told["requestBody"] = {"required": True, "content": _json(one.takes)}
    faults = {} if one.open else {code: text for code, text in _FAULTS.items() if one.takes or code not in _OF_A_BODY}
    refused = {
        str(code): {"description": text, **({} if one.open else {"content": _json(Fault)})}
        for code, text in {**one.refuses, **faults}.items()
    }
    return {**told, "responses": {**_given(one.gives), **refused}}


def _given(gives: type | Other) -> dict[str, Any]:
    if not isinstance(gives, Other):
        return {"200": {"description": "Served", "content": _json(gives)}}
    schema = {"schema": {"type": "object"}} if gives.media == "application/json" else {}
    content = {"content": {gives.media: schema}} if gives.media else {}
    return {str(gives.status): {"description": gives.text, **content}}


def _json(kind: type) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": _SCHEMAS + kind.__name__}}}
