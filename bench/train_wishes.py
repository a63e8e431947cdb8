"""`python -m bench.train_wishes`: what people say of how it is where they are, learned (make train-wishes).

Reads tests/corpus/wishes_train.yaml and writes `home/data/wishes.bin`; the same sentences give the same file. With
`--check` it learns from four fifths, five times, and says how the rest is read.
"""

import argparse
import random
from pathlib import Path

import yaml

from tingdong.dialogue import statistics
from tingdong.dialogue.fitting import fit
from tingdong.home.wish_reading import MODEL, NO_WISH, features

CORPUS = Path(__file__).resolve().parents[1] / "tests" / "corpus" / "wishes_train.yaml"
LEAST_COUNT = 3
"""Sentences that a feature is seen in at least."""
PENALTY = 0.03
FOLDS, SEED = 5, 2

Told = tuple[str, str]
"""A sentence and the key of its wish."""


def told() -> list[Told]:
    """Every sentence of the corpus with its key, in the file's order."""
    keys: dict[str, str] = yaml.safe_load(CORPUS.read_text("utf-8"))
    return [(line, key) for key, lines in keys.items() for line in lines.splitlines()]


def trained(sentences: list[Told]) -> bytes:
    """The model file learned from `sentences`."""
    labels = tuple(sorted({key for _, key in told()}))
    examples = [(features(text), key) for text, key in sentences]
    return statistics.dump(labels, *fit(examples, labels, least_count=LEAST_COUNT, penalty=PENALTY))


def check(sure: float) -> None:
    """Learns from all folds but one and counts what the model makes of that one."""
    sentences = told()
    random.Random(SEED).shuffle(sentences)
    wishes = right = wrong = talk = alarms = 0
    for fold in range(FOLDS):
        model = statistics.parse(trained([one for i, one in enumerate(sentences) if i % FOLDS != fold]))
        for text, key in sentences[fold::FOLDS]:
            chances = model.probabilities(features(text))
            best = max(chances, key=chances.__getitem__)
            heard = best if chances[best] >= sure else NO_WISH
            wishes, talk = wishes + (key != NO_WISH), talk + (key == NO_WISH)
            right += heard == key != NO_WISH
            wrong += NO_WISH not in (heard, key) and heard != key
            alarms += key == NO_WISH != heard
    print(
        f"sure from {sure}: of {wishes} wishes {right} right, {wrong} another; of {talk} others {alarms} taken for one"
    )


def main() -> None:
    """Train and write, or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="five folds, nothing is written")
    if parser.parse_args().check:
        for sure in (0.4, 0.5, 0.6, 0.7):
            check(sure)
        return
    MODEL.write_bytes(trained(told()))
    print(f"{MODEL.name}: {len(told())} sentences, {MODEL.stat().st_size / 1024:.0f} KB")


if __name__ == "__main__":
    main()
