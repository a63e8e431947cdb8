"""The LLM tier of command parsing: seed 001's system prompt, a chat model, the strict consumer.

The prompt is package data in two parts: the seed's text to the letter, then the rules of the command protocol page. Its
bytes are stable (prompt caches depend on it): static rules first, the home's names next, the sentence last.
"""

from functools import cache
from importlib.resources import files

from context_retrieval.protocol import Decoded
from tingdong.commands.codec import CommandConsumer
from tingdong.commands.reading import NameTable, Reading, Verdict
from tingdong.errors import BackendError
from tingdong.llm.port import ChatMessage, ChatModel, ChatRequest, Constraint, collect

__all__ = ["PROMPT_VERSION", "LLMParser", "command_constraint", "home_prompt", "system_prompt"]

PROMPT_VERSION = "2026-11-21"
ANSWER_CONFIDENCE = 0.9
"""What a valid answer of a model is worth; a repaired one is worth less."""
REPAIRED_CONFIDENCE = 0.6
MAX_NAMES = 400


@cache
def system_prompt() -> str:
    """The fixed system prompt: seed 001 「System Prompt（最终版，直接可用）」, then the protocol page's rules."""
    data = files("tingdong.commands") / "data"
    parts = (data / "system_prompt.seed.md", data / "system_prompt.rules.md")
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


@cache
def command_constraint() -> Constraint:
    """The answer's form: an array of command strings. Loose on purpose: the consumer is the judge."""
    item = r"[^\"\\\-#]+-[^\"\\\-#]+-[^\"\\\-#]+#[A-Za-z]+#(?:one|all|any|except)(?:#[1-9][0-9]{0,2})?"
    schema = {"type": "array", "minItems": 1, "maxItems": 32, "items": {"type": "string", "pattern": f"^{item}$"}}
    return Constraint("commands", schema, rf'\["{item}"(?:,[ ]?"{item}"){{0,31}}\]')


class LLMParser:
    """Reads a sentence with a chat model; what the model says passes the strict consumer or is UNKNOWN."""

    tier = "llm"

    def __init__(self, model: ChatModel, *, consumer: CommandConsumer | None = None, timeout_s: float = 8.0) -> None:
        self._model = model
        self._timeout_s = timeout_s
        self.consumer = consumer or CommandConsumer()

    async def read(self, text: str, names: NameTable | None = None) -> Reading:
        """The model's reading; a model that is down or late gives an abstaining reading with the error's code."""
        request = ChatRequest(self._messages(text, names), constraint=command_constraint())
        try:
            answer = await collect(self._model, request, timeout_s=self._timeout_s)
        except BackendError as error:
            return Reading(text, tier=self.tier, reason=error.code)
        return self._judge(text, self.consumer.read(answer))

    def _messages(self, text: str, names: NameTable | None) -> list[ChatMessage]:
        messages = [ChatMessage("system", system_prompt())]
        home = home_prompt(names)
        if home:
            messages.append(ChatMessage("system", home))
        messages.append(ChatMessage("user", text))
        return messages

    def _judge(self, text: str, decoded: Decoded) -> Reading:
        if decoded.commands[0].is_unknown:
            reason = decoded.issues[0].code.value if decoded.issues else "model_unknown"
            verdict = Verdict.ABSTAIN if decoded.issues else Verdict.REJECT
            return Reading(text, tier=self.tier, verdict=verdict, reason=reason)
        confidence = REPAIRED_CONFIDENCE if decoded.issues else ANSWER_CONFIDENCE
        return Reading(text, decoded.commands, confidence, self.tier, Verdict.ACCEPT)
