"""Trains the local classifiers on the project's own sentences: `python -m tingdong.dialogue.train`.

Reads the labelled sets under `tests/corpus` (never the ones put aside, nor the one developed against) and writes the
model files under `dialogue/data`. Multinomial logistic regression with an L2 penalty, full batches, fixed number of
steps: the same sentences give the same file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from tingdong.dialogue import directory, domain, statistics
from tingdong.dialogue.classify import Classifier
from tingdong.dialogue.read import CLASS_MODEL
from tingdong.dialogue.spotting import Spotter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Example = tuple[set[str], str]
"""Features and label."""

_STEPS = 300
_RATE = 0.05
_PENALTY = 0.003
_LEAST_WEIGHT = 0.01


def fit(examples: list[Example], labels: tuple[str, ...]) -> tuple[list[str], NDArray[np.float64]]:
    """Features and their weights, one column a label; features with no weight worth keeping are left out."""
    import numpy as np

    names = sorted({feature for features, _ in examples for feature in features})
    column = {name: index for index, name in enumerate(names)}
    inputs = np.zeros((len(examples), len(names)), dtype=np.float32)
    for row, (features, _) in enumerate(examples):
        inputs[row, [column[feature] for feature in features]] = 1 / np.sqrt(len(features))
    wanted = np.eye(len(labels), dtype=np.float32)[[labels.index(label) for _, label in examples]]
    weights = _descend(inputs, wanted)
    kept = np.flatnonzero(np.abs(weights).max(axis=1) > _LEAST_WEIGHT * np.abs(weights).max())
    return [names[index] for index in kept], weights[kept]


def _descend(inputs: NDArray[np.float32], wanted: NDArray[np.float32]) -> NDArray[np.float64]:
    """Adam on the penalised log loss."""
    import numpy as np

    weights = np.zeros((inputs.shape[1], wanted.shape[1]))
    mean, spread = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        scores = inputs @ weights
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances = scores / scores.sum(axis=1, keepdims=True)
        slope = (inputs.T @ (chances - wanted) + _PENALTY * weights) / len(inputs)
        mean = 0.9 * mean + 0.1 * slope
        spread = 0.999 * spread + 0.001 * slope * slope
        weights -= _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-8)
    return weights


def class_sentences(corpus: Path) -> Iterator[tuple[str, str]]:
    """Single tasks with their agent."""
    with (corpus / "hospital_train.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            for segment in json.loads(line)["segments"]:
                yield segment["text"], segment["agent"]
    own: dict[str, str] = yaml.safe_load((corpus / "hospital_phrases.yaml").read_text(encoding="utf-8"))
    for agent, sentences in own.items():
        for sentence in sentences.strip().splitlines():
            yield sentence, agent


def main(arguments: list[str] | None = None) -> int:
    """Train and write; prints what was written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=Path("tests/corpus"))
    corpus: Path = parser.parse_args(arguments).corpus
    spotter = Spotter(domain.default(), directory.load(corpus / "hospital_directory.yaml"))
    classifier = Classifier(spotter, None)
    examples = []
    for sentence, agent in class_sentences(corpus):
        spots = spotter.spot(sentence)
        examples.append((classifier.features(spots.text, spots.mask(0, len(spots.text))), agent))
    labels = tuple(sorted({agent for _, agent in examples}))
    features, weights = fit(examples, labels)
    CLASS_MODEL.write_bytes(statistics.dump(labels, features, weights))
    sys.stdout.write(f"{CLASS_MODEL.name}: {len(examples)} sentences, {len(features)} features\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
