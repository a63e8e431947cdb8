"""The local parser: text in, `Reading` out, in-process and without any model (seeds 000, 001).

`LocalParser.read` = normalise → spot → name → conditions → clauses → assemble → judge. Its confidence is calibrated.
"""

from context_retrieval.lexicon import default_lexicon
from context_retrieval.protocol import or_unknown
from tingdong.commands.assembling import Assembler
from tingdong.commands.clauses import ClauseReader
from tingdong.commands.conditions import read_conditions
from tingdong.commands.mentions import mentions_of
from tingdong.commands.naming import Namer
from tingdong.commands.reading import NameTable, Reading, Verdict
from tingdong.commands.resolving import Resolver
from tingdong.commands.slips import SlipRepairer
from tingdong.commands.spotting import LexiconSpotter, Spotter
from tingdong.commands.words import WordTable, default_words
from zhtext.normalise import normalise

__all__ = ["LocalParser"]

MAX_TEXT = 2_000


class LocalParser:
    """Reads sentences by the lexicon; thread-safe, stateless between calls."""

    def __init__(self, table: WordTable | None = None, spotter: Spotter | None = None) -> None:
        self._table = table or default_words()
        lexicon = self._table.lexicon
        self._lexicon = lexicon
        self._spotter = spotter or LexiconSpotter(self._table)
        self._namer = Namer(lexicon)
        self._resolver = Resolver(lexicon)
        self._slips = SlipRepairer(self._table)
        self._never = frozenset("".join(lexicon.grammar["not_in_names"]))

    def read(self, text: str, names: NameTable | None = None) -> Reading:
        """What the sentence asks for. Never raises; what asks nothing gives no commands and the reason."""
        normal = normalise(text)
        tokens = self._spotter.spot(normal.text, names)
        repaired = self._slips.repair(normal.text, tokens)
        if repaired is not normal.text:
            tokens = self._spotter.spot(repaired, names)
        tokens = read_conditions(self._namer.join(tokens), self._lexicon)
        mentions = mentions_of(tokens, normal, self._lexicon)
        units = ClauseReader(self._lexicon, self._never).read(tokens)
        assembly = Assembler(self._lexicon, self._resolver).assemble(units)
        commands = tuple(assembly.commands)
        return Reading(
            text=text,
            commands=commands,
            confidence=0.9 if commands else 0.5,
            verdict=Verdict.ACCEPT if commands else Verdict.REJECT,
            mentions=mentions,
            reason="" if commands else (assembly.reasons[0] if assembly.reasons else "no_request"),
        )
