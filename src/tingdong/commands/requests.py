"""Which parts of a sentence are requests; talk, questions and lost conditions are removed."""

from itertools import pairwise

from context_retrieval.verbs import verb_table
from tingdong.commands.parts import Act, Unit, delay_of

__all__ = ["is_negated", "without_talk"]

_ADVERB = 2
"""More characters before the first thing are more than 把 (刚才把…)."""

_OF_ITSELF = frozenset(("自动",))
"""Signs of what has come about without anybody's doing (没水自动停了)."""


def without_talk(units: list[Unit], reasons: list[str]) -> list[Unit]:
    """The units that ask something of the home, with questions read as questions; `reasons` gets why others went."""
    kept: list[Unit] = []
    waits = tail = supposed = False
    for unit, following in zip(units, [*units[1:], None], strict=False):
        if unit.when_part and following is not None and following.when and not following.elements:
            unit.when, unit.when_lost = following.when, False  # 今晚…，十一点
        if unit.duration is not None and _lasts(unit, kept):
            kept[-1].acts[-1].duration = unit.duration  # 空调开，两个小时
            continue
        length = unit.duration.quantity if unit.duration is not None else None
        if length is not None and following is not None and _is_delay(unit, kept):
            unit.when = delay_of(length)  # 十分钟，灯，关
        acting = bool(unit.acts)
        if unit.when_part and not (acting or unit.when or unit.unknown or unit.elements or unit.ask):
            unit.condition = True  # 每天五更，…; 明天早上，…
        tail = unit.tail = unit.tail or tail
        if supposed and (not unit.sign):
            unit.sign = "supposed"
        supposed = unit.supposed
        if unit.cancel and not (acting or unit.groups or unit.count or unit.addressed):
            kept.append(Unit(unit.start, cancel=True, correction=unit.correction))  # 算了，我还要出去
            continue
        if unit.addressed:
            reasons.append("not_addressed")
            return []
        if unit.talk:
            if kept and kept[-1].acts and not _plainly_asked(kept[-1]):
                kept.pop()
            unit.unknown += 1
            kept.append(_without_acts(unit, reasons))
        elif unit.event and (acting or unit.condition) and not is_negated(unit) and not _only_asks(unit):
            reasons.append("when_not_expressible")
            waits = not acting or (following is not None and following.also and not following.when)
        elif unit.domain and not _plays(unit):
            reasons.append("other_domain")
            if unit.when and following is not None and (unit.negated or following.along) and not following.when:
                following.when = unit.when  # 三刻钟后叫醒我不必，把灯打开; 七点叫我起床，顺便开灯
        elif unit.domain:
            kept.append(unit)
        elif unit.sign:
            unit.unknown += 1
            kept.append(_without_acts(unit, reasons))
        elif acting and (waits or unit.when_lost or _hangs(unit)):
            reasons.append("when_not_expressible")
            waits = unit.hangs and all(act.negated or act.state for act in unit.acts)
        elif not acting and _waits_for_something(unit):
            waits = True
        else:
            waits = waits and not (unit.unknown or unit.elements)
            if kept and _stays(unit, kept[-1]):
                _keep(unit)
            elif following is not None and (_already_so(unit, following) or _reproached(unit, following)):
                unit.elements = list(unit.groups)
            _questions(unit)
            kept.append(unit)
    _ask_for_states(kept)
    return kept


def _plainly_asked(unit: Unit) -> bool:
    """把窗帘拉上，对面在装修: what begins with 把 is asked for, whatever the reason speaks of."""
    groups = unit.groups
    return unit.request and bool(groups) and groups[0].marked and groups[0].start - unit.start < _ADVERB


def _lasts(unit: Unit, kept: list[Unit]) -> bool:
    """Whether a length of time said alone is how long goes on what was just switched on."""
    alone = not (unit.elements or unit.when or unit.correction or unit.unknown or unit.sign)
    act = kept[-1].acts[-1] if kept and kept[-1].acts else None
    plain = act is not None and act.verb == "打开" and act.value is None and act.duration is None
    return alone and plain and not kept[-1].when


def _is_delay(unit: Unit, kept: list[Unit]) -> bool:
    """Whether a length of time said alone stands before all that is asked for."""
    alone = not (unit.elements or unit.when or unit.correction or unit.unknown or unit.sign)
    return alone and not any(before.acts for before in kept)


def _ask_for_states(units: list[Unit]) -> None:
    """灯关掉，加湿器开着: a state among requests is one, unless it only leads to what is asked of the same thing."""
    wanted = [unit.wanted for unit in units]
    if len(wanted) < 2 or not any(wanted):
        return
    for index, unit in enumerate(units):
        if not wanted[index]:
            continue
        others = [u for u in units if u is not unit and not u.sign and any(not act.negated for act in u.acts)]
        following = next((other for other in units[index + 1 :] if other.acts and not other.sign), None)
        own = following is None or any(not g.room_only and not g.marked for g in following.groups)
        own = own or (following is not None and _elsewhere(unit, following))
        if others and own and not any(act.query for other in others for act in other.acts):
            verb, at = wanted[index], max((group.start for group in unit.groups), default=unit.start)
            unit.elements.append(Act(at, verb=verb))


def _without_acts(unit: Unit, reasons: list[str]) -> Unit:
    """Talk keeps its things, which may be spoken of later, and loses what is done with them."""
    acting = bool(unit.acts)
    reasons.append("happened" if unit.sign in _OF_ITSELF else "no_request")
    unit.elements = list(unit.groups)
    if acting:
        unit.when = ""  # 规定十点断电: the time of what is told
    return unit


def _waits_for_something(unit: Unit) -> bool:
    """过会儿，… and 如果没人在家，…: what is asked next hangs on what WHEN cannot say."""
    return unit.condition and (unit.when_lost or _hangs(unit))


def _hangs(unit: Unit) -> bool:
    """如果没人在家就…: a condition was begun, and what it says is no time."""
    return unit.hangs and not unit.when and not (unit.ask or unit.look)


def _stays(unit: Unit, before: Unit) -> bool:
    """灯都关了，厨房的开着; 风扇都停，卧室的继续转: the opposite of what is done leaves the thing out of it."""
    if unit.ask or unit.look or unit.when or not unit.groups or not unit.acts:
        return False
    done = {act.verb for act in before.acts if act.verb and not act.negated}
    if any(act.verb == "继续" for act in unit.acts):
        return bool(done) and done <= verb_table().ending and _is_part(unit, before)
    return (
        not unit.request
        and {verb_table().opposite.get(act.state) for act in unit.acts} == done
        and not _elsewhere(unit, before)
    )


def _elsewhere(unit: Unit, before: Unit) -> bool:
    """收音机关了，净化器开着; 二楼灯关，露台灯开着: a thing of another kind or room is none of those before."""
    items = [item for group in unit.groups for item in group.items]
    done = [item for group in before.groups for item in group.items]
    if not done or before.all or before.other or any(item.anything for item in done):
        return False
    kinds = {item.kind for item in done} | {""}
    if all(item.kind not in kinds for item in items):
        return True
    rooms = {room for item in done for room in item.rooms or ()}
    said = {room for item in items for room in item.rooms or ()}
    placed = all(item.rooms for item in done) and bool(said) and not any(item.room_only for item in items)
    return placed and not any(room in other or other in room for room in rooms for other in said)


def _already_so(unit: Unit, following: Unit) -> bool:
    """加湿器得开着，其他东西关掉: the state of what is left out is only told; 空调继续吹，其他都关."""
    states = {verb_table().opposite.get(act.state) for act in unit.acts}
    return following.other and bool(unit.groups) and len(states) == 1 and states <= {act.verb for act in following.acts}


def _reproached(unit: Unit, following: Unit) -> bool:
    """还开着？关上关上: whether it is so is no question where the opposite is asked for at once."""
    states = {verb_table().opposite.get(act.state) for act in unit.acts}
    done = {act.verb for act in following.acts if not act.negated}
    return unit.ask and states == done and len(done) == 1 and not (following.groups or following.ask or following.when)


def _is_part(unit: Unit, before: Unit) -> bool:
    """Whether its things are some of those spoken of before (卧室的 of 风扇; 落地灯 of 灯)."""
    wide = [item for group in before.groups for item in group.items if item.name == "*" or item.anything or group.all]
    kinds = {item.kind for item in wide}
    items = [item for group in unit.groups for item in group.items]
    return bool(kinds) and all(item.room_only or (item.kind in kinds and item.name != "*") for item in items)


def _keep(unit: Unit) -> None:
    unit.negated = True
    for act in unit.acts:
        act.keep, act.negated, act.state = True, True, ""


def _only_asks(unit: Unit) -> bool:
    """我出门前空调关没关: what is asked about hangs on nothing."""
    return bool(unit.acts) and not unit.condition and all(act.query for act in unit.acts)


def _plays(unit: Unit) -> bool:
    """音箱放个故事: another domain's words are content where a player is told to play."""
    media = any(item.kind in ("audio", "television") for group in unit.groups for item in group.items)
    return media and any(act.verb == "播放" for act in unit.acts)


def _questions(unit: Unit) -> None:
    """Acts of a question are asked about, never carried out (architecture, law 2)."""
    acts = unit.acts
    if not acts or not (unit.ask or unit.look or unit.which or any([act.query or act.state for act in acts])):  # noqa: C419
        return
    asks = (unit.ask and not unit.tail) or unit.look
    if unit.which:
        unit.elements = [e for e in unit.elements if not isinstance(e, Act) or e.query or e.state]
    if unit.ask and unit.absent:
        for act in unit.acts:
            act.negated = False
    for one, other in pairwise(acts):
        if one.verb and other.query and one.end == other.start and one.value is None:
            one.weak = True  # 开了几成亮
    if any(act.query for act in acts):
        unit.elements = [
            e for e in unit.elements if not isinstance(e, Act) or e.query or e.value or not (e.state or e.weak)
        ]
    for act in unit.acts:
        if act.query or act.negated:
            continue
        if asks and (act.verb or act.state) and not act.value and not act.set:
            act.query, act.verb = "查询状态", ""
        elif asks and act.attribute and not act.value:
            act.query = f"查询{act.attribute}"
        elif unit.ask and not unit.tail:
            unit.elements = [element for element in unit.elements if element is not act]
        elif act.state in verb_table().lasting and unit.any:
            act.query = "查询状态"
        elif act.state in verb_table().lasting and (unit.request or unit.when or unit.also) and not unit.now:
            act.verb = act.state
        elif act.state and not act.query:
            unit.elements = [element for element in unit.elements if element is not act]
            bare = not (unit.unknown or unit.look or unit.ask or unit.going_on or unit.statement or unit.what)
            if bare and unit.groups and len(acts) == 1 and act.state in verb_table().lasting:
                unit.wanted = act.state


def is_negated(unit: Unit) -> bool:
    """Whether the unit says what shall not be done (别开灯), rather than what is not so (没开灯) or not meant."""
    acts = unit.acts
    if acts:
        if acts[-1].keep and len(acts) > 1 and all(act.again and act.weak for act in acts[:-1] if not act.negated):
            return True  # 油烟机再抽会儿不用动
        return all(act.negated or act.state for act in acts) and any(act.negated for act in acts)
    alone = not (
        unit.groups
        or unit.unknown
        or unit.statement
        or unit.count
        or unit.all
        or unit.when
        or unit.absent
        or unit.event
    )
    if unit.negated and alone and not (unit.exclusion or unit.other or unit.any or unit.correction):
        return True
    return unit.negated and bool(unit.groups) and not unit.unknown and not unit.statement and not unit.absent
