"""What carries over from clause to clause: rooms, last devices, current topic (commands.md, Order and splitting)."""

from collections.abc import Sequence

from context_retrieval.lexicon import Lexicon
from context_retrieval.models import LAST_NAME, Command, Quantifier, Scope
from tingdong.commands.parts import Act, Exclusion, Item, ThingGroup, Unit
from tingdong.commands.resolving import Resolver
from tingdong.commands.writing import Writer

__all__ = ["Carrier"]


class Carrier(Writer):
    """A writer that remembers rooms and things, and completes what a clause leaves unsaid."""

    def __init__(self, lexicon: Lexicon, resolver: Resolver) -> None:
        super().__init__(lexicon, resolver)
        self._rooms: tuple[str, ...] = ()
        self._here = False
        self._last: list[Item] = []
        self._history: list[Item] = []
        self._topic: list[ThingGroup] = []
        self._hint: list[Item] = []
        self._listed: list[Item] = []
        self._ending = False

    def _hold_time(self, unit: Unit) -> None:
        """A time holds on until another is said, or 现在; when what was just begun shall end is said of that alone."""
        if unit.when or unit.whens:
            self._when, self._whens = unit.when, unit.whens
            commands = self._result.commands
            self._ending = bool(unit.acts and commands) and not unit.groups and commands[-1].action.when is None
        elif unit.now or (self._ending and unit.acts and unit.groups and not (unit.also or unit.all)):
            self._when, self._whens, self._ending = "", [], False

    def _begun(self, waiting: list[tuple[Unit, list[Act], str]]) -> list[tuple[Unit, list[Act], str]]:
        """回家模式，走一个; 睡前模式，十点启动: what only begins the mode named before is one with it."""
        kept: list[tuple[Unit, list[Act], str]] = []
        for unit, acts, when in waiting:
            begins = all(act.verb in ("打开", "执行") and act.value is None and not act.weak for act in acts)
            if (
                begins
                and kept
                and not unit.unknown
                and all(self._is_scene(act) and not act.verb for act in kept[-1][1])
            ):
                kept[-1] = (kept[-1][0], kept[-1][1], when or kept[-1][2])
            else:
                kept.append((unit, acts, when))
        return kept

    def _give_rooms(self, items: list[Item], place: Item) -> None:
        for item in items:
            if item.rooms is None and not item.here:
                item.rooms, item.here, item.whole, item.room_only = place.rooms, place.here, place.whole, False

    def _amend_rooms(self, place: Item) -> None:
        """蒸箱打开，厨房的: the room said last holds for what was said without one."""
        scope = Scope(include=place.rooms or (), here=place.here)
        commands = self._result.commands
        for index, command in enumerate(commands):
            if command.scope == Scope():
                commands[index] = Command(command.action, scope, command.target)

    def _complement(self) -> Exclusion | None:
        """书房的灯关掉，其他的灯打开: the others are all but those spoken of before."""
        exclusion = Exclusion()
        topics = [item for group in self._topic for item in group.items]
        for item in topics or self._last:
            if item.name != LAST_NAME and not item.anything:
                exclusion.add(item)
        return exclusion if exclusion.rooms or exclusion.items else None

    def _recent(self, acts: list[Act]) -> list[Item]:
        """The things spoken of last that all of these acts can be meant for."""
        if self._last and all(self._resolver.fits(act, item) for act in acts for item in self._last):
            return self._last
        return []

    def _every(self, acts: list[Act]) -> list[Item]:
        """门厅灯和楼梯灯开，走道灯开，都弄成百分之三十: all things spoken of, each once."""
        every: list[Item] = []
        for item in self._history:
            if item not in every and all(self._resolver.fits(act, item) for act in acts):
                every.append(item)
        return every

    def _items(self, group: ThingGroup, unit: Unit, acts: Sequence[Act] = (), *, several: bool = False) -> list[Item]:
        """The group's things with rooms carried and quantifiers settled."""
        items = []
        several = several or len(group.items) > 1
        for item in group.items:
            if item.room_only and not item.kind:
                items.extend(self._in_room(item, unit, acts))
                continue
            if group.all and (not several or item.name == "*"):
                item.quantifier = item.quantifier or Quantifier.ALL
            if group.any or (unit.any and item.quantifier is None):
                item.quantifier = Quantifier.ANY
            if (
                unit.count is not None
                and (item.count is None or not unit.groups)
                and not several
                and (group in unit.groups[-1:] or not unit.groups)
            ):
                item.count = unit.count
            self._place(item)
            if item.name == LAST_NAME and self._history:
                item.refers = self._history[-1].kind
            items.append(item)
        return items

    def _in_room(self, place: Item, unit: Unit, acts: Sequence[Act] = ()) -> list[Item]:
        """A room without a thing (书房的关机): the thing of before, in that room."""
        known = self._topic[-1].items if self._topic else self._last or self._hint
        source = [item for item in known if not item.room_only]
        kind_left = self._exclusion is not None and bool(self._exclusion.kind)
        if not source and self._exclusion is not None and kind_left:
            source = [Item(kind=self._exclusion.kind)]
        if acts and all(act.query for act in acts) and not self._topic:
            source, place.anything = [], True
        things = [
            Item(name=item.name, kind=item.kind, word=item.word, anything=item.anything, quantifier=item.quantifier)
            for item in source
            if item.name != LAST_NAME or item.kind
        ]
        if not things:
            things = [
                Item(
                    name="*" if place.anything or unit.all else LAST_NAME,
                    anything=place.anything or unit.all,
                    room_only=True,
                )
            ]
        for thing in things:
            thing.rooms, thing.here, thing.whole = place.rooms, place.here, place.whole
            thing.count = unit.count
            self._place(thing)
        return things

    def _place(self, item: Item) -> None:
        """Carry the room on, or take a new one to carry."""
        if item.here:
            self._here, self._rooms = True, ()
        elif item.rooms is not None:
            self._here, self._rooms = False, item.rooms
        elif item.whole:
            self._here, self._rooms = False, ()
        elif self._here:
            item.here = True
        elif self._rooms:
            item.rooms = self._rooms
            self._result.note("carried_room")
