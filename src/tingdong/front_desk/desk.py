"""A hospital desk's configuration while the service runs: domain file, directory, and their versions (seed 003 §7.1).

A new pair of files replaces the old one only when both are valid; otherwise the old pair stays, and the error says file
and key. The last versions are kept, so that a change can be taken back. Contexts carry on: a frame whose agent a new
domain no longer knows is the one thing that a reload refuses.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path

import msgspec

from tingdong.errors import DataError
from tingdong.front_desk.advance import Options
from tingdong.front_desk.directory import Directory
from tingdong.front_desk.directory import load as load_directory
from tingdong.front_desk.domain import DEFAULT_DOMAIN, Domain
from tingdong.front_desk.domain import load as load_domain
from tingdong.front_desk.read import Reader, shipped_models
from tingdong.front_desk.router import ReadingTier, Router

__all__ = ["DEMO_DIRECTORY", "Desk", "MakeReader", "local_reader"]

DEMO_DIRECTORY = DEFAULT_DOMAIN.parent / "demo_hospital.yaml"
"""The demo hospital that ships with the package."""
KEPT_VERSIONS = 5

MakeReader = Callable[[Domain, Directory], ReadingTier]


def local_reader(domain: Domain, directory: Directory) -> Reader:
    """The embedded reader: rules, and the shipped models as far as the domain can use them."""
    return Reader(domain, directory, shipped_models(domain))


class _Loaded(msgspec.Struct, frozen=True):
    version: str
    router: Router


class Desk:
    """The router in force, and the ones before it."""

    def __init__(
        self,
        make_reader: MakeReader = local_reader,
        *,
        domain: Path = DEFAULT_DOMAIN,
        directory: Path = DEMO_DIRECTORY,
        options: Options | None = None,
    ) -> None:
        self._make_reader = make_reader
        self._paths = (domain, directory)
        self._options = options or Options()
        self._versions = [self._load()]

    @property
    def router(self) -> Router:
        return self._versions[-1].router

    @property
    def versions(self) -> tuple[str, ...]:
        """Versions kept, the one in force last."""
        return tuple(loaded.version for loaded in self._versions)

    def reload(self) -> str:
        """Reads the files again; the version now in force. Raises `DataError`, keeping the old, when one is broken."""
        fresh = self._load()
        lost = set(self.router.domain.agents) - set(fresh.router.domain.agents)
        if lost:
            raise DataError(f"agents: {'、'.join(sorted(lost))} may stand in open dialogues; keep them", path="agents")
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
        directory = load_directory(directory_path)
        people = hashlib.blake2b(directory_path.read_bytes(), digest_size=3).hexdigest()
        domain = msgspec.structs.replace(domain, version=f"{domain.version}.{people}")
        router = Router(domain, self._make_reader(domain, directory), options=self._options)
        return _Loaded(domain.version, router)
