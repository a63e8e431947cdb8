"""The hospital desk on the wire: the pipe's frames under topic `llm/hospital`, and HTTP (hospital.md).

A closing frame is the pipe's (service.md, Closing frame) with the turn beside the intent: `data.active.turn` is the
context of hospital.md, Turn as JSON, with segments, relations, turn type and reply.
"""

from datetime import datetime, tzinfo
from typing import Any, Literal
from uuid import uuid4

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tingdong.commands.reading import Verdict
from tingdong.desk_turn import DeskTurns, Routed, TurnAsked
from tingdong.errors import BadFrame, DataError, FrameTooLarge
from tingdong.front_desk.model import Attachment
from tingdong.front_desk.reports import Report, ReportKind
from tingdong.front_desk.wire import context_schema
from tingdong.home.model import ReplyKind
from tingdong.service.access import NOBODY, Tenant, page_of
from tingdong.service.frames import (
    Active,
    Alternatives,
    Fault,
    Identifier,
    Intent,
    Moment,
    decode_for,
    decode_request,
    encode_token,
)
from tingdong.service.http import Api, Endpoint, json_response, tenant_of
from tingdong.service.moments import moment_of
from tingdong.service.session import Memory, Ticket
from tingdong.service.telemetry import TurnRecord
from tingdong.service.turns import Answered, Emit

__all__ = [
    "HOSPITAL_STREAM",
    "HOSPITAL_TOPIC",
    "DomainAction",
    "HospitalHandler",
    "HospitalTurnRequest",
    "hospital_endpoints",
]

HOSPITAL_TOPIC = "llm/hospital"
HOSPITAL_STREAM = "/agent/hospital/stream"
MAX_ATTACHMENTS = 8
MAX_REFERENCE = 1_024
"""Characters of the kind and the reference of an attachment."""


class AgentReport(msgspec.Struct, frozen=True):
    """An agent's report about a task (hospital.md, Relations, Frames): `activate` (it is being answered), `complete`,
    `cancel`, or `handoff` (another agent is suggested, with its code and a summary)."""

    kind: ReportKind
    frame_id: Identifier
    agent_code: str = ""
    summary: str = ""


class HospitalPayload(msgspec.Struct, frozen=True):
    """One turn of a page: the user's `question`, or the `report` of an agent instead of it.

    `now` is the user's clock in ISO 8601; `attachments` are references, never contents. `alternatives` are what else a
    recogniser offers for the question.
    """

    page_id: Identifier
    question: str | msgspec.UnsetType = msgspec.UNSET
    report: AgentReport | None = None
    now: Moment | None = None
    attachments: tuple[Attachment, ...] = ()
    alternatives: Alternatives = ()


class HospitalFrame(msgspec.Struct, frozen=True):
    """A request frame of the hospital topic (service.md, Request frame)."""

    topic: str
    rid: Identifier
    payload: HospitalPayload


class HospitalTurnRequest(HospitalPayload, frozen=True):
    """Body of `POST /v1/hospital/turn`: the payload of a frame. A repeated `rid` gets the stored turn."""

    rid: Identifier | None = None


_FRAME = msgspec.json.Decoder(HospitalFrame)
_TURN = msgspec.json.Decoder(HospitalTurnRequest)


class HospitalHandler:
    """Topic `llm/hospital`."""

    name = HOSPITAL_TOPIC

    def __init__(self, desk_turns: DeskTurns, *, question_chars: int, zone: tzinfo, here: bool = False) -> None:
        self._desk_turns = desk_turns
        self._question_chars = question_chars
        self._zone = zone
        self._here = here

    def admit(self, data: bytes, memory: Memory) -> Ticket | None:  # noqa: ARG002 - the home topic remembers homes there
        """A ticket for a frame of this topic. Raises `BadFrame`, `FrameTooLarge`."""
        frame = decode_for(HOSPITAL_TOPIC, data, _FRAME)
        if frame is None:
            return None
        return self.ticket(frame.rid, frame.payload, "payload.")

    def ticket(self, rid: str, payload: HospitalPayload, where: str = "") -> Ticket:
        """A ticket for a payload. Raises `BadFrame`, `FrameTooLarge`; `where` starts the path of a fault."""
        asked = self.asked(rid, payload, where)
        return Ticket(HOSPITAL_TOPIC, rid, payload.page_id, asked.text, asked)

    def is_short(self, ticket: Ticket) -> bool:
        """Whether the turn is served as it comes."""
        return self._here and self._desk_turns.is_short(ticket.request)

    async def handle(self, ticket: Ticket, emit: Emit, tenant: Tenant = NOBODY) -> Answered:
        """One turn; the reply goes out as the token frame once the page is committed."""
        routed = await self._desk_turns.turn(_owned(ticket.request, tenant))
        intent = _intent_of(routed.turn)
        if not routed.replayed:
            await emit(encode_token(HOSPITAL_TOPIC, ticket.rid, intent.type, intent.result))
        return Answered(Active(intent, (), turn=routed.turn), _record(ticket, routed, tenant))

    def asked(self, rid: str, payload: HospitalPayload, where: str = "") -> TurnAsked:
        """The use case's request. Raises `BadFrame`, `FrameTooLarge`; `where` starts the path of a fault."""
        if (payload.question is msgspec.UNSET) == (payload.report is None):
            raise BadFrame(f"{where}question 和 report 要有且只有一个", path=f"{where}question")
        self._bound(payload, where)
        report = None if payload.report is None else Report(*msgspec.structs.astuple(payload.report))
        now = moment_of(payload.now, self._zone, f"{where}now") if payload.now is not None else datetime.now(self._zone)
        return TurnAsked(
            rid,
            payload.page_id,
            payload.question or "",
            now,
            payload.attachments,
            report=report,
            alternatives=payload.alternatives,
        )

    def _bound(self, payload: HospitalPayload, where: str) -> None:
        """Checks the sizes of everything that is sent."""
        for name, text in (
            ("question", payload.question),
            ("report.summary", payload.report and payload.report.summary),
            *((f"alternatives[{index}]", text) for index, text in enumerate(payload.alternatives)),
        ):
            if text and len(text) > self._question_chars:
                raise FrameTooLarge(f"{where}{name} 最多 {self._question_chars} 个字符", path=f"{where}{name}")
        if payload.report is not None and payload.report.kind is ReportKind.HANDOFF and not payload.report.agent_code:
            raise BadFrame(f"{where}report.agent_code 是要转给的智能体", path=f"{where}report.agent_code")
        if len(payload.attachments) > MAX_ATTACHMENTS:
            raise FrameTooLarge(f"{where}attachments 最多 {MAX_ATTACHMENTS} 个", path=f"{where}attachments")
        for index, one in enumerate(payload.attachments):
            if len(one.kind) + len(one.ref) > MAX_REFERENCE:
                path = f"{where}attachments[{index}].ref"
                raise FrameTooLarge(f"{path} 最多 {MAX_REFERENCE} 个字符", path=path)


def _intent_of(turn: dict[str, Any]) -> Intent:
    """The reply as one of the four kinds: a clarify is a question, no task is none."""
    ops = {op["op"] for op in turn["intent_ops"]}
    kind = ReplyKind.QUESTION if "clarify" in ops else ReplyKind.ANSWER if ops else ReplyKind.NONE
    return Intent(kind, turn["reply"])


def _owned(asked: TurnAsked, tenant: Tenant) -> TurnAsked:
    return msgspec.structs.replace(asked, page_id=page_of(tenant, asked.page_id), tenant=tenant.name)


def _record(ticket: Ticket, routed: Routed, tenant: Tenant) -> TurnRecord:
    turn = routed.turn
    ops = [op["op"] for op in turn["intent_ops"]]
    return TurnRecord(
        topic=ticket.topic,
        rid=ticket.rid,
        page_id=ticket.page_id,
        tenant=tenant.name,
        question=ticket.question,
        kind=_intent_of(turn).type.value,
        tier=turn["meta"]["layer_hit"],
        verdict=(Verdict.ACCEPT if ops else Verdict.ABSTAIN).value,
        unknown=not ops,
        reason=turn["safety"]["label"] if "block" in ops else "",
        repeated=routed.replayed,
    )


def hospital_endpoints(api: Api, handler: HospitalHandler, desk_turns: DeskTurns) -> dict[str, Endpoint]:
    """By the names of their operations: a turn, its page, the context's schema, and the domain file in force."""

    async def turn(request: Request) -> Response:
        body = decode_request(await api.body(request), _TURN)
        answered = await api.turns.serve(handler, handler.ticket(body.rid or str(uuid4()), body), tenant_of(request))
        return json_response(answered.active.turn)

    async def forget(request: Request) -> Response:
        if await desk_turns.forget(page_of(tenant_of(request), request.path_params["page_id"])):
            return Response(status_code=204)
        return json_response(Fault(404, message="没有这个情景对话"), 404)

    async def schema(_request: Request) -> Response:
        return json_response(context_schema())

    async def domain(request: Request) -> Response:
        if request.method == "POST":
            action = decode_request(await api.body(request), _ACTION).action
            if not tenant_of(request).operator:
                return json_response(Fault(403, message="只有运维方可以更换领域文件"), 403)
            try:
                desk_turns.desk.reload() if action == "reload" else desk_turns.desk.roll_back()
            except DataError as error:  # told in full: it speaks of the operator's own files
                return json_response(Fault(422, message=error.message, path=error.path), 422)
        versions = desk_turns.desk.versions
        return json_response({"version": versions[-1], "versions": versions, "reaches": "this process"})

    guarded = {"hospitalTurn": turn, "forgetHospital": forget, "domain": domain, "changeDomain": domain}
    return {"contextSchema": schema, **{name: api.guarded(endpoint) for name, endpoint in guarded.items()}}


class DomainAction(msgspec.Struct, frozen=True):
    """An action on the domain file: reload, or roll back to the previous version."""

    action: Literal["reload", "roll_back"]


_ACTION = msgspec.json.Decoder(DomainAction)
