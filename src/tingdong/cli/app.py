"""The command line: one function a subcommand (docs/cli.md)."""

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tingdong.cli.threads import limit_threads
from tingdong.errors import TingDongError

__all__ = ["app", "main"]

app = typer.Typer(
    name="tingdong",
    help="听懂: Chinese requests to a home and to a hospital's front desk, understood.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

JsonLines = Annotated[bool, typer.Option("--jsonl", help="Read JSON lines from standard input, answer one line each.")]


class EvalKind(StrEnum):
    """What `tingdong eval` can score."""

    COMMANDS = "commands"
    RETRIEVAL = "retrieval"
    SERVICE = "service"
    HOSPITAL = "hospital"


class ConvertFrom(StrEnum):
    """Platforms whose documents `tingdong convert` reads."""

    SMARTTHINGS = "smartthings"
    MATTER = "matter"
    HOME_ASSISTANT = "home-assistant"


class Tier(StrEnum):
    """Who reads the sentences that are scored."""

    LOCAL = "local"
    LLM = "llm"


def _asked(text: list[str] | None, *, jsonl: bool) -> list[str]:
    """The sentences given; a usage error where there is nothing to read."""
    if not text and not jsonl:
        raise typer.BadParameter("give a sentence, or --jsonl and lines on standard input")
    return text or []


class ChatDomain(StrEnum):
    """Whom `tingdong chat` talks to."""

    HOME = "home"
    HOSPITAL = "hospital"


@app.command()
def parse(
    text: Annotated[list[str] | None, typer.Argument(help="Sentences to read; each prints its command array.")] = None,
    *,
    jsonl: JsonLines = False,
    jobs: Annotated[int, typer.Option(help="Processes that share the lines; order is kept.", min=1)] = 1,
    out: Annotated[Path | None, typer.Option(help="Write the answers to this file.", dir_okay=False)] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where --out ends; give the same input again.")
    ] = False,
    progress: Annotated[bool, typer.Option("--progress", help="Say on standard error how far it is.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Also show the mentions found and the verdict.")] = False,
) -> None:
    """Turn a sentence into its command array with the embedded parser."""
    from tingdong.cli.reading import parse_lines, parse_sentences

    if not jsonl and (out or resume):
        raise typer.BadParameter("--out and --resume belong to --jsonl")
    if resume and not out:
        raise typer.BadParameter("--resume continues the file of --out")
    sentences = _asked(text, jsonl=jsonl)
    if jsonl and not parse_lines(jobs, out, resume=resume, progress=progress):
        raise typer.Exit(1)
    parse_sentences(sentences, explain=explain)


@app.command()
def retrieve(
    home: Annotated[
        Path,
        typer.Option(
            help="The home, as in seed 004, or a JSON list of seed 002's devices.",
            dir_okay=False,
        ),
    ],
    text: Annotated[list[str] | None, typer.Argument(help="Utterances of one conversation, in order.")] = None,
    *,
    location: Annotated[str | None, typer.Option(help="The room where the speaker is.")] = None,
    yaml: Annotated[bool, typer.Option("--yaml", help="Print the YAML for an agent's prompt, and the hint.")] = False,
    jsonl: JsonLines = False,
) -> None:
    """Choose the fewest entities of a home that an utterance needs."""
    from tingdong.cli.retrieving import HomeFile, retrieve_lines, retrieve_sentences

    sentences, opened = _asked(text, jsonl=jsonl), HomeFile(home)
    if jsonl and not retrieve_lines(opened, yaml=yaml):
        raise typer.Exit(1)
    retrieve_sentences(opened, sentences, location, yaml=yaml)


@app.command()
def route(
    text: Annotated[list[str] | None, typer.Argument(help="The turns of one dialogue, in order.")] = None,
    *,
    directory: Annotated[
        Path | None, typer.Option(help="Departments and doctors (YAML); the demo's without it.")
    ] = None,
    domain: Annotated[Path | None, typer.Option(help="Agents and rules (YAML); the hospital's without it.")] = None,
    now: Annotated[str | None, typer.Option(help="The moment that dates are read against (ISO 8601).")] = None,
    jsonl: JsonLines = False,
) -> None:
    """Route what is said at a hospital's front desk: segments, operations, task frames."""
    from tingdong.cli.routing import Desk, route_lines, route_sentences

    sentences, desk = _asked(text, jsonl=jsonl), Desk(directory, domain)
    if jsonl and not route_lines(desk):
        raise typer.Exit(1)
    route_sentences(desk, sentences, now)


@app.command()
def chat(
    *,
    domain: Annotated[ChatDomain, typer.Option(help="A home, or a hospital's front desk.")] = ChatDomain.HOME,
    directory: Annotated[Path | None, typer.Option(help="The hospital's departments and doctors.")] = None,
    home: Annotated[Path | None, typer.Option(help="The home, as in seed 004; without it the seed's sample.")] = None,
    local: Annotated[str | None, typer.Option(help="The room where you are.")] = "客厅",
    url: Annotated[str | None, typer.Option(help="Talk to this server (ws://…) instead of this process.")] = None,
    token: Annotated[
        str | None, typer.Option(help="Bearer token for that server.", envvar="TINGDONG_TOKEN", show_envvar=True)
    ] = None,
) -> None:
    """Talk to a home at the terminal (what it is told to do has happened at the next turn), or to a hospital."""
    if domain is ChatDomain.HOSPITAL:
        from tingdong.cli.hospital import chat_hospital

        chat_hospital(directory)
        return
    from tingdong.cli.chatting import chat as talk
    from tingdong.cli.chatting import open_home

    talk(open_home(home), local=local, url=url, token=token)


@app.command()
def serve(
    *,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.", min=0, max=65535)] = 8765,
    settings: Annotated[Path | None, typer.Option(help="Settings file (YAML, TOML or JSON).", dir_okay=False)] = None,
) -> None:
    """Serve the smart-home pipe, the HTTP interface, the page and the probes until SIGTERM."""
    from tingdong import bootstrap

    bootstrap.serve(host, port, settings)


@app.command("mcp")
def serve_mcp(
    *,
    home: Annotated[Path | None, typer.Option(help="The home that calls without one are about.")] = None,
) -> None:
    """Serve agents over the Model Context Protocol (stdio): parse, retrieve, resolve, explain."""
    from tingdong.cli import bridging

    bridging.serve_mcp(home)


@app.command("wyoming")
def serve_voice(
    *,
    uri: Annotated[str, typer.Option(help="Where to listen: tcp://HOST:PORT, unix://PATH or stdio://.")],
    home: Annotated[Path | None, typer.Option(help="The home; its state follows what it is told.")] = None,
    location: Annotated[str | None, typer.Option(help="The room of a speaker who does not say where.")] = None,
) -> None:
    """Serve voice assistants over the Wyoming protocol: from transcript to spoken reply and instructs."""
    from tingdong.cli import bridging

    bridging.serve_voice(uri, home, location)


@app.command()
def convert(
    document: Annotated[Path, typer.Argument(help="The platform's devices as JSON; - reads standard input.")],
    *,
    source: Annotated[ConvertFrom, typer.Option("--from", help="Whose document it is.")],
    instructs: Annotated[Path | None, typer.Option(help="Print the platform's calls for these (JSON list).")] = None,
) -> None:
    """Make a home of a platform's devices, or the platform's calls of a home's instructs."""
    from tingdong.cli.converting import convert_file

    convert_file(source.value, document, instructs)


@app.command("eval")
def evaluate(
    kind: Annotated[EvalKind, typer.Argument(help="What the sets are labelled for.")],
    files: Annotated[list[Path], typer.Argument(help="Labelled sets (JSON lines).", exists=True, dir_okay=False)],
    *,
    out: Annotated[Path, typer.Option(help="Folder of the reports.")] = Path("reports"),
    totals_only: Annotated[bool, typer.Option("--totals-only", help="Keep sentences out of the reports.")] = False,
    fail_under: Annotated[float, typer.Option(help="Exit 1 when a set's share right is below this (0..1).")] = 0.0,
    tier: Annotated[
        Tier, typer.Option(help="`llm`: the configured model on commands, beside the local tier.")
    ] = Tier.LOCAL,
    record: Annotated[Path | None, typer.Option(help="Write what the model says to this cassette.")] = None,
    replay: Annotated[Path | None, typer.Option(help="Let this cassette answer.", exists=True, dir_okay=False)] = None,
    settings: Annotated[Path | None, typer.Option(help="Settings file with `llm`.", dir_okay=False)] = None,
) -> None:
    """Score labelled sets exactly, per leading tag, and write a report."""
    from tingdong.evaluate import Options, run

    options = Options(out, totals_only)
    if tier is Tier.LLM:
        from tingdong.cli.measuring_models import Recording, score_model

        if kind is not EvalKind.COMMANDS or (record is not None and replay is not None):
            raise typer.BadParameter("--tier llm scores commands, and either records or replays")
        summaries = score_model(files, options, Recording(record, replay), settings)
    else:
        from tingdong.cli.measuring import scorer

        with scorer(kind.value, files[0].parent) as make:
            summaries = run(files, make, options)
    if any(summary.overall.share < fail_under for summary in summaries):
        raise typer.Exit(1)


def main() -> None:
    """Entry point of the `tingdong` script: 2 when an input file or a setting is broken."""
    limit_threads(os.environ)
    try:
        app()
    except TingDongError as error:
        place = f" ({error.path})" if error.path else ""
        typer.echo(f"tingdong: {error}{place}", err=True)
        raise SystemExit(2) from error
    except BrokenPipeError:
        sys.stderr.close()
        raise SystemExit(0) from None
