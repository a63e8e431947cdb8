"""What a sentence says in the words of a thing's own model: 音效换成古典, 床头抬高30度, 腿也抬一点, 夜视关掉.

A thing model tells what its properties and choices are called (service.md, Home `model`). A sentence in which nothing
is left beside such a word, the thing, a value and what is done with it is an order to that property, whatever else its
verb could have meant. A thing that is named comes first, then the one spoken of, then those of the place, then all.
"""

import msgspec

from context_retrieval.models import DeviceType, QueryIR
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind
from tingdong.home.acts import read_act
from tingdong.home.amounts import AmountKind, parse_amount
from tingdong.home.device import DeviceShape
from tingdong.home.document import PropertyType
from tingdong.home.model import PropertyRole, ReplyKind
from tingdong.home.properties import PropertySpec
from tingdong.home.setting import SWITCHED
from tingdong.home.terms import Term
from tingdong.home.vocabulary import attribute_word
from tingdong.home_dialogue.acting import OFF, ON, OPEN_VERBS, SETTING, attribute_of
from tingdong.home_dialogue.answers import answers, excess_said, step_pattern, step_said
from tingdong.home_dialogue.carry import Carried
from tingdong.home_dialogue.closing import close
from tingdong.home_dialogue.complete import Job
from tingdong.home_dialogue.ending import Ended, passed
from tingdong.home_dialogue.mentioned import THINGS
from tingdong.home_dialogue.outcome import AS_IT_WAS, Outcome
from tingdong.home_dialogue.own_words import own_terms
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.standing import lone_clause
from tingdong.home_dialogue.target import members, resolve_job
from tingdong.home_dialogue.term_search import Cover, pools, terms_said

__all__ = ["LONGEST_ORDER", "of_own_terms"]

LONGEST_ORDER = 20
"""Characters of a sentence that is looked at."""
_OTHERWISE = (MentionKind.WHEN, MentionKind.EXCEPT, MentionKind.WHOLE_HOME, MentionKind.SCENE, MentionKind.QUERY)
"""What makes it more than an order to one property."""
_COVERED = (
    MentionKind.ROOM, MentionKind.HERE, MentionKind.VALUE, MentionKind.COUNT, MentionKind.ALSO, MentionKind.AGAIN,
    MentionKind.REFERENCE,
)  # fmt: skip


class Order(msgspec.Struct, frozen=True):
    """What is to be done with a property; `action` is "" where it is to stay as it is. `length` counts the characters
    that say which property of which thing."""

    spec: PropertySpec
    action: str
    value: str | None = None
    length: int = 0


def of_own_terms(situation: Situation) -> Ended | None:
    """The turn orders something of one thing in the words of its own model, and nothing else."""
    alone = situation if len(situation.clause_spans) == 1 else lone_clause(situation)
    if alone is None or alone.asks or len(alone.text) > LONGEST_ORDER or alone.has(*_OTHERWISE):
        return None
    situation = alone
    for pool in pools(situation):
        orders = [(one, order) for one in pool if (order := _order(one, situation)) is not None]
        most = max((order.length for _, order in orders), default=0)
        if found := [(one, order) for one, order in orders if order.length == most]:
            return _carried_out(found, situation)
    return None


def _carried_out(found: list[tuple[DeviceShape, Order]], situation: Situation) -> Ended | None:
    device, order = found[0]
    ids = tuple(one.id for one, _ in found)
    if _is_read_so(order, ids, situation):
        return None
    if not order.action:
        return passed(situation), Outcome(ReplyKind.ANSWER, AS_IT_WAS, rule="own_term")
    query = QueryIR(order.action, order.value, name=device.plain, type=device.type)
    carried = Carried(situation)
    if len(found) > 1:
        carried.ask(query, ids)
    else:
        carried.run_job(Job(query, ids, "own_term"))
    return close(carried, "own_term")


# ---- what is ordered of one thing


def _order(device: DeviceShape, situation: Situation) -> Order | None:
    """What the sentence orders of the thing; None where it says more, or nothing of it."""
    cover = Cover(situation.text.lower())
    name, terms = terms_said(cover, device, situation, own_terms().around)
    if not terms or len({term.spec.name for term in terms}) != 1 or terms[0].spec.readonly:
        return None
    choice = next((term.choice for term in terms if term.choice), "")
    if not choice:
        words = sorted(terms[0].spec.words, key=len, reverse=True)
        choice = next((word for word in words if cover.take(word)), "")
    others = [one for one in situation.of(*THINGS) if one.value not in ("", "*", device.plain)]
    if not name and not all(cover.holds(one.start, one.end) for one in others):
        return None
    _cover_acts(cover, cover.text.replace(name, ""), situation)
    if cover.rest.strip(f"\n{own_terms().around}"):
        return None
    order = _ordered(terms, choice, name, situation)
    if order is None or (not choice and _leaves_an_amount(order, situation)):
        return None  # 开三档反转 says more
    length = len(name) + sum(len(term.word) for term in terms)
    return msgspec.structs.replace(order, length=length)


def _leaves_an_amount(order: Order, situation: Situation) -> bool:
    """Whether a number is said that is not what the property is set to."""
    amounts = [one.value for one in situation.of(MentionKind.VALUE)]
    numbers = [one for one in amounts if parse_amount(one).kind is not AmountKind.WORD]
    return bool(numbers) and order.value not in [_plainly(one, order.spec) for one in numbers]


def _cover_acts(cover: Cover, beside: str, situation: Situation) -> None:
    """Accounts for where, how much and what is done."""
    for one in situation.of(*_COVERED):
        if one.kind is not MentionKind.VALUE or parse_amount(one.value).kind is not AmountKind.WORD:
            cover.add(one.start, one.end)
    for one in situation.of(MentionKind.ACTION):
        if one.value in verb_table().moves or one.value.startswith(OPEN_VERBS[:3]):
            cover.add(one.start, one.end)
    for word in (*own_terms().refuses, *own_terms().stops):
        cover.take(word)
    too_much = excess_said(beside) is not None and any(cover.take(word) for word in answers().excess)
    for step in step_pattern().finditer(cover.text):
        if step["before"] or step["after"] or too_much:
            cover.add(step.start(), step.end())


def _ordered(terms: list[Term], choice: str, name: str, situation: Situation) -> Order | None:
    """What is to be done with the one property of the terms."""
    spec, said, table = terms[0].spec, situation.text.lower().replace(name, "", 1), own_terms()
    for term in terms:
        said = said.replace(term.word, "", 1)
    refused, stopped = (any(word in said for word in words) for words in (table.refuses, table.stops))
    setting = SETTING + (spec.called or attribute_word(spec.role, spec.label))
    own = any(term.choice for term in terms)
    if spec.type is PropertyType.BOOL or (spec.type is PropertyType.ENUM and not own and (refused or stopped)):
        if refused and stopped:
            return Order(spec, "")
        if said and not said.strip(table.telling):
            return None  # 反转了 tells what it does
        return _switched(spec, setting, on=not (refused or stopped))
    if refused or stopped:
        return None
    amount = None if own else _of_amount(spec, setting, said, situation)
    return Order(spec, setting, choice) if amount is None and choice else amount


def _switched(spec: PropertySpec, setting: str, *, on: bool) -> Order | None:
    """A switch, or a property with a choice for off."""
    if spec.role is PropertyRole.POWER:
        return Order(spec, ON if on else OFF)
    if spec.type is PropertyType.BOOL:
        return Order(spec, setting, SWITCHED[not on])
    off = next((word for word in own_terms().set_off if word in spec.words), None)
    return None if off is None else Order(spec, setting, off)


def _of_amount(spec: PropertySpec, setting: str, said: str, situation: Situation) -> Order | None:
    """A value or a step that is said."""
    if amounts := situation.of(MentionKind.VALUE):
        return Order(spec, setting, _plainly(amounts[-1].value, spec))
    verbs = [one.value[:2] for one in situation.of(MentionKind.ACTION) if one.value.startswith(OPEN_VERBS[1:3])]
    if (step := excess_said(said) or step_said(said)) is not None:
        verbs = [step[:2]]
    return Order(spec, verbs[-1] + setting.removeprefix(SETTING)) if verbs else None


def _plainly(value: str, spec: PropertySpec) -> str:
    """The value without the degrees that the reading takes a bare number for, where it is no temperature."""
    return value if spec.role is PropertyRole.TEMPERATURE else value.rstrip("C")


def _is_read_so(order: Order, ids: tuple[str, ...], situation: Situation) -> bool:
    """Whether the reading says the same anyway, or is about another thing that is named."""
    things = [situation.text[one.start : one.end] for one in situation.of(*THINGS)]
    spec, last = order.spec, situation.page.last
    for query in situation.queries:
        pointed = query.name is None and query.type is DeviceType.UNKNOWN
        if pointed and attribute_of(query.action) == spec.called:
            return True  # 空调打开，风速四档: of what the clause before it is about
        found = last.ids if pointed and last is not None else members(resolve_job(Job(query), situation), situation)
        same, attribute = not set(found).isdisjoint(ids), attribute_of(query.action)
        by_role = read_act(query.action).role is spec.role and spec.called not in situation.text
        of_it = attribute in spec.called or attribute in spec.label or by_role
        if same and ((attribute and of_it) or (query.value in spec.words and spec.type is PropertyType.ENUM)):
            return True
        if found and not same and things and not any(one in spec.called or spec.called in one for one in things):
            return True
    return False
