"""The one-pass network in PyTorch, for training only; `tingdong.reader.network` runs the same in numpy.

Encoder: sums of embeddings, convolutions, self-attention. Slots: learned queries with attention among themselves and to
the sentence; nothing is causal, so all slots are filled in one pass. Before the last layer each slot is told what all
of them have chosen so far, so that they agree. The last query is for the sentence as a whole.
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from tingdong.reader.slots import MARKS, MOODS, POINTED, POINTERS, SLOTS, columns_of

__all__ = ["Net", "Scores"]


class Scores(NamedTuple):
    """Logits: `classes` (batch, slots, classes of all choices), `pointers` (batch, slots, pointers, positions), `marks`
    (batch, slots, kinds but the first, positions), `ends` (batch, first, last position), `mood` (batch, moods)."""

    classes: Tensor
    pointers: Tensor
    marks: Tensor
    ends: Tensor
    mood: Tensor


def positions(length: int, width: int) -> Tensor:
    """Sines and cosines, (length, width)."""
    at = torch.arange(length)[:, None] * torch.exp(torch.arange(0, width, 2) * (-math.log(1_000.0) / width))
    return torch.stack((at.sin(), at.cos()), dim=-1).reshape(length, width)


def heads_of(x: Tensor, heads: int) -> Tensor:
    """(batch, length, width) → (batch, heads, length, width of a head)."""
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def attended(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
    """Attention of (batch, heads, queries, size) over keys and values, heads side by side again. `mask` as in `Layer`.

    Written out, because the fused one has no backward pass for 16-bit numbers that is worth having on a CPU.
    """
    scores = (q @ k.transpose(2, 3)) * (1 / math.sqrt(q.shape[-1]))
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e4)
    return (scores.softmax(-1).to(v.dtype) @ v).transpose(1, 2).flatten(2)


class Layer(nn.Module):
    """Pre-normalised attention (and cross-attention) and a feed-forward part.

    Masks (…, queries, keys) are True where a key may be seen.
    """

    def __init__(self, width: int, heads: int, inner: int, dropout: float, *, cross: bool) -> None:
        super().__init__()
        self.heads, self.has_cross = heads, cross
        self.norm1, self.attend, self.mix = nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width)
        if cross:
            self.norm2, self.ask = nn.LayerNorm(width), nn.Linear(width, width)
            self.offer, self.blend = nn.Linear(width, 2 * width), nn.Linear(width, width)
        self.norm3 = nn.LayerNorm(width)
        self.wide, self.narrow = nn.Linear(width, inner), nn.Linear(inner, width)
        self.drop = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor | None, memory: Tensor | None = None,
                seen: Tensor | None = None) -> Tensor:  # fmt: skip
        q, k, v = (heads_of(part, self.heads) for part in self.attend(self.norm1(x)).chunk(3, -1))
        x = x + self.mix(attended(q, k, v, mask))
        if self.has_cross and memory is not None:
            q = heads_of(self.ask(self.norm2(x)), self.heads)
            k, v = (heads_of(part, self.heads) for part in self.offer(memory).chunk(2, -1))
            x = x + self.blend(attended(q, k, v, seen))
        return x + self.drop(self.narrow(nn.functional.relu(self.wide(self.norm3(x)))))


class Net(nn.Module):
    """`sizes`: entries of each input column; `choices`: classes of each choice of a slot."""

    def __init__(
        self,
        sizes: tuple[int, ...],
        choices: tuple[int, ...],
        *,
        width: int = 128,
        layers: tuple[int, int] = (3, 3),
        heads: int = 4,
        inner: int = 384,
        end: int = 32,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        self.width, self.end, self.columns = width, end, columns_of(choices)
        classes = sum(choices)
        self.embed = nn.ModuleList(nn.Embedding(size, width) for size in sizes)
        self.norm_in = nn.LayerNorm(width)
        self.conv = nn.ModuleList(nn.Conv1d(width, width, 3, padding=1) for _ in range(2))
        self.encoder = nn.ModuleList(Layer(width, heads, inner, dropout, cross=False) for _ in range(layers[0]))
        self.norm_memory = nn.LayerNorm(width)
        self.queries = nn.Parameter(torch.randn(SLOTS + 1, width) * 0.5)
        self.slots = nn.ModuleList(Layer(width, heads, inner, dropout, cross=True) for _ in range(layers[1]))
        self.norm_out = nn.LayerNorm(width)
        self.out, self.mood = nn.Linear(width, classes), nn.Linear(width, len(MOODS))
        self.point = nn.Linear(width, (len(POINTERS) + MARKS - 1) * width)
        self.pointed, self.marked = nn.Linear(width, width), nn.Linear(width, width)
        self.mark = nn.Parameter(torch.full((MARKS - 1,), -3.0))
        self.first, self.last = nn.Linear(width, end), nn.Linear(width, end)
        self.chosen = nn.Embedding(classes, width)
        self.said = nn.Linear((len(POINTERS) + MARKS - 1) * width, width)
        self.drop = nn.Dropout(dropout)
        for table in (*self.embed, self.chosen):
            nn.init.normal_(table.weight, std=0.3)
        self.register_buffer("place", positions(256, width), persistent=False)

    def encode(self, inputs: Tensor, mask: Tensor) -> Tensor:
        """(batch, columns, length) → memory (batch, length, width). `mask` (batch, length) is True inside."""
        x = sum(table(inputs[:, i]) for i, table in enumerate(self.embed))
        x = self.drop(self.norm_in(x + self.place[: inputs.shape[2]]))
        inside = mask[:, :, None]
        for conv in self.conv:
            x = x + nn.functional.relu(conv((x * inside).transpose(1, 2)).transpose(1, 2))
        seen = mask[:, None, None, :]
        for layer in self.encoder:
            x = layer(x, seen)
        return self.norm_memory(x)

    def forward(self, inputs: Tensor, mask: Tensor, slots: int = SLOTS) -> tuple[Scores, Scores]:
        """The scores of the first `slots` slots: before they are told of one another's choices, and after."""
        memory = self.encode(inputs, mask)
        x = self.queries.expand(len(inputs), -1, -1).to(memory.dtype)
        seen = mask[:, None, None, :]
        for layer in self.slots[:-1]:
            x = layer(x, None, memory, seen)
        keys = self.pointed(memory), self.marked(memory), self.first(memory), self.last(memory)
        before = self.scores(x, keys, mask, slots)
        told = nn.functional.pad(self.told(before, memory, mask), (0, 0, 0, SLOTS + 1 - slots))
        return before, self.scores(self.slots[-1](x + told, None, memory, seen), keys, mask, slots)

    def scores(self, x: Tensor, keys: tuple[Tensor, ...], mask: Tensor, slots: int) -> Scores:
        """What the rows say; `keys`: of each character as something pointed at, marked, first and last of a span."""
        x = self.norm_out(x)
        asked = self.point(x[:, :slots]).unflatten(-1, (-1, self.width)) / math.sqrt(self.width)
        points, marks = asked[:, :, : len(POINTERS)], asked[:, :, len(POINTERS) :]
        pointers = torch.einsum("bspw,blw->bspl", points, keys[0]).masked_fill(~mask[:, None, None, :], -1e4)
        marked = torch.einsum("bskw,blw->bskl", marks, keys[1]) + self.mark[:, None]
        ends = keys[2] @ keys[3].transpose(1, 2) / math.sqrt(self.end)
        return Scores(self.out(x[:, :slots]), pointers, marked, ends, self.mood(x[:, -1]))

    def told(self, scores: Scores, memory: Tensor, mask: Tensor) -> Tensor:
        """What slots have chosen, (batch, slots, width); nothing of those behind the first without a verb."""
        best = [scores.classes[:, :, part].argmax(-1) for part in self.columns]
        begins = [part.start for part in self.columns]
        chosen = self.chosen(torch.stack([one + begin for one, begin in zip(best, begins, strict=True)], -1)).sum(2)
        at = scores.pointers.argmax(-1)
        batch = torch.arange(len(memory))[:, None, None]
        pointed = torch.stack([torch.isin(best[i], torch.tensor(classes)) for i, classes in POINTED], -1)
        rows = memory[batch, at] * pointed[..., None]
        none = torch.zeros_like(scores.marks[:, :, :1])
        kinds = torch.cat((none, scores.marks), 2).argmax(2)
        marked = torch.stack([(kinds == kind) & mask[:, None] for kind in range(1, MARKS)], 2).to(memory.dtype)
        marks = torch.einsum("bskl,blw->bskw", marked, memory)
        filled = torch.cat((torch.ones_like(best[0][:, :1]), (best[0] > 0).long()[:, :-1].cumprod(1)), 1)
        return (chosen + self.said(torch.cat((rows, marks), 2).flatten(2))) * filled[..., None]
