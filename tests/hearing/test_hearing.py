"""Laws of the hearing: what is said plainly stays, names stay, and nothing delicate changes in silence."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tingdong.hearing import Hearer, KnownSpans, Names, default_hearer, names
from tingdong.hearing.guards import compiled, guards, is_numeral, load_guards
from tingdong.hearing.language import TrigramModel, default_language
from tingdong.hearing.search import costs
from zhtext.normalise import normalise
from zhtext.package_data import read_bytes
from zhtext.quantities import QuantityKind, find_quantities

unhurried = settings(deadline=None)
HOME = Names(("老伙计", "书香阁", "开心果", "客厅", "吸顶灯", "床头灯", "空调", "玄关"), calls=("小牛",))
HANZI = st.text(
    alphabet=st.sampled_from("开关灯空调的把不吗十四八二客厅老伙计打度条登而置牛，吧别哪除室外"), max_size=14
)
PLAIN = ("打开客厅的灯", "关掉空调", "空调调到二十六度", "小牛，打开灯", "老伙计亮一点", "床头灯是开的吗", "别关灯")


@pytest.mark.parametrize("text", PLAIN)
def test_a_usual_sentence_stays_as_it_is(text: str) -> None:
    """What is probable as it is said is not touched (commands.md: commands are what was said)."""
    heard = default_hearer().hear(text, HOME)
    assert (heard.text, heard.changes, heard.asks) == (text, (), "")


@pytest.mark.parametrize(
    ("said", "understood"),
    [
        ("把老火计打开", "把老伙计打开"),
        ("书乡阁的灯关了", "书香阁的灯关了"),
        ("空条调到三十而度", "空调调到三十二度"),
        ("床头等亮度百分置七十五", "床头灯亮度百分之七十五"),
        ("消牛，打开灯", "小牛，打开灯"),
        ("空空调打开", "空调打开"),
        ("空调打凯", "空调打开"),
    ],
)
def test_slips_of_every_kind_are_repaired(said: str, understood: str) -> None:
    """Homophones, near sounds and doubled characters; in names, words, numbers and the call."""
    heard = default_hearer().hear(said, HOME)
    assert heard.text == understood
    assert all(heard.said[change.start : change.end] == change.heard for change in heard.changes)
    assert all(0.5 < change.sure <= 1 for change in heard.changes)


def _kinds(text: str) -> Iterator[str]:
    return (character for character in text if character in guards().kept | guards().numerals)


@unhurried
@given(HANZI)
def test_nothing_delicate_changes_in_silence(text: str) -> None:
    """No refusal, no question word and no number that was heard is gone or another (architecture, law 2)."""
    heard = default_hearer().hear(text, HOME)
    for change in heard.changes:
        if change.heard in change.understood:  # a lost character was filled in
            continue
        assert change.heard not in guards().kept or change.understood in guards().kept or not change.understood
        assert not (change.heard in guards().numerals and change.understood in guards().numerals)
        assert change.understood or change.heard not in guards().numerals


@unhurried
@given(st.sampled_from(HOME.words), HANZI, HANZI)
def test_a_name_said_exactly_is_never_touched(name: str, before: str, after: str) -> None:
    """Names of the home win (retrieval.md)."""
    said = normalise(before + name + after).text
    assert name in default_hearer().hear(said, HOME).text


@unhurried
@given(st.text(max_size=40))
def test_no_text_raises_and_results_are_deterministic(text: str) -> None:
    """Whatever the text, there is something that was heard, and the same again."""
    first, second = default_hearer().hear(text, HOME), Hearer().hear(text, HOME)
    assert first == second
    assert first.said == normalise(text).text


@unhurried
@given(HANZI)
def test_every_character_understood_was_heard_somewhere(text: str) -> None:
    """A span of what was understood leads to one of what was heard, in order; the same where nothing changed."""
    heard = default_hearer().hear(text, HOME)
    spans = [heard.said_span(at, at + 1) for at in range(len(heard.text))]
    assert spans == sorted(spans)
    changed = {place for change in heard.changes for place in range(change.start, change.end)}
    for sign, (start, end) in zip(heard.text, spans, strict=True):
        assert 0 <= start < end <= len(heard.said)
        assert heard.said[start:end] == sign or start in changed


@unhurried
@given(HANZI)
def test_known_places_stay(text: str) -> None:
    """What somebody else knows to be right is not heard anew."""
    assert default_hearer().hear(text, HOME, KnownSpans(frozenset(range(len(text))))).text == normalise(text).text


def test_rows_of_what_is_said_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Law: everything that strangers' words fill has a bound; forgetting changes nothing that is heard."""
    texts = [
        "把老火计打开",
        "空条调到三十而度",
        *(chr(0x4E00 + at) * 2 + chr(0x6E00 + at) + "打凯灯" for at in range(20)),
    ]
    plain = [Hearer().hear(text, HOME) for text in texts]
    monkeypatch.setattr(names, "ROWS", 64)
    hearer = Hearer()
    for text, heard in zip(texts, plain, strict=True):
        assert hearer.hear(text, HOME) == heard
        assert len(hearer.spoken(HOME)._rows) <= 64


def test_a_home_is_kept_as_long_as_its_names() -> None:
    """Law: what is made of a home is made once and goes with it."""
    hearer, homes = Hearer(), [Names((word,)) for word in ("老伙计", "书香阁", "开心果")]
    first = hearer.spoken(homes[0])
    hearer.spoken(homes[1])
    assert hearer.spoken(homes[0]) is first
    assert len(hearer._homes) == 2
    homes.clear()
    assert len(hearer._homes) == 0


def test_homes_may_be_asked_for_by_threads() -> None:
    """The hearer is shared by all turns of a process."""
    hearer, homes = Hearer(), [Names((chr(0x4E00 + at) + "灯",)) for at in range(80)]
    with ThreadPoolExecutor(4) as threads:
        spoken = list(threads.map(hearer.spoken, homes * 3))
    assert len(hearer._homes) == 80
    for at, one in enumerate(spoken):
        word = homes[at % 80].words[0]
        assert one.least(word) == hearer.spoken(homes[at % 80]).least(word)


def test_a_long_text_is_left_alone() -> None:
    """More than a sentence is not listened to."""
    text = "空条" * 150
    assert default_hearer().hear(text).text == text


def test_a_sentence_of_unusual_words_is_left_as_it_is() -> None:
    """hearing.md: a sentence that is improbable almost everywhere is left as it is, so that hearing has an end."""
    text = "灯亮墙" * 40
    heard = default_hearer().hear(text, HOME)
    assert (heard.text, heard.changes, heard.doubts) == (text, (), ())


def test_a_broken_model_is_refused() -> None:
    """Our data at fault: the error names the file."""
    with pytest.raises(Exception, match=r"hearing\.bin"):
        TrigramModel.load(b"nothing")


def test_compiled_guards_are_fresh() -> None:
    """`make vocabulary` writes `data/guards.json` anew."""
    table = load_guards()
    assert read_bytes("tingdong.hearing", "guards.json") == compiled(table)
    assert guards() == table


def test_the_model_is_small() -> None:
    """At most 3 MB."""
    assert len(read_bytes("tingdong.hearing", "hearing.bin")) <= 3_000_000
    assert default_language().base.seen


def test_values_survive_a_store() -> None:
    """What was heard is logged with the reading."""
    heard = default_hearer().hear("把老火计打开", HOME)
    assert msgspec.json.decode(msgspec.json.encode(heard), type=type(heard)) == heard


@pytest.mark.parametrize(("name", "said"), [("玄关", "玄关关灯"), ("玄关", "把玄关关灯"), ("机关", "机关关门")])
def test_an_act_behind_a_name_is_no_echo_of_it(name: str, said: str) -> None:
    """A name said exactly stays, and what is to be done behind it too, though it begins as the name ends."""
    assert default_hearer().hear(said, Names([name])).text == said


@unhurried
@given(
    st.sampled_from(("空调", "亮度", "空调调到", "吸顶灯亮度", "把空调", "")),
    st.sampled_from(sorted(guards().before_numbers)),
    st.sampled_from(sorted(guards().behind_numbers)),
    st.sampled_from(("十度", "五度", "二十六度", "十", "五十", "百分之三十", "十分钟", "两个小时", "三档")),
    st.booleans(),
)
def test_a_number_heard_whole_stays(first: str, before: str, behind: str, number: str, last: bool) -> None:
    """A word beside a number is no part of it in silence: nothing acts on a number that was not heard."""
    said = first + (number + behind if last else before + number)
    heard = default_hearer().hear(said, HOME)
    numbers = [find_quantities(text) for text in (said, heard.text)]
    assert {one.value for one in numbers[1]} <= {one.value for one in numbers[0]}
    kinds = [{one.kind for one in found if one.kind is not QuantityKind.NUMBER} for found in numbers]
    assert kinds[0] <= kinds[1]


@unhurried
@given(st.sampled_from(HOME.words), st.sampled_from("伞衣舞溜八十三二"))
def test_a_number_that_nobody_heard_does_not_appear(name: str, sign: str) -> None:
    """A name with a sign behind it has no number that was not heard."""
    heard = default_hearer().hear(f"{name}{sign}打开", HOME)
    assert is_numeral(sign) or not any(map(is_numeral, heard.text))


@pytest.mark.parametrize(
    ("said", "rival"),
    [("水把床头灯关了", "谁把床头灯关了"), ("水把客厅的灯关上了", "谁把客厅的灯关上了"), ("打开老火计", "")],
)
def test_a_possible_question_is_reported_as_a_rival(said: str, rival: str) -> None:
    """A question that is nearly as probable is never left out (architecture, law 2)."""
    heard = default_hearer().hear(said, HOME)
    assert (rival in heard.rivals) if rival else not heard.rivals


def test_names_are_listened_for_in_any_spelling() -> None:
    """A home written in traditional characters is heard as one in simplified ones."""
    written = Names(("書房", "後陽台", "月亮燈", "玄關"))
    for said in ("书防的灯打开", "后洋台的灯打开", "打开月凉灯"):
        heard = default_hearer().hear(said, written)
        assert heard == default_hearer().hear(said, Names(("书房", "后阳台", "月亮灯", "玄关")))
        assert heard.changes


@pytest.mark.parametrize("said", ["空调调到三十而度", "把老火计打开", "空调调到二十伞度", "床头灯亮度百分之溜十"])
def test_the_gain_of_a_change_is_the_difference_of_both_sentences(said: str) -> None:
    """Log-odds are what the sentence as heard costs more than the one understood, for figures too."""
    spoken, heard = default_hearer().spoken(HOME), default_hearer().hear(said, HOME)
    (change,) = heard.changes
    others = {one.character: one.cost for one in spoken.sounds.candidates(change.heard)}
    gained = sum(costs(heard.text, spoken)) - sum(costs(heard.said, spoken)) - others[change.understood]
    assert change.odds == pytest.approx(gained, abs=0.01)
