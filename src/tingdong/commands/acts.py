"""Reading one act out of verbs, attributes, directions and values in any order (调亮度到50%, 亮度调到50%, 50%亮).

Parts gather in one `Act` until one does not fit; then a new act begins. The tables say what a part may join.
"""

from context_retrieval.lexicon import Lexicon
from tingdong.commands.parts import Act, Unit
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind
from zhtext.durations import Duration, TimeUnit
from zhtext.quantities import QuantityKind

__all__ = ["ActReader"]


_WAYS = {"打开": "调高", "关闭": "调低"}


class ActReader:
    """Gathers the acts of one unit, in order."""

    def __init__(self, unit: Unit, lexicon: Lexicon) -> None:
        self._unit = unit
        self._lexicon = lexicon
        self._act: Act | None = None
        self._too = False
        self.again = False
        self.negated = False
        self.leaving = False
        self._weak_modes = frozenset(lexicon.values.weak_modes.split())

    @property
    def open(self) -> bool:
        return self._act is not None

    @property
    def complete(self) -> bool:
        """Whether the unit has an act that could be carried out."""
        return any(act.complete for act in self._unit.acts)

    @property
    def acted(self) -> bool:
        """Whether the unit has more than a state or a thing to keep."""
        return any(act.complete and not (act.state or act.keep) for act in self._unit.acts)

    # --- lifecycle ---

    def _start(self, token: Token) -> Act:
        act = Act(token.start, negated=self.negated, again=self.again, noise=self._unit.unknown)
        self._act = act
        self.again = False
        self._unit.elements.append(act)
        return act

    def pause(self) -> None:
        """A target begins: a complete act stays behind; an open one (调…, 亮度…) may go on after the target."""
        self.again = False
        act = self._act
        if act is not None and act.complete and not (act.weak and not act.value and not self._topic_before(act)):
            self._act = None

    def _topic_before(self, act: Act) -> bool:
        elements = self._unit.elements
        return any(not isinstance(element, Act) for element in elements[: elements.index(act)])

    def finish(self) -> None:
        elements = self._unit.elements
        others = sum(1 for element in elements if isinstance(element, Act) and element.complete)
        fans = (
            any(i.kind in ("fan", "air_conditioner", "") for g in self._unit.groups for i in g.items)
            or not self._unit.groups
        )
        media = any(self._lexicon.kinds[i.kind].media for g in self._unit.groups for i in g.items if i.kind)
        for act in self._unit.acts:
            if media and act.set and not act.complete and act.word[:1] == "来":
                act.verb = "播放"
        elements[:] = [
            element
            for element in elements
            if not isinstance(element, Act)
            or (
                not (element.empty or (element.duration and not element.complete))
                and not (element.word[:1] == "快" and element.attribute == "风速" and others > 1 and not fans)
            )
        ]
        self._act = None

    def negate(self) -> None:
        self._act = None
        self.negated = True
        self._unit.negated = True

    def keep(self, token: Token) -> None:
        act = self._start(token)
        act.keep = act.negated = self.negated = True
        act.word = token.text
        self._act = None

    def too(self) -> None:
        """太…了 says how things are: the bare verb or attribute before it was no request (吹得太猛, 声音太小)."""
        self._too = True
        act = self._act
        if act is not None and act.value is None and not act.direction and (act.weak or not act.complete):
            self._unit.elements.remove(act)
            self._act = None

    def described(self, token: Token) -> bool:
        """吹得…: the verb only tells how things are."""
        act = self._act
        if act is None or act.end != token.start or not act.weak or act.value is not None or act.direction:
            return False
        self._unit.elements.remove(act)
        self._act = None
        return True

    def object_at(self, token: Token) -> None:
        act = self._act
        if act is not None and act.end == token.start and act.value is None:
            act.object = bool(act.verb or (act.direction and not act.attribute))

    def source(self, token: Token, unit: Unit) -> bool:
        """机顶盒 and PS5 are inputs where one is chosen."""
        act = self._act
        word = self._lexicon.values.sources.split()
        if act is None or act.value is not None or (token.text not in word and token.text.upper() not in word):
            return False
        television = any(item.kind == "television" for group in unit.groups for item in group.items)
        if act.attribute == "输入源" or (act.set and television):
            act.value = Token(Kind.VALUE, token.start, token.end, token.text, token.text, "输入源", "source")
            return True
        return False

    def scene(self, token: Token) -> None:
        act = self._start(token)
        act.value, act.attribute = token, "场景"

    def ask(self, token: Token) -> None:
        act = self._act
        if act is not None and act.attribute and not act.complete and not act.set:
            act.query = f"查询{act.attribute}"

    def channel(self, token: Token, unit: Unit) -> bool:
        """五台 beside a television that is being set is a channel, no count."""
        act = self._act
        television = any(item.kind == "television" for group in unit.groups for item in group.items)
        if token.text.endswith("台") and act is not None and act.set and act.value is None and television:
            act.value = Token(Kind.VALUE, token.start, token.end, token.text, f"{_number(token):g}", "频道", "word")
            return True
        return False

    # --- parts ---

    def read(self, token: Token, following: Token | None) -> bool:
        """Take the token as part of an act; False for one that says nothing of acts."""
        kind = token.kind
        if kind is Kind.VERB:
            self._verb(token)
        elif kind is Kind.WEAK:
            self._weak(token)
        elif kind is Kind.SET:
            self._set(token)
        elif kind is Kind.TO:
            if self._act is not None:
                self._act.to = True
        elif kind is Kind.ATTRIBUTE:
            self._attribute(token, following)
        elif kind is Kind.VALUE or kind is Kind.QUANTITY:
            self._value(token)
        elif kind is Kind.MORE or kind is Kind.UP or kind is Kind.DOWN:
            self._direction(token)
        elif kind is Kind.SIZE:
            return self._size(token, following)
        elif kind is Kind.STATUS or kind is Kind.ASK_ATTRIBUTE:
            self._query(token)
        elif kind is Kind.STATE:
            act = self._start(token)
            act.state = token.value
        else:
            if kind is Kind.AGAIN:
                self.again = True
            elif (
                token.text == "中"
                and self._act is not None
                and self._act.attribute == "风速"
                and not self._act.complete
            ):
                self._act.value = Token(Kind.VALUE, token.start, token.end, "中", "中", "风速", "level")
                return True
            return False
        if self._act is not None:
            self._act.end = token.end
        self._too = False
        return True

    def _verb(self, token: Token) -> None:
        if self._too:
            return
        act = self._adverb(token)
        if act is not None and act.duration is not None and token.value in ("关闭", "停止"):
            if act.again or not act.verb:
                self._end_after(act, token)
                return
        if (
            act is not None
            and act.value is not None
            and act.value.attribute == "模式"
            and token.value in ("打开", "执行")
        ):
            return
        if act is not None and not act.complete and (act.set or act.attribute) and token.value in ("打开", "关闭"):
            act.verb, act.word, act.set = token.value, token.attribute, False
            if act.attribute in ("亮度", "频道", "电量"):
                act.attribute = ""
            self._act = act
            return
        act = self._start(token)
        act.verb, act.word = token.value, token.attribute

    def _adverb(self, token: Token) -> Act | None:
        """自动 right before a verb is how it is done, no mode (自动灭)."""
        act = self._act
        bare = act is not None and not act.set and not act.attribute and not act.verb
        if act is not None and bare and act.value is not None and act.value.text == "自动" and act.end == token.start:
            self._unit.elements.remove(act)
            self._act = None
        return self._act

    def _weak(self, token: Token) -> None:
        act = self._adverb(token)
        if self._too:
            return
        adjacent = act is not None and act.end == token.start
        if act is not None and act.duration is not None and token.value == "关闭" and (act.again or not act.verb):
            self._end_after(act, token)
            return
        if act is not None and adjacent and act.direction and act.value is None and token.text != "亮":
            return
        if act is not None and adjacent and token.text == "点" and act.direction:
            return
        if act is not None and adjacent and token.text == "亮" and act.value is not None and not act.attribute:
            act.attribute = "亮度"
            return
        if act is not None and act.verb and act.weak and not act.value and act.verb == token.value:
            return
        if act is not None and not act.complete and (act.attribute or act.set):
            act.verb, act.word, act.weak = token.value, token.attribute or token.text, True
            return
        act = self._start(token)
        act.verb, act.word, act.weak = token.value, token.attribute or token.text, True

    def _end_after(self, act: Act, token: Token) -> None:
        """再放半小时就关: the length of time is the delay of the end."""
        quantity = act.duration.quantity if act.duration is not None else None
        if quantity is not None:
            act.when = Duration(quantity.value, TimeUnit(quantity.unit)).delay_string()
        act.duration, act.verb, act.word, act.weak = None, token.value, token.attribute, False

    def _set(self, token: Token) -> None:
        act = self._act
        if act is None or (act.complete and not (act.weak and act.value is None)):
            act = self._start(token)
        act.set = True
        act.to = act.to or token.value == "到"
        act.word = token.attribute or token.text

    def _attribute(self, token: Token, following: Token | None) -> None:
        act = self._act
        if act is not None and act.value is not None and not act.attribute and act.end == token.start:
            quantity = act.value.quantity
            free = quantity is not None and quantity.kind in (QuantityKind.NUMBER, QuantityKind.PERCENT)
            last = following is None or following.kind in (Kind.BREAK, Kind.PARTICLE, Kind.TAIL, Kind.POLITE)
            if last and (free or (act.value.device == "extreme" and not act.value.attribute)):
                act.attribute = token.value
                return
        fits = (
            act is not None
            and not act.attribute
            and act.value is None
            and (act.set or act.weak or (act.direction and not act.value))
        )
        if act is None or not fits:
            act = self._start(token)
        act.attribute = token.value

    def _value(self, token: Token) -> None:
        act = self._act
        quantity = token.quantity
        if self.leaving and quantity is not None:
            self.leaving = False
            return
        if act is not None and act.verb == "播放" and token.kind is Kind.VALUE:
            if token.attribute == "频道":
                act.verb, act.set, act.value = "", True, token
            return
        if token.device == "mode" and token.text in self._weak_modes:
            if act is not None and act.word[:1] == "来":
                return
            if (
                act is None
                or (act.complete and act.end != token.start)
                or not (act.set or act.attribute or act.verb in ("打开", "执行"))
            ):
                self._unit.unknown += len(token.text)
                return
        if quantity is not None and quantity.kind is QuantityKind.DURATION:
            if act is None:
                act = self._start(token)
            act.duration = token
            return
        if act is None or not self._takes(act, token):
            act = self._start(token)
        if act.direction and act.to:
            act.direction = ""
        if act.weak and act.word == "亮" and act.again and not act.to and quantity is not None:
            act.direction, act.attribute, act.verb, act.weak = "调高", "亮度", "", False
        more = act.again and act.verb in _WAYS and not act.to and quantity is not None
        if more and quantity is not None and quantity.kind is QuantityKind.PERCENT and quantity.value != 50:
            partial = act.word[:1] in "拉合卷敞升掀扯撩"
            act.direction, act.verb, act.weak = _WAYS[act.verb], "", False
            act.attribute = act.attribute or ("开合度" if partial else "")
        act.value = token
        if act.verb in ("打开", "关闭") and not act.set:
            act.set = True

    def _takes(self, act: Act, token: Token) -> bool:
        if act.value is not None or act.query or act.keep or act.state:
            return False
        level = token.device in ("extreme", "level") or (token.value == "自动" and act.attribute == "风速")
        if act.attribute and token.attribute and not level and token.attribute != act.attribute:
            return False
        if act.verb and not act.weak:
            percent = token.quantity is not None and token.quantity.kind is QuantityKind.PERCENT
            part = percent and act.end == token.start and act.verb in ("打开", "关闭")
            return part or ((act.to or token.attribute == "模式") and act.verb in ("打开", "执行"))
        return True

    def _direction(self, token: Token) -> None:
        act = self._act
        if self._too:
            return
        if act is not None and act.verb and token.text[0] == "快" and (not act.weak or act.word in "开关"):
            return
        if act is not None and act.direction == token.value and act.value is None and act.end == token.start:
            act.word = token.text
            act.attribute = act.attribute or token.attribute
            return
        if act is not None and act.verb and not act.weak:
            act = None
        if act is None or act.value is not None or act.direction or act.query:
            act = self._start(token)
        act.direction = token.value
        act.verb, act.weak = "", False
        act.word = token.text
        if token.attribute and not act.attribute:
            act.attribute = token.attribute

    def _size(self, token: Token, following: Token | None) -> bool:
        """A bare adjective is a request only with 再, a set word, an amount, or as the level of an attribute."""
        act = self._act
        if self._too:
            self._too = False
            if act is not None and not act.complete:
                self._unit.elements.remove(act)
                self._act = None
            return False
        amount = following is not None and following.kind is Kind.QUANTITY
        if act is not None and (act.verb == "播放" or act.word[:1] == "来") and not amount:
            return False
        if act is not None and act.attribute == "色温" and not act.complete and token.text in "暖冷":
            act.value = Token(Kind.VALUE, token.start, token.end, token.text, token.text, "色温", "word")
            return True
        if (
            act is not None
            and act.attribute == "风速"
            and not act.complete
            and (act.to or not act.set)
            and not amount
            and token.text in "高低"
        ):
            act.value = Token(Kind.VALUE, token.start, token.end, token.text, token.text, "风速", "level")
            return True
        asked = act is not None and not act.complete and (act.set or act.attribute)
        if (
            amount
            or self.again
            or (asked and (act.set or act.again))
            or (act is not None and act.weak and not act.value)
        ):
            self._direction(token)
            return True
        return False

    def _query(self, token: Token) -> None:
        act = self._act
        if act is not None and not act.complete and act.attribute and token.kind is Kind.STATUS:
            act.query = token.value
            return
        if act is not None and (act.attribute == token.attribute or act.set or act.weak or act.state) and not act.value:
            act.query, act.verb, act.weak, act.set, act.state = token.value, "", False, False, ""
            return
        act = self._start(token)
        act.query = token.value


def _number(token: Token) -> float:
    return token.quantity.value if token.quantity is not None else 1.0
