"""The parts a clause is read into, before targets and actions are joined: items, groups, acts, units.

They are working values of one reading and mutable on purpose; nothing of them leaves the parser.
"""

from __future__ import annotations

import msgspec

from context_retrieval.models import LAST_NAME, Quantifier
from tingdong.commands.spotting import Token
from zhtext.durations import Duration, TimeUnit
from zhtext.quantities import Quantity, QuantityKind

__all__ = ["Act", "Exclusion", "Item", "ThingGroup", "Unit", "delay_of", "lasts"]


class Item(msgspec.Struct, gc=False):
    """One thing spoken of. `name` is `*`, `@last` or a name; `rooms` None means no room was said."""

    name: str = "*"
    kind: str = ""
    word: str = ""
    rooms: tuple[str, ...] | None = None
    here: bool = False
    whole: bool = False
    quantifier: Quantifier | None = None
    count: int | None = None
    plural: bool = False
    anything: bool = False
    room_only: bool = False
    open: bool = False
    positional: bool = False
    """Whether only its position makes it a name."""

    refers: str = ""
    """The kind of what a reference of the same sentence points at."""
    typed: bool = False
    """Whether a device word came with a reference (那盏灯)."""


class ThingGroup(msgspec.Struct, gc=False):
    """Things spoken of together. `all` and `any` say the quantifier beside the group (灯都关了)."""

    start: int
    items: list[Item] = msgspec.field(default_factory=list)
    all: bool = False
    any: bool = False
    marked: bool = False
    """Whether 把 or 将 marks it."""

    inside: bool = False
    """Whether 里 follows its room, which then holds for what comes after (书房里台灯别关，别的灯关掉)."""

    @property
    def room_only(self) -> bool:
        """Whether only rooms are named."""
        return all([item.room_only for item in self.items])  # noqa: C419  # short lists: faster than a generator


class Act(msgspec.Struct, gc=False):
    """One action with its parts, as far as they are said."""

    start: int
    verb: str = ""
    word: str = ""
    weak: bool = False
    set: bool = False
    to: bool = False
    direction: str = ""
    attribute: str = ""
    value: Token | None = None
    duration: Token | None = None
    query: str = ""
    state: str = ""
    negated: bool = False
    keep: bool = False
    again: bool = False
    when: str = ""
    end: int = 0
    object: bool = False
    """Whether an unknown thing follows at once (开个玩笑)."""

    told: bool = False
    """Whether 了 follows how long (两个小时了)."""

    noise: int = 0
    """Unknown characters before it in its clause."""

    @property
    def complete(self) -> bool:
        """Whether it says what to do: a verb, a value, a direction or a question."""
        return bool(self.verb or self.value or self.direction or self.query or self.keep or self.state)

    @property
    def empty(self) -> bool:
        """Whether nothing of it is said."""
        return not (self.complete or self.attribute or self.set or self.duration)


class Exclusion(msgspec.Struct, gc=False):
    """Rooms and names left out. `kind` is the device kind said with an excluded room (除厨房灯全关)."""

    rooms: list[str] = msgspec.field(default_factory=list)
    items: list[Item] = msgspec.field(default_factory=list)
    kind: str = ""
    kept: bool = False
    """Whether it was not excepted but only said to stay as it is (冷柜不停)."""

    base: tuple[str, ...] = ()
    """Rooms said with an excluded name (书房里台灯别关)."""

    here: bool = False
    """Whether it was said of the speaker's room (这屋台灯以外的)."""

    def add(self, item: Item, *, inside: bool = False) -> None:
        """Leave out the room of a generic word (厨房的灯), else the thing by its name."""
        generic = item.name in ("*", LAST_NAME) or item.room_only
        if item.rooms and generic:
            self.rooms.extend(room for room in item.rooms if room not in self.rooms)
            self.kind = self.kind or item.kind
        elif not item.room_only and item.word and not (item.name == LAST_NAME and not item.typed):
            self.items.append(item)
            self.base = self.base or (inside and item.rooms) or ()
            self.here = self.here or item.here


class Unit(msgspec.Struct, gc=False):
    """One clause: its groups and acts in order, and what colours it."""

    start: int
    elements: list[ThingGroup | Act] = msgspec.field(default_factory=list)
    exclusion: Exclusion | None = None
    sole: bool = False
    """Whether 唯独 says that it is the one exception."""

    trailing: bool = False
    """Whether what is left out was said with 除外, 例外, which look back."""

    when: str = ""
    when_lost: bool = False
    when_part: bool = False
    """Whether only a day or a part of it was said, which a clock time may complete."""

    correction: str = ""
    cancel: bool = False
    other: bool = False
    elsewhere: bool = False
    """Whether all other places are spoken of (别处, 其他房间)."""

    all: bool = False
    any: bool = False
    both: int = 0
    what: bool = False
    which: bool = False
    count: int | None = None
    ask: bool = False
    look: bool = False
    tail: bool = False
    also: bool = False
    negated: bool = False
    request: bool = False
    only: str = ""
    """The word that says that nothing but what is left out stays as it is (只留落地灯)."""

    domain: str = ""
    sign: str = ""
    event: bool = False
    condition: bool = False
    hangs: bool = False
    """Whether the condition says something that is no time (如果没人在家)."""
    statement: bool = False
    opens: list[Token] = msgspec.field(default_factory=list)
    unknown: int = 0
    now: bool = False
    along: bool = False
    """Whether it is done in passing, with what is said before (顺便)."""

    each: bool = False
    leading: bool = True
    """Whether its first group stands at its beginning."""

    absent: bool = False
    """Whether it only says that something was not done (没关)."""

    talk: bool = False
    person: int = 0
    """Where a person is spoken of as the one who acts, the end of the word."""

    addressed: bool = False
    holds: bool = False
    """Whether the rooms of what is only known of hold for what comes (205大灯打开，不用开大灯，开夜灯)."""

    hesitant: str = ""
    """The word of hesitation it begins with (呃, 哎)."""

    hint: bool = False
    """Whether its things are only known of, as those of a request that was denied."""

    aside: bool = False
    """Whether the speaker goes on about himself."""

    letting: bool = False
    """Whether something shall not go on (别让风扇转了)."""

    supposed: bool = False
    """Whether it only supposes; then what follows is supposed too."""

    wanted: str = ""
    """The state that was said of its things and may be asked for (台灯开着)."""

    going_on: bool = False
    """Whether 呢 or 还 says that the state goes on."""

    lost: bool = False
    """Whether what 把 marks begins with something nobody knows (把碗收起来)."""

    then: bool = False
    """Whether it is to be done after something else (再, 然后)."""

    since_event: int = 0
    when_text: str = ""
    """The time as said."""

    duration: Token | None = None
    """A length of time that no act took (不够，十五分钟)."""

    number: str = ""
    """A number of a thing said alone (错了，二号)."""

    whens: list[str] = msgspec.field(default_factory=list)

    @property
    def hedged(self) -> bool:
        """Whether something is said that must hold for what follows."""
        said = self.sign or self.event or self.condition or self.negated
        return bool(said or self.exclusion or self.when or self.when_lost)

    @property
    def groups(self) -> list[ThingGroup]:
        """The groups of things among its elements, in order."""
        elements = self.elements
        return [element for element in elements if type(element) is ThingGroup] if elements else []

    @property
    def acts(self) -> list[Act]:
        """The acts among its elements, in order."""
        elements = self.elements
        return [element for element in elements if type(element) is Act] if elements else []


def lasts(token: Token) -> bool:
    """Whether it is a length of time."""
    return token.quantity is not None and token.quantity.kind is QuantityKind.DURATION


def delay_of(length: Quantity) -> str:
    """The WHEN of a length of time that is waited for (十分钟 → 10分钟后)."""
    return Duration(length.value, TimeUnit(length.unit)).delay_string()
