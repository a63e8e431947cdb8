"""The LLM tier of command parsing: the protocol's system prompt, a chat model, the strict consumer.

The prompt is package data in two parts: the fixed text, then the rules of the command protocol page. Its
bytes are stable (prompt caches depend on it): static rules first, the home's names next, the sentence last.
"""

from functools import cache, lru_cache
from importlib.resources import files

from context_retrieval.models import DeviceType
from context_retrieval.protocol import Decoded, IssueCode
from tingdong.commands.codec import CommandConsumer
from tingdong.commands.grounding import faults, known_verbs
from tingdong.commands.local_parser import LocalParser
from tingdong.commands.reading import NameTable, Reading, Verdict
from tingdong.commands.viable import viable_array
from tingdong.llm import Asked, Budget, ChatMessage, Constraint, GuardedModel, Observer, ask_checked
from tingdong.llm.shaping import token_estimate

__all__ = ["LLMParser", "command_constraint", "home_prompt", "section_tokens", "system_prompt"]

ANSWER_CONFIDENCE = 0.9
"""What a valid answer of a model is worth; a repaired one is worth less."""
REPAIRED_CONFIDENCE = 0.6
MAX_NAMES = 400
MAX_COMMANDS = 32


@cache
def system_prompt() -> str:
    """The fixed system prompt, then the rules of commands.md."""
    data = files("tingdong.commands") / "data"
    parts = (data / "system_prompt.fixed.md", data / "system_prompt.rules.md")
    return "\n".join(part.read_text(encoding="utf-8") for part in parts)


def home_prompt(names: NameTable | None) -> str:
    """The home's rooms and names as data lines, sorted so that the same home gives the same bytes; "" when unknown."""
    if names is None or not (names.rooms or names.names or names.scenes):
        return ""
    lines = ["家中资料（只是数据）："]
    for label, words in (("房间", names.rooms), ("设备", names.names), ("情景与分组", names.scenes)):
        if words:
            lines.append(f"{label}：" + "、".join(_plain(word) for word in sorted(words)[:MAX_NAMES]))
    return "\n".join(lines)


def _plain(word: str) -> str:
    """A name as one short run of visible characters: it can open no line and no role."""
    return " ".join("".join(c for c in word if c.isprintable()).replace("、", " ").split())[:40]


def command_constraint(names: NameTable | None = None) -> Constraint:
    """The answer's form; with a home's names, its rooms and names and the protocol's own words are all it allows."""
    if names is None or not (names.rooms or names.names or names.scenes):
        return _compiled((), ())
    spoken = tuple(sorted({*names.names, *names.scenes}))[:MAX_NAMES]
    return _compiled(tuple(sorted(names.rooms))[:MAX_NAMES], spoken)


_SPECIAL = str.maketrans({letter: f"[{letter}]" for letter in ".$*+?(){}|"})
"""Signs that mean something in an expression, as classes of one: the one way of escaping that all servers know."""
_UNWRITABLE = str.maketrans(dict.fromkeys('-#"\\[]^', " "))


def _choice(words: tuple[str, ...]) -> str:
    """The words as alternatives of a regular expression; signs that the protocol bars from names become blanks."""
    plain = dict.fromkeys(" ".join(_plain(word).translate(_UNWRITABLE).split()) for word in words)
    return "|".join(word.translate(_SPECIAL) for word in plain if word)


@lru_cache(maxsize=64)
def _compiled(rooms: tuple[str, ...], names: tuple[str, ...]) -> Constraint:
    """Only plain groups and classes: servers turn the expression into a grammar, and few know more."""
    free = r'[^"\\#,!@*\x00-\x1F-]{1,24}'
    room = _choice(rooms) or free
    name = _choice(names) or free
    verb = "|".join(word.translate(_SPECIAL) for word in sorted(known_verbs(), key=lambda word: (-len(word), word)))
    action = rf'(({verb})(=[^"\\#@\x00-\x1F-]{{1,16}})?(@[^"\\#\x00-\x1F-]{{1,24}})?|UNKNOWN)'
    scope = rf"([*]|@here|({room})(,({room}))*)(,!({room}))*"
    target = rf"(@last|[*](,!({name}|{free}))*|{name})"
    kinds = "|".join(kind.value for kind in DeviceType)
    item = rf"{action}-{scope}-{target}#({kinds})#(one|all|any|except)(#[1-9][0-9]?)?"
    schema = {
        "type": "array",
        "minItems": 1,
        "maxItems": MAX_COMMANDS,
        "items": {"type": "string", "pattern": f"^{item}$"},
    }
    return Constraint("commands", schema, rf'\["{item}"(, ?"{item}"){{0,{MAX_COMMANDS - 1}}}\]')


def section_tokens(names: NameTable | None, text: str) -> dict[str, int]:
    """Estimated tokens of each section of the prompt: the static rules, this home, the sentence."""
    return {
        "rules": _rules_tokens(),
        "home": token_estimate(home_prompt(names)),
        "sentence": token_estimate(text),
    }


@cache
def _rules_tokens() -> int:
    return token_estimate(system_prompt())


class LLMParser:
    """Reads a sentence with a chat model; an answer passes the strict consumer and the grounding, or is nothing.

    It never raises for the backend's sake. `observe` is told of every answer.
    """

    tier = "llm"

    def __init__(
        self,
        model: GuardedModel,
        *,
        consumer: CommandConsumer | None = None,
        repair: bool = True,
        observe: Observer | None = None,
    ) -> None:
        self._model = model
        self._repair = repair
        self._observe = observe
        self.consumer: CommandConsumer = consumer or CommandConsumer()

    async def read(self, local: Reading, budget: Budget, names: NameTable | None = None) -> Reading:
        """The model's reading of `local.text`; a model that is down or late abstains with the error's code."""

        def check(answer: str) -> tuple[Decoded, tuple[str, ...]]:
            decoded = self.consumer.read(answer)
            if decoded.commands[0].is_unknown:
                return decoded, tuple(issue.code.value for issue in decoded.issues)
            wrong = [fault.value for fault in faults(local, decoded.commands, names)]
            veto = _rules().draft(local.text, names).shown.veto(decoded.commands)
            if veto is not None:
                wrong.append(veto.reason)
            if any(issue.code is IssueCode.BAD_COUNT for issue in decoded.issues):
                wrong.append(IssueCode.BAD_COUNT.value)  # how many were meant is lost, so nothing is done
            return decoded, tuple(dict.fromkeys(wrong))

        asked = Asked(
            "commands",
            _messages(local.text, names),
            command_constraint(names),
            check,
            viable_array,
            remind="只输出一个严格的 JSON 数组，按规则重新输出。",
            sections=section_tokens(names, local.text),
        )
        checked = await ask_checked(self._model, asked, budget, repair=self._repair, observe=self._observe)
        if checked.value is None:
            return Reading(local.text, tier=self.tier, reason=checked.wrong[0], mentions=local.mentions)
        return self._judge(local, checked.value, checked.wrong, repaired=checked.repaired)

    def _judge(self, local: Reading, decoded: Decoded, wrong: tuple[str, ...], *, repaired: bool = False) -> Reading:
        """The reading that an answer makes; the mentions are the local tier's, who saw the same words."""
        text, mentions = local.text, local.mentions
        if wrong:
            return Reading(text, (), 0.0, self.tier, Verdict.ABSTAIN, wrong[0], mentions)
        if decoded.commands[0].is_unknown:
            return Reading(text, (), ANSWER_CONFIDENCE, self.tier, Verdict.REJECT, "model_unknown", mentions)
        confidence = REPAIRED_CONFIDENCE if repaired or decoded.issues else ANSWER_CONFIDENCE
        return Reading(text, decoded.commands, confidence, self.tier, Verdict.ACCEPT, "", mentions)


@cache
def _rules() -> LocalParser:
    """Who says what a sentence shows (`vetoes`)."""
    return LocalParser()


def _messages(text: str, names: NameTable | None) -> tuple[ChatMessage, ...]:
    """Static rules, then the home's stable part, then the turn: what stays the same comes first.

    One system message, as many chat templates take no second one.
    """
    system, home = system_prompt(), home_prompt(names)
    return ChatMessage("system", f"{system}\n{home}" if home else system), ChatMessage("user", text)
