"""Fits the arbiter between rules and learned reader: `python -m bench.fit_arbiter SETS` writes its data file.

The sets must be sentences that the network was not trained on; of `commands_more_*` that is every fifth. Two readings
of the rules are taken: the one on record (`first_readings.jsonl`), from before anybody mended a rule by these, and the
present one; what is new to the rules lies between. The threshold is the least probability from which `ACCURACY` of what
is accepted was right.
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
from tingdong.reader.arbiter import AGREED, DIFFERED, ArbiterModel, Evidence, choose
from tingdong.reader.learned import LearnedReader
from tingdong.reader.together import TogetherReader
from tingdong.reader.weights import load as load_weights

FIRST = Path(__file__).with_name("first_readings.jsonl")
DATA = Path(__file__).resolve().parents[1] / "src" / "tingdong" / "reader" / "data"
ACCURACY = 0.99
RIDGE, BIAS = 0.01, 0.02
"""Of the ridge, the share that the bias bears."""
STEPS = 60
SURE, SURE_AT_HOME, OVERRULE = 0.93, 0.85, 0.6


class First(msgspec.Struct, frozen=True):
    """What the rules first made of a sentence."""

    id: str
    commands: tuple[str, ...]
    confidence: float
    reason: str
    acts: bool


class Judged(msgspec.Struct, frozen=True):
    """What both said of a sentence, and whether each was right."""

    evidence: Evidence
    rules: bool
    guess: bool


def judge(sets: Sequence[Path], data: Path) -> list[Judged]:
    """Both readings of every sentence on record, the rules' first and their present one, against its gold."""
    found = {case.id: case for path in sets for case in load(path)}
    firsts = [msgspec.json.decode(line, type=First) for line in FIRST.read_bytes().splitlines()]
    learned, rules = LearnedReader(load_weights(data)), LocalParser()
    together = TogetherReader(rules, learned)
    judged = []
    for first in track(firsts, "reading"):
        case = found[first.id]
        golds = [[canonical(c) for c in gold] for gold in (case.raw["gold"], *case.raw.get("accept", ()))]
        for evidence in (recorded(first, case.raw["text"], learned), together.evidence(rules.read(case.raw["text"]))):
            if evidence is not None:
                mine, theirs = (is_in(some, golds) for some in (evidence.reading.commands, evidence.guess.commands))
                judged.append(Judged(evidence, mine, theirs))
    return judged


def recorded(first: First, text: str, learned: LearnedReader) -> Evidence | None:
    """What is known of a sentence, with the rules' reading on record."""
    commands = decode(json.dumps(first.commands)).commands if first.commands else ()
    sitting = learned.open(text)
    if sitting is None:
        return None
    guess, score = sitting.weigh(commands)
    reading = Reading(text, commands, first.confidence, reason=first.reason)
    return Evidence(reading, guess, score, first.acts)


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


def threshold(judged: Sequence[Judged], model: ArbiterModel) -> float:
    """The least probability from which at least `ACCURACY` of what is accepted was right."""
    found = []
    for one in judged:
        choice = choose(one.evidence, model)
        if choice.lawful:
            found.append((choice.probability, one.guess if choice.source == "guess" else one.rules))
    found.sort(key=lambda pair: -pair[0])
    share = np.cumsum([good for _, good in found]) / np.arange(1, len(found) + 1)
    good = np.nonzero(share >= ACCURACY)[0]
    return round(found[good[-1]][0], 3) if len(good) else 1.0


def main() -> None:
    """Fit and write the data file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--data", type=Path, default=DATA, help="where the weights are, and the arbiter's file goes")
    options = parser.parse_args()
    judged = judge(options.sets, options.data)
    same, other = ([one for one in judged if one.evidence.agree is agree] for agree in (True, False))
    model = ArbiterModel(
        1.0,
        SURE,
        SURE_AT_HOME,
        OVERRULE,
        fit([(one.evidence.facts(), one.rules) for one in same], AGREED),
        fit([(one.evidence.facts(), one.rules) for one in other], DIFFERED),
        fit([(one.evidence.facts(), one.guess) for one in other], DIFFERED),
    )
    model = msgspec.structs.replace(model, threshold=threshold(judged, model))
    (options.data / "arbiter.json").write_bytes(msgspec.json.format(msgspec.json.encode(model)) + b"\n")
    right = sum(one.rules for one in judged), sum(one.guess for one in judged)
    print(f"{len(judged)} sentences, {len(same)} read alike; rules right {right[0]}, reader right {right[1]}; {model}")


if __name__ == "__main__":
    main()
