"""State of the acts of one clause while they are read: start, pause, end, withdrawal."""

from context_retrieval.lexicon import Lexicon
from context_retrieval.verbs import verb_table
from tingdong.commands.parts import Act, ThingGroup, Unit, delay_of
from tingdong.commands.spotting import Token
from tingdong.commands.word_kinds import Kind
from zhtext.quantities import QuantityKind

__all__ = ["ActState"]

_MACHINES = frozenset(("washer", "air_conditioner", "humidity", "air", "robot", "heater", "appliance"))
_STEPS = {QuantityKind.GEAR: 3, QuantityKind.DEGREE: 5}
"""So much said after 再 is added."""
_FOR_A_TIME = frozenset("充洗烘烧煮炖蒸煲浇滴泡拖扫跑定设烤热")
"""Last characters of unlisted verbs that something is set to do for a time (充一个半小时)."""
_SOUNDING = frozenset("响唱放播叫")
_LASTING = {**dict.fromkeys("开亮放吹转烧充煮播抽浇晒烘照", "打开"), **dict.fromkeys("关停断灭", "关闭")}
_GOING_ON = _SOUNDING | frozenset("转亮吹喷抽扫开烧")


class ActState:
    """Holds the open act of a unit; the reader of its parts stands on it."""

    def __init__(self, unit: Unit, lexicon: Lexicon) -> None:
        self._unit = unit
        self._lexicon = lexicon
        self._act: Act | None = None
        self._too = False
        self._said = ""
        self._beside_at = self._touched = -1
        self._lasts = False
        self.again: bool = False
        self.negated = False
        self._paused: Act | None = None
        """The act that a thing stands behind; its attribute may follow (降低走廊射灯的色温)."""

        self.plain = False
        """Whether a length of time stands right behind a thing, or one word of what it does."""

        self.coming: str = ""
        """The delay of the act that begins next."""

        """Whether less of what follows is wanted (别那么亮)."""

        self._weak_modes = lexicon.weak_modes

    @property
    def open(self) -> bool:
        """Whether an act has begun and may take more parts."""
        return self._act is not None

    def waits_for(self, attribute: str) -> bool:
        """Whether the open act is of this attribute and lacks its value."""
        return self._act is not None and self._act.attribute == attribute and not self._act.complete

    @property
    def complete(self) -> bool:
        """Whether the unit has an act that could be carried out."""
        return any([type(part) is Act and part.complete for part in self._unit.elements])  # noqa: C419  # short lists

    @property
    def clear(self) -> bool:
        """Whether an attribute is changed or set, which is a request whatever is said after it."""
        return any(act.attribute and (act.direction or act.value is not None) for act in self._unit.acts)

    @property
    def acted(self) -> bool:
        """Whether the unit has more than a state or a thing to keep."""
        return any(act.complete and not (act.state or act.keep) for act in self._unit.acts)

    def _start(self, token: Token) -> Act:
        act = Act(token.start, negated=self.negated, again=self.again, noise=self._unit.unknown, when=self.coming)
        self.coming = ""
        self._act = act
        self.again = False
        self._paused = None
        self._unit.elements.append(act)
        return act

    def pause(self) -> None:
        """A target begins: a complete act stays behind; an open one (调…, 亮度…) may go on after the target."""
        self.again = False
        act = self._act
        if act is not None and act.complete and not (act.weak and not act.value and not self._topic_before(act)):
            self._paused = act if act.direction and act.value is None and not self._topic_before(act) else None
            self._act = None

    def _topic_before(self, act: Act) -> bool:
        first = next(one for one in self._unit.elements if one == act or not isinstance(one, Act))
        return first != act

    def _switched(self) -> Act | None:
        """The act of before that a duration holds for (打开空调两小时)."""
        last = self._unit.elements[-2:-1]
        act = last[0] if last and isinstance(last[0], Act) else None
        return act if act is not None and act.verb in ("打开", "关闭", "播放") and not act.negated else None

    def finish(self) -> None:
        """The clause ends: acts that say nothing go, and 快 beside another act was only an adverb."""
        self._act = None
        acts = self._unit.acts
        if not acts:
            return
        if self._unit.letting or self._unit.negated:
            self._stop_going_on()
        if len(acts) > 1:
            self._join_parts(acts)
            acts = self._unit.acts
        others = sum([1 for act in acts if act.complete])
        gone = []
        for act in acts:
            if act.set and not act.complete and act.word[:1] == "来" and self._players():
                act.verb = "播放"
            hasty = act.word[:1] == "快" and act.attribute == "风速" and (others > 1)
            if act.duration is not None and not act.complete and self._runs_for(act):
                act.verb = "打开"  # 烤箱二十分钟
            lone = act.duration is not None and not act.complete
            if lone and not act.told:
                self._unit.duration = act.duration
            if hasty or act.empty or lone:
                gone.append(act)
        if gone:
            elements = self._unit.elements
            elements[:] = [element for element in elements if not any([element is act for act in gone])]  # noqa: C419

    def _join_parts(self, acts: list[Act]) -> None:
        """提高湿度设定至55% sets; a bare percent beside a colour is brightness (冷光75%)."""
        for act, following in zip(acts, [*acts[1:], None], strict=False):
            if following is not None and _leads_to(act, following) and self._of_the_same(act, following):
                following.attribute = following.attribute or act.attribute
                self._unit.elements.remove(act)

    def _of_the_same(self, act: Act, following: Act) -> bool:
        """Whether both are said of one thing: 卧室灯调暗空调调到25度 is not."""
        elements = self._unit.elements
        at, then = elements.index(act), elements.index(following)
        before = any(type(element) is ThingGroup for element in elements[:at])
        return not (before and any(type(element) is ThingGroup for element in elements[at:then]))

    def _runs_for(self, act: Act) -> bool:
        """Whether a clause says but a thing and how long (毛巾架四十分钟), or one word of what it does with it."""
        unit = self._unit
        named = len(unit.groups) == 1 and not unit.groups[0].room_only
        known = named and any(item.kind for item in unit.groups[0].items)
        silent = self.plain and not (
            act.told or act.set or act.attribute or unit.sign or unit.ask or unit.negated or unit.condition
        )
        return known and silent and unit.unknown <= 1 and len(unit.acts) == 1 and unit.groups[0].start < act.start

    def _runs_programmes(self) -> bool:
        """Whether the clause is about one machine that runs programmes, and says nothing else of it."""
        groups = self._unit.groups
        kinds = [item.kind for item in groups[-1].items] if groups and not self._unit.acts else []
        return len(kinds) == 1 and kinds[0] in _MACHINES and not self._unit.unknown

    def _by_step(self, act: Act, token: Token) -> bool:
        """风速再来一档 adds; 关小风 lowers, with nothing more to take."""
        if (act.again or self.again) and _is_small_step(act, token):
            act.direction = "调高"
        quantity = token.quantity
        more = act.again or token.text[-1] == "格"
        if act.weak and act.word == "亮" and more and not act.to and quantity is not None:
            act.direction, act.attribute, act.verb, act.weak = "调高", "亮度", "", False
        more = act.again and act.verb in verb_table().moves and not act.to and quantity is not None
        if more and quantity is not None and quantity.kind is QuantityKind.PERCENT and quantity.value != 50:
            partial = act.word[:1] in "拉合卷敞升掀扯撩"
            act.direction, act.verb, act.weak = verb_table().moves[act.verb], "", False
            act.attribute = act.attribute or ("开合度" if partial else "")
        closing = act.weak and act.verb == "关闭" and act.end == token.start
        if not closing or token.device != "level" or token.value != "低":
            return False
        act.direction, act.attribute, act.verb, act.weak = "调低", "风速", "", False
        return True

    def _of_blinds(self) -> bool:
        groups = self._unit.groups
        return bool(groups) and all(item.kind == "blind" for item in groups[-1].items)

    def _moves_blinds(self, act: Act) -> bool:
        return act.verb in verb_table().moves and act.value is None and self._of_blinds()

    def _players(self) -> bool:
        return any(self._lexicon.kinds[i.kind].media for g in self._unit.groups for i in g.items if i.kind)

    def _stop_going_on(self) -> None:
        """别让风扇转了, 别让灯亮着: what shall not go on is switched off."""
        letting = self._unit.letting
        for act in self._unit.acts:
            going_on = (letting and act.word in _GOING_ON) or (
                act.state in verb_table().moves and (letting or not act.keep)
            )
            if act.negated and going_on and act.value is None:
                verb = "停止" if act.word in _SOUNDING else verb_table().opposite.get(act.state, "关闭")
                act.negated, act.verb, act.word, act.state = False, verb, "", ""
                self._unit.negated, self._unit.request = False, True

    def until(self, token: Token, following: Token | None) -> bool:
        """开到晚上十点: what goes on till a time is switched at once, and back then; 放到十点停 says only the end."""
        act = self._act
        stem = token.text[:-1]
        if act is None or not act.set or act.complete or token.value != "到" or stem not in _LASTING:
            return False
        ended = following is not None and following.value in ("关闭", "停止")
        act.set, act.to, act.verb, act.word = False, False, _LASTING[stem], stem
        self._act = None
        return not ended

    def delay_of_end(self) -> str:
        """喷两分钟就把它停了: how long the last act goes on is when its end comes."""
        act = self._unit.acts[-1] if self._unit.acts else None
        quantity = act.duration.quantity if act is not None and act.duration is not None else None
        if act is None or quantity is None:
            return ""
        act.duration = None
        return delay_of(quantity)

    def object_at(self, token: Token) -> None:
        """A thing directly behind the open act is what the act is done to."""
        act = self._act
        self._touched, self._lasts = token.end, token.text[-1] in _FOR_A_TIME or token.text[-2:] == "定时"
        if act is None or act.end != token.start:
            return
        if act.value is None:
            act.object = bool(act.verb or (act.direction and not act.attribute))

    def source(self, token: Token, unit: Unit) -> bool:
        """机顶盒 and PS5 are inputs where one is chosen."""
        act = self._act
        word = self._lexicon.sources
        if act is None or act.value is not None or (token.text not in word and token.text.upper() not in word):
            return False
        television = any(item.kind == "television" for group in unit.groups for item in group.items)
        if act.attribute == "输入源" or (act.set and television):
            act.value = Token(Kind.VALUE, token.start, token.end, token.text, token.text, "输入源", "source")
            return True
        return False

    def scene(self, token: Token) -> None:
        """The open act, or a new one, runs the named scene."""
        act = self._act
        if act is None or act.value is not None or act.verb not in ("执行", "打开"):
            act = self._start(token)
        act.value, act.attribute = token, "场景"

    def _part_of_kind(self, following: Token | None) -> bool:
        """一半灯, 一半的灯, 灯关一半: a part of the things of a kind, no share of a value."""
        act = self._act
        named = any(not group.room_only for group in self._unit.groups)
        kind = following.kind if following is not None else None
        of_things = kind is Kind.OF or (kind is Kind.DEVICE and not named)
        off = act is not None and act.verb == "关闭" and not act.set and not act.attribute
        blinds = any(item.kind in ("blind", "gate", "") for group in self._unit.groups for item in group.items)
        return of_things or (off and bool(self._unit.groups) and not blinds)

    def ask(self) -> None:
        """The open act asks for its attribute, where it has one and no value."""
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

    def _adverb(self, token: Token) -> Act | None:
        """自动 right before a verb is how it is done, no mode (自动灭)."""
        act = self._act
        bare = act is not None and not act.set and not act.attribute and not act.verb
        if act is not None and bare and act.value is not None and act.value.text == "自动" and act.end == token.start:
            self._unit.elements.remove(act)
            self._act = None
        return self._act

    def judged_so(self) -> None:
        """太费电了: what was found is said to the end, and what follows is no part of it."""
        self._too = False

    def _end_after(self, act: Act, token: Token) -> None:
        """再放半小时就关: the length of time is the delay of the end."""
        quantity = act.duration.quantity if act.duration is not None else None
        if quantity is not None:
            act.when = delay_of(quantity)
        act.duration, act.verb, act.word, act.weak = None, token.value, token.attribute, False


def _is_small_step(act: Act, token: Token) -> bool:
    """Whether so little is said after 再 with no verb that it can only be added."""
    quantity = token.quantity
    if quantity is None or act.verb or act.set or act.direction or act.to:
        return False
    return 0 < quantity.value <= _STEPS.get(quantity.kind, 0)


def _leads_to(act: Act, following: Act) -> bool:
    """Whether a direction only leads to the value it ends at."""
    bare = act.direction and act.value is None and not act.verb
    sets = following.set and following.to and following.value is not None and not following.direction
    return bool(bare and sets and following.attribute in (act.attribute, ""))


def _number(token: Token) -> float:
    return token.quantity.value if token.quantity is not None else 1.0
