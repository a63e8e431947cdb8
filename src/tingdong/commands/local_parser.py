"""The local parser: text in, `Reading` out, in-process and without a model (commands.md).

`LocalParser.read` = normalise → spot → name → conditions → clauses → assemble → judge. A sentence that it is
unsure of, or cannot explain completely, is corrected (`tingdong.hearing`) and read again. Its confidence is calibrated.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from context_retrieval.models import Command
from tingdong.commands.assembling import Assembler, Assembly
from tingdong.commands.clauses import ClauseReader
from tingdong.commands.confidence import ConfidenceModel, default_model, features
from tingdong.commands.fixed_phrases import settle_phrases
from tingdong.commands.frames import Frames
from tingdong.commands.grounding import turns_round
from tingdong.commands.listening import HomeListener, explains_all, in_doubt
from tingdong.commands.mentions import mentions_of
from tingdong.commands.name_parts import name_counted_off
from tingdong.commands.preparing import Prepared, PreparedSentences, Preparer
from tingdong.commands.reading import TOO_LONG, Mention, NameTable, Perhaps, Reading, Verdict
from tingdong.commands.resolving import Resolver
from tingdong.commands.said_of import SaidOfThings
from tingdong.commands.spotting import Token
from tingdong.commands.vetoes import Effect, Shown, Vetoes, default_vetoes
from tingdong.commands.words import WordTable, default_words
from tingdong.hearing import Heard
from tingdong.hearing.guards import refuses
from zhtext.normalise import Normalised, normalise

__all__ = ["LocalParser"]

MAX_TEXT = 2_000
MOST, MOST_CLAUSES = 32, 64
"""Requests of a text, and clauses that act. Of more none is read: what the end takes back must not be lost."""
_SHORT_OF = 0.01
"""So far below the threshold is what is doubted."""


_REASONS = (
    TOO_LONG, "when_not_expressible", "not_addressed", "cancelled", "negated", "other_domain", "happened", "no_target",
    "no_request",
)  # fmt: skip
"""Reason codes of a reading without commands, the most telling first."""


class Draft(NamedTuple):
    """A reading before any veto, what its sentence shows that no reading of it may lose, and the sentence as it was
    prepared (None where it is not read)."""

    reading: Reading
    shown: Shown
    said: Prepared | None = None


class _Understood(msgspec.Struct):
    said: Prepared
    mentions: tuple[Mention, ...]
    assembly: Assembly
    values: tuple[float, ...]
    tokens: list[Token]
    shown: Shown


class LocalParser:
    """Reads sentences by the lexicon; thread-safe, stateless between calls."""

    def __init__(
        self,
        table: WordTable | None = None,
        *,
        model: ConfidenceModel | None = None,
        vetoes: Vetoes | None = None,
    ) -> None:
        self._table = table or default_words()
        lexicon = self._table.lexicon
        self._lexicon = lexicon
        self._preparer = Preparer(self._table)
        self._resolver = Resolver(lexicon)
        self._model = model or default_model()
        self._listener = HomeListener(lexicon)
        self._frames = Frames(lexicon)
        self._said_of = SaidOfThings(lexicon)
        self._vetoes = vetoes or default_vetoes()
        self._never = frozenset("".join(lexicon.grammar["not_in_names"]))

    def read(self, text: str, names: NameTable | None = None, alternatives: Sequence[str] = ()) -> Reading:
        """What the sentence asks for. Never raises; what asks nothing gives no commands and the reason.

        `alternatives` are what else a recogniser offers, the best first (docs/hearing.md, Alternatives).
        """
        draft = self.draft(text, names, alternatives)
        return self.vetoed(draft.reading, draft.shown)

    def vetoed(self, reading: Reading, shown: Shown) -> Reading:
        """A draft without what the sentence shows to be wrong."""
        veto = shown.veto(reading.commands)
        if veto is None:
            return reading
        return msgspec.structs.replace(
            reading,
            commands=() if veto.effect is Effect.ABSTAIN else reading.commands,
            confidence=min(reading.confidence, round(self._model.threshold - _SHORT_OF, 4)),
            verdict=Verdict.ABSTAIN,
            reason=veto.reason,
        )

    def draft(self, text: str, names: NameTable | None = None, alternatives: Sequence[str] = ()) -> Draft:
        """The reading before any veto, and what the sentence shows that no reading of it may lose."""
        normal = normalise(text)
        if len(normal.text) > MAX_TEXT or not normal.text:
            reason = TOO_LONG if normal.text else "empty"
            return Draft(Reading(text, verdict=Verdict.REJECT, reason=reason, confidence=1.0), Shown())
        turn = PreparedSentences(self._preparer, names)
        found = self._understand(turn.prepared(normal), names)
        reading = self._judged(text, found)
        draft = Draft(reading, found.shown, found.said)
        if self._is_explained(normal.text, reading) and self._listener.is_usual(normal.text, names):
            return draft
        return self._listened(normal.text, turn, draft, alternatives)

    def _listened(self, text: str, turn: PreparedSentences, draft: Draft, alternatives: Sequence[str]) -> Draft:
        """The same of what was probably said, by an alternative where one is more probable."""
        names, spot = turn.names, turn.spotted
        offered = self._listener.hear_offered(text, alternatives, names, spot) if alternatives else None
        other = self._as_heard(offered, turn, draft) if offered is not None else draft
        if other.reading.text != draft.reading.text:
            return other
        first = self._as_heard(self._listener.hear(text, names, spot), turn, draft)
        heard, perhaps = first.reading, other.reading.perhaps
        if not perhaps or _only_asks(heard) or heard.commands == perhaps[0].commands:
            return first
        if not heard.repaired or not heard.commands:
            return other
        told = self._held(heard, perhaps[0])
        return first._replace(reading=msgspec.structs.replace(told, heard=offered))

    def _as_heard(self, heard: Heard, turn: PreparedSentences, draft: Draft) -> Draft:
        """The reading of what was heard. What is in doubt is only told, but for a question: an answer does no harm."""
        if heard.changes:
            repaired = self._anew(heard.text, turn, verbatim=heard.verbatim)
            if turns_round(draft.reading, repaired.reading):
                heard = in_doubt(heard)
            else:
                draft = repaired
        reading = self._tossed_up(draft.reading, heard, turn)
        if not heard.asks:
            told = bool(heard.changes or reading.perhaps)
            return draft._replace(reading=msgspec.structs.replace(reading, heard=heard)) if told else draft
        asked = self._anew(heard.asks, turn)
        other = asked.reading
        if _only_asks(other):
            return asked._replace(reading=msgspec.structs.replace(other, heard=heard))
        if other.commands and other.commands != reading.commands and asked.shown.veto(other.commands) is None:
            reading = msgspec.structs.replace(reading, perhaps=(Perhaps(heard.asks, other.commands),))
        elif other.commands != reading.commands:
            reading = self._held(reading)
        return draft._replace(reading=msgspec.structs.replace(reading, heard=heard))

    def _tossed_up(self, reading: Reading, heard: Heard, turn: PreparedSentences) -> Reading:
        """The reading; without commands where a text that is nearly as probable would do something else, or where one
        asks or refuses. What asks for nothing was perhaps one that does."""
        if _only_asks(reading):
            return reading
        for rival in heard.rivals:
            other, its, _ = self._anew(rival, turn)
            if refuses(rival, reading.text) and (not other.commands or _only_asks(other)):
                return self._held(reading)
            less = other.verdict is not Verdict.ACCEPT and reading.verdict is Verdict.ACCEPT
            if other.commands and other.commands != reading.commands and not less and its.veto(other.commands) is None:
                return self._held(reading, Perhaps(rival, other.commands))
        return reading

    def _held(self, reading: Reading, *others: Perhaps) -> Reading:
        """The reading, of which nothing stands: it was perhaps said, or one of the others."""
        unsure = min(reading.confidence, round(self._model.threshold - _SHORT_OF, 4))
        perhaps = (*((Perhaps(reading.text, reading.commands),) if reading.commands else ()), *others)
        return msgspec.structs.replace(
            reading, commands=(), confidence=unsure, verdict=Verdict.ABSTAIN, reason="unsure", perhaps=perhaps
        )

    def _anew(self, text: str, turn: PreparedSentences, *, verbatim: bool = False) -> Draft:
        """The reading of a text that is not the first one heard. A recogniser offers what it takes `verbatim`; where
        names are known what was understood is what was said."""
        repaired = not verbatim and turn.names is None
        found = self._understand(turn.prepared(Normalised(text)), turn.names, repaired=repaired)
        return Draft(self._judged(text, found), found.shown, found.said)

    def _is_explained(self, text: str, reading: Reading) -> bool:
        """Whether there is nothing to hear anew: it is sure of commands that explain every character."""
        return bool(reading.commands) and reading.verdict is Verdict.ACCEPT and explains_all(text, reading.mentions)

    def _judged(self, text: str, found: "_Understood") -> Reading:
        commands = tuple(found.assembly.commands)
        over = TOO_LONG in found.assembly.reasons
        confidence = 1.0 if over else round(self._model.probability(found.values), 4)
        sure = confidence >= self._model.threshold
        verdict = (Verdict.ACCEPT if commands else Verdict.REJECT) if sure else Verdict.ABSTAIN
        return Reading(
            text=text,
            commands=commands,
            confidence=confidence,
            verdict=verdict,
            reason=_reason(found.assembly, sure=sure),
            mentions=found.mentions,
        )

    def judge(self, text: str) -> tuple[tuple[Command, ...], tuple[float, ...]]:
        """The commands and the facts their confidence is computed from (see `confidence.FEATURES`)."""
        turn = PreparedSentences(self._preparer, None)
        heard = self._listener.hear(normalise(text).text, None, turn.spotted)
        found = self._understand(turn.prepared(Normalised(heard.text)), None, repaired=bool(heard.changes))
        return tuple(found.assembly.commands), found.values

    def tokens(self, text: str) -> list[Token]:
        """The typed tokens the sentence is read by."""
        return self._understand(PreparedSentences(self._preparer, None).prepared(normalise(text)), None).tokens

    def _understand(self, said: Prepared, names: NameTable | None, *, repaired: bool = False) -> _Understood:
        tokens = self._said_of.settle(said.words())
        if names is None:
            name_counted_off(tokens)
        mentions = mentions_of(tokens, said.normal, self._lexicon)
        shown = self._vetoes.shown(tokens)
        units = ClauseReader(self._lexicon, self._never, self._frames).read(settle_phrases(tokens))
        acting = [unit for unit in units if unit.acts or unit.negated]
        assembly = Assembler(self._lexicon, self._resolver).assemble(units if len(acting) <= MOST_CLAUSES else [])
        if len(acting) > MOST_CLAUSES or len(assembly.commands) > MOST:
            assembly.commands.clear()
            assembly.reasons.append(TOO_LONG)
        values = features(tokens, units, assembly, model=self._model, repaired=repaired)
        return _Understood(said, mentions, assembly, values, tokens, shown)


def _only_asks(reading: Reading) -> bool:
    """Whether it is a question and nothing else."""
    return bool(reading.commands) and all(command.action.verb.startswith("查询") for command in reading.commands)


def _reason(assembly: Assembly, *, sure: bool) -> str:
    if assembly.commands:
        return "" if sure else "unsure"
    return next((r for r in _REASONS if r in assembly.reasons), "no_request")
