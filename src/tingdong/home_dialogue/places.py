"""Room words in a dialogue: 她屋, 那间, 房间 (service.md, Place).

Their referents are resolved here, before any rule, so that the reading names rooms of the home. Unresolved ones stay
and are asked about (law 1).
"""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final, NamedTuple

import msgspec

from context_retrieval.lexicon import default_lexicon
from context_retrieval.models import Command, QueryIR
from context_retrieval.rooms import RoomIndex
from tingdong.commands.reading import Mention, MentionKind, Reading
from tingdong.home.home import HomeSnapshot
from tingdong.home.questions import Form, read_question, versus_words
from tingdong.home.readings import rooms_told
from tingdong.home.shape import HomeShape
from tingdong.home_dialogue.accounting_table import accounting_table
from tingdong.home_dialogue.page import Page
from tingdong.home_dialogue.said import SaidWords, said_of

__all__ = ["in_rooms_of_the_home", "is_any_room", "room_of_speaker"]

MOST_DESCRIBED = 5
"""Characters before 那间 that tell which it is (热的那间)."""
_HERE: Final = ""
"""The room where one stands."""


class _PlaceWords(NamedTuple):
    """Words of the lexicon for rooms, by what they mean in a talk."""

    pronouns: tuple[str, ...]
    speakers: tuple[str, ...]
    there: tuple[str, ...]
    which: tuple[str, ...]
    bare: tuple[str, ...]
    nearby: tuple[str, ...]
    private: tuple[str, ...]
    private_endings: tuple[str, ...]


@cache
def _words() -> _PlaceWords:
    return _PlaceWords(*(tuple(getattr(default_lexicon().rooms, name).split()) for name in _PlaceWords._fields))


def room_of_speaker(said: str, shape: HomeShape) -> str:
    """The user's place as the home calls it; "" when unknown."""
    if not said or said in shape.by_room:
        return said
    found = shape.catalog.rooms.find(said)
    return found[0] if len(found) == 1 else ""


def is_any_room(word: str) -> bool:
    """Whether a word for a room names none where it is asked which."""
    return word in _words().bare


def in_rooms_of_the_home(reading: Reading, said: SaidWords, page: Page, home: HomeSnapshot, said_local: str) -> Reading:
    """The reading with the rooms that its words for rooms mean, in every clause."""
    parts_said = [said_of(part.reading.text, part.reading.mentions) for part in reading.parts]
    if not said.once(_may_mean_another) and not any(one.once(_may_mean_another) for one in parts_said):
        return reading
    shape = home.shape
    meaning = _Meaning(shape.catalog.rooms, page.room, room_of_speaker(said_local, shape))
    meaning.measured = lambda word: _room_at_the_end(word, page, home)
    whole = meaning.of(reading, "")
    parts = []
    for part in reading.parts:
        own = meaning.of(part.reading, reading.text[: part.start])
        parts.append(part if own is part.reading else msgspec.structs.replace(part, reading=own))
    if whole is reading and all(one is other for one, other in zip(parts, reading.parts, strict=True)):
        return reading
    return msgspec.structs.replace(whole, parts=tuple(parts))


def _may_mean_another(said: SaidWords) -> bool:
    """Whether a word may mean another room than it says, in some home."""
    words = _words()
    if any(said.text[one.start : one.end] in words.there for one in said.of(MentionKind.FILLER)):
        return True
    return any(_is_no_plain_room(one.value) for one in said.of(MentionKind.ROOM))


@lru_cache(maxsize=1_024)
def _is_no_plain_room(word: str) -> bool:
    words = _words()
    return word in words.there or is_any_room(word) or word.startswith((*words.pronouns, *versus_words()))


def _room_at_the_end(word: str, page: Page, home: HomeSnapshot) -> str | None:
    """热的那间: the room that is so, of those just asked about, else of the home; the word itself where several are,
    None where it tells no such."""
    text = "".join((*_words().which, word))
    question = read_question("", text)
    devices, last = home.shape.devices, page.last
    asked = last.ids if last is not None and last.query is not None and len(last.ids) > 1 else ()
    for ids in (asked, devices):
        known = [devices[one] for one in ids if one in devices]
        rooms = rooms_told(home, QueryIR(question.attribute), known, text=text)
        if len(rooms) == 1:
            return rooms[0]
    return word if question.extreme and question.form is Form.COMPARE else None


class _Meaning:
    """Words for rooms in one home, at one place, after what was said of one room."""

    def __init__(self, rooms: RoomIndex, spoken_of: str, local: str) -> None:
        self._rooms = rooms
        self._spoken_of = spoken_of
        self._local = local
        self._words = _words()
        self._versus = versus_words()
        self.measured: Callable[[str], str | None] = lambda _: None

    def of(self, reading: Reading, before: str) -> Reading:
        """The reading of a sentence or a clause; `before` is what was said before it in this turn."""
        meant: dict[str, str] = {}
        mentions: list[Mention] = []
        added: list[str] = []
        for mention in reading.mentions:
            room = self._meant(mention, reading, before)
            if room is None:
                mentions.append(mention)
                continue
            if mention.kind is MentionKind.ROOM:
                meant[mention.value] = room
            else:
                added.append(room)
            kind = MentionKind.ROOM if room else MentionKind.HERE
            mentions.append(msgspec.structs.replace(mention, kind=kind, value=room or mention.value))
        if not meant and not added:
            return reading
        commands = tuple(_placed(command, meant, added) for command in reading.commands)
        return msgspec.structs.replace(reading, mentions=tuple(mentions), commands=commands)

    def _meant(self, mention: Mention, reading: Reading, before: str) -> str | None:
        """The room that a mention means, `_HERE` for where one stands; None where it stays what it is."""
        text = reading.text
        word = text[mention.start : mention.end]
        if mention.kind is MentionKind.FILLER and word in self._words.there:
            described = text[: mention.start].endswith(accounting_table().describing)
            told = text[max(0, mention.start - MOST_DESCRIBED) : mention.end]
            if described and (room := self.measured(told)):
                return room
            beside = any(other.kind is MentionKind.ROOM and other.end == mention.start for other in reading.mentions)
            return None if beside else self._spoken_of or word
        if mention.kind is not MentionKind.ROOM:
            return None
        if mention.value in self._words.there and not self._rooms.find(mention.value):
            return self._spoken_of or None
        if (than := self._measured_against(mention.value)) is not None:
            return than
        if mention.value.startswith(self._words.pronouns):
            return self._of_person(mention.value, before + text[: mention.start])
        if is_any_room(mention.value) and self._local and mention.value not in self._rooms.rooms:
            asked_which = text[: mention.start].endswith(self._words.which)
            others = any(m.kind is MentionKind.ROOM and not is_any_room(m.value) for m in reading.mentions)
            if asked_which and others:
                return _HERE  # 一楼有几个房间的窗帘开着 names one place
            many = len(self._rooms.find(mention.value)) > 1 and self._local not in self._rooms.find(mention.value)
            return None if asked_which or many else _HERE
        return None

    def _measured_against(self, word: str) -> str | None:
        """比卧室: the room behind the word that measures against it."""
        for than in self._versus:
            room = word.removeprefix(than)
            if room != word and not self._rooms.find(word) and self._rooms.find(room):
                return room
        return None

    def _of_person(self, word: str, before: str) -> str | None:
        """他房间: the room of who was just spoken of in the turn, else that of the conversation."""
        if self._rooms.find(word):
            return None
        if self._local and any(one in word for one in self._words.nearby):
            return _HERE
        if word.startswith(self._words.speakers) and self._is_own(self._local):
            return _HERE
        if len(found := self._rooms.of_person_in(before)) == 1:
            return found[0]
        return self._spoken_of if self._spoken_of and not word.startswith(self._words.speakers) else None

    def _is_own(self, room: str) -> bool:
        """Whether a room is somebody's own, by its kind, its number, or whose it is called."""
        group = default_lexicon().room_group(self._rooms.head(room))
        named = room.isdigit() or room.endswith(self._words.private_endings)
        return named if group is None else group in self._words.private


def _placed(command: Command, meant: dict[str, str], added: list[str]) -> Command:
    """The command with the rooms that its words mean."""
    scope = command.scope
    there = _words().there
    rooms = [
        meant[word] if word in meant else (added[0] if added and word.endswith(there) else word)
        for word in scope.include
    ]
    if not rooms and not scope.here and not scope.exclude and added:
        rooms = added
    if rooms == list(scope.include):
        return command
    placed = msgspec.structs.replace(scope, include=tuple(filter(None, rooms)), here=_HERE in rooms and len(rooms) == 1)
    return msgspec.structs.replace(command, scope=placed)
