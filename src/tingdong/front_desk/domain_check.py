"""What a domain file must hold beyond its types: every name that it uses points to something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tingdong.errors import DataError
from tingdong.front_desk.kinds import FOUND, SLOT_KINDS, WHOM, signals_of
from tingdong.front_desk.lexicon import phrases
from tingdong.front_desk.model import UNKNOWN_AGENT, SafetyAction, SafetyLabel

if TYPE_CHECKING:
    from tingdong.front_desk.domain import Domain

_DAYS = 7

REPLIES = {
    "clarify": ("choices",),
    "shift": ("title",),
    "ask": ("ask",),
    "continue": ("title",),
    "noted": ("values",),
    "named": ("title", "values"),
    "date": ("month", "day", "weekday"),
    "courtesy": (),
    "told": (),
    "foreign": (),
    "add": ("title",),
    "cancel": ("title",),
    "complete": ("title",),
    "not_listed": ("names",),
    "unread": ("words",),
    "unheard": ("words",),
    "unheld": ("words",),
    "refuse": (),
    "unknown": (),
    "stands": ("title",),
    "kept": ("title",),
    "not_noted": ("words", "title"),
    "waits": ("title",),
    "overview": ("tasks",),
    "which": ("choices",),
    "unsure": ("words", "tasks"),
    "supposed": ("words", "tasks"),
    "replaced": ("title",),
}
"""The replies of a domain with the fields that each may have."""
LEARNED = ("hospital",)
"""Names of the models of the package (`Domain.learned`)."""
NEEDED = ("clarify", "shift", "continue", "add", "cancel", "complete", "unknown")
"""Replies without which a turn would say nothing."""


def check(domain: Domain, name: str) -> None:
    """Every name used points to something. Raises `DataError` for the first that does not, with its key."""
    for key, problem in _problems(domain):
        raise DataError(f"{name}: {key}: {problem}", path=key)


def _problems(domain: Domain) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    agents, signals = set(domain.agents), _signal_names(domain)

    def expect(key: str, names: tuple[str, ...], known: set[str] | frozenset[str]) -> None:
        found.extend((key, f"{name!r} is not defined") for name in names if name not in known)

    found.extend(_word_problems(domain))
    kinds = {slot.kind for agent in domain.agents.values() for slot in agent.slots.values()}
    expect("unmeant", tuple(domain.unmeant), kinds)
    expect("people", domain.people.told_of + domain.people.parts + domain.people.ails, signals)
    if domain.markers.weekdays and len(domain.markers.weekdays.split()) != _DAYS:
        found.append(("markers.weekdays", "seven names, from Monday on"))
    for code, agent in domain.agents.items():
        expect(f"agents.{code}.lane", (agent.lane,), set(domain.lanes))
        expect(f"agents.{code}.called", agent.called, signals)
        found.extend((f"agents.{code}.aliases", f"{name!r} is an agent") for name in agent.aliases if name in agents)
        for slot, spec in agent.slots.items():
            key = f"agents.{code}.slots.{slot}.kind"
            if spec.required and not spec.ask:
                found.append((f"agents.{code}.slots.{slot}.ask", "a required slot has a question"))
            if signals_of(spec.kind):
                expect(key, signals_of(spec.kind), signals)
            else:
                expect(key, (spec.kind,), SLOT_KINDS)
    if UNKNOWN_AGENT in agents:
        found.append((f"agents.{UNKNOWN_AGENT}", "is reserved for what fits no agent"))
    expect("priority", domain.priority, agents)
    for index, relation in enumerate(domain.relations):
        expect(f"relations[{index}].a", relation.a, agents)
        expect(f"relations[{index}].b", relation.b, agents)
    expect("markers.covering", domain.markers.covering, signals)
    for index, compound in enumerate(domain.compounds):
        expect(f"compounds[{index}].parts", compound.parts, signals)
        if not compound.parts:
            found.append((f"compounds[{index}].parts", "is empty"))
    for index, rule in enumerate(domain.rules):
        expect(f"rules[{index}].agent", (rule.agent,), agents | {UNKNOWN_AGENT})
        expect(f"rules[{index}]", rule.all + rule.any + rule.none, signals)
    for name in ("in_force", "usable", "altered", "wanted"):
        expect(f"operating.{name}", getattr(domain.operating, name), signals)
    cutting = domain.cutting
    for name in ("asks", "alone", "once"):
        expect(f"cutting.{name}", getattr(cutting, name), signals)
    expect("cutting.wishes", cutting.wishes, signals)
    expect("cutting.questions", cutting.questions, signals)
    expect("cutting.arranged", cutting.arranged, signals)
    expect("cutting.tells", cutting.tells, agents)
    expect("cutting.apart", tuple(code for pair in cutting.apart + cutting.unlike for code in pair), agents)
    for code, names in cutting.own.items():
        expect("cutting.own", (code,), agents)
        expect(f"cutting.own.{code}", names, signals)
    expect("evidence", tuple(domain.evidence), signals)
    refusing = domain.refusing
    expect("refusing", refusing.wishes + refusing.objects + refusing.unless + refusing.asking, signals)
    found.extend(_file_problems(domain))
    found.extend(_said_problems(domain))
    expect("safety.told_to", domain.safety.told_to, agents)
    found.extend(_safety_problems(domain, signals))
    return found


def _file_problems(domain: Domain) -> list[tuple[str, str]]:
    """What is no name: lanes, rules that hold of everything, sentences of nobody, models that nobody has."""
    found: list[tuple[str, str]] = []
    kinds = {slot.kind for agent in domain.agents.values() for slot in agent.slots.values()}
    if sum(kind.startswith(WHOM) for kind in kinds) > 1:
        found.append(("agents", "one kind of slot says whom a task is for"))
    if sum(lane.leads for lane in domain.lanes.values()) > 1:
        found.append(("lanes", "at most one leads"))
    found.extend(
        (f"sentences.{code}", "is not defined")
        for code in domain.sentences
        if code not in {*domain.agents, UNKNOWN_AGENT}
    )
    if domain.learned and domain.learned not in LEARNED:
        found.append(("learned", f"{domain.learned!r} is none of {'、'.join(LEARNED)}"))
    if domain.source:
        found.append(("source", "is where the file lies, and stands in none"))
    for index, rule in enumerate(domain.rules):
        if not (rule.all or rule.any):
            found.append((f"rules[{index}]", "holds of everything: it has neither `all` nor `any`"))
        if not 0 < rule.score <= 1:
            found.append((f"rules[{index}].score", "is above 0 and at most 1"))
    return found


def _word_problems(domain: Domain) -> list[tuple[str, str]]:
    """Templates that cannot be read, wherever words stand."""
    cues = [{"phrases": cue.phrases, "starts": cue.starts, "whole": cue.whole} for cue in domain.markers.cues]
    told: dict[str, dict[str, object]] = {
        "signals": dict(domain.signals),
        "pointing.alike": {str(row): words for row, words in enumerate(domain.pointing.alike)},
        **{
            name: msgspec.structs.asdict(getattr(domain, name))
            for name in ("markers", "refusing", "correcting", "pointing", "operating", "people")
        },
        "operating.counts": {str(row): words for row, words in enumerate(domain.operating.counts)},
        "people.both": dict(domain.people.both),
        "people.broad": {words: f"{words} {members}" for words, members in domain.people.broad.items()},
        **{f"markers.cues[{index}]": dict(cue) for index, cue in enumerate(cues)},
        **{f"unmeant.{kind}": msgspec.structs.asdict(words) for kind, words in domain.unmeant.items()},
    }
    found = []
    for part, fields in told.items():
        for name, words in fields.items():
            try:
                phrases(words if isinstance(words, str) else "")
            except DataError as error:
                found.append((f"{part}.{name}", str(error)))
    return found


def _said_problems(domain: Domain) -> list[tuple[str, str]]:
    """What a turn would say: every reply is there and can be filled in, every limit lets something through."""
    found = [
        (f"limits.{name}", "is at least 1")
        for name in ("ops", "clarify_turns", "chars", "segments")
        if getattr(domain.limits, name) < 1
    ]
    found.extend((f"agents.{code}.title", "is empty") for code, agent in domain.agents.items() if not agent.title)
    for name, fields in REPLIES.items():
        if name in NEEDED and not domain.replies.get(name, "").strip():
            found.append((f"replies.{name}", "is empty"))
        try:
            domain.replies.get(name, "").format(**dict.fromkeys(fields, ""))
        except (KeyError, IndexError, ValueError) as error:
            found.append((f"replies.{name}", f"cannot be filled in: {error}"))
    found.extend((f"replies.{name}", "is no reply of a turn") for name in domain.replies if name not in REPLIES)
    found.extend(
        (f"safety.replies.{label.value}", "is empty")
        for label, text in domain.safety.replies.items()
        if not text.strip()
    )
    return found


def _safety_problems(domain: Domain, signals: set[str]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    safety = domain.safety
    for index, flag in enumerate(safety.flags):
        found.extend(
            (f"safety.flags[{index}]", f"{name!r} is not defined")
            for name in flag.all + flag.any
            if name not in signals
        )
        found.extend(
            (f"safety.flags[{index}].excused", f"{name!r} is not defined")
            for name in flag.excused
            if name not in safety.excuses
        )
    found.extend(
        ("safety", f"{name!r} is not defined")
        for name in (*safety.places, *safety.fine, *safety.vague)
        if name not in signals
    )
    found.extend(
        (f"safety.flags[{index}]", "holds of everything: it has neither `all` nor `any`")
        for index, flag in enumerate(safety.flags)
        if not (flag.all or flag.any)
    )
    found.extend(
        (f"safety.thresholds.{label.value}", "is a chance, 0 to 1")
        for label, least in safety.thresholds.items()
        if not 0 <= least <= 1
    )
    for label in SafetyLabel:
        if label not in safety.actions:
            found.append(("safety.actions", f"{label.value!r} is missing"))
        elif (safety.actions[label] is SafetyAction.PASS) != (label is SafetyLabel.NORMAL):
            found.append((f"safety.actions.{label.value}", "only what is normal passes"))
        elif label is not SafetyLabel.NORMAL and label not in safety.replies:
            found.append(("safety.replies", f"{label.value!r} is missing"))
    for title, frame in safety.frames.items():
        found.extend(
            (f"safety.frames.{title}", f"{name!r} is not defined")
            for name in frame.signals + frame.unless + frame.takes
            if name not in signals
        )
    for excuse, names in safety.excuses.items():
        found.extend((f"safety.excuses.{excuse}", f"{name!r} is not defined") for name in names if name not in signals)
    return found


def _signal_names(domain: Domain) -> set[str]:
    return set(domain.signals) | {compound.signal for compound in domain.compounds} | FOUND | set(domain.attachments)
