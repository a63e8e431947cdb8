"""Sentences that need the context: 再大一点, 还要再小, 换强力的, 现在各是多少 (service.md, Dialogue).

The command protocol cannot say "one step more of the same"; the page can. Applied only to a short sentence right after
a turn about a device, without words that need another explanation.
"""

import re
from functools import cache

import msgspec

from context_retrieval.models import DeviceType, QueryIR
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind
from tingdong.home.acts import ActKind, read_act, settable_roles
from tingdong.home.plan import plan
from tingdong.home.questions import read_question
from tingdong.home.vocabulary import attributes
from tingdong.home_dialogue.acting import SETTING, attribute_of, called_in, has_attribute
from tingdong.home_dialogue.answers import answers, clauses_of, step_pattern
from tingdong.home_dialogue.arriving import spoken_of_here
from tingdong.home_dialogue.choose import described_span
from tingdong.home_dialogue.complete import WORDED, Job, so_many
from tingdong.home_dialogue.mentioned import MAX_CHARACTERS, TURNS_RECENT
from tingdong.home_dialogue.own_words import best_choice
from tingdong.home_dialogue.page import Doing
from tingdong.home_dialogue.pauses import has_pause
from tingdong.home_dialogue.places import is_any_room
from tingdong.home_dialogue.referents import them, told_apart
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.timer_words import says_length

__all__ = ["inferred"]

MAX_BESIDE_VALUE = 4
A_LITTLE_OPEN = "10%"
"""What 留条缝 comes to."""
_NO_VALUE = re.compile(r"[\s，,。.!！?？、那就还是回到调成吧了再改换设打开要给我个行好不对错]+")

_OTHER_TARGETS = (MentionKind.DEVICE, MentionKind.NAME, MentionKind.ROOM, MentionKind.WHOLE_HOME, MentionKind.SCENE)


def inferred(situation: Situation) -> tuple[Job, ...]:
    """Jobs for the devices spoken of last that this sentence asks for; none when it asks for nothing of the kind."""
    last = spoken_of_here(situation)
    if last is None or last.query is None or not last.ids or _speaks_of_others(situation, last):
        return ()
    if len(situation.text) > MAX_CHARACTERS or situation.page.turn - last.turn > TURNS_RECENT:
        return ()
    job = _asked_on(situation, last)
    if job is None and not situation.asks:
        job = _changed(situation, last)
    return (job,) if job is not None else ()


def _speaks_of_others(situation: Situation, last: Doing) -> bool:
    """Whether something else is named; a choice of the device spoken of is no other thing (换成换气)."""
    named = [mention for mention in situation.of(*_OTHER_TARGETS) if not is_any_room(mention.value)]
    if not named or not situation.says(answers().change):
        return bool(named)
    devices = [situation.home.shape.devices[i] for i in last.ids if i in situation.home.shape.devices]
    chosen = best_choice(situation.text, devices)
    return chosen is None or any(situation.text[m.start : m.end].lower() not in chosen[1] for m in named)


def _beside(situation: Situation, last: Doing) -> Job | None:
    """右边的也打开, 另一边的也暗一点: what was done or is said, of the one beside it."""
    found = told_apart(situation, last)
    start, end = described_span(situation.text)
    acts = [one for one in situation.of(MentionKind.ACTION) if not start <= one.start < end]
    denied = any(not start <= one.start < end for one in situation.of(MentionKind.NEGATION))
    if not found or last.query is None or len(acts) > 1 or denied:
        return None
    values = situation.of(MentionKind.VALUE)
    if not acts and not values:
        said = situation.says(_TOO) or situation.has(MentionKind.CORRECTION)  # 不对，右边
        return Job(last.query, found, "beside", last.pool) if said else None
    action, value = acts[0].value if acts else SETTING, values[-1].value if values else None
    query = msgspec.structs.replace(last.query, action=action, value=value, when=None)
    return Job(query, found, "beside", last.pool)


def _told_to(situation: Situation, last: Doing) -> Job | None:
    """喊它回去充电: what the one spoken of is told to do, where it can."""
    acts = situation.of(MentionKind.ACTION)
    if len(acts) != 1 or last.query is None or not _TOLD.match(situation.text) or situation.has(MentionKind.NEGATION):
        return None
    query = msgspec.structs.replace(last.query, action=acts[0].value, value=None, when=None)
    planned = plan(situation.home, query, last.ids, now=situation.scene.now)
    return Job(query, last.ids, "told_to", last.pool) if planned.instructs and not planned.notes else None


def _changed(situation: Situation, last: Doing) -> Job | None:
    return (
        _beside(situation, last)
        or _told_to(situation, last)
        or _next_channel(situation, last)
        or _moved(situation, last)
        or _stepped(situation, last)
        or _ajar(situation, last)
        or _valued(situation, last)
    )


# ---- asking on


@cache
def _only_asking() -> re.Pattern[str]:
    table = answers()
    words = sorted((*table.asking, *table.asking_fillers), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)))


def _asked_on(situation: Situation, last: Doing) -> Job | None:
    """The last question again, of the same devices; after a change, what it is now."""
    table = answers()
    text = "".join(clauses_of(situation.text))
    if not any(word in text for word in table.asking) or _only_asking().sub("", text):
        return None
    query = last.query or QueryIR("查询状态")
    said = read_question("查询状态", text.replace("多少", "几")).attribute
    if said != "状态" or not query.action.startswith("查询"):
        asked = said if said != "状态" else attribute_of(query.action) or said
        query = msgspec.structs.replace(query, action=f"查询{asked}", value=None, when=None)
    wanted = "哪些" + last.text.replace("几", "") if "哪" in text else last.text + text
    ids = them(situation, last) if any(word in text for word in table.each) else last.ids
    return Job(query, ids or last.ids, "asked_on", last.pool, wanted)


# ---- one step more


def _stepped(situation: Situation, last: Doing) -> Job | None:
    table = answers()
    steps = list(step_pattern().finditer(situation.text))
    values = [one for one in situation.of(MentionKind.VALUE) if one.value[:1].isdigit()]
    starts = {one.start for one in values}
    found = next((m for m in steps if m.end() in starts), None)  # 小十, 高两度
    if found is None and values and has_pause(situation.text):
        return None  # 太冷了，二十七 is what it is set to
    found = found or next((m for m in steps if m["before"] or m["after"]), None)
    excessive = found is None and situation.says(table.excess)
    if found is None and (excessive or situation.says(table.enough)):
        found = next(iter(steps), None)
    if found is None or last.query is None:
        return None
    if excessive and not any(map(situation.is_active, last.ids)):
        return None  # what is off is no nuisance
    attribute = (
        _called(situation, last) or _attribute_said(situation) or table.degree_of.get(found["up"] or found["down"], "")
    )
    attribute = attribute or _settable(attribute_of(last.query.action))
    if not _any_has(situation, last, SETTING + attribute):
        return None
    amounts: list[str | None] = [one.value for one in values] or [so_many(situation)]
    verb = "调高" if bool(found["up"]) is not excessive else "调低"
    query = msgspec.structs.replace(last.query, action=verb + attribute, value=amounts[-1], when=None)
    return Job(query, told_apart(situation, last) or last.ids, "stepped", last.pool)


def _called(situation: Situation, last: Doing) -> str:
    """雾量开小: the property of what was spoken of that is called so in the sentence; "" where none is."""
    devices = situation.home.shape.devices
    specs = (spec for i in last.ids if i in devices for spec in devices[i].properties.values() if not spec.readonly)
    return min(called_in(situation.text, specs), default="")


def _attribute_said(situation: Situation) -> str:
    """我是嫌风大: what is said of it, where that can be set."""
    said = [one.value for one in situation.of(MentionKind.ATTRIBUTE) if one.value in settable_roles()]
    return said[-1] if said else ""


def _settable(attribute: str) -> str:
    """The attribute, where it can be set at all: what was only asked of (水位) is not stepped."""
    return attribute if attribute in settable_roles() or attribute not in attributes() else ""


def _any_has(situation: Situation, last: Doing, action: str) -> bool:
    devices = situation.home.shape.devices
    return any(has_attribute(devices.get(device), action) for device in last.ids)


_VALUE_UNITS = ("%", "C", "K", "档")
_TOO = ("也", "一样")
_TOLD = re.compile("(?:[喊叫让请]|麻烦)(?:它|他|她)们?")
_AGAIN = ("再", "还要", "继续")


def _moved(situation: Situation, last: Doing) -> Job | None:
    """再合上百分之二十, 再减五: by so much more or less."""
    values, table = situation.of(MentionKind.VALUE), answers()
    if len(values) != 1 or last.query is None:
        return None
    before = situation.text[: values[0].start]
    if before.endswith(table.plus):
        verb: str | None = "调高"
    elif before.endswith(table.minus):
        verb = "调低"
    else:
        verbs = situation.of(MentionKind.ACTION)
        verb = verb_table().moves.get(verbs[0].value) if verbs and situation.text.startswith(_AGAIN) else None
    if verb is None:
        return None
    attribute = _spoken_attribute(situation, last, last.query)
    query = msgspec.structs.replace(last.query, action=verb + attribute, value=values[0].value, when=None)
    return Job(query, last.ids, "moved", last.pool)


def _spoken_attribute(situation: Situation, last: Doing, base: QueryIR) -> str:
    """湿度升十个点: what is said of what was spoken of, where that has it; else what was spoken of it."""
    said = _attribute_said(situation)
    return said if said and _any_has(situation, last, SETTING + said) else attribute_of(base.action)


def _valued(situation: Situation, last: Doing) -> Job | None:
    """那就6500 / 太费电，五十: another value of what was spoken of."""
    denied = {one.end for one in situation.of(MentionKind.NEGATION)}  # 不要粉的了
    values = [one for one in situation.of(MentionKind.VALUE) if one.start not in denied]
    if len(values) != 1 or last.query is None or not values[0].value:
        return None
    rest = _NO_VALUE.sub("", situation.text[: values[0].start] + situation.text[values[0].end :])
    base = last.query
    if base.value is None and situation.has(MentionKind.CORRECTION):  # 不对，是二十六, after 二十四度，风小点
        base = next((one for one in reversed(last.queries) if one.value is not None), base)
    attribute = _spoken_attribute(situation, last, base)
    devices = situation.home.shape.devices
    fitting = tuple(one for one in last.ids if has_attribute(devices.get(one), SETTING + attribute)) or last.ids
    just_begun = (
        read_act(base.action).kind is ActKind.ON and last.turn == situation.page.turn and situation.page.pending is None
    )
    just_begun = just_begun and not says_length(situation.text)
    bare = (attribute in WORDED or just_begun) and values[0].value[0].isdigit()
    if bare:
        attribute = ""
    if len(rest) > MAX_BESIDE_VALUE or not (attribute or bare or values[0].value.endswith(_VALUE_UNITS)):
        return None
    query = msgspec.structs.replace(last.query, action=SETTING + attribute, value=values[0].value, when=None)
    return Job(query, fitting, "valued", last.pool)


def _ajar(situation: Situation, last: Doing) -> Job | None:
    """留点缝透气 after a curtain: a little open."""
    if last.query is None or not situation.says(answers().ajar):
        return None
    covers = tuple(one for one in last.ids if situation.type_of(one) is DeviceType.BLIND)
    query = msgspec.structs.replace(last.query, action="设置开合度", value=A_LITTLE_OPEN, when=None)
    return Job(query, covers, "ajar", last.pool) if covers else None


def _next_channel(situation: Situation, last: Doing) -> Job | None:
    """下一个台 is one channel up (service.md, `instructs`)."""
    table = answers()
    up = situation.says(table.next_channel)
    if last.query is None or not (up or situation.says(table.previous_channel)):
        return None
    query = msgspec.structs.replace(last.query, action="调高频道" if up else "调低频道", value="1", when=None)
    return Job(query, last.ids, "last", last.pool)
