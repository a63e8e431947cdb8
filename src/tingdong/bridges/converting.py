"""A platform's own document → the home of seed 004 §4.4, and the home's instructs → the platform's calls.

Adding a platform is a table in `platforms/data/` and a reader of its documents here; nothing else knows of it.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

import msgspec

from tingdong.bridges.platforms import home_assistant, matter, mi_home, smartthings, tuya
from tingdong.bridges.platforms.table import PlatformTable, platform_tables
from tingdong.bridges.platforms.translate import PlatformCall, PlatformScene, Thing, calls_of, home_of
from tingdong.errors import BadHome
from tingdong.home.document import decode_home

__all__ = ["Converted", "Platform", "convert"]


class Platform(StrEnum):
    """Platforms whose documents are understood."""

    SMARTTHINGS = "smartthings"
    MATTER = "matter"
    HOME_ASSISTANT = "home-assistant"
    MI_HOME = "mi-home"
    TUYA = "tuya"


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
        table = _table(self.platform)
        shown = []
        for instruct in instructs:
            if instruct.get("when") or instruct.get("cancel"):
                continue
            try:
                shown += [self._shown(call) for call in calls_of(instruct, self.things, table)]
            except KeyError as error:
                raise BadHome(f"{instruct.get('id')}: {error} is not of this home", path="instructs") from error
        return shown

    def _shown(self, call: PlatformCall) -> dict[str, Any]:
        match self.platform:
            case Platform.SMARTTHINGS:
                return smartthings.command_of(call)
            case Platform.MATTER:
                node, _, endpoint = call.id.partition("/")
                return {"node_id": int(node), "endpoint": int(endpoint), "call": call.call, **call.args}
            case Platform.HOME_ASSISTANT:
                return {"service": call.call, "target": {"entity_id": call.id}, "data": call.args}
            case Platform.MI_HOME:
                return mi_home.command_of(call, self.things.get(call.id))
            case Platform.TUYA:
                return tuya.command_of(call, self.things.get(call.id))


def convert(platform: Platform, document: Any) -> Converted:
    """The home that a platform's document describes, valid. Raises `BadHome` for a document of another shape."""
    try:
        things, scenes, rooms = _read(platform, document)
        home = home_of(things, _table(platform), scenes=scenes, rooms=rooms)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadHome(f"no {platform} document: {error!r}", path="") from error
    decode_home(home)
    return Converted(platform, home, {thing.id: thing for thing in things})


def _table(platform: Platform) -> PlatformTable:
    return platform_tables()[platform.value.replace("-", "_")]


def _read(platform: Platform, document: Any) -> tuple[tuple[Thing, ...], tuple[PlatformScene, ...], tuple[str, ...]]:
    match platform:
        case Platform.SMARTTHINGS:
            return smartthings.things_of(document), smartthings.scenes_of(document), ()
        case Platform.MATTER:
            return matter.things_of(document, _table(platform)), (), ()
        case Platform.HOME_ASSISTANT:
            states = document["states"] if isinstance(document, Mapping) else document
            areas = document.get("areas", {}) if isinstance(document, Mapping) else {}
            things = home_assistant.things_of(states, _table(platform), areas=areas)
            return things, home_assistant.scenes_of(states), ()
        case Platform.MI_HOME:
            return mi_home.things_of(document), mi_home.scenes_of(document), ()
        case Platform.TUYA:
            return tuya.things_of(document), tuya.scenes_of(document), ()
