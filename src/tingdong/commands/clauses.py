"""From tokens to clauses: each `Unit` holds its groups of things and its acts in the order they were said.

Clauses end at punctuation; after a complete act also at words of sequence (然后, 再) and before 把. A group collects rooms,
device words, references and quantifiers; an act collects verb, attribute, direction and value until a part does not fit.
"""

from collections.abc import Callable

from context_retrieval.lexicon import Lexicon
from context_retrieval.models import LAST_NAME, Quantifier
from tingdong.commands.acts import ActReader
from tingdong.commands.parts import Act, Exclusion, Group, Item, Unit
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind

__all__ = ["ClauseReader"]

_ENDS = frozenset((Kind.BREAK, Kind.PARTICLE, Kind.POLITE, Kind.TAIL))
_ASKING_NEGATIONS = frozenset(("没", "没有", "不", "未", "冇"))
_GROUPING = frozenset((Kind.ROOM, Kind.ZONE, Kind.HERE, Kind.WHOLE, Kind.DEVICE))
_OPENING = frozenset((Kind.SEQUENCE, Kind.WAKE, Kind.POLITE, Kind.BREAK, Kind.REFERENCE, Kind.CORRECTION, Kind.CANCEL,
                      Kind.ONLY_THIS, Kind.BEFORE_TARGET, Kind.EXCEPT_BEFORE, Kind.ALSO))  # fmt: skip
_INTERJECTIONS = frozenset("嗯啊哦哎唉呃额诶欸喂噢那就，、：: ")
_ASKED_FOR = ("帮", "麻烦", "请", "劳", "能", "可", "给我", "你给", "拜托", "唔该")
_WISHES = frozenset(("就好了", "就行了", "多好", "该多好"))
_AFTERWARDS = frozenset(("之后", "以后", "后"))
_DONE = frozenset("了啦咯喽")
_NUMBERED_PLACES = frozenset(("床", "栋", "幢", "单元", "号楼"))
_WEAK_REFERENCES = frozenset(("那", "这", "刚才", "刚刚", "刚那个", "刚开的", "刚关的"))
_ACTING = frozenset((Kind.VERB, Kind.WEAK, Kind.SET, Kind.UP, Kind.DOWN, Kind.MORE, Kind.VALUE, Kind.QUANTITY,
                     Kind.ATTRIBUTE, Kind.STATUS, Kind.ASK_ATTRIBUTE, Kind.STATE, Kind.REQUEST, Kind.ALL, Kind.JOINT,
                     Kind.SEQUENCE, Kind.BREAK, Kind.TAIL, Kind.KEEP, Kind.NEGATION, Kind.EXCEPT_AFTER, Kind.LIGHT,
                     Kind.ONLY_THIS, Kind.BEFORE_TARGET, Kind.OF, Kind.WHEN, Kind.SIZE, Kind.COUNT, Kind.AGAIN))  # fmt: skip


class ClauseReader:
    """Reads one row of tokens; make a new one for each sentence."""

    def __init__(self, lexicon: Lexicon, never: frozenset[str]) -> None:
        self._lexicon = lexicon
        self._never = never
        self.units: list[Unit] = []
        self._readers: dict[Kind, Callable[[int, Token], None]] = {
            Kind.BREAK: self._break, Kind.SEQUENCE: self._sequence, Kind.CORRECTION: self._correction,
            Kind.CANCEL: self._cancel, Kind.BEFORE_TARGET: self._before_target, Kind.ROOM: self._room,
            Kind.ZONE: self._room, Kind.HERE: self._here, Kind.WHOLE: self._whole, Kind.DEVICE: self._device,
            Kind.ANYTHING: self._anything, Kind.REFERENCE: self._reference, Kind.REFERENCES: self._reference,
            Kind.ALL: self._all, Kind.ANY: self._any, Kind.OTHER: self._other, Kind.COUNT: self._count,
            Kind.EXCEPT_BEFORE: self._except_before, Kind.EXCEPT_AFTER: self._except_after, Kind.ONLY: self._only,
            Kind.KEEP: self._keep, Kind.NEGATION: self._negation, Kind.ASK: self._ask, Kind.LOOK: self._look,
            Kind.TAIL: self._tail, Kind.WHEN: self._when, Kind.OPEN: self._open, Kind.DOMAIN: self._domain,
            Kind.CLAUSE_SIGN: self._sign, Kind.SENTENCE_SIGN: self._sign, Kind.NOUN: self._noun,
            Kind.EVENT: self._event, Kind.CONDITION_START: self._condition, Kind.REQUEST: self._request,
            Kind.TOO: self._too, Kind.JOINT: self._joint, Kind.SCENE: self._scene, Kind.ALSO: self._also, Kind.ORDINAL: self._ordinal,
            Kind.FROM: self._from, Kind.EACH: self._each, Kind.NOW: self._now, Kind.WHICH: self._which, Kind.INDIFFERENT: self._any, Kind.WHAT: self._what,
            Kind.BOTH: self._both, Kind.CONDITION_END: self._afterwards,
        }  # fmt: skip

    def read(self, tokens: list[Token]) -> list[Unit]:
        self._tokens = tokens
        self._begin(tokens[0].start if tokens else 0)
        for index, token in enumerate(tokens):
            if self.unit.leading and token.kind not in _GROUPING and not self.unit.elements and self._group is None:
                self.unit.leading = token.kind in _OPENING or token.text in _INTERJECTIONS
            reader = self._readers.get(token.kind)
            if reader is not None:
                reader(index, token)
            elif self._acts.read(token, self._next(index)):
                if token.kind is Kind.STATE and index and tokens[index - 1].text[:1] in "先就":
                    self.unit.request = True
                self._close_group()
            elif token.kind is Kind.PARTICLE:
                self._particle(token)
        self._end()
        return [unit for unit in self.units if _said(unit)]

    # --- clauses ---

    def _begin(self, start: int, correction: str = "") -> None:
        self.unit = Unit(start, correction=correction)
        self.units.append(self.unit)
        self._acts = ActReader(self.unit, self._lexicon)
        self._group: Group | None = None
        self._rooms: list[str] = []
        self._pending = Item()
        self._excluding = False
        self._marked = False
        self._joined = False

    def _end(self) -> None:
        self._close_group()
        self._acts.finish()

    def _split(self, start: int, correction: str = "") -> None:
        self._end()
        self._begin(start, correction)

    def _next(self, index: int) -> Token | None:
        return self._tokens[index + 1] if index + 1 < len(self._tokens) else None

    def _break(self, index: int, token: Token) -> None:
        unit = self.unit
        said = unit.elements or self._group or self._acts.open or unit.when or unit.unknown or unit.negated or unit.sign
        if (unit.correction or unit.cancel) and not said:
            unit.correction = "不对" if unit.correction == "不是" else unit.correction
            return
        if unit.correction and not (unit.elements or self._group or self._acts.open or unit.when or unit.negated):
            self._split(token.end, unit.correction)
            return
        if token.text in "？?" and not (unit.request or unit.tail):
            self._acts.ask(token)
            unit.ask = unit.ask or any(act.state for act in unit.acts)
        self._split(token.end)

    def _particle(self, token: Token) -> None:
        if token.text in _DONE and self._acts.negated and any(act.negated for act in self.unit.acts):
            self._acts.negated = False
        elif token.text == "得":
            self._acts.described(token)
        elif token.text in _WISHES and self.unit.condition:
            self.unit.sign = token.text
        elif token.text == "呢":
            self._acts.ask(token)
        elif token.text in "：:" and not (self.unit.elements or self._group or self.unit.sign):
            self._split(token.end)
        elif token.text in "：:" and self._group is not None and self._only_placed():
            self.unit.elements.remove(self._group)
            self._group = None
            self._split(token.end)

    def _only_placed(self) -> bool:
        items = self._group.items if self._group is not None else []
        return bool(items) and not self._rooms and all(item.positional for item in items)

    def _from(self, index: int, token: Token) -> None:
        following = self._next(index)
        self._acts.leaving = following is not None and following.kind is Kind.QUANTITY

    def _each(self, index: int, token: Token) -> None:
        self.unit.each = True

    def _which(self, index: int, token: Token) -> None:
        """哪个都行 is any; 哪个 without it asks."""
        if any(later.kind in (Kind.INDIFFERENT, Kind.ANY) for later in self._tokens[index + 1 :]):
            self._any(index, token)
        else:
            self.unit.ask = self.unit.which = True

    def _what(self, index: int, token: Token) -> None:
        self.unit.ask = self.unit.what = True

    def _both(self, index: int, token: Token) -> None:
        if self._group is None and not self.unit.groups:
            self.unit.all = self.unit.both = True
        else:
            self._all(index, token)

    def _now(self, index: int, token: Token) -> None:
        self.unit.now = True

    def _sequence(self, index: int, token: Token) -> None:
        also = token.text[0] in "也还又另"
        if self._acts.complete and (not also or token.text not in ("也", "还", "又")):
            self._split(token.start)
        elif self._acts.complete and self._group is None and also and self._group_follows(index):
            self._split(token.start)
        self.unit.also = self.unit.also or token.text[0] == "也"
        if token.text == "再" or token.text == "又":
            self._acts.again = True

    def _group_follows(self, index: int) -> bool:
        following = self._next(index)
        return following is not None and following.kind in (Kind.ROOM, Kind.DEVICE, Kind.BEFORE_TARGET)

    def _correction(self, index: int, token: Token) -> None:
        if token.text == "还是" and (self.unit.elements or len(self.units) == 1 or self._acts.open):
            return
        following = self._next(index)
        begun = self.unit.elements or self._group or self._acts.open
        if token.text == "不是" and not begun and following is not None and following.kind in _GROUPING:
            if len(self.units) == 1 or (index and self._tokens[index - 1].kind is Kind.BEFORE_TARGET):
                self._except_before(index, token)
                return
        if self.unit.elements or self._group or self._acts.open or self.unit.opens or self.unit.when:
            self._split(token.end, token.text)
        elif len(self.units) > 1:
            self.unit.correction = token.text

    def _cancel(self, index: int, token: Token) -> None:
        if self._group is not None and token.text != "当我没说":
            self._acts.keep(token)
            self._close_group()
            return
        if self.unit.elements or self._group or self._acts.open:
            self._split(token.end)
        self.unit.cancel = True

    def _before_target(self, index: int, token: Token) -> None:
        unit = self.unit
        if (
            token.text[-1] in "把将"
            and unit.unknown
            and not (
                unit.sign
                or unit.event
                or unit.condition
                or unit.negated
                or unit.exclusion
                or self._excluding
                or unit.when
            )
        ):
            self._split(token.start)
        talk, sign = unit.talk, unit.sign
        if unit.person and token.text[-1] in "把将让叫" and not (unit.unknown > 3 or unit.request or unit.elements):
            unit.sign = "person"
        if token.text[-1] in "把将让拿" and (self._acts.complete or self._acts.negated):
            if not (self._acts.negated and not self._acts.complete):
                self._split(token.start)
        if self.unit is not unit and talk:
            self.unit.talk, self.unit.sign = talk, sign
        self._marked = token.text[-1] in "把将让叫拿"
        self.unit.request = True

    def _joint(self, index: int, token: Token) -> None:
        self._joined = True

    def _also(self, index: int, token: Token) -> None:
        self.unit.also = True

    # --- groups ---

    def _target_group(self, token: Token) -> Group:
        if self._group is None:
            self._acts.pause()
            self._group = Group(token.start, marked=self._marked)
            if not self._excluding:
                self.unit.elements.append(self._group)
            self._marked = False
        return self._group

    def _close_group(self) -> None:
        group = self._group
        if group is not None and self._rooms and group.items and group.items[-1].rooms is None and not self._joined:
            group.items[-1].rooms, self._rooms = tuple(self._rooms), []
        if group is not None and (self._rooms or self._pending.here or self._pending.whole):
            item = self._new_item(group)
            item.room_only = True
            group.items.append(item)
        self._group, self._rooms, self._joined = None, [], False
        if self._pending.quantifier is not None or self._pending.count is not None:
            if self._pending.quantifier is Quantifier.ALL:
                self.unit.all = True
            if self._pending.quantifier is Quantifier.ANY:
                self.unit.any = True
            self.unit.count = self._pending.count or self.unit.count
        self._pending = Item()
        if self._excluding and group is not None:
            self._exclude(group)
            self._excluding = False
        elif group is not None and not group.items:
            self.unit.elements = [element for element in self.unit.elements if element is not group]

    def _new_item(self, group: Group) -> Item:
        item, self._pending = self._pending, Item()
        if self._rooms:
            item.rooms = tuple(self._rooms)
        elif group.items and not item.here and not item.whole:
            last = group.items[-1]
            item.rooms, item.here, item.whole = last.rooms, last.here, last.whole
        self._rooms = []
        return item

    def _room(self, index: int, token: Token) -> None:
        if self._excluding and self._group is not None and self._group.items and not self._joined:
            self._close_group()
        self._target_group(token)
        value = token.value or token.text
        if value == token.text.lower():
            value = token.text
        if value not in self._rooms:
            self._rooms.append(value)
        self._joined = False

    def _ordinal(self, index: int, token: Token) -> None:
        if token.quantity is not None and token.quantity.unit in _NUMBERED_PLACES:
            self._room(index, token)

    def _here(self, index: int, token: Token) -> None:
        self._target_group(token)
        self._pending.here = True

    def _whole(self, index: int, token: Token) -> None:
        self._target_group(token)
        self._pending.whole = True

    def _device(self, index: int, token: Token) -> None:
        if self._excluding and self._group is not None and self._group.items and not self._joined:
            self._close_group()
        if self._acts.source(token, self.unit):
            self._close_group()
            return
        group = self._target_group(token)
        if group.items and group.items[-1].kind == "gate" and not self._joined and not self._rooms:
            self._rooms = [group.items.pop().word]
        item = self._new_item(group)
        item.name, item.kind, item.word = token.value or token.text, token.device, token.text
        if token.text.isascii() and token.value.lower() == token.text.lower():
            item.name = token.text
        item.open = token.attribute == "open"
        group.items.append(item)
        self._joined = False

    def _anything(self, index: int, token: Token) -> None:
        group = self._target_group(token)
        item = self._new_item(group)
        item.anything, item.word = True, token.text
        group.items.append(item)

    def _scene(self, index: int, token: Token) -> None:
        self._acts.scene(token)
        self._close_group()

    def _reference(self, index: int, token: Token) -> None:
        following = self._next(index)
        if following is not None and following.kind is Kind.COUNT:
            following = self._next(index + 1)
        done = self._tokens[index + 1 : index + 4]
        if len(done) == 3 and done[0].kind in (Kind.VERB, Kind.WEAK) and done[1].kind is Kind.OF and done[2].kind is Kind.DEVICE:
            done[0].kind, following = Kind.PARTICLE, done[2]
        typed = following is not None and following.kind is Kind.DEVICE
        if typed and self._rooms:
            return
        if not typed and (token.text in _WEAK_REFERENCES or self._excluding or (self._rooms and self._group)):
            return
        group = self._target_group(token)
        item = self._new_item(group)
        item.name, item.word, item.plural = LAST_NAME, token.text, token.kind is Kind.REFERENCES
        if typed and following is not None:
            item.typed = True
            item.kind = following.device
            following.kind = Kind.PARTICLE
            if group.items and group.items[-1].open and not self._joined:
                group.items[-1].kind = following.device
                return
            if following.value not in ("*", ""):
                item.name, item.word = following.value, following.text
        if group.items and not self._joined and group.items[-1].name == "*" and not group.items[-1].plural:
            return
        group.items.append(item)

    def _all(self, index: int, token: Token) -> None:
        following = self._next(index)
        if self._excluding:
            self._close_group()
        if self._group is not None and self._group.items and not self._rooms:
            self._group.all = not (token.text == "全" and self._group.items[-1].kind == "blind")
        elif following is not None and following.kind in (
            Kind.DEVICE,
            Kind.ANYTHING,
            Kind.OF,
            Kind.ROOM,
            Kind.COUNT,
            Kind.OPEN,
        ):
            self._pending.quantifier = Quantifier.ALL
        else:
            self.unit.all = True
            for group in self.unit.groups[-1:]:
                group.all = True

    def _any(self, index: int, token: Token) -> None:
        if self._group is not None and self._group.items:
            self._group.any = True
        elif self.unit.groups and self.unit.acts:
            self.unit.groups[-1].any = True
        else:
            self._pending.quantifier = Quantifier.ANY
            self.unit.any = True

    def _other(self, index: int, token: Token) -> None:
        if self._excluding:
            self._close_group()
        self.unit.other = True

    def _count(self, index: int, token: Token) -> None:
        following = self._next(index)
        count = int(token.value) if token.value else int(token.quantity.value) if token.quantity else 1
        if following is not None and following.kind is Kind.OF:
            following = self._next(index + 1)
        if following is not None and following.kind is Kind.ROOM and following.text == "房间":
            following.kind = Kind.PARTICLE
        elif token.quantity is not None and token.quantity.unit in ("处", "间"):
            return
        elif following is not None and following.kind in (Kind.DEVICE, Kind.ROOM, Kind.REFERENCE):
            self._pending.count = count
        elif self._acts.channel(token, self.unit):
            return
        elif self._group is not None and self._group.items:
            self._group.items[-1].count = count
        elif self.unit.groups and self.unit.groups[-1].items and not self.unit.groups[-1].room_only:
            for item in self.unit.groups[-1].items:
                item.count = count
        else:
            self.unit.count = count

    def _open(self, index: int, token: Token) -> None:
        """An unknown run where a target can stand is a name by position (把老伙计打开; 旺财，启动)."""
        before = self._tokens[index - 1] if index else None
        after = self._next(index)
        if self._name_here(before, token, after):
            self._name(token)
        else:
            self._unknown(token)

    def _name(self, token: Token) -> None:
        group = self._target_group(token)
        item = self._new_item(group)
        item.name = item.word = token.text
        item.open = item.positional = True
        group.items.append(item)
        self.unit.opens.append(token)

    def _name_here(self, before: Token | None, token: Token, after: Token | None) -> bool:
        if not 2 <= len(token.text) <= 6 or any(character in self._never for character in token.text):
            return False
        if before is not None and before.kind is Kind.BEFORE_TARGET:
            if before.text[-1] in "把将让叫拿":
                return True
            return (
                not self.unit.groups
                and after is not None
                and after.kind in _ACTING
                and after.kind is not Kind.BEFORE_TARGET
            )
        if self._acts.complete and not self._joined:
            return False
        if after is not None and after.kind is Kind.OF:
            position = self._tokens.index(after)
            named = position + 1 < len(self._tokens) and self._tokens[position + 1].kind is Kind.ATTRIBUTE
            return named and before is None
        bordered = before is None or before.kind in (Kind.BREAK, Kind.JOINT, Kind.SEQUENCE, Kind.OF, Kind.REQUEST, Kind.WAKE,
                                                     Kind.VERB, Kind.EXCEPT_BEFORE, Kind.ONLY, Kind.KEEP, Kind.REFERENCE, Kind.NEGATION)  # fmt: skip
        return bordered and (after is None or after.kind in _ACTING)

    # --- exclusions, negation ---

    def _except_before(self, index: int, token: Token) -> None:
        after = token.text in self._lexicon.grammar["except_after"]
        following = self._next(index)
        after = after and (following is None or following.kind not in (Kind.DEVICE, Kind.ROOM))
        if after and (self._group is not None or self.unit.groups) and not self._acts.complete:
            self._except_after(index, token)
            return
        self._close_group()
        self._excluding = True

    def _except_after(self, index: int, token: Token) -> None:
        if self._excluding:
            self._close_group()
            return
        self._close_group()
        groups = self.unit.groups
        if groups and not self._acts.complete:
            last = groups[-1]
            self.unit.elements = [element for element in self.unit.elements if element is not last]
            self._exclude(last)

    def _only(self, index: int, token: Token) -> None:
        self._close_group()
        self._excluding = True
        self.unit.only = True

    def _exclude(self, group: Group) -> None:
        exclusion = self.unit.exclusion = self.unit.exclusion or Exclusion()
        for item in group.items:
            add_exclusion(exclusion, item)

    def _keep(self, index: int, token: Token) -> None:
        if self._acts.negated:
            self._acts.negated = self.unit.negated = False
            return
        ahead = [later.kind for later in self._tokens[index + 1 : index + 3]]
        if token.text == "留" and Kind.QUANTITY in ahead and Kind.BREAK not in ahead:
            self._acts.read(Token(Kind.SET, token.start, token.end, token.text), None)
            self._close_group()
            return
        self._close_group()
        self._acts.keep(token)

    def _negation(self, index: int, token: Token) -> None:
        following = self._next(index)
        if token.text in _ASKING_NEGATIONS and (following is None or following.kind in _ENDS):
            if (
                token.text == "不"
                and len(self.units) > 1
                and not (self.unit.elements or self._group or self._acts.open)
            ):
                self.unit.correction = token.text
                return
            self._ask(index, token)
            return
        if token.text == "不" and following is not None and following.kind is Kind.QUANTITY and len(self.units) > 1:
            if not (self.unit.elements or self._group or self._acts.open):
                self.unit.correction = token.text
                return
        self.unit.absent = token.text in ("没", "没有")
        self.unit.since_event = 0
        if self._acts.acted and token.text not in ("不", "没", "没有"):
            self._split(token.start)
        self._close_group()
        self._acts.negate()

    def _ask(self, index: int, token: Token) -> None:
        self.unit.ask = True
        self._acts.ask(token)

    def _look(self, index: int, token: Token) -> None:
        if self._acts.complete and self._tokens[index - 1].kind not in (Kind.VERB, Kind.VALUE, Kind.WEAK):
            self._split(token.start)
        self.unit.look = True

    # --- colour of the clause ---

    def _tail(self, index: int, token: Token) -> None:
        self.unit.tail = True

    def _request(self, index: int, token: Token) -> None:
        unit = self.unit
        if token.text == "得" and self._acts.described(token):
            return
        asked = any(part in token.text for part in _ASKED_FOR)
        noisy = unit.unknown > 1 or unit.sign
        blocked = unit.exclusion or self._excluding or unit.when
        if asked and noisy and not blocked and not unit.talk and (not (unit.event or unit.negated) or unit.since_event > 1):
            self._split(token.start)
        if any(part in token.text for part in ("能", "可")):
            self.unit.tail = True
        if token.text not in ("我", "俺", "你", "您", "侬", "要", "想", "去", "来", "该", "可"):
            self.unit.request = True

    def _when(self, index: int, token: Token) -> None:
        before = [t for t in self._tokens[max(0, index - 2) : index] if t.kind is not Kind.OF]
        joined = len(before) == 2 and before[0].kind is Kind.WHEN and before[1].kind in (Kind.JOINT, Kind.TO)
        if joined and self.unit.when and token.value and not self._acts.complete:
            self.unit.whens.append(("~" if before[1].kind is Kind.TO else "") + token.value)
            return
        if self._acts.complete and self.unit.when:
            self._split(token.start)
        elif self._acts.complete and token.value and self._acted_later(index):
            self._split(token.start)
        self._acts.pause()
        self._close_group()
        if token.value:
            self.unit.when = token.value
        else:
            self.unit.when_lost = True

    def _acted_later(self, index: int) -> bool:
        for token in self._tokens[index + 1 :]:
            if token.kind is Kind.BREAK:
                return False
            if token.kind in (Kind.VERB, Kind.WEAK, Kind.SET, Kind.VALUE, Kind.QUANTITY, Kind.MORE):
                return True
        return False

    def _domain(self, index: int, token: Token) -> None:
        if self._acts.complete and self.unit.groups:
            self._unknown(token)
            return
        self.unit.domain = token.value

    def _sign(self, index: int, token: Token) -> None:
        if token.kind is Kind.CLAUSE_SIGN and not token.value and self._acts.complete and self.unit.groups:
            self._unknown(token)
            return
        self.unit.sign = token.text
        self.unit.talk = self.unit.talk or token.kind is Kind.SENTENCE_SIGN
        early = len(self.units) == 1 and not (self.unit.elements or self._acts.open)
        self.unit.addressed = self.unit.addressed or (token.value == "addressed" and early)

    def _noun(self, index: int, token: Token) -> None:
        before = self._tokens[index - 1].kind if index else None
        if token.value == "person" and (index == 0 or before not in (Kind.BEFORE_TARGET, Kind.REQUEST)):
            following = self._next(index)
            self.unit.person = following is not None and following.kind is not Kind.BREAK
            self._unknown(token)
            return
        if token.value == "thing" and (self._excluding or before is Kind.BEFORE_TARGET):
            self._name(token)
            return
        self._unknown(token)

    def _unknown(self, token: Token) -> None:
        self.unit.unknown += len(token.text)
        self.unit.since_event += len(token.text)
        self._acts.object_at(token)

    def _event(self, index: int, token: Token) -> None:
        if not self._acts.complete:
            self.unit.event, self.unit.since_event = True, 0

    def _condition(self, index: int, token: Token) -> None:
        self.unit.condition = True

    def _afterwards(self, index: int, token: Token) -> None:
        """关灯之后房间很黑: what was done is told, not asked for."""
        if token.text in _AFTERWARDS and self._acts.complete and not any(
            later.kind in (Kind.VERB, Kind.WEAK, Kind.SET, Kind.VALUE, Kind.MORE) for later in self._tokens[index + 1 :]
        ):
            self.unit.sign = token.text

    def _too(self, index: int, token: Token) -> None:
        self.unit.statement = True
        self._acts.too()


def _said(unit: Unit) -> bool:
    return bool(
        unit.elements or unit.exclusion or unit.cancel or unit.correction or unit.when or unit.count or unit.all
        or unit.any or unit.domain or unit.sign or unit.event or unit.other or unit.unknown or unit.when_lost
        or unit.condition or unit.look
    )  # fmt: skip


def add_exclusion(exclusion: Exclusion, item: Item) -> None:
    """Leave out the room of a generic word (厨房的灯), else the thing by its name."""
    generic = item.name in ("*", LAST_NAME) or item.room_only
    if item.rooms and generic:
        exclusion.rooms.extend(room for room in item.rooms if room not in exclusion.rooms)
        exclusion.kind = exclusion.kind or item.kind
    elif not item.room_only and item.word and not (item.name == LAST_NAME and not item.typed):
        exclusion.items.append(item)
        exclusion.base = exclusion.base or item.rooms or ()
