"""A platform's own document → a home (service.md), and the home's instructs → the platform's calls.

Adding a platform is a module and a table in `platforms/`, and a row of `Platform`; nothing else knows of it.
"""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, Protocol

import msgspec

from tingdong.bridges import Platform
from tingdong.bridges.platforms.table import PlatformTable, platform_tables
from tingdong.bridges.platforms.translate import PlatformCall, PlatformDocument, Thing, calls_of, home_of
from tingdong.errors import BadHome
from tingdong.home.document import decode_home

__all__ = ["Converted", "Platform", "convert"]


class Converted(msgspec.Struct, frozen=True):
    """The home, and the things it was made of, by id: what is needed to go back."""

    platform: Platform
    home: dict[str, Any]
    things: dict[str, Thing]

    def calls(self, instructs: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The platform's calls for instructs of this home, in order; those with `when` or `cancel` give none.

        SmartThings and Tuya: bodies of commands; Home Assistant: `service` and `data`; Matter: `command` or `write`,
        node and endpoint; Mi Home: entries of `set_properties` and actions.

        Raises `BadHome` for an instruct of another home.
        """
        table, module, shown = _table(self.platform), _module(self.platform), list[dict[str, Any]]()
        for instruct in instructs:
            if instruct.get("when") or instruct.get("cancel"):
                continue
            try:
                shown += [module.shown(call, self.things) for call in calls_of(instruct, self.things, table)]
            except KeyError as error:
                raise BadHome(f"{instruct.get('id')}: {error} is not of this home", path="instructs") from error
        return shown


def convert(platform: Platform, document: Any) -> Converted:
    """The home that a platform's document describes, valid. Raises `BadHome` for a document of another shape."""
    try:
        things, scenes, rooms = _module(platform).read(document, _table(platform))
        home = home_of(things, _table(platform), scenes=scenes, rooms=rooms)
    except KeyError as error:
        raise BadHome(f"not a {platform} document: `{error.args[0]}` is missing", path="") from error
    except (TypeError, AttributeError, ValueError) as error:
        raise BadHome(f"not a {platform} document: {error}", path="") from error
    decode_home(home)
    return Converted(platform, home, {thing.id: thing for thing in things})


def _table(platform: Platform) -> PlatformTable:
    return platform_tables()[platform.module]


class _Module(Protocol):
    """What a platform's module gives: a document read, and a call as the platform takes it."""

    def read(self, document: Any, table: PlatformTable, /) -> PlatformDocument: ...
    def shown(self, call: PlatformCall, things: Mapping[str, Thing], /) -> dict[str, Any]: ...


def _module(platform: Platform) -> _Module:
    module: Any = import_module(f"tingdong.bridges.platforms.{platform.module}")
    return module  # type: ignore[no-any-return]
