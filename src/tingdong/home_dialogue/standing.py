"""Whether a turn is handled by its clauses or by the reading of the whole sentence (service.md, Dialogue).

The whole is used if it is sure and contains the requests of its clauses.
"""

from collections.abc import Sequence
from itertools import combinations, pairwise

import msgspec

from context_retrieval.grounding import marks_in
from context_retrieval.models import Command, Quantifier
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind, Reading, Verdict
from tingdong.home.questions import only_asks_on
from tingdong.home_dialogue.alone import keeps_only, leaves_one
from tingdong.home_dialogue.arriving import spoken_of_here
from tingdong.home_dialogue.choose import describes
from tingdong.home_dialogue.clause_kinds import NO_CONDITION, Clause, hurries, waits_for
from tingdong.home_dialogue.clause_times import hands_its_time_on, is_about_timers_beside, times_of_one
from tingdong.home_dialogue.conditions import of_itself
from tingdong.home_dialogue.courtesy import wants_reminding
from tingdong.home_dialogue.leaving import leaving, refusal_in
from tingdong.home_dialogue.mentioned import PLACED_THINGS, THINGS
from tingdong.home_dialogue.parting import is_bare, is_weighty, leaves_out, matching, same_request
from tingdong.home_dialogue.purposes import Aim, Purpose, are_apart
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.timers import asks_when

__all__ = ["lone_clause", "stands_by_clauses"]

MOST_BEFORE_DENIAL = 2
"""Characters of a clause before its 不对 (哎，不对)."""
REFUSED = ("negated", "cancelled")


def stands_by_clauses(clauses: list[Clause], situation: Situation, aims: Sequence[Aim]) -> bool:
    """Whether the clauses say more, or more surely, what is asked for than the sentence as a whole."""
    reading = situation.reading
    own = [command for clause in clauses for command in clause.commands]
    if _puts_right(situation):
        return False
    moments = {command.action.when for command in own}
    if any(command.action.when not in moments for command in reading.commands if command.action.when):
        return False  # a time that was found is never lost
    if any(one and one not in {other.action.when for other in reading.commands} for one in moments):
        return True  # nor a condition
    if are_apart(aims) or is_about_timers_beside(clauses, situation):
        return True
    waits = any(one.part.reading.reason == NO_CONDITION for one in clauses)
    if waits and any(aim.purpose in (Purpose.ORDER, Purpose.WISH) for aim in aims):
        return True  # 风好大，小一点，等我睡着了就关: what cannot be watched keeps nothing else from being done
    if len(own) > 1 and asks_when(situation) and all(aim.purpose is Purpose.ASK for aim in aims):
        return True
    reminds = [wants_reminding(one.text) for one in clauses]
    if any(reminds) and not all(reminds) and not any(one.commands for one in clauses if wants_reminding(one.text)):
        return True
    if any(one.continues for one in clauses):
        return True
    if not own:
        return _goes_on(clauses, situation)
    if _holds_what_the_whole_lost(clauses, situation, own):
        return True
    bare = [clause.part.reading for clause in clauses if is_bare(clause.part.reading)]
    if any(leaves_out(one) for one in bare) or any(keeps_only(one.text) for one in clauses):
        return False  # nor is an exception
    if bare and any(_is_of_a_bare_clause(one, own, bare) for one in reading.commands):
        return False  # with the others around it, it does say something
    if any(map(_may_order, bare)):
        return True  # 那开窗通通风，新风打开: nobody else does it, so that it is named
    sure = [one for clause in clauses if clause.part.reading.verdict is Verdict.ACCEPT for one in clause.commands]
    matches = [matching(one, reading) for one in sure]
    times = times_of_one(situation)
    pairs = zip(sure, matches, strict=True)
    asked = {(one.action.when, other) for one, other in zip(sure, matches, strict=True)}
    if len(asked) > len({other for _, other in asked}):
        return True  # 空调关了，毯子过一个钟头也关, of which the whole makes one request
    if None in matches or any(hands_its_time_on(one, other, times) for one, other in pairs):
        return True
    if reading.verdict is Verdict.ACCEPT and (
        _hands_places_on(sure, matches, reading) or _ignores_a_refusal(clauses, situation)
    ):
        return True
    if not reading.commands and reading.reason in REFUSED:
        return True  # 电视关掉，鱼缸不要关: what one clause refuses, another one orders
    refusing = [one for one in clauses if not one.commands and refusal_in(situation.read_as(one.part.reading))]
    others = [one for one in clauses if one not in refusing]
    doubtful = any(one.part.reading.verdict is Verdict.ABSTAIN for one in others)
    return reading.verdict is Verdict.ABSTAIN and not doubtful  # 关掉；A室保持刚才那样: what refuses may be unsure


def _holds_what_the_whole_lost(clauses: list[Clause], situation: Situation, own: Sequence[Command]) -> bool:
    """Whether a clause says by itself what the reading of the whole turned round, gave to another thing, or dropped."""
    reading = situation.reading
    if any(_is_opposite(one, other) for one, other in combinations(reading.commands, 2)):
        return True  # 晾衣架上的灯打开，再放下来, of which the whole makes both acts for both things
    if any(_is_of_a_side(one, situation) for one in clauses[1:]):
        return True  # 左床头灯关了，右边的调到最亮
    if any(map(_tells_apart, clauses)) and not any(map(_only_names, clauses)):
        return True  # 小的关了，大的再暗一点: what tells one of several is said of one
    if any(of_itself(one.action.when, one.target.name, one.target.type) for one in own):
        return True  # 空调开着就升到二十六，净化器关掉: how a thing stands is no condition of another one
    unsure = reading.commands if reading.verdict is Verdict.ABSTAIN else ()
    if any(_is_opposite(one, other) for one in own for other in unsure):
        return True  # 别让它出声, of which the whole makes the opposite
    if any(waits_for(one, other) for one, other in pairwise(clauses)) or any(map(hurries, clauses)):
        return True
    return any(_leaves_one_in_its_place(clause) for clause in clauses)


def _is_opposite(one: Command, other: Command) -> bool:
    """Whether one of them undoes the other, of the same thing and at the same time."""
    turned = verb_table().opposite.get(one.action.verb) == other.action.verb
    return turned and one.target == other.target and one.action.when == other.action.when


def _leaves_one_in_its_place(clause: Clause) -> bool:
    """那边灯都关了，这边就留落地灯: what is left alone in a place of its own is no exception in another one."""
    kinds = {mention.kind for mention in clause.part.reading.mentions}
    placed = not kinds.isdisjoint((MentionKind.ROOM, MentionKind.HERE))
    return placed and bool(clause.commands) and leaves_one(clause.text)


def _may_order(reading: Reading) -> bool:
    """Whether the reading of a clause is unsure, finds nothing in it, and an act is mentioned."""
    return _acts(reading) and reading.verdict is Verdict.ABSTAIN


def _tells_apart(clause: Clause) -> bool:
    """小的关了: whether it acts on one of several that its own words tell from the others."""
    return describes(clause.text) and (bool(clause.commands) or _acts(clause.part.reading))


def _is_of_a_side(clause: Clause, situation: Situation) -> bool:
    """Whether it acts on what only a side or a number tells from what was spoken of."""
    kinds = {mention.kind for mention in clause.part.reading.mentions}
    acts = clause.commands or not kinds.isdisjoint((MentionKind.ACTION, MentionKind.VALUE))
    return bool(acts) and kinds.isdisjoint(THINGS) and bool(marks_in(clause.text, situation.home.shape.catalog))


def _only_names(clause: Clause) -> bool:
    """看看二楼的空调，开着的都调到26: what the others are about."""
    named = any(mention.kind in PLACED_THINGS for mention in clause.part.reading.mentions)
    return named and not clause.commands and not _acts(clause.part.reading)


def _acts(reading: Reading) -> bool:
    return any(mention.kind is MentionKind.ACTION for mention in reading.mentions)


def _goes_on(clauses: Sequence[Clause], situation: Situation) -> bool:
    """大屋的也要啊，制氧机留着: whether a clause wants the same there, and others say what else."""
    alone = [situation.read_as(one.part.reading) for one in clauses]
    same = [one.is_fragment and one.says_the_same and one.has(*PLACED_THINGS) for one in alone]
    if len(same) < 2 or not same[0] or situation.page.last is None:
        return False
    return not (situation.asks or only_asks_on(clauses[0].text))


def lone_clause(situation: Situation) -> Situation | None:
    """The one clause that names a thing or a property, where the others are talk (电视吵得慌，娃儿要睡了)."""
    parts = situation.reading.parts
    weighty = [part for part in parts if is_weighty(part.reading)]
    if len(parts) < 2 or len(weighty) != 1 or any(part.reading.commands for part in parts):
        return None
    page = msgspec.structs.replace(situation.page, last=spoken_of_here(situation))
    return situation.read_as(weighty[0].reading, page)


def _is_of_a_bare_clause(command: Command, own: Sequence[Command], bare: Sequence[Reading]) -> bool:
    """Whether the request rests on a clause that says nothing by itself (大白太吵，换睡眠模式)."""
    if not any(same_request(one, command) for one in own):
        return True
    return any(mention.value == command.target.name != "*" for one in bare for mention in one.mentions)


def _hands_places_on(own: Sequence[Command], matches: Sequence[Command | None], reading: Reading) -> bool:
    """Whether a request got its place from another clause: it may stand elsewhere (爸妈屋窗帘打开，热水器也开)."""
    placed = (other.scope.include for other in matches if other is not None)
    pairs = [(one, there) for one, there in zip(own, placed, strict=True) if not _is_of_several(one, reading)]
    return any(there and not one.scope.include and not one.scope.here for one, there in pairs)


def _is_of_several(one: Command, reading: Reading) -> bool:
    """客厅灯和餐厅灯都打开，亮度60: whether the whole makes of what points back a request for each of several."""
    return one.target.is_last and sum(same_request(one, other) for other in reading.commands) > 1


def _ignores_a_refusal(clauses: list[Clause], situation: Situation) -> bool:
    """Whether a clause leaves something alone and the reading of the whole makes no exception of anything."""
    reading = situation.reading
    if any(
        one.scope.exclude or one.target.excluded or one.target.quantifier is Quantifier.EXCEPT
        for one in reading.commands
    ):
        return False
    apart = (situation.part(clause.part.start, clause.part.end) for clause in clauses if not clause.commands)
    return any(refusal_in(one) is not None for one in apart)


def _puts_right(situation: Situation) -> bool:
    """Whether the sentence puts something right (不对，是卧室), which needs all of it; 等等 only holds back."""
    starts = [part.start for part in situation.reading.parts]
    for mention in situation.of(MentionKind.CORRECTION):
        if not any(start <= mention.start <= start + MOST_BEFORE_DENIAL for start in starts):
            continue  # 百叶窗还是开回来 puts nothing else right
        said = situation.text[mention.start : mention.end]
        following = situation.text[mention.end :].lstrip()
        held = said.startswith(leaving().waiting) or said.endswith(leaving().waiting)
        if not held and not any(
            m.kind is MentionKind.NEGATION and m.start == mention.end for m in situation.reading.mentions
        ):
            return bool(following)
    return False
