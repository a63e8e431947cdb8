"""The answering tier: one open question → one validated text or a reason (service.md, Scene).

It abstains if the model is late, down or gives an invalid answer, and rejects if the home's data do not answer the
question. Its text never becomes an instruct.
"""

from functools import partial

from tingdong.answering.claims import ANSWER_SCHEMA, Claim, ReadWords, check_answer
from tingdong.answering.model import Answer, OpenQuestion
from tingdong.answering.prompt import HomeSections
from tingdong.commands.reading import Verdict
from tingdong.llm import Asked, Budget, ChatMessage, Constraint, GuardedModel, Observer, ask_checked
from tingdong.llm.viable import viable_json

__all__ = ["Answerer"]

ANSWER_CONFIDENCE = 0.7
REPAIRED_CONFIDENCE = 0.5

_CONSTRAINT = Constraint("answer", ANSWER_SCHEMA)


class Answerer:
    """Answers open questions with a chat model. `read_words` finds rooms and devices in what it says."""

    def __init__(self, model: GuardedModel, read_words: ReadWords, *, observe: Observer | None = None) -> None:
        self._model = model
        self._read_words = read_words
        self._observe = observe
        self._sections = HomeSections()

    async def answer(self, question: OpenQuestion, budget: Budget) -> Answer:
        """The answer; never raises for the backend's sake."""
        prompt = self._sections.prompt(question)
        text = question.reading.text
        asked = Asked[Claim | None](
            "answer",
            (ChatMessage("system", prompt.system), ChatMessage("user", text)),
            _CONSTRAINT,
            partial(check_answer, question=question, data=prompt.home + prompt.turn, read_words=self._read_words),
            partial(viable_json, root="{"),
            remind='只输出一个 {"facts":[…],"answer":"…"} 的 JSON 对象，按规则重新输出。',
            sections=prompt.section_tokens(text),
        )
        checked = await ask_checked(self._model, asked, budget, observe=self._observe)
        if checked.wrong or checked.value is None:
            return Answer(Verdict.ABSTAIN, checked.wrong[0])
        if not checked.value.answer.strip():
            return Answer(Verdict.REJECT, "no_answer", confidence=ANSWER_CONFIDENCE)
        confidence = REPAIRED_CONFIDENCE if checked.repaired else ANSWER_CONFIDENCE
        return Answer(Verdict.ACCEPT, text=checked.value.answer.strip(), confidence=confidence)
