"""Trains the reading of turns (`judged`) on labelled dialogues; the same dialogues give the same weights."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from tingdong.front_desk.atoms import NOTHING_OPEN
from tingdong.front_desk.borders import Borders
from tingdong.front_desk.chain import Chain, Weights, class_of, labels_of, softened
from tingdong.front_desk.chain_fit import Example, fit
from tingdong.front_desk.classify import Classifier
from tingdong.front_desk.directory import Directory
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.judged import Judge, ruled_out
from tingdong.front_desk.ruled import RuleReader
from tingdong.front_desk.spoken import ACTS, ANSWER, BACKGROUND, RETURN
from tingdong.front_desk.spotting import Spotter
from tingdong.front_desk.statistics import LinearModel
from tingdong.front_desk.turn_examples import Examples, told_by_rules, without_rules

_PENALTY = 1.0
"""How strongly weights are kept small."""
_FOLDS = 3
"""Times that a part of the voices is left out to see how sure the reading may be."""
_TEMPERATURES = (1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.4)
_LEAST = 1e-4
"""Chance below which nothing is found less likely."""
_WORDS_ALONE = 3
"""Every which example is also learned from its words alone."""


def examples_of(
    domain: Domain, directory: Directory, classes: LinearModel | None, borders: LinearModel | None
) -> Examples:
    """What makes examples for a domain, as its reader sees turns before it has learned anything."""
    spotter = Spotter(domain, directory)
    placed, classifier = Borders(spotter, borders), Classifier(spotter, classes)
    rules = RuleReader(spotter, classifier, placed)
    return Examples(domain, spotter, rules, Judge(rules, spotter, placed, classifier, None))


def calibrated(domain: Domain, voices: Mapping[str, Sequence[Example]], others: Sequence[Example]) -> Weights:
    """The weights learned from everything, as sure of themselves as they are right of voices that they never heard: in
    turn some of the `voices` are left out, and the temperature is the one that makes what they say likeliest."""
    names = sorted(voices)
    losses = dict.fromkeys(_TEMPERATURES, 0.0)
    for fold in range(_FOLDS):
        left = names[fold::_FOLDS]
        heard = [one for name in names if name not in left for one in voices[name]]
        weights = learned(domain, [*heard, *others])
        for temperature in losses:
            chain = Chain(softened(weights, temperature))
            losses[temperature] += sum(_loss(chain, one) for name in left for one in voices[name])
    best = min(losses, key=losses.__getitem__)
    return softened(learned(domain, [*(one for told in voices.values() for one in told), *others]), best)


def _loss(chain: Chain, example: Example) -> float:
    """How unlikely a chain finds what a turn says, summed over its stretches."""
    stretches, labels = example
    told = chain.read(stretches, without=ruled_out(chain.labels, anything_open=NOTHING_OPEN not in stretches[0]))
    return -sum(
        math.log(max(chances[class_of(label)], _LEAST)) for (_, chances), label in zip(told, labels, strict=True)
    )


def learned(domain: Domain, examples: Sequence[Example]) -> Weights:
    """The weights of a domain's labels: its agents, and what is no task."""
    labels = labels_of(domain.agents, (ANSWER, BACKGROUND, RETURN, *ACTS))
    by_rules = [example for example in examples if any(told_by_rules(seen) for seen in example[0])]
    alone = [without_rules(example) for example in by_rules[::_WORDS_ALONE]]
    return fit([*examples, *alone], labels, penalty=_PENALTY)
