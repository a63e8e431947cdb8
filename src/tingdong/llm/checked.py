"""Asks a model for an answer that can be checked: one attempt and one repair attempt that names the faults.

The caller supplies `check`, which turns the text into a value and a list of faults. Every answer is checked and
reported to the observer (commands.md, Consumer).
"""

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

import msgspec

from tingdong.errors import BackendError
from tingdong.llm.answer import ChatAnswer
from tingdong.llm.budget import Budget
from tingdong.llm.exchange import Exchange, Observer
from tingdong.llm.guard import GuardedModel
from tingdong.llm.port import ChatMessage, ChatRequest, Constraint

__all__ = ["Asked", "Checked", "ask_checked"]

T = TypeVar("T")

REPEATED_CHARS = 2_000
"""How much of a wrong answer is shown to the model again."""


class Asked(msgspec.Struct, Generic[T], frozen=True):
    """A question whose answer can be checked. `task` names it in metrics and logs.

    `viable` says whether a text may still become an answer; `sections` are the estimated tokens of the prompt's parts;
    `remind` is the form to keep to, said again when an answer is refused.
    """

    task: str
    messages: tuple[ChatMessage, ...]
    constraint: Constraint
    check: Callable[[str], tuple[T, tuple[str, ...]]]
    viable: Callable[[str], bool]
    remind: str
    sections: Mapping[str, int] = {}
    max_tokens: int = 512


class Checked(msgspec.Struct, Generic[T], frozen=True):
    """The result: `value` is valid if `wrong` is empty, and None if the model could not be asked."""

    value: T | None
    wrong: tuple[str, ...] = ()
    repaired: bool = False


async def ask_checked(
    model: GuardedModel, asked: Asked[T], budget: Budget, *, repair: bool = True, observe: Observer | None = None
) -> Checked[T]:
    """The checked answer of a model. Never raises for the backend's sake: its code is then the reason."""
    request = ChatRequest(asked.messages, constraint=asked.constraint, max_tokens=asked.max_tokens)
    try:
        answer, value, wrong = await _attempt(model, asked, request, budget, observe)
    except BackendError as error:
        _tell(observe, Exchange(asked.task, reasons=(error.code,)))
        return Checked(None, (error.code,))
    if not wrong or not repair:
        return Checked(value, wrong)
    complaint = f"上面的输出不合格（{'、'.join(wrong)}）。{asked.remind}"
    answered = ChatMessage("assistant", answer.text[:REPEATED_CHARS]), ChatMessage("user", complaint)
    again = msgspec.structs.replace(request, messages=(*asked.messages, *answered))
    try:
        _, value, wrong = await _attempt(model, asked, again, budget, observe)
    except BackendError as error:
        _tell(observe, Exchange(asked.task, reasons=(error.code,), attempt=2))
    return Checked(value, wrong, repaired=True)


async def _attempt(
    model: GuardedModel, asked: Asked[T], request: ChatRequest, budget: Budget, observe: Observer | None
) -> tuple[ChatAnswer, T, tuple[str, ...]]:
    answer = await model.ask(request, budget, viable=asked.viable)
    value, wrong = asked.check(answer.text)
    attempt = 1 if len(request.messages) == len(asked.messages) else 2
    exchange = Exchange(asked.task, answer.text, wrong, asked.sections, answer.usage, answer.seconds, attempt)
    _tell(observe, exchange)
    return answer, value, wrong


def _tell(observe: Observer | None, exchange: Exchange) -> None:
    if observe is not None:
        observe(exchange)
