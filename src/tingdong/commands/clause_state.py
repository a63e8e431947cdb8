"""The state of reading one sentence clause by clause: the unit, the open group, and what waits for its thing."""

from context_retrieval.lexicon import Lexicon
from context_retrieval.models import LAST_NAME, Quantifier
from tingdong.commands.acts import ActReader
from tingdong.commands.frames import Frames
from tingdong.commands.parts import Exclusion, Item, ThingGroup, Unit
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind

__all__ = ["ClauseState"]

_DONE_TO = frozenset((Kind.SET, Kind.ATTRIBUTE, Kind.VERB))
_MOST = 64
"""Acts and groups of things of a clause."""


class ClauseState:
    """Opens and closes clauses and groups; the readers of tokens stand on it."""

    def __init__(self, lexicon: Lexicon, never: frozenset[str], frames: Frames) -> None:
        self._lexicon = lexicon
        self._frames = frames
        self._never = never
        self._places = lexicon.places
        self._tokens: list[Token] = []
        self._at = 0
        self.units: list[Unit] = []

    def _begin(self, start: int, correction: str = "") -> None:
        self.unit: Unit = Unit(start, correction=correction)
        self.units.append(self.unit)
        self._acts = ActReader(self.unit, self._lexicon)
        self._group: ThingGroup | None = None
        self._rooms: list[str] = []
        self._pending: Item | None = None
        self._excluding = False
        self._marked = False
        self._joined = False

    def _end(self) -> None:
        self._close_group()
        if self._excluding and self.unit.exclusion is None and self.unit.unknown:
            self.unit.exclusion = Exclusion()  # 除了正在充电的: what is left out cannot be said
        self._acts.finish()

    def _split(self, start: int, correction: str = "") -> None:
        self._end()
        self._begin(start, correction)

    def _split_long(self, start: int) -> None:
        """What goes on behind so much begins another clause, where nothing said so far must hold for it."""
        if len(self.unit.elements) > _MOST and self._group is None and not self.unit.hedged:
            self._split(start)

    def _split_before_group(self, start: int) -> None:
        """主灯关了台灯别关: a thing said after a complete clause begins the next one."""
        group = self._group
        self._close_group()
        elements = self.unit.elements
        moves = group is not None and len(elements) > 2 and elements[-1] is group and type(elements[0]) is ThingGroup
        if group is None or not moves:
            self._split(start)
            return
        elements.pop()
        self._split(group.start)
        self.unit.elements.append(group)

    def _in_room(self, room: Token | None, name: Token, after: Token | None) -> bool:
        """书房老伙计换二十四度: what stands between a room and what is done, where the clause names nothing else."""
        if room is None or room.kind is not Kind.ROOM or room.end != name.start:
            return False
        if after is None or after.kind not in _DONE_TO:
            return False
        ahead = self._at + 1
        while ahead < len(self._tokens) and self._tokens[ahead].kind is not Kind.BREAK:
            ahead += 1
        return True

    def _next(self, ahead: int = 1) -> Token | None:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else None

    def _target_group(self, token: Token) -> ThingGroup:
        if self._group is None:
            self._acts.pause()
            self._group = ThingGroup(token.start, marked=self._marked)
            if not self._excluding:
                self.unit.elements.append(self._group)
            self._marked = False
        return self._group

    def _close_group(self) -> None:
        group, pending = self._group, self._pending
        if group is None and pending is None:
            self._rooms, self._joined = [], False
            return
        if group is not None:
            self._end_with_rooms(group)
        pending = self._pending
        if pending is not None:
            self.unit.all = self.unit.all or pending.quantifier is Quantifier.ALL
            self.unit.any = self.unit.any or pending.quantifier is Quantifier.ANY
            self.unit.count = pending.count or self.unit.count
        self._group, self._pending, self._rooms, self._joined = None, None, [], False
        if self._excluding and group is not None:
            self._exclude(group)
            self._excluding = False

    def _end_with_rooms(self, group: ThingGroup) -> None:
        """Rooms left at the end of a group are those of the thing before (灯，厨房的), or stand alone."""
        pending = self._pending
        if self._rooms or (pending is not None and (pending.here or pending.whole)):
            item = self._new_item(group)
            item.room_only = True
            group.items.append(item)

    def _awaiting(self) -> Item:
        """What was said before the thing it is said of: a count, a quantifier, the room of the speaker."""
        if self._pending is None:
            self._pending = Item()
        return self._pending

    def _new_item(self, group: ThingGroup) -> Item:
        item, self._pending = self._pending or Item(), None
        if self._rooms:
            item.rooms, self._rooms = tuple(self._rooms), []
        elif group.items and not item.here and not item.whole:
            last = group.items[-1]
            item.rooms, item.here, item.whole = last.rooms, last.here, last.whole
        return item

    def _exclude(self, group: ThingGroup) -> None:
        exclusion = self.unit.exclusion = self.unit.exclusion or Exclusion()
        for item in group.items:
            exclusion.add(item, inside=group.inside or self._acts.complete)

    def _name(self, token: Token) -> None:
        group = self._target_group(token)
        item = self._new_item(group)
        item.name = item.word = token.text
        item.open = item.positional = True
        group.items.append(item)
        self.unit.opens.append(token)

    def _number_of(self) -> str:
        """一号和三号充电桩: what the numbers of the list are of."""
        joint, named = self._next(), self._next(2)
        if joint is None or named is None or joint.kind is not Kind.JOINT or named.kind is not Kind.DEVICE:
            return ""
        return named.text.partition("号")[2]

    def _unknown(self, token: Token) -> None:
        self.unit.unknown += len(token.text)
        self.unit.lost = self.unit.lost or (self._marked and not self._acts.open)
        self.unit.since_event += len(token.text)
        self._acts.object_at(token)

    @property
    def _blank(self) -> bool:
        """Whether nothing of the clause has been said yet."""
        return not (self.unit.elements or self._group or self._acts.open)

    def _numbered_out(self, token: Token) -> None:
        """除了一号和四号: one of the things by its number; of the thing said before, where one was (风机除3号外)."""
        said = [item.word for group in self.unit.groups for item in group.items if item.word and item.name != LAST_NAME]
        name = token.text + (said[-1] if said and not self._acts.complete else self._number_of())
        self._name(Token(Kind.OPEN, token.start, token.end, name))
