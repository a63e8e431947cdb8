"""The strict consumer (commands.md, Consumer)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_retrieval.models import Action, Command, DeviceType, Quantifier, Scope, Target
from context_retrieval.protocol import UNKNOWN, IssueCode, Remedy, decode, encode
from tingdong.commands.codec import CommandConsumer, encode_legacy

UNKNOWN_ARRAY = '["UNKNOWN-*-*#Unknown#one"]'

words = st.text(min_size=1, max_size=12)


@st.composite
def commands(draw: st.DrawFn) -> Command:
    verb = draw(words.filter(lambda text: bool(_visible(text))))
    action = Action(verb, draw(st.none() | words), draw(st.none() | words))
    scope = draw(st.builds(Scope, st.lists(words).map(tuple), st.lists(words).map(tuple), st.booleans()))
    target = Target(
        draw(st.sampled_from(["*", "@last"]) | words),
        draw(st.sampled_from(DeviceType)),
        draw(st.sampled_from(Quantifier)),
        draw(st.none() | st.integers(1, 99)),
        tuple(draw(st.lists(words, max_size=3))),
    )
    return Command(action, scope, target)


def _visible(text: str) -> str:
    try:
        return Action(text).verb
    except ValueError:
        return ""


@given(st.lists(commands(), min_size=1, max_size=5))
def test_decode_inverts_encode(items: list[Command]) -> None:
    """Architecture, law 7: encode∘decode is the identity on valid commands."""
    known = tuple(item for item in items if not item.is_unknown)
    decoded = decode(encode(known))
    assert decoded.commands == (known or (UNKNOWN,))
    assert decoded.issues == ()


@given(st.text())
def test_any_text_decodes(text: str) -> None:
    """Law 7: decoding any text returns commands and issues, never raises, never nothing."""
    decoded = decode(text)
    assert decoded.commands
    assert decoded.issues or all(not command.is_unknown for command in decoded.commands) or "UNKNOWN" in text


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=4)))
def test_any_json_decodes(value: object) -> None:
    """Law 7 for well-formed JSON of any shape."""
    assert decode(json.dumps(value)).commands


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ('好的：["打开-卧室-顶灯#Light#one"]', IssueCode.NOT_JSON),
        ('```json\n["打开-卧室-顶灯#Light#one"]\n```', IssueCode.NOT_JSON),
        ('{"commands": []}', IssueCode.NOT_ARRAY),
        ("[]", IssueCode.EMPTY),
        ("[" * 100_000, IssueCode.TOO_LONG),
        ("[" * 60_000, IssueCode.NOT_JSON),
        ("", IssueCode.NOT_JSON),
    ],
)
def test_whole_answer_falls_back_with_a_reason(answer: str, code: IssueCode) -> None:
    """commands.md, Consumer: an answer with other text around it is UNKNOWN, with the reason."""
    decoded = decode(answer)
    assert encode(decoded.commands) == UNKNOWN_ARRAY
    assert [(issue.code, issue.remedy) for issue in decoded.issues] == [(code, Remedy.FELL_BACK)]


@pytest.mark.parametrize(
    ("raw", "expected", "code"),
    [
        ("打开-卧室-顶灯#Lamp#one", "打开-卧室-顶灯#Unknown#one", IssueCode.BAD_TYPE),
        ("打开-卧室-顶灯#Light#two", "打开-卧室-顶灯#Light#one", IssueCode.BAD_QUANTIFIER),
        ("打开-*-*#Light#any#two", "打开-*-*#Light#any", IssueCode.BAD_COUNT),
        ("打开-*-*#Light#any#2#3", "打开-*-*#Light#any", IssueCode.BAD_COUNT),
        ("打开-卧室-床-头灯#Light#one", "打开-卧室-床 头灯#Light#one", IssueCode.BAD_NAME),
        ("打开-卧室-灯#1#Light#one", "打开-卧室-灯 1#Light#one", IssueCode.BAD_NAME),
        ("设置频道=CCTV-5-*-*#Television#all", "设置频道=CCTV5-*-*#Television#all", IssueCode.BAD_VALUE),
    ],
)
def test_small_faults_are_normalised_and_recorded(raw: str, expected: str, code: IssueCode) -> None:
    """commands.md, NAME and TYPE: wrong TYPE → Unknown, wrong Q → one, non-integer N dropped; each is recorded."""
    decoded = decode(json.dumps([raw]))
    assert [str(command) for command in decoded.commands] == [expected]
    assert [(issue.code, issue.remedy, issue.index) for issue in decoded.issues] == [(code, Remedy.NORMALISED, 0)]


@pytest.mark.parametrize(
    "bad", ["打开", "打开-卧室", "打开-卧室-顶灯", "打开-卧室-顶灯#Light", 5, None, ["x"], "-卧室-灯#Light#one"]
)
def test_bad_command_is_dropped_and_the_rest_kept(bad: object) -> None:
    """commands.md: valid commands stay; each dropped one has its own reason."""
    decoded = decode(json.dumps([bad, "关闭-客厅-*#Light#all"]))
    assert [str(command) for command in decoded.commands] == ["关闭-客厅-*#Light#all"]
    assert [(issue.remedy, issue.index) for issue in decoded.issues] == [(Remedy.DROPPED, 0)]


def test_all_invalid_gives_unknown() -> None:
    """commands.md, Consumer: an answer without one valid command is UNKNOWN."""
    decoded = decode('["打开", 3]')
    assert encode(decoded.commands) == UNKNOWN_ARRAY
    assert len(decoded.issues) == 2


def test_exclude_only_scope_implies_everything() -> None:
    """commands.md, SCOPE: `!卧室` alone means `*,!卧室`."""
    assert str(decode('["打开-!卧室-*#Light#except"]').commands[0]) == "打开-*,!卧室-*#Light#except"


def test_rooms_and_names_lose_separators() -> None:
    """commands.md, Consumer: `-` `,` `!` `#` inside a room become a space."""
    command = Command(Action("打开"), Scope(("主-卧,1!#",)), Target("灯-a#b", DeviceType.LIGHT))
    assert str(command) == "打开-主 卧 1-灯 a b#Light#one"


def test_first_only_serves_a_single_command_consumer() -> None:
    """commands.md, Consumer: such a consumer takes the first command."""
    answer = '["打开-卧室-顶灯#Light#one","关闭-客厅-*#Light#all"]'
    assert [str(c) for c in decode(answer, first_only=True).commands] == ["打开-卧室-顶灯#Light#one"]


def test_legacy_switch_both_ways() -> None:
    """commands.md: bare three-part strings can be read and served, but never a request they cannot carry."""
    consumer = CommandConsumer(legacy=True)
    assert [str(c) for c in consumer.read('["打开-卧室-顶灯"]').commands] == ["打开-卧室-顶灯#Unknown#one"]
    decoded = decode('["打开-卧室-顶灯#Light#one","关闭@10分钟后-*-*#Light#all","打开-*-*#Light#any#2"]')
    assert encode_legacy(decoded.commands) == ["打开-卧室-顶灯"]
    assert encode_legacy(decoded.commands[1:]) == ["UNKNOWN-*-*"]


def test_consumer_counts_answers_unknowns_and_reasons() -> None:
    """commands.md, Consumer: failure rate and UNKNOWN share are measured."""
    consumer = CommandConsumer()
    consumer.read('["打开-卧室-顶灯#Light#one"]')
    consumer.read("不是数组")
    assert consumer.statistics.answers == 2
    assert consumer.statistics.unknown_share == 0.5
    assert consumer.statistics.issues == {"not_json": 1}


@given(
    st.sampled_from(["one", "all", "any", "except"]),
    st.integers(-999, 0),
    st.sampled_from(["{}", " {} ", "0{}", "{:+d}"]),
)
def test_a_count_of_zero_invalidates(quantifier: str, count: int, form: str) -> None:
    """commands.md: zero and less are no number of devices; the command is dropped with its reason, not mended."""
    number = form.format(count) if count == 0 or "0{" not in form else str(count)
    decoded = decode(json.dumps([f"打开-客厅-*#Light#{quantifier}#{number}", "关闭-*-*#Fan#all"]))
    assert [str(command) for command in decoded.commands] == ["关闭-*-*#Fan#all"]
    assert [(issue.code, issue.remedy) for issue in decoded.issues] == [(IssueCode.BAD_COUNT, Remedy.DROPPED)]


@given(
    st.sampled_from(["1.5", "三", "x", "", "two", "1e3", "２", "1 2", "多", "-1.5", "2.0"]),
    st.sampled_from(list(Quantifier)),
)
def test_a_count_that_is_no_integer_is_dropped_and_never_invented(count: str, quantifier: Quantifier) -> None:
    """commands.md, Consumer: an N that is no integer is dropped; no number and no wider quantifier takes its place."""
    decoded = decode(json.dumps([f"打开-客厅-*#Light#{quantifier}#{count}"]))
    assert [str(command) for command in decoded.commands] == [f"打开-客厅-*#Light#{quantifier}"]
    assert [(issue.code, issue.remedy) for issue in decoded.issues] == [(IssueCode.BAD_COUNT, Remedy.NORMALISED)]


@given(st.integers(1, 999_999), st.sampled_from(["{}", " {}", "0{}"]))
def test_a_count_is_the_number_said(count: int, form: str) -> None:
    """commands.md, Q and N: a number that is said gives `any` with that number."""
    decoded = decode(json.dumps([f"打开-*-*#Light#any#{form.format(count)}"]))
    assert decoded.commands[0].target.count in (count, None)
    assert (decoded.commands[0].target.count is None) == bool(decoded.issues) == (len(form.format(count).strip()) > 6)
