"""Trains the front desk's models of classes, borders and dangers on the project's own sentences.

    python -m bench.train_dialogue [--corpus tests/corpus] [--only classes borders safety places]

Reads the labelled sets and phrases under `tests/corpus` (`labelled`) and writes the model files under
`front_desk/data`; the same sentences give the same files.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from bench import dangers, fit_places, labelled
from tingdong.front_desk import borders, directory, domain, places_net, sentences, train
from tingdong.front_desk.model import SafetyLabel
from tingdong.front_desk.pieces import runs
from tingdong.front_desk.read import BORDER_MODEL, CLASS_MODEL, PLACES_MODEL, SAFETY_MODEL
from tingdong.front_desk.safety import SafetyCheck
from tingdong.front_desk.spotting import Spotter
from tingdong.learned import statistics
from tingdong.learned.fitting import Example
from tingdong.learned.statistics import LinearModel

_LEAST_SAFETY = 2
"""Examples that a feature of the safety score is seen in at least."""
_SAFETY_PENALTY = 0.5
"""How strongly its weights are kept small: a word seen once may say little."""


def safety_examples(spotter: Spotter, corpus: Path, borders_model: LinearModel) -> Iterator[Example]:
    """Turns and their parts: features of a stretch, and its safety label. What stands beside a danger is normal, as is
    every part of a turn without one."""
    safety = SafetyCheck(spotter, borders.Borders(spotter, borders_model))
    chance = random.Random(1)
    for told in dangers.turns(corpus):
        spots = spotter.spot(told.text)
        whole = safety.whole(spots)
        yield safety.features(whole), told.label
        parts = safety.parts(spots)
        if told.label == SafetyLabel.NORMAL:
            stretches = [safety.within(whole, run) for run in runs(parts)]
            if len(parts) > 1:  # as one without another request that stands beside it
                inside = [part for part in parts if part[0] < told.end and told.start < part[1]]
                left_out = chance.choice(parts)
                kept = inside if len(inside) < len(parts) else [part for part in parts if part != left_out]
                stretches.append(safety.together(spots, kept)[0])
            yield from ((safety.features(stretch), told.label) for stretch in stretches if stretch.live)
        elif len(spots.text) == len(told.text):
            inside = [part for part in parts if part[0] < told.end and told.start < part[1]]
            if len(inside) < len(parts):
                yield safety.features(safety.together(spots, inside)[0]), told.label
            for part in parts:
                if part not in inside:
                    yield safety.features(safety.whole(spots.stretch([part]))), SafetyLabel.NORMAL.value


def places_examples(spotter: Spotter, corpus: Path) -> Iterator[fit_places.Stretched]:
    """Turns by their places, with their safety label and the stretch that it is about."""
    for told in dangers.turns(corpus):
        spots = spotter.spot(told.text)
        start, end = (told.start, told.end) if len(spots.text) == len(told.text) else (0, len(spots.text))
        label = "" if told.label == SafetyLabel.NORMAL else told.label
        yield fit_places.Stretched(places_net.features(spotter, spots), label, start, end)


def _write(
    path: Path, examples: list[Example], least_count: int, *, batch: int = 0, penalty: float = train.PENALTY
) -> None:
    path.write_bytes(train.fitted(examples, least_count, batch=batch, penalty=penalty))
    sys.stdout.write(f"{path.name}: {len(examples)} examples\n")
    sys.stdout.flush()


def _write_places(path: Path, examples: list[fit_places.Stretched]) -> None:
    labels = tuple(sorted({example.label for example in examples} - {""}))
    names = fit_places.names_of(examples)
    path.write_bytes(places_net.dump(labels, names, fit_places.fit(examples, labels, names)))
    sys.stdout.write(f"{path.name}: {len(examples)} examples\n")


def main(arguments: list[str] | None = None) -> int:
    """Train and write; prints what was written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=Path("tests/corpus"))
    parser.add_argument("--only", nargs="*", default=("classes", "borders", "safety", "places"), help="models to train")
    options = parser.parse_args(arguments)
    corpus: Path = options.corpus
    spotter = Spotter(domain.default(), directory.load(corpus / "hospital_directory.yaml"))
    said = labelled.told(corpus)
    if "classes" in options.only:
        _write(CLASS_MODEL, list(train.class_examples(spotter, said)), train.LEAST_CLASSES)
    if "borders" in options.only:
        texts = sentences.border_texts(said, train.never_apart(spotter), dangers.alarms(corpus), dangers.beside(corpus))
        _write(BORDER_MODEL, list(train.border_examples(spotter, texts)), train.LEAST_BORDERS, batch=train.BATCH)
    if "safety" in options.only:
        examples = list(safety_examples(spotter, corpus, statistics.load(BORDER_MODEL)))
        _write(SAFETY_MODEL, examples, _LEAST_SAFETY, batch=train.BATCH, penalty=_SAFETY_PENALTY)
    if "places" in options.only:
        _write_places(PLACES_MODEL, list(places_examples(spotter, corpus)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())


if __name__ == "__main__":
    raise SystemExit(main())
