"""The HTTP operations: one table for their routes and their description (service.md, HTTP)."""

from collections.abc import Mapping

import msgspec
from starlette.routing import Route

from tingdong.service.hospital import DomainAction, HospitalTurnRequest
from tingdong.service.http import Endpoint, ParseAnswer, ParseRequest, UnderstandAnswer, UnderstandRequest
from tingdong.service.retrieval import RetrieveAnswer, RetrieveRequest

__all__ = ["OPERATIONS", "Operation", "Other", "routes_of"]


class Other(msgspec.Struct, frozen=True):
    """A successful answer without a type: its status and media type; "" for no body."""

    text: str
    status: int = 200
    media: str = "application/json"


class Operation(msgspec.Struct, frozen=True):
    """A path and a method, with input, output and errors beyond the common ones.

    `open` operations need no token.
    """

    name: str
    method: str
    path: str
    summary: str
    gives: type | Other
    takes: type | None = None
    refuses: Mapping[int, str] = {}
    open: bool = False

    @property
    def described(self) -> str:
        """The path as OpenAPI writes it."""
        return self.path.replace(":path}", "}")


_NO_PAGE = {404: "No such page"}
_VERSIONS = Other("Versions of the domain file, the one in force last")

OPERATIONS = (
    Operation("parse", "POST", "/v1/parse", "One sentence → its command array", ParseAnswer, ParseRequest),
    Operation(
        "retrieve",
        "POST",
        "/v1/retrieve",
        "One sentence and a home → the fewest entities it needs",
        RetrieveAnswer,
        RetrieveRequest,
    ),
    Operation(
        "understand",
        "POST",
        "/v1/understand",
        "One turn of a dialogue → reply and instructs",
        UnderstandAnswer,
        UnderstandRequest,
    ),
    Operation(
        "forget", "DELETE", "/v1/pages/{page_id:path}", "Forget a page", Other("Forgotten", 204, ""), refuses=_NO_PAGE
    ),
    Operation(
        "hospitalTurn",
        "POST",
        "/v1/hospital/turn",
        "One turn of the hospital desk",
        Other("A turn; its schema is at /v1/hospital/context.schema.json"),
        HospitalTurnRequest,
    ),
    Operation(
        "forgetHospital",
        "DELETE",
        "/v1/hospital/pages/{page_id:path}",
        "Forget a page",
        Other("Forgotten", 204, ""),
        refuses=_NO_PAGE,
    ),
    Operation(
        "contextSchema",
        "GET",
        "/v1/hospital/context.schema.json",
        "JSON Schema of a turn",
        Other("JSON Schema of a turn"),
        open=True,
    ),
    Operation("domain", "GET", "/v1/hospital/domain", "The domain file in force", _VERSIONS),
    Operation(
        "changeDomain",
        "POST",
        "/v1/hospital/domain",
        "Read the domain file again, or take the last reading back",
        _VERSIONS,
        DomainAction,
        {403: "Not an operator"},
    ),
    Operation(
        "metrics", "GET", "/metrics", "Prometheus metrics", Other("Prometheus metrics", media="text/plain"), open=True
    ),
    Operation("healthz", "GET", "/healthz", "The process lives", Other("The process lives"), open=True),
    Operation(
        "readyz",
        "GET",
        "/readyz",
        "The process can serve turns",
        Other("The process can serve turns"),
        refuses={503: "Draining, or the page store cannot be reached"},
        open=True,
    ),
)


def routes_of(endpoints: Mapping[str, Endpoint]) -> list[Route]:
    """A route for every operation that has an endpoint, by its name."""
    return [Route(one.path, endpoints[one.name], methods=[one.method]) for one in OPERATIONS if one.name in endpoints]
