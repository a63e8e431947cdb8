"""What a desk learns from its own sentences: when a model serves, and what is said where none does (hospital.md, Per
turn)."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tingdong.errors import DataError
from tingdong.front_desk.desk import Desk
from tingdong.front_desk.directory import EMPTY
from tingdong.front_desk.domain import Domain, load
from tingdong.front_desk.lacking import lacking
from tingdong.front_desk.own_models import model_path
from tingdong.front_desk.read import models_of
from tingdong.front_desk.train_domain import train_domain

DOMAINS = Path(__file__).parents[2] / "examples" / "domains"


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """The bank's files, in a folder of their own."""
    for file in DOMAINS.glob("bank.*"):
        shutil.copy(file, tmp_path)
    return tmp_path / "bank.yaml"


def test_the_shipped_desks_lack_nothing() -> None:
    """The models beside the examples are those of what the files say now, and the hospital goes without nothing."""
    people = DOMAINS / "vet.directory.yaml"
    assert Desk().lacks == ()
    assert Desk(domain=DOMAINS / "bank.yaml", directory=None).lacks == ()
    assert Desk(domain=DOMAINS / "vet.yaml", directory=people).lacks == ()


def test_the_same_sentences_give_the_same_bytes(bank: Path) -> None:
    """Training is deterministic, and tells how far it is."""
    steps: list[str] = []
    domain = load(bank)
    first = train_domain(domain, EMPTY, steps.append)
    assert steps == ["classes", "borders"]
    assert first == train_domain(domain, EMPTY)


def changed(file: Path, old: str, new: str) -> Domain:
    told = file.read_text("utf-8")
    assert old in told
    file.write_text(told.replace(old, new, 1), "utf-8")
    return load(file.with_name("bank.yaml"))


def test_a_model_of_another_state_asks_to_be_made_anew(bank: Path) -> None:
    """A changed word, agent or sentence: words alone decide, and that is said; a changed reply changes nothing."""
    assert models_of(changed(bank, "好的，记下了。", "好的，记住了。")).classes is not None
    for file, old, new in ((bank, "厕所", "卫生角"), (bank.with_name("bank.sentences.yaml"), "我要挂失", "我来挂失")):
        domain = changed(file, old, new)
        assert models_of(domain).classes is None
        assert any("retrain" in line for line in lacking(domain, EMPTY))


def test_without_a_model_or_sentences_words_alone_decide(bank: Path) -> None:
    """Both are said, and nothing of another desk's models is borrowed."""
    bank.with_suffix(".model").unlink()
    assert any("train-domain bank.yaml" in line for line in lacking(load(bank), EMPTY))
    bank.with_name("bank.sentences.yaml").unlink()
    domain = load(bank)
    assert models_of(domain) == (None, None, None, None)
    assert any(line.startswith("sentences: none") for line in lacking(domain, EMPTY))


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        ("nobody: 你好\n", r"nobody: not an agent"),
        ("loan: [我要贷款]\n", "one sentence per line"),
        ("- 你好\n", "codes"),
    ],
)
def test_broken_sentences_are_refused(bank: Path, lines: str, where: str) -> None:
    """At load, with file and key."""
    bank.with_name("bank.sentences.yaml").write_text(lines, "utf-8")
    with pytest.raises(DataError, match=where):
        Desk(domain=bank, directory=None)


def test_too_few_sentences_are_counted(bank: Path) -> None:
    """Ten an agent at least: nothing is learned of fewer."""
    bank.with_name("bank.sentences.yaml").write_text("loan: |\n  我要贷款\n", "utf-8")
    with pytest.raises(DataError, match=r"loan \(1\)"):
        train_domain(load(bank), EMPTY)


@pytest.mark.parametrize("raw", [b"", b"{}\n", b'{"fingerprint": "x", "parts": {"classes": 9}}\nshort', b"\xff\xfe"])
def test_a_broken_model_file_is_refused(bank: Path, raw: bytes) -> None:
    """Never half a model."""
    path = model_path(load(bank))
    assert path is not None
    path.write_bytes(raw)
    with pytest.raises(DataError, match=r"bank\.model"):
        Desk(domain=bank, directory=None)


def test_missing_parts_of_a_file_are_reported(bank: Path, caplog: Any) -> None:
    """No flag of a danger, no agent that anything leads to, no words that end a task: said when the desk is loaded."""
    changed(bank, "    - {label: self_harm, any: [despair]}\n", "")
    changed(bank, "    - {kind: cancel, phrases: 不办了 不转了 不挂了 取消 算了}\n", "")
    desk = Desk(domain=bank, directory=None)
    assert any("self_harm" in line for line in desk.lacks)
    assert any("no words for cancel" in line for line in desk.lacks)
    assert len(caplog.records) == len(desk.lacks)


def test_the_command_trains_and_the_doctor_tells(bank: Path, tingdong: Any) -> None:
    """`tingdong train-domain` writes the model that `tingdong doctor` misses."""
    model = bank.with_suffix(".model")
    shipped = model.read_bytes()
    model.unlink()
    assert "words alone decide" in tingdong("doctor", "--domain", str(bank)).out
    assert tingdong("train-domain", str(bank)).status == 0
    assert model.read_bytes()[:40] == shipped[:40]
    again = shutil.copytree(bank.parent, bank.parent / "again")
    assert "words alone decide" not in tingdong("doctor", "--domain", str(again / "bank.yaml")).out
