"""Fits the arbiter between rules and learned reader: `python -m bench.fit_arbiter SETS` writes its data file.

The sets must be sentences that the network was not trained on (`--partial`: only every fifth of these, which training
kept back). The threshold is the least probability from which `ACCURACY` of what is accepted was right.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import yaml
from rich.progress import track

from context_retrieval.models import Command
from context_retrieval.protocol import or_unknown
from tingdong.commands import LocalParser
from tingdong.evaluate.commands import canonical
from tingdong.evaluate.corpus import Case, load
from tingdong.reader.arbiter import AGREED, DIFFERED, ArbiterModel, Evidence, choose
from tingdong.reader.learned import shipped
from tingdong.reader.together import TogetherReader

DATA = Path(__file__).resolve().parents[1] / "src" / "tingdong" / "reader" / "data" / "arbiter.yaml"
ACCURACY = 0.99
FIFTH = 5
RIDGE = 0.02
STEPS = 60
SURE, OVERRULE = 0.995, 0.8


class Judged(msgspec.Struct, frozen=True):
    """What both said of a sentence, and whether each was right."""

    evidence: Evidence
    rules: bool
    guess: bool


def cases(sets: Sequence[Path], partial: Sequence[Path]) -> Iterator[Case]:
    """The sentences to fit on."""
    for path in sets:
        yield from load(path)
    held = [case for path in partial for case in load(path)]
    yield from held[FIFTH - 1 :: FIFTH]


def judge(found: Sequence[Case]) -> list[Judged]:
    """Both readings of every sentence, against its gold."""
    learned = shipped()
    if learned is None:
        raise SystemExit("the reader has no weights yet: python -m bench.train_reader")
    rules = LocalParser()
    together = TogetherReader(rules, learned, UNFITTED)
    judged = []
    for case in track(found, "reading"):
        evidence = together.evidence(rules.read(case.raw["text"]))
        if evidence is not None:
            golds = [[canonical(c) for c in gold] for gold in (case.raw["gold"], *case.raw.get("accept", ()))]
            mine, theirs = (is_in(some, golds) for some in (evidence.reading.commands, evidence.guess.commands))
            judged.append(Judged(evidence, mine, theirs))
    return judged


def is_in(commands: Sequence[Command], golds: Sequence[Sequence[str]]) -> bool:
    """Whether the commands are one of the right arrays."""
    return [canonical(str(command)) for command in or_unknown(commands)] in golds


def fit(rows: Sequence[tuple[tuple[float, ...], bool]], names: Sequence[str]) -> dict[str, float]:
    """Weights of a ridge logistic regression, by Newton's method, by name of the fact."""
    inputs, right = np.array([facts for facts, _ in rows]), np.array([float(good) for _, good in rows])
    weights = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        guess = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        gradient = inputs.T @ (guess - right) + RIDGE * len(right) * weights
        curvature = (inputs * (guess * (1 - guess))[:, None]).T @ inputs + RIDGE * len(right) * np.eye(len(weights))
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


UNFITTED = ArbiterModel(1.0, 2.0, OVERRULE, dict.fromkeys(AGREED, 0.0), *(dict.fromkeys(DIFFERED, 0.0),) * 2)


def main() -> None:
    """Fit and write the data file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--partial", nargs="*", type=Path, default=())
    options = parser.parse_args()
    judged = judge(list(cases(options.sets, options.partial)))
    same, other = ([one for one in judged if one.evidence.agree is agree] for agree in (True, False))
    model = ArbiterModel(
        1.0,
        SURE,
        OVERRULE,
        fit([(one.evidence.facts(), one.rules) for one in same], AGREED),
        fit([(one.evidence.facts(), one.rules) for one in other], DIFFERED),
        fit([(one.evidence.facts(), one.guess) for one in other], DIFFERED),
    )
    model = msgspec.structs.replace(model, threshold=threshold(judged, model))
    head = "# Written by `python -m bench.fit_arbiter`; do not edit.\n"
    DATA.write_text(head + yaml.safe_dump(msgspec.to_builtins(model), sort_keys=False), encoding="utf-8")
    right = sum(one.rules for one in judged), sum(one.guess for one in judged)
    print(f"{len(judged)} sentences, {len(same)} read alike; rules right {right[0]}, reader right {right[1]}; {model}")


if __name__ == "__main__":
    main()
