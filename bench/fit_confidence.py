"""Fits the confidence of the local parser: `python -m bench.fit_confidence` writes its data file.

The training sentences are read several times, each time by a parser whose vocabulary lacks a random part, so that the
fit sees the errors that unlisted words cause. Only `tests/corpus/commands_train.jsonl` is read; what was set aside is
scored elsewhere. The threshold is the least confidence from which `ACCURACY` of what is accepted was right.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from context_retrieval.lexicon import default_lexicon
from context_retrieval.protocol import or_unknown
from tingdong.commands.confidence import FEATURES
from tingdong.commands.local_parser import LocalParser
from tingdong.commands.words import Kind, WordTable
from tingdong.evaluate.commands import canonical

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT / "tests" / "corpus" / "commands_train.jsonl"
DATA = ROOT / "src" / "tingdong" / "commands" / "data" / "confidence.json"
ACCURACY = 0.95
HIDDEN_SHARES = (0.0, 0.04, 0.08, 0.12)
HIDDEN_KINDS = frozenset(
    (Kind.ROOM, Kind.DEVICE, Kind.VERB, Kind.VALUE, Kind.NOUN, Kind.PARTICLE, Kind.REQUEST, Kind.MORE, Kind.STATUS,
     Kind.CLAUSE_SIGN, Kind.SENTENCE_SIGN, Kind.DOMAIN, Kind.EVENT, Kind.KEEP)
)  # fmt: skip
RIDGE = 1e-3
STEPS = 60


def samples() -> Iterator[tuple[tuple[float, ...], bool]]:
    """Features of each reading and whether it is right."""
    cases = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    random_words = random.Random(7)
    forms = WordTable.build(default_lexicon()).forms
    for share in HIDDEN_SHARES:
        kept = {f: w for f, w in forms.items() if w.kind not in HIDDEN_KINDS or random_words.random() >= share}
        parser = LocalParser(WordTable(default_lexicon(), kept))
        for case in cases:
            commands, values = parser.judge(case["text"])
            got = [canonical(str(command)) for command in or_unknown(commands)]
            golds = [case["gold"], *case.get("accept", ())]
            yield values, any(got == [canonical(command) for command in gold] for gold in golds)


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


def main() -> None:
    """Fit and write the data file."""
    found = list(samples())
    inputs, right = np.array([values for values, _ in found]), np.array([float(good) for _, good in found])
    weights = fit(inputs, right)
    guess = 1 / (1 + np.exp(-inputs @ weights))
    limit = threshold(guess, right)
    data = {
        "threshold": round(limit, 3),
        "weights": {name: round(float(w), 4) for name, w in zip(FEATURES, weights, strict=True)},
    }
    DATA.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    share = (guess >= limit).mean()
    print(f"{len(right)} readings, {right.mean():.3f} right; threshold {limit:.3f}, accepted {share:.3f}")


if __name__ == "__main__":
    main()
