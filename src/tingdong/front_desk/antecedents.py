"""The person that a pronoun or a general word refers to (hospital.md, Frames M3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from tingdong.front_desk.domain import Domain
from tingdong.front_desk.for_whom import same_person
from tingdong.front_desk.lexicon import any_of, phrases

__all__ = ["Antecedents", "PersonMention", "PersonRole"]


class PersonRole(StrEnum):
    """What somebody is in a turn: whom a task is for (`MEANT`), or not (`NOT_MEANT`: 不是我妈), who is addressed.

    `LIKE` is whose time another is to have as well (跟我妈同一天), `NAMED` somebody of whom nothing says that a task is
    for them (我闺女送我来的).
    """

    MEANT = "meant"
    SPOKEN_TO = "spoken_to"
    NAMED = "named"
    NOT_MEANT = "not_meant"
    LIKE = "like"


class PersonMention(Struct, frozen=True):
    """Somebody at `start`..`end` of a folded text, by the `name` that a slot stores."""

    start: int
    end: int
    name: str
    role: PersonRole = PersonRole.NAMED
    stands_for: bool = False
    """Whether a pronoun tells them."""


class Antecedents:
    """Finds whom words stand for, by the words of one domain."""

    def __init__(self, domain: Domain) -> None:
        words = domain.people
        self._domain = domain
        self._owns = any_of(words.owns)
        self._men, self._women = any_of(words.men), any_of(words.women)
        self._broad = [(frozenset(phrases(broad)), phrases(members)) for broad, members in words.broad.items()]

    def meant(
        self,
        text: str,
        one: PersonMention,
        found: Sequence[PersonMention],
        standing: Sequence[str],
        before: Iterable[str],
    ) -> str:
        """The name of whom a pronoun stands for: the last of the turn whom it fits, else of the open tasks, else of
        what was said before."""
        fits = [
            other
            for other in reversed(found)
            if other.role not in (PersonRole.SPOKEN_TO, PersonRole.NOT_MEANT)
            and not self._is_me(other.name)
            and self._agrees(one.name, other.name)
        ]
        others = [name for name in standing if not self._is_me(name) and self._agrees(one.name, name)]
        apart = [name for name in others if not any(same_person(self._domain, name, other.name) for other in found)]
        if fits and apart and self._owns.match(text, one.end) and self._owns.match(text, fits[0].end):
            return apart[0]  # 宝宝的上午，她的下午
        if fits or others:
            return fits[0].name if fits else others[0]
        return next((name for name in before if not self._is_me(name) and self._agrees(one.name, name)), "")

    def _agrees(self, pronoun: str, name: str) -> bool:
        """Whether somebody may be a man, or a woman, as the pronoun says; the end of a name tells (姐夫)."""
        said, known = self._sex(pronoun), self._sex(name)
        return said == 0 or known in (0, said)

    def _sex(self, name: str) -> int:
        men = max((match.end() for match in self._men.finditer(name)), default=0)
        women = max((match.end() for match in self._women.finditer(name)), default=0)
        return (men > women) - (men < women)

    def narrowed(self, name: str, standing: Sequence[str]) -> str:
        """Whom a broad word means of those whom tasks are for (老人家, of 奶奶)."""
        for broad, members in self._broad:
            if name in broad and not any(same_person(self._domain, name, one) for one in standing):
                fit = [one for one in standing if any(same_person(self._domain, one, other) for other in members)]
                return fit[0] if len(fit) == 1 else name
        same = [one for one in standing if same_person(self._domain, name, one)]
        told = same or [one for one in standing if one.endswith(name)]  # 他爸, of 娃他爸
        return told[0] if same or len(told) == 1 else name

    def each(self, found: Sequence[PersonMention]) -> list[PersonMention]:
        """The people of a turn, where a broad word tells of several who are named by themselves: what it is, they are
        (两个孩子都咳嗽, of 老大 and 老二)."""
        kept = list(found)
        said = {one.name for one in found}
        for one in found:
            members = {other for broad, others in self._broad if one.name in broad for other in others} & said
            if len(members) > 1:
                named = [other for other in found if other.name in members]
                kept.remove(one)
                roles = {other: PersonRole.MEANT for other in named if other.role is PersonRole.NAMED}
                meant = one.role is PersonRole.MEANT
                kept = [replace(other, role=roles[other]) if meant and other in roles else other for other in kept]
        return kept

    def _is_me(self, name: str) -> bool:
        return name == self._domain.people.speaker_name
