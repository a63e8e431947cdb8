"""Short orders without a verb of the protocol: 回去吧, 换气就行, 让它摇头, 太冲了关掉 (service.md, Dialogue).

They are matched with the choices and features of the device. Questions are never matched (law 2), and a word that the
device does not know requests nothing.
"""

import re
from collections.abc import Iterator

import msgspec

from context_retrieval.grounding import but_for
from context_retrieval.models import DeviceType, Quantifier, QueryIR
from tingdong.commands.reading import Mention, MentionKind
from tingdong.home.device import DeviceShape
from tingdong.home.document import PropertyType
from tingdong.home.model import PropertyRole
from tingdong.home.properties import PropertySpec
from tingdong.home.terms import feature_words
from tingdong.home.vocabulary import attribute_word
from tingdong.home_dialogue.alone import left_alone
from tingdong.home_dialogue.answers import answers, clauses_of, excess_said, less_said, step_said
from tingdong.home_dialogue.arriving import spoken_of_here
from tingdong.home_dialogue.complete import Job
from tingdong.home_dialogue.mentioned import MAX_CHARACTERS, TURNS_RECENT
from tingdong.home_dialogue.own_words import own_terms, own_words
from tingdong.home_dialogue.page import Doing
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.target import resolve_job

__all__ = ["about_thing", "choice_beside", "colloquial", "feature_of"]

BESIDE_OWN_WORD = 3
"""Characters beside a word that is one of the thing's own."""
_NOTHING_MORE = re.compile(
    r"就行了?|就好了?|就可以了?|即可|得了|模式|功能|一下|打开|"
    r"[\s，,。.!！的吧啊呀哦呗啦嘛了把让给我它请那就用要来开个到切换调改转设成为至]+"
)
_REFUSING = ("不", "别", "甭", "停", "关", "取消")
_LEFT = ("留", "留着", "留一盏", "留个")


def colloquial(situation: Situation) -> tuple[Job, ...]:
    """Jobs for what the sentence asks in its own words; none when it asks for nothing that is known."""
    if situation.asks or situation.queries or len(situation.text) > MAX_CHARACTERS:
        return ()
    if job := _all_but_counted(situation):
        return (job,)
    if jobs := left_alone(situation):
        return jobs
    if situation.has(MentionKind.WHOLE_HOME, MentionKind.SCENE, MentionKind.WHEN):
        return ()
    last = spoken_of_here(situation)
    if last is not None and situation.page.turn - last.turn > TURNS_RECENT:
        last = None
    thing = _thing(situation)
    job = (
        _not_so(situation, thing, last)
        or _next_channel(situation, thing)
        or _kept_or_dropped(situation, thing, last)
        or _of_device(situation, thing, last)
        or _one_step(situation, thing)
        or _after_excess(situation, thing, last)
    )
    return (job,) if job is not None else ()


def _thing(situation: Situation) -> Mention | None:
    found = situation.of(MentionKind.NAME, MentionKind.DEVICE)
    return found[-1] if found else None


def about_thing(situation: Situation, thing: Mention, action: str, value: str | None = None) -> QueryIR:
    """A query for the thing that is named, in the rooms that are said."""
    named = thing.kind is MentionKind.NAME or thing.value not in ("", "*")
    return QueryIR(
        action,
        value,
        include=tuple(mention.value for mention in situation.of(MentionKind.ROOM)),
        name=thing.value if named else None,
        type=thing.type,
        quantifier=Quantifier.ONE if named else Quantifier.ALL,
    )


# ---- the channel after this one


def _next_channel(situation: Situation, thing: Mention | None) -> Job | None:
    """电视下一个频道, 换下一个台: one channel up (service.md, `instructs`)."""
    table = answers()
    up = situation.says(table.next_channel)
    if not (up or situation.says(table.previous_channel)):
        return None
    action = "调高频道" if up else "调低频道"
    if thing is not None:
        return Job(about_thing(situation, thing, action, "1"), None, "channel")
    return Job(QueryIR(action, "1", type=DeviceType.TELEVISION, quantifier=Quantifier.ALL), None, "channel")


# ---- one left out, one more


def _all_but_counted(situation: Situation) -> Job | None:
    """草坪灯除了3号都关了: all of a row but those counted."""
    found = but_for(situation.text, situation.home.shape.catalog)
    acts = situation.of(MentionKind.ACTION)
    if found is None or len(acts) != 1 or acts[0].value not in ("打开", "关闭"):
        return None
    rooms, name, but = found
    query = QueryIR(acts[0].value, include=rooms, name=name, quantifier=Quantifier.EXCEPT, excluded_names=(but,))
    return Job(query, None, "all_but")


def _kept_or_dropped(situation: Situation, thing: Mention | None, last: Doing | None) -> Job | None:
    """After something was switched off: 留个床头灯 has it on again, 床头灯也不要了 switches it off as well."""
    if thing is None or last is None or last.query is None or last.query.action != "关闭":
        return None
    if situation.text.startswith(_LEFT) and not situation.has(MentionKind.ACTION):
        return Job(about_thing(situation, thing, "打开"), None, "kept")
    return None


# ---- what the device itself knows


def _of_device(situation: Situation, thing: Mention | None, last: Doing | None) -> Job | None:
    """A feature or a choice of the device that is named, else of the one spoken of."""
    if thing is not None and (found := _named(situation, thing)):
        devices, query, rest = found, about_thing(situation, thing, ""), _without(situation, thing)
        if (job := _feature_or_choice(devices, query, rest) or _own_word(devices, query, rest)) is not None:
            return job
    if last is None or last.query is None or not last.ids:
        return None
    devices = [situation.home.shape.devices[i] for i in last.ids if i in situation.home.shape.devices]
    return _feature_or_choice(devices, last.query, situation.text)


def _own_word(devices: list[DeviceShape], query: QueryIR, rest: str) -> Job | None:
    """咖啡机来一大杯: hardly more than a word of the one thing that is named."""
    own = next(own_words(devices[0], rest), None) if len(devices) == 1 else None
    if own is None or len(rest) - (own.end - own.start) > BESIDE_OWN_WORD or any(word in rest for word in _REFUSING):
        return None
    attribute = own.spec.label if own.value == "开" else attribute_word(own.spec.role, own.spec.label)
    told = msgspec.structs.replace(query, action=f"设置{attribute}", value=own.value, when=None)
    return Job(told, (devices[0].id,), "own_word")


def _named(situation: Situation, thing: Mention) -> list[DeviceShape]:
    found = resolve_job(Job(about_thing(situation, thing, "查询状态")), situation)
    shape = situation.home.shape
    return [shape.devices[i] for i in found.entity_ids if i in shape.devices] if found.found else []


def _without(situation: Situation, thing: Mention) -> str:
    """The sentence without the thing and the rooms."""
    text = situation.text
    for mention in sorted((thing, *situation.of(MentionKind.ROOM)), key=lambda one: -one.start):
        text = text[: mention.start] + text[mention.end :]
    return text


def _feature_or_choice(devices: list[DeviceShape], query: QueryIR, text: str) -> Job | None:
    if not devices:
        return None
    ids = tuple(device.id for device in devices)
    for action, value in _asked(devices, text):
        told = msgspec.structs.replace(query, action=action, value=value, when=None)
        return Job(told, ids, "of_device")
    return None


def _asked(devices: list[DeviceShape], text: str) -> Iterator[tuple[str, str | None]]:
    if _only(text, answers().goes_home) and any(PropertyRole.ACTIVITY in device.by_role for device in devices):
        yield "回充", None
    found = feature_of(devices, text)
    if found is not None and any(f"{no}{word}" in text for no in own_terms().refuses for word in feature_words(found)):
        yield f"设置{found.label}", "关"  # 转得心烦，不要摇头了
    for clause in clauses_of(text):
        if clause.startswith(("不", "别", "甭")):
            continue
        for device in devices:
            for spec in device.properties.values():
                if spec.readonly or spec.type is not PropertyType.ENUM or spec.role is PropertyRole.POWER:
                    continue
                if (word := _choice_in(spec, clause)) is not None:
                    yield f"设置{attribute_word(spec.role, spec.label)}", word


def choice_beside(device: DeviceShape, situation: Situation) -> tuple[str, str] | None:
    """The act and value of the choice of `device` that the sentence says beside its name; None when it says none."""
    chosen = [
        spec
        for spec in device.properties.values()
        if not (spec.readonly or spec.type is not PropertyType.ENUM or spec.role is PropertyRole.POWER)
    ]
    for clause in (
        clauses_of(situation.without(MentionKind.NAME, MentionKind.DEVICE, MentionKind.ROOM)) if chosen else ()
    ):
        for spec in chosen:
            if (word := _choice_in(spec, clause)) is not None:
                return f"设置{attribute_word(spec.role, spec.label)}", word
    return None


def _choice_in(spec: PropertySpec, clause: str) -> str | None:
    """The choice that the clause is: nothing but its word, politeness and 模式."""
    clause = clause.lower()
    for word in sorted(spec.words, key=len, reverse=True):
        if len(word) > 1 and word in clause and not _NOTHING_MORE.sub("", clause.replace(word, "", 1)):
            return word
    return None


def feature_of(devices: list[DeviceShape], text: str) -> PropertySpec | None:
    """A thing a device does beside its work (摇头, 童锁): a switch of its own whose name is said."""
    found: list[tuple[bool, PropertySpec]] = []
    for device in devices:
        for spec in device.features:
            if len(spec.label) < 2 or spec.label in device.name:
                continue
            said = any(word in text for word in feature_words(spec))
            if said or any(f"{word}{spec.label[0]}" in text for word in ("别", "不", "停止")):
                found.append((spec.label not in text, spec))
    return min(found, key=lambda one: one[0])[1] if found else None


def _only(text: str, words: tuple[str, ...]) -> bool:
    """Whether the sentence is one of `words` and nothing more."""
    return any(word in text and not _NOTHING_MORE.sub("", text.replace(word, "", 1)) for word in words)


# ---- a step, an end


def _one_step(situation: Situation, thing: Mention | None) -> Job | None:
    """香薰机开高一点: one step more of what the thing is worked by."""
    if thing is None:
        return None
    for mention in situation.of(MentionKind.ACTION):
        if mention.value.startswith(("调高", "调低")):
            return Job(about_thing(situation, thing, mention.value), None, "one_step")
    rest = _without(situation, thing)
    step = None if situation.has(MentionKind.ACTION, MentionKind.VALUE) else step_said(rest) or excess_said(rest)
    said = [one.value for one in situation.of(MentionKind.ATTRIBUTE)]
    if step in ("调高", "调低") and said:
        step += said[-1]  # 电视音量大得很
    return None if step is None else Job(about_thing(situation, thing, step), None, "one_step")


def _not_so(situation: Situation, thing: Mention | None, last: Doing | None) -> Job | None:
    """台灯别太亮, 别那么响: less of it, and no refusal."""
    step = less_said(situation.text)
    if step is None or (thing is None and (last is None or last.query is None)):
        return None
    if thing is not None:
        return Job(about_thing(situation, thing, step), None, "not_so")
    query = msgspec.structs.replace(last.query, action=step, value=None, when=None) if last and last.query else None
    return None if query is None or last is None else Job(query, last.ids, "not_so", last.pool)


def _after_excess(situation: Situation, thing: Mention | None, last: Doing | None) -> Job | None:
    """太冲了关掉: the reason comes first, the order is the last word."""
    actions = situation.of(MentionKind.ACTION)
    if last is None or last.query is None or not last.ids or thing is not None:
        return None
    if situation.has(MentionKind.ROOM, MentionKind.HERE):
        return None
    if any(situation.text[: one.start].endswith(answers().excess) for one in actions):
        return None  # 太亮了 tells how it is
    if len(actions) != 1 or actions[0].value not in ("打开", "关闭") or not situation.says(answers().excess):
        return None
    if _NOTHING_MORE.sub("", situation.text[actions[0].end :]) or situation.has(MentionKind.NEGATION):
        return None
    query = msgspec.structs.replace(last.query, action=actions[0].value, value=None, when=None)
    return Job(query, last.ids, "after_excess", last.pool)
