"""The small words of a dialogue as data: yes, no, 另外那个, 这个温度 (`data/answers.yaml`)."""

import re
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from tingdong.home.vocabulary import read_table

__all__ = [
    "AnswerWords",
    "answers",
    "clauses_of",
    "excess_said",
    "less_said",
    "only_fillers",
    "says_home",
    "says_no",
    "says_yes",
    "step_pattern",
    "step_said",
]

_REPEATED = re.compile(r"(.+?)\1+")
_SIGNS = re.compile(r"[\s，,。.!！?？、~～…；;]+")


class RecalledWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How what was done is told."""

    never: str
    other: str
    done: str
    changing: str
    changed: str
    feature: str


class AnswerWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`answers.yaml`."""

    yes: frozenset[str]
    no: frozenset[str]
    particles: tuple[str, ...]
    others: tuple[str, ...]
    another: tuple[str, ...]
    same: tuple[str, ...]
    compared_with: tuple[str, ...]
    alike: tuple[str, ...]
    modelled_on: tuple[str, ...]
    done_so: tuple[str, ...]
    asking: tuple[str, ...]
    asking_fillers: tuple[str, ...]
    each: tuple[str, ...]
    up: tuple[str, ...]
    down: tuple[str, ...]
    step_before: tuple[str, ...]
    step_after: tuple[str, ...]
    enough: tuple[str, ...]
    change: tuple[str, ...]
    denying: frozenset[str]
    rather: tuple[str, ...]
    denials: frozenset[str]
    plus: tuple[str, ...]
    minus: tuple[str, ...]
    next_channel: tuple[str, ...]
    previous_channel: tuple[str, ...]
    together: tuple[str, ...]
    excess: tuple[str, ...]
    ajar: tuple[str, ...]
    degree_of: dict[str, str]
    not_so: tuple[str, ...]
    still: tuple[str, ...]
    goes_home: tuple[str, ...]
    former: frozenset[str]
    latter: frozenset[str]
    looks: dict[str, tuple[str, ...]]
    by_work: str
    done: str
    just_opened: str
    recalled: RecalledWords
    missing: str
    lit: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]


@cache
def answers() -> AnswerWords:
    """The table. Raises `DataError` naming the file."""
    return read_table(Path(__file__).parent / "data" / "answers.yaml", AnswerWords)


def only_fillers(text: str) -> bool:
    """Whether a short text only asks on (现在呢)."""
    rest = "".join(clauses_of(text))
    words = sorted(answers().asking_fillers, key=len, reverse=True)
    return bool(text) and not re.sub("|".join(map(re.escape, words)), "", rest)


def says_yes(text: str) -> bool:
    """Whether the sentence is a yes: its first clause is one, or several in a row (嗯开吧), and no clause is a no."""
    clauses = clauses_of(text)
    if not clauses or says_no(text):
        return False
    return _stands_in(clauses[0], answers().yes) or _yes_in_a_row().match(text) is not None


@cache
def _yes_in_a_row() -> re.Pattern[str]:
    table = answers()
    words = "|".join(re.escape(word) for word in sorted(table.yes, key=len, reverse=True))
    particles = "|".join(map(re.escape, table.particles))
    return re.compile(f"(?:{_SIGNS.pattern})?(?:(?:{words})(?:{particles})*)+(?:{_SIGNS.pattern}|$)")


def says_no(text: str) -> bool:
    """Whether a clause of the sentence is a no."""
    table = answers()
    return any(_stands_in(clause, table.no) for clause in clauses_of(text))


def _stands_in(clause: str, words: frozenset[str]) -> bool:
    """Whether the clause is one of the words, said once or over and over (对对对)."""
    repeated = _REPEATED.fullmatch(clause)
    return clause in words or (repeated is not None and repeated[1] in words)


def says_home(text: str) -> bool:
    """Whether the text sends something home and says no more (回去吧)."""
    said = clauses_of(text)
    return len(said) == 1 and said[0] in answers().goes_home


def clauses_of(text: str) -> list[str]:
    """The clauses of a sentence, each without leading and trailing particles."""
    particles = answers().particles
    found = []
    for clause in _SIGNS.split(text):
        for particle in particles:
            clause = clause.removeprefix(particle) if len(clause) > len(particle) else clause
        for particle in particles:
            clause = clause.removesuffix(particle) if len(clause) > len(particle) else clause
        if clause:
            found.append(clause)
    return found


@cache
def step_pattern() -> re.Pattern[str]:
    """A step more or less of something (再大一点): groups before, up, down and after."""
    table = answers()
    before, after = "|".join(table.step_before), "|".join(table.step_after)
    up, down = "|".join(table.up), "|".join(table.down)
    return re.compile(f"(?P<before>{before})?(?:(?P<up>{up})|(?P<down>{down}))(?P<after>{after})?")


@lru_cache(maxsize=8)
def step_said(text: str) -> str | None:
    """The act of a step that is said (浓一点 → 调高浓度, 小些 → 调低); None where none is."""
    found = next((one for one in step_pattern().finditer(text) if one["before"] or one["after"]), None)
    if found is None:
        return None
    return ("调高" if found["up"] else "调低") + answers().degree_of.get(found["up"] or found["down"], "")


@cache
def _not_so() -> re.Pattern[str]:
    table = answers()
    before, degrees = (
        "|".join(table.not_so),
        "|".join(word for word in (*table.up, *table.down) if word in table.degree_of),
    )
    return re.compile(f"(?:{before})(?P<degree>{degrees})")


def less_said(text: str) -> str | None:
    """The act of what is not to be so much (别太亮 → 调低亮度, 别那么暗 → 调高亮度); None where none is."""
    found = _not_so().search(text)
    if found is None:
        return None
    table = answers()
    return ("调低" if found["degree"] in table.up else "调高") + table.degree_of[found["degree"]]


def excess_said(text: str) -> str | None:
    """The act that a complaint of too much asks for (大得很 → 调低, 嫌暗 → 调高亮度); None where none is."""
    found = step_pattern().search(text) if any(word in text for word in answers().excess) else None
    if found is None:
        return None
    return ("调低" if found["up"] else "调高") + answers().degree_of.get(found["up"] or found["down"], "")
