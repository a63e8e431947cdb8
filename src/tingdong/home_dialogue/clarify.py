"""Answers to an open question (service.md: 都要/两个都, 第N个, a place or a name; 算了 drops it).

The answer keeps the action and value of the question. An unrelated command leaves the question open for two more turns;
a risky request without its confirmation is dropped at once.
"""

import re
from enum import StrEnum

import msgspec

from context_retrieval.models import DeviceType, Quantifier, QueryIR, Reference
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import Mention, MentionKind
from tingdong.home.device import DeviceShape
from tingdong.home_dialogue.acting import suits
from tingdong.home_dialogue.answers import answers, says_no, says_yes
from tingdong.home_dialogue.choose import described, place_of, singled_out
from tingdong.home_dialogue.complete import Job
from tingdong.home_dialogue.conditions import watching_in
from tingdong.home_dialogue.events import at_hour
from tingdong.home_dialogue.inquire import inquiry_of
from tingdong.home_dialogue.leaving import refusal_in
from tingdong.home_dialogue.page import Choice, Pending
from tingdong.home_dialogue.perhaps import said_again, which_was_said
from tingdong.home_dialogue.restoring import says_undo
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.timer_words import speaks_of_timers

__all__ = ["AnswerKind", "QuestionOutcome", "aged", "answer_to", "beside"]

MAX_ASKED = 2
MAX_AGE = 2
MAX_PART = 12

_CHOSEN_BY = (MentionKind.ROOM, MentionKind.DEVICE, MentionKind.NAME, MentionKind.HERE)


class AnswerKind(StrEnum):
    """What was said to a pending question."""

    CHOSEN = "chosen"  # the held-back requests go on with `jobs`
    DROPPED = "dropped"  # 算了
    UNRELATED = "unrelated"  # something else was said


class QuestionOutcome(msgspec.Struct, frozen=True):
    """What became of a pending question; `jobs` are the held-back requests, completed by the choice."""

    kind: AnswerKind
    jobs: tuple[Job, ...] = ()


_ONCE = (Choice.CONFIRM, Choice.HEARD, Choice.UNDO, Choice.WHAT)
"""Questions that are open for one turn: a later word would answer what nobody thinks of any more."""
_CLOCK = re.compile(r"\d{2}:\d{2}\Z")
_SWITCHES_ON = ("打开", "设置")
_DROPPED = QuestionOutcome(AnswerKind.DROPPED)
_UNRELATED = QuestionOutcome(AnswerKind.UNRELATED)


def aged(pending: Pending | None) -> Pending | None:
    """The question after a turn that did not answer it."""
    if pending is None or pending.choice in _ONCE or pending.age >= MAX_AGE:
        return None
    return msgspec.structs.replace(pending, age=pending.age + 1)


def beside(first: Pending, second: Pending | None) -> Pending:
    """The question that is open after two clauses of a turn have asked: one yes answers two that wait for one."""
    if second is None or second == first:
        return first
    if first.choice is not Choice.CONFIRM or second.choice is not Choice.CONFIRM:
        return second
    return msgspec.structs.replace(
        second,
        queries=(*first.queries, *second.queries),
        options=tuple(dict.fromkeys((*first.options, *second.options))),
        targets=(*first.targets, *second.targets),
        text=first.text + second.text,
        doubted=first.doubted or second.doubted,
    )


def answer_to(pending: Pending, situation: Situation) -> QuestionOutcome:
    """What this turn says to the open question; a question of the user's own is no answer (law 2)."""
    asks = inquiry_of(situation) is not None or says_undo(situation.text)
    if pending.choice in (Choice.TIMER, Choice.UNDO) or (asks and not said_again(pending, situation)):
        return _UNRELATED
    if pending.choice is Choice.HEARD:
        return _was_said(pending, situation)
    if pending.choice is Choice.CONFIRM:
        return _confirmation(pending, situation)
    if not situation.queries and _refuses(situation):
        return _DROPPED
    if pending.choice is Choice.WHEN:
        return _watching(pending, situation)
    if len(pending.options) == 1 and not situation.queries and says_yes(situation.text):
        return _chosen(pending, situation, pending.options)
    if not _about(pending, situation):
        return _UNRELATED
    return _acting_so(_choice(pending, situation), situation)


def _acting_so(answer: QuestionOutcome, situation: Situation) -> QuestionOutcome:
    """南边的拉开, where it was asked which is to be closed: the act that is said, and never its opposite."""
    acts, opposite = {one.value for one in situation.of(MentionKind.ACTION)}, verb_table().opposite
    turned = {job.query.action for job in answer.jobs if opposite.get(job.query.action) in acts} - acts
    jobs = (
        msgspec.structs.replace(job, query=msgspec.structs.replace(job.query, action=opposite[job.query.action]))
        if job.query.action in turned
        else job
        for job in answer.jobs
    )
    return msgspec.structs.replace(answer, jobs=tuple(jobs)) if turned else answer


def _refuses(situation: Situation) -> bool:
    return situation.has(MentionKind.CANCEL, MentionKind.NEGATION) or says_no(situation.text)


def _confirmation(pending: Pending, situation: Situation) -> QuestionOutcome:
    if not situation.queries and _refuses(situation):
        return _UNRELATED if _goes_on_with_another(pending, situation) else _DROPPED
    if _says_it_again(pending, situation):
        held = _with_said_value(pending, situation)
        return QuestionOutcome(
            AnswerKind.CHOSEN, tuple(Job(query, _targets(query, pending), "confirmed") for query in held)
        )
    return _UNRELATED


def _says_it_again(pending: Pending, situation: Situation) -> bool:
    """Whether it says yes, or the request once more; where it was doubted who was meant, not by its kind alone."""
    actions, yes = {query.action for query in pending.queries}, says_yes(situation.text)
    by_kind = yes or not pending.doubted
    repeats = (
        bool(situation.queries)
        and not situation.says(answers().others)
        and all(
            query.action in actions and (query.reference is Reference.LAST or (by_kind and _same_kind(query, pending)))
            for query in situation.queries
        )
    )
    goes_on = all(
        query.reference is Reference.LAST and query.action.startswith(_SWITCHES_ON) for query in situation.queries
    )
    return repeats or (goes_on and yes)


def _goes_on_with_another(pending: Pending, situation: Situation) -> bool:
    """Whether a refusal is of something else (那个定时取消, 鱼缸别动), or puts right what was doubted (不是，是吊灯);
    what was asked about is then left undone as well."""
    things = situation.of(MentionKind.NAME, MentionKind.DEVICE)
    if pending.doubted and things and situation.has(MentionKind.CORRECTION) and refusal_in(situation) is None:
        return True
    if says_no(situation.text):
        return False
    return speaks_of_timers(situation) or _names_another(pending, things, situation)


def _targets(query: QueryIR, pending: Pending) -> tuple[str, ...]:
    """What a request that is confirmed is for: its own targets, of a value said anew all that was asked about."""
    own = (ids for held, ids in zip(pending.queries, pending.targets, strict=False) if held == query)
    return next(own, pending.options)


def _with_said_value(pending: Pending, situation: Situation) -> tuple[QueryIR, ...]:
    """The requests confirmed; a value said with the yes (确定，200度) is set as well, in place of one said before."""
    held = pending.queries
    said = [one.value for one in situation.of(MentionKind.VALUE) if one.value]
    new = [value for value in said if all(query.value != value for query in held)]
    if not new:
        return held
    kept = tuple(query for query in held if query.value is None)
    return (*kept, *(msgspec.structs.replace(held[-1], action="设置", value=value) for value in new))


def _watching(pending: Pending, situation: Situation) -> QuestionOutcome:
    """看哪里的湿度呢: the room that is said, or here; 你大概几点睡呢: the hour."""
    if not pending.options:
        return _at_the_hour(pending, situation)
    chosen = [room for room in situation.rooms_said or () if room in pending.options]
    if not chosen or situation.queries:
        return _UNRELATED
    held = (msgspec.structs.replace(one, when=watching_in(chosen[0], one.when or "")) for one in pending.queries)
    return QuestionOutcome(AnswerKind.CHOSEN, tuple(Job(query, None, "clarified") for query in held))


def _at_the_hour(pending: Pending, situation: Situation) -> QuestionOutcome:
    clocks = [one.value for one in situation.of(MentionKind.WHEN) if _CLOCK.search(one.value)]
    if len(clocks) != 1 or situation.queries:
        return _UNRELATED
    held = (msgspec.structs.replace(one, when=at_hour(one.when or "", clocks[0])) for one in pending.queries)
    return QuestionOutcome(AnswerKind.CHOSEN, tuple(Job(query, None, "clarified") for query in held))


def _was_said(pending: Pending, situation: Situation) -> QuestionOutcome:
    """What was said of what was asked about is carried out, no drops it; what is said anew stands for itself."""
    if said := which_was_said(pending, situation):
        return QuestionOutcome(AnswerKind.CHOSEN, tuple(Job(query, None, "heard") for query in said))
    return _DROPPED if _refuses(situation) and not situation.queries else _UNRELATED


def _same_kind(query: QueryIR, pending: Pending) -> bool:
    asked = pending.queries[-1]
    if query.name is not None:
        return query.name == asked.name
    return query.type is asked.type and query.type is not DeviceType.UNKNOWN


def _about(pending: Pending, situation: Situation) -> bool:
    """Whether the turn can be an answer: it makes no request of its own about something else."""
    if not situation.queries and situation.has(MentionKind.EXCEPT):
        return False
    for query in situation.queries:
        if query.action.startswith("查询") or query.when is not None:
            return False
        own = query.name is not None or query.type is not DeviceType.UNKNOWN or query.excluded_names
        if not own and pending.options and not suits(query, pending.options, situation):
            return False  # 全拉上 chooses no lamps
        if query.reference is Reference.LAST:
            if _turns_round(query, pending):
                return False
            chooses = situation.has(MentionKind.ORDINAL, MentionKind.ALL) or _by_part(pending, situation)
            if not (query.include or query.here or chooses):
                return False
        elif own and (not _same_kind(query, pending) or _turns_round(query, pending)):
            return False
    if situation.queries or situation.has(
        *_CHOSEN_BY, MentionKind.ORDINAL, MentionKind.ALL, MentionKind.ANY, MentionKind.CANCEL, MentionKind.NEGATION
    ):
        return True
    return bool(_by_part(pending, situation))


def _turns_round(query: QueryIR, pending: Pending) -> bool:
    """打开… where 关闭 was asked about is a request of its own."""
    return verb_table().opposite.get(query.action) == pending.queries[-1].action


def _by_part(pending: Pending, situation: Situation) -> tuple[str, ...]:
    """The options that a short answer tells from the others by a part of their names; a longer one by how they are."""
    tells = singled_out if len(situation.text) <= MAX_PART else described
    return tells(situation.home, situation.text, pending.options)


def _choice(pending: Pending, situation: Situation) -> QuestionOutcome:
    ordinals = [number for m in situation.of(MentionKind.ORDINAL) if (number := place_of(m, len(pending.options)))]
    rooms = tuple(mention.value for mention in situation.of(MentionKind.ROOM))
    things = situation.of(MentionKind.NAME, MentionKind.DEVICE)
    if ordinals:
        return _chosen(pending, situation, tuple(pending.options[number - 1] for number in ordinals))
    if not rooms and (picked := _by_part(pending, situation)):
        return _chosen(pending, situation, picked)
    if _names_another(pending, things, situation):
        return _UNRELATED
    if rooms or things or situation.has(MentionKind.HERE):
        aimed = [_aimed(query, rooms, things, situation) for query in _requests(pending, situation)]
        return QuestionOutcome(
            AnswerKind.CHOSEN, tuple(Job(query, None, "clarified", pending.options) for query in aimed)
        )
    if situation.has(MentionKind.ALL, MentionKind.WHOLE_HOME):
        return _chosen(pending, situation, pending.options)
    if situation.has(MentionKind.ANY):
        return _chosen(pending, situation, pending.options[:1])
    return _UNRELATED


def _names_another(pending: Pending, things: list[Mention], situation: Situation) -> bool:
    """Whether a thing of the home is named that is none of those asked about."""
    devices = situation.home.shape.devices
    asked = [devices[one] for one in pending.options if one in devices]
    if not asked or not things or any(_is_called(one, thing) for one in asked for thing in things):
        return False
    return any(_is_called(one, thing) for one in devices.values() for thing in things)


def _is_called(device: DeviceShape, thing: Mention) -> bool:
    if thing.value in ("", "*"):
        return thing.type is device.type and thing.type is not DeviceType.UNKNOWN
    return thing.value in device.label


def _chosen(pending: Pending, situation: Situation, ids: tuple[str, ...]) -> QuestionOutcome:
    if not ids:
        return _UNRELATED
    held = _requests(pending, situation)
    if ids == pending.options:  # 都要 of so many that were asked for is all of them
        held = tuple(msgspec.structs.replace(query, quantifier=Quantifier.ALL, count=None) for query in held)
    return QuestionOutcome(AnswerKind.CHOSEN, tuple(Job(query, ids, "clarified", pending.options) for query in held))


def _requests(pending: Pending, situation: Situation) -> tuple[QueryIR, ...]:
    """The requests held back; another action or value said with the answer replaces or joins them."""
    held = pending.queries
    said = [query for query in situation.queries if query.action != "打开" or held[-1].action == "关闭"]
    if not said:
        return held
    if any(query.action in ("关闭", "查询状态") or held[-1].action in ("关闭",) for query in said):
        return tuple(msgspec.structs.replace(held[-1], action=q.action, value=q.value) for q in said)
    kept = tuple(query for query in held if all(query.action != new.action for new in said))
    return (*kept, *(msgspec.structs.replace(held[-1], action=q.action, value=q.value, when=None) for q in said))


def _aimed(query: QueryIR, rooms: tuple[str, ...], things: list[Mention], situation: Situation) -> QueryIR:
    """A held-back request with the place or name of the answer."""
    changes: dict[str, object] = {"reference": None}
    if rooms:
        changes.update(include=rooms, here=False, exclude=())
    elif situation.has(MentionKind.HERE):
        changes.update(include=(), here=True, exclude=())
    if things:
        thing = things[-1]
        named = thing.kind is MentionKind.NAME or thing.value not in ("", "*")
        changes.update(name=thing.value if named else None, type=thing.type, quantifier=Quantifier.ALL)
        if named:
            changes["quantifier"] = Quantifier.ONE
    if situation.has(MentionKind.ALL):
        changes["quantifier"] = Quantifier.ALL
    return msgspec.structs.replace(query, **changes)
