"""The people of a turn: patients, addressees, people mentioned or withdrawn (hospital.md, Frames M3, "Slots").

A person is a kinship term (我妈), a pronoun (她) or the speaker (我自己), with one role per turn. Tasks are selected
and filled by patient; without a name it is the speaker. The words are in the domain file (`people`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from tingdong.front_desk.antecedents import Antecedents, PersonMention, PersonRole
from tingdong.front_desk.domain_words import Folk
from tingdong.front_desk.for_whom import FOR_THE_SAME, whom_kind
from tingdong.front_desk.kinds import LIKE, NAMED
from tingdong.front_desk.lexicon import any_of, phrases
from tingdong.front_desk.model import SlotMention
from tingdong.front_desk.pieces import clause_at, clauses, is_mostly_in
from tingdong.front_desk.spotting import Spots, Spotter
from tingdong.front_desk.stories import Stories
from tingdong.front_desk.who import Who

__all__ = ["People"]

_THAT_DAY = 2
"""Characters of a word that says the day as well from which it is more than that one has to (那天要)."""
_NEAR = 2
"""Characters behind somebody within which a part of the body is theirs (我爸左膝盖)."""


class People:
    """Finds the people of turns, by the words of one domain."""

    def __init__(self, spotter: Spotter) -> None:
        domain = spotter.domain
        words: Folk = domain.people
        self._words = words
        self._who, self._stories = Who(spotter), Stories(spotter)
        self.kind = whom_kind(domain)
        self._told_of = spotter.bits(words.told_of)
        self._parts = spotter.bits(words.parts)
        self._ails = spotter.bits(words.ails)
        self._both = {name: tuple(phrases(several)) for name, several in words.both.items()}
        self._for = tuple(phrases(words.introduced))
        self._is = tuple(phrases(words.settled))
        self._me = tuple(phrases(words.me))
        self._identity = tuple(phrases(words.identity))
        self._after, self._seeks = any_of(words.after), any_of(words.seeks)
        self._behind, self._been = any_of(words.behind), any_of(words.been)
        self._owned = any_of(words.owned)
        self._company, self._also = any_of(words.company), any_of(domain.correcting.also)
        self._address, self._called = frozenset(phrases(words.address)), any_of(words.called)
        self._hail = re.compile(f"(?:{any_of(words.hail).pattern})*")
        self._corrected = any_of(words.corrected)
        self._with = tuple(phrases(words.with_))
        self._alike = any_of(f"{words.alike} {words.alike_day}")
        self._busy, self._minds = any_of(words.busy), tuple(phrases(words.minds))
        self._visits = any_of(words.visits)
        self._explains, self._stays_away = any_of(words.explains), any_of(words.stays_away)
        self._turned_down = any_of(domain.correcting.turned_down)
        self._lets, self._particles = any_of(words.lets), domain.markers.particles
        self._listed = spotter.bits(tuple(NAMED))
        self._joins = re.compile(f"(?:{any_of(words.joins).pattern})*")
        self._stand_for = Antecedents(domain)

    # ---- who is there

    def find(
        self, spots: Spots, standing: Sequence[str] = (), before: Iterable[Spots] = ()
    ) -> tuple[PersonMention, ...]:
        """The people of a turn by place. `standing` are those whom open tasks are for, the likeliest first; `before`
        the turns before, the latest first."""
        if not self.kind:
            return ()
        tokens, told = self._who.find(spots), self._stories.find(spots)
        found: list[PersonMention] = []
        for at, token in enumerate(tokens):
            if found and token.start < found[-1].end:
                continue
            token = replace(token, role=self._role(spots, token))
            if not self._is_me(token.name) and is_mostly_in(token.start, token.end, told):
                token = self._told(spots.text, token, tokens[at + 1 :])
            if self._stays_away.match(spots.text, token.end) and token.name not in standing:
                token = replace(token, role=PersonRole.NOT_MEANT)
            if token.role is PersonRole.NAMED and token.name in standing and self._goes_on(spots.text, token):
                token = replace(token, role=PersonRole.MEANT)
            if token.stands_for:
                said = (one.name for turn in before for one in reversed(self.find(turn)))
                name = self._stand_for.meant(spots.text, token, found, standing, said)
                if not name:
                    continue
                token = replace(token, name=name)
            elif not self._is_me(token.name):
                token = replace(token, name=self._stand_for.narrowed(token.name, standing))
            found.append(token)
        return tuple(self._apart(self._joined(spots.text, self._stand_for.each(found))))

    def _is_me(self, name: str) -> bool:
        return name == self._words.speaker_name

    def _told(self, text: str, one: PersonMention, later: Sequence[PersonMention]) -> PersonMention:
        """Somebody of whom the past is told: it is why they come, unless the speaker goes on with what ails
        themselves (我爸去年查出糖尿病，我怕自己也有)."""
        if one.role is PersonRole.MEANT and any(self._is_me(other.name) for other in later):
            return replace(one, role=PersonRole.NAMED)
        opens = clause_at(text, one.start)[0] == one.start and not self._behind.match(text, one.end)
        alone = opens and one.role is PersonRole.NAMED and not later
        alone = alone and not any(text.startswith(self._me, start) for start, _ in clauses(text) if start > one.end)
        return replace(one, role=PersonRole.MEANT) if alone else one

    # ---- what they are

    def _role(self, spots: Spots, one: PersonMention) -> PersonRole:
        text = spots.text
        first, last = clause_at(text, one.start)[0], clause_at(text, one.end)[1]
        lead = max((len(word) for word in self._for if text.endswith(word, first, one.start)), default=0)
        if text.endswith(self._with, first, one.start) and self._alike.match(f"{text}，", one.end, last + 1):
            return PersonRole.LIKE
        if self._who.is_denied(text, one.start - lead):
            return PersonRole.NOT_MEANT
        if self._is_me(one.name):
            return PersonRole.MEANT
        if text.endswith(self._identity, first, one.start):
            return PersonRole.NAMED
        if not lead and self._is_addressed(text, one, first, last):
            return PersonRole.SPOKEN_TO
        behind = self._behind.match(text, one.end, last) or self._company.search(text, one.end, last)
        behind = behind or self._owned.match(text, one.end, last)
        if lead and self._is_busy_with(spots, one, one.start - lead, (first, last)):
            return PersonRole.NAMED
        if lead or (text.endswith(self._is, first, one.start) and not behind):
            return PersonRole.MEANT
        ill = next(spots.inside(one.end, last, self._told_of), None) is not None
        part = next(spots.inside(one.end, last, self._parts), None)
        ill = ill or (part is not None and part[0] <= one.end + _NEAR)
        ails = next(spots.inside(one.end, last, self._ails), None) is not None
        if behind or (not ails and self._been.search(text, one.end, last)):
            return PersonRole.NAMED
        alone = last == one.end and first == one.start
        wants = alone or self._after.match(text, one.end, last) or self._seeks_thing(spots, one.end, last)
        return PersonRole.MEANT if ill or wants else PersonRole.NAMED

    def _is_busy_with(self, spots: Spots, one: PersonMention, lead: int, clause: tuple[int, int]) -> bool:
        """Whether somebody is why the speaker has no time (我周三要带孙子), and nothing of a visit is said; it is none
        of this desk's where a day was turned down right before (后天不行，要带孙子打针)."""
        (first, last), text = clause, spots.text
        timed = any(first <= time.start < lead for time in spots.times)
        busy = next((one for one in self._busy.finditer(text, first, lead) if one.end() == lead), None)
        before = clause_at(text, first - 2) if first > 1 else (0, 0)
        another = any(before[0] <= time.start < before[1] for time in spots.times)
        if busy is not None and another and self._turned_down.search(text, *before):
            return True
        if busy is None or not (timed or len(busy.group()) > _THAT_DAY):
            return False
        if one.end == last and not text.endswith(self._minds, first, one.start):
            return False
        if self._behind.match(text, one.end, last):
            return True
        comes = self._visits.match(text, one.end, last) or self._after.match(text, one.end, last)
        return not comes and not spots.mask(first, last) & (self._told_of | self._parts | self._listed)

    def _seeks_thing(self, spots: Spots, start: int, end: int) -> bool:
        """Whether a clause goes on with a place or somebody of the directory and a time, and no more (我妈看骨科)."""
        verb = self._seeks.match(spots.text, start, end)
        start = verb.end() if verb is not None else start
        at = named = max(spots.ends_from(start, end, self._listed), default=start)
        for time in (one for one in spots.times if named <= one.start and one.end <= end):
            at = time.end if time.start == at else at
        return named > start and not spots.text[at:end].rstrip(self._particles)

    def _goes_on(self, text: str, one: PersonMention) -> bool:
        """Whether somebody begins a clause, and the next one goes on with what is wanted (老二放学晚，约明天下午)."""
        first, last = clause_at(text, one.start)
        behind = self._behind.match(text, one.end, last) or self._company.search(text, one.end, last)
        return first == one.start and not behind and self._after.match(text, last + 1) is not None

    def _is_addressed(self, text: str, one: PersonMention, first: int, last: int) -> bool:
        """Whether somebody is spoken to: named at the edge of a clause, whole or before who speaks (闺女我头晕)."""
        if text[one.start : one.end] not in self._address:
            return False
        opens = self._hail.fullmatch(text, first, one.start) is not None
        more = last < len(text) or first > 0
        closes = one.end == last and more and first < one.start and not text.endswith(self._is, first, one.start)
        return (opens and one.end == last and more) or (opens and bool(self._called.match(text, one.end))) or closes

    # ---- together, and apart

    def _joined(self, text: str, found: Sequence[PersonMention]) -> list[PersonMention]:
        """Those who are listed share a role (我、我老公、我儿子都要看牙); what is corrected at once gives way."""
        told = list(found)
        for at in range(len(told) - 1, 0, -1):
            one, other = told[at - 1], told[at]
            between = text[one.end : other.start]
            listed = other.role is PersonRole.MEANT and self._joins.fullmatch(between) is not None
            if listed and one.role is PersonRole.NAMED:
                told[at - 1] = replace(one, role=PersonRole.MEANT)
            elif other.role is PersonRole.MEANT and one.role is PersonRole.MEANT and self._corrected.search(between):
                told[at - 1] = replace(one, role=PersonRole.NOT_MEANT)
            elif self._is_me(one.name) and self._explains.match(text, other.end):
                told[at - 1] = replace(one, role=PersonRole.NAMED)
        return told

    def _apart(self, found: Sequence[PersonMention]) -> Iterator[PersonMention]:
        """Each of them, a word for two (爸妈) as two."""
        for one in found:
            for name in self._both.get(one.name, (one.name,)):
                yield replace(one, name=name)

    # ---- what a stretch says of them

    def mentions(self, spots: Spots, start: int, end: int) -> tuple[list[SlotMention], list[SlotMention]]:
        """Whom a stretch is for, or likens another to; and who is denied. Where nobody is said to be ill but something
        is, it is whoever a clause begins with."""
        people = [one for one in self._of_text(spots) if start <= one.start and one.end <= end]
        meant = [one for one in people if one.role is PersonRole.MEANT and not self._comes_too(spots, one, start)]
        if not meant and spots.mask(start, end) & self._told_of:
            subjects = [
                one
                for one in people
                if one.role is PersonRole.NAMED
                and clause_at(spots.text, one.start)[0] == one.start
                and not self._behind.match(spots.text, one.end)
                and not self._company.search(spots.text, one.end, clause_at(spots.text, one.end)[1])
            ]
            meant = subjects[:1]
        like = [one for one in people if one.role is PersonRole.LIKE]
        denied = [one for one in people if one.role is PersonRole.NOT_MEANT]
        told = [_mention(spots, self.kind, one) for one in meant] + [_mention(spots, LIKE, one) for one in like]
        return told, [_mention(spots, self.kind, one) for one in denied]

    def _comes_too(self, spots: Spots, one: PersonMention, start: int) -> bool:
        """Whether somebody is to come as well, for what their clause tells and not for what was asked for before it
        (挂骨科，我老伴也要来开点药)."""
        first, last = clause_at(spots.text, one.start)[0], clause_at(spots.text, one.end)[1]
        also = self._also.match(spots.text, one.end, last)
        before = start < first and bool(spots.mask(start, first) & self._listed)
        return before and also is not None and last - also.end() > FOR_THE_SAME and not self._is_me(one.name)

    def spans(self, spots: Spots) -> list[tuple[int, int]]:
        """The spans that name people."""
        return [(one.start, one.end) for one in self._of_text(spots)]

    def before(self, spots: Spots, start: int, end: int) -> list[SlotMention]:
        """The last besides the speaker whom a stretch is about."""
        meant = [
            one
            for one in self._of_text(spots)
            if one.role is PersonRole.MEANT and start <= one.start and one.end <= end and not self._is_me(one.name)
        ]
        return [_mention(spots, self.kind, one) for one in meant[-1:]]

    def _of_text(self, spots: Spots) -> tuple[PersonMention, ...]:
        if spots.people is None:
            spots.people = self.find(spots)
        return spots.people

    def settles(self, spots: Spots, start: int, end: int) -> bool:
        """Whether a stretch says for whom a task is or is not, and names nothing of the directory (是给我妈挂的)."""
        if spots.mask(start, end) & self._listed:
            return False
        text, lets = spots.text, self._lets.search(spots.text, start, end) is not None
        for one in self._of_text(spots):
            if start <= one.start and one.end <= end:
                lead = max((len(word) for word in self._for if text.endswith(word, start, one.start)), default=0)
                said = lets or any(text.endswith(self._is, 0, at) for at in (one.start, one.start - lead))
                if one.role is PersonRole.NOT_MEANT or (one.role is PersonRole.MEANT and said):
                    return True
        return False

    def borders(self, spots: Spots) -> list[int]:
        """Where a text turns from one of several people to another (我爸的周五，我妈的不动)."""
        if spots.parted is None:
            spots.parted = self._parted(spots)
        return spots.parted

    def _parted(self, spots: Spots) -> list[int]:
        meant = [one for one in self._of_text(spots) if one.role is PersonRole.MEANT]
        first = self._first(spots, meant)
        found = [first] if first else []
        ahead = not first and bool(meant) and bool(spots.mask(0, meant[0].start) & self._listed)
        for one, other in pairwise(meant):
            between = self._joins.fullmatch(spots.text, one.end, other.start)
            if one.name == other.name or other.start < one.end or between:
                continue
            things = sorted(spots.inside(one.end, other.start, self._listed)) if ahead else []
            at = things[0][0] if things else other.start  # 老年科给我爸，心内科给我妈
            start = clause_at(spots.text, at)[0]
            lead = max((len(word) for word in self._for if spots.text.endswith(word, 0, at)), default=0)
            found.append(start if start >= one.end else at - lead)
        return found

    def _first(self, spots: Spots, meant: Sequence[PersonMention]) -> int:
        """Where words about nobody by name end before somebody else is named: more is asked for than there are people
        named; 0 where nothing is."""
        start = clause_at(spots.text, meant[0].start)[0] if meant else 0
        things = len(set(spots.inside(0, len(spots.text), self._listed)))
        before = start and bool(spots.mask(0, start) & self._listed) and not self._is_me(meant[0].name)
        return start if before and things > len({one.name for one in meant}) else 0


def _mention(spots: Spots, kind: str, one: PersonMention) -> SlotMention:
    return SlotMention(kind, spots.text[one.start : one.end], one.name, one.start, one.end)
