"""Templates, the domain file's validation, the directory file's (hospital.md, Domain)."""

import pytest

from tingdong.errors import DataError
from tingdong.front_desk import directory, domain
from tingdong.front_desk.lexicon import PhraseIndex, expand


def test_templates_stand_for_every_phrase() -> None:
    """Alternatives, optional parts and their products; nothing empty."""
    assert set(expand("(挂|看)[个]号")) == {"挂号", "挂个号", "看号", "看个号"}
    assert expand("[啊]") == ["啊"]


@pytest.mark.parametrize("template", ["(挂|看", "挂]号", "[个"])
def test_a_broken_template_is_named(template: str) -> None:
    """A bracket that does not match stops loading, and the message shows the template."""
    with pytest.raises(DataError) as caught:
        expand(template)
    assert template in str(caught.value)


def test_a_gap_ends_at_punctuation_and_at_a_negation() -> None:
    """嘴…歪 is found in 嘴有点歪, not across a comma, and not in 嘴没歪."""
    index = PhraseIndex(negators="没不")
    index.add("嘴…歪", 1)
    index.freeze()
    assert [(hit.start, hit.end) for hit in index.find("嘴有点歪")] == [(0, 4)]
    assert index.find("嘴，歪") == []
    assert index.find("嘴没歪") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pt and ptt", ["pt"]),
        ("september", []),
        ("做个pt多少钱", ["pt"]),
        ("suffocating", ["suffocat"]),
        ("unsuffocated", []),
    ],
)
def test_latin_words_are_whole_words(text: str, found: list[str]) -> None:
    """Short ones begin and end where a word does, stems only begin there: no indicator inside an English word."""
    index = PhraseIndex()
    index.add("pt suffocat", 1)
    index.freeze()
    assert [text[hit.start : hit.end] for hit in index.find(text)] == found


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    lane: medical\n    title: 分诊", "    lane: nowhere\n    title: 分诊", "agents.triage.lane"),
        ("    title: 分诊", "    tilte: 分诊", "tilte"),
        ('kind: "signal:symptom"', 'kind: "signal:nothing"', "agents.triage.slots.symptom.kind"),
        ("priority: [doc-direct", "priority: [nobody, doc-direct", "priority"),
    ],
)
def test_a_broken_domain_names_file_and_key(old: str, new: str, said: str) -> None:
    """Strict validation: a wrong key or a name that points to nothing is reported with its place."""
    text = domain.DEFAULT_DOMAIN.read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(DataError) as caught:
        domain.parse(text.replace(old, new, 1).encode(), name="mine.yaml")
    assert "mine.yaml" in str(caught.value)
    assert said in str(caught.value)


def test_a_directory_knows_aliases_and_refuses_doubles() -> None:
    """A department said by an alias has its directory name; one word names one department only."""
    known = directory.parse("departments: [{name: 口腔科, aliases: [牙科]}]".encode())
    assert known.place("牙科") == "口腔科"
    with pytest.raises(DataError, match="牙科"):
        directory.parse("departments: [{name: 口腔科, aliases: [牙科]}, {name: 牙科}]".encode())
    with pytest.raises(DataError, match="眼科"):
        directory.parse("doctors: [{name: 王五, department: 眼科}]".encode())
