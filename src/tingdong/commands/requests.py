"""What of a sentence asks something of the home, and how: talk, questions and lost conditions are sorted out."""

from tingdong.commands.parts import Act, Unit

__all__ = ["is_negated", "without_talk"]


def without_talk(units: list[Unit], reasons: list[str]) -> list[Unit]:
    kept: list[Unit] = []
    waits = tail = False
    for unit in units:
        acting = bool(unit.acts)
        tail = unit.tail = unit.tail or tail
        if unit.addressed:
            reasons.append("not_addressed")
            return []
        if unit.talk:
            reasons.append("no_request")
            if kept and kept[-1].acts:
                kept.pop()
            unit.elements = list(unit.groups)
            kept.append(unit)
            continue
        if unit.event and (acting or unit.condition) and not is_negated(unit):
            reasons.append("when_not_expressible")
            waits = not acting
            continue
        if unit.domain and _plays(unit):
            kept.append(unit)
            continue
        if unit.domain:
            reasons.append("other_domain")
            continue
        if unit.sign:
            reasons.append("no_request")
            unit.elements = list(unit.groups)
            unit.unknown += 1
            kept.append(unit)
            continue
        if waits and not acting and (unit.unknown or unit.elements):
            waits = False
        if waits and acting:
            reasons.append("when_not_expressible")
            waits = False
            continue
        if unit.when_lost and acting:
            reasons.append("when_not_expressible")
            continue
        if unit.when_lost and unit.condition:
            waits = True
            continue
        _questions(unit)
        kept.append(unit)
    return kept


def _plays(unit: Unit) -> bool:
    """音箱放个故事: another domain's words are content where a player is told to play."""
    media = any(item.kind in ("audio", "television") for group in unit.groups for item in group.items)
    return media and any(act.verb == "播放" for act in unit.acts)


def _questions(unit: Unit) -> None:
    """Acts of a question are asked about, never carried out (architecture, law 2)."""
    acts = unit.acts
    if not acts:
        return
    asks = (unit.ask and not unit.tail) or unit.look
    if unit.which:
        unit.elements = [e for e in unit.elements if not isinstance(e, Act) or e.query or e.state]
    if unit.ask and unit.absent:
        for act in unit.acts:
            act.negated = False
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
        elif act.state in ("打开", "关闭") and unit.any:
            act.query = "查询状态"
        elif act.state in ("打开", "关闭") and (unit.request or unit.when) and not unit.now:
            act.verb = act.state
        elif act.state and not act.query:
            unit.elements = [element for element in unit.elements if element is not act]


def is_negated(unit: Unit) -> bool:
    acts = unit.acts
    if acts:
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
