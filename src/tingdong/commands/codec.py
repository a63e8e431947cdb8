"""The consumer of command arrays: strict, degrading, observable (commands.md, Consumer).

The grammar itself is `context_retrieval.protocol`; here is what a consumer adds: the switch to bare three-part
strings in both directions, the single-command fallback, and the log and counters of what was wrong.
"""

import logging
from collections import Counter
from collections.abc import Sequence

import msgspec

from context_retrieval.models import Command, Quantifier
from context_retrieval.protocol import Decoded, Issue, IssueCode, Remedy, decode, decode_command, encode, or_unknown

__all__ = [
    "CommandConsumer",
    "ConsumerStatistics",
    "Decoded",
    "Issue",
    "IssueCode",
    "Remedy",
    "decode",
    "decode_command",
    "encode",
    "encode_legacy",
    "or_unknown",
]

_log = logging.getLogger(__name__)


def encode_legacy(commands: Sequence[Command]) -> list[str]:
    """Bare `ACTION-SCOPE-NAME` strings for a consumer that knows no slots (commands.md, Consumer).

    Such a consumer would carry out a deferred, excluding or counted command at once and in full, so those are left out;
    nothing left gives the bare UNKNOWN string.
    """
    safe = [command for command in commands if _fits_three_parts(command)]
    return [f"{command.action}-{command.scope}-{command.target.name}" for command in or_unknown(safe)]


def _fits_three_parts(command: Command) -> bool:
    target = command.target
    narrowed = target.excluded or target.count is not None or target.quantifier is Quantifier.ANY
    return command.action.when is None and not narrowed


class ConsumerStatistics(msgspec.Struct):
    """Counts since start: answers read, answers that fell back to UNKNOWN, issues by code."""

    answers: int = 0
    unknown: int = 0
    issues: Counter[str] = msgspec.field(default_factory=Counter)

    @property
    def unknown_share(self) -> float:
        """Share of answers that gave only UNKNOWN, 0..1 (commands.md, Consumer)."""
        return self.unknown / self.answers if self.answers else 0.0


class CommandConsumer:
    """Reads model answers, logs the raw text with every reason, and counts failures.

    `first_only` hands on only the first command; `legacy` accepts bare three-part strings.
    """

    def __init__(self, *, first_only: bool = False, legacy: bool = False) -> None:
        self._first_only = first_only
        self._legacy = legacy
        self.statistics: ConsumerStatistics = ConsumerStatistics()

    def read(self, answer: str) -> Decoded:
        """The commands of one answer; never raises, never empty."""
        decoded = decode(answer, first_only=self._first_only, legacy=self._legacy)
        statistics = self.statistics
        statistics.answers += 1
        statistics.unknown += decoded.commands[0].is_unknown
        for issue in decoded.issues:
            statistics.issues[issue.code.value] += 1
        if decoded.issues:
            reasons = ",".join(f"{issue.code}:{issue.remedy}" for issue in decoded.issues)
            _log.debug("model answer %r: %s", answer[:2000], reasons)
            _log.warning("model answer had %d issue(s): %s", len(decoded.issues), reasons)
        return decoded
