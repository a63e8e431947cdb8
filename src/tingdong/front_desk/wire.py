"""A turn as JSON (hospital.md, "Turn as JSON"), and the JSON schema of the context (hospital.md, Frames)."""

from __future__ import annotations

from typing import Any

import msgspec

from tingdong.front_desk.model import DeskTurn, IntentContext, Segment

__all__ = ["context_schema", "turn_as_json"]


def turn_as_json(turn: DeskTurn) -> dict[str, Any]:
    """The fields of the context, then segments, relations, turn_type, reply; plain values only."""
    plain: dict[str, Any] = msgspec.to_builtins(turn.context)
    if plain["legacy_agent_code"] is None:
        del plain["legacy_agent_code"]
    plain["segments"] = [_segment(segment) for segment in turn.segments]
    plain["relations"] = msgspec.to_builtins(turn.relations)
    plain["turn_type"] = turn.turn_type.value
    plain["reply"] = turn.reply
    plain["notes"] = list(turn.notes)
    if turn.unread is not None:
        plain["unread"] = msgspec.to_builtins(turn.unread)
    if turn.heard is not None:
        plain["heard"] = msgspec.to_builtins(turn.heard)
    return plain


def _segment(segment: Segment) -> dict[str, Any]:
    return {
        "text": segment.text,
        "start": segment.start,
        "end": segment.end,
        "agent_code": segment.agent_code,
        "confidence": round(segment.confidence, 4),
        "signals": list(segment.signals),
        "candidates": msgspec.to_builtins(segment.candidates),
        "slots": dict(segment.slots),
        "layer": segment.layer.value,
    }


def context_schema() -> dict[str, Any]:
    """The JSON schema of `IntentContext`, as published."""
    return msgspec.json.schema(IntentContext)
