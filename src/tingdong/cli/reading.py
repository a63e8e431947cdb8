"""`tingdong parse`: sentences in, command arrays out."""

from collections.abc import Iterable
from functools import cache

import typer

from context_retrieval.protocol import encode, or_unknown
from tingdong.cli.lines import Answer, ParseLine, answer_each, answer_in_parallel, answer_lines
from tingdong.commands import LocalParser
from tingdong.commands.reading import Reading

__all__ = ["parse_batch", "parse_lines", "parse_sentences"]


def parse_lines(jobs: int = 1) -> bool:
    """Answer lines of `ParseLine` in `jobs` processes; False when one could not be read."""
    if jobs > 1:
        return answer_in_parallel(parse_batch, jobs)
    return answer_lines(ParseLine, _answer)


def parse_batch(lines: list[bytes]) -> list[tuple[bytes, bool]]:
    """The answers to a batch of lines."""
    return list(answer_each(lines, ParseLine, _answer))


@cache
def _parser() -> LocalParser:
    return LocalParser()


def _answer(line: ParseLine) -> Answer:
    reading = _parser().read(line.text)
    return {
        "id": line.id,
        "commands": [str(command) for command in or_unknown(reading.commands)],
        "confidence": round(reading.confidence, 4),
        "tier": reading.tier,
    }


def parse_sentences(sentences: Iterable[str], *, explain: bool) -> None:
    """Print each sentence's array and, with `explain`, what was found in it."""
    for sentence in sentences:
        reading = _parser().read(sentence)
        typer.echo(encode(reading.commands))
        if explain:
            _explain(reading)


def _explain(reading: Reading) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("span", "words", "kind", "value", "type", "score")
    for mention in reading.mentions:
        span, words = f"{mention.start}-{mention.end}", reading.text[mention.start : mention.end]
        table.add_row(span, words, mention.kind, mention.value, mention.type, f"{mention.score:.2f}")
    console = Console()
    console.print(table)
    reason = f" ({reading.reason})" if reading.reason else ""
    console.print(f"{reading.verdict}{reason}, confidence {reading.confidence:.2f}, tier {reading.tier}")
