"""Trains the reading of any domain on its own sentences, in seconds on one core; the same give the same bytes.

The hospital's classes and borders are made by the same functions (`train`), of more sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from tingdong.errors import DataError
from tingdong.front_desk import sentences, train
from tingdong.front_desk.directory import Directory
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.lessons import Phrase, lessons_of, no_tasks
from tingdong.front_desk.model import UNKNOWN_AGENT
from tingdong.front_desk.own_models import BORDERS, CLASSES, dump, fingerprint
from tingdong.front_desk.spotting import Spotter
from tingdong.learned.fitting import Example

__all__ = ["LEAST_SENTENCES", "train_domain"]

LEAST_SENTENCES = 10
"""Sentences of an agent below which nothing is learned of it; thirty are well."""
_LONGEST = 2
"""Characters of the n-grams that are learned: of few sentences, longer ones say nothing of others."""
_NAMES = frozenset("@#")
"""How features begin that are no n-grams (`classify`)."""
_PENALTY = 0.15
_TASKS = 12
"""Times that a task's sentence counts: whoever comes to a desk mostly wants something of it."""

Told = Callable[[str], None]
"""Is told what is done next."""


def train_domain(domain: Domain, directory: Directory, told: Told = lambda _: None) -> bytes:
    """The bytes of a domain's model file.

    Raises:
        DataError: the domain has no sentences, or an agent too few; says which and how many.
    """
    phrases = lessons_of(domain)
    counts = Counter(agent for _, agent in phrases)
    few = [f"{agent} ({counts[agent]})" for agent in domain.agents if counts[agent] < LEAST_SENTENCES]
    if few:
        raise DataError(f"sentences: at least {LEAST_SENTENCES} per agent, 30 recommended: {'、'.join(few)}")
    spotter = Spotter(domain, directory)
    told(CLASSES)
    tasks = [one for one in phrases if one[1] != UNKNOWN_AGENT]
    classes = _classes(spotter, [*phrases, *no_tasks(), *tasks * (_TASKS - 1)])
    told(BORDERS)
    borders = _borders(spotter, phrases)
    return dump(fingerprint(domain, phrases), {CLASSES: classes, BORDERS: borders})


def _classes(spotter: Spotter, phrases: Sequence[Phrase]) -> bytes:
    said = sentences.OpeningTurns([], list(phrases))
    examples = [_short(example) for example in train.class_examples(spotter, said)]
    return train.fitted(examples, train.LEAST_CLASSES, penalty=_PENALTY)


def _short(example: Example) -> Example:
    features, agent = example
    return {one for one in features if len(one) <= _LONGEST or one[0] in _NAMES}, agent


def _borders(spotter: Spotter, phrases: Sequence[Phrase]) -> bytes:
    texts = sentences.border_texts(sentences.OpeningTurns([], list(phrases)), train.never_apart(spotter), [], [])
    return train.fitted(list(train.border_examples(spotter, texts)), train.LEAST_BORDERS, batch=train.BATCH)
