"""Which wish a sentence says: by phrases and feelings, else by a learned model (service.md, Token frame;
`wishes.yaml`).

The model is linear over the sentence's characters and the table's words. It says whether the sentence is a wish, and
which; `make train-wishes` writes it from tests/corpus/wishes_train*.yaml.
"""

import re
from functools import cache
from itertools import combinations
from pathlib import Path

import msgspec

from tingdong.home.wish_table import Wish, WishTable, wish_table
from tingdong.learned.statistics import LinearModel, load, ngrams
from zhtext.finding import any_of
from zhtext.remembering import remembered

__all__ = ["MODEL", "NO_WISH", "features", "is_worded", "likelihood", "match_wish"]

MODEL = Path(__file__).parent / "data" / "wishes.bin"
NO_WISH = "none"
"""The model's label of talk that wishes for nothing."""

_CLAUSE = re.compile(r"[，,。.！!；;、\s]+")
_EITHER = re.compile(r"(\w{1,2})[不没]\1")
"""What is put up to choose from (大不大, 舒服不舒服)."""
_PAUSES = re.compile(r"[，,。.！!；;、\s？?~～…]+")
_LONGEST_NGRAM = 2
MOST_BESIDE_WORDING = 2
"""Characters beside a wording that leave its clause nothing else to be about (还是闷)."""
_LENGTH_STEP, _LONGEST_STEP = 4, 6
_LITTLE = 2
"""Characters that may follow a feeling and its ending in their clause."""


class _Wording(msgspec.Struct, frozen=True):
    """A phrase or a feeling of one wish."""

    word: str
    key: str
    feeling: bool


@cache
def _wordings() -> dict[str, tuple[_Wording, ...]]:
    """All wordings by their first character, so that a sentence is read once."""
    found: dict[str, list[_Wording]] = {}
    for key, entry in wish_table().wishes.items():
        for words, feeling in ((entry.phrases, False), (entry.feelings, True)):
            for word in words:
                found.setdefault(word[0], []).append(_Wording(word, key, feeling))
    return {first: tuple(wordings) for first, wordings in found.items()}


@remembered(4096)
def match_wish(text: str) -> Wish | None:
    """The wish in `text`, or None. A question, a negation, and talk about something else are no wish."""
    table = wish_table()
    best: tuple[int, str] | None = None
    said = ""
    for clause in _CLAUSE.split(text):
        if not clause or clause.endswith(table.question_ends):
            continue
        found = _heaviest(clause, text, table)
        if found is not None and (best is None or found > best) and not _asks(clause, table):
            best, said = found, clause
    if best is not None:
        whole = len(said) - best[0] <= MOST_BESIDE_WORDING
        key = best[1] if whole else _weighed(best[1], (text, said), table)
    else:
        key = _learned(text, table)
    return None if key is None else Wish(key, table.wishes[key].label)


def is_worded(text: str) -> bool:
    """Whether one of the table's wordings stands in the text, so that a wish in it is said and not only guessed."""
    return any(clause and _heaviest(clause, text, wish_table()) is not None for clause in _CLAUSE.split(text))


def likelihood(text: str) -> float:
    """How likely the wish of the text is that one (0..1): 1 where the table has a wording for it."""
    if is_worded(text):
        return 1.0
    return max(chance for wish, chance in _chances(text).items() if wish != NO_WISH)


def _weighed(key: str, texts: tuple[str, ...], table: WishTable) -> str | None:
    """The wish that a wording says, unless the model holds both the sentence and its clause for talk."""
    return key if any(_chances(text)[NO_WISH] <= table.talk for text in texts) else None


def _learned(text: str, table: WishTable) -> str | None:
    """The likeliest wish, where the model is sure that it is one at all; what asks is none."""
    if text.endswith(table.question_ends) or _asks(text, table):
        return None
    chances = _chances(text)
    key = max((wish for wish in chances if wish != NO_WISH), key=chances.__getitem__)
    if 1 - chances[NO_WISH] < (table.wishes[key].sure or table.sure) or _blocked(key, text, table):
        return None
    return None if _denied(key, text, table) else key


def _denied(key: str, text: str, table: WishTable) -> bool:
    """Whether a wording of the wish stands behind a negation (不是很热)."""
    entry = table.wishes[key]
    places = ((text.find(word), word) for word in (*entry.feelings, *entry.phrases))
    return any(place > 0 and _negated(text, place, word, table) for place, word in places)


def _chances(text: str) -> dict[str, float]:
    return _model().probabilities(features(text))


@cache
def _model() -> LinearModel:
    return load(MODEL)


@cache
def _signs() -> list[tuple[str, re.Pattern[str]]]:
    """Names of the table's word lists with what finds their words: signs and phrases of each wish, then what stands
    beside one."""
    table = wish_table()
    signs = [(key, entry.signs) for key, entry in table.wishes.items()]
    phrases = [(f"{key} phrase", entry.phrases) for key, entry in table.wishes.items()]
    return [(name, any_of(words)) for name, words in (*signs, *phrases, *table.aside.items())]


def features(text: str) -> set[str]:
    """What the model sees of a sentence: characters and pairs, the word lists that stand in it, alone and by twos, and
    about how long it is."""
    plain = _PAUSES.sub("，", text).strip("，")
    seen = {piece for piece in ngrams(plain) if len(piece) <= _LONGEST_NGRAM}
    named = [name for name, words in _signs() if words.search(plain)]
    seen.update(f"@{name}" for name in named)
    seen.update(f"@{one}&{other}" for one, other in combinations(named, 2))
    seen.add(f"@length {min(_LONGEST_STEP, len(plain) // _LENGTH_STEP)}")
    return seen


def _asks(clause: str, table: WishTable) -> bool:
    """Whether it is a question and no complaint (湿气大不大)."""
    return (any_of(table.questions).search(clause) or _EITHER.search(clause)) is not None


def _heaviest(clause: str, text: str, table: WishTable) -> tuple[int, str] | None:
    """The longest wording in the clause with its wish; degree and ending count as part of a feeling."""
    wordings = _wordings()
    best: tuple[int, str] | None = None
    for place, character in enumerate(clause):
        for wording in wordings.get(character, ()):
            if not clause.startswith(wording.word, place):
                continue
            weight = _felt(clause, place, wording.word, table) if wording.feeling else len(wording.word)
            heavier = weight and (best is None or weight > best[0])
            if heavier and not (_negated(clause, place, wording.word, table) or _blocked(wording.key, text, table)):
                best = weight, wording.key
    return best


def _blocked(key: str, text: str, table: WishTable) -> bool:
    return any_of(table.wishes[key].blocked).search(text) is not None


def _felt(clause: str, place: int, feeling: str, table: WishTable) -> int:
    """How much of the clause says the feeling (好 + 热 + 死了); 0 when it is not said of the room."""
    if len(clause) - place - len(feeling) > _longest_ending() + _LITTLE or clause.startswith(table.compounds, place):
        return 0
    before, after = clause[:place], clause[place + len(feeling) :]
    degree = max((len(word) for word in table.degrees if before.endswith(word)), default=0)
    ending = max((len(word) for word in table.endings if after.startswith(word)), default=0)
    alone = not before and after in ("", "了", "啊", "呀")
    said = (degree or ending or alone) and _is_said_of_room(after, ending)
    if not said or any_of(table.foreign).search(clause):
        return 0
    return degree + len(feeling) + ending


def _is_said_of_room(after: str, ending: int) -> bool:
    """The feeling must end its clause (好热的天 is about the weather)."""
    rest = after[ending:]
    return rest == "的" or (len(rest) <= _LITTLE and not rest.startswith("的"))


@cache
def _longest_ending() -> int:
    return max(map(len, wish_table().endings))


def _negated(clause: str, place: int, word: str, table: WishTable) -> bool:
    if word in table.allowed_negations:
        return False
    return clause.endswith(_denying(), 0, place)


@cache
def _denying() -> tuple[str, ...]:
    """What stands before a wording that is denied: a negation, alone or with a degree (不太热)."""
    table = wish_table()
    return (*table.negations, *(one + degree for one in ("不", "没", "没有", "别") for degree in table.degrees))
