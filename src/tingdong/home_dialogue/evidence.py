"""Facts against a request: what it would change, compared with its clause.

Law: nothing changes that no clause accounts for. Facts are general (an act without a word, a set that was not named,
unused words) and independent of wording; `data/accounting.yaml` has their weights.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache

from context_retrieval.models import DeviceType, Quantifier
from tingdong.commands.reading import Mention, MentionKind, Verdict
from tingdong.home.acts import ActKind
from tingdong.home.model import Instruct, PropertyRole
from tingdong.home.questions import wants_answer
from tingdong.home.wish_reading import likelihood
from tingdong.home_dialogue import pauses
from tingdong.home_dialogue.accounting_table import accounting_table
from tingdong.home_dialogue.choose import describes
from tingdong.home_dialogue.functions import Function
from tingdong.home_dialogue.mentioned import WHERE
from tingdong.home_dialogue.proposal import Proposal
from tingdong.home_dialogue.said import SaidWords
from tingdong.home_dialogue.timer_words import says_length, timer_words
from tingdong.home_dialogue.turn_functions import LONGEST, chance

__all__ = ["FACTS", "facts_of"]

Facts = Iterator[tuple[str, float]]
MOST_UNREAD, MOST_DOUBT, MOST_WISH_DOUBT, MOST_TELLING = 8, 1.0, 1.5, 3.0
MOST_OF_ITS_OWN = 2
"""Characters of its own that a clause which only repeats may have."""
FACTS = frozenset(
    (
        # the act
        "act_unsaid", "opposite", "question", "repeats_with_own_words",
        # by the table of wishes
        "wish_against", "wish_asked", "wish_doubt", "wish_kinds_mixed", "wish_valued",
        # what is acted on, and where
        "here_but_elsewhere", "here_unknown", "kinds_mixed", "long_ago", "more_than_said", "one_is_here",
        "one_pointed_at", "only_left_out", "protected_carried", "relative_elsewhere", "several_carried", "walked_away",
        # when
        "length_lost", "takes_back", "time_lost", "timed_already", "timed_already_and_said",
        # the words, and the reading
        "doubt", "heard_and_unread", "thing_described", "told", "unread", "unsure",
    )
)  # fmt: skip
"""The names of all facts."""
_REPEATING = frozenset({"repeated"})
_PLAIN = frozenset({"", "last", "elsewhere", "type_elsewhere", "by_attribute", "stands"})
"""Rules that complete a request whose act was read from words."""
_BY_VERB = _PLAIN | {"after_excess"}


def facts_of(proposal: Proposal) -> dict[str, float]:
    """The facts that hold, by name, each with how much of it there is (0..1)."""
    parts = (_of_act, _of_wish, _of_target, _of_place, _of_time, _of_words, _of_reading)
    return {name: float(value) for part in parts for name, value in part(proposal) if value}


def _against(chance_for: float, most: float) -> float:
    """How much a chance speaks against what it is the chance of; no more than `most`."""
    return min(most, -math.log(max(chance_for, 0.01)))


def _of_act(one: Proposal) -> Facts:
    """Whether words of the clause say the act, and in its direction."""
    if one.answers:
        return
    clause, said = one.clause, [turned.more for turned in one.said]
    turns = one.more is not None and one.act.role is not PropertyRole.COLOUR_TEMPERATURE  # warmer is less of it
    if turns and one.rule in _BY_VERB and one.query.when is None:
        yield "opposite", (not one.more) in said and one.more not in said
    unsaid = not said and one.query.value is None and not clause.has(MentionKind.SCENE, MentionKind.EXCEPT)
    yield "act_unsaid", unsaid and one.rule in _PLAIN and one.read_by_words
    yield "question", one.rule in _PLAIN and all(part.is_asked for part in clause.said.once(_around_acts))
    own = len(_content(one.unread)) + len(_content(clause.said.small))
    same = clause.has(MentionKind.CORRECTION) or clause.says(accounting_table().alike)
    yield "repeats_with_own_words", one.rule in _REPEATING and own > MOST_OF_ITS_OWN and not same


def _around_acts(clause: SaidWords) -> list[SaidWords]:
    """What stands between the pauses around each act or value that is said; all of it where none is."""
    spans = {pauses.around(clause.text, mention.start) for mention in clause.of(MentionKind.ACTION, MentionKind.VALUE)}
    return [clause.part(start, end) for start, end in sorted(spans)] or [clause]


def _of_wish(one: Proposal) -> Facts:
    """Whether the table of wishes has words for what is wished."""
    if not one.wishes:
        return
    clause = one.clause
    yield "wish_doubt", _against(likelihood(clause.without(MentionKind.ROOM)), MOST_WISH_DOUBT)
    yield "wish_asked", wants_answer(clause.text)
    yield "wish_against", any(turned.act.role is one.act.role and turned.more is (not one.more) for turned in one.said)
    stepped = one.act.kind in (ActKind.SET, ActKind.RAISE, ActKind.LOWER)
    yield "wish_kinds_mixed", stepped and len(one.kinds) > 1
    yield "wish_valued", any(mention.value.isdigit() for mention in clause.of(MentionKind.VALUE))


def _of_target(one: Proposal) -> Facts:
    """Whether what is acted on is named, and is as many as is said."""
    if one.answers or one.wishes:
        return
    clause, count = one.clause, len(one.devices)
    several, mixed = count > 1 and not one.says_set, len(one.kinds) > 1
    yield "one_pointed_at", one.carried and count > 1 and one.points_at_one and not clause.has(MentionKind.ALL)
    yield "several_carried", one.carried and several
    yield "kinds_mixed", several and mixed
    bare = one.query.type is DeviceType.UNKNOWN and one.query.name is None
    excepts = one.query.quantifier is Quantifier.EXCEPT and bare and mixed
    yield "only_left_out", excepts and not clause.has(MentionKind.ALL, MentionKind.WHOLE_HOME) and not one.said
    numbers = [int(mention.value) for mention in clause.of(MentionKind.COUNT) if mention.value.isdigit()]
    yield "more_than_said", bool(numbers) and count > max(numbers) and not clause.has(MentionKind.EXCEPT)
    last = clause.page.last
    kept_on = bool(one.devices) and all(device.protected for device in one.devices)
    yield "protected_carried", one.carried and kept_on and one.act.kind is ActKind.OFF
    yield "long_ago", one.carried and last is not None and clause.page.turn - last.turn > 1


def _of_place(one: Proposal) -> Facts:
    """Whether it is where one stands, or a place is said."""
    clause, local = one.clause, one.clause.local
    rooms = {device.room for device in one.devices}
    if one.whole.scene.local and not local and not (one.answers or one.wishes or one.carried):
        placed = clause.has(*WHERE, MentionKind.ALL) or clause.whole_home or one.query.include
        yield "here_unknown", len(rooms) > 1 and not placed
    if one.answers or not local or not rooms or local in rooms or clause.has(MentionKind.ROOM):
        return
    yield "here_but_elsewhere", clause.has(MentionKind.HERE)
    if clause.has(*WHERE) or any(query.include or query.here for query in clause.queries):
        return
    walked = one.whole.page.turn > 0 and one.whole.page.local != one.whole.scene.local
    yield "walked_away", walked and one.carried
    types = {device.type for device in one.devices} - {DeviceType.UNKNOWN}
    here = {device.type for device in clause.home.shape.by_room.get(local, ())}
    by_kind = not one.carried and not one.wishes and one.query.name is None and one.whole.page.room not in rooms
    yield "one_is_here", by_kind and bool(types & here)
    relative = one.query.name in accounting_table().relative and one.whole.page.room not in rooms
    yield "relative_elsewhere", relative and bool(types & here)


def _of_time(one: Proposal) -> Facts:
    """Whether the times that are said are those of what is done."""
    if one.answers or one.wishes or one.query.when is not None:
        return
    clause, whole = one.clause, one.whole
    timed = any(query.when is not None for query in (*clause.queries, *whole.queries))
    length, clock = says_length(clause.text), any(":" in mention.value for mention in clause.of(MentionKind.WHEN))
    yield "length_lost", length and not timed
    yield "time_lost", clock and not (timed or length)
    if not whole.says(timer_words().hastens):
        timers, done = {timer.device: timer.state for timer in whole.page.timers}, one.planned.instructs
        again = [it for it in done if it.id in timers and timers[it.id].items() <= it.state.items()]
        said = says_length(whole.text) or whole.has(MentionKind.WHEN)
        yield "timed_already", bool(again) and len(again) == len(done)
        yield "timed_already_and_said", bool(again) and said and not timed
    before = {done.id: done for planned in one.earlier for done in planned.instructs if done.when is None}
    back = [done for done in one.planned.instructs if done.id in before and _takes_back(before[done.id], done)]
    yield "takes_back", bool(back) and one.carried and one.rule in _PLAIN


def _takes_back(first: Instruct, second: Instruct) -> bool:
    return any(first.state.get(name, value) != value for name, value in second.state.items())


def _of_words(one: Proposal) -> Facts:
    """Facts about the words of the clause that no request uses."""
    if one.answers or one.wishes or not one.read_by_words:
        return
    yield "unread", min(len(_content(one.unread)), MOST_UNREAD) / MOST_UNREAD
    yield "thing_described", any(_described(one, mention) for mention in one.named)


@lru_cache(maxsize=64)
def _content(text: str) -> str:
    """A text without signs and words that say nothing by themselves."""
    return _nothing().sub("", text)


@cache
def _nothing() -> re.Pattern[str]:
    words = sorted(accounting_table().empty, key=len, reverse=True)
    return re.compile("|".join((*map(re.escape, words), r"[\s\W_]")))


def _described(one: Proposal, thing: Mention) -> bool:
    """顶上的灯: whether what stands before the thing tells which one, and nothing was made of it."""
    if not one.clause.text.endswith(accounting_table().describing, 0, thing.start):
        return False
    ends = one.clause.said.once(_telling_ends)
    at = bisect_right(ends, thing.start)
    start = ends[at - 1] if at else 0
    told = one.clause.text[start : thing.start]
    chosen = len(one.devices) == 1 and describes(told)  # 小的灯, which has told it from the others
    return not chosen and not set(told).isdisjoint(_content(one.unread))


def _telling_ends(clause: SaidWords) -> list[int]:
    """Where mentions that say something end, by place."""
    return sorted(one.end for one in clause.mentions if one.kind is not MentionKind.FILLER)


def _of_reading(one: Proposal) -> Facts:
    """How sure the reading of the clause is of itself, and that these words were said."""
    reading = one.clause.reading
    if one.answers or one.wishes:
        return
    if one.query.when is None and len(one.whole.text) <= LONGEST:
        told = chance(one.clause, 0, len(one.clause.text), Function.TELL, Function.ASK, Function.REFUSE)
        yield "told", _against(1 - told, MOST_TELLING)
    if one.rule not in _PLAIN:
        return
    yield "unsure", reading.verdict is Verdict.ABSTAIN
    yield "doubt", _against(reading.confidence, MOST_DOUBT)
    yield "heard_and_unread", one.whole.reading.repaired and bool(_content(one.unread))
