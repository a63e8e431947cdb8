"""The flat table of everything the local parser knows by sight: surface form → word.

Built once from the lexicon. Morphology is composed here instead of listed (开开, 关一下, 摁灭, 拧亮一点, 调到), so that
reading a sentence is only looking words up. Where two readings of a form compete, the class named first in `build` wins.
"""

import enum
from collections.abc import Iterable
from functools import cache

import msgspec

from context_retrieval.lexicon import Lexicon, default_lexicon

__all__ = ["Kind", "Word", "WordTable", "default_words"]


class Kind(enum.Enum):
    """What a word or span is to the assembler."""

    ROOM = enum.auto()
    ZONE = enum.auto()
    WHOLE = enum.auto()
    HERE = enum.auto()
    LOCATIVE = enum.auto()
    ROOM_SUFFIX = enum.auto()
    DEVICE = enum.auto()
    ANYTHING = enum.auto()
    SCENE = enum.auto()
    REFERENCE = enum.auto()
    REFERENCES = enum.auto()
    ALL = enum.auto()
    ANY = enum.auto()
    OTHER = enum.auto()
    COUNT = enum.auto()
    ORDINAL = enum.auto()
    EXCEPT_BEFORE = enum.auto()
    EXCEPT_AFTER = enum.auto()
    KEEP = enum.auto()
    ONLY = enum.auto()
    ONLY_THIS = enum.auto()
    NEGATION = enum.auto()
    CORRECTION = enum.auto()
    CANCEL = enum.auto()
    JOINT = enum.auto()
    SEQUENCE = enum.auto()
    BEFORE_TARGET = enum.auto()
    OF = enum.auto()
    REQUEST = enum.auto()
    TAIL = enum.auto()
    PARTICLE = enum.auto()
    POLITE = enum.auto()
    WAKE = enum.auto()
    CONFIRM = enum.auto()
    ASK = enum.auto()
    LOOK = enum.auto()
    STATUS = enum.auto()
    ASK_ATTRIBUTE = enum.auto()
    COMPARE = enum.auto()
    COMPARE_AFTER = enum.auto()
    CONDITION_START = enum.auto()
    CONDITION_END = enum.auto()
    VERB = enum.auto()
    WEAK = enum.auto()
    STATE = enum.auto()
    SET = enum.auto()
    TO = enum.auto()
    UP = enum.auto()
    DOWN = enum.auto()
    MORE = enum.auto()
    SIZE = enum.auto()
    ATTRIBUTE = enum.auto()
    SENSOR = enum.auto()
    VALUE = enum.auto()
    MODE_TAIL = enum.auto()
    CHANNEL_TAIL = enum.auto()
    AGAIN = enum.auto()
    ALSO = enum.auto()
    LIGHT = enum.auto()
    NOUN = enum.auto()
    SENTENCE_SIGN = enum.auto()
    CLAUSE_SIGN = enum.auto()
    DOMAIN = enum.auto()
    EVENT = enum.auto()
    DOUBLE = enum.auto()
    TOO = enum.auto()
    FROM = enum.auto()
    EACH = enum.auto()
    NOW = enum.auto()
    LAST_ONE = enum.auto()
    WHICH = enum.auto()
    INDIFFERENT = enum.auto()
    WHAT = enum.auto()
    BOTH = enum.auto()
    QUANTITY = enum.auto()
    WHEN = enum.auto()
    OPEN = enum.auto()
    BREAK = enum.auto()


class Word(msgspec.Struct, frozen=True, gc=False):
    """A known form. `value` is canonical, `attribute` what it speaks of, `device` the device kind it names."""

    kind: Kind
    value: str = ""
    attribute: str = ""
    device: str = ""
    cost: float = 1.0


class WordTable:
    """Forms by their first character, longest first. Immutable after `build`."""

    __slots__ = ("forms", "lengths", "lexicon")

    def __init__(self, lexicon: Lexicon, forms: dict[str, Word]) -> None:
        self.lexicon = lexicon
        self.forms = forms
        lengths: dict[str, set[int]] = {}
        for form in forms:
            lengths.setdefault(form[0], set()).add(len(form))
        self.lengths = {first: tuple(sorted(found)) for first, found in lengths.items()}

    @classmethod
    def build(cls, lexicon: Lexicon) -> "WordTable":
        """The table of a lexicon; earlier classes win over later ones."""
        forms: dict[str, Word] = {}

        def add(words: Iterable[str], word: Word) -> None:
            for form in words:
                forms.setdefault(form, word)

        _add_talk_first(lexicon, add)
        _add_places_and_things(lexicon, add, forms)
        _add_verbs(lexicon, add)
        _add_values(lexicon, add, forms)
        _add_changes(lexicon, add)
        _add_grammar(lexicon, add)
        return cls(lexicon, forms)


@cache
def default_words() -> WordTable:
    """The table of the shipped vocabulary."""
    return WordTable.build(default_lexicon())


def _add_talk_first(lexicon: Lexicon, add) -> None:  # type: ignore[no-untyped-def]
    add(lexicon.talk.nouns.split(), Word(Kind.NOUN))
    add(lexicon.talk.addressed.split(), Word(Kind.SENTENCE_SIGN, "addressed"))
    add(lexicon.talk.sentence.split(), Word(Kind.SENTENCE_SIGN))
    add(lexicon.grammar["idioms"], Word(Kind.NOUN))
    add(("俩",), Word(Kind.COUNT, "2"))
    add(("仨",), Word(Kind.COUNT, "3"))


def _add_places_and_things(lexicon: Lexicon, add, forms: dict[str, Word]) -> None:  # type: ignore[no-untyped-def]
    rooms = lexicon.rooms
    add(rooms.here.split(), Word(Kind.HERE))
    add(rooms.whole_home.split(), Word(Kind.WHOLE))
    for name, kind in lexicon.kinds.items():
        add(kind.generic.split(), Word(Kind.DEVICE, "*", device=name))
        for word in kind.specific.split():
            forms.setdefault(word, Word(Kind.DEVICE, word, device=name))
    for word in lexicon.room_groups:
        forms.setdefault(word, Word(Kind.ROOM, word))
    for word in rooms.zones.split():
        forms.setdefault(word, Word(Kind.ZONE, word))
    for owner in rooms.owners.split():
        for place in rooms.owner_rooms.split():
            room = owner + place
            value = owner + place.removesuffix("里").removesuffix("里头").removesuffix("头")
            forms.setdefault(room, Word(Kind.ROOM, value))
            forms.setdefault(f"{owner}的{place}", Word(Kind.ROOM, value))
    add(rooms.suffixes.split(), Word(Kind.ROOM_SUFFIX))
    add(rooms.furniture.split(), Word(Kind.NOUN, "thing"))
    add((owner for owner in rooms.owners.split() if len(owner) > 1), Word(Kind.NOUN, "person"))
    add(lexicon.anything, Word(Kind.ANYTHING))


def _add_verbs(lexicon: Lexicon, add) -> None:  # type: ignore[no-untyped-def]
    grammar, actions = lexicon.grammar, lexicon.actions
    add(grammar["status"], Word(Kind.STATUS, "查询状态"))
    for name, attribute in lexicon.values.attributes.items():
        add(attribute.ask.split(), Word(Kind.ASK_ATTRIBUTE, f"查询{name}", name))
    for canonical, verb in actions.verbs.items():
        for word in verb.strong.split():
            add((word,), Word(Kind.VERB, canonical, word))
    add(grammar["forgotten"], Word(Kind.STATE, "forgotten"))
    for canonical, verb in actions.verbs.items():
        add(verb.state.split(), Word(Kind.STATE, canonical))
        for word in verb.weak.split():
            add((word,), Word(Kind.WEAK, canonical, word))
            add(_doubled(word), Word(Kind.VERB, canonical, word))
            add((f"{word}个",), Word(Kind.WEAK, canonical, word))
    stems = {sense: words.split() for sense, words in actions.stems.items()}
    results = {sense: words.split() for sense, words in actions.results.items()}
    for sense, words in stems.items():
        for stem in words:
            add((stem + result for result in results["关闭"]), Word(Kind.VERB, "关闭", stem))
            for result in results["打开"]:
                add((stem + result,), Word(Kind.VERB, "打开", stem, cost=1.2 if result == "亮" else 1.0))
            if sense == "neutral":
                continue
            if sense == "start":
                add((stem + result for result in ("上", "起来", "起", "着")), Word(Kind.VERB, "打开", stem))
                continue
            add((stem + result for result in results["neutral"]), Word(Kind.VERB, sense, stem))
            add(_questions(stem), Word(Kind.STATUS, "查询状态"))


def _doubled(verb: str) -> Iterable[str]:
    """Forms that soften a verb: 开开, 关一关, 开一下."""
    yield from (verb + verb, f"{verb}一{verb}", f"{verb}了{verb}", f"{verb}一下", f"{verb}下", f"{verb}一哈")


def _questions(verb: str) -> Iterable[str]:
    yield from (f"{verb}没{verb}", f"{verb}不{verb}", f"{verb}没", f"{verb}了没", f"{verb}了没有", f"{verb}着没")
    yield from (
        f"{verb}着吗",
        f"{verb}了吗",
        f"{verb}着不",
        f"{verb}没有",
        f"{verb}着没有",
        f"{verb}了么",
        f"{verb}着么",
    )
    yield from (
        f"{verb}好没",
        f"{verb}掉没",
        f"{verb}上没",
        f"{verb}着呢吗",
        f"{verb}咗未",
        f"{verb}好没有",
        f"{verb}掉了吗",
    )


def _add_values(lexicon: Lexicon, add, forms: dict[str, Word]) -> None:  # type: ignore[no-untyped-def]
    values = lexicon.values
    for value, by_attribute in values.extremes.items():
        for name, words in by_attribute.items():
            add(words.split(), Word(Kind.VALUE, value, "" if name == "words" else name, "extreme"))
    for value, words in values.temperatures.items():
        add(words.split(), Word(Kind.VALUE, value, "色温", "word"))
    for value, words in values.levels.items():
        add(words.split(), Word(Kind.VALUE, value, "风速", "level"))
    for colour in values.colours.basic.split():
        add((f"{colour}色", f"{colour}颜色", f"{colour}光"), Word(Kind.VALUE, f"{colour}色", "颜色", "word"))
        if len(colour) > 1 or colour in "红橙黄绿蓝紫白粉青":
            add((f"{colour}的", colour), Word(Kind.VALUE, f"{colour}色", "颜色", "word"))
    for word, colour in values.colours.english.items():
        add((word,), Word(Kind.VALUE, colour, "颜色", "word"))
    for mode, words in values.modes.items():
        for word in (mode, *words.split()):
            forms.setdefault(word, Word(Kind.VALUE, mode if word.isascii() or mode == "除湿" else word, "模式", "mode"))
    for source in values.sources.split():
        for form in {source, source.lower(), *(f"{source}{tail}" for tail in values.source_tails.split())}:
            forms.setdefault(form.lower(), Word(Kind.VALUE, _numbered(source), "输入源", "source"))
    add(values.channel_heads.split(), Word(Kind.NOUN, "channel"))
    for channel in values.channel_names.split():
        add((channel,), Word(Kind.VALUE, channel, "频道", "word"))
    add(values.channel_tails.split(), Word(Kind.CHANNEL_TAIL))
    known = {word for mode, words in values.modes.items() for word in (mode, *words.split())}
    for scene in values.scenes.split():
        for tail in ("模式", "场景"):
            forms.setdefault(scene + tail, Word(Kind.VALUE, scene, "模式", "mode" if scene in known else "scene"))
    add(("模式", "场景", "情景"), Word(Kind.MODE_TAIL, "模式", "模式"))


def _numbered(source: str) -> str:
    """HDMI一 → HDMI1, Type-C → TypeC."""
    return source.replace("-", "").translate(str.maketrans("一二三四", "1234"))


def _add_changes(lexicon: Lexicon, add) -> None:  # type: ignore[no-untyped-def]
    actions = lexicon.actions
    degrees = actions.degrees.split()
    stems = [stem for stem in actions.set.stems.split() if stem in _BENDING]
    for adjective in actions.adjectives:
        for value, words in (("调高", adjective.up), ("调低", adjective.down)):
            for word in words.split():
                full = Word(Kind.MORE, value, adjective.attribute)
                add((word + degree for degree in degrees), full)
                if word not in ("满", "多", "少"):
                    bent = Word(Kind.MORE, value, adjective.attribute, cost=1.2)
                    add((stem + word for stem in stems), bent)
                add((f"往{word}", f"往{word}了", f"往{word}里", f"往{word}处"), full)
                add((f"{word}点声", f"{word}声点", f"{word}点儿声", f"{word}声一点"), Word(Kind.MORE, value, "音量"))
                add((word,), Word(Kind.SIZE, value, adjective.attribute))
    for value, words in actions.partial.items():
        full = Word(Kind.MORE, value, "开合度")
        add((word + degree for word in words.split() for degree in degrees if degree not in _SOFTENERS), full)
    add(actions.up.split(), Word(Kind.UP, "调高"))
    add(actions.down.split(), Word(Kind.DOWN, "调低"))
    joints = actions.set.joints.split()
    for stem in actions.set.stems.split():
        add((stem + joint for joint in joints), Word(Kind.SET, "到", stem))
    add(actions.set.words.split(), Word(Kind.SET))
    add(("到", "成", "为", "至"), Word(Kind.TO))
    for name, attribute in lexicon.values.attributes.items():
        add(attribute.words.split(), Word(Kind.ATTRIBUTE, name, name))
    add(lexicon.values.sensors.split(), Word(Kind.SENSOR))


_BENDING = frozenset("加减调弄整搞拧扭开关打推拉压吹转提升降变捻旋揿较校拨收")
_SOFTENERS = frozenset(("一下", "下", "个", "哈", "一哈"))

_GRAMMAR = (
    ("last_one", Kind.LAST_ONE),
    ("both", Kind.BOTH),
    ("which", Kind.WHICH),
    ("indifferent", Kind.INDIFFERENT),
    ("what", Kind.WHAT),
    ("references", Kind.REFERENCES), ("reference", Kind.REFERENCE), ("any", Kind.ANY), ("other", Kind.OTHER),
    ("all", Kind.ALL), ("except_before", Kind.EXCEPT_BEFORE), ("except_after", Kind.EXCEPT_AFTER),
    ("only", Kind.ONLY), ("keep", Kind.KEEP), ("only_this", Kind.ONLY_THIS), ("tail", Kind.TAIL),
    ("cancel", Kind.CANCEL), ("correction", Kind.CORRECTION), ("negation", Kind.NEGATION),
    ("too", Kind.TOO), ("joint", Kind.JOINT), ("sequence", Kind.SEQUENCE), ("look", Kind.LOOK), ("ask", Kind.ASK),
    ("condition_start", Kind.CONDITION_START), ("condition_end", Kind.CONDITION_END),
    ("polite", Kind.POLITE), ("wake", Kind.WAKE), ("before_target", Kind.BEFORE_TARGET), ("of", Kind.OF),
    ("from", Kind.FROM), ("each", Kind.EACH), ("now", Kind.NOW), ("request", Kind.REQUEST), ("confirm", Kind.CONFIRM), ("again", Kind.AGAIN), ("also", Kind.ALSO),
)  # fmt: skip


def _add_grammar(lexicon: Lexicon, add) -> None:  # type: ignore[no-untyped-def]
    for key, kind in _GRAMMAR:
        add(lexicon.grammar[key], Word(kind))
    for operator, words in lexicon.tables["compare"].items():
        add(words, Word(Kind.COMPARE, operator))
    for operator, words in lexicon.tables["compare_after"].items():
        add(words, Word(Kind.COMPARE_AFTER, operator))
    add(lexicon.talk.events.split(), Word(Kind.EVENT))
    add(lexicon.talk.asking.split(), Word(Kind.CLAUSE_SIGN, "asking"))
    add(lexicon.talk.clause.split(), Word(Kind.CLAUSE_SIGN))
    for domain, words in lexicon.talk.domains.items():
        add(words.split(), Word(Kind.DOMAIN, domain))
    add(lexicon.talk.double_condition.split(), Word(Kind.DOUBLE))
    add(lexicon.actions.light.split(), Word(Kind.LIGHT))
    add((degree for degree in lexicon.actions.degrees.split() if len(degree) > 1), Word(Kind.LIGHT))
    add(lexicon.grammar["particle"], Word(Kind.PARTICLE))
    add(lexicon.rooms.locatives.split(), Word(Kind.LOCATIVE, cost=1.3))
