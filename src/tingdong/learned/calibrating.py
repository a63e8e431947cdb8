"""Calibrates a chain: its confidence should match its accuracy on speakers left out of training."""

import math
from collections.abc import Callable, Mapping, Sequence

from tingdong.learned.chain import ChainWeights, LabelChain, class_of, softened
from tingdong.learned.chain_fit import Example

Told = list[tuple[str, dict[str, float]]]
"""The likeliest label of each stretch, and the chance of every class."""
_FOLDS = 3
"""Times that a part of the voices is left out to see how sure the reading may be."""
_TEMPERATURES = (1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.4)
_LEAST = 1e-4
"""Chance below which nothing is found less likely."""


def calibrated(
    voices: Mapping[str, Sequence[Example]],
    others: Sequence[Example],
    learn: Callable[[list[Example]], ChainWeights],
    read: Callable[[LabelChain, list[set[str]]], Told] = LabelChain.read,
) -> ChainWeights:
    """What `learn` makes of all examples, with the temperature that fits speakers left out in turn (`voices`) best."""
    names = sorted(voices)
    losses = dict.fromkeys(_TEMPERATURES, 0.0)
    for fold in range(_FOLDS):
        left = names[fold::_FOLDS]
        weights = learn([*(one for name in names if name not in left for one in voices[name]), *others])
        for temperature in losses:
            chain = LabelChain(softened(weights, temperature))
            losses[temperature] += sum(_loss(read, chain, one) for name in left for one in voices[name])
    best = min(losses, key=losses.__getitem__)
    return softened(learn([*(one for told in voices.values() for one in told), *others]), best)


def _loss(read: Callable[[LabelChain, list[set[str]]], Told], chain: LabelChain, example: Example) -> float:
    """Negative log likelihood of a labelled turn, summed over its stretches."""
    stretches, labels = example
    told = zip(read(chain, stretches), labels, strict=True)
    return -sum(math.log(max(chances[class_of(label)], _LEAST)) for (_, chances), label in told)
