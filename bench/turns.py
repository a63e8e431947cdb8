"""Speed of a whole smart-home turn in this process: request frame in, both answer frames out, memory store.

Every turn is another sentence on a new page of an unchanged home; `changed` also changes one device's state each turn.
"""

import itertools
import json
from collections.abc import Callable, Iterator, Sequence

from bench.harness import Baseline, Figure, frame, home, labelled, measure
from tingdong.home_turn import Understander
from tingdong.service.handlers import HomeHandler
from tingdong.service.session import ConnectionLimits, Run, Send, Session
from tingdong.stores.memory import MemoryPageStore

__all__ = ["figures"]

LIMITS = {"sample8": 12.0}
"""Median of a turn as a multiple of json.loads of its own frame."""


def figures() -> Iterator[Figure]:
    """The sample home of service.md and the home of 120 devices, unchanged and changing."""
    for name in ("sample8", "villa120"):
        yield _figure(f"whole turn, {name}", name, changed=False)
    yield _figure("whole turn, villa120, one state changed", "villa120", changed=True)


def _figure(title: str, name: str, *, changed: bool) -> Figure:
    cases = labelled("service_dev")
    opening = [case["turns"][0]["question"] for case in cases if case["home"] == name]
    others = [turn["question"] for case in cases for turn in case["turns"][1:]] + [
        case["text"] for case in labelled("commands_train")[::20]
    ]
    return measure(
        title,
        serving,
        _frames(name, opening, changed=changed),
        baseline=Baseline(f"{name} (its own)", frame(name).text),
        warm=_frames(name, others, changed=changed),
        limits=(LIMITS.get(name), None),
    )


def _frames(name: str, questions: Sequence[str], *, changed: bool) -> list[str]:
    """A request frame of this home for each question; `changed` alters one device's state in each."""
    document = home(name)
    levels = itertools.cycle((10, 20, 30))
    frames = []
    for number, question in enumerate(questions):
        if changed:
            document["devices"][number % 8]["device"]["state"]["level"] = next(levels)
        payload = {
            "page_id": f"page-{number}",
            "question": question,
            "local": "客厅",
            "instruct": True,
            "home": document,
        }
        found = {"topic": "llm/smarthome", "rid": f"rid-{number}", "payload": payload}
        frames.append(json.dumps(found, ensure_ascii=False, separators=(",", ":")))
    return frames


def serving() -> Callable[[str], list[str]]:
    """A fresh service: text of a request frame in, texts of the frames that answer it out."""
    handler = HomeHandler(Understander(MemoryPageStore()))
    serial = itertools.count()

    def serve(text: str) -> list[str]:
        session = Session([handler], ConnectionLimits())
        sent: list[str] = []
        number = next(serial)
        for event in session.receive(text.replace('"page_id":"page-', f'"page_id":"page-{number}-', 1)):
            if isinstance(event, Send):
                sent.append(event.text)
            elif isinstance(event, Run):
                sent += _served(session, handler, event)
        return sent

    return serve


def _served(session: Session, handler: HomeHandler, run: Run) -> list[str]:
    """Drive a ticket to its end; with the memory store nothing waits, so no event loop is needed."""
    sent: list[str] = []

    async def emit(text: str) -> None:
        sent.extend(event.text for event in session.token(run.ticket, text) if isinstance(event, Send))

    turn = handler.handle(run.ticket, emit)
    try:
        turn.send(None)
    except StopIteration as done:
        closing = done.value.closing(run.ticket)
        sent.extend(event.text for event in session.close(run.ticket, closing) if isinstance(event, Send))
        return sent
    raise RuntimeError("a turn on the memory store waited for something")
