"""What people say of one kind of thing and of no other: 水阀拧死, 扫地机回家, 洗碗机刷起来, 加湿器有水没, 灯光阅读档.

The words stand in `actions.yaml` (said_of) by endings of names and kinds of devices. They are read only right behind
the thing and to the end of its clause, where nothing else is done; so a word like 收 or 来 means nothing elsewhere
(commands.md, ACTION: canonical phrases; commands.md).
"""

from collections.abc import Iterator
from functools import lru_cache

from context_retrieval.lexicon import Lexicon
from context_retrieval.vocabulary import SaidOf
from tingdong.commands.locking import door_of
from tingdong.commands.spotting import Token
from tingdong.commands.words import Kind

__all__ = ["SaidOfThings"]

_DEVICE = Kind.DEVICE
_BORDERS = frozenset((Kind.BREAK, Kind.SEQUENCE))
_ENDS_IT = frozenset((Kind.BREAK, Kind.SEQUENCE, Kind.BEFORE_TARGET, Kind.POLITE, Kind.TAIL, Kind.CONDITION_END))
_SAYS_AN_ACT = frozenset(
    (Kind.VERB, Kind.WEAK, Kind.SET, Kind.UP, Kind.DOWN, Kind.MORE, Kind.VALUE, Kind.QUANTITY, Kind.STATE, Kind.STATUS,
     Kind.NEGATION, Kind.KEEP, Kind.ASK_ATTRIBUTE, Kind.EXCEPT_BEFORE, Kind.ONLY, Kind.ONLY_THIS, Kind.OTHER,
     Kind.OPEN, Kind.LOOK)
)  # fmt: skip
"""What stands before a thing whose clause says something else of it."""
_CLEAR = frozenset(
    (Kind.VERB, Kind.STATUS, Kind.ASK_ATTRIBUTE, Kind.KEEP, Kind.QUANTITY, Kind.STATE, Kind.VALUE, Kind.WHEN,
     Kind.COUNT, Kind.SENTENCE_SIGN, Kind.DOMAIN)
)  # fmt: skip
"""What says already what is done, so that composed forms give way to it."""
_LEADING = frozenset(
    (Kind.REQUEST, Kind.LIGHT, Kind.AGAIN, Kind.NOW, Kind.ALL, Kind.BEFORE_TARGET, Kind.SEQUENCE, Kind.EACH,
     Kind.ALSO)
)  # fmt: skip
_LONGEST = 12
_LOCKED_SIGNS = frozenset("上好住死紧了咗")
_SOFTENED = "吧呀啊呢嘛哦啦咯喽哈呗哟嗷哎噢撒 "
_ONCE = frozenset(("起来", "起", "上", "一遍", "一下", "一轮", "一圈", "一会", "个", "会"))
_FIRST = frozenset(("开始", "去", "出来", "出去", "起来", "来", "开", "出门"))
_ASKING = ("没有", "没得", "木有", "没", "吗", "么", "不", "未", "冇", "伐", "否", "唔")
_WHETHER_WORDS = ("是不是还", "是不是", "有没有", "还在", "还", "在", "现在", "都", "究竟", "到底", "仲")
_ASPECTS = ("着呢", "起的", "了", "着", "完", "好", "咗", "紧", "的")
_CARRIERS = (
    "来个", "走个", "跑个", "上个", "用个", "开个", "选个", "换个", "整个", "弄个", "搞个", "设个", "给个",
    "进", "走", "跑", "上", "用", "开", "选", "换", "转", "切", "打", "来一个", "来一遍", "来", "给来个", "跟着音乐",
)  # fmt: skip
_CARRIED = ("跑一个", "走一个", "来一个", "来一下", "一遍", "一下", "程序", "档", "挡", "走起", "开起来", "起来", "开")
_LEVELS = frozenset("高中低大小强弱一二三四五六七八九十几哪什么")
_NO_LEVELS = 2
_KEPT = 2_048
"""Names whose entries are remembered."""

_Meaning = tuple[Kind, str, str, str]
"""The kind, value, attribute and device of the token that a phrase becomes."""


class SaidOfThings:
    """Reads such phrases; made once for a lexicon. The table of a thing is composed when it is first met."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._entries: dict[str, list[int]] = {}
        self._said = lexicon.actions.said_of
        for index, said in enumerate(self._said):
            for thing in said.things.split():
                self._entries.setdefault(thing, []).append(index)
        self._lengths = tuple(sorted({len(thing) for thing in self._entries}, reverse=True))
        self._states = frozenset(lexicon.actions.states_asked.split())
        self._phrases: dict[int, dict[str, _Meaning]] = {}
        self._entries_of = lru_cache(_KEPT)(self._find_entries)

    def settle(self, tokens: list[Token]) -> list[Token]:
        """The row with such a phrase made one token; spans stay in order and cover the same text."""
        before: list[bool] | None = None
        for at in range(len(tokens) - 2, -1, -1):
            thing = tokens[at]
            if thing.kind is _DEVICE:
                before = before or _said_before(tokens)
                if thing.text[-2:] == "门锁" or not before[at]:
                    self._behind(tokens, at, said_before=before[at])
        return tokens

    def _behind(self, tokens: list[Token], at: int, *, said_before: bool) -> None:
        first = at + 1
        end, size = first, 0
        while end < len(tokens):
            token = tokens[end]
            if token.kind in _ENDS_IT and (end > first or token.kind is Kind.BREAK):
                break
            size += len(token.text)
            if size > _LONGEST:
                return
            end += 1
        if end == first or tokens[first].start != tokens[at].end:
            return  # what stood between is a condition
        asked = end < len(tokens) and tokens[end].text in "？?"
        able = False
        for start in range(first, end):
            if tokens[start].kind is Kind.WHEN:
                continue
            text = "".join([token.text for token in tokens[start:end]]).rstrip(_SOFTENED).lstrip().replace("点儿", "点")
            if start == first and self._lock_asked(tokens[at], text, asked=asked):
                tokens[at] = door_of(tokens[at])
                _become(tokens, start, end, (Kind.STATUS, "查询状态", "", ""))
                tokens[start].start = tokens[at].end
                return
            meaning = self._phrase(tokens[at], text) if len(text) > 1 or not able else None
            if meaning is None and not any([token.kind in _CLEAR for token in tokens[start:end]]):  # noqa: C419
                meaning = self._composed_form(tokens[at], text, asked=asked)
                if meaning is not None and able and meaning[0] is Kind.STATUS:
                    return  # 能开吗 asks what can be done
            if meaning is not None:
                if not said_before:
                    _become(tokens, start, end, meaning)
                return
            if not _leads(tokens[start]):
                return
            able = able or tokens[start].kind is Kind.REQUEST

    def _lock_asked(self, thing: Token, text: str, *, asked: bool) -> bool:
        """门锁上了没, 大门锁咗未: the name of the lock took the 锁 of what is asked of the door."""
        return thing.text[-2:] == "门锁" and text[:1] in _LOCKED_SIGNS and self._state_asked(f"锁{text}", asked=asked)

    def _phrase(self, thing: Token, text: str) -> _Meaning | None:
        """A phrase that stands in the table as it is."""
        for index in self._entries_of(thing.text, thing.device):
            phrases = self._phrases.get(index)
            if phrases is None:
                phrases = self._phrases[index] = dict(_phrases(self._said[index]))
            found = phrases.get(text)
            if found is not None:
                return found
        return None

    def _composed_form(self, thing: Token, text: str, *, asked: bool) -> _Meaning | None:
        """A form of what the thing does, a programme of it, or a state that is asked for."""
        for index in self._entries_of(thing.text, thing.device):
            said = self._said[index]
            if said.does and _does(text, said.does.split()):
                return Kind.VERB, "打开", "", ""
            programme = _programme(text, said.programmes.split())
            if programme:
                return Kind.VALUE, programme, "模式", "mode"
        if self._state_asked(text, asked=asked):
            return Kind.STATUS, "查询状态", "", ""
        return None

    def _find_entries(self, text: str, device: str) -> tuple[int, ...]:
        """The entries of the endings of a name, the longest first, then of its kind, then of any thing."""
        endings = [text[-length:] for length in self._lengths if length <= len(text)]
        return tuple(index for key in (*endings, device, "*") for index in self._entries.get(key, ()))

    def _state_asked(self, text: str, *, asked: bool) -> bool:
        """有水没, 满了没, 还热着吗, 是不是没水了: a state that is asked for."""
        whether, rest = _without_first(text, _WHETHER_WORDS)
        question, rest = _without_last(rest, _ASKING)
        if not (question or "不" in whether or "没" in whether or (asked and whether)):
            return False
        while rest not in self._states:
            aspect, rest = _without_last(rest, _ASPECTS)
            if not aspect:
                return False
        return True


def _leads(token: Token) -> bool:
    """Whether it may stand between a thing and what is said of it."""
    return token.kind in _LEADING or token.text == "给"


def _said_before(tokens: list[Token]) -> list[bool]:
    """Whether its clause says something else before each token."""
    before, said = [], False
    for token in tokens:
        before.append(said)
        said = token.kind not in _BORDERS and (said or token.kind in _SAYS_AN_ACT or token.text == "用")
    return before


def _become(tokens: list[Token], start: int, end: int, meaning: _Meaning) -> None:
    kind, value, attribute, device = meaning
    while end > start + 1 and tokens[end - 1].text in _SOFTENED:
        end -= 1
    text = "".join([token.text for token in tokens[start:end]])
    said = attribute or (text if kind is Kind.VERB else "")
    tokens[start:end] = [Token(kind, tokens[start].start, tokens[end - 1].end, text, value, said, device)]


def _phrases(said: SaidOf) -> Iterator[tuple[str, _Meaning]]:
    """Every whole phrase of an entry with its meaning."""
    for action, phrases in said.acts.items():
        meaning = _meaning_of(action)
        for phrase in phrases.split():
            yield phrase, meaning


def _does(text: str, verbs: list[str]) -> bool:
    """刷起来, 开始刷, 刷一遍, 刷一刷: a form of one of the verbs; the bare verb where it is no single character."""
    for verb in verbs:
        at = text.find(verb)
        if at < 0:
            continue
        before, after = text[:at], text[at + len(verb) :]
        if (not before or before in _FIRST) and (not after or after in _ONCE or after in (verb, f"一{verb}")):
            return len(text) > 1
    return False


def _meaning_of(action: str) -> _Meaning:
    """What an ACTION of the protocol is as a token: 设置亮度=50%, 调低音量, 查询状态, 回充."""
    name, _, value = action.partition("=")
    if name.startswith("设置"):
        attribute = name.removeprefix("设置")
        return Kind.VALUE, value, attribute, "mode" if attribute == "模式" else "word"
    if name.startswith(("调高", "调低")):
        return Kind.MORE, name[:2], name[2:], ""
    if name == "查询状态":
        return Kind.STATUS, name, "", ""
    if name.startswith("查询"):
        return Kind.ASK_ATTRIBUTE, name, name.removeprefix("查询"), ""
    return Kind.VERB, name, "", ""


def _programme(text: str, programmes: list[str]) -> str:
    """The mode that is named without 模式: 走个速洗, 桶自洁跑一个, 阅读档; any word before 档 is one."""
    if text in programmes:
        return text.removesuffix("档")
    _, named = _without_first(text, _CARRIERS)
    if named in programmes:
        return named
    carried, bare = _without_last(named, _CARRIED)
    if bare in programmes:
        return bare
    mode = carried in ("档", "挡") and len(bare) >= _NO_LEVELS and not _LEVELS.intersection(bare)
    return bare if mode and bare.isalpha() and len(bare) <= 2 * _NO_LEVELS and bare != "自动" else ""


def _without_first(text: str, parts: tuple[str, ...]) -> tuple[str, str]:
    for part in parts:
        if text.startswith(part) and len(text) > len(part):
            return part, text[len(part) :]
    return "", text


def _without_last(text: str, parts: tuple[str, ...]) -> tuple[str, str]:
    for part in parts:
        if text.endswith(part) and len(text) > len(part):
            return part, text[: -len(part)]
    return "", text
