"""Trains the reading of turns (`judged`) on labelled dialogues; the same dialogues give the same weights."""

from __future__ import annotations

from collections.abc import Sequence

from tingdong.dialogue.borders import Borders
from tingdong.dialogue.chain import Weights, labels_of
from tingdong.dialogue.chain_fit import Example, fit
from tingdong.dialogue.classify import Classifier
from tingdong.dialogue.directory import Directory
from tingdong.dialogue.domain import Domain
from tingdong.dialogue.judged import Judge
from tingdong.dialogue.ruled import RuleReader
from tingdong.dialogue.spoken import ACTS, ANSWER, BACKGROUND, RETURN
from tingdong.dialogue.spotting import Spotter
from tingdong.dialogue.statistics import LinearModel
from tingdong.dialogue.turn_examples import Examples, told_by_rules, without_rules

_PENALTY = 1.0
"""How strongly weights are kept small."""
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


def learned(domain: Domain, examples: Sequence[Example]) -> Weights:
    """The weights of a domain's labels: its agents, and what is no task."""
    labels = labels_of(domain.agents, (ANSWER, BACKGROUND, RETURN, *ACTS))
    by_rules = [example for example in examples if any(told_by_rules(seen) for seen in example[0])]
    alone = [without_rules(example) for example in by_rules[::_WORDS_ALONE]]
    return fit([*examples, *alone], labels, penalty=_PENALTY)
