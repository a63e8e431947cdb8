"""Trains the local models on the project's own sentences: `python -m tingdong.front_desk.train`.

Reads the labelled sets and phrases under `tests/corpus` (`sentences`) and writes the model files under
`front_desk/data`; the same sentences give the same files.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from tingdong.front_desk import borders, dangers, directory, domain, places_fit, places_net, sentences
from tingdong.front_desk.classify import Classifier
from tingdong.front_desk.model import SafetyLabel
from tingdong.front_desk.pieces import runs
from tingdong.front_desk.read import BORDER_MODEL, CLASS_MODEL, PLACES_MODEL, SAFETY_MODEL
from tingdong.front_desk.safety import SafetyCheck
from tingdong.front_desk.sentences import BorderText, OpeningTurns
from tingdong.front_desk.spotting import Spotter
from tingdong.learned import statistics
from tingdong.learned.fitting import Example, fit
from tingdong.learned.statistics import LinearModel

_KEPT_INSIDE = 0.25
"""Share of the places within a request that the borders are learned from; they are many and alike."""
BATCH = 1024
"""Examples a step where they are many."""
LEAST_CLASSES, LEAST_SAFETY, LEAST_BORDERS = 1, 2, 3
"""Examples that a feature of a model is seen in at least."""

_PENALTY, _SAFETY_PENALTY = 0.003, 0.5
"""How strongly weights are kept small: more where a word seen once may say little."""


def class_examples(spotter: Spotter, said: OpeningTurns) -> Iterator[Example]:
    """Single tasks: features of a piece, and its agent."""
    classifier = Classifier(spotter, None)
    for sentence, agent in sentences.class_sentences(said):
        spots = spotter.spot(sentence)
        yield classifier.features(spots.text, spots.mask(0, len(spots.text))), agent


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


def places_examples(spotter: Spotter, corpus: Path) -> Iterator[places_fit.Stretched]:
    """Turns by their places, with their safety label and the stretch that it is about."""
    for told in dangers.turns(corpus):
        spots = spotter.spot(told.text)
        start, end = (told.start, told.end) if len(spots.text) == len(told.text) else (0, len(spots.text))
        label = "" if told.label == SafetyLabel.NORMAL else told.label
        yield places_fit.Stretched(places_net.features(spotter, spots), label, start, end)


def border_examples(spotter: Spotter, texts: list[BorderText]) -> Iterator[Example]:
    """Places in texts: features of a place, and whether a request begins there."""
    chance = random.Random(1)
    for text, begins, links in texts:
        spots = spotter.spot(text)
        if len(spots.text) != len(text):
            continue
        standing: set[str] = set()
        for place in borders.features(spotter, spots, 0, len(text)):
            standing = (standing | {*place.came}) - {*place.went}
            if place.at in begins:
                yield {*place.beside, *standing}, borders.BORDER
            elif chance.random() < _KEPT_INSIDE and place.at not in links:
                yield {*place.beside, *standing}, borders.INSIDE


def never_apart(spotter: Spotter) -> sentences.Apart:
    """Agents that are one request where the first only tells what the second is for (头疼, 挂神经内科)."""
    agents, tells = spotter.domain.agents, spotter.domain.cutting.tells

    def never(one: str, other: str) -> bool:
        return one in tells and one != other and bool(agents[one].group) and agents[one].group == agents[other].group

    return never


def fitted(examples: list[Example], least_count: int, *, batch: int = 0, penalty: float = _PENALTY) -> bytes:
    """The bytes of a linear model of some examples."""
    labels = tuple(sorted({label for _, label in examples}))
    return statistics.dump(labels, *fit(examples, labels, least_count=least_count, batch=batch, penalty=penalty))


def _write(path: Path, examples: list[Example], least_count: int, *, batch: int = 0, penalty: float = _PENALTY) -> None:
    path.write_bytes(fitted(examples, least_count, batch=batch, penalty=penalty))
    sys.stdout.write(f"{path.name}: {len(examples)} examples\n")
    sys.stdout.flush()


def _write_places(path: Path, examples: list[places_fit.Stretched]) -> None:
    labels = tuple(sorted({example.label for example in examples} - {""}))
    names = places_fit.names_of(examples)
    path.write_bytes(places_net.dump(labels, names, places_fit.fit(examples, labels, names)))
    sys.stdout.write(f"{path.name}: {len(examples)} examples\n")


def main(arguments: list[str] | None = None) -> int:
    """Train and write; prints what was written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=Path("tests/corpus"))
    parser.add_argument("--only", nargs="*", default=("classes", "borders", "safety", "places"), help="models to train")
    options = parser.parse_args(arguments)
    corpus: Path = options.corpus
    spotter = Spotter(domain.default(), directory.load(corpus / "hospital_directory.yaml"))
    said = sentences.told(corpus)
    if "classes" in options.only:
        _write(CLASS_MODEL, list(class_examples(spotter, said)), LEAST_CLASSES)
    if "borders" in options.only:
        texts = sentences.border_texts(said, never_apart(spotter), dangers.alarms(corpus), dangers.beside(corpus))
        _write(BORDER_MODEL, list(border_examples(spotter, texts)), LEAST_BORDERS, batch=BATCH)
    if "safety" in options.only:
        examples = list(safety_examples(spotter, corpus, statistics.load(BORDER_MODEL)))
        _write(SAFETY_MODEL, examples, LEAST_SAFETY, batch=BATCH, penalty=_SAFETY_PENALTY)
    if "places" in options.only:
        _write_places(PLACES_MODEL, list(places_examples(spotter, corpus)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
