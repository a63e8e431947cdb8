"""Reading one act out of verbs, attributes, directions and values in any order (调亮度到50%, 亮度调到50%, 50%亮).

Parts gather in one `Act` until one does not fit; then a new act begins.
"""

from collections.abc import Callable

from context_retrieval.verbs import verb_table
from tingdong.commands.parts import Act, Item, ThingGroup, lasts
from tingdong.commands.spotting import Token
from tingdong.commands.told_acts import OTHER_WAY, ToldActs
from tingdong.commands.word_kinds import Kind
from zhtext.quantities import QuantityKind

__all__ = ["ActReader"]

_VALUE = Kind.VALUE

_ADVERBS = frozenset(("到底",))
"""Values that are adverbs where no act is open (到底开没开)."""
_CLOSED = frozenset((Kind.BREAK, Kind.PARTICLE, Kind.POLITE, Kind.TAIL, Kind.MODE_TAIL))
_MARKING = frozenset((Kind.BEFORE_TARGET, Kind.REQUEST))
DONE = frozenset("了啦咯喽")
_LOCK_THE_DOOR = "锁门"


class ActReader(ToldActs):
    """Gathers the acts of one unit, in order."""

    def read(self, token: Token, following: Token | None) -> bool:
        """Take the token as part of an act; False for one that says nothing of acts."""
        reader = _READERS.get(token.kind)
        if reader is None:
            return self._beside(token)
        if reader(self, token, following) is False:
            return False
        if self._act is not None:
            self._act.end = token.end
        if self.negated and token.text[-1] in DONE:
            self.negated = False  # 顶灯就别亮了关掉
        self._said = token.text
        self._too = False
        return True

    def _beside(self, token: Token) -> bool:
        """再 holds for the act that comes; 中 alone is a level of the wind."""
        self._beside_at = token.end
        act = self._act
        if act is not None and act.weak and token.kind is Kind.LIGHT and "点" in token.text and self._moves_blinds(act):
            act.direction, act.attribute, act.verb, act.weak = verb_table().moves[act.verb], "开合度", "", False
            return True  # 窗帘再关一点
        if token.text != "中" or act is None or act.attribute != "风速" or act.complete:
            return False
        act.value = Token(_VALUE, token.start, token.end, "中", "中", "风速", "level")
        return True

    def _to(self, _token: Token, _following: Token | None) -> None:
        self._paused = None
        if self._act is not None:
            self._act.to = True

    def _state(self, token: Token, _following: Token | None) -> None:
        self._start(token).state = token.value

    def _verb(self, token: Token, _following: Token | None = None) -> None:
        if token.text == "拉着" and self._of_blinds():
            self._start(token).state = "关闭"  # 窗帘拉着; a lamp is lit so
            return
        if self._too:
            return
        act = self._adverb(token)
        if act is not None and act.verb == "停止" and act.end == token.start and token.value == "打开":
            return  # 停止运转
        if act is not None and token.value in ("关闭", "停止") and _ends(act):
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
            self._act = act
            return
        if act is not None and act.weak and token.value == "静音" and act.end == token.start and act.value is None:
            act.verb, act.word, act.weak = token.value, token.attribute, False  # 开静音
            return
        act = self._start(token)
        act.verb, act.word = token.value, token.attribute
        if token.text == _LOCK_THE_DOOR and not act.negated:
            self._unit.elements.append(ThingGroup(token.start, [Item("门", "gate", "门")]))  # 关灯锁门

    def _weak(self, token: Token, _following: Token | None = None) -> None:
        act = self._adverb(token)
        if self._too:
            return
        adjacent = act is not None and act.end == token.start
        if act is not None and token.value == "关闭" and _ends(act):
            self._end_after(act, token)
            return
        if act is not None and adjacent and act.direction and act.value is None and token.text != "亮":
            return
        if act is not None and adjacent and token.text == "点" and act.verb and not act.weak:
            return  # 合严实点
        if act is not None and adjacent and ((token.text == "点" and act.direction) or self._said == "半"):
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

    def _set(self, token: Token, _following: Token | None = None) -> None:
        act = self._act
        if act is None or (act.complete and (not (act.weak and act.value is None))):
            act = self._start(token)
        act.set = True
        act.to = act.to or token.value == "到"
        act.word = token.attribute or token.text

    def _attribute(self, token: Token, following: Token | None) -> None:
        act, paused = self._act, self._paused
        if act is None and paused is not None and not paused.attribute:
            act = self._act = paused  # 降低走廊射灯的色温
            self._paused = None
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

    def _value(self, token: Token, following: Token | None) -> None:
        act = self._act
        quantity = token.quantity
        if (self._too and token.kind is _VALUE) or (act is None and token.text in _ADVERBS):
            return
        if token.text in ("自动", "自己") and following is not None and following.kind in _MARKING:
            return  # 自动把灯关了
        if token.text == "一半" and self._part_of_kind(following):
            self._unit.sign = token.text  # 一半的灯: which ones nobody can say
            return
        if act is not None and act.verb == "播放" and token.kind is _VALUE:
            if token.attribute == "频道":
                act.verb, act.set, act.value = "", True, token
            return
        if token.device == "mode" and token.text in self._weak_modes:
            if (
                act is None
                and self._beside_at != token.start
                and self._runs_programmes()
                and (following is None or following.kind in _CLOSED)
            ):
                act = self._start(token)
                act.set = True  # 电饭煲保温
            elif (
                act is None
                or (act.complete and act.end != token.start)
                or not (act.set or act.attribute or act.verb in ("打开", "执行"))
            ):
                self._unit.unknown += len(token.text)
                return
        if quantity is not None and self._sets_nothing(token, following):
            return
        if act is None or not self._takes(act, token):
            act = self._start(token)
        if act.direction and act.to:
            act.direction = ""
        if self._by_step(act, token):
            return
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

    def _direction(self, token: Token, _following: Token | None = None) -> None:
        act = self._act
        if act is not None and act.direction == token.value and act.value is None and act.end == token.start:
            act.word = token.text
            act.attribute = act.attribute or token.attribute
            return
        if act is None or act.value is not None or act.direction or act.query:
            act = self._start(token)
        act.direction = token.value
        act.verb, act.weak = "", False
        act.word = token.text
        if token.attribute and not act.attribute:
            act.attribute = token.attribute
        elif act.attribute == "色温" and token.attribute == "温度":
            act.direction = OTHER_WAY[token.value]  # warmer light is the lower colour temperature

    def _size(self, token: Token, following: Token | None) -> bool:
        """A bare adjective is a request only with 再, a set word, an amount, or as the level of an attribute."""
        act = self._act
        if self._too:
            self._too = False
            return False
        amount = following is not None and following.kind is Kind.QUANTITY and not lasts(following)
        if act is not None and (act.verb == "播放" or act.word[:1] == "来") and not amount:
            return False
        if (
            act is not None
            and act.attribute == "风速"
            and not act.complete
            and (act.to or not act.set)
            and not amount
            and token.text in "高低"
        ):
            act.value = Token(_VALUE, token.start, token.end, token.text, token.text, "风速", "level")
            return True
        if amount or self.again or (act is not None and _asked_for(act)):
            self._direction(token)
            return True
        return False

    def _query(self, token: Token, following: Token | None = None) -> None:
        act = self._act
        if following is not None and following.kind is Kind.ALL and token.text[0] == token.text[-1]:
            return  # 关了没关都给我关一遍
        if token.device and self._unit.tail:
            self._start(token).verb = token.device  # 可以把电视关了吗
            return
        if act is not None and (act.attribute == token.attribute or act.set or act.weak or act.state) and not act.value:
            act.query, act.verb, act.weak, act.set, act.state = token.value, "", False, False, ""
            return
        act = self._start(token)
        act.query = token.value


def _asked_for(act: Act) -> bool:
    """Whether the open act makes an adjective a request: a set word, 再, or a weak verb waiting for its part."""
    if not act.complete:
        return act.set or bool(act.attribute and act.again)
    return act.weak and not act.value


def _ends(act: Act) -> bool:
    """Whether the length of time said is when it ends (再放半小时就关)."""
    return act.duration is not None and (act.again or not act.verb)


_READERS: dict[Kind, Callable[[ActReader, Token, Token | None], bool | None]] = {
    Kind.VERB: ActReader._verb,
    Kind.WEAK: ActReader._weak,
    Kind.SET: ActReader._set,
    Kind.TO: ActReader._to,
    Kind.ATTRIBUTE: ActReader._attribute,
    Kind.VALUE: ActReader._value,
    Kind.QUANTITY: ActReader._value,
    Kind.MORE: ActReader._direction,
    Kind.UP: ActReader._direction,
    Kind.DOWN: ActReader._direction,
    Kind.SIZE: ActReader._size,
    Kind.STATUS: ActReader._query,
    Kind.ASK_ATTRIBUTE: ActReader._query,
    Kind.STATE: ActReader._state,
}
