"""The forms of all words, composed from the lexicon: morphology is made here, not listed (开开, 关一下, 摁灭).

So reading a sentence is only looking words up. Where two readings of a form compete, the class named first in `compose`
wins.
"""

from collections.abc import Iterable

from context_retrieval.lexicon import Lexicon
from tingdong.commands.composed_forms import motions, references, unmuted
from tingdong.commands.question_forms import asked_charge, asked_of, asked_opening, asked_running, asked_whether
from tingdong.commands.word_kinds import Kind, Word

__all__ = ["compose"]


class Forms(dict[str, Word]):
    """Forms and their words; what is put first stays."""

    def put(self, form: str, word: Word) -> None:
        """Takes a form that no word has yet."""
        self.setdefault(form, word)

    def add(self, forms: Iterable[str], word: Word) -> None:
        """Takes those of the forms that no word has yet."""
        setdefault = self.setdefault
        for form in forms:
            setdefault(form, word)


def compose(lexicon: Lexicon) -> dict[str, Word]:
    """Every form of every word; earlier classes win over later ones."""
    forms = Forms()
    _add_talk_first(lexicon, forms)
    _add_places_and_things(lexicon, forms)
    _add_verbs(lexicon, forms)
    _add_values(lexicon, forms)
    _add_changes(lexicon, forms)
    _add_grammar(lexicon, forms)
    return forms


def _add_talk_first(lexicon: Lexicon, forms: Forms) -> None:
    forms.add(lexicon.talk.people.split(), Word(Kind.NOUN, "person"))
    forms.add(lexicon.talk.nouns.split(), Word(Kind.NOUN))
    forms.add(lexicon.talk.addressed.split(), Word(Kind.SENTENCE_SIGN, "addressed"))
    forms.add(lexicon.talk.sentence.split(), Word(Kind.SENTENCE_SIGN))
    forms.add(lexicon.grammar["idioms"], Word(Kind.NOUN))
    forms.add(("俩",), Word(Kind.COUNT, "2"))
    forms.add(("仨",), Word(Kind.COUNT, "3"))


def _add_places_and_things(lexicon: Lexicon, forms: Forms) -> None:
    rooms = lexicon.rooms
    forms.add(rooms.here.split(), Word(Kind.HERE))
    forms.add(rooms.whole_home.split(), Word(Kind.WHOLE))
    for name, kind in lexicon.kinds.items():
        tails = frozenset(tail for tail in kind.suffixes.split() if len(tail) > 1)
        for word in kind.generic.split():
            forms.put(word, Word(Kind.DEVICE, "*", device=name, cost=0.95 if word in tails else 1.0))
        for word in kind.specific.split():
            forms.put(word, Word(Kind.DEVICE, word, device=name, cost=0.95 if word in tails else 1.0))
    for word in lexicon.room_groups:
        forms.put(word, Word(Kind.ROOM, word))
    for word in rooms.zones.split():
        forms.put(word, Word(Kind.ZONE, word))
    for owner in rooms.owners.split():
        for place in rooms.owner_rooms.split():
            room = owner + place
            value = owner + place.removesuffix("里").removesuffix("里头").removesuffix("头")
            forms.put(room, Word(Kind.ROOM, value))
            forms.put(f"{owner}的{place}", Word(Kind.ROOM, value))
    forms.add(rooms.suffixes.split(), Word(Kind.ROOM_SUFFIX))
    forms.add(rooms.furniture.split(), Word(Kind.NOUN, "thing"))
    forms.add((owner for owner in rooms.owners.split() if len(owner) > 1), Word(Kind.NOUN, "person"))
    forms.add(lexicon.anything, Word(Kind.ANYTHING))


def _add_verbs(lexicon: Lexicon, forms: Forms) -> None:
    grammar, actions = lexicon.grammar, lexicon.actions
    for name, attribute in lexicon.values.attributes.items():
        asking = attribute.ask.split()
        asking += [f"是{form}" for form in asking if form[0] in "什啥哪多几何"]
        forms.add(asking, Word(Kind.ASK_ATTRIBUTE, f"查询{name}", name))
    forms.add(asked_charge(), Word(Kind.ASK_ATTRIBUTE, "查询电量", "电量"))
    forms.add(asked_opening(), Word(Kind.ASK_ATTRIBUTE, "查询开合度", "开合度"))
    for canonical, verb in actions.verbs.items():
        for word in verb.strong.split():
            forms.add((word,), Word(Kind.VERB, canonical, word, cost=0.8 if word in _PLAINEST else 1.0))
    forms.add(grammar["forgotten"], Word(Kind.STATE, "forgotten"))
    forms.add(grammar["only_told"], Word(Kind.STATE, "forgotten"))
    for canonical, verb in actions.verbs.items():
        forms.add(verb.state.split(), Word(Kind.STATE, canonical))
        for word in verb.weak.split():
            forms.add((word,), Word(Kind.WEAK, canonical, word))
            forms.add(_doubled(word), Word(Kind.VERB, canonical, word))
            forms.add((f"{word}个",), Word(Kind.WEAK, canonical, word))
            forms.add((f"不{word}不{word}", f"别{word}别{word}"), Word(Kind.CANCEL))
    stems = {sense: words.split() for sense, words in actions.stems.items()}
    results = {sense: words.split() for sense, words in actions.results.items()}
    for sense, words in stems.items():
        for stem in words:
            forms.add((stem + result for result in results["关闭"]), Word(Kind.VERB, "关闭", stem))
            for result in results["打开"]:
                if result == "着" and stem in _HOLDING:
                    continue  # 窗帘拉着
                forms.add((stem + result,), Word(Kind.VERB, "打开", stem, cost=1.2 if result == "亮" else 1.0))
            if sense == "neutral":
                continue
            if sense == "start":
                forms.add((stem + result for result in ("上", "起来", "起", "着")), Word(Kind.VERB, "打开", stem))
                continue
            forms.add((stem + result for result in results["neutral"]), Word(Kind.VERB, sense, stem))
            forms.add(asked_of(stem), Word(Kind.STATUS, "查询状态", device=sense))
    forms.add(unmuted(), Word(Kind.VERB, "取消静音", "取消静音"))
    for moving, verb_word in motions():
        forms.add(moving, verb_word)
    for running in grammar["running"]:
        if len(running) == 1 and running not in "播放响":
            forms.add((f"开始{running}", f"{running}起来"), Word(Kind.VERB, "打开", running))
    forms.add(grammar["status"], Word(Kind.STATUS, "查询状态"))
    for running in grammar["running"]:
        forms.add(asked_running(running), Word(Kind.STATUS, "查询状态"))
        if running in actions.verbs["打开"].weak or len(running) > 1 or running == "跑":
            forms.add((f"在{running}",), Word(Kind.STATE, "打开"))
    for word in grammar["asked_whether"]:
        forms.add(asked_whether(word), Word(Kind.STATUS, "查询状态"))
    on, off = lexicon.tables["states"]["打开"], lexicon.tables["states"]["关闭"]
    either = [f"{one}还是{other}" for one in (*on, "拉着") for other in (*off, "拉着") if one != other]
    forms.add((*either, *("还是".join(reversed(pair.split("还是"))) for pair in either)), Word(Kind.STATUS, "查询状态"))


def _doubled(verb: str) -> Iterable[str]:
    """Forms that soften a verb: 开开, 关一关, 开一下."""
    yield from (verb + verb, f"{verb}一{verb}", f"{verb}了{verb}", f"{verb}一下", f"{verb}下", f"{verb}一哈")


def _add_values(lexicon: Lexicon, forms: Forms) -> None:
    values = lexicon.values
    for value, by_attribute in values.extremes.items():
        for name, words in by_attribute.items():
            forms.add(words.split(), Word(Kind.VALUE, value, "" if name == "words" else name, "extreme"))
    for value, words in values.temperatures.items():
        forms.add(words.split(), Word(Kind.VALUE, value, "色温", "word"))
    for value, words in values.levels.items():
        forms.add(words.split(), Word(Kind.VALUE, value, "风速", "level"))
    for colour in values.colours.basic.split():
        forms.add((f"{colour}色", f"{colour}颜色", f"{colour}光"), Word(Kind.VALUE, f"{colour}色", "颜色", "word"))
        if len(colour) > 1 or colour in "红橙黄绿蓝紫白粉青":
            forms.add((f"{colour}的", colour), Word(Kind.VALUE, f"{colour}色", "颜色", "word"))
    for word, colour in values.colours.english.items():
        forms.add((word,), Word(Kind.VALUE, colour, "颜色", "word"))
    for mode, words in values.modes.items():
        for word in (mode, *words.split()):
            said = mode if word.isascii() or mode == "除湿" else word.removesuffix("档")
            forms.put(word, Word(Kind.VALUE, said, "模式", "mode"))
    for source in values.sources.split():
        for form in {source, source.lower(), *(f"{source}{tail}" for tail in values.source_tails.split())}:
            forms.put(form.lower(), Word(Kind.VALUE, _numbered(source), "输入源", "source"))
    forms.add(values.channel_heads.split(), Word(Kind.NOUN, "channel"))
    for channel in values.channel_names.split():
        forms.add((channel,), Word(Kind.VALUE, channel, "频道", "word"))
    forms.add(values.channel_tails.split(), Word(Kind.CHANNEL_TAIL))
    known = {word for mode, words in values.modes.items() for word in (mode, *words.split())}
    for scene in values.scenes.split():
        for tail in ("模式", "场景"):
            forms.put(scene + tail, Word(Kind.VALUE, scene, "模式", "mode" if scene in known else "scene"))
    forms.add(("模式", "场景", "情景"), Word(Kind.MODE_TAIL, "模式", "模式"))


def _numbered(source: str) -> str:
    """HDMI一 → HDMI1, Type-C → TypeC."""
    return source.replace("-", "").translate(str.maketrans("一二三四", "1234"))


def _add_changes(lexicon: Lexicon, forms: Forms) -> None:
    actions = lexicon.actions
    degrees = actions.degrees.split()
    stems = [stem for stem in actions.set.stems.split() if stem in _BENDING]
    for adjective in actions.adjectives:
        for value, words in (("调高", adjective.up), ("调低", adjective.down)):
            for word in words.split():
                full = Word(Kind.MORE, value, adjective.attribute)
                forms.add((word + degree for degree in degrees), full)
                if adjective.attribute == "音量" and len(word) > 1:
                    forms.put(f"放{word}", full)
                if word not in ("满", "多", "少", "暖色", "冷色"):
                    bent = Word(Kind.MORE, value, adjective.attribute, cost=1.2)
                    forms.add((stem + word for stem in stems), bent)
                forms.add((f"往{word}", f"往{word}了", f"往{word}里", f"往{word}处"), full)
                forms.add(
                    (f"{word}点声", f"{word}声点", f"{word}点儿声", f"{word}声一点"), Word(Kind.MORE, value, "音量")
                )
                forms.add((word,), Word(Kind.SIZE, value, adjective.attribute))
                if len(word) == 1 and adjective.attribute in ("亮度", "温度", "湿度"):
                    forms.put(f"{word}于", Word(Kind.COMPARE, ">" if value == "调高" else "<", adjective.attribute))
    for value, words in actions.partial.items():
        full = Word(Kind.MORE, value, "开合度")
        forms.add((word + degree for word in words.split() for degree in degrees if degree not in _SOFTENERS), full)
    forms.add(actions.up.split(), Word(Kind.UP, "调高"))
    forms.add(actions.down.split(), Word(Kind.DOWN, "调低"))
    joints = actions.set.joints.split()
    for stem in actions.set.stems.split():
        forms.add((stem + joint for joint in joints), Word(Kind.SET, "到", stem))
    forms.add(actions.set.words.split(), Word(Kind.SET))
    forms.add(("到", "成", "为", "至"), Word(Kind.TO))
    for name, attribute in lexicon.values.attributes.items():
        forms.add(attribute.words.split(), Word(Kind.ATTRIBUTE, name, name))
    forms.add(lexicon.values.sensors.split(), Word(Kind.SENSOR))


_HOLDING = frozenset("推掀扯拽收放摇扽摸")
"""Stems whose 着 says a state that lasts, where that of others says that something came alight (点着)."""

_PLAINEST = frozenset(("打开", "开启", "关闭", "关掉", "关上", "启动"))
"""Verbs that win over a word made of their last character and the next one (打开水槽灯)."""
_BENDING = frozenset("加减调弄整搞拧扭开关打推拉压吹转提升降变捻旋揿较校拨收")
_SOFTENERS = frozenset(("一下", "下", "个", "哈", "一哈"))

_BESIDE_ACTS = frozenset(("manner", "past", "suddenly", "thinks", "guess"))
_NOUNS = {"kin": "person", "person": "person", "called": "person", "spans": "span"}

_GRAMMAR = (
    ("later", Kind.LATER),
    ("last_one", Kind.LAST_ONE),
    ("both", Kind.BOTH),
    ("which", Kind.WHICH),
    ("indifferent", Kind.INDIFFERENT),
    ("what", Kind.WHAT),
    ("references", Kind.REFERENCES),
    ("reference", Kind.REFERENCE),
    ("any", Kind.ANY),
    ("other", Kind.OTHER),
    ("all", Kind.ALL),
    ("except_before", Kind.EXCEPT_BEFORE),
    ("except_after", Kind.EXCEPT_AFTER),
    ("only", Kind.ONLY),
    ("keep", Kind.KEEP),
    ("only_this", Kind.ONLY_THIS),
    ("tail", Kind.TAIL),
    ("cancel", Kind.CANCEL),
    ("correction", Kind.CORRECTION),
    ("negation", Kind.NEGATION),
    ("too", Kind.TOO),
    ("joint", Kind.JOINT),
    ("sequence", Kind.SEQUENCE),
    ("look", Kind.LOOK),
    ("ask", Kind.ASK),
    ("condition_start", Kind.CONDITION_START),
    ("condition_end", Kind.CONDITION_END),
    ("polite", Kind.POLITE),
    ("wake", Kind.WAKE),
    ("before_target", Kind.BEFORE_TARGET),
    ("of", Kind.OF),
    ("from", Kind.FROM),
    ("each", Kind.EACH),
    ("now", Kind.NOW),
    ("request", Kind.REQUEST),
    ("confirm", Kind.CONFIRM),
    ("again", Kind.AGAIN),
    ("also", Kind.ALSO),
)


_PROHIBITIVE = (
    "别 不要 不用 甭 莫 勿 唔好 不许 不准 先别 先不要 不能 千万别 可别 勿要 覅 嫑 不可 就别 也别 千万不要 唔使"
)
_LEFT_ALONE = ("动", "碰", "管", "理", "惹", "搭理")


def _add_left_alone(forms: Forms) -> None:
    """勿要动, 千万别碰: what shall be left as it is; 其余楼层, 别的区域: all other places."""
    keep, other = Word(Kind.KEEP), Word(Kind.OTHER)
    for negation in _PROHIBITIVE.split():
        forms.add((negation + verb for verb in _LEFT_ALONE), keep)
    forms.add((head + tail for head in ("保持", "维持") for tail in _AS_IT_IS.split()), keep)
    forms.add(("不在" + list_of for list_of in _LISTS.split()), Word(Kind.EXCEPT_AFTER))
    for rest in ("其他", "其它", "其余", "别的", "剩下", "剩余", "余下", "另外"):
        forms.add((rest + place for place in _REST.split()), other)


_AS_IT_IS = "现状 原状 原样 原位 不变 不动 现有状态 原有状态 原来的样子 原来那样"
_LISTS = "其列 此列 其内 其中 之列 之内 此内 范围内 范围之内 此范围 名单内 名单里 名单上 里面 里头"
_REST = "地方 区域 楼层 房间 屋 屋子 位置 各处 各屋 楼 层 处 各层 的地方 的房间 的楼层 的区域 区 房 几间"


def _add_grammar(lexicon: Lexicon, forms: Forms) -> None:
    _add_left_alone(forms)
    for pointing, word in references():
        forms.add(pointing, word)
    for key, kind in _GRAMMAR:
        forms.add(lexicon.grammar[key], Word(kind))
    for operator, words in lexicon.tables["compare"].items():
        forms.add(words, Word(Kind.COMPARE, operator))
    for operator, words in lexicon.tables["compare_after"].items():
        forms.add(words, Word(Kind.COMPARE_AFTER, operator))
    forms.add(lexicon.talk.events.split(), Word(Kind.EVENT))
    forms.add(lexicon.talk.asking.split(), Word(Kind.CLAUSE_SIGN, "asking"))
    forms.add(lexicon.talk.clause.split(), Word(Kind.CLAUSE_SIGN))
    for domain, cues in lexicon.talk.domains.items():
        forms.add(cues.split(), Word(Kind.DOMAIN, domain))
    forms.add(lexicon.talk.double_condition.split(), Word(Kind.DOUBLE))
    forms.add(lexicon.actions.light.split(), Word(Kind.LIGHT))
    forms.add((degree for degree in lexicon.actions.degrees.split() if len(degree) > 1), Word(Kind.LIGHT))
    forms.add(lexicon.grammar["particle"], Word(Kind.PARTICLE))
    forms.add(lexicon.rooms.locatives.split(), Word(Kind.LOCATIVE, cost=1.3))
    for name, words in lexicon.tables["frame_words"].items():
        known = Word(Kind.LIGHT) if name in _BESIDE_ACTS else Word(Kind.NOUN, _NOUNS.get(name, ""))
        forms.add((word for word in words if len(word) > 1 or name in _BESIDE_ACTS), known)
