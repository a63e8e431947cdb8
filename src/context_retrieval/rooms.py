"""From a room word as spoken to the home's own rooms (retrieval.md, Names; commands.md, SCOPE).

A word resolves at the first of these levels that yields anything: the same name; the room part behind a floor
(厨房 → 一楼厨房); a synonym (浴室 → 卫生间); a special room for its general word (卧室 → 主卧) and the one general
room for a special word (主卧 → 卧室); the same owner's room (奶奶屋 → 奶奶房), or the kind of room that is theirs
(孩子 → 儿童房); a floor or zone (二楼, 楼上); zone and room together (一楼厕所); the one room whose name goes on
after the word (屋顶 → 屋顶花园). A mark may stand at either end (B会议室, 会议室B, also for MR-B会议室), and a word
means all rooms that differ only in theirs (诊室 → 诊室1, 诊室2). What resolves at none of them resolves to nothing:
a room is never guessed.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from context_retrieval.lexicon import default_lexicon
from context_retrieval.near_rooms import abbreviated, near_rooms, not_apart, theirs
from context_retrieval.text import normalise

__all__ = ["RoomIndex", "room_form", "split_room", "telling_rooms"]

_GENERAL = {"主卧": "卧室", "次卧": "卧室", "主卫": "卫生间", "次卫": "卫生间"}
_GUEST_ROOMS = frozenset({"客房", "房间", "客人房", "客人房间"})
"""What numbered rooms are called together."""
_ROOM_NUMBER = re.compile(r"(\d{1,2})\d\d\Z")
_MARK_FIRST = re.compile(r"([\da-z])(\D{2,})\Z")
_MARK_LAST = re.compile(r"(\D*[^\da-z]\D*)([\da-z])\Z")
_ZONE_ENDS = "楼栋座区层院馆幢"
_ROOM_ENDS = "区院馆"
"""Zone words that a room behind a floor may itself end in (1F候诊区)."""
_UPSTAIRS = re.compile(r"(?:楼上|([2-9]|[1-9]\d)楼|阁楼)")
_DOWNSTAIRS = re.compile(r"(?:楼下|1楼|底楼)")
_FLOOR = re.compile(r"(\d+)(?:层|f)(?=$|\D)")
_BASEMENT = re.compile(r"(?:负|地下)(\d)[层楼]")  # 负一楼 is B1 where integrators name it
_ENDING = re.compile(r"的?(?:那|这)?(?:主?卧室|睡房|房间|房|屋子|屋里|屋|间|室)\Z")
_NUMBERED = re.compile(r"(\d+)(?:号?房间|号房|房间|房|室|号)\Z")
_NUMBER_LAST = re.compile(r"(.*[^\da-z].*?)(\d{1,2}|[a-z]|[甲乙丙丁戊己庚辛])号?\Z")
_SIDE_PART = re.compile(r"([东南西北左右前后里外])[头边侧面](?=.)|(?<=.)([东南西北])[头边侧面]\Z")
"""东头走廊, 东边走廊 and 东走廊 are one."""
_ROOM_MARK = re.compile(r"\d+|(?<![a-z])[a-z](?![a-z])|[甲乙丙丁戊己庚辛东南西北左右男女]")
_WHOSE = re.compile(r"(.+?)[（(](.+)[）)]")
"""院长室（梁）: what a room is, and whose."""
_DIGITS = re.compile(r"\d+")
_SOMEBODYS = frozenset({"办公室"})
"""Rooms that are somebody's even where there is but one."""
_LONGEST_START = 24
"""A room's word at the beginning of a text has so many characters at most: a stranger's text may be any length."""
LONGEST_ROOM = 128
"""No room's name is longer (a home's names are bounded so)."""
MOST_FOUND = 4_096  # words whose rooms are remembered
_NICKNAME = 2
_COMPASS = "东南西北"
_LEAST_ALIKE = 2
"""So many rooms of one word make what stands before it a word for one of them (泰山会议室, 黄山会议室)."""
_ZONE = re.compile(
    rf"(?:[^{_ZONE_ENDS}]{{1,4}}[{_ZONE_ENDS}](?!长)|楼[上下]|地下室?(?=.)|负\d+层?|b\d(?=[\u4e00-\u9fff]))"
)


def room_form(word: str) -> str:
    """The normal form of a room word: floors as `2楼`, numbered rooms as their number, 房间 as 房."""
    form = _FLOOR.sub(r"\1楼", _BASEMENT.sub(r"b\1", normalise(word.replace("幺", "一"))))
    form = _SIDE_PART.sub(lambda side: side[1] or side[2], _NUMBERED.sub(r"\1", form))
    return form[:-1] if form.endswith("房间") and len(form) > 2 else form


def _stem(head: str) -> str:
    """A room's name without its word for room (奶奶屋, 奶奶房 → 奶奶); the name itself when nothing would be left."""
    return _ENDING.sub("", head) or head


def _is_nickname(stem: str) -> bool:
    """Whether a name is a syllable said twice, as children are called (朵朵)."""
    return len(stem) == _NICKNAME and stem[0] == stem[1] and stem not in default_lexicon().rooms.owners.split()


def _turned(form: str) -> str | None:
    """The word with its mark at the other end (b会议室, 会议室b); None when it has none."""
    found = _MARK_FIRST.match(form) or _MARK_LAST.match(form)
    return found[2] + found[1] if found is not None else None


def split_zone(form: str) -> tuple[str, str]:
    """`2楼主卧` as (`2楼`, `主卧`); the zone is empty when the form starts with none, the rest when it is only a
    zone.
    """
    end = 0
    while (match := _ZONE.match(form, end)) is not None:
        end = match.end()
    return form[:end], form[end:]


def split_room(form: str) -> tuple[str, str]:
    """A room's own name as (zone, head); a zone word that closes it behind another zone is the room (1楼候诊区)."""
    zone, head = split_zone(form)
    if head:
        return zone, head
    start = end = 0
    while (match := _ZONE.match(form, end)) is not None:
        start, end = end, match.end()
    return (form[:start], form[start:]) if start and form[-1] in _ROOM_ENDS else ("", form)


def _unmarked(head: str) -> str:
    """A room's name without the number or letter that tells it from its like (诊室2, mra会议室 → 诊室, 会议室)."""
    last = _NUMBER_LAST.match(head)
    return last[1] if last is not None else head


def telling_rooms(rooms: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """What tells rooms of one word apart, and the rooms it tells: 泰山 of 泰山会议室, 王总 of 王总办公室.

    Only what is no word for a room itself, and is not one character.
    """
    groups, endings = default_lexicon().room_groups, default_lexicon().room_endings
    by_word: dict[str, dict[str, list[str]]] = {}
    for room in dict.fromkeys(rooms):
        head = split_room(room_form(room))[1]
        if head in groups:
            continue
        ends = range(2, len(head) - 1)
        cut = next((at for at in ends if head[at:] in groups or head[at:] in endings), None)
        if cut is not None and all("\u4e00" <= one <= "\u9fff" for one in head[:cut]):
            by_word.setdefault(head[cut:], {}).setdefault(head[:cut], []).append(room)
    return {
        stem: tuple(found)
        for word, stems in by_word.items()
        if len(stems) >= _LEAST_ALIKE or word in _SOMEBODYS
        for stem, found in stems.items()
        if not default_lexicon().kind_of_name(stem)
    }


class RoomIndex:
    """The rooms of one home, in its order. `find` is cached per word; building is linear in the number of rooms."""

    def __init__(self, rooms: Iterable[str]) -> None:
        self.rooms: tuple[str, ...] = tuple(dict.fromkeys(room for room in rooms if room))
        self._found: dict[str, tuple[str, ...]] = {}
        self._by_form: dict[str, list[str]] = {}
        self._by_head: dict[str, list[str]] = {}
        self._by_group: dict[str, list[str]] = {}
        self._by_general: dict[str, list[str]] = {}
        self._by_zone: dict[str, list[str]] = {}
        self._by_stem: dict[str, list[str]] = {}
        self._forms: dict[str, tuple[str, str]] = {}
        self._numbered: list[str] = []
        self._marked: set[str] = set()
        for room in self.rooms:
            self._add(room)
        self.telling: dict[str, tuple[str, ...]] = telling_rooms(self.rooms)
        last = Counter(head[-1] for head in self._by_head if len(head) > _LEAST_ALIKE and not head[-1].isascii())
        self._kinds: frozenset[str] = frozenset(end for end, number in last.items() if number >= _LEAST_ALIKE)

    def _add(self, room: str) -> None:
        form = room_form(room)
        zone, head = split_room(form)
        self._forms[room] = (zone, head)
        self._by_form.setdefault(form, []).append(room)
        self._by_head.setdefault(head, []).append(room)
        self._by_stem.setdefault(_stem(head), []).append(room)
        if (whose := _WHOSE.fullmatch(room)) is not None:
            own = split_room(room_form(whose[1]))[1]
            for called in (own, room_form(whose[2] + _unmarked(own))):
                self._by_head.setdefault(called, []).append(room)
        if (unmarked := _unmarked(head)) != head:
            self._marked.add(unmarked)
        group = default_lexicon().room_group(head)
        if group is not None:
            self._by_group.setdefault(group, []).append(room)
            if (general := _GENERAL.get(group)) is not None:
                self._by_general.setdefault(general, []).append(room)
        numbered = _ROOM_NUMBER.fullmatch(form)
        if numbered is not None:
            self._numbered.append(room)
            self._by_zone.setdefault(f"{int(numbered[1])}楼", []).append(room)
        for end in range(1, len(zone) + 1):
            if zone[end - 1] in _ZONE_ENDS or end == len(zone):
                self._by_zone.setdefault(zone[:end], []).append(room)

    def find(self, word: str) -> tuple[str, ...]:
        """The rooms that `word` means, in the home's order; empty when the home has none."""
        if len(word) > LONGEST_ROOM:
            return ()
        found = self._found.get(word)
        if found is None:
            found = self._resolve(room_form(word))
            if len(self._found) >= MOST_FOUND:
                self._found.clear()  # whoever fills it with words of his own must not slow the others down
            self._found[word] = found
        return found

    def is_zone(self, word: str) -> bool:
        """Whether `word` covers rooms by their floor (二楼, 楼上), not by what they are."""
        form = room_form(word)
        return form not in self._by_form and (form in self._by_zone or form in ("楼上", "楼下"))

    def head(self, room: str) -> str:
        """The room's normal form without its floor."""
        return self._forms[room][1] if room in self._forms else split_room(room_form(room))[1]

    def beside(self, room: str, mark: str) -> tuple[str, ...]:
        """The room that is called as `room` is, but for `mark` in the place of its number, letter or side."""
        forms = {room_form(other): other for other in self.rooms}
        own = room_form(room)
        found = (forms.get(own[: one.start()] + mark + own[one.end() :]) for one in _ROOM_MARK.finditer(own))
        return tuple(dict.fromkeys(other for other in found if other is not None and other != room))

    def in_front(self, words: str) -> Iterator[tuple[str, str]]:
        """The words that a text begins with and that are rooms, the longest first, and what follows them (卧室空调)."""
        for end in range(min(len(words) - 1, _LONGEST_START), 1, -1):
            if self.find(words[:end]):
                yield words[:end], words[end:].removeprefix("的")

    def bearing(self, number: str) -> tuple[str, ...]:
        """The one room whose only number that is (8 → 8号包间)."""
        found = [room for room in self.rooms if _DIGITS.findall(room_form(room)) == [number]]
        return tuple(found) if len(found) == 1 else ()

    def without_room(self, room: str, form: str) -> str | None:
        """`form` without the leading name of `room` (客厅空调 in 客厅 → 空调); None when it does not start with
        it.
        """
        zone, head = self._forms.get(room, ("", ""))
        for start in (zone + head, head):
            if start and len(form) > len(start) and form.startswith(start):
                return form[len(start) :]
        return None

    def _resolve(self, form: str) -> tuple[str, ...]:
        if not form:
            return ()
        found = self._as_room(form, self.rooms) or self._as_zone(form) or self._in_zone(form) or self._of_both(form)
        if not found and form in _GUEST_ROOMS:
            return tuple(self._numbered)
        if not found and form[-1] in self._kinds:
            every = self._named(head for head in self._by_head if head.endswith(form[-1]))
            found = tuple(every) if form[:-1] in near_rooms().every or form[:-2] == str(len(every)) else ()
        if not found and form.startswith(beside := tuple(default_lexicon().rooms.beside.split())):
            word = next(word for word in beside if form.startswith(word))
            return self._resolve(form.removeprefix(word).removeprefix("的"))
        return found or self._by_beginning(form) or tuple(self._named(abbreviated(form, self._by_head)))

    def _of_both(self, form: str) -> tuple[str, ...]:
        """男女厕所, 东西走廊: the rooms of one mark and of the other."""
        pair = next((pair for pair in near_rooms().pairs if form.startswith(pair) and len(form) > len(pair)), "")
        found = [self.find(mark + form[len(pair) :]) for mark in pair]
        return tuple(room for rooms in found for room in rooms) if found and all(found) else ()

    def _named(self, heads: Iterable[str]) -> list[str]:
        return self._in_order(room for head in heads for room in self._by_head[head])

    def _as_room(self, form: str, within: tuple[str, ...]) -> tuple[str, ...]:
        group = default_lexicon().room_group(form)
        turned = _turned(form)
        levels = [self._by_form.get(form), self._by_head.get(form), self._by_head.get(turned) if turned else None]
        levels += map(self._by_ending, sorted(self._marked.intersection((form, _stem(form)))))
        if group is not None:
            alike = self._by_group.get(group)
            levels += [alike and not_apart(form, alike), self._by_general.get(group), self._one_general(group)]
        if len(form) > 1:
            stem = _stem(form) if group is None else ""
            levels += [self._by_stem.get(stem), list(self.telling.get(stem, ())), self._by_ending(form)]
            if turned is not None:
                levels.append(self._by_marked_ending(form, turned))
        levels += [self._of_owner(_stem(form)), theirs(form, self.find) if group is None else None]
        for rooms in levels:
            if rooms:
                kept = tuple(rooms) if within is self.rooms else tuple(room for room in rooms if room in within)
                if kept:
                    return kept
        return ()

    def _of_owner(self, person: str) -> list[str] | None:
        """The room of a kind that is the person's (孩子 → 儿童房), for anybody's word also one person's (儿子屋)."""
        for group, owners in default_lexicon().rooms.owned.items():
            anybody, each = owners.all.split(), owners.each.split()
            if person not in anybody and person not in each:
                continue
            rooms = self._by_group.get(group) or self._one_general(group)
            if rooms is None:
                others = each if person in anybody else anybody
                rooms = self._in_order(room for one in others for room in self._by_stem.get(one, ()))
            if not rooms and group == "儿童房":
                rooms = self._of_a_child()
            if rooms:
                return rooms
        return None

    def _of_a_child(self) -> list[str]:
        """The one room that is called after a child's pet name (朵朵的房间)."""
        found = [room for stem, rooms in self._by_stem.items() if _is_nickname(stem) for room in rooms]
        return found if len(found) == 1 else []

    def of_person_in(self, text: str) -> tuple[str, ...]:
        """The rooms of the person who is spoken of last in a text, by a word for a person or by the home's own name."""
        lexicon = default_lexicon().rooms
        owners = [one for owned in lexicon.owned.values() for one in (*owned.all.split(), *owned.each.split())]
        own = [stem for stem, rooms in self._by_stem.items() if self._is_somebodys(stem, rooms)]
        spoken = [(text.rfind(one), len(one), one) for one in (*owners, *own) if one in text]
        return self.find(max(spoken)[2]) if spoken else ()

    def _is_somebodys(self, stem: str, rooms: Sequence[str]) -> bool:
        """Whether rooms are called after a person (朵朵的房间, 乐乐房)."""
        called = _is_nickname(stem) or any(self.head(room).startswith(f"{stem}的") for room in rooms)
        return len(stem) > 1 and called

    def _one_general(self, group: str) -> list[str] | None:
        """The one room of the general kind (主卧 → 卧室 when there is only one 卧室)."""
        rooms = self._by_group.get(_GENERAL.get(group, "") if group.startswith("主") else "")
        return rooms if rooms is not None and len(rooms) == 1 else None

    def _by_ending(self, form: str) -> list[str]:
        """Rooms whose name ends in the word, without a number of its own (小明卧室 for 卧室, 诊室2 for 诊室)."""
        also = near_rooms().also.get(form, ())
        return self._named(
            head for head in self._by_head if head.endswith((form, *also)) or _unmarked(head).endswith(form)
        )

    def _by_marked_ending(self, form: str, turned: str) -> list[str]:
        """Rooms that end in the word with its mark at either end (会议室B → MR-B会议室)."""
        if any(character.isdigit() for character in (form[0], form[-1])):
            return []
        ends = [rooms for head, rooms in self._by_head.items() if head.endswith((form, turned))]
        return self._in_order(room for rooms in ends for room in rooms)

    def _in_order(self, rooms: Iterable[str]) -> list[str]:
        found = set(rooms)
        return [room for room in self.rooms if room in found] if len(found) > 1 else list(found)

    def _by_beginning(self, form: str) -> tuple[str, ...]:
        """The one room whose name goes on after the word with a kind of room, the home's own (太阳花 → 太阳花班)."""
        if len(form) < 2:
            return ()
        going_on = {head.removeprefix(form): rooms for head, rooms in self._by_head.items() if head.startswith(form)}
        kinds = [rooms for rest, rooms in going_on.items() if rest in self._kinds]
        kinds = kinds or [rooms for rest, rooms in going_on.items() if default_lexicon().is_room_word(rest)]
        return tuple(kinds[0]) if len(kinds) == 1 and len(kinds[0]) == 1 else ()

    def _as_zone(self, form: str) -> tuple[str, ...]:
        rooms = self._by_zone.get(form)
        if rooms:
            return tuple(rooms)
        if form not in ("楼上", "楼下"):
            return ()
        up = tuple(room for room in self.rooms if _UPSTAIRS.match(room_form(room)))
        down = tuple(room for room in self.rooms if _DOWNSTAIRS.match(room_form(room)))
        if form == "楼上":
            return up
        rest = tuple(room for room in self.rooms if room not in set(up) and not self._forms[room][0])
        return down or (rest if up else ())

    def _in_zone(self, form: str) -> tuple[str, ...]:
        zone, head = split_zone(form)
        if not zone or not head:
            return ()
        within = self._as_zone(zone)
        if len(head) == 1 and head in _COMPASS:
            return tuple(room for room in within if head in self._forms[room][1])
        return self._as_room(head, within) if within else ()
