"""Writing commands: the scope, target and quantifier of an act on an item (commands.md, SCOPE, NAME and TYPE)."""

from context_retrieval.lexicon import Lexicon
from context_retrieval.models import LAST_NAME, Action, Command, DeviceType, Quantifier, Scope, Target
from context_retrieval.verbs import verb_table
from tingdong.commands.parts import Act, Exclusion, Item, Unit, delay_of
from tingdong.commands.resolving import WIRED, Resolver
from tingdong.commands.spotting import Token

__all__ = ["Assembly", "Writer"]


_ALL, _ANY, _ONE = Quantifier.ALL, Quantifier.ANY, Quantifier.ONE


class Assembly:
    """What was put together: the commands, and the facts confidence is computed from."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self.reasons: list[str] = []
        self.facts: dict[str, float] = {}

    def note(self, fact: str, amount: float = 1.0) -> None:
        """Counts a fact, for the confidence."""
        self.facts[fact] = self.facts.get(fact, 0.0) + amount


class Writer:
    """Writes the commands of one sentence; it carries the time and the exclusion that hold for them."""

    def __init__(self, lexicon: Lexicon, resolver: Resolver) -> None:
        self._lexicon = lexicon
        self._resolver = resolver
        self._scenes = lexicon.scenes
        self._result = Assembly()
        self._when = ""
        self._whens: list[str] = []
        self._exclusion: Exclusion | None = None

    def _command(self, unit: Unit, act: Act, item: Item) -> bool:
        when = act.when or self._when
        value = act.value
        if act.attribute == "场景" or (value is not None and self._is_home_mode(value, item, unit)):
            return self._scene(act, item)
        if act.duration is not None and act.duration.quantity is not None:
            return self._for_a_while(unit, act, item, when)
        action = self._resolver.action(act, item, when)
        if action is None:
            self._result.note("unresolved")
            return False
        self._emit(unit, action, item)
        return True

    def _is_home_mode(self, value: Token, item: Item, unit: Unit) -> bool:
        """A mode is the home's without a device, or where an unlisted one is only carried over to a device."""
        if value.attribute != "模式":
            return False
        unlisted = value.device in ("scene", "quoted", "open")
        if item.room_only and item.name == LAST_NAME and value.value in self._scenes and value.text[-2:] == "模式":
            return True  # 客厅切到观影模式
        return (item.kind == "" and item.name == "*") or (unlisted and not self._takes_mode(item, unit))

    def _takes_mode(self, item: Item, unit: Unit) -> bool:
        kind = self._lexicon.kinds.get(item.kind)
        said = any(item in group.items for group in unit.groups)
        return said and kind is not None

    def _scene(self, act: Act, item: Item) -> bool:
        value = act.value
        if value is None:
            return False
        name = value.value if value.device == "quoted" or act.attribute == "场景" else value.text
        rooms = item.rooms if item.room_only else None
        scope = Scope(include=rooms or (), here=item.here if item.room_only else False)
        when = (act.when or self._when) or None
        self._result.commands.append(Command(Action("执行", None, when), scope, Target(name)))
        return True

    def _is_scene(self, act: Act) -> bool:
        """Whether a mode without a device is one of the home (影院模式) and not of the device spoken of last (自动)."""
        value = act.value
        if value is None:
            return False
        if act.attribute == "场景" or value.device in ("scene", "open", "quoted", "模式"):
            return value.attribute == "模式" or act.attribute == "场景"
        return value.device == "mode" and value.text.endswith("模式") and value.value in self._scenes

    def _for_a_while(self, unit: Unit, act: Act, item: Item, when: str) -> bool:
        """开两小时: on now, off after it (commands.md, ACTION)."""
        quantity = act.duration.quantity if act.duration is not None else None
        if quantity is None:
            return False
        delay = delay_of(quantity)
        verb = act.verb or "打开"
        opposite = verb_table().opposite.get(verb, "关闭")
        if when:
            self._result.reasons.append("when_not_expressible")
            return False
        setting = any(other.value or other.direction for other in unit.acts if other.start < act.start)
        if not (setting and act.weak):
            self._emit(unit, Action(verb), item)
        self._emit(unit, Action(opposite, None, delay), item)
        return True

    def _emit(self, unit: Unit, action: Action, item: Item) -> None:
        exclusion = self._exclusion
        if exclusion is not None and _other_kind(exclusion, item, unit):
            exclusion = None
        if exclusion is not None and (not (exclusion.rooms or exclusion.items) or _out_of_itself(exclusion, item)):
            self._result.reasons.append("no_target")  # what is left out cannot be said (除了我这屋)
            return
        include: tuple[str, ...] = item.rooms or ()
        exclude: tuple[str, ...] = ()
        excluded: tuple[str, ...] = ()
        quantifier, count = self._quantity(item)
        name = item.name
        if exclusion is not None and not action.verb.startswith("执行"):
            alike = [x for x in exclusion.items if x.rooms and x.word == item.word]
            exclude = (*exclusion.rooms, *(room for x in alike for room in x.rooms or ()))
            excluded = tuple(_name_of(x) for x in exclusion.items if x not in alike)
            quantifier, count = Quantifier.EXCEPT, None
            include = include or (exclusion.base if not alike else ())
            include = tuple(room for room in include if room not in exclude)
            self._result.note("exclusion")
        if quantifier is _ANY and count is None and action.verb.startswith("查询"):
            quantifier = _ALL  # 几盏灯亮着 asks about all of them
        if item.open:
            self._result.note("placed_name" if item.positional else "formed_name")
        device_type = self._type(item)
        target = Target(name if not excluded else "*", device_type, quantifier, count, excluded)
        here = item.here or (exclusion is not None and exclusion.here and not include)
        command = Command(action, Scope(include, exclude, here and not exclude), target)
        commands = self._result.commands
        last = commands[-1] if commands else None
        if last is not None and (
            (exclusion is not None and _supersedes(command, last)) or (not unit.then and _sets_anew(command, last))
        ):
            commands.pop()
        if command not in commands[-3:]:
            commands.append(command)
            self._also_at(command)

    def _also_at(self, command: Command) -> None:
        """早上六点和晚上九点: once for each time; 七点到十点: until then."""
        for when in self._whens:
            verb, value = command.action.verb, command.action.value
            if when.startswith("~"):
                verb, value = verb_table().opposite.get(verb, "关闭"), None
            action = Action(verb, value, when.lstrip("~"))
            self._result.commands.append(Command(action, command.scope, command.target))

    def _type(self, item: Item) -> DeviceType:
        kind = self._lexicon.kinds.get(item.kind)
        return kind.type if kind else DeviceType.UNKNOWN

    def _quantity(self, item: Item) -> tuple[Quantifier, int | None]:
        if item.name == LAST_NAME:
            return (_ALL if item.plural or item.quantifier is _ALL else _ONE), None
        if item.count is not None:
            return _ANY, item.count
        if item.quantifier is not None:
            return item.quantifier, None
        return (_ALL if item.name == "*" else _ONE), None


def _other_kind(exclusion: Exclusion, item: Item, unit: Unit) -> bool:
    """把灯和电视都关掉，就小夜灯不关: what is left out is one of the other kind in the list."""
    kinds = {left.kind for left in exclusion.items}
    if exclusion.rooms or not item.kind or item.kind in kinds or "" in kinds:
        return False
    listed = any(other.kind in kinds for group in unit.groups for other in group.items)
    return listed or (exclusion.kept and item.kind not in WIRED and not item.anything)  # 台灯别关，电视关了


def _out_of_itself(exclusion: Exclusion, item: Item) -> bool:
    """他俩房间的灯不动，剩下的灯全关: lights but the lights says nothing, for which ones was not understood."""
    return any(x.name == "*" and not x.rooms and x.kind == item.kind != "" for x in exclusion.items)


def _supersedes(command: Command, last: Command) -> bool:
    """开灯，全开，主卧除外: the same again, now with what is left out."""
    same = (last.action, last.target.name, last.target.type) == (
        command.action,
        command.target.name,
        command.target.type,
    )
    return same and not last.scope.exclude and not last.target.excluded


def _sets_anew(command: Command, last: Command) -> bool:
    """吊扇二档，三档: of two values of one setting the last one holds."""
    verb, when = command.action.verb, command.action.when
    same = (verb, when, command.scope, command.target) == (last.action.verb, last.action.when, last.scope, last.target)
    return same and verb.startswith("设置")


def _name_of(item: Item) -> str:
    """What is left out by its name; one counted off keeps its number (除了第二盏灯)."""
    return item.name if item.word and item.name.endswith(item.word) else item.word or item.name
