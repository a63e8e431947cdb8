"""People and places named in segments: a person with their own place is one task (hospital.md, Relations)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from tingdong.front_desk.align import says_little_else
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.kinds import NAMED, PERSON, PLACE
from tingdong.front_desk.lexicon import PUNCTUATION, any_of
from tingdong.front_desk.model import UNKNOWN_AGENT, Segment, SlotMention
from tingdong.front_desk.ruled import RuleReader
from tingdong.front_desk.slots import fill

_TAIL = 2
"""Characters beside a name that say no more than the name (夏天医生的号)."""

__all__ = ["joined", "named_first", "names_of"]


def names_of(domain: Domain) -> dict[str, frozenset[str]]:
    """For each agent the kinds of people and places that one task of its is about."""
    return {
        code: frozenset(s.kind for s in agent.slots.values() if s.required and s.kind in NAMED)
        for code, agent in domain.agents.items()
    }


def named_first(segment: Segment, domain: Domain) -> Segment:
    """A task as one of the agent of its group that comes first of those whom it names everything for (hospital.md,
    Class: somebody by name, then a place): 挂心理科的宋知微 is about the person."""
    agent = domain.agents.get(segment.agent_code)
    if agent is None:
        return segment
    named = {one.kind for one in segment.mentions if one.value and one.listed and one.kind in NAMED}
    about = names_of(domain)
    ranked = [code for code, other in domain.agents.items() if other.group and other.group == agent.group]
    for code in sorted(ranked, key=domain.rank):
        if code == segment.agent_code:
            break
        if about[code] and about[code] <= named and about[segment.agent_code]:
            slots = fill(domain.agents[code], segment.mentions)
            return msgspec.structs.replace(segment, agent_code=code, slots=slots)
    return segment


def joined(
    segments: Sequence[Segment], rules: RuleReader, bare: Mapping[int, bool], plain: Mapping[int, bool]
) -> list[Segment]:
    """The segments, those that say no more than the place of somebody named beside them joined with theirs
    (儿科吧，高兴医生今天在吗). `bare` tells by its place of which segment it is a name alone that asks, `plain` which
    is no question (挂呼吸科，夏天医生的号)."""
    found: list[Segment] = []
    for segment in segments:
        if found and (one := _together(found[-1], segment, rules, bare, plain)) is not None:
            found[-1] = one
        else:
            found.append(segment)
    return found


def _together(
    one: Segment, other: Segment, rules: RuleReader, bare: Mapping[int, bool], plain: Mapping[int, bool]
) -> Segment | None:
    place, person = (one, other) if _names(other, PERSON) else (other, one)
    places, people = _names(place, PLACE), _names(person, PERSON)
    agent = rules.domain.agents.get(person.agent_code)
    if agent is None or len(places) != 1 or len(people) != 1 or _names(place, PERSON):
        return None
    rest = _besides(person, rules.domain)
    names_only = plain.get(person.start) and rest <= _TAIL and not rules.domain.limits.clarify_same_sentence
    if not bare.get(place.start) and not names_only:
        return None
    if places[0].value not in rules.places_of(people[0].value):
        return None
    if place.agent_code == UNKNOWN_AGENT or not says_little_else(place, 0, len(place.text)):
        return None
    mentions = (*one.mentions, *other.mentions)
    return msgspec.structs.replace(
        person,
        text=f"{one.text}，{other.text}",
        start=one.start,
        end=other.end,
        mentions=mentions,
        slots=fill(agent, mentions),
    )


def _names(segment: Segment, kind: str) -> list[SlotMention]:
    return [mention for mention in segment.mentions if mention.kind == kind and mention.value]


def _besides(segment: Segment, domain: Domain) -> int:
    """Characters of a segment besides what it mentions, titles and signs."""
    left = segment.text
    for one in sorted(segment.mentions, key=lambda one: -one.start):
        left = left[: one.start - segment.start] + left[one.end - segment.start :]
    left = any_of(domain.markers.titles).sub("", left)
    return sum(char not in PUNCTUATION for char in left)
