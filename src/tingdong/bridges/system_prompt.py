"""The agent's system prompt: base, devices, hint, in that order (retrieval.md, Calls, steps 3 to 5).

What comes from the home or from a user is data: the YAML is that of the injector, and the hint, which names devices, is
cleaned to one line. The base stays at the front, byte for byte, so that a prompt cache can keep it.
"""

from context_retrieval.injection import one_line, summarize_result_for_prompt
from context_retrieval.models import RetrievalResult

__all__ = ["system_prompt"]

MAX_HINT = 300


def system_prompt(base: str, result: RetrievalResult, *, budget: int | None = None) -> str:
    """`base`, the YAML of what was retrieved, and the hint if there is one. `budget` limits the YAML, in tokens.

    Nothing retrieved and no hint: `base` alone, since an empty list would only invite invention.
    """
    parts = [base]
    if result.entities:
        parts.append(summarize_result_for_prompt(result, budget=budget).rstrip("\n"))
    if result.hint:
        parts.append(f"# 提示：{one_line(result.hint, MAX_HINT)}")
    return "\n\n".join(parts)
