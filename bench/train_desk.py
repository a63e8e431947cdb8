"""Trains the front desk's reading of turns on the project's own sentences: two minutes on one core.

    python -m bench.train_desk [--corpus tests/corpus] [--out FILE] [--without NAME ...]

Learned from: dialogues with labelled stretches (`hospital_said_*.txt`, but none called check or aside), single requests
(`hospital_phrases.yaml`), and those turns of the labelled sets of which the rules alone read everything right. Never
`hospital_dev`, nor a set put aside.
"""

import argparse
import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path

from bench import labelled
from bench.desk import answered
from bench.turn_examples import Examples, calibrated, examples_of, without_rules
from tingdong.evaluate.corpus import load
from tingdong.evaluate.hospital import DEFAULT_NOW, HospitalScorer
from tingdong.front_desk import directory, domain
from tingdong.front_desk.model import UNKNOWN_AGENT, IntentContext
from tingdong.front_desk.read import BORDER_MODEL, CLASS_MODEL, TURN_MODEL, DeskReader, Models, safety_models
from tingdong.front_desk.router import Router
from tingdong.front_desk.spoken import BACKGROUND, dialogues
from tingdong.front_desk.wire import turn_as_json
from tingdong.learned import statistics
from tingdong.learned.chain import dump
from tingdong.learned.chain_fit import Example
from tingdong.learned.stretches import Stretch, TurnStretches

SETS = ("train", "second", "third", "fourth", "dialogues")
"""Labelled sets of which what the rules read right is learned, by its words alone: that the rules are right there is
no reason to trust them elsewhere."""
VOICES = "said"
"""How the names of dialogues labelled by hand begin."""
SAID_TWICE = 2
"""Times that dialogues labelled by hand count: their wording is what the rules were not written for."""


def by_author(corpus: Path) -> Mapping[str, list[Example]]:
    """Examples of every author's sentences, by the name of their file."""
    shipped, people = domain.default(), directory.load(corpus / "hospital_directory.yaml")
    models = Models(statistics.load(CLASS_MODEL), safety_models(), statistics.load(BORDER_MODEL))
    makes = examples_of(shipped, people, models.classes, models.borders)
    router = Router(shipped, DeskReader(shipped, people, models))
    found = {name: [*map(without_rules, read_right(corpus / f"hospital_{name}.jsonl", router, makes))] for name in SETS}
    singles = (
        [TurnStretches(text, (Stretch(0, len(text), BACKGROUND if agent == UNKNOWN_AGENT else agent),))]
        for text, agent in labelled.own(corpus / "hospital_phrases.yaml")
    )
    found["phrases"] = [one for turns in singles for one in makes.of_dialogue(turns)]
    for path in sorted(corpus.glob("hospital_said_*.txt")):
        if not path.stem.endswith(("_check", "_aside")):
            told = [one for turns in dialogues(path) for one in makes.of_dialogue(turns)]
            found[path.stem.removeprefix("hospital_")] = told * SAID_TWICE
    return found


def read_right(path: Path, router: Router, makes: Examples) -> Iterator[Example]:
    """Examples of the turns of a labelled set that the router gets right, up to each dialogue's first error."""
    for case in load(path):
        golds, answers = case.raw.get("turns", [case.raw]), []
        context, now = IntentContext(), datetime.fromisoformat(case.raw.get("now", DEFAULT_NOW))
        for gold in golds:
            turn = router.turn(context, gold["text"], now=now)
            context = turn.context
            answers.append(turn_as_json(turn))
        outcomes = HospitalScorer(partial(answered, answers)).score(case)
        right = [
            (gold["text"], outcome.right and gold.get("safety") in (None, "normal"))
            for gold, outcome in zip(golds, outcomes, strict=True)
        ]
        yield from makes.of_rules(right)


def main(corpus: Path, out: Path, without: tuple[str, ...]) -> None:
    """Trains and writes; prints what it learned from."""
    begun = time.perf_counter()
    found = {name: told for name, told in by_author(corpus).items() if name not in without}
    print(", ".join(f"{name} {len(told)}" for name, told in found.items()))
    voices = {name: told for name, told in found.items() if name.startswith(VOICES)}
    others = [one for name, told in found.items() if name not in voices for one in told]
    weights = calibrated(domain.default(), voices, others)
    out.write_bytes(dump(weights))
    print(f"{out.name}: {len(weights.features)} features, {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=Path("tests/corpus"))
    parser.add_argument("--out", type=Path, default=TURN_MODEL)
    parser.add_argument("--without", nargs="*", default=(), help="Authors to leave out.")
    given = parser.parse_args()
    main(given.corpus, given.out, tuple(given.without))
