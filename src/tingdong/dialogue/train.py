"""Trains the local models on the project's own sentences: `python -m tingdong.dialogue.train`.

Reads the labelled sets and phrases under `tests/corpus` (`sentences`) and writes the model files under
`dialogue/data`; the same sentences give the same files.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from tingdong.dialogue import borders, directory, domain, sentences, statistics
from tingdong.dialogue.classify import Classifier
from tingdong.dialogue.fitting import Example, fit
from tingdong.dialogue.read import BORDER_MODEL, CLASS_MODEL, SAFETY_MODEL
from tingdong.dialogue.safety import SafetyCheck
from tingdong.dialogue.spotting import Spotter

_KEPT_INSIDE = 0.25
"""Share of the places within a request that the borders are learned from; they are many and alike."""


def class_examples(spotter: Spotter, corpus: Path) -> Iterator[Example]:
    """Single tasks: features of a piece, and its agent."""
    classifier = Classifier(spotter, None)
    for sentence, agent in sentences.class_sentences(corpus):
        spots = spotter.spot(sentence)
        yield classifier.features(spots.text, spots.mask(0, len(spots.text))), agent


def safety_examples(spotter: Spotter, corpus: Path) -> Iterator[Example]:
    """Turns: features of a text, and its safety label."""
    safety = SafetyCheck(spotter)
    for sentence, label in sentences.safety_sentences(corpus):
        yield safety.features(spotter.spot(sentence)), label


def border_examples(spotter: Spotter, corpus: Path) -> Iterator[Example]:
    """Places in texts without signs: features of a place, and whether a request begins there."""
    chance = random.Random(1)
    for text, begins in sentences.border_texts(corpus):
        spots = spotter.spot(text)
        if len(spots.text) != len(text):
            continue
        for place in borders.features(spotter, spots, 0, len(text)):
            if place.at in begins:
                yield {*place.beside, *place.standing}, borders.BORDER
            elif chance.random() < _KEPT_INSIDE:
                yield {*place.beside, *place.standing}, borders.INSIDE


def _write(path: Path, examples: list[Example], *, least_count: int) -> None:
    labels = tuple(sorted({label for _, label in examples}))
    features, weights = fit(examples, labels, least_count=least_count)
    path.write_bytes(statistics.dump(labels, features, weights))
    sys.stdout.write(f"{path.name}: {len(examples)} examples, {len(features)} features\n")


def main(arguments: list[str] | None = None) -> int:
    """Train and write; prints what was written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=Path("tests/corpus"))
    corpus: Path = parser.parse_args(arguments).corpus
    spotter = Spotter(domain.default(), directory.load(corpus / "hospital_directory.yaml"))
    _write(CLASS_MODEL, list(class_examples(spotter, corpus)), least_count=1)
    _write(SAFETY_MODEL, list(safety_examples(spotter, corpus)), least_count=2)
    _write(BORDER_MODEL, list(border_examples(spotter, corpus)), least_count=3)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
