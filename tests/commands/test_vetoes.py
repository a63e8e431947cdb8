"""Vetoes only take away: what a sentence shows and its commands lose is never done (architecture, laws 1 and 2)."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_retrieval.models import Action, Command, Scope, Target
from context_retrieval.protocol import decode_command
from tingdong.commands import LocalParser, Verdict, veto_patterns
from tingdong.commands.spotting import Token
from tingdong.commands.veto_patterns import Pattern
from tingdong.commands.vetoes import Effect, Veto, Vetoes, VetoExample, compiled, default_vetoes, load_vetoes
from tingdong.errors import DataError
from zhtext.package_data import read_bytes

PARSER = LocalParser()
ROWS = load_vetoes()
unhurried = settings(deadline=None)

THINGS = ("灯", "空调", "风扇", "窗帘", "电视")
ROOMS = ("客厅", "卧室", "书房", "阳台", "餐厅")
VERBS = ("打开", "关闭")
WHENS = ("十分钟后", "明天早上七点", "每天晚上十点", "温度超过30度就", "湿度低于四成，", "半小时后")
things, rooms, verbs = st.sampled_from(THINGS), st.sampled_from(ROOMS), st.sampled_from(VERBS)
two_rooms = st.lists(rooms, min_size=2, max_size=3, unique=True)

Change = Callable[[Command], Command]


def parsed(strings: str) -> tuple[Command, ...]:
    """Commands of an example, by the protocol's strict reader."""
    read = [decode_command(text)[0] for text in strings.split()]
    assert None not in read
    return tuple(command for command in read if command is not None)


def holds(row: Veto, example: VetoExample) -> bool:
    _, shown, _ = LocalParser(vetoes=Vetoes([row])).draft(example.text)
    return shown.veto(parsed(example.commands)) is row


@pytest.mark.parametrize(
    ("row", "example"),
    [pytest.param(row, example, id=f"{row.name}-{at}") for row in ROWS for at, example in enumerate(row.positive)],
)
def test_a_veto_applies_to_its_examples(row: Veto, example: VetoExample) -> None:
    """Architecture, law 2: each row catches what its own examples show being lost."""
    assert holds(row, example)


@pytest.mark.parametrize(
    ("row", "example"),
    [pytest.param(row, example, id=f"{row.name}-{at}") for row in ROWS for at, example in enumerate(row.negative)],
)
def test_a_veto_spares_its_counterexamples(row: Veto, example: VetoExample) -> None:
    """A row costs no request: a reading that keeps what the sentence says is left alone."""
    assert example.commands
    assert not holds(row, example)


def test_compiled_rows_are_what_the_file_says() -> None:
    """`make vocabulary` writes `data/vetoes.json` anew."""
    assert read_bytes("tingdong.commands", "vetoes.json") == compiled(ROWS)
    assert [row.name for row in default_vetoes().rows] == [row.name for row in ROWS]


@pytest.mark.parametrize("pattern", ["^ $", "..", "NOTHING", "!ROOM|LAMP"])
def test_a_meaningless_pattern_is_refused_by_name(pattern: str) -> None:
    """Vocabulary is data with a validator: a pattern of nothing known stops loading and names the file."""
    with pytest.raises(DataError, match=r"vetoes\.yaml"):
        Pattern(pattern)


def loses(text: str, change: Change) -> None:
    """The reading stands with all it says, and falls once `change` takes something out of its commands."""
    reading, shown, _ = PARSER.draft(text)
    assert reading.commands, text
    assert shown.veto(reading.commands) is None, text
    assert PARSER.read(text).commands == reading.commands
    changed = tuple(map(change, reading.commands))
    assert changed != reading.commands
    assert shown.veto(changed) is not None, (text, [str(command) for command in changed])


def _with(command: Command, *, action: Action | None = None, scope: Scope | None = None) -> Command:
    return Command(action or command.action, scope or command.scope, command.target)


@unhurried
@given(st.sampled_from(WHENS), verbs, things)
def test_a_time_or_condition_is_not_lost(when: str, verb: str, thing: str) -> None:
    """Law 2: a lost condition or delay never yields a command."""
    loses(f"{when}{verb}{thing}", lambda c: _with(c, action=Action(c.action.verb, c.action.value)))


@unhurried
@given(two_rooms, st.sampled_from(["，", "、", "和", " "]), verbs, things)
def test_a_room_is_not_lost(said: list[str], sign: str, verb: str, thing: str) -> None:
    """Law 1: no room of a list is dropped, and none widened to the whole home."""
    text = f"{verb}{sign.join(said)}的{thing}"
    loses(text, lambda c: _with(c, scope=Scope(c.scope.include[:-1])))
    loses(text, lambda c: _with(c, scope=Scope()))


@unhurried
@given(two_rooms, st.sampled_from(["，", "、", "和", " "]), verbs, things)
def test_an_exclusion_is_not_lost(said: list[str], sign: str, verb: str, thing: str) -> None:
    """Law 2: a lost exclusion never yields a command."""
    text = f"{verb}除{sign.join(said)}以外的{thing}"
    loses(text, lambda c: _with(c, scope=Scope((), c.scope.exclude[1:])))
    loses(text, lambda c: _with(c, scope=Scope(c.scope.exclude)))


@unhurried
@given(rooms, things, verbs)
def test_a_reference_and_the_verb_are_kept(room: str, thing: str, verb: str) -> None:
    """Law 1: 那个 is no word for all of them; law 2: nothing is turned round."""
    loses(f"{verb}{room}的那个{thing}", lambda c: Command(c.action, c.scope, Target("*", c.target.type)))
    other = {"打开": "关闭", "关闭": "打开"}[verb]
    loses(f"{verb}{room}的{thing}", lambda c: _with(c, action=Action(other)))


@unhurried
@given(st.sampled_from([("空调", "温度"), ("风扇", "风速"), ("电视", "音量"), ("灯", "亮度")]), verbs)
def test_an_attribute_is_not_switched(said: tuple[str, str], verb: str) -> None:
    """Law 1: a thing whose attribute is spoken of is not switched."""
    loses(f"{said[0]}{said[1]}调到最大", lambda c: _with(c, action=Action(verb)))


@unhurried
@given(rooms, things)
def test_a_question_changes_nothing(room: str, thing: str) -> None:
    """Law 2: a question never yields an instruct."""
    loses(f"{room}{thing}开着吗", lambda c: _with(c, action=Action("打开")))


@unhurried
@given(st.sampled_from(["别", "不要", "千万别"]), verbs, things)
def test_a_refusal_is_kept(refusal: str, verb: str, thing: str) -> None:
    """Law 2: what is refused is not done; without the refusal the same commands stand."""
    commands = PARSER.read(f"{verb}{thing}").commands
    _, shown, _ = PARSER.draft(f"{refusal}{verb}{thing}")
    veto = shown.veto(commands)
    assert commands
    assert veto is not None
    assert veto.effect is Effect.ABSTAIN
    assert PARSER.read(f"{refusal}{verb}{thing}").commands == ()


@unhurried
@given(st.sampled_from(["家里没人时，", "孩子睡着的时候", "天气冷时"]), verbs, things, rooms)
def test_a_moment_that_when_cannot_express_is_never_done_at_once(when: str, verb: str, thing: str, room: str) -> None:
    """commands.md, Consumer, ACTION: UNKNOWN with the reason. The same request without it stands."""
    request = f"{verb}{room}的{thing}"
    assert PARSER.read(request).commands
    reading = PARSER.read(when + request)
    assert (reading.commands, reading.reason) == ((), "when_not_expressible")


@given(st.sampled_from(ROWS), st.booleans())
def test_a_lowering_veto_keeps_the_commands_but_never_accepts(row: Veto, taken: bool) -> None:
    """A veto takes away or doubts; it makes no command, and none is accepted under it."""
    text = row.positive[taken].text
    draft, shown, _ = PARSER.draft(text)
    reading = PARSER.read(text)
    assert set(reading.commands) <= set(draft.commands)
    if shown.veto(draft.commands) is not None:
        assert reading.verdict is Verdict.ABSTAIN
        assert reading.reason


def test_vetoes_need_examples() -> None:
    """A row without two sentences that it takes away and one that it leaves alone is not loaded."""
    assert all(len(row.positive) > 1 and row.negative and row.why for row in ROWS)
    assert len({row.name for row in ROWS}) == len(ROWS)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"name": "x", "shown": ["ROOM"], "lost": "everything", "effect": "abstain"}, Veto)


def test_work_grows_with_the_tokens_and_not_with_their_square(monkeypatch: pytest.MonkeyPatch) -> None:
    """灯亮 said over and over: a gap of a pattern costs no more than the tokens it passes (service.md, Limits)."""
    asked: list[Token] = []
    fits = veto_patterns._Item.fits

    def counted(item: veto_patterns._Item, token: Token) -> bool:
        asked.append(token)
        return fits(item, token)

    monkeypatch.setattr(veto_patterns._Item, "fits", counted)
    work = []
    for times in (100, 200):
        asked.clear()
        LocalParser().read("灯亮" * times)
        work.append(len(asked))
    assert 0 < work[1] <= 2.2 * work[0]
