"""Cost of the learned reader: a sentence that touches the network, how many do, and the memory it takes."""

import subprocess
import sys
from collections.abc import Iterator

from bench.harness import Figure, frame, labelled, measure
from tingdong.commands import LocalParser
from tingdong.reader.arbiter import default_model
from tingdong.reader.learned import shipped
from tingdong.reader.together import TogetherReader, is_sure

__all__ = ["extras", "figures"]

PROBE = """
from pathlib import Path
from tingdong.commands import LocalParser
from tingdong.reader import sentence_reader
resident = lambda: int(Path("/proc/self/statm").read_text().split()[1]) * 4096
rules = LocalParser()
rules.read("打开客厅的灯")
before = resident()
sentence_reader(rules).read("那个啥客厅的小玩意儿你看着整一下呗")
print(resident() - before)
"""


def figures() -> Iterator[Figure]:
    """A sentence that the rules are not sure of, rules and network together."""
    if shipped() is None:
        return
    rules = LocalParser()
    texts = [case["text"] for case in labelled("commands_second")]
    unsure = [text for text in texts if not is_sure(rules.read(text), default_model().sure)]
    yield measure(
        "rules and learned reader, sentences that the rules are not sure of",
        lambda: TogetherReader(LocalParser()).read,
        unsure,
        baseline=frame("villa120"),
        warm=[case["text"] for case in labelled("commands_dev")[::20]],
    )


def extras() -> str:
    """How many sentences of each open set touch the network, and the memory it adds."""
    reader = TogetherReader(LocalParser())
    parts = []
    for name in ("commands_dev", "commands_train", "commands_second"):
        before, texts = reader.asked, [case["text"] for case in labelled(name)]
        for text in texts:
            reader.read(text)
        parts.append(f"{name} {reader.asked - before} of {len(texts)}")
    asked = f"network asked: {', '.join(parts)}"
    if sys.platform != "linux":
        return asked
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)
    return f"{asked}; it adds {int(done.stdout) / 2**20:.0f} MB resident"
