"""The command line (docs/cli.md): arguments of each subcommand and its function.

It uses argparse, so `tingdong parse` starts fast on the base install. A command imports its extras itself; `main` names
the extra that is missing.
"""

import os
import sys
from argparse import Action, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from tingdong.bridges import Platform
from tingdong.cli.threads import limit_threads
from tingdong.errors import TingDongError

__all__ = ["command_line", "main"]

BROKEN, INTERRUPTED = 2, 130
EXTRAS = {
    "rich": "cli",
    "mcp": "mcp",
    "wyoming": "voice",
    "openai": "llm",
    "redis": "redis",
    "jwt": "auth",
    **dict.fromkeys(("pydantic", "pydantic_settings", "starlette", "uvicorn", "websockets"), "server"),
    **dict.fromkeys(("httptools", "uvloop", "prometheus_client", "opentelemetry"), "server"),
}
"""The extra that brings what a command may lack."""

Run = Callable[[Namespace], bool | None]
"""What a subcommand does; False for exit status 1."""


def command_line() -> ArgumentParser:
    """Every subcommand with its arguments."""
    root = ArgumentParser(
        "tingdong",
        description="听懂: Chinese requests to a home and to a hospital's front desk, understood.",
        allow_abbrev=False,
    )
    root.add_argument("--version", action=_Version, nargs=0, help="Show the version and exit.")
    commands = root.add_subparsers(metavar="COMMAND", required=True)

    def command(name: str, run: Run) -> ArgumentParser:
        added = commands.add_parser(name, help=run.__doc__, description=run.__doc__, allow_abbrev=False)
        added.set_defaults(run=run, fail=added.error)
        return added

    _reading_commands(command)
    _serving_commands(command)
    _measuring_commands(command)
    return root


class _Version(Action):
    """`--version`, looked up on demand."""

    def __call__(self, parser: ArgumentParser, *_: Any) -> NoReturn:
        from importlib.metadata import version

        print(f"tingdong {version('tingdong')}")
        parser.exit()


Command = Callable[[str, Run], ArgumentParser]


def _reading_commands(command: Command) -> None:
    lines: dict[str, Any] = {
        "action": "store_true",
        "help": "Read JSON lines from standard input, answer one line each.",
    }
    parse = command("parse", _parse)
    parse.add_argument("text", nargs="*", help="Sentences to read; each prints its command array.")
    parse.add_argument("--jsonl", **lines)
    parse.add_argument("--jobs", type=_number(1, 1024), default=1, help="Processes that share the lines, in order.")
    parse.add_argument("--out", type=_file, help="Write the answers to this file.")
    parse.add_argument("--resume", action="store_true", help="Continue at the end of --out; needs the same input.")
    parse.add_argument("--progress", action="store_true", help="Show progress on standard error.")
    parse.add_argument("--explain", action="store_true", help="Also show corrections, mentions and verdict.")

    parse.add_argument("--alternative", action="append", default=[], help="Another text of the recogniser; repeatable.")

    retrieve = command("retrieve", _retrieve)
    model = "Settings file whose `llm` may read, on its path (always: first)."
    home = "A home, or a JSON list of devices (docs/protocol/retrieval.md)."
    retrieve.add_argument("--home", type=_file, required=True, help=home)
    retrieve.add_argument("text", nargs="*", help="Utterances of one conversation, in order.")
    retrieve.add_argument("--location", help="The room where the speaker is.")
    retrieve.add_argument("--yaml", action="store_true", help="Print the YAML for an agent's prompt, and the hint.")
    retrieve.add_argument("--settings", type=_file, help=model)
    retrieve.add_argument("--jsonl", **lines)

    route = command("route", _route)
    route.add_argument("text", nargs="*", help="The turns of one dialogue, in order.")
    route.add_argument("--directory", type=_file, help="Places and people of the desk (YAML).")
    route.add_argument("--domain", type=_file, help="Domain file of the desk (YAML); without it the demo hospital.")
    route.add_argument("--now", help="The moment that dates are read against (ISO 8601).")
    route.add_argument("--jsonl", **lines)

    train = command("train-domain", _train_domain)
    train.add_argument("domain", type=_present, help="Agents, words and sentences of the desk (YAML).")
    train.add_argument("--directory", type=_file, help="Places and people of the desk (YAML).")

    convert = command("convert", _convert)
    convert.add_argument("document", type=Path, help="The platform's devices as JSON; - reads standard input.")
    platforms = [platform.value for platform in Platform]
    convert.add_argument("--from", dest="source", choices=platforms, required=True, help="Platform of the document.")
    convert.add_argument("--instructs", type=_file, help="Print the platform's calls for these (JSON list).")
    convert.add_argument("--automations", type=_file, help="Print automations for scheduled instructs (JSON list).")


def _serving_commands(command: Command) -> None:
    chat = command("chat", _chat)
    desk = "home (without it), hospital, or the domain file of a desk of your own (YAML)."
    chat.add_argument("--domain", default="home", help=desk)
    chat.add_argument("--directory", type=_file, help="Places and people of the desk (YAML).")
    chat.add_argument("--home", type=_file, help="The home; without it the sample home.")
    chat.add_argument("--local", help="The room where you are; without it 客厅, where the home has one.")
    chat.add_argument("--url", help="Talk to this server (ws://…) instead of this process.")
    token = os.environ.get("TINGDONG_TOKEN")
    chat.add_argument("--token", default=token, help="Bearer token for that server; without it TINGDONG_TOKEN.")

    serve = command("serve", _serve)
    serve.add_argument("--host", default="127.0.0.1", help="Address to listen on.")
    serve.add_argument("--port", type=_number(0, 65535), default=8765, help="Port to listen on; 0 takes a free one.")
    serve.add_argument("--settings", type=_file, help="Settings file (YAML, TOML or JSON).")

    mcp = command("mcp", _mcp)
    mcp.add_argument("--home", type=_file, help="Home for calls that bring none.")
    mcp.add_argument("--settings", type=_file, help="Settings file whose `llm` may read for `retrieve`.")

    wyoming = command("wyoming", _wyoming)
    wyoming.add_argument("--uri", required=True, help="Where to listen: tcp://HOST:PORT, unix://PATH or stdio://.")
    wyoming.add_argument("--home", type=_file, help="The home; instructs change its state.")
    wyoming.add_argument("--location", help="Room of requests that name none.")


def _measuring_commands(command: Command) -> None:
    examine = command("doctor", _doctor)
    examine.add_argument("--settings", type=_file, help="Settings file to look at (YAML, TOML or JSON).")
    examine.add_argument("--domain", type=_file, help="Domain file of a front desk to look at (YAML).")
    examine.add_argument("--directory", type=_file, help="Its directory of places and people (YAML).")

    measure = command("eval", _eval)
    kinds = ("commands", "retrieval", "service", "hospital")
    measure.add_argument("kind", choices=kinds, help="What the sets are labelled for.")
    measure.add_argument("files", type=_present, nargs="+", help="Labelled sets (JSON lines).")
    measure.add_argument("--out", type=Path, default=Path("reports"), help="Folder of the reports.")
    measure.add_argument("--totals-only", action="store_true", help="Keep sentences out of the reports.")
    share = "Exit 1 when a set's share right is below this (0..1)."
    measure.add_argument("--fail-under", type=float, default=0.0, help=share)
    tiers = "`llm`: the configured model on commands, beside the local tier."
    measure.add_argument("--tier", choices=("local", "llm"), default="local", help=tiers)
    measure.add_argument("--record", type=_file, help="Record the model's answers in this cassette.")
    measure.add_argument("--replay", type=_present, help="Answer from this cassette.")
    measure.add_argument("--settings", type=_file, help="Settings file with `llm`.")
    measure.add_argument("--beside", type=_present, help="Hospital: put each sentence in these frames (YAML).")


def _file(text: str) -> Path:
    path = Path(text)
    if path.is_dir():
        raise ArgumentTypeError(f"{text} is a folder")
    return path


def _present(text: str) -> Path:
    if not Path(text).exists():
        raise ArgumentTypeError(f"{text} does not exist")
    return _file(text)


def _number(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise ArgumentTypeError(f"{text} is not a number in {least}..{most}")
        return int(text)

    return read


def _asked(given: Namespace) -> list[str]:
    """The given sentences; a usage error without any."""
    if not given.text and not given.jsonl:
        given.fail("give a sentence, or --jsonl and lines on standard input")
    sentences: list[str] = given.text
    return sentences


def _parse(given: Namespace) -> bool:
    """Turn a sentence into its command array with the embedded parser."""
    from tingdong.cli.reading import parse_lines, parse_sentences
    from tingdong.hearing.offered import MOST_OFFERED

    if not given.jsonl and (given.out or given.resume):
        given.fail("--out and --resume need --jsonl")
    if given.resume and not given.out:
        given.fail("--resume continues the file of --out")
    sentences = _asked(given)
    if given.jsonl and not parse_lines(given.jobs, given.out, resume=given.resume, progress=given.progress):
        return False
    if given.alternative and (given.jsonl or len(sentences) != 1 or len(given.alternative) > MOST_OFFERED):
        given.fail(f"--alternative goes with one sentence, at most {MOST_OFFERED} times")
    parse_sentences(sentences, explain=given.explain, alternatives=given.alternative)
    return True


def _retrieve(given: Namespace) -> bool:
    """Choose the fewest entities of a home that an utterance needs."""
    from tingdong.cli.bridging import led_reader
    from tingdong.cli.retrieving import HomeFile, retrieve_lines, retrieve_sentences

    sentences = _asked(given)
    with led_reader(given.settings) as reader:
        opened = HomeFile(given.home, reader)
        if given.jsonl and not retrieve_lines(opened, yaml=given.yaml):
            return False
        retrieve_sentences(opened, sentences, given.location, yaml=given.yaml)
    return True


def _route(given: Namespace) -> bool:
    """Route turns of a front desk: segments, operations, task frames."""
    from tingdong.cli.routing import RoutingDesk, route_lines, route_sentences

    sentences, desk = _asked(given), RoutingDesk(given.directory, given.domain)
    if given.jsonl and not route_lines(desk):
        return False
    route_sentences(desk, sentences, given.now)
    return True


def _train_domain(given: Namespace) -> None:
    """Train the reading of a front desk on the sentences of its domain file: a few seconds."""
    from tingdong.cli.training import train_file

    train_file(given.domain, given.directory)


def _chat(given: Namespace) -> None:
    """Talk to a home at the terminal (instructs are applied before the next turn), or to a front desk."""
    if given.domain != "home":
        if given.url or given.home or given.local:
            given.fail("--url, --home and --local are for a home; a front desk runs in this process")
        from tingdong.cli.hospital import chat_desk

        return chat_desk(None if given.domain == "hospital" else Path(given.domain), given.directory)
    from tingdong.cli.chatting import chat, open_home

    return chat(open_home(given.home), local=given.local, url=given.url, token=given.token)


def _serve(given: Namespace) -> None:
    """Serve the smart-home pipe, the HTTP interface, the page and the probes until SIGTERM."""
    from tingdong import bootstrap

    bootstrap.serve(given.host, given.port, given.settings)


def _mcp(given: Namespace) -> None:
    """Serve agents over the Model Context Protocol (stdio): parse, retrieve, resolve, explain."""
    from tingdong.cli import bridging

    bridging.serve_mcp(given.home, given.settings)


def _wyoming(given: Namespace) -> None:
    """Serve voice assistants over the Wyoming protocol: from transcript to spoken reply and instructs."""
    from tingdong.cli import bridging

    bridging.serve_voice(given.uri, given.home, given.location)


def _convert(given: Namespace) -> None:
    """Convert a platform's devices to a home, or a home's instructs to the platform's calls."""
    from tingdong.cli.converting import convert_file

    convert_file(given.source, given.document, given.instructs, given.automations)


def _doctor(given: Namespace) -> bool:
    """Show what is installed, configured and reachable."""
    from tingdong.cli.doctoring import DeskFiles, doctor

    return doctor(given.settings, DeskFiles(given.domain, given.directory))


def _eval(given: Namespace) -> bool:
    """Score labelled sets exactly, per leading tag, and write a report."""
    from tingdong.evaluate import RunOptions, run
    from tingdong.evaluate.beside import load_frames

    options = RunOptions(given.out, given.totals_only)
    if given.beside is not None:
        if given.kind != "hospital":
            given.fail("--beside is for sets of the hospital")
        options = RunOptions(given.out, given.totals_only, "_beside", load_frames(given.beside))
    if given.tier == "llm":
        from tingdong.cli.measuring_models import Recording, score_model

        if given.kind != "commands" or (given.record is not None and given.replay is not None):
            given.fail("--tier llm scores commands, and either records or replays")
        summaries = score_model(given.files, options, Recording(given.record, given.replay), given.settings)
    else:
        from tingdong.cli.measuring import scorer

        with scorer(given.kind, given.files[0].parent) as make:
            summaries = run(given.files, make, options)
    return all(summary.overall.share >= given.fail_under for summary in summaries)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Entry point of the `tingdong` script: 2 when an input file or a setting is broken, or an extra is missing."""
    limit_threads(os.environ)
    given = command_line().parse_args(arguments)
    try:
        if given.run is not _doctor:  # which reports of them, also where they are wrong
            _take_words(os.environ.get("TINGDONG_WORDS"))
        good = given.run(given)
        sys.stdout.flush()
    except TingDongError as error:
        _end(f"{error} ({error.path})" if error.path and error.path not in str(error) else str(error))
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRAS:
            raise
        extra = EXTRAS[str(error.name).partition(".")[0]]
        _end(f"{error.name} is not installed; in the folder of TingDong: pip install '.[{extra}]'")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left to be flushed at the end goes nowhere
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    raise SystemExit(0 if good is not False else 1)


def _take_words(folder: str | None) -> None:
    if folder:
        from tingdong.bootstrap import take_words

        take_words(Path(folder))


def _end(said: str) -> NoReturn:
    sys.stderr.write(f"tingdong: {said}\n")
    raise SystemExit(BROKEN)
