"""What asks for nothing asks for nothing when it was garbled either (commands.md: UNKNOWN is not carried out)."""

import random
from pathlib import Path

from bench.noise import garbled

from tingdong.commands.reading import Reading, Verdict
from tingdong.evaluate.corpus import is_closed, load
from tingdong.reader import sentence_reader

CORPUS = Path(__file__).parents[1] / "corpus"
NOTHING = ["UNKNOWN-*-*#Unknown#one"]
ROUNDS = 3
BY_THE_SLIP = 0.005
"""Share that a slip itself may turn into a request: who garbles a negation says another sentence."""


def test_no_closed_negative_is_heard_as_a_request() -> None:
    """No repair makes a request of what asked for nothing; closed sets are scored, never shown."""
    closed = sorted(path for path in CORPUS.rglob("commands_*.jsonl") if is_closed(path))
    told = [case.raw["text"] for path in closed for case in load(path) if case.raw["gold"] == NOTHING]
    reader = sentence_reader()

    def acted(texts: list[str]) -> list[Reading]:
        readings = (reader.read(text) for text in texts)
        return [one for one in readings if one.commands and one.verdict is Verdict.ACCEPT]

    rng = random.Random(18)
    garbled_too = [one for _ in range(ROUNDS) for one in acted([garbled(text, rng) for text in told])]
    assert len(told) > 200
    assert not [one for one in garbled_too if one.repaired]
    assert len(garbled_too) <= ROUNDS * (len(acted(told)) + BY_THE_SLIP * len(told))
