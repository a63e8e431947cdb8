"""Fits what each fact that speaks against a request weighs (`home_dialogue/data/accounting.yaml`), and how it fares.

    python -m bench.fit_accounting --live judged.jsonl … --service service_dev.jsonl … --said home_said_n.txt …
        --homes homes … [--write]

Every turn is played with nothing asked about. A request of a turn that people judged OK or acceptable, and that does
the same still, is right, and so is one of a right turn of a service set; one of a turn judged HARM is wrong, and of a
wrong turn of a service set where it is not among what is expected. Of the turns of `--said` (`said_at_home`; voices
that `functions.bin` has not seen), a request is right where a clause orders something, and wrong where all only tell,
ask or refuse. A logistic regression without negative weights starts from what the law expects (`grave`) and is scored
on conversations that it has not seen; a sentence and its misheard twin stay together.
"""

import argparse
import asyncio
import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec
import numpy as np

from bench.live import conversations, replay, same
from bench.said_at_home import labelled as turns_of
from tingdong.evaluate.corpus import load
from tingdong.evaluate.service import AskedTurn, ServiceReply, ServiceScorer
from tingdong.home_dialogue import accounting
from tingdong.home_dialogue.accounting_table import AccountingTable, Fact, Thresholds, accounting_table
from tingdong.home_dialogue.functions import Function
from tingdong.home_turn import Turn, TurnRequest, Understander
from tingdong.reader import SentenceReader, sentence_reader
from tingdong.stores import MemoryPageStore

FOLDS, STEPS, RATE, SHRINK = 8, 4000, 2.0, 0.001
GRAVE, SLIGHT, BIAS, WRONG_COUNTS = 4.0, 0.5, -3.0, 4.0
MARGIN, RISKY = 0.6, 1.4
"""How much above even it is asked about, and how much less what is protected or risky needs."""
ASKS_NOTHING = frozenset((Function.TELL, Function.ASK, Function.REFUSE))
TABLE = Path(accounting.__file__).parent / "data" / "accounting.yaml"


class Row(NamedTuple):
    """A request: its conversation, the facts against it, whether it was wrong, and what was said."""

    talk: str
    facts: Mapping[str, float]
    wrong: bool
    text: str


def plain_table() -> AccountingTable:
    """The table with all weights 1, which asks about nothing."""
    table = accounting_table()
    facts = {name: Fact(1.0, fact.grave) for name, fact in table.facts.items()}
    return msgspec.structs.replace(table, facts=facts, ask=Thresholds(math.inf, math.inf))


def facts_against(turn: Turn) -> Iterator[tuple[Mapping[str, float], frozenset[str]]]:
    """The facts against each request that was carried out, and what it sent."""
    sent = {one.id for one in (*turn.instructs, *turn.scheduled)}
    for finding in turn.decision.findings if turn.decision else ():
        if mine := sent.intersection(finding.ids):
            yield finding.against, frozenset(mine)


def home_in(folders: Sequence[Path], name: str) -> Path:
    """The file of a home, in the first folder that has it."""
    return next(place for folder in folders if (place := folder / f"{name}.json").exists())


def judged(path: Path, homes: Sequence[Path], reader: SentenceReader) -> Iterator[Row]:
    """Requests of conversations judged by people."""
    served = Understander(MemoryPageStore(), local=reader)
    for turns in conversations(path):
        found = home_in(homes, turns[0]["home"])
        said = asyncio.run(replay(turns, json.loads(found.read_bytes()), served))
        for turn, now in zip(turns, said, strict=True):
            if turn["verdict"] == "fail" or not same(turn, now):
                continue
            for facts, _ in facts_against(now):
                yield Row(turn["conversation"], facts, turn["verdict"] == "HARM", turn["utterance"])


def labelled(path: Path, homes: Sequence[Path], reader: SentenceReader) -> Iterator[Row]:
    """Requests of a labelled set, played as it is scored."""
    told: list[Turn] = []
    served = Understander(MemoryPageStore(), local=reader)

    def ask(asked: AskedTurn) -> ServiceReply:
        request = TurnRequest(
            rid=str(len(told)),
            page_id=asked.page_id,
            question=asked.question,
            instruct=asked.instruct,
            home=msgspec.json.encode(asked.home),
            local=asked.local or "",
            now=datetime.fromisoformat(asked.now) if asked.now else None,
            alternatives=tuple(asked.alternatives),
        )
        turn = asyncio.run(served.turn(request))
        told.append(turn)
        now, later = (msgspec.to_builtins(some) for some in (turn.instructs, turn.scheduled))
        return ServiceReply(0, turn.kind.value, turn.text, now, later)

    def home(name: str) -> Mapping[str, Any]:
        found = home_in(homes, name)
        read: Mapping[str, Any] = json.loads(found.read_bytes())
        return read

    scorer = ServiceScorer(ask, home)
    for case in load(path):
        begun = len(told)
        for outcome, gold, turn in zip(scorer.score(case), case.raw["turns"], told[begun:], strict=True):
            expected = {one["id"]: one.get("state") for one in gold.get("instructs") or ()}
            states = {one.id: one.state for one in (*turn.instructs, *turn.scheduled)}
            for facts, sent in facts_against(turn):
                right = outcome.right or all(expected.get(one) == states[one] for one in sent)
                yield Row(case.id, facts, not right, gold["question"])


def told(path: Path, homes: Sequence[Path], reader: SentenceReader) -> Iterator[Row]:
    """Requests of turns whose clauses are labelled with what they do, each the first one of its page."""
    served = Understander(MemoryPageStore(), local=reader)
    for number, one in enumerate(turns_of(path)):
        labels = {Function(stretch.label) for stretch in one.said.stretches}
        if any(one.facts) or not (labels <= ASKS_NOTHING or Function.ORDER in labels):
            continue
        found = home_in(homes, one.home)
        page = f"{path.stem}-{number}"
        request = TurnRequest(rid="1", page_id=page, question=one.said.text, home=found.read_bytes())
        for facts, _ in facts_against(asyncio.run(served.turn(request))):
            yield Row(page, facts, labels <= ASKS_NOTHING, one.said.text)


class Weights(NamedTuple):
    """What the facts weigh, and what has to be outweighed."""

    facts: dict[str, float]
    bias: float

    def score(self, facts: Mapping[str, float]) -> float:
        """Above 0 it is rather wrong."""
        return self.bias + sum(self.facts.get(name, 0.0) * much for name, much in facts.items())


def fit(rows: Sequence[Row], expected: Mapping[str, float]) -> Weights:
    """Gradient descent; weights stay at or above 0 and near what is expected of them."""
    names, prior = list(expected), np.array(list(expected.values()))
    facts = np.array([[row.facts.get(name, 0.0) for name in names] for row in rows])
    wrong = np.array([row.wrong for row in rows], float)
    counts = np.where(wrong > 0, WRONG_COUNTS, 1.0)
    counts /= counts.sum()
    weights, bias = prior.copy(), BIAS
    for _ in range(STEPS):
        error = counts * (1 / (1 + np.exp(-(facts @ weights + bias))) - wrong)
        weights = np.maximum(0.0, weights - RATE * (facts.T @ error + SHRINK / 4 * (weights - prior)))
        bias -= RATE / 4 * float(error.sum())
    return Weights(dict(zip(names, map(float, weights), strict=True)), bias)


def fold_of(talk: str) -> int:
    return int(hashlib.md5(talk.encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS


def report(rows: Sequence[Row], scores: Sequence[float], name: str) -> None:
    """How many wrong requests are asked about, and how many right ones."""
    pairs = list(zip(rows, scores, strict=True))
    wrong, right = ([score for row, score in pairs if row.wrong is of] for of in (True, False))
    for bound in (-1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.0):
        caught, asked = (sum(score >= bound for score in some) for some in (wrong, right))
        print(f"{name} from {bound:+.1f}: asked about {caught} of {len(wrong)} wrong, {asked} of {len(right)} right")


def written(weights: Weights) -> str:
    """The table with these weights."""
    text = TABLE.read_text("utf-8")
    for name, weight in weights.facts.items():
        text = re.sub(rf"^(  {name}: {{weight: )[\d.]+", rf"\g<1>{weight:.2f}", text, flags=re.M)
    bound = MARGIN - weights.bias
    return re.sub(r"^ask: .*$", f"ask: {{any: {bound:.2f}, risky: {bound - RISKY:.2f}}}", text, flags=re.M)


def main(
    live: Iterable[Path], service: Iterable[Path], said: Iterable[Path], homes: Sequence[Path], *, write: bool
) -> None:
    """Fits, reports, and writes where it is told to."""
    expected = {name: GRAVE if fact.grave else SLIGHT for name, fact in accounting_table().facts.items()}
    table = plain_table()
    with patch.object(accounting, "accounting_table", lambda: table):
        reader = sentence_reader()
        rows = [row for path in live for row in judged(path, homes, reader)]
        rows += [row for path in service for row in labelled(path, homes, reader)]
        rows += [row for path in said for row in told(path, homes, reader)]
    folds = [fold_of(row.talk) for row in rows]
    apart = [fit([row for row, at in zip(rows, folds, strict=True) if at != fold], expected) for fold in range(FOLDS)]
    report(rows, [apart[at].score(row.facts) for row, at in zip(rows, folds, strict=True)], "unseen")
    weights = fit(rows, expected)
    report(rows, [weights.score(row.facts) for row in rows], "seen")
    for name, weight in sorted(weights.facts.items(), key=lambda pair: -pair[1]):
        holds = [row.wrong for row in rows if row.facts.get(name)]
        print(f"{name:24}{weight:6.2f}   {sum(holds):4} wrong {len(holds) - sum(holds):5} right")
    if write:
        TABLE.write_text(written(weights), "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--live", type=Path, nargs="*", default=())
    parser.add_argument("--service", type=Path, nargs="*", default=())
    parser.add_argument("--said", type=Path, nargs="*", default=())
    parser.add_argument("--homes", type=Path, nargs="+", required=True, help="folders, looked through in order")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    main(given.live, given.service, given.said, given.homes, write=given.write)
