"""Words that act on the dialogue without a task of their own: 算了, 先不挂了, 对, 前一个, 停车那个事 (hospital.md,
Segments).

Cues are found clause by clause. The rest of the clause says what a cue is about; the agents it hints at are those whose
`called` words occur.
"""

from __future__ import annotations

from tingdong.front_desk.domain_words import Pointing
from tingdong.front_desk.lexicon import PhraseIndex, any_of
from tingdong.front_desk.model import Cue, CueKind
from tingdong.front_desk.spotting import Spots, Spotter

_EDGE = "他她它佢嗰的了吧呢啊呀哈嘛吗那这个就都也还我你给帮把了，, "

_WITH_WORDS = frozenset({CueKind.CHOICE, CueKind.REPAIR, CueKind.FIRST, CueKind.ABOUT, CueKind.UNDONE})
"""Kinds whose phrases say something only together with the words behind them."""

_BY_VERB = frozenset({CueKind.CANCEL, CueKind.COMPLETE, CueKind.PUT_OFF, CueKind.REFUSE, CueKind.UNDONE})
"""Kinds whose own words hint at agents beside others (停车的不交了); of the rest only where nothing else is said."""
_LONGEST_TWICE = 8
"""Characters of a clause that may be two phrases."""


class CueFinder:
    """The cue phrases of a domain, compiled."""

    def __init__(self, spotter: Spotter) -> None:
        domain = spotter.domain
        self._spotter = spotter
        self._kinds = [rule.kind for rule in domain.markers.cues]
        self._anywhere = PhraseIndex(domain.markers.negators)
        self._whole: dict[str, int] = {}
        whole = PhraseIndex()
        for number, rule in enumerate(domain.markers.cues):
            self._anywhere.add(rule.phrases.lower(), 1 << number)
            self._anywhere.add(rule.starts.lower(), 1 << number + len(domain.markers.cues))
            whole.add(rule.whole.lower(), 1 << number)
        self._anywhere.freeze()
        self._whole = dict(whole.words())
        self._sizes = sorted({len(words) for words in self._whole if len(words) > 1})
        apart = [number for number, kind in enumerate(self._kinds) if kind not in _WITH_WORDS]
        self._closed = sum(1 << number | 1 << number + len(self._kinds) for number in apart)
        self._particles = domain.markers.particles + " "
        self._said_for = str.maketrans(
            {char: said for said, chars in domain.markers.said_for.items() for char in chars}
        )
        self._pointing = domain.pointing
        self._called = {code: spotter.bits(agent.called) for code, agent in domain.agents.items()}

    def find(
        self,
        spots: Spots,
        clauses: list[tuple[int, int]],
        *,
        only: frozenset[CueKind] = frozenset(CueKind),
        but: frozenset[CueKind] = frozenset(),
    ) -> list[Cue]:
        """Cues of the clauses, in order; of phrases of one kind in a clause the longest."""
        wanted = only - but
        found: list[Cue] = []
        for start, end in clauses:
            text = spots.text[start:end].translate(self._said_for)
            best: dict[int, tuple[int, int]] = {}
            said = self._said_whole(text) or self._said_whole(text.rstrip(self._particles))
            for number in range(len(self._kinds)):
                if said >> number & 1:
                    best[number] = 0, len(text)
            for hit in self._anywhere.find(text):
                bits = hit.bits | (hit.bits >> len(self._kinds) if hit.start == 0 else 0)
                for number in range(len(self._kinds)):
                    longest = best.get(number, (0, 0))
                    if bits >> number & 1 and hit.end - hit.start > longest[1] - longest[0]:
                        best[number] = hit.start, hit.end
            kinds = [(self._kinds[number], best[number]) for number in sorted(best)]
            found.extend(
                self.cue(spots, kind, (start, end), at)
                for kind, at in kinds
                if kind in wanted and not (kind is CueKind.COMPLETE and awaits(self._pointing, text, at[0]))
            )
        return found

    def ends(self, spots: Spots, start: int, end: int) -> set[int]:
        """Where the longest cue that begins a clause ends, with its particle, if anything stands behind it."""
        text = spots.text[start:end].translate(self._said_for)
        ends = {hit.end for hit in self._anywhere.find(text) if hit.start == 0 and hit.bits & self._closed}
        ends |= {size for size in self._sizes if size <= len(text) and text[:size] in self._whole}
        ends |= {at + 1 for at in ends if text[at : at + 1] and text[at] in self._particles}
        longest = max(ends, default=0)
        return {start + longest} if 0 < longest < len(text) else set()

    def _said_whole(self, text: str) -> int:
        """The cues that a clause is, and nothing else: one phrase, or two of a kind (是的没错)."""
        said = self._whole.get(text, 0)
        if said or len(text) > _LONGEST_TWICE:
            return said
        for at in range(1, len(text)):
            said |= self._whole.get(text[:at], 0) & self._whole.get(text[at:], 0)
        return said

    def cue(self, spots: Spots, kind: CueKind, clause: tuple[int, int], at: tuple[int, int]) -> Cue:
        """A clause as a cue, whose phrase stands `at` a place of the clause."""
        start, end = clause
        before, after = (start, start + at[0]), (start + at[1], end)
        about = (spots.text[slice(*before)] + spots.text[slice(*after)]).strip(_EDGE)
        agents = self._hinted(spots.mask(*before) | spots.mask(*after))
        if not agents and (not about or kind in _BY_VERB):
            agents = self._hinted(spots.mask(start, end))
        begin, finish = spots.normalised.original_span(start, end)
        return Cue(kind, spots.normalised.text[start:end], begin, finish, about, agents)

    def _hinted(self, mask: int) -> tuple[str, ...]:
        """Agents whose `called` signals stand in some words; those with most of them only."""
        counts = {code: (mask & bits).bit_count() for code, bits in self._called.items() if mask & bits}
        most = max(counts.values(), default=0)
        return tuple(code for code, count in counts.items() if count == most)


def awaits(pointing: Pointing, text: str, start: int) -> bool:
    """Whether what seems done from a place of a clause on is when something is asked for (交完了给我开发票), and nobody
    says that it is so already."""
    once = any_of(pointing.once).search(text, start)
    return once is not None and not any_of(pointing.already).search(text, 0, once.start())


def kinds_of(cues: list[Cue]) -> set[CueKind]:
    """The kinds among some cues."""
    return {cue.kind for cue in cues}
