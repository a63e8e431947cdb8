"""Rewording: replaces a known word by another with the same meaning in the same place (关了 → 熄掉 after a lamp).

Such words are counted in the training sentences: same kind and value in the rules' word table, same device type beside
it, same kind of word after it.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from tingdong.reader.spots import SentenceSpotter, SentenceTokens

__all__ = ["Reworder"]

Place = tuple[str, ...]
"""What a word says and where it stands."""

_ACTS = (Kind.VERB, Kind.WEAK, Kind.SET)
_ALIKE = (Kind.MORE, Kind.UP, Kind.DOWN, Kind.BEFORE_TARGET, Kind.REQUEST, Kind.JOINT, Kind.EXCEPT_BEFORE,
          Kind.EXCEPT_AFTER, Kind.KEEP, Kind.CANCEL, Kind.CORRECTION, Kind.LOOK, Kind.STATUS, Kind.WAKE, Kind.WHOLE,
          Kind.HERE, Kind.VALUE, Kind.TAIL, Kind.ASK_ATTRIBUTE, Kind.ALL)  # fmt: skip
_SHARE = 0.18
"""Of the known words, how many are reworded."""
_TYPES = 3
"""Types of device that a verb must be seen with to be said of any."""
_BEFORE = ("给我", "给", "帮我", "也", "就", "赶紧", "快", "先", "直接", "马上", "再", "麻烦")
"""Said between a thing and its verb without changing what is asked."""


class Reworder:
    """Counts the words of sentences by place, and exchanges them."""

    def __init__(self, spotter: SentenceSpotter, texts: Iterable[str], rng: random.Random) -> None:
        self._lexicon = spotter.lexicon
        self._rng = rng
        counts: dict[Place, Counter[str]] = defaultdict(Counter)
        types: dict[tuple[Place, str], set[str]] = defaultdict(set)
        for text in texts:
            tokens = spotter.read(text).tokens
            for index in range(len(tokens)):
                for place in self._places(tokens, index):
                    said = tokens[index].text
                    if place[0] == "act" and place[3] == "*":
                        types[place, said].add(self._beside(tokens, index))
                    counts[place][said] += 1
        self._pools: dict[Place, tuple[list[str], list[float]]] = {}
        for place, found in counts.items():
            kept = {said: n for said, n in found.items() if place[3:4] != ("*",) or len(types[place, said]) >= _TYPES}
            if len(kept) > 1:
                self._pools[place] = list(kept), [n**0.5 for n in kept.values()]

    def edits(self, spots: SentenceTokens, *, acts: bool) -> dict[tuple[int, int], str]:
        """Some words of a sentence and what takes their place; `acts`: verbs among them."""
        found: dict[tuple[int, int], str] = {}
        rng, tokens = self._rng, spots.tokens
        for index, token in enumerate(tokens):
            is_act = token.kind in _ACTS
            if (is_act and not acts) or (not is_act and token.kind not in _ALIKE) or rng.random() > _SHARE:
                continue
            if spots.text[token.start : token.end] != token.text:
                continue
            pools = [pool for place in self._places(tokens, index) if (pool := self._pools.get(place)) is not None]
            if pools:
                words, weights = rng.choice(pools)
                found[token.start, token.end] = rng.choices(words, weights)[0]
            if (
                is_act
                and token.kind is not Kind.SET
                and index
                and tokens[index - 1].kind is Kind.DEVICE
                and rng.random() < 0.4
            ):
                said = found.get((token.start, token.end), token.text)
                found[token.start, token.end] = rng.choice(_BEFORE) + said
        return found

    def _places(self, tokens: Sequence[Token], index: int) -> Iterable[Place]:
        """The places that a word has: with its device's type and, of verbs, with any."""
        token = tokens[index]
        if token.kind in _ACTS:
            side = self._side(tokens, index)
            value = token.value if token.kind is not Kind.SET else token.text[-1:]
            yield "act", value, side, self._beside(tokens, index)
            yield "act", value, side, "*"
        elif token.kind in _ALIKE:
            side = self._side(tokens, index)
            if token.kind is not Kind.CORRECTION or side == "end":
                yield token.kind.name, token.value, token.attribute, side

    def _side(self, tokens: Sequence[Token], index: int) -> str:
        if index + 1 == len(tokens) or tokens[index + 1].kind is Kind.BREAK:
            return "end"
        after = tokens[index + 1].kind
        return "thing" if after in (Kind.DEVICE, Kind.ROOM) else after.name

    def _beside(self, tokens: Sequence[Token], index: int) -> str:
        """The type of the nearest device before the word, else after it."""
        for token in (*reversed(tokens[:index]), *tokens[index + 1 :]):
            if token.kind is Kind.DEVICE:
                kind = self._lexicon.kinds.get(token.device)
                return kind.type.value if kind is not None else token.value
        return ""
