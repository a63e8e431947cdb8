"""`python -m bench.train_turns`: what each clause of a turn at home does, learned (make train-turns).

Reads tests/corpus/home_said_*.txt but the closed voices, and writes `home_dialogue/data/functions.bin` and
`clause_ends.bin`; the same turns give the same files. With `--check` it also leaves out one voice after the other, and
says how its clauses are read and what thresholds would do; then how the closed voices are, in total.
"""

import argparse
import time
from collections import Counter
from collections.abc import Mapping, Sequence

from bench.said_at_home import CORPUS, Labelled, ends, example, labelled, varied, without_signs
from tingdong.home_dialogue.function_signs import ending
from tingdong.home_dialogue.functions import CLAUSE_ENDS, END, INSIDE, MODEL, Function
from tingdong.learned import fitting, statistics
from tingdong.learned.calibrating import calibrated
from tingdong.learned.chain import ChainWeights, LabelChain, dump, labels_of
from tingdong.learned.chain_fit import Example, fit

CLOSED = "check"
PENALTY = 1.0
UNKNOWN = (
    "哪吒",
    "小飞侠",
    "大圣",
    "投屏器",
    "蒸箱",
    "壁炉",
    "跑步机",
    "水晶球",
    "雪花机",
    "老黄",
    "阿福",
    "天幕",
    "扫把",
)
"""Names of things that no home of the labelled turns has."""
SHARES = (0.7, 0.8, 0.9, 0.95, 0.97)
QUIET = (Function.TELL, Function.ASK)

Leanings = Mapping[str, float]


def voices(*, closed: bool) -> dict[str, list[Labelled]]:
    """The labelled turns by the name of their voice."""
    paths = sorted(CORPUS.glob("home_said_*.txt"))
    return {
        path.stem.removeprefix("home_said_"): list(labelled(path)) for path in paths if (CLOSED in path.stem) is closed
    }


def learned_ends(turns: Sequence[Labelled]) -> bytes:
    """The model of where a clause ends without a pause."""
    examples = list(ends([*turns, *(one for one in varied(turns, UNKNOWN))]))
    names, weights = fitting.fit(examples, (END, INSIDE), least_count=2, batch=400)
    return statistics.dump((END, INSIDE), names, weights)


def learn(examples: list[Example]) -> ChainWeights:
    """The weights of the functions."""
    return fit(examples, labels_of((), tuple(Function)), penalty=PENALTY)


def trained(said: Mapping[str, Sequence[Labelled]]) -> tuple[bytes, bytes]:
    """Both models, as files' bytes."""
    turns = [one for told in said.values() for one in told]
    clause_ends = learned_ends(turns)
    cut = ending(statistics.parse(clause_ends).leanings(END, INSIDE))
    examples = {name: [example(one, cut) for one in varied(told, UNKNOWN)] for name, told in said.items()}
    return dump(calibrated(examples, (), learn)), clause_ends


class Score:
    """Right clauses by function, and at thresholds what a veto of what tells or asks would take away."""

    def __init__(self) -> None:
        self.right: Counter[str] = Counter()
        self.of: Counter[str] = Counter()
        self.vetoed: Counter[float] = Counter()
        self.harmed: Counter[float] = Counter()
        self.mistaken: Counter[tuple[str, str]] = Counter()

    def add(self, chain: LabelChain, one: Example) -> None:
        stretches, labels = one
        for (found, chances), label in zip(chain.read(stretches), labels, strict=True):
            self.of[label] += 1
            self.right[label] += found == label
            if found != label:
                self.mistaken[label, found] += 1
            quiet = sum(chances[name] for name in QUIET)
            for share in SHARES:
                if quiet >= share:
                    self.vetoed[share] += label in QUIET
                    self.harmed[share] += label not in QUIET

    @property
    def share(self) -> float:
        return sum(self.right.values()) / max(sum(self.of.values()), 1)

    def told(self) -> str:
        by = ", ".join(f"{name} {self.right[name] / count:.0%} of {count}" for name, count in sorted(self.of.items()))
        quiet = max(sum(self.of[name] for name in QUIET), 1)
        others = max(sum(self.of.values()) - quiet, 1)
        vetoes = "; ".join(
            f">={one}: {self.vetoed[one] / quiet:.1%} of them, {self.harmed[one] / others:.2%} of others"
            for one in SHARES
        )
        return f"{self.share:.1%} of {sum(self.of.values())} clauses ({by})\n    tells or asks {vetoes}"


def scored(files: tuple[bytes, bytes], turns: Sequence[Labelled]) -> tuple[Score, Score]:
    """As written, and without signs."""
    from tingdong.learned.chain import parse

    chain, cut = parse(files[0]), ending(statistics.parse(files[1]).leanings(END, INSIDE))
    found = Score(), Score()
    for turn in turns:
        found[0].add(chain, example(turn, cut))
        found[1].add(chain, example(without_signs(turn), cut))
    return found


def check(said: Mapping[str, Sequence[Labelled]]) -> None:
    """Every voice as read by what the others taught."""
    whole = Score(), Score()
    for name, turns in said.items():
        files = trained({other: told for other, told in said.items() if other != name})
        written, bare = scored(files, turns)
        print(f"without {name}: {written.share:.1%}, without signs {bare.share:.1%}", flush=True)
        for total, part in zip(whole, (written, bare), strict=True):
            for mine, its in zip(vars(total).values(), vars(part).values(), strict=True):
                mine.update(its)
    print(f"voices left out: {whole[0].told()}\nwithout signs: {whole[1].told()}")
    print("mistaken most:", ", ".join(f"{a}>{b} {n}" for (a, b), n in whole[0].mistaken.most_common(12)))


def main(*, checks: bool) -> None:
    """Trains and writes; prints what it learned from."""
    begun = time.perf_counter()
    said = voices(closed=False)
    print(", ".join(f"{name} {len(told)}" for name, told in said.items()))
    files = trained(said)
    for path, data in zip((MODEL, CLAUSE_ENDS), files, strict=True):
        path.write_bytes(data)
        print(f"{path.name}: {len(data) // 1024} KiB")
    print(f"{time.perf_counter() - begun:.0f} s")
    if checks:
        check(said)
        for name, turns in voices(closed=True).items():
            written, bare = scored(files, turns)
            print(f"closed {name}: {written.told()}\n  without signs: {bare.told()}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="Also leave voices out, and score the closed ones.")
    main(checks=parser.parse_args().check)
