"""Values that no request uses: 制冷二十六, 天窗60%开 (nothing is dropped silently).

A value that fits only one property of the devices just set is set; others are reported as not done.
"""

import re
from collections.abc import Set

import msgspec

from tingdong.commands.reading import Mention, MentionKind
from tingdong.home.properties import PropertySpec
from tingdong.home.vocabulary import attribute_word
from tingdong.home_dialogue.acting import SETTING
from tingdong.home_dialogue.answers import less_said, step_said
from tingdong.home_dialogue.carry import Carried
from tingdong.home_dialogue.colloquial import colloquial
from tingdong.home_dialogue.complete import Job
from tingdong.home_dialogue.functions import Function
from tingdong.home_dialogue.infer import inferred
from tingdong.home_dialogue.own_words import best_choice
from tingdong.home_dialogue.page import Doing
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.turn_functions import chance
from tingdong.home_dialogue.unplaced import NOT_UNDERSTOOD

__all__ = ["carry_left_values"]

MOST_LEFT = 6
"""Values of one sentence carried out so: nobody leaves more unsaid, and each looks at the whole of it again."""
SURE_IT_TELLS = 0.9
"""Chance from which a clause with a step only tells."""
MOST_BESIDE_CHOICE = 2
"""Characters beside a choice that is all that a clause says."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_APART = (MentionKind.CORRECTION, MentionKind.NEGATION, MentionKind.CANCEL, MentionKind.QUERY, MentionKind.EXCEPT,
          MentionKind.COUNT, MentionKind.ORDINAL)  # fmt: skip
"""Beside one of these a value may be what is not meant, or counts things."""


def carry_left_values(carried: Carried, situation: Situation) -> None:
    """Carries out the values and steps of a clause that its requests left out, on what they were about."""
    _carry_steps(carried, situation)
    queries = situation.queries
    if not queries or situation.asks or situation.has(*_APART) or len({one.when for one in queries}) > 1:
        return
    said = " ".join(f"{one.value or ''} {one.when or ''} {one.count or ''} {one.name or ''}" for one in queries)
    used = set(map(float, _NUMBER.findall(said)))
    left = [one for one in situation.of(MentionKind.VALUE) if _is_left(one, used, said, situation)]
    for mention in left[:MOST_LEFT]:
        ids = carried.latest.ids if carried.latest is not None else ()
        spec = _only_one_that_takes(float(_NUMBER.findall(mention.value)[0]), ids, situation)
        attribute = attribute_word(spec.role, spec.label) if spec is not None else ""
        if any(_NUMBER.search(one.value or "") and attribute in one.action for one in queries):
            continue  # 声音30，太大了，20: said anew
        if spec is None:
            carried.answers.append(NOT_UNDERSTOOD.format(situation.text[mention.start : mention.end]))
            continue
        query = msgspec.structs.replace(queries[-1], action=f"设置{attribute}", value=mention.value)
        carried.run_job(Job(query, ids, "left_value"))


def _carry_steps(carried: Carried, situation: Situation) -> None:
    """咖啡机打开，浓一点: what a clause that the reading made nothing of says to go on with."""
    spoken = [Doing((query,), ids, ids) for query, ids in reversed(carried.clauses) if ids]
    for part in situation.reading.parts:
        if part.reading.commands or _tells(part.start, part.end, situation):
            continue
        act = less_said(part.reading.text) or step_said(part.reading.text)
        if act is None:
            _carry_choice(carried, part.reading.text)
            continue
        if any(query.action.startswith(act[:2]) for query in situation.queries):
            continue  # 地暖太热了，低一点: one of the requests is that
        pages = (msgspec.structs.replace(situation.page, last=last) for last in spoken)
        clauses = (situation.read_as(part.reading, page) for page in pages)
        jobs = next(filter(None, (inferred(one) or colloquial(one) for one in clauses)), ())
        for job in jobs:
            carried.run_job(job)


def _carry_choice(carried: Carried, text: str) -> None:
    """浓度调到三，大杯: a clause that is no more than a choice of what was acted on."""
    for query, ids in reversed(carried.clauses):
        devices = [carried.home.shape.devices[one] for one in ids if one in carried.home.shape.devices]
        found = best_choice(text, devices)
        if found is None or len(text) - len(found[1]) > MOST_BESIDE_CHOICE or found[1] in (query.value or ""):
            continue
        attribute = attribute_word(found[0].role, found[0].label)
        carried.run_job(
            Job(msgspec.structs.replace(query, action=SETTING + attribute, value=found[1]), ids, "left_value")
        )
        return


def _tells(start: int, end: int, situation: Situation) -> bool:
    return chance(situation, start, end, Function.TELL) > SURE_IT_TELLS


def _is_left(mention: Mention, used: Set[float], said: str, situation: Situation) -> bool:
    """Whether it is a number that stands in no request: neither its value, nor its time, nor the name of its thing;
    `said` and `used` are what stands there, and the numbers of it."""
    numbers = _NUMBER.findall(mention.value)
    if len(numbers) != 1 or float(numbers[0]) in used or situation.text[mention.start : mention.end] in said:
        return False
    return not any(one.start < mention.end and mention.start < one.end for one in situation.of(MentionKind.WHEN))


def _only_one_that_takes(number: float, ids: tuple[str, ...], situation: Situation) -> PropertySpec | None:
    """The one property of the one thing that takes the number."""
    device = situation.home.shape.devices.get(ids[0]) if len(ids) == 1 else None
    specs = device.properties.values() if device is not None else ()
    fitting = [one for one in specs if one.numeric and not one.readonly and one.fits(int(number))]
    return fitting[0] if len(fitting) == 1 and number == int(number) else None
