"""Speed of a front-desk turn (hospital.md): text and context in, new context out, on the open set's dialogues."""

from collections.abc import Callable, Iterator
from datetime import datetime

from bench.harness import CORPUS, Figure, frame, labelled, measure
from tingdong.cli.routing import RoutingDesk
from tingdong.front_desk.model import IntentContext

__all__ = ["figures"]

NOW = datetime.fromisoformat("2026-11-23T09:30:00+08:00")


def figures() -> Iterator[Figure]:
    """Each turn of the open set after the earlier ones of its dialogue."""
    turns = []
    router = RoutingDesk(CORPUS / "hospital_directory.yaml").router
    for case in labelled("hospital_dev"):
        context = IntentContext()
        for turn in case["turns"]:
            turns.append((context, turn["text"]))
            context = router.turn(context, turn["text"], now=NOW).context
    warm = [(IntentContext(), case["text"]) for case in labelled("hospital_train")[::4]]
    yield measure("front-desk turn, open set", _make, turns, baseline=frame("villa120"), warm=warm, limits=(3.0, None))


def _make() -> Callable[[tuple[IntentContext, str]], object]:
    router = RoutingDesk(CORPUS / "hospital_directory.yaml").router
    return lambda pair: router.turn(pair[0], pair[1], now=NOW)
