"""`python -m bench.onepass read SENTENCE` and `python -m bench.onepass score SET.jsonl`: the one-pass trial."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.onepass.learned import advice
from bench.onepass.reading import DATA, OnePassReader
from bench.onepass.weights import load
from context_retrieval.protocol import or_unknown
from tingdong.commands.words import default_words
from tingdong.evaluate.commands import Read, score_case
from tingdong.evaluate.corpus import load as load_cases
from tingdong.reader import sentence_reader

__all__ = ["main"]


def read(reader: OnePassReader, text: str) -> None:
    """Print the commands, then how sure the network is of them."""
    found = reader.look(text)
    if found is None:
        print("not read: empty or too long")
        return
    for command in or_unknown(found.commands):
        print(command)
    guess = found.guess
    rules = "cannot be pointed at" if found.rules is None else f"log P {found.rules:.2f}"
    print(f"log P {guess.score:.2f}, least sure choice {guess.worst:.3f}, mood {guess.mood} (fits {guess.fits:.3f})")
    print(f"veto: {found.veto or 'none'}; the rules' commands: {rules}")


def score(reader: OnePassReader, path: Path) -> None:
    """Print the exact share of a labelled set, beside that of the reader of today."""
    cases = load_cases(path)
    reads: dict[str, Read] = {"one pass": reader.read, "today's reader": sentence_reader().read}
    for name, one in reads.items():
        right = sum(score_case(case, one).right for case in cases)
        print(f"{name}: {right} of {len(cases)} exactly right, {right / len(cases):.1%}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read one sentence, or score one set."""
    parser = argparse.ArgumentParser(prog="python -m bench.onepass", description=__doc__)
    parser.add_argument("work", choices=("read", "score"))
    parser.add_argument("what", help="a sentence, or a labelled set (JSONL)")
    parser.add_argument("--weights", type=Path, default=DATA, help="folder of reader.npz")
    options = parser.parse_args(arguments)
    trained = load(options.weights)
    if told := advice(trained, default_words()):
        print(told, file=sys.stderr)
    reader = OnePassReader(trained)
    if options.work == "read":
        read(reader, options.what)
    else:
        score(reader, Path(options.what))


if __name__ == "__main__":
    main()
