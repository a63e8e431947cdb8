"""Scorer of smart-home dialogues (service.md): every turn's kind, instructs and what its sentence says.

A dialogue is played against a service as a client would play it: each turn sends the home's present state, and what the
turn changed is applied before the next one (`state_after` of a case outranks it). What the service is, and how it is
reached, is the caller's: the scorer only asks.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any
from uuid import uuid4

import msgspec

from tingdong.evaluate.corpus import Case, overlays
from tingdong.evaluate.score import ScoredItem

__all__ = ["Ask", "AskedTurn", "ServiceReply", "ServiceScorer"]

_GIVEN = frozenset({"question", "alternatives", "local", "now", "state_before", "state_after"})
"""What a turn says beside what is expected of it."""


class AskedTurn(msgspec.Struct, frozen=True):
    """One request of a dialogue (service.md, Request frame); `home` is the home object with its present state, `now`
    the user's clock (ISO 8601; None: the server's), `alternatives` what else a recogniser offers."""

    page_id: str
    question: str
    local: str | None
    instruct: bool
    home: Mapping[str, Any]
    now: str | None = None
    alternatives: Sequence[str] = ()


class ServiceReply(msgspec.Struct, frozen=True):
    """What came back: `ret` of the closing frame, its intent, what is to be done now (`instructs`) and later
    (`scheduled`); `token` the kind the token frame told."""

    ret: int
    intent: str = ""
    result: str = ""
    instructs: Sequence[Mapping[str, Any]] = ()
    scheduled: Sequence[Mapping[str, Any]] = ()
    token: str | None = None


Ask = Callable[[AskedTurn], ServiceReply]


class ServiceScorer:
    """Plays dialogues turn by turn; `homes` gives a home object by its name in the set."""

    def __init__(self, ask: Ask, homes: Callable[[str], Mapping[str, Any]]) -> None:
        self._ask = ask
        self._homes = homes
        self._dialogues = self._perfect = 0

    def score(self, case: Case) -> list[ScoredItem]:
        """One outcome a turn; they count under the dialogue's leading tag."""
        home = deepcopy(dict(self._homes(case.raw["home"])))
        _apply(home, case.raw.get("state_before") or {})
        page = str(uuid4())
        outcomes = []
        for number, turn in enumerate(case.raw["turns"], start=1):
            _apply(home, turn.get("state_before") or {})
            outcome, reply = self._turn(case, turn, home=home, page=page)
            outcomes.append(msgspec.structs.replace(outcome, id=f"{case.id}.{number}"))
            _apply(home, _changes(turn, reply, right=outcome.right))
        self._dialogues += 1
        self._perfect += all(outcome.right for outcome in outcomes)
        return outcomes

    def figures(self) -> Mapping[str, float]:
        """Share of dialogues with every turn right."""
        return {"dialogues right throughout": self._perfect / self._dialogues if self._dialogues else 0.0}

    def _turn(
        self, case: Case, turn: Mapping[str, Any], *, home: Mapping[str, Any], page: str
    ) -> tuple[ScoredItem, ServiceReply]:
        raw = case.raw
        local, now = (turn.get(name, raw.get(name)) for name in ("local", "now"))
        others = turn.get("alternatives", ())
        reply = self._ask(AskedTurn(page, turn["question"], local, raw.get("instruct", True), home, now, others))
        wrong = min((_differences(reply, gold) for gold in overlays(turn)), key=len)
        expected = {key: value for key, value in turn.items() if key not in _GIVEN}
        got = {"intent": reply.intent, "result": reply.result, "instructs": reply.instructs, "ret": reply.ret}
        if reply.scheduled:
            got["scheduled"] = reply.scheduled
        return ScoredItem(case.id, case.tag, not wrong, turn["question"], expected, got, wrong), reply


def _differences(reply: ServiceReply, gold: Mapping[str, Any]) -> tuple[str, ...]:
    checks = {
        "ret": reply.ret == 0,
        "intent": reply.intent == gold["intent"],
        "token": reply.token is None or reply.token == reply.intent,
        "instructs": _same(reply.instructs, gold, later=False),
        "scheduled": _same(reply.scheduled, gold, later=True),
        "result": _says(reply.result, gold),
    }
    return tuple(name for name, good in checks.items() if not good)


def _says(result: str, gold: Mapping[str, Any]) -> bool:
    """Whether the sentence holds all of `result_must`, one of each `result_any` group and none of `result_not`."""
    return (
        all(word in result for word in gold.get("result_must") or ())
        and all(any(word in result for word in group) for group in gold.get("result_any") or ())
        and not any(word in result for word in gold.get("result_not") or ())
    )


def _same(got: Sequence[Mapping[str, Any]], gold: Mapping[str, Any], *, later: bool) -> bool:
    """Whether what came for now, or for later, is what the case has; it lists both together, or apart as the wire."""
    listed = (*(gold.get("instructs") or ()), *(gold.get("scheduled") or ()))
    wanted = [instruct for instruct in listed if _is_later(instruct) is later]
    mine, theirs = ({_key(instruct) for instruct in instructs} for instructs in (got, wanted))
    return mine == theirs and len(got) == len(wanted)


def _is_later(instruct: Mapping[str, Any]) -> bool:
    return bool(instruct.get("when") or instruct.get("cancel"))


def _key(instruct: Mapping[str, Any]) -> tuple[str, str, str | None, bool]:
    """An instruct as scored: id, state, when, and whether it cancels a timer (any timer: `"*"`)."""
    state = {name: _plain(value) for name, value in instruct.get("state", {}).items()}
    text = msgspec.json.encode(state, order="sorted").decode()
    return str(instruct["id"]), text, _canonical_when(instruct.get("when")), bool(instruct.get("cancel"))


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


_DURATION = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?\Z")


def _canonical_when(when: str | None) -> str | None:
    """Equal durations and equal recurrence rules as equal text; everything else as it is."""
    if when is None:
        return None
    if when.startswith("RRULE:"):
        parts = (part for part in when.removeprefix("RRULE:").split(";") if part != "BYSECOND=0")
        return ";".join(sorted(_days(part) for part in parts))
    found = _DURATION.match(when)
    if found is None:
        return when
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return f"{((days * 24 + hours) * 60 + minutes) * 60 + seconds}s"


def _days(part: str) -> str:
    name, _, days = part.partition("=")
    return f"{name}={','.join(sorted(days.split(',')))}"


def _changes(turn: Mapping[str, Any], reply: ServiceReply, *, right: bool) -> Mapping[str, Mapping[str, Any]]:
    """What a turn left changed: the case's word, else what was to be done now (by the case, after a wrong turn)."""
    if "state_after" in turn:
        after: Mapping[str, Mapping[str, Any]] = turn["state_after"] or {}
        return after
    instructs = reply.instructs if right else turn.get("instructs", ())
    return {item["id"]: item.get("state", {}) for item in instructs if not _is_later(item)}


def _apply(home: dict[str, Any], changes: Mapping[str, Mapping[str, Any]]) -> None:
    devices = {device["id"]: device for device in home["devices"]}
    for name, state in changes.items():
        if name in devices:
            devices[name]["device"].setdefault("state", {}).update(state)
