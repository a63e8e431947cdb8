"""From labelled sentences to what training reads: varied sentences, their inputs, their slots and their mood.

Beside a sentence is kept why it asks for nothing. Fixed seeds: the same sentences give the same examples.
"""

import random
from collections.abc import Callable, Sequence
from itertools import accumulate
from multiprocessing import get_context

import msgspec

from tingdong.commands.reading import NameTable
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from tingdong.reader.inputs import LONGEST, columns
from tingdong.reader.slots import Alphabet, Slot, mood_of
from tingdong.reader.spots import SentenceSpotter
from tingdong.reader.training.framing import Framer
from tingdong.reader.training.requests import amended, elsewhere, excepted, listed, moded, request
from tingdong.reader.training.samples import Sample, phrases
from tingdong.reader.training.swapping import Swapper
from tingdong.reader.writing import SlotWriter

__all__ = ["TrainingExample", "Unasked", "Varier", "example", "generate"]

_ENDINGS = "。！？!?.，, ~吧啊呗哈"
HIDDEN = 0.08
"""Share of known words that training hides, in the sentences where it hides any."""
_HIDABLE = frozenset((Kind.ROOM, Kind.DEVICE, Kind.VERB, Kind.WEAK, Kind.VALUE, Kind.NOUN, Kind.MORE, Kind.STATUS,
                      Kind.REQUEST, Kind.CLAUSE_SIGN, Kind.SENTENCE_SIGN, Kind.DOMAIN, Kind.EVENT, Kind.KEEP,
                      Kind.STATE, Kind.PARTICLE))  # fmt: skip

_WORDED = {"amended": amended, "excepted": excepted, "listed": listed, "moded": moded, "elsewhere": elsewhere}
_SHARES = {"empty": 0.06, "urged": 0.02, "contrasted": 0.02, "timed": 0.025, "corrected": 0.01, "amended": 0.02,
           "plain": 0.02, "excepted": 0.03, "listed": 0.03, "joined": 0.14, "moded": 0.025,
           "elsewhere": 0.03}  # fmt: skip
"""Shares of the sentences that are not one labelled sentence varied."""
_MADE = tuple(zip(_SHARES, accumulate(_SHARES.values()), strict=True))
STUTTERED = 0.015


class Unasked(Sample, frozen=True):
    """A sentence that asks for nothing, and why (`slots.NOTHING`; "" where that is not known)."""

    mood: str = ""


class TrainingExample(msgspec.Struct, frozen=True):
    """One sentence as training reads it: signs by column, the slots to fill, and the mood ("" where nothing is asked
    and it is not known why).
    """

    columns: list[list[str]]
    slots: tuple[Slot, ...]
    mood: str


class MoodFramer(Framer):
    """Frames that say why they leave nothing to do."""

    def empty(self, sample: Sample) -> Sample:
        """A bare request in a frame that leaves nothing to do."""
        phrases = self._phrases
        kinds = {"negated": phrases.refusals, "when_not_expressible": phrases.open_conditions, "happened": phrases.told,
                 "asked": phrases.asked, "not_addressed": phrases.others, "cancelled": phrases.cancels}  # fmt: skip
        mood = self._rng.choices(tuple(kinds), weights=(4, 4, 3, 3, 3, 3))[0]
        frame = self._rng.choice(kinds[mood])
        text = sample.text.rstrip(_ENDINGS)
        return Unasked(text + frame if mood == "cancelled" else self._filled(frame, text), (), mood=mood)


class Varier:
    """Draws varied sentences."""

    def __init__(self, spotter: SentenceSpotter, samples: Sequence[Sample], seed: int) -> None:
        self._rng = random.Random(seed)
        self._samples = samples
        self._swapper = Swapper(spotter, phrases(), samples, self._rng)
        self._framer = MoodFramer(spotter, phrases(), self._rng)
        self._bare = [sample for sample in samples if self._framer.is_bare(sample)]
        self._short = [sample for sample in samples if len(sample.text) <= 20 and len(sample.commands) <= 2]

    def draw(self) -> Sample:
        """One varied sentence."""
        rng, framer = self._rng, self._framer
        chance = rng.random()
        drawn: Sample | None = None
        made = next((kind for kind, until in _MADE if chance < until), "")
        if made:
            drawn = self._made(made)
        if drawn is None:
            drawn = self._vary(rng.choice(self._samples))
        drawn = framer.wrapped(drawn)
        if rng.random() < STUTTERED:
            drawn = framer.stuttered(drawn)
        return msgspec.structs.replace(drawn, named=rng.random() < 0.12)

    def _made(self, kind: str) -> Sample | None:
        """A sentence of frames, or of words alone; None where none can be made of what was drawn."""
        rng, framer = self._rng, self._framer
        match kind:
            case "empty":
                return framer.empty(self._plain())
            case "urged":
                return framer.urged(self._plain())
            case "contrasted":
                return framer.contrasted(self._plain(), self._plain())
            case "timed":
                return framer.timed(self._plain())
            case "corrected":
                return framer.corrected(self._plain(), self._plain())
            case "plain":
                return self._plain()
            case "joined":
                return framer.joined(self._vary(rng.choice(self._short)), self._vary(rng.choice(self._short)))
        worded = _WORDED[kind](phrases(), rng)
        return Unasked(worded.text, (), mood="other_domain") if kind == "elsewhere" else worded

    def _plain(self) -> Sample:
        """A request that a frame can hold: one of the sentences, or one made of words."""
        if self._rng.random() < 0.4:
            return self._vary(self._rng.choice(self._bare))
        return request(phrases(), self._rng)

    def _vary(self, sample: Sample) -> Sample:
        return self._swapper.vary(sample) if self._rng.random() < 0.85 else sample


def spoiler(rng: random.Random) -> Callable[[list[Token]], list[Token]] | None:
    """Hides some known words in half of the sentences, so that the network does not lean on the word table."""
    if rng.random() < 0.5:
        return None

    def spoil(tokens: list[Token]) -> list[Token]:
        out: list[Token] = []
        for token in tokens:
            if token.kind in _HIDABLE and rng.random() < HIDDEN:
                token = Token(Kind.OPEN, token.start, token.end, token.text)
            if out and token.kind is Kind.OPEN and out[-1].kind is Kind.OPEN and out[-1].end == token.start:
                last = out.pop()
                token = Token(Kind.OPEN, last.start, token.end, last.text + token.text)
            out.append(token)
        return out

    return spoil


def example(sample: Sample, spotter: SentenceSpotter, alphabet: Alphabet, rng: random.Random) -> TrainingExample | None:
    """The sentence as training reads it; None where its commands cannot be pointed at, or where it is too long."""
    names = _names(sample) if sample.named else None
    spots = spotter.read(sample.text, names, spoiler(rng))
    if not spots.text or len(spots.text) > LONGEST:
        return None
    slots = SlotWriter(spotter, spots, alphabet).slots_of(sample.commands)
    if slots is None:
        return None
    mood = sample.mood if isinstance(sample, Unasked) else ""
    if sample.commands:
        mood = mood_of(command.action.verb for command in sample.commands)
    return TrainingExample(columns(spots, spotter.lexicon), slots, mood)


def _names(sample: Sample) -> NameTable:
    """The names and rooms of the commands, as a home would know them."""
    targets = [command.target for command in sample.commands]
    names = {target.name: target.type for target in targets if target.name not in ("*", "@last")}
    return NameTable(names, frozenset(room for command in sample.commands for room in command.scope.include))


def _part(job: tuple[Sequence[Sample], Alphabet, int, int]) -> list[TrainingExample]:
    samples, alphabet, count, seed = job
    spotter = SentenceSpotter()
    varier, rng = Varier(spotter, samples, seed), random.Random(seed + 1)
    found: list[TrainingExample] = []
    while len(found) < count:
        made = example(varier.draw(), spotter, alphabet, rng)
        if made is not None:
            found.append(made)
    return found


def generate(
    samples: Sequence[Sample], alphabet: Alphabet, count: int, *, seed: int, parts: int = 16
) -> list[TrainingExample]:
    """About `count` varied examples, in two processes; how many processes there are does not change them."""
    jobs = [(samples, alphabet, count // parts, seed + 1000 * part) for part in range(parts)]
    with get_context("spawn").Pool(2) as pool:
        return [one for found in pool.imap(_part, jobs) for one in found]
