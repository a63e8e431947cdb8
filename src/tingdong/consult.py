"""When a home turn asks a language model, and for what (service.md, Scene; architecture, One request).

Nothing is asked if the local tier is sure or the dialogue settles the turn. Otherwise the chain of reading tiers runs;
if they find no command and the sentence is a question, the open question is answered (retrieval.md, YAML). An answer is
text, never an instruct (law 2).
"""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from tingdong.answering.model import Answer, OpenQuestion
from tingdong.commands.reading import MentionKind, NameTable, Reading, Verdict
from tingdong.errors import BackendTimeout
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import ReplyKind
from tingdong.home_dialogue.outcome import NO_REQUEST, Outcome
from tingdong.home_dialogue.page import Page
from tingdong.home_dialogue.situation import Circumstances, Situation
from tingdong.llm import Budget, LanguageTier, TierChain, TierReport, measured

__all__ = ["Advice", "Consultation", "HomeAnswerer", "HomeReader", "OpenHomeTurn", "is_open", "is_unsure"]

SURE = 0.5
"""A local reading below this confidence is put to the language model, when there is one."""

_OF_HOME = frozenset(
    {
        MentionKind.ROOM,
        MentionKind.WHOLE_HOME,
        MentionKind.HERE,
        MentionKind.DEVICE,
        MentionKind.NAME,
        MentionKind.SCENE,
    }
)
_NOT_UNDERSTOOD = frozenset({NO_REQUEST.rule, "unclear"})
_FROM_CONTEXT = frozenset({"addressee", "answered", "corrected", "dropped", "inferred", "inquired", "wished"})


class HomeReader(Protocol):
    """A reading tier that asks a language model; it abstains rather than raise."""

    async def read(self, local: Reading, budget: Budget, names: NameTable | None = None) -> Reading:
        """A better reading of the sentence, or the local one, within the budget."""


class HomeAnswerer(Protocol):
    """Answers open questions about a home in words; it abstains rather than raise."""

    async def answer(self, question: OpenQuestion, budget: Budget) -> Answer:
        """The answer in words, within the budget; one that says nothing where it abstains."""


class OpenHomeTurn(msgspec.Struct, frozen=True):
    """A turn that the local tier left open: its home, and the dialogue's outcome for the local reading."""

    reading: Reading
    outcome: Outcome
    home: HomeSnapshot
    page: Page
    scene: Circumstances
    tenant: str = ""


class Advice(msgspec.Struct, frozen=True):
    """The models' result: the final reading, or a `text` that answers the turn; and the report of each tier."""

    reading: Reading
    reports: tuple[TierReport, ...]
    text: str = ""


def is_open(reading: Reading, outcome: Outcome) -> bool:
    """Whether a language model is worth asking: the local tier is unsure, and the dialogue did not settle it either;
    or it is sure that the sentence is no request, but it speaks of the home."""
    if _is_settled(outcome):
        return False
    if reading.verdict is Verdict.REJECT:
        return outcome.rule in _NOT_UNDERSTOOD and speaks_of_home(reading)
    return is_unsure(reading)


def is_unsure(reading: Reading) -> bool:
    """Whether a tier found nothing or is unsure."""
    return reading.verdict is Verdict.ABSTAIN or (bool(reading.commands) and reading.confidence < SURE)


def _is_settled(outcome: Outcome) -> bool:
    """Whether the dialogue resolved the turn from its context."""
    return outcome.rule in _FROM_CONTEXT or outcome.rule.startswith("timer")


def speaks_of_home(reading: Reading) -> bool:
    """Whether the words name something of a home."""
    return any(mention.kind in _OF_HOME for mention in reading.mentions)


class Consultation:
    """The language models of home turns. `close` ends background work."""

    def __init__(
        self, chain: TierChain[Reading], readers: Sequence[HomeReader], *, answerer: HomeAnswerer | None = None
    ) -> None:
        self.chain = chain
        self._readers = tuple(readers)
        self._answerer = answerer

    async def advise(self, turn: OpenHomeTurn) -> Advice:
        """What the models make of an open turn.

        Raises `BackendTimeout` when the last one asked is late and there is no local answer either (service.md: 504).
        """
        names = turn.home.shape.names
        # What the local tier knows to be no request is not read again, unless the models lead; it may be a question.
        read = turn.reading.verdict is not Verdict.REJECT or self.chain.leads(turn.tenant)
        tiers = self._tiers(names) if read else []
        result = await self.chain.ask(turn.reading, tiers, tenant=turn.tenant)
        if result.answer.verdict is Verdict.ACCEPT and result.answer is not turn.reading:
            return Advice(result.answer, result.reports)
        if result.budget is None:
            return Advice(turn.reading, result.reports)
        if result.failed_with(BackendTimeout.code) and _says_nothing(turn):
            raise BackendTimeout("the language model did not answer in time")
        if self._answerer is None or not _is_question(turn, result.reports):
            return Advice(result.answer, result.reports)
        return await self._answered(turn, result.reports, result.budget)

    def asks(self, reading: Reading, outcome: Outcome, tenant: str = "") -> bool:
        """Whether the models are asked about a turn: where it is open (`is_open`), or where they lead and the dialogue
        did not settle it by what was said before."""
        return is_open(reading, outcome) or (self.chain.leads(tenant) and not _is_settled(outcome))

    async def read(self, local: Reading, names: NameTable | None = None, *, tenant: str = "") -> Reading:
        """What stands of one sentence outside a dialogue: the local reading, or a model's where the local one is unsure
        or the models lead. Asks nobody for a tenant on another path; never raises for a backend's sake."""
        if local.verdict is not Verdict.ABSTAIN and not self.chain.leads(tenant):
            return local
        return (await self.chain.ask(local, self._tiers(names), tenant=tenant)).answer

    def _tiers(self, names: NameTable | None) -> list[LanguageTier[Reading]]:
        return [_bound(reader, names) for reader in self._readers]

    async def _answered(self, turn: OpenHomeTurn, reports: tuple[TierReport, ...], budget: Budget) -> Advice:
        assert self._answerer is not None
        question = OpenQuestion(turn.reading, turn.home, turn.scene.local)
        answer, report = await measured(self._answerer.answer(question, budget), budget)
        self.chain.told(report)
        return Advice(turn.reading, (*reports, report), answer.text)

    async def close(self) -> None:
        """Closes the connections to models."""
        await self.chain.close()


def _bound(reader: HomeReader, names: NameTable | None) -> LanguageTier[Reading]:
    """The reader as a tier of this turn, with the home's names to look for."""

    async def tier(local: Reading, budget: Budget) -> Reading:
        return await reader.read(local, budget, names)

    return tier


def _says_nothing(turn: OpenHomeTurn) -> bool:
    """Whether the local tier has no answer, not even a question."""
    return not turn.reading.commands and turn.outcome.kind is ReplyKind.NONE


def _is_question(turn: OpenHomeTurn, reports: Sequence[TierReport]) -> bool:
    """Whether the turn asks something and the reading tiers, if any, are sure that it is no command."""
    if len(reports) > 1 and reports[-1].verdict != Verdict.REJECT:
        return False
    if not all(command.action.verb.startswith("查询") for command in turn.reading.commands):
        return False
    return Situation(turn.page, turn.reading, turn.home, turn.scene).asks
