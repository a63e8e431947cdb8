"""Dialogues at the front desk played again, with errors carrying on and turn by turn; the failures by kind.

    python -m bench.desk live_dev.jsonl tests/corpus/hospital_dialogues.jsonl [--show] [--directory FILE]

A set of labelled dialogues (`.jsonl`) is scored as `tingdong eval` does it; one with labelled stretches (`.txt`) by
what each stretch is read as. Turn by turn, what is open before a turn is what the labels of the turns before it say: a
wrong turn then costs itself only. The table counts the scored fields that are wrong (docs/evaluation.md), the confusion
what segments were taken for.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from bench.turn_examples import NOW, examples_of
from tingdong.bootstrap import hospital_desk
from tingdong.evaluate.corpus import Case, load
from tingdong.evaluate.hospital import DEFAULT_NOW, HospitalScorer
from tingdong.evaluate.score import ScoredItem, calibrate
from tingdong.front_desk.board import Board
from tingdong.front_desk.desk import DEMO_DIRECTORY
from tingdong.front_desk.directory import Directory
from tingdong.front_desk.directory import load as load_directory
from tingdong.front_desk.domain import Domain, default
from tingdong.front_desk.model import IntentContext, PendingClarify, Segment, Status, TaskFrame, TurnType
from tingdong.front_desk.read import DeskReader, shipped_models
from tingdong.front_desk.router import Router
from tingdong.front_desk.spoken import BACKGROUND, dialogues
from tingdong.front_desk.wire import turn_as_json
from tingdong.learned.chain import BEGINS, class_of

CLARIFY = "clarify"
SURE = 0.9


def restored(context: IntentContext, gold: Mapping[str, Any], domain: Domain) -> IntentContext:
    """The context as the labels of a turn have it: their frames, with what is known of those that stand there."""
    if "focus" not in gold or gold.get("queued") is None:
        return context
    left = [frame for frame in context.frames if frame.status in (Status.ACTIVE, Status.PENDING)]
    board = Board(msgspec.structs.replace(context, frames=()), domain)
    board._created = max((int(frame.frame_id[1:]) for frame in context.frames), default=0)

    def frame_of(agent: str) -> TaskFrame:
        known = next((frame for frame in left if frame.agent_code == agent), None)
        if known is not None:
            left.remove(known)
            return board.put(known)
        made = board.create(Segment("", 0, 0, agent), TurnType.NEW_REQUEST)
        return board.merge(made, (gold.get("slots") or {}).get(agent, {}), TurnType.NEW_REQUEST)

    for agent in gold["queued"]:
        board.queue(frame_of(agent))
    for agent in filter(None, (gold.get("admin_focus"), gold["focus"])):
        board.take_focus(frame_of(agent), keep_former=True)
    asked = next((op["target"] for op in gold.get("ops") or () if op["op"] == CLARIFY), "")
    rivals = [board.contest(frame_of(agent)) for agent in asked.split("|") if agent]
    clarify = PendingClarify(tuple(frame.frame_id for frame in rivals), domain.limits.clarify_turns) if rivals else None
    if not asked and context.clarify is not None and gold["focus"] is None and gold.get("ops") == []:
        return context
    focus = board.leading_focus()
    return msgspec.structs.replace(
        context, frames=board.result(), clarify=clarify, medical_focus_id=focus.frame_id if focus else None
    )


def played(router: Router, case: Case, *, one_by_one: bool) -> Iterator[dict[str, Any]]:
    """Every turn of a dialogue as JSON."""
    now = datetime.fromisoformat(case.raw.get("now", DEFAULT_NOW))
    context = IntentContext()
    for gold in case.raw.get("turns", [case.raw]):
        turn = router.turn(context, gold["text"], now=now)
        context = restored(turn.context, gold, router.domain) if one_by_one else turn.context
        yield turn_as_json(turn)


Taken = Counter[tuple[str, str]]
Sure = list[tuple[float, bool]]


def answered(answers: Sequence[dict[str, Any]], _now: str, _turns: object) -> Sequence[dict[str, Any]]:
    """Answers that are known already, as a scorer asks for them."""
    return answers


def scored(router: Router, cases: Sequence[Case], *, one_by_one: bool) -> tuple[list[ScoredItem], Taken, Sure]:
    """The outcomes of every turn, what segments were taken for, and how sure of it the desk was."""
    outcomes: list[ScoredItem] = []
    taken: Counter[tuple[str, str]] = Counter()
    sure: list[tuple[float, bool]] = []
    for case in cases:
        answers = list(played(router, case, one_by_one=one_by_one))
        found = HospitalScorer(partial(answered, answers)).score(case)
        outcomes += found
        for gold, answer, outcome in zip(case.raw.get("turns", [case.raw]), answers, found, strict=True):
            told = [one["agent"] for one in gold.get("segments") or ()]
            got = [one["agent_code"] for one in answer["segments"]]
            right = "segments" not in outcome.wrong
            sure += [(one["confidence"], right) for one in answer["segments"] if one["agent_code"] != "unknown"]
            if len(told) == len(got):
                taken.update(pair for pair in zip(told, got, strict=True) if pair[0] != pair[1])
            elif not right:
                taken[f"{len(told)} segments", f"{len(got)}"] += 1
    return outcomes, taken, sure


def kinds(labels: Sequence[tuple[str, bool]]) -> list[str]:
    """What a turn says, in order: every task, every act, and once what is told of open ones; no background."""
    found: list[str] = []
    for label, begins in labels:
        if label != BACKGROUND and (begins or found[-1:] != [label]):
            found.append(label)
    return found


def readings(path: Path, people: Directory) -> tuple[int, int, Taken, Sure]:
    """Of dialogues with labelled stretches, led by their labels: the turns read right, all turns, what stretches were
    taken for, and how sure of it the desk was."""
    shipped = default()
    models = shipped_models(shipped)
    makes = examples_of(shipped, people, models.classes, models.borders)
    reader = DeskReader(shipped, people, models)
    right = turns = 0
    taken: Counter[tuple[str, str]] = Counter()
    sure: list[tuple[float, bool]] = []
    for said in dialogues(path):
        for turn, (context, (_, labels)) in zip(said, makes.led(said), strict=True):
            judged = reader.judged(context, turn.text, now=NOW)
            told = kinds([(one.label, one.label in shipped.agents) for one in turn.stretches])
            got = kinds([(one.kind, one.label.startswith(BEGINS)) for one in judged])
            turns += 1
            right += told == got
            if len(judged) != len(labels):  # heard otherwise than written: its stretches have no labels
                continue
            for one, label in zip(judged, labels, strict=True):
                sure.append((one.chances[one.kind], one.kind == class_of(label)))
                if one.kind != class_of(label):
                    taken[class_of(label), one.kind] += 1
    return right, turns, taken, sure


def main(files: Sequence[Path], directory: Path | None, *, show: bool) -> None:
    """Prints both figures of every file, and how they come about."""
    router = hospital_desk(directory).router
    for path in files:
        if path.suffix == ".txt":
            right, turns, taken, sure = readings(path, load_directory(directory or DEMO_DIRECTORY))
            print(f"{path.stem:24} {'read right':12} {right:4} of {turns:4}  {right / turns:6.1%}")
            tell(taken, sure)
            continue
        cases = load(path)
        for one_by_one in (False, True):
            outcomes, taken, sure = scored(router, cases, one_by_one=one_by_one)
            right = sum(outcome.right for outcome in outcomes)
            wrong = Counter(field for outcome in outcomes for field in outcome.wrong)
            share = f"{right:4} of {len(outcomes):4}  {right / len(outcomes):6.1%}"
            how = "one by one" if one_by_one else "carrying on"
            print(f"{path.stem:24} {how:12} {share}  {dict(wrong.most_common())}")
        tell(taken, sure)
        if show:
            for outcome in outcomes:
                if not outcome.right:
                    print(f"  {outcome.id} {outcome.text} {outcome.wrong}")
                    print(f"      want {outcome.expected}\n      got  {outcome.got}")


def tell(taken: Counter[tuple[str, str]], sure: Sequence[tuple[float, bool]]) -> None:
    """Prints how sure the desk was, and what was taken for what."""
    certain = [good for chance, good in sure if chance >= SURE]
    error = calibrate(sure).error
    print(f"  calibration error {error:.3f}; from {SURE} on {sum(certain)} of {len(certain)} right")
    print("  taken for: " + ", ".join(f"{a}→{b} {n}" for (a, b), n in taken.most_common(12)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--directory", type=Path)
    parser.add_argument("--show", action="store_true", help="List the turns that are wrong, one by one.")
    given = parser.parse_args()
    main(given.files, given.directory, show=given.show)
