"""Examples that the classes and the borders of a domain are learned from, and the fit; the same sentences give the
same weights."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tingdong.front_desk import borders, sentences
from tingdong.front_desk.classify import Classifier
from tingdong.front_desk.sentences import BorderText, OpeningTurns
from tingdong.front_desk.spotting import Spotter
from tingdong.learned import statistics
from tingdong.learned.fitting import Example, fit

_KEPT_INSIDE = 0.25
"""Share of the places within a request that the borders are learned from; they are many and alike."""
BATCH = 1024
"""Examples a step where they are many."""
LEAST_CLASSES, LEAST_BORDERS = 1, 3
"""Examples that a feature of a model is seen in at least."""

PENALTY = 0.003
"""How strongly weights are kept small: more where a word seen once may say little."""


def class_examples(spotter: Spotter, said: OpeningTurns) -> Iterator[Example]:
    """Single tasks: features of a piece, and its agent."""
    classifier = Classifier(spotter, None)
    for sentence, agent in sentences.class_sentences(said):
        spots = spotter.spot(sentence)
        yield classifier.features(spots.text, spots.mask(0, len(spots.text))), agent


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


def fitted(examples: list[Example], least_count: int, *, batch: int = 0, penalty: float = PENALTY) -> bytes:
    """The bytes of a linear model of some examples."""
    labels = tuple(sorted({label for _, label in examples}))
    return statistics.dump(labels, *fit(examples, labels, least_count=least_count, batch=batch, penalty=penalty))
