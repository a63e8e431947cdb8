"""The learned reader's network in PyTorch, for training only; `tingdong.reader.network` runs the same in numpy.

Encoder: sums of embeddings, convolutions, self-attention. Decoder: self- and cross-attention over the row written so
far; each step is a distribution over the closed symbols or over the positions of the sentence (copying).
"""

import math

import torch
from torch import Tensor, nn

__all__ = ["Net", "attended", "heads_of", "positions"]


def positions(length: int, width: int) -> Tensor:
    """Sines and cosines, (length, width)."""
    at = torch.arange(length)[:, None] * torch.exp(torch.arange(0, width, 2) * (-math.log(1_000.0) / width))
    return torch.stack((at.sin(), at.cos()), dim=-1).reshape(length, width)


def heads_of(x: Tensor, heads: int) -> Tensor:
    """(batch, length, width) → (batch, heads, length, width of a head)."""
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def attended(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """Attention of (batch, heads, queries, size) over keys and values, heads side by side again. `mask` as in `Layer`.

    Written out, because the fused one has no backward pass for 16-bit numbers that is worth having on a CPU.
    """
    scores = (q @ k.transpose(2, 3)) * (1 / math.sqrt(q.shape[-1]))
    chances = scores.masked_fill(~mask, -1e4).softmax(-1).to(v.dtype)
    return (chances @ v).transpose(1, 2).flatten(2)


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

    def forward(self, x: Tensor, mask: Tensor, memory: Tensor | None = None, seen: Tensor | None = None) -> Tensor:
        q, k, v = (heads_of(part, self.heads) for part in self.attend(self.norm1(x)).chunk(3, -1))
        x = x + self.mix(attended(q, k, v, mask))
        if self.has_cross and memory is not None and seen is not None:
            q = heads_of(self.ask(self.norm2(x)), self.heads)
            k, v = (heads_of(part, self.heads) for part in self.offer(memory).chunk(2, -1))
            x = x + self.blend(attended(q, k, v, seen))
        return x + self.drop(self.narrow(nn.functional.relu(self.wide(self.norm3(x)))))


class Net(nn.Module):
    """`sizes`: entries of each input column; `symbols`: closed output symbols."""

    def __init__(self, sizes: tuple[int, ...], symbols: int, *, width: int = 128, layers: tuple[int, int] = (3, 2),
                 heads: int = 4, inner: int = 384, dropout: float = 0.1) -> None:  # fmt: skip
        super().__init__()
        self.symbols, self.width = symbols, width
        self.embed = nn.ModuleList(nn.Embedding(size, width) for size in sizes)
        self.norm_in = nn.LayerNorm(width)
        self.conv = nn.ModuleList(nn.Conv1d(width, width, 3, padding=1) for _ in range(2))
        self.encoder = nn.ModuleList(Layer(width, heads, inner, dropout, cross=False) for _ in range(layers[0]))
        self.norm_memory = nn.LayerNorm(width)
        self.start = nn.Parameter(torch.zeros(width))
        self.symbol = nn.Embedding(symbols, width)
        self.copied = nn.Linear(width, width)
        self.decoder = nn.ModuleList(Layer(width, heads, inner, dropout, cross=True) for _ in range(layers[1]))
        self.norm_out = nn.LayerNorm(width)
        self.out = nn.Linear(width, symbols)
        self.point = nn.Linear(width, width)
        self.pointed = nn.Linear(width, width)
        self.drop = nn.Dropout(dropout)
        for table in (*self.embed, self.symbol):
            nn.init.normal_(table.weight, std=0.3 if table is not self.symbol else 0.5)
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

    def decode(self, memory: Tensor, mask: Tensor, row: Tensor) -> tuple[Tensor, Tensor]:
        """Logits over symbols and over positions for each step of `row` (batch, steps), and the one after it.

        Items of `row` from `symbols` on are positions.
        """
        copied = row >= self.symbols
        at = (row - self.symbols).clamp(min=0)
        taken = torch.gather(memory, 1, at[:, :, None].expand(-1, -1, self.width))
        said = torch.where(copied[:, :, None], self.copied(taken), self.symbol(row.clamp(max=self.symbols - 1)))
        x = torch.cat((self.start.expand(len(row), 1, -1).to(said.dtype), said), 1)
        x = self.drop(x + self.place[: x.shape[1]])
        causal = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()[None, None]
        seen = mask[:, None, None, :]
        for layer in self.decoder:
            x = layer(x, causal, memory, seen)
        x = self.norm_out(x)
        scores = self.point(x) @ self.pointed(memory).transpose(1, 2) / math.sqrt(self.width)
        return self.out(x), scores.masked_fill(~mask[:, None, :], -1e4)

    def forward(self, inputs: Tensor, mask: Tensor, row: Tensor) -> tuple[Tensor, Tensor]:
        return self.decode(self.encode(inputs, mask), mask, row)
