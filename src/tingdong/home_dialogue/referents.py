"""The referent of a request without a device: one ranking of all candidates (service.md, Dialogue).

它 · 另一个也锁上 · 剩下那个 · 后一个关了 · 播放, after the hood. Order: pointed out before mentioned, able to do the
act before unable, fitting the verb, newest first. An impossible act is never replaced by another one.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from context_retrieval.models import DeviceType, Quantifier, QueryIR
from context_retrieval.verbs import verb_table
from tingdong.commands.reading import MentionKind
from tingdong.home.acts import ActKind, read_act
from tingdong.home_dialogue.acting import OFF, able, kind_of_verb
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.choose import described, in_state, place_of, rest_of_row, siblings, singled_out
from tingdong.home_dialogue.mentioned import PLACED_THINGS
from tingdong.home_dialogue.page import Doing
from tingdong.home_dialogue.selecting import opens
from tingdong.home_dialogue.situation import Situation

__all__ = [
    "another",
    "by_place",
    "few",
    "number_said",
    "of_the_list",
    "of_the_side",
    "referents",
    "rest",
    "them",
    "told_apart",
]

LONGEST_SIDE = 3
"""Characters of what names a side and nothing else (右手边)."""
TURNS_IN_FOCUS = 6
"""What was spoken of longer ago is no focus any more."""
_BOTH = {"两": 2, "俩": 2, "三": 3, "四": 4, "五": 5, "仨": 3}
_POINTED = frozenset("这那哪另每")
_GOING_ON = frozenset({"继续"})
"""Acts that are for what has stopped."""
POINTED_OUT, SPOKEN_OF = 1, 0


class ReferentCandidate(NamedTuple):
    """Things that may be meant: how plainly the words point to them, and how many turns ago they were spoken of."""

    ids: tuple[str, ...]
    plainly: int
    ago: int = 0


def referents(query: QueryIR, situation: Situation, last: Doing | None) -> tuple[str, ...]:
    """The devices that the request points to without naming them; of things of several kinds those that can do it."""
    best: tuple[tuple[int, bool, bool, int], tuple[str, ...]] | None = None
    for one in _candidates(query, situation, last):
        fit = _fitting(query, one.ids, situation)
        score = (one.plainly, bool(fit), _is_of_verb(query, fit or one.ids, situation), -one.ago)
        if best is None or score > best[0]:
            best = (score, fit or one.ids)
    return _of_the_opened(best[1], situation) if best is not None else ()


def _candidates(query: QueryIR, situation: Situation, last: Doing | None) -> Iterator[ReferentCandidate]:
    pointed = _pointed_out(situation, last) if last is not None else None
    if pointed is not None:  # 另一个, where there are several others, is not the one spoken of
        yield ReferentCandidate(pointed, POINTED_OUT)
        return
    if query.quantifier is Quantifier.ALL or situation.says(answers().together):
        yield ReferentCandidate(them(situation, last), SPOKEN_OF)
    elif last is not None and last.ids:
        yield ReferentCandidate(last.ids, SPOKEN_OF)
    state = situation.page.state
    for mention in reversed(state.mentions):
        ago = state.turn - mention.turn
        if mention.entity_ids and (ago <= TURNS_IN_FOCUS or last is None):
            yield ReferentCandidate(mention.entity_ids, SPOKEN_OF, 1 + ago)


def _fitting(query: QueryIR, ids: tuple[str, ...], situation: Situation) -> tuple[str, ...]:
    """Those that are of the type that is said and can do it; of what has stopped and what has not, what is to go on."""
    if query.type is not DeviceType.UNKNOWN:
        ids = tuple(one for one in ids if situation.type_of(one) is query.type)
    found = able(query, ids, situation)
    if query.action in _GOING_ON:
        return tuple(one for one in found if not situation.is_active(one)) or found
    return found


def _is_of_verb(query: QueryIR, ids: tuple[str, ...], situation: Situation) -> bool:
    """Whether the verb, as it was said, fits all of these."""
    kind = kind_of_verb(query, situation)
    return kind is DeviceType.UNKNOWN or all(situation.type_of(one) is kind for one in ids)


# ---- what the words point out


def _pointed_out(situation: Situation, last: Doing) -> tuple[str, ...] | None:
    """右边的, 另一个, 剩下的, 第二个 of what was spoken of; () where the words point to what is not clear, None where
    they tell none apart."""
    if beside := siblings(situation.home, situation.text, last.ids):
        return beside
    if situation.says(answers().others):
        if listed := _of_the_told(situation, last):
            return listed
        left = tuple(device for device in last.pool if device not in last.ids)
        left = left or rest_of_row(situation.home, last.ids)
        if left:
            return left
    if len(last.pool) > 1 and (picked := singled_out(situation.home, situation.text, last.pool)):
        return picked
    found = by_place(situation, last.ids if len(last.ids) > 1 else last.pool) or told_apart(situation, last)
    return found or _described_here(situation, last)


def _described_here(situation: Situation, last: Doing) -> tuple[str, ...] | None:
    """小的那个 where nothing spoken of is so: the one thing here that is; None where nothing is described, or what was
    spoken of is meant."""
    home, text = situation.home, situation.text
    here = home.shape.by_room.get(situation.local, ())
    types = {situation.type_of(one) for one in last.ids}
    if described(home, text, [one.id for one in here if one.type in types]):
        return None
    found = described(home, text, [one.id for one in here])
    return found if len(found) == 1 and set(last.ids).isdisjoint(found) else None


def of_the_list(query: QueryIR, situation: Situation, last: Doing | None) -> tuple[str, ...]:
    """书房那个别动，剩下的都灭掉, after a list: what is left of it, not of the home; () where nothing of it is named,
    or the request is for things of its own."""
    own = query.name is not None or query.include or query.here or query.reference is not None
    told = situation.page.last
    if own or last is None or told is None or told.query is None:
        return ()
    if read_act(told.query.action).kind is not ActKind.ASK:
        return ()
    left = _of_the_told(situation, last, query.exclude) if situation.says(answers().others) else ()
    return tuple(one for one in left if query.type in (DeviceType.UNKNOWN, situation.type_of(one)))


def _of_the_told(situation: Situation, last: Doing, rooms: Sequence[str] = ()) -> tuple[str, ...]:
    """儿童房那盏留着，另外两盏关了: of those that the turn before told of, what this turn has not named, or left out
    with its room."""
    told, shape = situation.page.last, situation.home.shape
    named = {one for left in situation.spared for one in left.ids}
    named |= {
        one.id for word in rooms for room in shape.catalog.rooms.find(word) for one in shape.by_room.get(room, ())
    }
    named |= set(last.ids) if told is not None and last.ids != told.ids else set()
    if told is None or len(told.ids) < 2 or named.isdisjoint(told.ids):
        return ()
    return tuple(one for one in told.ids if one not in named)


def by_place(situation: Situation, spoken: tuple[str, ...]) -> tuple[str, ...]:
    """第二个, 前一个 of several, in the order in which they were spoken of."""
    if len(spoken) < 2:
        return ()
    said = [n for one in situation.of(MentionKind.ORDINAL) if (n := place_of(one, len(spoken))) is not None]
    table = answers()
    if not said and len(spoken) == len((table.former, table.latter)):
        said = [n for n, words in enumerate((table.former, table.latter), start=1) if situation.says(tuple(words))]
    return tuple(spoken[n - 1] for n in said)


def another(query: QueryIR, situation: Situation, last: Doing | None) -> tuple[str, ...]:
    """除了客厅那台，另一台也关了: the one beside what was spoken of, of its kind, in its room or else in the home, and
    outside of the rooms left out; several where it may be any of them, () where no such one is said."""
    named = query.name is not None or query.include or query.here or query.type not in _kinds_of(last, situation)
    count = number_said(situation) if situation.says(answers().others) and not situation.has(MentionKind.ALL) else None
    if last is None or named or not (situation.says(answers().another) or count):
        return ()
    if left := _of_the_told(situation, last, query.exclude) or tuple(one for one in last.pool if one not in last.ids):
        return left
    shape = situation.home.shape
    gone = {room for word in query.exclude for room in shape.catalog.rooms.find(word)}
    spoken = [shape.devices[one] for one in last.ids if one in shape.devices]
    alike = [
        one
        for one in shape.devices.values()
        if one.id not in last.ids and one.room not in gone and any(one.type is it.type for it in spoken)
    ]
    beside = [one for one in alike if any(one.room == it.room for it in spoken)] or alike
    wanted = False if query.action in verb_table().beginning else True if query.action in verb_table().ending else None
    so = [one for one in beside if situation.is_active(one.id) is wanted]
    return tuple(one.id for one in so if len(so) == (count or 1)) or tuple(one.id for one in beside)


def _kinds_of(last: Doing | None, situation: Situation) -> set[DeviceType]:
    return {DeviceType.UNKNOWN, *(situation.type_of(one) for one in (last.ids if last is not None else ()))}


def told_apart(situation: Situation, last: Doing) -> tuple[str, ...]:
    """不对，右边 · 没开的那两个: those that the words tell from what was spoken of, of that or of its kind and room."""
    if beside := siblings(situation.home, situation.text, last.ids):
        return beside
    home, text = situation.home, situation.text
    if len(last.ids) > 1 and (among := singled_out(home, text, last.ids)):
        return among
    places = {(one.room, one.type) for one in (home.shape.devices[i] for i in last.ids if i in home.shape.devices)}
    room, kind = places.pop() if len(places) == 1 else ("", DeviceType.UNKNOWN)
    if kind is DeviceType.UNKNOWN:
        return ()
    row = [one.id for one in home.shape.by_room.get(room, ()) if one.type is kind]
    others = [one for one in row if one not in last.ids]
    found = singled_out(home, text, row) or in_state(home, text, others)
    return found if set(last.ids).isdisjoint(found) else ()


def rest(query: QueryIR, situation: Situation, last: Doing) -> tuple[str, ...]:
    """剩下的也关了 after some lamps: the other lamps, in the room spoken of, or in the home after several rooms."""
    excepted = situation.of(MentionKind.EXCEPT)
    if not excepted or not situation.says(answers().others) or query.include or query.here or query.exclude:
        return ()
    if query.name is not None or query.excluded_names or situation.has(MentionKind.WHOLE_HOME, *PLACED_THINGS):
        return ()
    devices = situation.home.shape.devices
    done = [devices[i] for i in last.ids if i in devices]
    types = {device.type for device in done} - {DeviceType.UNKNOWN}
    rooms = {device.room for device in done}
    if not types or (query.type is not DeviceType.UNKNOWN and query.type not in types):
        return ()
    return tuple(
        device.id
        for device in devices.values()
        if device.type in types and device.id not in last.ids and (len(rooms) > 1 or device.room in rooms)
    )


def of_the_side(query: QueryIR, situation: Situation, last: Doing | None) -> tuple[str, ...]:
    """右边打开 after the left one: what stands beside it, where a side is all that is named."""
    name = query.name or ""
    if last is None or not name or any(name in one.label for one in situation.home.shape.devices.values()):
        return ()
    return siblings(situation.home, name, last.ids) if len(name) <= LONGEST_SIDE else ()


# ---- several


def them(situation: Situation, last: Doing | None) -> tuple[str, ...]:
    """The devices that 它们 / 两个都 points to: those of the last turn, else the latest ones spoken of."""
    wanted = number_said(situation)
    ids = last.ids if last else ()
    if len(ids) > 1 and (wanted is None or wanted == len(ids)):
        return _of_the_opened(ids, situation)
    if last is not None and wanted is not None and wanted == len(last.pool):
        return last.pool
    recent = _alike(situation)
    return recent[: wanted or 2] if len(recent) > 1 else ids


def _of_the_opened(ids: tuple[str, ...], situation: Situation) -> tuple[str, ...]:
    """刚才开的都关了: of these, what was switched on or opened, and not what only something was set of."""
    off = any(one.value == OFF for one in situation.of(MentionKind.ACTION))
    counted = number_said(situation) == len(ids)  # 刚开的那两个
    if not off or counted or re.search(answers().just_opened, situation.text) is None:
        return ids
    devices = situation.home.shape.devices
    changes = [change for entry in situation.page.ledger for change in entry.changes if change.id in devices]
    opened = {
        change.id
        for change in changes
        for name, value in change.after.items()
        if (spec := devices[change.id].properties.get(name)) is not None and opens(devices[change.id], spec, value)
    }
    return tuple(one for one in ids if one in opened) or ids


def _alike(situation: Situation) -> tuple[str, ...]:
    """What was spoken of, latest first: things of the latest one's kind if there are several, else all but sensors."""
    devices = situation.home.shape.devices
    recent = [devices[device] for device in situation.page.recent() if device in devices]
    same = tuple(device.id for device in recent if device.kind is recent[0].kind)
    return same if len(same) > 1 else tuple(device.id for device in recent if not device.is_sensor)


def number_said(situation: Situation) -> int | None:
    """How many are meant (两个都, 它俩); None where it is not said."""
    for mention in situation.of(MentionKind.COUNT):
        if mention.value.isdigit():
            return int(mention.value)
    for mention in situation.of(MentionKind.REFERENCE):
        said = situation.text[mention.start : mention.end]
        if number := next((_BOTH[one] for one in said if one in _BOTH), None):  # 它俩
            return number
    for mention in situation.of(MentionKind.ALL):
        if number := _BOTH.get(situation.text[mention.start : mention.start + 1]):
            return number
    return None


def few(query: QueryIR, situation: Situation) -> int | None:
    """关一个 after several: so many of them, whichever; 关那一个 points."""
    for mention in situation.of(MentionKind.COUNT):
        pointed = mention.start and situation.text[mention.start - 1] in _POINTED
        if query.quantifier is Quantifier.ONE and mention.value.isdigit() and not pointed:
            return int(mention.value)
    return None
