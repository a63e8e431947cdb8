"""Scorer of command arrays (commands.md): the whole ordered array must match.

Equal durations compare equal (60分钟后 = 1小时后; commands.md, ACTION). `accept` lists other arrays that are right.
"""

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from context_retrieval.protocol import or_unknown
from tingdong.commands.reading import Reading, Verdict
from tingdong.evaluate.corpus import Case
from tingdong.evaluate.score import ScoredItem

__all__ = ["CommandScorer", "Read", "canonical", "score_case"]

Read = Callable[[str], Reading]

_DURATION = re.compile(r"@(\d+)(秒|分钟|小时)后")
_SECONDS = {"秒": 1, "分钟": 60, "小时": 3600}


class CommandScorer:
    """Scores the reader that is shipped, and others beside it: `reads` by name, the shipped one first."""

    def __init__(self, reads: Mapping[str, Read]) -> None:
        self._reads = reads
        self._decided: list[tuple[bool, bool]] = []

    def score(self, case: Case) -> Sequence[ScoredItem]:
        """The outcome of one case, with those of the other readers."""
        (_, first), *others = self._reads.items()
        said: list[Reading] = []

        def heard(text: str) -> Reading:
            said.append(first(text))
            return said[-1]

        outcome = score_case(case, heard)
        self._decided.append((said[-1].verdict is not Verdict.ABSTAIN, outcome.right))
        if not others:
            return [outcome]
        beside = {name: score_case(case, read) for name, read in others}
        return [msgspec.structs.replace(outcome, beside=beside)]

    def figures(self) -> dict[str, float]:
        """Share decided (accepted or rejected), and the share right of it."""
        decided = [right for sure, right in self._decided if sure]
        if not decided:
            return {}
        return {"decided (accepted or rejected)": len(decided) / len(self._decided),
                "right of what is decided": sum(decided) / len(decided)}  # fmt: skip


def canonical(command: str) -> str:
    """The command with its duration in seconds, so that equal durations are equal text."""
    return _DURATION.sub(lambda found: f"@{int(found[1]) * _SECONDS[found[2]]}秒后", command)


def score_case(case: Case, read: Read) -> ScoredItem:
    """Read one sentence and compare its array with the gold array and the accepted ones."""
    text = case.raw["text"]
    reading = read(text)
    got = [str(command) for command in or_unknown(reading.commands)]
    golds: Sequence[Sequence[str]] = [case.raw["gold"], *case.raw.get("accept", ())]
    plain = [canonical(command) for command in got]
    right = any(plain == [canonical(command) for command in gold] for gold in golds)
    return ScoredItem(
        id=case.id,
        tag=case.tag,
        right=right,
        text=text,
        expected=case.raw["gold"],
        got=got,
        wrong=() if right else _differences(plain, [canonical(command) for command in golds[0]]),
        confidence=reading.confidence,
        accepted=reading.verdict is Verdict.ACCEPT,
    )


def _differences(got: Sequence[str], gold: Sequence[str]) -> tuple[str, ...]:
    """Which parts of the array differ: its length, or the ACTION, SCOPE or TARGET of a command."""
    if len(got) != len(gold):
        return ("count",)
    parts = ("action", "scope", "target")
    wrong = {
        part
        for one, other in zip(got, gold, strict=True)
        for part, mine, theirs in zip(parts, one.split("-", 2), other.split("-", 2), strict=False)
        if mine != theirs
    }
    return tuple(part for part in parts if part in wrong)
