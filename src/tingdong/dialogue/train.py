"""Trains the local classifiers on the project's own sentences: `python -m tingdong.dialogue.train`.

Reads the labelled sets under `tests/corpus` (never the ones put aside, nor the one developed against) and writes the
model files under `dialogue/data`. Multinomial logistic regression with an L2 penalty, full batches, fixed number of
steps: the same sentences give the same file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from tingdong.dialogue import directory, domain, statistics
from tingdong.dialogue.classify import Classifier
from tingdong.dialogue.model import SafetyLabel
from tingdong.dialogue.read import CLASS_MODEL, SAFETY_MODEL
from tingdong.dialogue.safety import SafetyCheck
from tingdong.dialogue.spotting import Spotter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Example = tuple[set[str], str]
"""Features and label."""

_STEPS = 300
_RATE = 0.05
_PENALTY = 0.003
_LEAST_WEIGHT = 0.004


class _Matrix(NamedTuple):
    """A sparse matrix, as places of its entries: once by row, once by column."""

    columns: NDArray[np.intp]
    values: NDArray[np.float32]
    row_starts: NDArray[np.intp]
    by_column: NDArray[np.intp]
    rows_by_column: NDArray[np.intp]
    column_starts: NDArray[np.intp]

    def times(self, weights: NDArray[np.float32]) -> NDArray[np.float32]:
        """The matrix times a dense one with a row a column."""
        import numpy as np

        summed = np.add.reduceat(weights[self.columns] * self.values[:, None], self.row_starts)
        return summed.astype(np.float32)

    def transposed_times(self, errors: NDArray[np.float32]) -> NDArray[np.float32]:
        """The transposed matrix times a dense one with a row a row."""
        import numpy as np

        entries = errors[self.rows_by_column] * self.values[self.by_column, None]
        summed = np.add.reduceat(entries, self.column_starts)
        return summed.astype(np.float32)


def _matrix(examples: list[Example], column: dict[str, int]) -> _Matrix:
    """Rows of unit length; every example has a feature of its own, every feature an example."""
    import numpy as np

    rows = [sorted(column[feature] for feature in features if feature in column) for features, _ in examples]
    lengths = np.array([len(row) for row in rows])
    columns = np.concatenate([np.array(row, dtype=np.intp) for row in rows])
    order = np.argsort(columns, kind="stable")
    return _Matrix(
        columns,
        np.repeat(1 / np.sqrt(lengths), lengths).astype(np.float32),
        np.concatenate([[0], np.cumsum(lengths)[:-1]]),
        order,
        np.repeat(np.arange(len(rows)), lengths)[order],
        np.searchsorted(columns[order], np.arange(len(column))),
    )


def fit(examples: list[Example], labels: tuple[str, ...], *, least_count: int) -> tuple[list[str], NDArray[np.float32]]:
    """Features and their weights, one column a label; features seen less than `least_count` times, and those
    with no weight worth keeping, are left out."""
    import numpy as np

    counts = Counter(feature for features, _ in examples for feature in features)
    names = sorted(feature for feature, count in counts.items() if count >= least_count)
    wanted = np.eye(len(labels), dtype=np.float32)[[labels.index(label) for _, label in examples]]
    weights = _descend(_matrix(examples, {name: index for index, name in enumerate(names)}), wanted, len(names))
    kept = np.flatnonzero(np.abs(weights).max(axis=1) > _LEAST_WEIGHT * np.abs(weights).max())
    return [names[index] for index in kept], weights[kept]


def _descend(inputs: _Matrix, wanted: NDArray[np.float32], features: int) -> NDArray[np.float32]:
    """Adam on the penalised log loss."""
    import numpy as np

    weights = np.zeros((features, wanted.shape[1]), dtype=np.float32)
    mean, spread = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        scores = inputs.times(weights)
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances = scores / scores.sum(axis=1, keepdims=True)
        slope = (inputs.transposed_times(chances - wanted) + _PENALTY * weights) / len(wanted)
        mean = (0.9 * mean + 0.1 * slope).astype(np.float32)
        spread = (0.999 * spread + 0.001 * slope * slope).astype(np.float32)
        weights -= _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-8)
    return weights


def class_sentences(corpus: Path) -> Iterator[tuple[str, str]]:
    """Single tasks with their agent."""
    for row in _rows(corpus / "hospital_train.jsonl"):
        for segment in row["segments"]:
            yield segment["text"], segment["agent"]
    yield from _own(corpus / "hospital_phrases.yaml")


_RED_FLAG_SETS = ("train", "second", "third")
_DANGER = frozenset({SafetyLabel.EMERGENCY.value, SafetyLabel.SELF_HARM.value})


def safety_sentences(corpus: Path) -> list[tuple[str, str]]:
    """Turns with their safety label; whatever asks for an agent is normal."""
    told = [
        (row["text"], row["safety"])
        for name in _RED_FLAG_SETS
        for row in _rows(corpus / f"hospital_redflags_{name}.jsonl")
    ]
    told += _own(corpus / "hospital_alarm_phrases.yaml")
    told += [(row["text"], SafetyLabel.NORMAL.value) for row in _rows(corpus / "hospital_train.jsonl")]
    told += [(sentence, SafetyLabel.NORMAL.value) for sentence, _ in _own(corpus / "hospital_phrases.yaml")]
    danger = [(text, label) for text, label in told if label in _DANGER]
    return told + [(sentence, SafetyLabel.NORMAL.value) for sentence in framed_sentences(corpus, danger)]


def framed_sentences(corpus: Path, danger: list[tuple[str, str]]) -> Iterator[str]:
    """Red flags in frames that take them back (没有…, 去年…过): each term in every sixth, each of `danger` in one."""
    parts: dict[str, str] = yaml.safe_load((corpus / "hospital_alarm_frames.yaml").read_text(encoding="utf-8"))
    frames, terms, around = (parts[key].strip().splitlines() for key in ("frames", "terms", "sentences"))
    told = [sentence for sentence, agent in _own(corpus / "hospital_phrases.yaml") if agent == "triage"]
    for number, term in enumerate(terms):
        for index in range(number % 6, len(frames), 6):
            yield frames[index].format(x=term, y=told[(7 * number + index) % len(told)])
    for number, (sentence, _) in enumerate(danger):
        yield around[number % len(around)].format(s=sentence.rstrip("。！，!？ "))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _own(path: Path) -> Iterator[tuple[str, str]]:
    own: dict[str, str] = yaml.safe_load(path.read_text(encoding="utf-8"))
    for label, sentences in own.items():
        for sentence in sentences.strip().splitlines():
            yield sentence, label


def _write(path: Path, examples: list[Example], *, least_count: int) -> None:
    labels = tuple(sorted({label for _, label in examples}))
    features, weights = fit(examples, labels, least_count=least_count)
    path.write_bytes(statistics.dump(labels, features, weights))
    sys.stdout.write(f"{path.name}: {len(examples)} sentences, {len(features)} features\n")


def main(arguments: list[str] | None = None) -> int:
    """Train and write; prints what was written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=Path("tests/corpus"))
    corpus: Path = parser.parse_args(arguments).corpus
    spotter = Spotter(domain.default(), directory.load(corpus / "hospital_directory.yaml"))
    classifier, safety = Classifier(spotter, None), SafetyCheck(spotter)
    classes: list[Example] = []
    for sentence, agent in class_sentences(corpus):
        spots = spotter.spot(sentence)
        classes.append((classifier.features(spots.text, spots.mask(0, len(spots.text))), agent))
    _write(CLASS_MODEL, classes, least_count=1)
    alarms = [(safety.features(spotter.spot(sentence)), label) for sentence, label in safety_sentences(corpus)]
    _write(SAFETY_MODEL, alarms, least_count=2)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
