"""Fits the arbiter between rules and learned reader: `python -m bench.fit_arbiter SETS` writes its data file.

The sets must be sentences that the network was not trained on; of `commands_more_*` that is every fifth. Two readings
of the rules are taken: the one on record (`first_readings.jsonl`), from before anybody mended a rule by these, and the
present one; what is new to the rules lies between. The threshold is the least probability from which `ACCURACY` of what
is accepted was right, in first readings and by arbiters that were fitted without the sentence.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from rich.progress import track

from context_retrieval.models import Command
from context_retrieval.protocol import decode, or_unknown
from tingdong.commands import LocalParser
from tingdong.commands.reading import Reading
from tingdong.evaluate.commands import canonical
from tingdong.evaluate.corpus import load
from tingdong.reader.arbiter import AGREED, DIFFERED, ArbiterModel, BothReadings, choose
from tingdong.reader.learned import LearnedReader
from tingdong.reader.together import TogetherReader, weighed
from tingdong.reader.weights import load as load_weights

FIRST = Path(__file__).with_name("first_readings.jsonl")
DATA = Path(__file__).resolve().parents[1] / "src" / "tingdong" / "reader" / "data"
ACCURACY = 0.984
CURVE = (0.99, 0.985, 0.98, 0.975, 0.97, 0.96)
RIDGE, BIAS = 0.003, 0.02
"""Of the ridge, the share that the bias bears."""
STEPS = 60
SURE, SURE_AT_HOME, DISMISS, MAKE, LEAST, MAKE_AT_HOME = 0.96, 0.85, 0.5, 0.87, 0.2, 0.8
FOLDS = 8


class First(msgspec.Struct, frozen=True):
    """What the rules first made of a sentence."""

    id: str
    commands: tuple[str, ...]
    confidence: float
    reason: str
    acts: bool
    unread: float
    delicate: bool


class Judged(msgspec.Struct, frozen=True):
    """What both said of a sentence, and whether each was right. `first`: with the rules' reading on record."""

    first: bool
    evidence: BothReadings
    rules: bool
    guess: bool


def judge(sets: Sequence[Path], data: Path) -> list[Judged]:
    """Both readings of every sentence on record, the rules' first and their present one, against its gold."""
    found = {case.id: case for path in sets for case in load(path)}
    firsts = [msgspec.json.decode(line, type=First) for line in FIRST.read_bytes().splitlines()]
    learned, rules = LearnedReader(load_weights(data)), LocalParser()
    together = TogetherReader(rules, learned, ArbiterModel(1.0, SURE, SURE_AT_HOME, DISMISS, MAKE, {}, {}, {}))
    judged = []
    for first in track(firsts, "reading"):
        case = found[first.id]
        golds = [[canonical(c) for c in gold] for gold in (case.raw["gold"], *case.raw.get("accept", ()))]
        text = case.raw["text"]
        for old, evidence in ((True, recorded(first, text, learned)), (False, together.evidence(rules.draft(text)[0]))):
            if evidence is not None:
                mine, theirs = (is_in(some, golds) for some in (evidence.reading.commands, evidence.guess.commands))
                judged.append(Judged(old, evidence, mine, theirs))
    return judged


def recorded(first: First, text: str, learned: LearnedReader) -> BothReadings | None:
    """What is known of a sentence, with the rules' reading on record."""
    commands = decode(json.dumps(first.commands)).commands if first.commands else ()
    sitting = learned.open(text)
    if sitting is None:
        return None
    reading = Reading(text, commands, first.confidence, reason=first.reason)
    return weighed(sitting, reading, first.acts, first.unread, delicate=first.delicate)


def is_in(commands: Sequence[Command], golds: Sequence[Sequence[str]]) -> bool:
    """Whether the commands are one of the right arrays."""
    return [canonical(str(command)) for command in or_unknown(commands)] in golds


def fit(rows: Sequence[tuple[tuple[float, ...], bool]], names: Sequence[str]) -> dict[str, float]:
    """Weights of a ridge logistic regression, by Newton's method, by name of the fact."""
    inputs, right = np.array([facts for facts, _ in rows]), np.array([float(good) for _, good in rows])
    weights = np.zeros(inputs.shape[1])
    ridge = RIDGE * len(right) * np.eye(len(weights))
    ridge[0, 0] *= BIAS
    for _ in range(STEPS):
        guess = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        gradient = inputs.T @ (guess - right) + ridge @ weights
        curvature = (inputs * (guess * (1 - guess))[:, None]).T @ inputs + ridge
        step = np.linalg.solve(curvature, gradient)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)}


def fitted(judged: Sequence[Judged]) -> ArbiterModel:
    """The three logistics; nothing is accepted yet."""
    same, other = ([one for one in judged if one.evidence.agree is agree] for agree in (True, False))
    return ArbiterModel(
        1.0,
        SURE,
        SURE_AT_HOME,
        DISMISS,
        MAKE,
        fit([(one.evidence.facts(), one.rules) for one in same], AGREED),
        fit([(one.evidence.facts(), one.rules) for one in other], DIFFERED),
        fit([(one.evidence.facts(), one.guess) for one in other], DIFFERED),
        LEAST,
        MAKE_AT_HOME,
    )


def crossed(judged: Sequence[Judged]) -> list[tuple[float, bool]]:
    """Of the first readings, the probability that what was taken is right, where it is lawful, and whether it was."""
    fold = {text: i % FOLDS for i, text in enumerate(dict.fromkeys(one.evidence.reading.text for one in judged))}
    found = []
    for held in range(FOLDS):
        model = fitted([one for one in judged if fold[one.evidence.reading.text] != held])
        for one in judged:
            if one.first and fold[one.evidence.reading.text] == held:
                choice = choose(one.evidence, model)
                probability = choice.probability if choice.lawful else 0.0
                found.append((probability, one.guess if choice.source == "guess" else one.rules))
    return sorted(found, reverse=True)


def threshold(found: Sequence[tuple[float, bool]], accuracy: float) -> tuple[float, float]:
    """The least probability from which that share of what is decided was right, and the share of sentences decided."""
    share = np.cumsum([good for _, good in found]) / np.arange(1, len(found) + 1)
    good = np.nonzero(share >= accuracy)[0]
    return (round(found[good[-1]][0], 3), (good[-1] + 1) / len(found)) if len(good) else (1.0, 0.0)


def main() -> None:
    """Fit and write the data file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--data", type=Path, default=DATA, help="where the weights are, and the arbiter's file goes")
    options = parser.parse_args()
    judged = judge(options.sets, options.data)
    found = crossed(judged)
    least, decided = threshold(found, ACCURACY)
    model = msgspec.structs.replace(fitted(judged), threshold=least)
    (options.data / "arbiter.json").write_bytes(msgspec.json.format(msgspec.json.encode(model)) + b"\n")
    firsts = [one for one in judged if one.first]
    counts = [sum(right) for right in zip(*((o.rules, o.guess, o.rules or o.guess) for o in firsts), strict=True)]
    taken = sum(good for _, good in found)
    print(f"{len(firsts)} sentences: rules right {counts[0]}, network {counts[1]}, either {counts[2]}, taken {taken}")
    curve = ", ".join(f"{share:.1%} at {goal}" for goal in CURVE for _, share in [threshold(found, goal)])
    print(f"threshold {least}: {decided:.1%} decided; {curve}")


if __name__ == "__main__":
    main()
