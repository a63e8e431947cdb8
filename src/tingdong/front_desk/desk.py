"""A desk's configuration at run time: domain file, directory, and their versions (hospital.md, Per turn).

New files replace the old ones only if both are valid; otherwise the error names file and key. The last versions are
kept for a rollback. Contexts continue, so a reload is refused if it removes the agent of an open frame.
"""

import hashlib
import logging
from collections.abc import Callable
from pathlib import Path

import msgspec

from tingdong.errors import DataError
from tingdong.front_desk.advance import DeskOptions
from tingdong.front_desk.directory import EMPTY, Directory
from tingdong.front_desk.directory import load as load_directory
from tingdong.front_desk.domain import DEFAULT_DOMAIN, Domain
from tingdong.front_desk.domain import load as load_domain
from tingdong.front_desk.lacking import lacking
from tingdong.front_desk.read import DeskReader, models_of
from tingdong.front_desk.router import ReadingTier, Router

__all__ = ["DEMO_DIRECTORY", "Desk", "MakeReader", "local_reader"]

DEMO_DIRECTORY = DEFAULT_DOMAIN.parent / "demo_hospital.yaml"
"""The demo hospital that ships with the package."""
KEPT_VERSIONS = 5

_LOG = logging.getLogger(__name__)

MakeReader = Callable[[Domain, Directory], ReadingTier]


def local_reader(domain: Domain, directory: Directory) -> DeskReader:
    """The embedded reader: rules, and what was learned from the domain's sentences, or ships for its agents."""
    return DeskReader(domain, directory, models_of(domain))


class _Loaded(msgspec.Struct, frozen=True):
    version: str
    router: Router
    lacks: tuple[str, ...]


class Desk:
    """The router in force, and the ones before it."""

    def __init__(
        self,
        make_reader: MakeReader = local_reader,
        *,
        domain: Path = DEFAULT_DOMAIN,
        directory: Path | None = DEMO_DIRECTORY,
        options: DeskOptions | None = None,
    ) -> None:
        self._make_reader = make_reader
        self._paths = (domain, directory)
        self._options = options or DeskOptions()
        self._versions = [self._load()]

    @property
    def router(self) -> Router:
        """The router of the files in force."""
        return self._versions[-1].router

    @property
    def lacks(self) -> tuple[str, ...]:
        """What the files in force leave out (`lacking`)."""
        return self._versions[-1].lacks

    @property
    def versions(self) -> tuple[str, ...]:
        """Versions kept, the one in force last."""
        return tuple(loaded.version for loaded in self._versions)

    def reload(self) -> str:
        """Reads the files again; the version now in force. Raises `DataError`, keeping the old, when one is broken."""
        fresh = self._load()
        lost = set(self.router.domain.agents) - set(fresh.router.domain.agents)
        if lost:
            raise DataError(f"agents: {'、'.join(sorted(lost))} may be in use and must stay", path="agents")
        if fresh.version != self._versions[-1].version:
            self._versions = [*self._versions, fresh][-KEPT_VERSIONS:]
        return fresh.version

    def roll_back(self) -> str:
        """Takes the last reload back; the version now in force. Raises `DataError` when there is none before."""
        if len(self._versions) < 2:
            raise DataError("there is no earlier version to go back to")
        self._versions.pop()
        return self._versions[-1].version

    def _load(self) -> _Loaded:
        domain_path, directory_path = self._paths
        domain = load_domain(domain_path)
        directory = load_directory(directory_path) if directory_path is not None else EMPTY
        raw = directory_path.read_bytes() if directory_path is not None else b""
        people = hashlib.blake2b(raw, digest_size=3).hexdigest()
        domain = msgspec.structs.replace(domain, version=f"{domain.version}.{people}")
        router = Router(domain, self._make_reader(domain, directory), options=self._options)
        lacks = lacking(domain, directory)
        for line in lacks:
            _LOG.warning("%s: %s", domain_path.name, line)
        return _Loaded(domain.version, router, lacks)
