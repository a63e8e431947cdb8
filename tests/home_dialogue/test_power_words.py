"""Nothing but power words switch on what was spoken of before (home.md, A plan: acts never fall back to `power`).

Every word of `actions.yaml`, said by itself, after a thing of every kind was switched off. Which words are power words
stands in `power_words.yaml`, and is not asked of the code.
"""

import json
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import QueryIR
from tingdong.commands.reading import Reading
from tingdong.home.cache import HomeStore, load_home
from tingdong.home.home import HomeSnapshot
from tingdong.home.vocabulary import kinds
from tingdong.home_dialogue.page import Doing, Page
from tingdong.home_dialogue.step import Circumstances, step
from tingdong.reader import sentence_reader

SCENE = Circumstances(datetime(2026, 11, 27, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai")), local="客厅")
POWER = {"type": "bool", "range": [True, False]}
TABLE = yaml.safe_load(Path(__file__).with_name("power_words.yaml").read_text(encoding="utf-8"))
ANY = frozenset(TABLE["any"].split())
OWN = {
    kind: frozenset(word for deed in deeds for word in TABLE["own"][deed].split())
    for kind, deeds in TABLE["kinds"].items()
}


def spoken_words() -> Iterator[str]:
    """Every word for something that is done, of whatever kind of thing."""
    actions = default_lexicon().actions
    for verb in actions.verbs.values():
        yield from f"{verb.strong} {verb.weak}".split()
    for words in (actions.up, actions.down, *actions.partial.values()):
        yield from words.split()
    for said in actions.said_of:
        yield from said.does.split()
        for words in said.acts.values():
            yield from words.split()


WORDS = sorted(set(spoken_words()))


@cache
def read(word: str) -> Reading:
    return sentence_reader().read(word, off("hub").shape.names)


@cache
def off(key: str) -> HomeSnapshot:
    """A home with one thing, of that kind, which has a switch and is off."""
    model = {"m": {"name": key, "describe": f"{kinds()[key].word}。", "property": {"power": POWER}}}
    device = {
        "id": "d",
        "name": kinds()[key].word,
        "local": "客厅",
        "device": {"model": "m", "state": {"power": False}},
    }
    document = {"layout": ["客厅"], "model": model, "devices": [device]}
    return load_home(json.dumps(document, ensure_ascii=False).encode(), HomeStore())


def switched_on(word: str, key: str) -> bool:
    """Whether the word, said by itself, switches a thing of the kind on that was switched off the turn before."""
    home = off(key)
    thing = home.shape.devices["d"]
    query = QueryIR("关闭", include=("客厅",), name=thing.plain, type=thing.type)
    page = Page("p", turn=1, last=Doing((query,), ("d",), ("d",), turn=1))
    _, outcome = step(page, read(word), home, SCENE)
    return any(one.state.get("power") is True for one in outcome.instructs)


@given(st.sampled_from(WORDS), st.sampled_from(sorted(kinds())))
def test_only_a_power_word_switches_on_what_was_spoken_of(word: str, key: str) -> None:
    """Some words and kinds, each time others; all of them below."""
    assert not switched_on(word, key) or word in ANY or word in OWN.get(key, frozenset())


@pytest.mark.parametrize("key", sorted(kinds()))
def test_no_verb_switches_on_a_kind_it_does_not_fit(key: str) -> None:
    """Every word, at every kind."""
    allowed = ANY | OWN.get(key, frozenset())
    assert [word for word in WORDS if word not in allowed and switched_on(word, key)] == []


@pytest.mark.parametrize("word", ["打开", "开", "启动", "通电", "开机", "把它打开"])
def test_a_power_word_switches_on_again(word: str) -> None:
    """What was switched off is switched on again by such a word."""
    assert switched_on(word, "extractor")
