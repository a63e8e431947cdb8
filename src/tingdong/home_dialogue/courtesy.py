"""Sentences to the assistant itself: 你能做什么, 谢谢, English (`data/courtesies.yaml`). They never act."""

import re
from functools import cache
from pathlib import Path

import msgspec

from context_retrieval.models import DeviceType
from context_retrieval.own_words import own_replies, sentence
from tingdong.home.device import DeviceShape
from tingdong.home.model import ReplyKind
from tingdong.home.spoken_moment import tell_moment
from tingdong.home.vocabulary import read_table
from tingdong.home_dialogue.answers import clauses_of
from tingdong.home_dialogue.ending import Ended, passed
from tingdong.home_dialogue.outcome import Outcome
from tingdong.home_dialogue.situation import Situation

__all__ = ["courteous", "in_english", "wants_reminding"]

MOST_EXAMPLES = 3
LEAST_WORDS = 3
"""So many English words are a sentence; fewer may be a name or a brand."""
_WORD = re.compile(r"[A-Za-z][A-Za-z']+")
_CHINESE = re.compile(r"[\u3400-\u9fff]")


class _Courtesy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: ReplyKind
    said: frozenset[str]
    reply: str


class _Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: DeviceType
    say: str


class _CourtesyTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    help: _Courtesy
    thanks: _Courtesy
    settled: _Courtesy
    english: str
    clock: _Courtesy
    reminding: str
    reminded: str
    examples: tuple[_Example, ...]
    always: tuple[str, ...]


@cache
def _table() -> _CourtesyTable:
    return read_table(Path(__file__).parent / "data" / "courtesies.yaml", _CourtesyTable)


def courteous(situation: Situation) -> Ended | None:
    """The turn only asks what can be said here or what time it is, thanks, wants to be told of something later, or says
    what a reply of one's own answers."""
    if own := own_replies().get(sentence(situation.text)):
        return passed(situation), Outcome(ReplyKind.ANSWER, own, rule="courtesy")
    if wants_reminding(situation.text) and not _sets_something(situation):
        return passed(situation), Outcome(ReplyKind.ANSWER, _table().reminded, rule="courtesy")
    said = () if situation.queries else clauses_of(situation.text)
    if not said:
        return None
    for courtesy in (_table().help, _table().thanks, _table().settled, _table().clock):
        if all(clause.lower() in courtesy.said for clause in said):
            now = tell_moment(f"T{situation.scene.now:%H:%M}")
            text = courtesy.reply.format(examples=_examples(situation), time=now)
            return passed(situation), Outcome(courtesy.kind, text, rule="courtesy")
    return None


def wants_reminding(text: str) -> bool:
    """Whether somebody wants to be told of something when it comes (洗完了提醒我一声)."""
    return re.search(_table().reminding, text) is not None


def in_english(situation: Situation, *, least: int = LEAST_WORDS) -> Ended | None:
    """English of `least` words or more that names nothing of this home: one sentence says what is understood here."""
    text = situation.text
    if _CHINESE.search(text) or len(_WORD.findall(text)) < least:
        return None
    known = (name.lower() for name in situation.home.shape.names.names)
    if any(name in text.lower() for name in known if _WORD.search(name)):
        return None
    reply = _table().english.format(examples=_examples(situation).replace("、", ", "))
    return passed(situation), Outcome(ReplyKind.ANSWER, reply, rule="courtesy")


def _sets_something(situation: Situation) -> bool:
    """Whether something is ordered beside (十点提醒我，把灯关了)."""
    return any(not query.action.startswith("查询") for query in situation.queries)


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
