"""Laws of the local parser as properties (architecture, laws 2 and 4; commands.md)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_retrieval.protocol import decode, encode
from tingdong.commands import LocalParser, Verdict
from tingdong.commands.local_parser import MOST, MOST_CLAUSES
from tingdong.commands.words import Kind, default_words

PARSER = LocalParser()
REQUESTS = (
    "打开客厅的灯", "关掉卧室空调", "把窗帘拉上", "电视关了", "空调调到26度", "客厅灯调亮一点",
    "打开除湿机", "风扇开到三档", "音箱暂停", "全屋灯关掉", "开灯", "把热水器打开",
    "灯带换成蓝色", "扫地机器人开始打扫", "窗帘开一半", "书房台灯关了",
)  # fmt: skip
NEGATIONS = (
    "别",
    "不要",
    "先别",
    "不用",
    "甭",
    "千万别",
    "不许",
    "没让你",
    "我没说",
    "你别",
    "暂时不要",
    "可别",
    "别再",
)
LOST = (
    "天黑了就", "等我到家就", "如果下雨了就", "要是孩子睡着了就", "出门的时候", "看完这集", "洗完澡之后",
    "温度超过28度而且湿度超过70%就", "等会儿有人来了就",
    "等会儿", "待会儿", "过会儿", "晚点", "稍后", "一会儿再", "如果没人在家就", "要是太热就", "没人看的话",
    "当我说晚安的时候", "等他们走了再", "如果空调没开就", "只要有人就", "超过70%就", "除了周末每天七点",
)  # fmt: skip
DELAYS = (
    "十分钟后", "明天早上七点", "每天晚上十点", "半小时以后", "等电视关了就", "温度超过30度就",
    "下周三晚上八点", "后天早上五点", "客厅温度到30度的时候", "看看客厅湿度，超过70%就",
)  # fmt: skip
EXCLUSIONS = ("除了厨房，", "除厨房外，", "厨房的不要，其他的", "厨房除外，")
BEFORE = ("", "小牛，", "嗯，", "麻烦", "那个，")
AFTER = ("", "吧", "啊", "，谢谢")

requests = st.sampled_from(REQUESTS)
pieces = st.sampled_from([*REQUESTS, *NEGATIONS, *LOST, "，", "的", "和"])
words = st.sampled_from(
    sorted({(word.kind, word.value): form for form, word in default_words().forms.items()}.values())
)
anything = st.text(max_size=60) | st.lists(pieces, max_size=8).map("".join)


def read(text: str) -> list[str]:
    return [str(command) for command in PARSER.read(text).commands]


@given(requests, st.sampled_from(NEGATIONS), st.sampled_from(BEFORE), st.sampled_from(AFTER))
def test_a_negated_request_is_no_command(request: str, word: str, before: str, after: str) -> None:
    """Architecture law 2: a lost negation never yields a command."""
    assert read(f"{before}{word}{request}{after}") == []


@given(requests, st.sampled_from(LOST), st.sampled_from(BEFORE), st.sampled_from(AFTER))
def test_a_condition_that_cannot_be_said_is_no_command(request: str, word: str, before: str, after: str) -> None:
    """What WHEN cannot say is UNKNOWN with the reason."""
    assert read(f"{before}{word}{request}{after}") == []


@given(requests, st.sampled_from(DELAYS), st.sampled_from(AFTER))
def test_a_delayed_request_never_comes_out_at_once(request: str, word: str, after: str) -> None:
    """A delayed, timed or conditional request never comes out as an immediate command."""
    assert not set(read(f"{word}{request}{after}")) & set(read(request))


@given(st.sampled_from(("把灯都关了", "空调全部打开", "窗帘都拉上")), st.sampled_from(EXCLUSIONS))
def test_an_exclusion_is_never_lost(request: str, word: str) -> None:
    """commands.md, SCOPE: what is excluded stands in the scope, and Q is except."""
    for command in read(word + request):
        assert "!厨房" in command
        assert command.endswith("#except")


@given(requests, st.sampled_from(("了吗", "了没", "了没有", "吗")))
def test_a_question_never_controls(request: str, word: str) -> None:
    """Architecture law 2: a question never yields an instruct."""
    text = f"{request.removeprefix('把').rstrip('了')}{word}"
    assert all(command.startswith("查询") for command in read(text))


@given(anything)
def test_any_text_is_read(text: str) -> None:
    """Architecture law 4: text is data; reading never raises, and what comes out is valid and stable."""
    reading = PARSER.read(text)
    assert 0.0 <= reading.confidence <= 1.0
    if reading.commands:
        assert decode(encode(reading.commands)).commands == reading.commands
    assert PARSER.read(text) == reading
    spans = [(mention.start, mention.end) for mention in reading.mentions]
    assert spans == sorted(spans)
    assert all(0 <= start <= end <= len(text) for start, end in spans)


@given(st.lists(words | st.sampled_from(["灯", "空调", "电视", "它", "把", "了", "吗", "，"]), max_size=9).map("".join))
def test_any_row_of_known_words_is_read(text: str) -> None:
    """Architecture law 4: words of every class, in any order, are read; reading never raises."""
    assert 0.0 <= PARSER.read(text).confidence <= 1.0


def test_each_state_is_read_beside_a_request() -> None:
    """Architecture law 4: a state that is told among requests (灯没关，关了它) is no verb that nobody knows."""
    states = sorted(form for form, word in default_words().forms.items() if word.kind is Kind.STATE)
    assert "没关" in states
    for state in states:
        assert PARSER.read(f"灯{state}，关了它，电视也关了").commands


def test_long_text_is_read_in_linear_time() -> None:
    """2,000 characters are read; more are refused with a reason."""
    text = ("今天天气真不错，" * 300)[:1990] + "，打开客厅的灯"
    assert PARSER.read(text).commands
    assert PARSER.read(text * 2).reason == "too_long"


@pytest.mark.parametrize(("clause", "most"), [("打开卧室的灯，", MOST), ("别开灯，", MOST_CLAUSES)])
def test_of_too_many_requests_none_is_read(clause: str, most: int) -> None:
    """commands.md, Reasons: what the end of a text denies or takes back is never lost, so that none of it is done."""
    many = PARSER.read(clause * (2 * most + 1))
    assert (many.commands, many.verdict, many.reason) == ((), Verdict.REJECT, "too_long")
    assert PARSER.read(clause * (most // 2)).reason != "too_long"


@pytest.mark.parametrize("part", range(4))
def test_no_known_word_beside_a_condition_raises(part: int) -> None:
    """commands.md: reading never raises, whatever stands directly before or behind a time or a condition."""
    forms = sorted(default_words().forms)[part::28]
    for form in forms:
        for text in (f"室温高于三十度我{form}了", f"{form}室温高于三十度再开灯", f"空调{form}，我十分钟后{form}的"):
            reading = PARSER.read(text)
            assert (reading.heard.said if reading.heard else reading.text) == text


@pytest.mark.parametrize("text", ["水温高于五十度我关了", "水温高于五十度，我亲手关的", "浴霸着火", "灯闪", "音响哑了"])
def test_statements_and_reports_are_not_executed(text: str) -> None:
    """commands.md, Consumer: who did it, and what is out of order, asks for nothing."""
    assert PARSER.read(text).commands == ()
