"""Requests made of words alone: what frames are put around, and the regular core of it all (`forms.yaml`)."""

import random
from functools import cache
from importlib import resources

import msgspec

from context_retrieval.models import Action, Command, DeviceType, Quantifier, Scope, Target
from context_retrieval.strict_yaml import parse_yaml
from tingdong.reader.training.samples import Phrases, Sample

__all__ = ["amended", "elsewhere", "excepted", "listed", "moded", "request"]

_LINKS = "和跟、"
_MODAL = ("Light", "AirConditioner", "Fan", "Television", "Washer", "Washer", "Unknown", "Unknown")
_AT_ONCE = 0.12
_FOLLOWED = 0.3
"""Share of the requests with something left out that a clause with a room of its own follows: there it ends."""


class _Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: str
    verb: str
    forms: tuple[str, ...]
    unit: str = ""


class _Forms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    acts: dict[str, tuple[str, ...]]
    settings: tuple[_Change, ...]
    changes: tuple[_Change, ...]
    sweeps: dict[str, tuple[str, ...]]
    left: tuple[str, ...]
    kept: dict[str, tuple[str, ...]]
    excepted: tuple[str, ...]
    others: tuple[str, ...]
    short: tuple[_Change, ...]
    slips: tuple[str, ...]
    amends: dict[str, tuple[str, ...]]
    contrasts: tuple[str, ...]
    moded: tuple[str, ...]
    modes: dict[str, tuple[str, ...]]
    at_once: tuple[str, ...]


@cache
def _forms() -> _Forms:
    text = resources.files("tingdong.reader.training").joinpath("forms.yaml").read_text(encoding="utf-8")
    return msgspec.convert(parse_yaml(text), _Forms)


def request(phrases: Phrases, rng: random.Random) -> Sample:
    """One request that begins with its verb or with 把."""
    forms = _forms()
    chance = rng.random()
    value = None
    if chance < 0.55:
        kind = rng.choice(list(phrases.names))
        verb, acts = rng.choice(list(forms.acts.items()))
        form = rng.choice(acts)
    elif chance < 0.8:
        setting = rng.choice(forms.settings)
        kind, verb, unit = setting.type, setting.verb, setting.unit
        number = {"C": rng.randint(16, 30), "档": rng.randint(1, 5)}.get(unit, rng.randint(1, 20) * 5)
        form, value = rng.choice(setting.forms).format("{}", number), f"{number}{unit}"
    else:
        change = rng.choice(forms.changes)
        kind, verb, form = change.type, change.verb, rng.choice(change.forms)
    word, target = _thing(kind, phrases, rng)
    rooms = rng.sample(phrases.rooms, 2 if rng.random() < 0.12 else 1) if rng.random() < 0.55 else []
    place = rng.choice(_LINKS).join(rooms) + (rng.choice(("", "的", "里的")) if rooms else "")
    lead = rng.choice(forms.at_once) if rng.random() < _AT_ONCE else ""
    return Sample(lead + form.format(place + word), (Command(Action(verb, value), Scope(tuple(rooms)), target),))


def moded(phrases: Phrases, rng: random.Random) -> Sample:
    """A thing set to a mode that nobody listed (commands.md, ACTION: 设置模式)."""
    forms = _forms()
    word, target = _thing(rng.choice(_MODAL), phrases, rng)
    mode = rng.choice(forms.modes["begin"]) + rng.choice(forms.modes["end"])
    room = rng.choice(phrases.rooms) if rng.random() < 0.3 else ""
    text = rng.choice(forms.moded).format(room + (rng.choice(("的", "")) if room else "") + word, mode)
    return Sample(text, (Command(Action("设置模式", mode), Scope((room,) if room else ()), target),))


def elsewhere(phrases: Phrases, rng: random.Random) -> Sample:
    """Weather, alarms, shows and news: nothing that a home can do."""
    text = rng.choice(phrases.elsewhere)
    hour = rng.choice("六七八九十") + rng.choice(("点", "点半", "点钟"))
    act = rng.choice(("打开", "关闭", "取消", "开启", "关掉", "删掉"))
    drawn = {"city": phrases.cities, "date": phrases.dates, "show": phrases.shows, "hour": (hour,), "act": (act,),
             "acted": ("关了", "打开", "取消", "删了")}  # fmt: skip
    for name, words in drawn.items():
        text = text.replace(f"{{{name}}}", rng.choice(words))
    while "{thing}" in text:
        text = text.replace("{thing}", _thing(rng.choice(list(phrases.names)), phrases, rng)[0], 1)
    return Sample(text, ())


def _thing(kind: str, phrases: Phrases, rng: random.Random) -> tuple[str, Target]:
    """A word for a thing of a type, and the target that it says."""
    generic = rng.random() < 0.5 and kind in phrases.generic
    word = rng.choice(phrases.generic[kind] if generic else phrases.names[kind])
    return word, Target("*" if generic else word, DeviceType(kind), Quantifier.ALL if generic else Quantifier.ONE)


def excepted(phrases: Phrases, rng: random.Random) -> Sample:
    """A sweeping request with what is left out of it, before or after (commands.md, SCOPE, NAME and TYPE)."""
    kind = rng.choice(list(phrases.generic)) if rng.random() < 0.85 else ""
    word = rng.choice(phrases.generic[kind]) if kind else rng.choice(("", "设备", "东西", "电器"))
    verb = rng.choice(list(_forms().sweeps))
    area = rng.choice(phrases.rooms) if rng.random() < 0.25 else ""
    by_room = bool(kind) and not area and rng.random() < 0.5
    pool = phrases.rooms if by_room else phrases.names[kind] if kind else phrases.names["Unknown"]
    left = rng.sample(pool, 2 if rng.random() < 0.25 else 1)
    said = rng.choice(_LINKS).join(left)
    place = area + (rng.choice(("的", "里的", "")) if area else "")
    write = _left_after if rng.random() < 0.5 else _left_before
    text = write(verb, word, place, said, by_room=by_room, rng=rng)
    scope = Scope((area,) if area else (), tuple(left) if by_room else ())
    excluded = () if by_room else tuple(left)
    target = Target("*", DeviceType(kind or "Unknown"), Quantifier.EXCEPT, None, excluded)
    commands: tuple[Command, ...] = (Command(Action(verb), scope, target),)
    if rng.random() < _FOLLOWED:
        room = rng.choice([room for room in phrases.rooms if room not in (area, *left)])
        said, further = _clause(phrases, rng, room + rng.choice(("的", "", "")), Scope((room,)))
        text, commands = text + rng.choice(("，", "，", "；", " ")) + said, (*commands, further)
    return Sample(text, commands)


def _left_after(verb: str, word: str, place: str, said: str, *, by_room: bool, rng: random.Random) -> str:
    forms = _forms()
    sweep = rng.choice(forms.sweeps[verb]).format(place + (word or rng.choice(("东西", "设备"))))
    of = rng.choice(("的", "那台", "")) if by_room else ""
    tail = rng.choice((*forms.left, *forms.kept[verb], *forms.kept[verb])).format(said + of)
    return sweep + rng.choice(("，", "，", " ", "", "，不过", "，就")) + tail


def _left_before(verb: str, word: str, place: str, said: str, *, by_room: bool, rng: random.Random) -> str:
    forms = _forms()
    lead = rng.choice(forms.excepted).format(said + (rng.choice(("的", "", "")) if by_room else ""))
    rest = rng.choice(forms.others) + ("的" if rng.random() < 0.3 else "") + word
    if not by_room or rng.random() < 0.5:
        sweep = rng.choice(forms.sweeps[verb][:3]).format(rest)
    else:
        sweep = rng.choice(forms.sweeps[verb]).format(word)
    return place + lead + rng.choice(("，", "，", "", " ")) + sweep


def listed(phrases: Phrases, rng: random.Random) -> Sample:
    """One act over several things, or each thing with an act or a value of its own."""
    count = rng.randint(2, 5)
    room = rng.choice(phrases.rooms) if rng.random() < 0.5 else ""
    scope = Scope((room,) if room else ())
    place = room + rng.choice(("的", "", "里的")) if room else ""
    if rng.random() < 0.35:
        things = [_thing(kind, phrases, rng) for kind in rng.sample(list(phrases.names), min(count, 4))]
        verb, forms = _act("{}都打开", "{}都关了", rng)
        said = rng.choice("、和跟，").join(word for word, _ in things)
        text = rng.choice(forms).format(place + said)
        return Sample(text, tuple(Command(Action(verb), scope, target) for _, target in things))
    parts, commands = [], []
    for index in range(count):
        moved = index > 0 and rng.random() < 0.2
        if moved:
            room = rng.choice(phrases.rooms)
            scope, place = Scope((room,)), room + rng.choice(("的", "", ""))
        said, command = _clause(phrases, rng, place if moved or not index else "", scope)
        parts.append(said)
        commands.append(command)
    text = rng.choice(("，", "，", "，再", " ", "然后", "", "；")).join(parts)
    return Sample(text, tuple(dict.fromkeys(commands)))


def _clause(phrases: Phrases, rng: random.Random, place: str, scope: Scope) -> tuple[str, Command]:
    """One clause of a list: a thing and what becomes of it."""
    if rng.random() < 0.5:
        word, target = _thing(rng.choice(list(phrases.names)), phrases, rng)
        verb, forms = _act("{}打开", "{}关掉", rng)
        form = rng.choice(forms[-2:] if rng.random() < 0.7 else forms)
        return form.format(place + word), Command(Action(verb), scope, target)
    short = rng.choice(_forms().short)
    word, target = _thing(short.type, phrases, rng)
    if not short.unit:
        return rng.choice(short.forms).format(place + word), Command(Action(short.verb), scope, target)
    number = _number(short.unit, rng)
    said = str(number) if rng.random() < 0.4 else _spoken(number)
    return rng.choice(short.forms).format(place + word, said), Command(
        Action(short.verb, f"{number}{short.unit}"), scope, target
    )


def _number(unit: str, rng: random.Random) -> int:
    return {"C": rng.randint(16, 30), "档": rng.randint(1, 5)}.get(unit, rng.randint(1, 20) * 5)


def _spoken(number: int) -> str:
    """A number from 1 to 100 in Chinese."""
    digits = "零一二三四五六七八九"
    if number >= 100:
        return "一百"
    tens, ones = divmod(number, 10)
    ten = ("" if tens < 2 else digits[tens]) + "十" if tens else ""
    return ten + (digits[ones] if ones or not tens else "")


def amended(phrases: Phrases, rng: random.Random) -> Sample:
    """A request of which the end puts one part right: the room, the thing, the act or the value (commands.md, Order and
    splitting)."""
    forms = _forms()
    part = rng.choice(("room", "room", "thing", "thing", "act", "value"))
    slip = rng.choice(forms.slips)
    if part == "value":
        setting = rng.choice(forms.settings)
        word, target = _thing(setting.type, phrases, rng)
        wrong, right = _number(setting.unit, rng), _number(setting.unit, rng)
        form = rng.choice(setting.forms)
        unit = {"C": "度", "档": "档"}.get(setting.unit, "")
        said = form.format(word, wrong) + slip + rng.choice(forms.amends["value"]).format(f"{right}{unit}")
        return Sample(said, (Command(Action(setting.verb, f"{right}{setting.unit}"), Scope(), target),))
    kind = rng.choice(list(phrases.names))
    verb, acts = rng.choice(list(forms.acts.items()))
    form = rng.choice((*acts, "{}打开", "{}开开") if verb == "打开" else (*acts, "{}关掉", "{}关了"))
    word, target = _thing(kind, phrases, rng)
    room, other = rng.sample(phrases.rooms, 2)
    if part == "room":
        text = (
            form.format(f"{room}{rng.choice(('的', ''))}{word}") + slip + rng.choice(forms.amends[part]).format(other)
        )
        return Sample(text, (Command(Action(verb), Scope((other,)), target),))
    scope, place = (Scope((room,)), room + rng.choice(("的", ""))) if rng.random() < 0.3 else (Scope(), "")
    if part == "act":
        turned = "关闭" if verb == "打开" else "打开"
        said = rng.choice({"打开": ("打开", "开", "开开"), "关闭": ("关掉", "关", "关了")}[turned])
        text = form.format(place + word) + slip + rng.choice(forms.amends[part]).format(said)
        return Sample(text, (Command(Action(turned), scope, target),))
    second, wanted = _thing(rng.choice((kind, rng.choice(list(phrases.names)))), phrases, rng)
    if second == word:
        return request(phrases, rng)
    if rng.random() < 0.5:
        text = form.format(place + word) + slip + rng.choice(forms.amends[part]).format(second)
    else:
        text = rng.choice(forms.contrasts).format(
            wrong=word, right=second, act=form.format(second), acted=form.format(word)
        )
        scope = Scope()
    return Sample(text, (Command(Action(verb), scope, wanted),))


def _act(opened: str, closed: str, rng: random.Random) -> tuple[str, tuple[str, ...]]:
    """A verb and its forms, one further form for each of the two verbs."""
    verb, forms = rng.choice(list(_forms().acts.items()))
    further = opened if verb == "打开" else closed
    return verb, (*forms, further, further.replace("都", "全").replace("了", "掉"))
