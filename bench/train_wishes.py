"""`python -m bench.train_wishes`: what people say of how it is where they are, learned (make train-wishes).

Reads tests/corpus/wishes_train*.yaml and writes `home/data/wishes.bin`; the same sentences give the same file. With
`--check` it learns from four fifths, five times, and says how the rest is read, and how the closed voice is.
"""

import argparse
import random
from pathlib import Path

from context_retrieval.strict_yaml import parse_yaml
from tingdong.home.wish_reading import MODEL, NO_WISH, features, match_wish
from tingdong.learned import statistics
from tingdong.learned.fitting import fit

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "corpus"
LEARNED = ("wishes_train.yaml", "wishes_train_b.yaml", "wishes_train_c.yaml", "wishes_train_d.yaml")
CLOSED = "wishes_check.yaml"
LEAST_COUNT = 3
"""Sentences that a feature is seen in at least."""
PENALTY = 0.03
FOLDS, SEED = 5, 2

Told = tuple[str, str]
"""A sentence and the key of its wish."""


def told(*files: str) -> list[Told]:
    """Every sentence of the files (by default of what is learned from) with its key, in their order."""
    found: dict[str, str] = {}
    for name in files or LEARNED:
        keys: dict[str, str] = parse_yaml((FOLDER / name).read_text("utf-8"))
        found.update((line, key) for key, lines in keys.items() for line in lines.splitlines())
    return list(found.items())


def trained(sentences: list[Told]) -> bytes:
    """The model file learned from `sentences`."""
    labels = tuple(sorted({key for _, key in told()}))
    examples = [(features(text), key) for text, key in sentences]
    return statistics.dump(labels, *fit(examples, labels, least_count=LEAST_COUNT, penalty=PENALTY))


def check(thresholds: tuple[float, ...]) -> None:
    """Learns from all folds but one and counts what the model makes of that one, at each threshold."""
    sentences = told()
    random.Random(SEED).shuffle(sentences)
    heard: list[tuple[str, str, float]] = []
    for fold in range(FOLDS):
        model = statistics.parse(trained([one for i, one in enumerate(sentences) if i % FOLDS != fold]))
        for text, key in sentences[fold::FOLDS]:
            chances = model.probabilities(features(text))
            best = max(chances, key=chances.__getitem__)
            heard.append((key, best, chances[best]))
    for sure in thresholds:
        taken = [(key, best if chance >= sure else NO_WISH) for key, best, chance in heard]
        wishes = [(key, best) for key, best in taken if key != NO_WISH]
        right = sum(key == best for key, best in wishes)
        wrong = sum(best not in (key, NO_WISH) for key, best in wishes)
        alarms = sum(best != NO_WISH for key, best in taken if key == NO_WISH)
        talk = len(taken) - len(wishes)
        print(
            f"sure from {sure}: of {len(wishes)} wishes {right} right, {wrong} another; of {talk} others {alarms} taken"
        )


def closed() -> str:
    """How the closed voice is read by all there is: phrases, feelings and the model as it lies there."""
    heard = [(key, match_wish(text)) for text, key in told(CLOSED)]
    wishes = [(key, wish.key if wish else NO_WISH) for key, wish in heard if key != NO_WISH]
    alarms = [wish for key, wish in heard if key == NO_WISH and wish is not None]
    right = sum(key == wish for key, wish in wishes)
    wrong = sum(wish not in (key, NO_WISH) for key, wish in wishes)
    others = len(heard) - len(wishes)
    return f"closed: of {len(wishes)} wishes {right} right, {wrong} another; of {others} others {len(alarms)} taken"


def main() -> None:
    """Train and write, or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="five folds, nothing is written")
    if parser.parse_args().check:
        check((0.4, 0.5, 0.6, 0.7))
        print(closed())
        return
    MODEL.write_bytes(trained(told()))
    print(f"{MODEL.name}: {len(told())} sentences, {MODEL.stat().st_size / 1024:.0f} KB")


if __name__ == "__main__":
    main()
