"""The ledger of known failures of the served reading is bounded and holds nothing that no test says."""

from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def test_known_failures_only_get_fewer(known_failures: Any) -> None:
    """`most` is how many there are: a row more does not fit, and after one less it falls."""
    assert sum(map(len, known_failures.sentences.values())) == known_failures.most


def test_every_known_failure_is_a_sentence_of_its_test(known_failures: Any) -> None:
    """A row that no test speaks of hides nothing and is taken out."""
    tests = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    said = tests + "".join(path.read_text(encoding="utf-8") for path in HERE.glob("own_*.yaml"))
    for test, sentences in known_failures.sentences.items():
        assert f"def {test}(" in tests
        assert [text for text in sentences if text not in said] == []
