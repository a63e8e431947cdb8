"""The command line: `tingdong serve | parse | retrieve | chat | route | eval`.

JSON lines in, JSON lines out, in the same order; a line that cannot be read is answered `{"id": …, "error": "…"}`, the
rest goes on, and the exit status is 1 at the end. Heavy parts are imported by the command that needs them.
"""

import sys
import traceback
from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from tingdong.errors import TingDongError

__all__ = ["app", "main"]

app = typer.Typer(
    name="tingdong",
    help="听懂: Chinese requests to a home and to a hospital's front desk, understood.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Answer = dict[str, Any]
JsonLines = Annotated[bool, typer.Option("--jsonl", help="Read JSON lines from standard input, answer one line each.")]


class EvalKind(StrEnum):
    """What `tingdong eval` can score."""

    COMMANDS = "commands"
    RETRIEVAL = "retrieval"
    SERVICE = "service"
    HOSPITAL = "hospital"


class ParseLine(msgspec.Struct):
    """A line of `parse --jsonl`; unknown fields are ignored."""

    text: str
    id: Any = None


@app.command()
def parse(
    text: Annotated[list[str] | None, typer.Argument(help="Sentences to read; each prints its command array.")] = None,
    *,
    jsonl: JsonLines = False,
    explain: Annotated[bool, typer.Option("--explain", help="Also show the mentions found and the verdict.")] = False,
) -> None:
    """Turn a sentence into its command array with the embedded parser."""
    from context_retrieval.protocol import encode, or_unknown
    from tingdong.commands import LocalParser

    parser = LocalParser()

    def answer(line: ParseLine) -> Answer:
        reading = parser.read(line.text)
        return {
            "id": line.id,
            "commands": [str(command) for command in or_unknown(reading.commands)],
            "confidence": round(reading.confidence, 4),
            "tier": reading.tier,
        }

    if jsonl:
        _answer_lines(ParseLine, answer)
    for sentence in text or ():
        reading = parser.read(sentence)
        typer.echo(encode(reading.commands))
        if explain:
            _explain(reading)


def _explain(reading: Any) -> None:
    """Print what the parser found in the sentence, and its verdict."""
    from rich.console import Console
    from rich.table import Table

    table = Table("span", "kind", "value", "type", "score")
    for mention in reading.mentions:
        words = reading.text[mention.start : mention.end]
        table.add_row(
            f"{mention.start}-{mention.end} {words}", mention.kind, mention.value, mention.type, f"{mention.score:.2f}"
        )
    console = Console()
    console.print(table)
    reason = f" ({reading.reason})" if reading.reason else ""
    console.print(f"{reading.verdict}{reason}, confidence {reading.confidence:.2f}, tier {reading.tier}")


@app.command("eval")
def evaluate(
    kind: Annotated[EvalKind, typer.Argument(help="What the sets are labelled for.")],
    files: Annotated[list[Path], typer.Argument(help="Labelled sets (JSON lines).", exists=True, dir_okay=False)],
    *,
    out: Annotated[Path, typer.Option(help="Folder of the reports.")] = Path("reports"),
    totals_only: Annotated[bool, typer.Option("--totals-only", help="Keep sentences out of the reports.")] = False,
    fail_under: Annotated[float, typer.Option(help="Exit 1 when a set's share right is below this (0..1).")] = 0.0,
) -> None:
    """Score labelled sets exactly, per leading tag, and write a report."""
    from tingdong.evaluate import Options, run

    summaries = run(files, _scorer(kind), Options(out, totals_only))
    if any(summary.overall.share < fail_under for summary in summaries):
        raise typer.Exit(1)


def _scorer(kind: EvalKind) -> Any:
    """A factory of fresh scorers for one kind of set."""
    from tingdong.commands import LocalParser
    from tingdong.evaluate import commands

    parser = LocalParser()
    return lambda: (lambda case: [commands.score_case(case, parser.read)], dict)


def _answer_lines(kind: type[Any], answer: Callable[[Any], Answer]) -> None:
    """Answer every line of standard input; raises `typer.Exit(1)` at the end when one could not be answered."""
    failed = False
    decoder = msgspec.json.Decoder(kind)
    for line in _lines():
        try:
            result = answer(decoder.decode(line))
        except (msgspec.DecodeError, TingDongError) as error:
            result, failed = {"id": _id_of(line), "error": str(error)}, True
        except Exception as error:  # noqa: BLE001  a fault of ours in one line must not cost the others
            traceback.print_exc(file=sys.stderr)
            result, failed = {"id": _id_of(line), "error": f"internal: {type(error).__name__}"}, True
        sys.stdout.buffer.write(msgspec.json.encode(result) + b"\n")
        sys.stdout.buffer.flush()
    if failed:
        raise typer.Exit(1)


def _lines() -> Iterable[bytes]:
    return (line for line in sys.stdin.buffer if line.strip())


def _id_of(line: bytes) -> Any:
    """The `id` of a line that could not be answered, None when it has none."""
    try:
        value = msgspec.json.decode(line)
    except msgspec.DecodeError:
        return None
    return value.get("id") if isinstance(value, dict) else None


def main() -> None:
    """Entry point of the `tingdong` script."""
    try:
        app()
    except TingDongError as error:
        typer.echo(f"tingdong: {error}", err=True)
        raise SystemExit(2) from error
    except BrokenPipeError:
        sys.stderr.close()
        raise SystemExit(0) from None
