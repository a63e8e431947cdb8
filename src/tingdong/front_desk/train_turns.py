"""Trains the reading of turns (`judged`) on labelled dialogues; the same dialogues give the same weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from tingdong.front_desk.atoms import NOTHING_OPEN
from tingdong.front_desk.borders import Borders
from tingdong.front_desk.classify import Classifier
from tingdong.front_desk.directory import Directory
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.grouped import ruled_out
from tingdong.front_desk.judged import Judge
from tingdong.front_desk.ruled import RuleReader
from tingdong.front_desk.spoken import ACTS, ANSWER, BACKGROUND, RETURN
from tingdong.front_desk.spotting import Spotter
from tingdong.front_desk.turn_examples import Examples, told_by_rules, without_rules
from tingdong.learned import calibrating
from tingdong.learned.calibrating import Told
from tingdong.learned.chain import ChainWeights, LabelChain, labels_of
from tingdong.learned.chain_fit import Example, fit
from tingdong.learned.statistics import LinearModel

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


def calibrated(domain: Domain, voices: Mapping[str, Sequence[Example]], others: Sequence[Example]) -> ChainWeights:
    """The weights learned from everything, as sure of themselves as they are right of voices that they never heard."""
    return calibrating.calibrated(voices, others, partial(learned, domain), _read)


def _read(chain: LabelChain, stretches: list[set[str]]) -> Told:
    return chain.read(stretches, without=ruled_out(chain.labels, anything_open=NOTHING_OPEN not in stretches[0]))


def learned(domain: Domain, examples: Sequence[Example]) -> ChainWeights:
    """The weights of a domain's labels: its agents, and what is no task."""
    labels = labels_of(domain.agents, (ANSWER, BACKGROUND, RETURN, *ACTS))
    by_rules = [example for example in examples if any(told_by_rules(seen) for seen in example[0])]
    alone = [without_rules(example) for example in by_rules[::_WORDS_ALONE]]
    return fit([*examples, *alone], labels, penalty=_PENALTY)
