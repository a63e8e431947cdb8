"""From labelled sentences to what the one-pass network is trained on: inputs, slots and the mood.

Sentences are varied as for the learned reader (`tingdong.reader.training`); beside it is kept why a sentence asks for
nothing. Fixed seeds: the same sentences and vocabulary give the same examples.
"""

import random
from collections.abc import Sequence
from multiprocessing import get_context

import msgspec

from bench.onepass.inputs import columns
from bench.onepass.slots import Alphabet, Slot, mood_of
from bench.onepass.writing import SlotWriter
from tingdong.commands.reading import NameTable
from tingdong.reader.inputs import LONGEST
from tingdong.reader.spots import SentenceSpotter
from tingdong.reader.training.framing import Framer
from tingdong.reader.training.generate import Varier, spoiler
from tingdong.reader.training.samples import Sample, phrases

__all__ = ["Example", "Unasked", "generate"]

_ENDINGS = "。！？!?.，, ~吧啊呗哈"


class Unasked(Sample, frozen=True):
    """A sentence that asks for nothing, and why (`slots.NOTHING`; "" where that is not known)."""

    mood: str = ""


class Example(msgspec.Struct, frozen=True):
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


class MoodVarier(Varier):
    """Draws varied sentences that keep their moods."""

    def __init__(self, spotter: SentenceSpotter, samples: Sequence[Sample], seed: int) -> None:
        super().__init__(spotter, samples, seed)
        self._framer = MoodFramer(spotter, phrases(), self._rng)

    def _made(self, kind: str) -> Sample | None:
        made = super()._made(kind)
        return Unasked(made.text, (), mood="other_domain") if made is not None and kind == "elsewhere" else made


def example(sample: Sample, spotter: SentenceSpotter, alphabet: Alphabet, rng: random.Random) -> Example | None:
    """The sentence as training reads it; None where its commands cannot be pointed at, or where it is too long."""
    names = names_of(sample) if sample.named else None
    spots = spotter.read(sample.text, names, spoiler(rng))
    if not spots.text or len(spots.text) > LONGEST:
        return None
    slots = SlotWriter(spotter, spots, alphabet).slots_of(sample.commands)
    if slots is None:
        return None
    mood = sample.mood if isinstance(sample, Unasked) else ""
    if sample.commands:
        mood = mood_of(command.action.verb for command in sample.commands)
    return Example(columns(spots, spotter.lexicon), slots, mood)


def names_of(sample: Sample) -> NameTable:
    """The names and rooms of the commands, as a home would know them."""
    targets = [command.target for command in sample.commands]
    names = {target.name: target.type for target in targets if target.name not in ("*", "@last")}
    return NameTable(names, frozenset(room for command in sample.commands for room in command.scope.include))


def _part(job: tuple[Sequence[Sample], Alphabet, int, int]) -> list[Example]:
    samples, alphabet, count, seed = job
    spotter = SentenceSpotter()
    varier, rng = MoodVarier(spotter, samples, seed), random.Random(seed + 1)
    found: list[Example] = []
    while len(found) < count:
        made = example(varier.draw(), spotter, alphabet, rng)
        if made is not None:
            found.append(made)
    return found


def generate(samples: Sequence[Sample], alphabet: Alphabet, count: int, *, seed: int, parts: int = 16) -> list[Example]:
    """About `count` varied examples, in two processes; how many processes there are does not change them."""
    jobs = [(samples, alphabet, count // parts, seed + 1000 * part) for part in range(parts)]
    with get_context("spawn").Pool(2) as pool:
        return [one for found in pool.imap(_part, jobs) for one in found]
