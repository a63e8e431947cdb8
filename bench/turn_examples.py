"""What the front desk's reading of turns is learned from, and the fit: labelled stretches, and turns of which the rules
read everything right; the same dialogues give the same weights.

A dialogue is led by its labels, so that every turn is seen with what is open before it. Where only what a turn leads
to is labelled (the sets of `evaluate`), the labels of its stretches are those of the rules, if they lead to that.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from tingdong.front_desk.advance import advance
from tingdong.front_desk.atoms import NOTHING_OPEN, Atom
from tingdong.front_desk.borders import Borders
from tingdong.front_desk.classify import Classifier
from tingdong.front_desk.directory import Directory
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.grouped import ruled_out
from tingdong.front_desk.judged import Judge, LabelledStretch
from tingdong.front_desk.model import UNKNOWN_AGENT, DeskTurn, IntentContext, OpKind, TurnReading
from tingdong.front_desk.ruled import Ruled, RuleReader
from tingdong.front_desk.spoken import ACTS, ANSWER, BACKGROUND, CODES, RETURN
from tingdong.front_desk.spotting import Spots, Spotter
from tingdong.learned import calibrating
from tingdong.learned.calibrating import Told
from tingdong.learned.chain import BEGINS, GOES_ON, ChainWeights, LabelChain, labels_of
from tingdong.learned.chain_fit import Example, fit
from tingdong.learned.statistics import LinearModel
from tingdong.learned.stretches import TurnStretches

NOW = dt.datetime(2026, 11, 23, 9, 30, tzinfo=dt.timezone(dt.timedelta(hours=8)))
"""The clock of what is learned from: a Monday morning."""

_TASKLESS = frozenset(CODES.values())
"""Labels that are no agent's."""

_OF_RULES = ("old:", "#", "r:", "cue:", "<old:", ">old:", "<r:", ">r:")
"""How features begin that say what the rules make of a stretch."""


class Examples:
    """Makes examples of turns; `judge` cuts and sees them, and need not have learned anything yet."""

    def __init__(self, domain: Domain, spotter: Spotter, rules: RuleReader, judge: Judge) -> None:
        self._domain = domain
        self._spotter = spotter
        self._rules = rules
        self._judge = judge

    def of_dialogue(self, turns: Sequence[TurnStretches]) -> Iterator[Example]:
        """An example a turn of a dialogue with labelled stretches."""
        for _, example in self.led(turns):
            if example[1]:
                yield example

    def led(self, turns: Sequence[TurnStretches]) -> Iterator[tuple[IntentContext, Example]]:
        """What is open before each turn of a dialogue with labelled stretches, and the turn as an example."""
        context = IntentContext()
        for turn in turns:
            spots = self._spotter.spot(turn.text)
            ruled = self._rules.read(spots, context, NOW)
            atoms, features = self._judge.seen(spots, context, ruled, NOW)
            labels = told_labels(spots, atoms, turn)
            yield context, (features, labels)
            judged = [LabelledStretch(atom, label, _sure(label)) for atom, label in zip(atoms, labels, strict=True)]
            cues, segments = self._judge.assembled(spots, judged, ruled, NOW)
            reading = TurnReading(turn.text, segments=tuple(segments), cues=tuple(cues))
            context = advance(context, reading, now=NOW, domain=self._domain).context

    def of_rules(self, texts: Iterable[tuple[str, bool]]) -> Iterator[Example]:
        """Examples of the turns of a dialogue, with whether what the rules read of each is right; those behind the
        first that is not are left out."""
        context = IntentContext()
        for text, right in texts:
            if not right:
                return
            spots = self._spotter.spot(text)
            ruled = self._rules.read(spots, context, NOW)
            atoms, features = self._judge.seen(spots, context, ruled, NOW)
            segments = tuple(self._rules.segment(spots, piece, NOW, ruled.wanted) for piece in ruled.pieces)
            reading = TurnReading(text, segments=segments, cues=tuple(ruled.cues))
            turn = advance(context, reading, now=NOW, domain=self._domain)
            if atoms:
                yield features, led_labels(atoms, ruled, turn)
            context = turn.context


def told_labels(spots: Spots, atoms: Sequence[Atom], turn: TurnStretches) -> list[str]:
    """The label of each stretch as cut: of the told stretch that holds most of it."""
    labels: list[str] = []
    begun: set[int] = set()
    for atom in atoms:
        start, end = spots.normalised.original_span(atom.start, atom.end)
        number = turn.label_of(start, end)
        label = turn.stretches[number].label
        labels.append(label)
        if label in _TASKLESS:
            continue
        labels[-1] = (GOES_ON if number in begun and _follows(labels, label) else BEGINS) + label
        begun.add(number)
    return labels


def _follows(labels: Sequence[str], task: str) -> bool:
    return len(labels) > 1 and labels[-2].endswith(task)


def led_labels(atoms: Sequence[Atom], ruled: Ruled, turn: DeskTurn) -> list[str]:
    """The labels of the rules, with what the dialogue made of them: what went on with an open task told of it."""
    added = {op.target for op in turn.context.intent_ops if op.op in (OpKind.SHIFT, OpKind.ADD, OpKind.CLARIFY)}
    went_on = {op.target for op in turn.context.intent_ops if op.op is OpKind.CONTINUE}
    labels = []
    for atom in atoms:
        label = atom.by_rules
        number = ruled.piece_at(atom.start, atom.end)
        if number >= 0 and label[:2] in (BEGINS, GOES_ON):
            agent = turn.segments[number].agent_code
            if agent in went_on and not any(agent in target.split("|") for target in added):
                label = ANSWER
        elif label == ANSWER and (number < 0 or turn.segments[number].agent_code == UNKNOWN_AGENT):
            label = BACKGROUND
        elif label == BACKGROUND and number >= 0 and turn.segments[number].agent_code != UNKNOWN_AGENT:
            label = ANSWER
        labels.append(label)
    return labels


def without_rules(example: Example) -> Example:
    """An example of which nothing is seen that the rules say: words alone must do."""
    stretches, labels = example
    return [{one for one in seen if not one.startswith(_OF_RULES) and "&" not in one} for seen in stretches], labels


def told_by_rules(seen: set[str]) -> bool:
    """Whether the features of a stretch say what the rules make of it."""
    return any(one.startswith(_OF_RULES) for one in seen)


def _sure(label: str) -> dict[str, float]:
    return {label.removeprefix(BEGINS).removeprefix(GOES_ON): 1.0}


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
