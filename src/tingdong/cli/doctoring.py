"""`tingdong doctor`: what is installed, configured and reachable."""

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from tingdong.errors import TingDongError

if TYPE_CHECKING:
    from tingdong.settings import Settings

__all__ = ["Check", "DeskFiles", "doctor", "examine"]

SAMPLE = "打开卧室顶灯调到50%"
REACH_SECONDS = 3.0
_MARK = {True: "ok", False: "FAULT", None: "-"}


class Check(msgspec.Struct, frozen=True):
    """One line of the report. `good` is None where something optional is not there."""

    what: str
    said: str
    good: bool | None = True


class DeskFiles(msgspec.Struct, frozen=True):
    """Files of a front desk to look at."""

    domain: Path | None = None
    directory: Path | None = None


SHIPPED = DeskFiles()
"""The desk that ships with the package."""


def doctor(settings: Path | None, desk: DeskFiles = SHIPPED) -> bool:
    """Prints the report; False when something is broken, or is configured and cannot be reached."""
    findings = list(examine(settings, desk))
    width = max(len(finding.what) for finding in findings)
    for finding in findings:
        print(f"{_MARK[finding.good]:<5} {finding.what:<{width}}  {finding.said}")
    return all(finding.good is not False for finding in findings)


def examine(settings: Path | None, desk: DeskFiles = SHIPPED) -> Iterator[Check]:
    """Every check, in the order of the report."""
    yield Check("tingdong", f"{version('tingdong')}, Python {sys.version.split()[0]}")
    configured = list(_configured(settings))  # first of all: own words are taken before anything is read
    yield _tried("commands", _parses)
    yield from _desk(desk)
    yield from _extras()
    yield from configured


def _tried(what: str, does: Callable[[], str]) -> Check:
    try:
        return Check(what, does())
    except TingDongError as error:
        return Check(what, str(error), good=False)


def _parses() -> str:
    from tingdong.reader import sentence_reader

    commands = [str(command) for command in sentence_reader().read(SAMPLE).commands]
    return f"{SAMPLE} → {len(commands)} commands"


def _desk(files: DeskFiles) -> Iterator[Check]:
    """The front desk of some files, and what they leave out; the one that ships where none are given."""
    from tingdong.bootstrap import hospital_desk

    try:
        desk = hospital_desk(files.directory, files.domain)
    except TingDongError as error:
        yield Check("front desk", str(error), good=False)
        return
    domain = desk.router.domain
    yield Check("front desk", f"domain {domain.name} {domain.version}, {len(domain.agents)} agents")
    yield from (Check("front desk", f"without {line}", None) for line in desk.lacks)


def _extras() -> Iterator[Check]:
    """What each extra brings, and which of its packages are missing."""
    wanted: dict[str, list[str]] = {}
    for requirement in requires("tingdong") or ():
        spec, _, condition = requirement.partition(";")
        if "extra ==" in condition:
            extra = condition.split("extra ==")[1].strip(" '\"")
            wanted.setdefault(extra, []).append(_name(spec))
    for extra, packages in sorted(wanted.items()):
        missing = sorted(name for name in packages if not _is_installed(name))
        said = f"pip install '.[{extra}]' brings {', '.join(missing)}" if missing else "installed"
        yield Check(f"extra {extra}", said, None if missing else True)


def _name(spec: str) -> str:
    for sign in "[<>=!~ ":
        spec = spec.partition(sign)[0]
    return spec.strip()


def _is_installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def _configured(path: Path | None) -> Iterator[Check]:
    """The settings of file and environment, and the servers they name."""
    if find_spec("pydantic_settings") is None:
        yield Check("settings", "not read: they need the extra server", None)
        yield from _own_words(os.environ.get("TINGDONG_WORDS"))
        return
    from tingdong.settings import load_settings

    try:
        settings = load_settings(path)
    except TingDongError as error:
        yield Check("settings", f"{error} ({error.path})" if error.path else str(error), good=False)
        return
    changed = sorted(settings.model_fields_set)
    yield Check("settings", f"set: {', '.join(changed)}" if changed else "defaults")
    yield from _own_words(settings.words)
    yield _page_store(settings) if settings.pages.url else Check("pages", "in memory", None)
    if settings.llm is None:
        yield Check("language model", "none configured; the embedded reading serves", None)
    else:
        yield asyncio.run(_model(settings.llm.base_url, settings.llm.model))


def _own_words(folder: str | Path | None) -> Iterator[Check]:
    """The number of own words, or the fault in them."""
    if folder:
        from tingdong.bootstrap import take_words

        yield _tried("own words", lambda: f"{take_words(Path(folder))}, from {folder}")


def _page_store(settings: "Settings") -> Check:
    from tingdong.bootstrap import build

    async def reach() -> None:
        runtime = build(settings)
        try:
            await asyncio.wait_for(runtime.check(), REACH_SECONDS)
        finally:
            await runtime.close()

    try:
        asyncio.run(reach())
    except (TingDongError, TimeoutError) as error:
        return Check("pages", f"the store does not answer: {error or 'no answer in time'}", good=False)
    return Check("pages", "the store answers")


async def _model(base_url: str, model: str) -> Check:
    """Whether the model's server can be connected to; nothing is sent to it."""
    from urllib.parse import urlsplit

    parts = urlsplit(base_url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        _, writer = await asyncio.wait_for(asyncio.open_connection(parts.hostname, port), REACH_SECONDS)
    except (OSError, TimeoutError):
        return Check("language model", f"{model}: nobody listens at {base_url}", good=False)
    writer.close()
    return Check("language model", f"{model}: {parts.hostname}:{port} listens")
