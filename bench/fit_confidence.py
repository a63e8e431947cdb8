"""Fits the confidence of the local parser: `python -m bench.fit_confidence` writes its data file.

The training sentences are read several times, each time by a parser whose vocabulary lacks a random part, so that the
fit sees the errors that unlisted words cause; a second author's sentences, which no rule was made for, are read as they
are and count more. What was set aside is scored elsewhere. How rarely one kind of token follows another is counted on
the training sentences, each sentence judged without itself. The threshold is the least confidence from which `ACCURACY`
of what is accepted was right.
"""

import json
import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from context_retrieval.lexicon import default_lexicon
from context_retrieval.protocol import or_unknown
from tingdong.commands.confidence import FEATURES, ConfidenceModel, default_model, steps_of
from tingdong.commands.local_parser import LocalParser
from tingdong.commands.words import Kind, WordTable
from tingdong.evaluate.commands import canonical

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT / "tests" / "corpus" / "commands_train.jsonl"
DATA = ROOT / "src" / "tingdong" / "commands" / "data" / "confidence.json"
SECOND = CORPUS.with_name("commands_second.jsonl")
ACCURACY = 0.96
HIDDEN_SHARES = (0.0, 0.04, 0.08, 0.12)
HIDDEN_KINDS = frozenset(
    (Kind.ROOM, Kind.DEVICE, Kind.VERB, Kind.VALUE, Kind.NOUN, Kind.PARTICLE, Kind.REQUEST, Kind.MORE, Kind.STATUS,
     Kind.CLAUSE_SIGN, Kind.SENTENCE_SIGN, Kind.DOMAIN, Kind.EVENT, Kind.KEEP)
)  # fmt: skip
RIDGE = 1e-3
STEPS = 60
SMOOTH, UNSEEN = 20, 0.5
"""Added to the count of a kind, and the count of a step never seen."""

Case = dict[str, Any]
Sample = tuple[tuple[float, ...], bool]


def cases_of(path: Path) -> list[Case]:
    """The labelled sentences of one file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def with_steps(cases: Sequence[Case]) -> ConfidenceModel:
    """The shipped model with the steps counted on these sentences."""
    parser = LocalParser()
    counts = Counter(step for case in cases for step in steps_of(parser.tokens(case["text"])))
    total = Counter[Kind]()
    for (first, _), count in counts.items():
        total[first] += count
    steps: dict[str, dict[str, float]] = {}
    for (first, second), count in sorted(counts.items()):
        nats = -math.log((count + UNSEEN) / (total[first] + SMOOTH))
        steps.setdefault(first.name, {})[second.name] = round(nats, 2)
    unseen = {kind.name: round(-math.log(UNSEEN / (count + SMOOTH)), 2) for kind, count in sorted(total.items())}
    return msgspec.structs.replace(default_model(), steps=steps, unseen=unseen)


def judged(parser: LocalParser, cases: Sequence[Case]) -> Iterator[Sample]:
    """Features of each reading and whether it is right."""
    for case in cases:
        commands, values = parser.judge(case["text"])
        got = [canonical(str(command)) for command in or_unknown(commands)]
        golds = [case["gold"], *case.get("accept", ())]
        yield values, any(got == [canonical(command) for command in gold] for gold in golds)


def samples() -> Iterator[Sample]:
    """Every reading of the training sentences, steps counted on the other half; then those of the second author."""
    cases = cases_of(CORPUS)
    random_words = random.Random(7)
    forms = WordTable.build(default_lexicon()).forms
    halves = [(cases[::2], with_steps(cases[1::2])), (cases[1::2], with_steps(cases[::2]))]
    for share in HIDDEN_SHARES:
        kept = {f: w for f, w in forms.items() if w.kind not in HIDDEN_KINDS or random_words.random() >= share}
        for half, model in halves:
            yield from judged(LocalParser(WordTable(default_lexicon(), kept), model=model), half)
    second = list(judged(LocalParser(model=halves[0][1]), cases_of(SECOND)))
    yield from second * len(HIDDEN_SHARES)


def fit(inputs: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Weights of a ridge logistic regression, by Newton's method."""
    weights = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        guess = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        gradient = inputs.T @ (guess - right) + RIDGE * len(right) * weights
        curvature = (inputs * (guess * (1 - guess))[:, None]).T @ inputs + RIDGE * len(right) * np.eye(len(weights))
        step = np.linalg.solve(curvature, gradient)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def threshold(guess: np.ndarray, right: np.ndarray) -> float:
    """The least confidence from which at least `ACCURACY` of the readings are right."""
    order = np.argsort(-guess)
    share = np.cumsum(right[order]) / np.arange(1, len(right) + 1)
    good = np.nonzero(share >= ACCURACY)[0]
    return float(guess[order][good[-1]]) if len(good) else 1.0


def _written(data: dict[str, Any]) -> str:
    """JSON with one line for each entry of the second level."""
    text = json.dumps(data, indent=1)
    return re.sub(r"\{\n\s{3}([^{}]*?)\n\s{2}\}", lambda found: "{" + re.sub(r"\n\s*", " ", found[1]) + "}", text)


def main() -> None:
    """Fit and write the data file."""
    found = list(samples())
    inputs, right = np.array([values for values, _ in found]), np.array([float(good) for _, good in found])
    weights = fit(inputs, right)
    guess = 1 / (1 + np.exp(-inputs @ weights))
    limit = threshold(guess, right)
    steps = with_steps(cases_of(CORPUS))
    data = {
        "threshold": round(limit, 3),
        "weights": {name: round(float(w), 4) for name, w in zip(FEATURES, weights, strict=True)},
        "steps": steps.steps,
        "unseen": steps.unseen,
    }
    DATA.write_text(_written(data) + "\n", encoding="utf-8")
    share = (guess >= limit).mean()
    print(f"{len(right)} readings, {right.mean():.3f} right; threshold {limit:.3f}, accepted {share:.3f}")


if __name__ == "__main__":
    main()
