"""The sentences that a domain's reading is learned from: of each agent, in the domain file or beside it.

`sentences` of a domain file, or `<name>.sentences.yaml` beside it, hold lines under an agent's code; those under
`unknown` are no task. What is no task at any desk (`data/any_desk.txt`: a greeting, a time, a yes) is learned besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from context_retrieval.strict_yaml import YAMLError, parse_yaml
from tingdong.errors import DataError
from tingdong.front_desk.domain import Domain
from tingdong.front_desk.model import UNKNOWN_AGENT

ANY_DESK = Path(__file__).parent / "data" / "any_desk.txt"

Phrase = tuple[str, str]
"""A sentence, and the agent that it asks for."""


def lessons_of(domain: Domain) -> tuple[Phrase, ...]:
    """What a domain gives to learn from; empty where it gives nothing.

    Raises:
        DataError: sentences of an agent that the domain does not have, or a file that cannot be read; says which.
    """
    told = list(_lines(domain, domain.sentences, "sentences"))
    if domain.source:
        beside = Path(domain.source).with_suffix(".sentences.yaml")
        if beside.exists():
            told += _lines(domain, _yaml(beside), beside.name)
    return tuple(dict.fromkeys(told))


@cache
def no_tasks() -> tuple[Phrase, ...]:
    """Sentences that are a task at no desk."""
    return tuple((line, UNKNOWN_AGENT) for line in ANY_DESK.read_text("utf-8").splitlines())


def _lines(domain: Domain, told: dict[str, str], where: str) -> Iterator[Phrase]:
    for agent, lines in told.items():
        if agent not in domain.agents and agent != UNKNOWN_AGENT:
            raise DataError(f"{where}: {agent}: not an agent of the domain", path=f"{where}.{agent}")
        if not isinstance(lines, str):
            raise DataError(f"{where}: {agent}: expected a block with one sentence per line", path=f"{where}.{agent}")
        yield from ((line.strip(), agent) for line in lines.splitlines() if line.strip())


def _yaml(path: Path) -> dict[str, str]:
    try:
        read = parse_yaml(path.read_bytes())
    except (OSError, YAMLError) as error:
        raise DataError(f"{path.name}: {error}", path=path.name) from error
    if not isinstance(read, dict):
        raise DataError(f"{path.name}: expected a mapping from agent codes to sentences", path=path.name)
    return read
