"""Variation of training sentences: text and commands change together, and fixed seeds give the same ones."""

from pathlib import Path

import pytest

from tingdong.commands.words import Kind
from tingdong.reader.spots import SentenceSpotter
from tingdong.reader.training.framing import Framer
from tingdong.reader.training.generate import Varier
from tingdong.reader.training.inventing import invented_name, invented_room
from tingdong.reader.training.requests import amended, elsewhere, excepted, listed, moded, request
from tingdong.reader.training.rewording import Reworder
from tingdong.reader.training.samples import Sample, load, phrases

CORPUS = Path(__file__).parents[1] / "corpus"


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return list(load([CORPUS / "commands_dev.jsonl"]))


def drawn(samples: list[Sample], seed: int, count: int) -> list[Sample]:
    varier = Varier(SentenceSpotter(), samples, seed)
    return [varier.draw() for _ in range(count)]


def test_fixed_seeds_give_the_same_sentences(samples: list[Sample]) -> None:
    """Training is reproducible: one seed, one row of sentences."""
    assert drawn(samples, 5, 40) == drawn(samples, 5, 40)
    assert drawn(samples, 5, 40) != drawn(samples, 6, 40)


def test_rooms_and_names_follow_the_text(samples: list[Sample]) -> None:
    """What is exchanged in the text is exchanged in the commands: nearly every room and name still stands in it."""
    words = found = 0
    for sample in drawn(samples, 7, 300):
        text = sample.text.casefold()
        for command in sample.commands:
            target = command.target
            said = [*command.scope.include, *command.scope.exclude, *target.excluded]
            for word in (*said, *({target.name} - {"*", "@last"})):
                words += 1
                found += word.casefold() in text
    assert words > 100
    assert found >= 0.97 * words


def test_a_withheld_request_gives_no_commands(samples: list[Sample]) -> None:
    """commands.md: refused, put off without a time, told, asked about or taken back: no commands; at a time: WHEN."""
    import random

    framer = Framer(SentenceSpotter(), phrases(), random.Random(2))
    for seed in range(40):
        bare = request(phrases(), random.Random(seed))
        assert bare.commands
        assert framer.empty(bare).commands == ()
        timed = framer.timed(bare)
        assert timed is None or all(command.action.when for command in timed.commands)
        assert framer.corrected(bare, bare).commands == bare.commands


def test_urging_words_change_nothing_and_refused_clauses_are_dropped(samples: list[Sample]) -> None:
    """commands.md, Order and splitting: 能不能关灯 is the request itself; of 别开灯，关空调 the second half is left."""
    import random

    framer = Framer(SentenceSpotter(), phrases(), random.Random(3))
    for seed in range(0, 40, 2):
        first, second = (request(phrases(), random.Random(seed + i)) for i in (0, 1))
        assert framer.urged(first).commands == first.commands
        contrasted = framer.contrasted(first, second)
        assert contrasted.commands == second.commands
        assert "{" not in contrasted.text + framer.urged(first).text


def test_a_self_correction_keeps_the_last_value() -> None:
    """commands.md, Order and splitting: self-correction keeps the last word, be it the room, the thing, the act or the
    value."""
    import random

    for seed in range(60):
        sample = amended(phrases(), random.Random(seed))
        (command,) = sample.commands
        said = [*command.scope.include, *({command.target.name} - {"*"})]
        assert all(word in sample.text for word in said)


def test_invented_names_end_like_their_type() -> None:
    """commands.md: names and rooms are read by form; an invented name ends like its type."""
    import random

    rng = random.Random(1)
    lexicon = SentenceSpotter().lexicon
    for kind in ("Light", "Fan", "Blind", "SmartPlug"):
        names = [invented_name(kind, phrases(), rng) for _ in range(40)]
        found = [lexicon.kinds[key].type.value for name in names if (key := lexicon.kind_of_name(name)) is not None]
        assert found.count(kind) >= 30
    assert len({invented_room(phrases(), rng) for _ in range(200)}) > 150


def test_rewording_keeps_the_meaning_of_the_verb(samples: list[Sample]) -> None:
    """A word gives way only to one that the word table reads alike: 打开 never becomes 关闭."""
    import random

    spotter = SentenceSpotter()
    reworder = Reworder(spotter, [sample.text for sample in samples], random.Random(2))
    said = {t.text: t.value for s in samples for t in spotter.read(s.text).tokens if t.kind in (Kind.VERB, Kind.WEAK)}
    changed = 0
    for sample in samples * 3:
        spots = spotter.read(sample.text)
        for (start, end), fresh in reworder.edits(spots, acts=True).items():
            token = spots.spanning(start, end)
            if token is not None and token.kind in (Kind.VERB, Kind.WEAK) and fresh in said:
                changed += fresh != token.text
                assert said[fresh] == token.value
    assert changed > 20


def test_excluded_devices_are_in_no_command() -> None:
    """commands.md, SCOPE: an exclusion made of words names what it leaves out, by room or by name."""
    import random

    for seed in range(60):
        sample = excepted(phrases(), random.Random(seed))
        command, *further = sample.commands
        assert command.scope.exclude or command.target.excluded
        for after in further:
            assert after.scope.include
            assert not after.scope.exclude
            assert not {*after.scope.include} & {*command.scope.include, *command.scope.exclude}, sample
        assert all(word in sample.text for word in (*command.scope.exclude, *command.target.excluded))
        assert len(listed(phrases(), random.Random(seed)).commands) >= 2


def test_a_room_said_once_holds_for_the_joined_sentence() -> None:
    """commands.md, SCOPE: a room said once holds for the targets after it."""
    import random

    framer = Framer(SentenceSpotter(), phrases(), random.Random(1))
    first, second = (next(iter(load_lines(line))) for line in (
        '{"text": "打开书房的灯", "gold": ["打开-书房-*#Light#all"]}',
        '{"text": "把窗帘拉上", "gold": ["关闭-*-*#Blind#all"]}',
    ))  # fmt: skip
    joined = framer.joined(first, second)
    assert joined is not None
    assert [str(command) for command in joined.commands] == ["打开-书房-*#Light#all", "关闭-书房-*#Blind#all"]


def test_an_exclusion_joined_to_a_sentence_ends_there() -> None:
    """commands.md, SCOPE: what is left out of one clause is left out of it alone; unclear where the next has no
    room."""
    import random

    framer = Framer(SentenceSpotter(), phrases(), random.Random(1))
    first, second, bare = (next(iter(load_lines(line))) for line in (
        '{"text": "除了厨房的灯都打开", "gold": ["打开-*,!厨房-*#Light#except"]}',
        '{"text": "卧室空调调到24度", "gold": ["设置温度=24C-卧室-*#AirConditioner#all"]}',
        '{"text": "把窗帘拉上", "gold": ["关闭-*-*#Blind#all"]}',
    ))  # fmt: skip
    joined = framer.joined(first, second)
    assert joined is not None
    assert joined.commands == (*first.commands, *second.commands)
    assert framer.joined(first, bare) is None


def load_lines(line: str) -> list[Sample]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.jsonl"
        path.write_text(line, encoding="utf-8")
        return list(load([path]))


def test_a_mode_that_nobody_listed_is_a_word_of_the_sentence() -> None:
    """commands.md, ACTION: 设置模式 takes any mode; those made of words are never from the lexicon's list alone."""
    import random

    made = [moded(phrases(), random.Random(seed)) for seed in range(60)]
    for sample in made:
        assert [command.action.verb for command in sample.commands] == ["设置模式"]
        assert (sample.commands[0].action.value or "?") in sample.text
    assert len({sample.commands[0].action.value for sample in made}) > 30


def test_a_sentence_that_a_home_cannot_do_gives_no_command() -> None:
    """Weather, alarms, shows and news leave no command, and no field of their frames unfilled."""
    import random

    for seed in range(80):
        sample = elsewhere(phrases(), random.Random(seed))
        assert sample.commands == ()
        assert sample.text
        assert "{" not in sample.text
