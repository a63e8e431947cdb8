"""From clauses to commands: actions with their targets (commands.md, Order and splitting).

Groups and acts are paired within a clause; rooms, targets, times and actions carry over to later clauses. Corrections
and negations are applied first.
"""

from context_retrieval.lexicon import Lexicon
from context_retrieval.models import LAST_NAME, Command, Quantifier
from tingdong.commands.carrying import Carrier
from tingdong.commands.pairing import pair, points, share_out
from tingdong.commands.parts import Act, Exclusion, Item, ThingGroup, Unit
from tingdong.commands.resolving import Resolver
from tingdong.commands.revising import revise
from tingdong.commands.writing import Assembly

__all__ = ["Assembler", "Assembly"]

_PLAIN = frozenset("开关停断亮灭熄放播拉唱")  # need no thing beside them to be a request
_MEDIA = frozenset(("暂停", "继续", "静音", "取消静音", "上一首", "下一首"))
_NO_ACT = Act(0)
_MANNERS = frozenset("搞整弄打闹")


class Assembler(Carrier):
    """Assembles the units of one sentence; make a new one for each."""

    def __init__(self, lexicon: Lexicon, resolver: Resolver) -> None:
        super().__init__(lexicon, resolver)
        self._waiting: list[tuple[Unit, list[Act], str]] = []
        self._performed: list[Act] | None = None
        self._guessed: list[Command] = []
        self._elsewhere = False
        self._kept_out: Exclusion | None = None

    def assemble(self, units: list[Unit]) -> Assembly:
        """The commands of a sentence's units, in order."""
        self._elsewhere = any([unit.domain for unit in units])  # noqa: C419  # few: faster than a generator
        units = revise(units, self._result.reasons)
        for index, unit in enumerate(units):
            self._unit(unit, units[index + 1] if index + 1 < len(units) else None, last=index + 1 == len(units))
        self._finish()
        return self._result

    def _unit(self, unit: Unit, following: Unit | None, *, last: bool) -> None:
        self._hold_time(unit)
        if unit.exclusion is not None:
            self._exclusion = self._kept_out = unit.exclusion
        elif self._exclusion is None and self._kept_out is not None:
            self._exclusion = self._kept_out if self._still_limited(unit) else None
        if unit.hint:
            self._hint = [item for group in unit.groups for item in group.items]
            return
        pairs = pair(unit)
        if unit.other and unit.exclusion is None and self._exclusion is None:
            self._exclusion = self._complement()
            self._topic = [] if self._exclusion is not None else self._topic
        self._open_topic(pairs)
        listed = [item for group in self._topic for item in group.items] if self._topic else self._last
        if len(listed) > 1:
            self._listed = listed
        bare = not any(acts for _, acts in pairs)
        if bare:
            self._topics(unit, [group for group, _ in pairs if group is not None], following, last=last)
            return
        for group, acts in pairs:
            if group is None:
                self._without_group(unit, acts)
            elif not acts:
                self._topic.append(group)
            elif _aimless(unit, group, acts):
                self._result.reasons.append("no_target")
            elif points(group) and any(not topic.room_only for topic in self._topic):
                self._without_group(unit, acts)  # 排风扇嗡嗡响，停了它
            else:
                self._flush()
                self._perform(unit, acts, self._items(group, unit, acts))
        self._exclusion = None

    def _still_limited(self, unit: Unit) -> bool:
        """除了主灯，灯都打开，调暗一点: what is done next to the same things leaves out the same."""
        last = self._result.commands[-1] if self._result.commands else None
        limited = last is not None and bool(last.scope.exclude or last.target.excluded)
        setting = all(act.set or act.direction or act.value for act in unit.acts)
        return limited and bool(unit.acts) and setting and not (unit.elements[0] not in unit.acts or unit.other)

    def _open_topic(self, pairs: list[tuple[ThingGroup | None, list[Act]]]) -> None:
        """影音室，投影仪开: rooms spoken of alone hold for the things named next."""
        if not self._topic:
            return
        named = any(group is not None and not group.room_only and acts for group, acts in pairs)
        if named and all(group.room_only for group in self._topic):
            rooms = [room for group in self._topic for item in group.items for room in item.rooms or ()]
            self._here = any(item.here for group in self._topic for item in group.items)
            self._rooms = () if self._here else tuple(dict.fromkeys(rooms))
            self._topic = []

    def _topics(self, unit: Unit, groups: list[ThingGroup], following: Unit | None, *, last: bool) -> None:
        """A clause with things and no act: what it is about depends on its neighbours."""
        if not groups:
            return
        placed = any(item.positional for group in groups for item in group.items)
        if self._waiting and not groups[-1].room_only and not unit.unknown and not placed:
            waiting, self._waiting = self._waiting, []
            for earlier, acts, self._when in waiting:
                for group in groups:
                    self._perform(earlier, acts, self._items(group, earlier))
            return
        room_only = all(group.room_only for group in groups)
        if room_only and self._topic:
            self._give_rooms(self._topic[-1].items, groups[-1].items[-1])
        elif room_only and unit.also and self._performed is not None:
            for group in groups:
                self._perform(unit, self._performed, self._items(group, unit))
        elif room_only and not unit.leading:
            self._result.note("unused_things")
        elif room_only and self._result.commands and (following is None or last):
            self._amend_rooms(groups[-1].items[-1])
        else:
            if self._topic and not room_only and all(group.room_only for group in self._topic):
                self._open_topic([(group, [_NO_ACT]) for group in groups])  # 卧室，卧室的窗帘，拉开
            named = any(not group.room_only for group in self._topic)
            self._topic.extend(g for g in groups if not (named and points(g)))  # 那电扇，就它，…
            if self._result.commands and (unit.also or last) and self._performed is not None and not unit.negated:
                acts = self._performed
                self._result.note("unused_things", float(unit.unknown > 0))
                known = [
                    g for g in self._topic if not any(item.positional or item.name == LAST_NAME for item in g.items)
                ]
                for group in known if not unit.unknown else ():
                    self._perform(unit, acts, self._items(group, unit))
                self._topic = []

    def _without_group(self, unit: Unit, acts: list[Act]) -> None:
        acts = [act for act in acts if not act.object]
        if unit.both and not self._topic:
            spoken = self._last if len(self._last) > 1 else self._every(acts)[-unit.both :]  # 开灯，开电视，两个都关了
            things = spoken or self._last
            self._perform(unit, acts, things or [Item(name=LAST_NAME, plural=True)])
            return
        if self._topic and acts:
            groups, self._topic = self._topic, []
            for group in groups:
                group.all = group.all or unit.all
            several = sum(len(group.items) for group in groups) > 1
            self._perform(unit, acts, [item for g in groups for item in self._items(g, unit, acts, several=several)])
            return
        targets = self._recent(acts)
        said = unit.request and not all(act.query for act in acts)
        acts = [act for act in acts if said or act.set or not self._doubtful(act, unit)]
        if not acts:
            return
        generic = all(item.name == "*" and not item.anything for item in targets)
        if unit.what and all(act.query for act in acts):
            targets = [Item(anything=True, quantifier=Quantifier.ALL)]
        if targets and (generic or not (unit.all and (unit.other or self._exclusion))):
            self._perform(unit, acts, targets, carried=True)
        elif self._all_of_it(unit, acts):
            kind = self._exclusion.kind if self._exclusion else ""
            item = Item(kind=kind, anything=not kind, quantifier=Quantifier.ALL)
            self._place(item)
            self._perform(unit, acts, [item])
        else:
            self._waiting.append((unit, acts, self._when))

    def _all_of_it(self, unit: Unit, acts: list[Act]) -> bool:
        """Whether what no thing was named for is meant for all that is not left out."""
        exclusion = self._exclusion
        if all(act.direction for act in acts):
            return exclusion is not None and exclusion.kind != ""  # 除了婴儿房空调都降一度
        return exclusion is not None or unit.all or unit.other

    def _doubtful(self, act: Act, unit: Unit) -> bool:
        """A verb without a thing in a clause with other content is likely talk (炒个菜, 娃吹得打喷嚏)."""
        if act.direction and not act.value:
            return bool(act.noise)
        if act.weak and not act.value and act.word not in _PLAIN:
            return True
        return bool(act.noise or (unit.unknown and act.weak)) and bool(act.verb or act.value or act.query)

    def _flush(self) -> None:
        """What no thing was named for is meant for the one of the last turn."""
        waiting, self._waiting = self._waiting, []
        now = self._when
        for unit, acts, when in self._begun(waiting):
            self._when = when
            self._ellipsis(unit, acts)
        self._when = now

    def _ellipsis(self, unit: Unit, acts: list[Act]) -> None:
        scenes = [act for act in acts if self._is_scene(act)]
        for act in scenes:
            self._scene(act, Item())
        rest = [act for act in acts if act not in scenes and not (scenes and act.verb in ("打开", "执行"))]
        if not rest:
            return
        rest = [act for act in rest if not (act.noise and act.value is not None and not act.set and not act.direction)]
        rest = [act for act in rest if not (act.weak and not act.value and act.word not in _PLAIN)]
        asked = all(act.query for act in rest)
        rest = [act for act in rest if not (act.attribute == "湿度" and act.value is not None and not act.set)]
        clear = unit.request or (not any(act.noise for act in rest) and any(_clear(act) for act in rest))
        if not rest or self._elsewhere or (unit.lost and not unit.groups) or (unit.unknown and (asked or not clear)):
            self._result.reasons.append("no_target")
            return
        item = Item(name=LAST_NAME, count=unit.count)
        self._result.note("ellipsis")
        before = len(self._result.commands)
        self._perform(unit, rest, [item])
        self._guessed.extend(self._result.commands[before:])

    def _perform(self, unit: Unit, acts: list[Act], items: list[Item], *, carried: bool = False) -> None:
        if carried:
            self._result.note("carried_target")
        self._performed = acts
        done = False
        each = unit.each
        if each:
            acts, items = share_out(acts, items)
        lasting: Act | None = None
        for act in acts:
            if act.negated or (not act.complete and not act.duration):
                continue
            if lasting is not None and act.verb in ("关闭", "停止"):
                continue
            lasting = act if act.duration is not None else lasting
            for item in items if not each else items[:1]:
                if each:
                    item = items.pop(0)
                if (item.positional and _dubious(unit, act)) or self._sings(unit, act, item):
                    self._result.reasons.append("no_target")
                    continue
                done = self._command(unit, act, item) or done
        self._last = items
        if not carried:
            self._history.extend(item for item in items if item.name != LAST_NAME)
        if done:
            self._topic = []

    def _sings(self, unit: Unit, act: Act, item: Item) -> bool:
        """来首灯火乐队的老歌, 给我唱一段窗外: what is played is content, and no player is asked for."""
        content = item.name == LAST_NAME and not item.typed and unit.unknown > 0
        return act.verb == "播放" and (content or not self._resolver.fits(act, item))

    def _finish(self) -> None:
        self._flush()
        self._result.note("unused_things", sum(len(group.items) for group in self._topic))
        commands = self._result.commands
        if not self._guessed:
            return
        named = any(command not in self._guessed for command in commands)
        while len(commands) > 1 and named and commands[0] in self._guessed and _idle(commands[0]):
            del commands[0]


def _aimless(unit: Unit, group: ThingGroup, acts: list[Act]) -> bool:
    """房间能不能抽烟: an act on something else in a room, or on a pronoun after something unknown, unasked for."""
    if group.room_only and all([act.object for act in acts]):  # noqa: C419  # few: faster than a generator
        return True
    return not unit.request and all([act.noise and act.verb for act in acts]) and _pointing(group)  # noqa: C419


def _pointing(group: ThingGroup) -> bool:
    """Whether it names no thing: only a room, or 那个."""
    return group.room_only or all(item.name == LAST_NAME and not item.typed for item in group.items)


def _dubious(unit: Unit, act: Act) -> bool:
    """Whether what only its position makes a name is likely none: beside unknown words or with a vague verb."""
    vague = (act.weak or act.word in _MANNERS) and not act.value and act.word not in ("开", "关", "停", "亮", "灭")
    return bool(unit.unknown or vague) and not any(group.marked for group in unit.groups)


def _clear(act: Act) -> bool:
    """Whether the act is a request whatever is said after it (声音小点有人敲门)."""
    return bool((act.set and act.value) or (act.direction and act.attribute) or (act.verb in _MEDIA and not act.weak))


def _idle(command: Command) -> bool:
    """收工！ before what is really asked for."""
    return command.target.is_last and command.action.verb in ("打开", "关闭", "播放") and command.action.when is None
