"""`tingdong route`: dialogues at a hospital's front desk in, turns as JSON out (hospital.md, "Turn as JSON")."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec

from tingdong.batch import Answer
from tingdong.bootstrap import hospital_desk
from tingdong.cli.lines import HospitalLine, answer_lines
from tingdong.front_desk.model import Attachment, IntentContext
from tingdong.front_desk.router import Router
from tingdong.front_desk.wire import turn_as_json
from tingdong.hearing.offered import MOST_OFFERED
from tingdong.service.moments import moment_of

__all__ = ["RoutingDesk", "route_lines", "route_sentences"]


class SpokenTurn(msgspec.Struct):
    """One turn of a dialogue: what is said, what is sent along, and what else a recogniser offers for what is said;
    unknown fields are ignored."""

    text: str
    attachments: tuple[Attachment, ...] = ()
    alternatives: Annotated[tuple[str, ...], msgspec.Meta(max_length=MOST_OFFERED)] = ()


class RoutingDesk:
    """A front desk of one domain and one directory file; without them those that ship with the package.

    Raises `DataError` when a file is broken.
    """

    def __init__(self, directory: Path | None = None, domain: Path | None = None) -> None:
        self.router: Router = hospital_desk(directory, domain).router

    def route(self, now: str | None, turns: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Every turn of a dialogue as JSON. Raises `BadFrame` for a `now` that is no ISO 8601."""
        moment = _moment(now)
        context = IntentContext()
        answers = []
        for raw in turns:
            spoken = msgspec.convert(raw, SpokenTurn)
            others = spoken.alternatives
            turn = self.router.turn(
                context, spoken.text, now=moment, attachments=spoken.attachments, alternatives=others
            )
            context = turn.context
            answers.append(turn_as_json(turn))
        return answers


def _moment(now: str | None) -> datetime:
    """The user's clock; without one, and for one without an offset, that of this machine counts."""
    here = datetime.now().astimezone()
    return here if now is None else moment_of(now, here.tzinfo or UTC, "now")


def route_lines(desk: RoutingDesk) -> bool:
    """Answer lines of `HospitalLine`; False when one could not be read."""

    def answer(line: HospitalLine) -> Answer:
        return {"id": line.id, "turns": desk.route(line.now, line.turns)}

    return answer_lines(HospitalLine, answer)


def route_sentences(desk: RoutingDesk, sentences: Iterable[str], now: str | None) -> None:
    """Print the turns of one dialogue, one JSON object a line."""
    for turn in desk.route(now, [{"text": sentence} for sentence in sentences]):
        print(json.dumps(turn, ensure_ascii=False))
