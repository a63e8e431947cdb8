"""What is said to the assistant itself: 你能做什么, 谢谢 (`data/courtesies.yaml`). It never acts."""

from functools import cache
from pathlib import Path

import msgspec

from context_retrieval.models import DeviceType
from tingdong.home.device import DeviceShape
from tingdong.home.model import ReplyKind
from tingdong.home.vocabulary import read_table
from tingdong.talk.answers import clauses_of
from tingdong.talk.ending import Ended, passed
from tingdong.talk.outcome import Outcome
from tingdong.talk.situation import Situation

__all__ = ["courteous"]

MOST_EXAMPLES = 3


class _Courtesy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: ReplyKind
    said: frozenset[str]
    reply: str


class _Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: DeviceType
    say: str


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    help: _Courtesy
    thanks: _Courtesy
    examples: tuple[_Example, ...]
    always: tuple[str, ...]


@cache
def _table() -> _Table:
    return read_table(Path(__file__).parent / "data" / "courtesies.yaml", _Table)


def courteous(situation: Situation) -> Ended | None:
    """The turn only asks what can be said here, or thanks."""
    said = () if situation.queries else clauses_of(situation.text)
    if not said:
        return None
    for courtesy in (_table().help, _table().thanks):
        if all(clause.lower() in courtesy.said for clause in said):
            text = courtesy.reply.format(examples=_examples(situation))
            return passed(situation), Outcome(courtesy.kind, text, rule="courtesy")
    return None


def _examples(situation: Situation) -> str:
    """Sentences that work in this home, about things of the place where the user is."""
    shown: list[str] = []
    devices = _near(situation)
    for example in _table().examples:
        device = next((one for one in devices if one.type is example.type and one.power is not None), None)
        if device is not None and len(shown) < MOST_EXAMPLES:
            shown.append(example.say.format(name=device.label))
    return "、".join(f"“{one}”" for one in (*shown, *_table().always))


def _near(situation: Situation) -> list[DeviceShape]:
    """The devices of the user's place first, then the others, without what is protected or only senses."""
    shape = situation.home.shape
    here = [device.id for device in shape.by_room.get(situation.local, ())]
    devices = [one for one in shape.devices.values() if not one.is_sensor and not one.protected]
    return sorted(devices, key=lambda device: (device.id not in here, device.index))
