"""`python -m bench.train_hearing`: counts what people say and writes the hearing's language model (make train-hearing).

Sentences are the project's own: every open set of homes and of the front desk but those that are measured with, and the
phrases. Those that hold a slip on purpose teach nothing. Trigrams of characters, interpolated Kneser-Ney. The same
sentences give the same file, to the byte. Beside it lies `hearing.sources`: checksums of what it was counted from and
of the file itself, by which `--check` says at once whether it is stale.
"""

import argparse
import hashlib
import math
import re
import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import msgspec
from pypinyin.phrases_dict import phrases_dict

from context_retrieval.kind_table import kind_table
from context_retrieval.strict_yaml import parse_yaml
from tingdong.commands.words import default_words
from tingdong.evaluate.corpus import is_closed, load
from tingdong.front_desk import domain
from tingdong.front_desk.lexicon import GAP, phrases
from tingdong.hearing.language import STEPS, Stored
from tingdong.hearing.signs import END, MARK, START, symbol
from tingdong.home.vocabulary import roles, values
from tingdong.home_dialogue.addressee import DEFAULT_WAKE_WORDS, spoken_to
from tingdong.home_dialogue.answers import answers
from zhtext.normalise import normalise

__all__ = ["fingerprint", "main", "sentences", "stored"]

ROOT = Path(__file__).resolve().parents[1]
CORPUS, MODEL = ROOT / "tests" / "corpus", ROOT / "src" / "tingdong" / "hearing" / "data" / "hearing.bin"
SOURCES = ".sources"
MEASURED = "_dev"
"""Sets that are measured with end so; those that are closed are closed (`is_closed`)."""
HELD_BACK = ("hospital_fourth", "hospital_redflags_fourth")
SLIPS = re.compile("slip|asr|recogniser|typo|noise|garbage")
PHRASES = ("hospital_phrases", "hospital_alarm_phrases")
DISCOUNT = 0.75
UNSEEN = 3_000
"""Characters nobody said yet, between whom the last share of probability is divided."""


def sentences(corpus: Path, *, without: Sequence[str] = ()) -> Iterator[str]:
    """The sentences to learn from, in a fixed order; `without` leaves out sets whose name holds one of these."""
    for path in sorted(corpus.glob("*.jsonl")):
        if is_closed(path) or path.stem.endswith(MEASURED) or path.stem in HELD_BACK:
            continue
        if any(part in path.stem for part in without):
            continue
        for case in load(path):
            if not any(SLIPS.search(tag) for tag in case.tags):
                yield from _said(case.raw)
    for name in PHRASES:
        for said in parse_yaml((corpus / f"{name}.yaml").read_text(encoding="utf-8")).values():
            yield from said.splitlines()


def _said(raw: Any) -> Iterator[str]:
    if "text" in raw:
        yield raw["text"]
    for turn in raw.get("turns", ()):
        yield turn.get("question") or turn.get("text") or ""


def asked() -> Iterator[str]:
    """What is asked of a property and a step of one, as they are said: the words of the tables, in plain sentences."""
    for entry in roles().values():
        yield from entry.asked
        for word in (*entry.compared.high, *entry.compared.low):
            yield from (f"哪个{word}", f"哪个房间{word}", f"{word}的是哪个")
    for degree, after in product(answers().degree_of, answers().step_after):
        yield from (degree + after, f"调{degree}{after}", f"再{degree}{after}")


def words() -> list[str]:
    """Words of the vocabulary, of what things are, do and can be told, words that double a character (偷偷, by
    pypinyin's list), and whom people speak to; they count as said once."""
    signals = domain.default().signals.values()
    known = {*default_words().forms, *(word for words in signals for word in phrases(words) if GAP not in word)}
    known |= {word for features in values().features.values() for word in features}
    known |= {word for kind in kind_table().kinds.values() for word in (*kind.words, *kind.does)}
    known |= {word for word in phrases_dict if any(one == two for one, two in pairwise(word))}
    called = [f"{name}{MARK}" for name in spoken_to()]
    return sorted(word for word in known if len(word) > 1 and not word.isascii()) + sorted(called)


def as_symbols(text: str) -> str:
    """The sentence as the model counts it, without the call of a wake word."""
    text = normalise(text).text
    for word in DEFAULT_WAKE_WORDS:
        while text.startswith(word):
            text = text[len(word) :].lstrip("，,。！! ")
    signs = "".join(map(symbol, text))
    return re.sub(f"{MARK}+", MARK, signs).strip(MARK)


def _counts(texts: Iterable[str], known: Iterable[str]) -> list[Counter[str]]:
    """How often each run of one, two and three symbols occurs, by its length."""
    counts: list[Counter[str]] = [Counter() for _ in range(4)]
    for text in map(as_symbols, texts):
        whole = f"{START}{START}{text}{END}" if text else ""
        for at in range(2, len(whole)):
            for size in (1, 2, 3):
                counts[size][whole[at - size + 1 : at + 1]] += 1
    for word in known:
        signs = "".join(map(symbol, word))
        for at in range(len(signs)):
            for size in range(1, min(3, at + 1) + 1):
                run = signs[at - size + 1 : at + 1]
                counts[size][run] += counts[size][run] == 0
    return counts


def _continued(counts: list[Counter[str]]) -> list[Counter[str]]:
    """Kneser-Ney: below the longest, a run counts by how many different symbols stand before it."""
    found = [Counter[str](), Counter[str](), Counter[str](), counts[3]]
    for size in (2, 1):
        for run in counts[size + 1]:
            found[size][run[1:]] += 1
        for run, count in counts[size].items():
            if run[0] == START and size > 1:
                found[size][run] = count
    return found


def _model(counts: list[Counter[str]]) -> tuple[dict[str, float], dict[str, float], float]:
    """P of every run's last symbol, the share of each context that is left for others, and P of the unseen."""
    total = counts[1].total()
    left = DISCOUNT * len(counts[1]) / total
    unseen = left / (len(counts[1]) + UNSEEN)
    chances = {run: max(count - DISCOUNT, 0) / total + unseen for run, count in counts[1].items()}
    shares: dict[str, float] = {}
    for size in (2, 3):
        totals: Counter[str] = Counter()
        kinds: Counter[str] = Counter()
        for run, count in counts[size].items():
            totals[run[:-1]] += count
            kinds[run[:-1]] += 1
        for context, seen in totals.items():
            shares[context] = DISCOUNT * kinds[context] / seen
        for run, count in counts[size].items():
            context = run[:-1]
            lower = chances.get(run[1:]) or shares.get(run[1:-1], 1.0) * chances.get(run[-1], unseen)
            chances[run] = (count - DISCOUNT) / totals[context] + shares[context] * lower
    return chances, shares, unseen


def stored(texts: Iterable[str], known: Iterable[str]) -> Stored:
    """The model of these sentences and words."""
    chances, shares, unseen = _model(_continued(_counts(texts, known)))
    signs = "".join(sorted({sign for run in chances for sign in run} | {START}))
    numbers = {sign: number for number, sign in enumerate(signs)}
    following: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for run, chance in chances.items():
        if len(run) > 1:
            following[run[:-1]].append((_steps(chance), numbers[run[-1]]))
    pairs = sorted((numbers[run[0]] << 16 | numbers[run[1]], run) for run in following if len(run) == 2)
    starts, nexts, costs, back = array("I", [0]), array("H"), bytearray(), bytearray()
    for context in (*signs, *(run for _, run in pairs)):
        for cost, number in sorted(following.get(context, ())):
            nexts.append(number)
            costs.append(cost)
        starts.append(len(nexts))
        back.append(_steps(shares.get(context, 1.0)))
    keys = array("I", [key for key, _ in pairs])
    if sys.byteorder == "big":
        for numbered in (starts, nexts, keys):
            numbered.byteswap()
    singles = bytes(_steps(chances.get(sign, unseen)) for sign in signs)
    return Stored(
        1, signs, singles, keys.tobytes(), starts.tobytes(), nexts.tobytes(), bytes(costs), bytes(back),
        unknown=round(math.log(unseen), 4),
    )  # fmt: skip


def _steps(chance: float) -> int:
    return min(255, round(-math.log(chance) * STEPS))


def fingerprint(texts: Iterable[str], known: Iterable[str], model: bytes) -> str:
    """What `hearing.sources` holds: checksums of what a model is counted from, and of the model."""
    how = f"{DISCOUNT} {UNSEEN} {STEPS}"
    counted = "\n".join((how, *map(as_symbols, texts), "", *known))
    named = (("counted from", counted.encode()), ("hearing.bin", model))
    return "".join(f"{name}: {hashlib.sha256(data).hexdigest()}\n" for name, data in named)


def _is_stale(model: Path, texts: Iterable[str], known: Iterable[str]) -> bool:
    """Whether the model is not of these sentences and words; says so."""
    stale = model.with_suffix(SOURCES).read_text("utf-8") != fingerprint(texts, known, model.read_bytes())
    if stale:
        print(f"{model.name} is stale: run `make train-hearing` and commit {model.name} and {model.stem}{SOURCES}")
    return stale


def main(arguments: list[str] | None = None) -> int:
    """Counts and writes; prints what was written. With `--check` only looks: 1 where the file is stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=CORPUS)
    parser.add_argument("--without", nargs="*", default=(), help="parts of the names of sets to leave out")
    parser.add_argument("--out", type=Path, default=MODEL)
    parser.add_argument("--check", action="store_true", help="say whether the file is stale; write nothing")
    options = parser.parse_args(arguments)
    texts, known = [*sentences(options.corpus, without=options.without), *asked()], words()
    if options.check:
        return int(_is_stale(options.out, texts, known))
    data = msgspec.msgpack.encode(stored(texts, known))
    options.out.write_bytes(data)
    options.out.with_suffix(SOURCES).write_text(fingerprint(texts, known, data), "utf-8")
    print(f"{options.out.name}: {len(texts)} sentences, {len(data)} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
