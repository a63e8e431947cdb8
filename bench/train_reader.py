"""`python -m bench.train_reader`: trains the learned reader and writes its weights (make train-commands).

The reader is an ensemble: one network a seed, each in a process of its own with one thread, all on the same sentences.
Fixed seeds and a fixed number of steps: the same sentences give the same figures within a point on any machine.
The weights written are, of each network, a running mean of those of the last steps.
"""

import argparse
import copy
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.queues import Queue
from pathlib import Path
from queue import Empty

import numpy as np
import torch
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from torch import Tensor, nn

from bench.reader_net import Net
from tingdong.reader.inputs import COLUMNS, Vocabulary
from tingdong.reader.symbols import Symbols
from tingdong.reader.training.generate import Example, generate
from tingdong.reader.training.samples import Sample, load
from tingdong.reader.weights import Shape, Trained, Weights, save

__all__ = ["main"]

DATA = Path(__file__).resolve().parents[1] / "src" / "tingdong" / "reader" / "data"
SEEDS = (11, 12)
"""One network each; the first is that of the sentences, too."""
MEAN = 0.999
"""Share of the old in the running mean of the weights."""

FIFTH = 5

Batch = tuple[Tensor, Tensor, Tensor, Tensor]
Data = Sequence[tuple[np.ndarray, np.ndarray]]
"""Of each sentence its input (columns, length) and its row."""
Told = tuple[int, int, float, Weights | None]
"""What a process tells: seed, steps done, loss, and at the end the weights."""


def symbols_of(samples: Sequence[Sample]) -> Symbols:
    """The verbs of the sentences, and the values without a number that two of them set."""
    verbs: Counter[str] = Counter(command.action.verb for sample in samples for command in sample.commands)
    values = Counter(command.action.value or "" for sample in samples for command in sample.commands)
    closed = [value for value, count in values.items() if value and count > 1 and not re.search("[0-9]", value)]
    return Symbols(tuple(sorted(verbs)), tuple(sorted(closed)))


def vocabulary_of(examples: Sequence[Example], *, least: int) -> Vocabulary:
    """The signs that enough examples have, by column."""
    counts: list[Counter[str]] = [Counter() for _ in COLUMNS]
    for one in examples:
        for count, row in zip(counts, one.columns, strict=True):
            count.update(set(row))
    return Vocabulary(*(tuple(sorted(sign for sign, n in count.items() if n >= least and sign)) for count in counts))


def encoded(examples: Sequence[Example], symbols: Symbols) -> tuple[Data, Vocabulary]:
    """The examples as numbers, and the vocabulary of their signs."""
    vocabulary = vocabulary_of(examples, least=max(3, len(examples) // 12_000))
    data = [
        (np.array(vocabulary.encode(one.columns), np.int32), np.array(symbols.numbers(one.row), np.int32))
        for one in examples
    ]
    return data, vocabulary


def batches(data: Data, size: int, rng: random.Random) -> Iterator[Batch]:
    """Batches of sentences of like length, in random order, without end."""
    while True:
        order = list(range(len(data)))
        rng.shuffle(order)
        for begin in range(0, len(order) - size * 16 + 1, size * 16):
            window = sorted(order[begin : begin + size * 16], key=lambda i: (data[i][0].shape[1], len(data[i][1])))
            starts = list(range(0, len(window), size))
            rng.shuffle(starts)
            for start in starts:
                yield pack([data[i] for i in window[start : start + size]])


def pack(items: Sequence[tuple[np.ndarray, np.ndarray]]) -> Batch:
    """Inputs (batch, columns, length), mask (batch, length), rows and the mask of their steps (batch, steps)."""
    length, steps = max(x.shape[1] for x, _ in items), max(len(row) for _, row in items)
    inputs = np.zeros((len(items), len(COLUMNS), length), np.int64)
    mask, rows = np.zeros((len(items), length), bool), np.zeros((len(items), steps), np.int64)
    inside = np.zeros((len(items), steps + 1), bool)
    for i, (x, row) in enumerate(items):
        inputs[i, :, : x.shape[1]], mask[i, : x.shape[1]] = x, True
        rows[i, : len(row)], inside[i, : len(row) + 1] = row, True
    return torch.from_numpy(inputs), torch.from_numpy(mask), torch.from_numpy(rows), torch.from_numpy(inside)


def loss_of(net: Net, batch: Batch, smooth: float = 0.03) -> Tensor:
    """Mean cross-entropy of a step. Steps that point compete among positions, the others among symbols."""
    inputs, mask, rows, inside = batch
    symbol_scores, place_scores = net(inputs, mask, rows)
    wanted = torch.cat((rows, rows.new_zeros(len(rows), 1)), 1)
    wanted = torch.where(inside, wanted, 0)
    last = inside.sum(1) - 1
    wanted[torch.arange(len(rows)), last] = 0
    points = (wanted >= net.symbols) & inside
    says = ~points & inside
    total = nn.functional.cross_entropy(
        symbol_scores[says].float(), wanted[says], label_smoothing=smooth, reduction="sum"
    )
    total = total + nn.functional.cross_entropy(
        place_scores[points].float(), wanted[points] - net.symbols, reduction="sum"
    )
    return total / inside.sum()


def blurred(inputs: Tensor, share: float, generator: torch.Generator) -> Tensor:
    """Some characters made unknown, so that the network reads around what it never saw."""
    hidden = torch.rand(inputs.shape[0], inputs.shape[2], generator=generator) < share
    out = inputs.clone()
    out[:, 0][hidden] = 0
    return out


def train(net: Net, data: Data, options: argparse.Namespace, seed: int, tell: Callable[[int, float], None]) -> Net:
    """The trained network, its weights the running mean; `tell` hears of every tenth step and its loss."""
    generator = torch.Generator().manual_seed(seed)
    mean = copy.deepcopy(net).eval()
    optimiser = torch.optim.AdamW(net.parameters(), lr=options.rate, betas=(0.9, 0.98), weight_decay=0.02, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, options.rate, options.steps, pct_start=0.08)
    source = batches(data, options.batch, random.Random(seed))
    net.train()
    for step in range(options.steps):
        inputs, *rest = next(source)
        with torch.autocast("cpu", torch.bfloat16, enabled=options.half):
            loss = loss_of(net, (blurred(inputs, 0.03, generator), rest[0], rest[1], rest[2]))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        keep = min(MEAN, step / (step + 20))
        with torch.no_grad():
            torch._foreach_lerp_(list(mean.parameters()), list(net.parameters()), 1 - keep)
        if step % 10 == 9:
            tell(step + 1, loss.item())
    return mean


def member(data: Data, vocabulary: Vocabulary, symbols: Symbols, options: argparse.Namespace, seed: int,
           queue: "Queue[Told]") -> None:  # fmt: skip
    """One network, trained in this process; its weights are told last."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    net = Net(vocabulary.sizes(), len(symbols), width=options.width, layers=(options.encoder, options.decoder),
              inner=options.inner)  # fmt: skip
    mean = train(net, data, options, seed, lambda step, loss: queue.put((seed, step, loss, None)))
    queue.put((seed, options.steps, 0.0, {name: tensor.numpy() for name, tensor in mean.state_dict().items()}))


def train_all(data: Data, vocabulary: Vocabulary, symbols: Symbols, options: argparse.Namespace) -> Weights:
    """The weights of all networks, one upon the other. Raises `RuntimeError` where a process ends without its own."""
    context = get_context("fork")
    queue: Queue[Told] = context.Queue()
    jobs = [context.Process(target=member, args=(data, vocabulary, symbols, options, s, queue)) for s in options.seeds]
    for job in jobs:
        job.start()
    found: dict[int, Weights] = {}
    bar = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*bar) as progress:
        tasks = {seed: progress.add_task(f"seed {seed}", total=options.steps) for seed in options.seeds}
        while len(found) < len(jobs):
            try:
                seed, step, loss, weights = queue.get(timeout=60)
            except Empty:
                if any(job.exitcode not in (None, 0) for job in jobs):
                    raise RuntimeError("a training process ended early") from None
                continue
            if weights is not None:
                found[seed] = weights
                continue
            progress.update(tasks[seed], completed=step, description=f"seed {seed} loss {loss:.3f}")
            if step % 100 == 0 and not progress.console.is_terminal:
                progress.console.print(f"seed {seed} step {step} loss {loss:.3f}")
    return {name: np.stack([found[seed][name] for seed in options.seeds]) for name in found[options.seeds[0]]}


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", type=Path, help="labelled sets (JSONL), each drawn from twice as often")
    parser.add_argument("--partial", nargs="*", type=Path, default=(), help="sets of which every fifth is kept back")
    parser.add_argument("--out", type=Path, default=DATA)
    parser.add_argument("--examples", type=int, default=240_000)
    parser.add_argument("--steps", type=int, default=5_600)
    parser.add_argument("--seeds", nargs="+", type=int, default=SEEDS)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument(
        "--half",
        action=argparse.BooleanOptionalAction,
        default=getattr(torch.cpu, "_is_amx_tile_supported", bool)(),
        help="products in 16 bits, where the processor has units for them",
    )
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--inner", type=int, default=384)
    parser.add_argument("--encoder", type=int, default=3)
    parser.add_argument("--decoder", type=int, default=2)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    """Generate, train, write."""
    options = parse(arguments)
    whole = list(load(options.sets))
    samples = whole.copy()
    for path in options.partial:
        samples += [sample for i, sample in enumerate(load([path])) if i % FIFTH != FIFTH - 1]
    symbols = symbols_of(samples)
    print(f"{len(samples)} sentences; varying them to {options.examples} ...", flush=True)
    data, vocabulary = encoded(generate([*whole, *samples], symbols, options.examples, seed=SEEDS[0]), symbols)
    shape = Shape(options.width, options.encoder, options.decoder, heads=4, inner=options.inner)
    print(f"{len(symbols)} symbols, {vocabulary.sizes()} signs", flush=True)
    save(options.out, Trained(shape, vocabulary, symbols, train_all(data, vocabulary, symbols, options)))


if __name__ == "__main__":
    main()
