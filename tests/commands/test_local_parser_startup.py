"""What the parser needs to start: no slow imports, and the vocabulary compiled.

The time is measured by `python -m bench`; here stands what keeps it low, which no load on the machine can change.
"""

import json
import subprocess
import sys

from context_retrieval.lexicon import Lexicon, compiled_lexicon
from tingdong.commands.words import WordTable, default_words

SLOW = {"yaml", "importlib.resources", "pydantic", "numpy", "rapidfuzz", "asyncio", "typer", "unittest", "email"}
MOST_MODULES = 149
CODE = """
import json, sys
bare = set(sys.modules)
from tingdong.commands import LocalParser
parser = LocalParser()
parser.read('打开卧室顶灯')
assert parser.read('把空条调到三十而度').heard.changes
print(json.dumps(sorted(set(sys.modules) - bare)))
"""


def test_starting_imports_nothing_slow() -> None:
    """Importing, loading and reading, what is garbled too, needs no YAML, no arrays, no settings and no event loop."""
    done = subprocess.run([sys.executable, "-I", "-c", CODE], check=True, capture_output=True, text=True)
    modules = set(json.loads(done.stdout))
    assert modules & SLOW == set()
    assert len(modules) <= MOST_MODULES


def test_compiled_vocabulary_is_what_the_files_say() -> None:
    """`data/lexicon.json` is fresh; `python -m context_retrieval.lexicon` (or `make vocabulary`) writes it anew."""
    compiled = compiled_lexicon()
    assert compiled is not None
    read = Lexicon.load()
    assert compiled == read
    assert WordTable.build(read).forms == default_words().forms
