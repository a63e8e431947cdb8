"""`python -m bench.train_reader`: trains the learned reader and writes its weights (make train-commands).

One network, one thread, several cycles of a rising and falling rate; each goes on from the running mean of the last,
and the last one on further variations of the sentences. What is written is the mean of the weights after the last two.
Fixed seeds and a fixed number of steps: the same sentences give the same figures within a point on any machine.
`--go-on` from given weights makes the last cycle only. It needs PyTorch (`pip install -e '.[train]'`).
"""

import argparse
import copy
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from bench.reader_net import Net, Scores
from context_retrieval.strict_yaml import parse_yaml
from tingdong.commands.words import default_words
from tingdong.evaluate.corpus import load as load_cases
from tingdong.reader.filling import LONGEST_NAME
from tingdong.reader.inputs import COLUMNS, Vocabulary, fingerprint
from tingdong.reader.slots import CHOICES, MOODS, NOTHING, POINTERS, Alphabet, columns_of
from tingdong.reader.training.generate import TrainingExample, Unasked, generate
from tingdong.reader.training.samples import Sample, load
from tingdong.reader.weights import Shape, Trained, save
from tingdong.reader.weights import load as load_weights

__all__ = ["main"]

DATA = Path(__file__).resolve().parents[1] / "src" / "tingdong" / "reader" / "data"


class Cycle(NamedTuple):
    """`sentences`: the seed by which they are varied; `rate`: the highest one."""

    sentences: int
    seed: int
    steps: int
    rate: float


CYCLES = (Cycle(11, 11, 8_500, 1.5e-3), Cycle(11, 12, 4_800, 1e-3), Cycle(29, 13, 14_000, 1.2e-3))
MEAN = 0.999
"""Share of the old in the running mean of the weights."""
FIFTH = 5
SHOWN = 100
"""Steps between two lines of progress."""


class Item:
    """One sentence as numbers: inputs (columns, length), classes (slots + 1, choices), pointers, marks, spans, mood."""

    __slots__ = ("classes", "inputs", "marks", "mood", "pointers", "spans")

    def __init__(self, one: TrainingExample, vocabulary: Vocabulary) -> None:
        slots = one.slots
        self.inputs = np.array(vocabulary.encode(one.columns), np.int16)
        self.classes = np.array([*(slot.choices() for slot in slots), (0, *[-1] * (len(CHOICES) - 1))], np.int16)
        self.pointers = np.array([*(slot.pointers() for slot in slots), [-1] * len(POINTERS)], np.int16)
        self.marks = np.array([(i, at, kind) for i, s in enumerate(slots) for kind, at, _ in s.marks], np.int16)
        self.spans = np.array(sorted({span for slot in slots for span in slot.spans()}), np.int16)
        self.mood = MOODS.index(one.mood) if one.mood else -1


class Batch:
    """Items side by side; -1 is what nothing is asked of."""

    def __init__(self, items: Sequence[Item]) -> None:
        size, length = len(items), max(item.inputs.shape[1] for item in items)
        self.slots = max(len(item.classes) for item in items)
        inputs, mask = np.zeros((size, len(COLUMNS), length), np.int64), np.zeros((size, length), bool)
        classes = np.full((size, self.slots, len(CHOICES)), -1, np.int64)
        pointers = np.full((size, self.slots, len(POINTERS)), -1, np.int64)
        marks = np.full((size, self.slots, length), -1, np.int64)
        ends: list[tuple[int, int, int]] = []
        for i, item in enumerate(items):
            inputs[i, :, : item.inputs.shape[1]], mask[i, : item.inputs.shape[1]] = item.inputs, True
            classes[i, : len(item.classes)], pointers[i, : len(item.pointers)] = item.classes, item.pointers
            marks[i, : len(item.classes) - 1, : item.inputs.shape[1]] = 0
            for slot, at, kind in item.marks:
                marks[i, slot, at] = kind
            ends += [(i, first, last) for first, last in item.spans]
        self.inputs, self.mask, self.classes, self.pointers, self.marks = map(
            torch.from_numpy, (inputs, mask, classes, pointers, marks)
        )
        self.ends = torch.tensor(ends, dtype=torch.int64).reshape(-1, 3)
        self.mood = torch.tensor([item.mood for item in items])


def alphabet_of(samples: Sequence[Sample]) -> Alphabet:
    """The verbs of the sentences, and the values without a number that two of them set."""
    verbs: Counter[str] = Counter(command.action.verb for sample in samples for command in sample.commands)
    values = Counter(command.action.value or "" for sample in samples for command in sample.commands)
    closed = [value for value, count in values.items() if value and count > 1 and not re.search("[0-9]", value)]
    return Alphabet(tuple(sorted(verbs)), tuple(sorted(closed)))


def vocabulary_of(examples: Sequence[TrainingExample], *, least: int) -> Vocabulary:
    """The signs that enough examples have, by column."""
    counts: list[Counter[str]] = [Counter() for _ in COLUMNS]
    for one in examples:
        for count, row in zip(counts, one.columns, strict=True):
            count.update(set(row))
    return Vocabulary(*(tuple(sorted(sign for sign, n in count.items() if n >= least and sign)) for count in counts))


def batches(data: Sequence[Item], size: int, rng: random.Random) -> Iterator[Batch]:
    """Batches of sentences of like length, in random order, without end."""
    while True:
        order = list(range(len(data)))
        rng.shuffle(order)
        for begin in range(0, len(order) - size * 16 + 1, size * 16):
            window = sorted(
                order[begin : begin + size * 16], key=lambda i: (data[i].inputs.shape[1], len(data[i].classes))
            )
            starts = list(range(0, len(window), size))
            rng.shuffle(starts)
            for start in starts:
                yield Batch([data[i] for i in window[start : start + size]])


def loss_of(net: Net, batch: Batch, inputs: Tensor, sizes: Sequence[int]) -> Tensor:
    """−log P of the arrays and the moods, a slot; half as much for what slots say before they know of one another."""
    before, after = net(inputs, batch.mask, batch.slots)
    total = loss_by(after, batch, sizes) + 0.5 * loss_by(before, batch, sizes)
    return total / (batch.classes[:, :, 0] >= 0).sum() / 3


def loss_by(said: Scores, batch: Batch, sizes: Sequence[int], smooth: float = 0.02) -> Tensor:
    """−log P of the arrays and the moods by some scores."""
    scores = Scores(*(part.float() for part in said))
    total = mood_loss(scores.mood, batch)
    for i, part in enumerate(columns_of(sizes)):
        wanted = batch.classes[:, :, i]
        asked = wanted >= 0
        total = total + nn.functional.cross_entropy(
            scores.classes[:, :, part][asked], wanted[asked], label_smoothing=smooth, reduction="sum"
        )
    asked = batch.pointers >= 0
    total = total + nn.functional.cross_entropy(scores.pointers[asked], batch.pointers[asked], reduction="sum")
    asked = batch.marks >= 0
    marks = torch.cat((torch.zeros_like(scores.marks[:, :, :1]), scores.marks), 2).transpose(2, 3)
    total = total + nn.functional.cross_entropy(marks[asked], batch.marks[asked], reduction="sum")
    if len(batch.ends):
        of, first, last = batch.ends.unbind(1)
        away = torch.arange(batch.mask.shape[1])[None] - first[:, None]
        rows = scores.ends[of, first].masked_fill((away < 0) | (away >= LONGEST_NAME), -1e4)
        total = total + nn.functional.cross_entropy(rows, last, reduction="sum")
    return total


def mood_loss(scores: Tensor, batch: Batch) -> Tensor:
    """−log P of the moods; where it is not known why nothing is asked, of all those in which nothing is."""
    log = scores.log_softmax(-1)
    known = batch.mood >= 0
    nothing = log[~known][:, -len(NOTHING) :].logsumexp(-1)
    return -(log[known, batch.mood[known]].sum() + nothing.sum())


def blurred(inputs: Tensor, share: float, generator: torch.Generator) -> Tensor:
    """Some characters made unknown, half of them with their sound, so that the network reads around what it never saw
    and knows words by their sound."""
    hidden = torch.rand(inputs.shape[0], inputs.shape[2], generator=generator)
    out = inputs.clone()
    out[:, 0][hidden < 2 * share] = 0
    out[:, COLUMNS.index("sound")][hidden < share] = 0
    return out


def cycle(net: Net, data: Sequence[Item], sizes: Sequence[int], options: argparse.Namespace, plan: Cycle) -> Net:
    """The running mean of a network trained while the rate goes up and down once."""
    seed, steps, rate = plan.seed, round(plan.steps * options.share), plan.rate
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    mean = copy.deepcopy(net).eval()
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=0.02, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, steps, pct_start=0.08)
    source = batches(data, options.batch, random.Random(seed))
    net.train()
    lost = 0.0
    for step in range(steps):
        batch = next(source)
        with torch.autocast("cpu", torch.bfloat16, enabled=options.half):
            loss = loss_of(net, batch, blurred(batch.inputs, 0.02, generator), sizes)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        keep = min(MEAN, step / (step + 20))
        with torch.no_grad():
            torch._foreach_lerp_(list(mean.parameters()), list(net.parameters()), 1 - keep)
        lost += loss.item()
        if step % SHOWN == SHOWN - 1:
            print(f"step {step + 1} of {steps}, loss {lost / SHOWN:.3f}", flush=True)
            lost = 0.0
    return mean


def unasked(paths: Sequence[Path]) -> list[Sample]:
    """Sentences that ask nothing of a home: cases of other tasks (JSONL), or lines by kind (YAML)."""
    texts: list[str] = []
    for path in paths:
        if path.suffix == ".yaml":
            lines = parse_yaml(path.read_text(encoding="utf-8")).values()
            texts += [line for part in lines for line in part.splitlines()]
        else:
            texts += [case.raw["text"] for case in load_cases(path)]
    return [Unasked(text, (), mood="no_request") for text in texts]


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path, help="labelled sets (JSONL), each drawn from twice as often")
    parser.add_argument("--partial", nargs="*", type=Path, default=(), help="sets of which every fifth is kept back")
    parser.add_argument("--unasked", nargs="*", type=Path, default=(), help="sentences that ask nothing of a home")
    parser.add_argument("--out", type=Path, default=DATA)
    parser.add_argument("--go-on", type=Path, help="folder of weights to go on from; shape and classes are theirs")
    parser.add_argument("--examples", type=int, default=320_000)
    parser.add_argument("--share", type=float, default=1.0, help="of the steps, for a trial")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument(
        "--half",
        action=argparse.BooleanOptionalAction,
        default=getattr(torch.cpu, "_is_amx_tile_supported", bool)(),
        help="products in 16 bits, where the processor has units for them",
    )
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--inner", type=int, default=384)
    parser.add_argument("--encoder", type=int, default=3)
    parser.add_argument("--slots", type=int, default=3)
    return parser.parse_args(arguments)


def samples_of(options: argparse.Namespace) -> tuple[list[Sample], list[Sample]]:
    """The labelled sentences, and all that are drawn from, those of whole sets twice as often."""
    whole = list(load(options.sets))
    samples = whole.copy()
    for path in options.partial:
        samples += [sample for i, sample in enumerate(load([path])) if i % FIFTH != FIFTH - 1]
    return samples, [*whole, *samples, *unasked(options.unasked)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Generate, train, write."""
    options = parse(arguments)
    torch.set_num_threads(1)
    known = None if options.go_on is None else load_weights(options.go_on)
    samples, drawn = samples_of(options)
    alphabet = alphabet_of(samples) if known is None else known.alphabet
    vocabulary = None if known is None else known.vocabulary
    plans = CYCLES if known is None else CYCLES[-1:]
    net, before, data = None, {}, []
    for at, plan in enumerate(plans):
        if not at or plan.sentences != plans[at - 1].sentences:
            print(f"{len(samples)} sentences; varying them to {options.examples} ...", flush=True)
            examples = generate(drawn, alphabet, options.examples, seed=plan.sentences)
            vocabulary = vocabulary or vocabulary_of(examples, least=max(3, len(examples) // 12_000))
            data = [Item(one, vocabulary) for one in examples]
        assert vocabulary is not None
        net = net or begun(vocabulary, alphabet, options, known, seed=plan.seed)
        before = copy.deepcopy(net.state_dict())
        net = cycle(net, data, alphabet.sizes(), options, plan)
    assert net is not None
    assert vocabulary is not None
    weights = {name: ((tensor + before[name]) / 2).numpy() for name, tensor in net.state_dict().items()}
    words = fingerprint(vocabulary, default_words())
    save(options.out, Trained(shape_of(options, known), vocabulary, alphabet, weights, words))


def shape_of(options: argparse.Namespace, known: Trained | None) -> Shape:
    """The sizes of the network."""
    if known is not None:
        return known.shape
    return Shape(options.width, options.encoder, options.slots, heads=4, inner=options.inner)


def begun(vocabulary: Vocabulary, alphabet: Alphabet, options: argparse.Namespace, known: Trained | None, *,
          seed: int) -> Net:  # fmt: skip
    """The network before its first step: random, or the one that is known."""
    torch.manual_seed(seed)
    shape = shape_of(options, known)
    layers = (shape.encoder, shape.slots)
    net = Net(vocabulary.sizes(), alphabet.sizes(), width=shape.width, layers=layers, heads=shape.heads,
              inner=shape.inner)  # fmt: skip
    if known is not None:
        net.load_state_dict({name: torch.from_numpy(value) for name, value in known.weights.items()})
    return net


if __name__ == "__main__":
    main()
