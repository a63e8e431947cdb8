"""Implied wishes: 好热, 太暗了, 我要睡觉了 (seed 004 §4.2; service.md). What is said and what is done are data.

A wish acts on what the home has and on its present state, so that saying it again goes one step further: the fan on,
then faster, then the air conditioner on, then colder.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from context_retrieval.models import DeviceType, Quantifier, QueryIR
from tingdong.errors import DataError
from tingdong.home.acts import ActKind, read_act
from tingdong.home.change import Change, request_of
from tingdong.home.deciding import change_of
from tingdong.home.device import DeviceShape
from tingdong.home.home import Home
from tingdong.home.model import NoteCode
from tingdong.home.states import is_active
from tingdong.home.vocabulary import kinds, read_table

__all__ = ["Wish", "WishStep", "match_wish", "plan_wish"]

WishStep = tuple[QueryIR, tuple[str, ...]]
"""What to do and with which devices. Quantifier ONE over several devices means: ask which."""

_CLAUSE = re.compile(r"[，,。.！!；;、\s]+")
_MAIN = ("主灯", "顶灯", "吸顶灯", "大灯", "照明灯", "吊灯")


class Wish(msgspec.Struct, frozen=True):
    """A wish by its key in `data/wishes.yaml`; `label` names it in a reply (热)."""

    key: str
    label: str


class _Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kinds: tuple[str, ...]
    act: str
    state: str = "any"
    room: str = "here"
    value: str | None = None
    also: str | None = None
    pick: str = "one"
    near: str | None = None
    prefer: tuple[str, ...] = ()


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    label: str
    feelings: tuple[str, ...]
    phrases: tuple[str, ...]
    steps: tuple[_Step, ...]
    blocked: tuple[str, ...] = ()
    scenes: tuple[str, ...] = ()
    do: str = "first"


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    degrees: tuple[str, ...]
    endings: tuple[str, ...]
    negations: tuple[str, ...]
    allowed_negations: tuple[str, ...]
    compounds: tuple[str, ...]
    foreign: tuple[str, ...]
    questions: tuple[str, ...]
    question_ends: tuple[str, ...]
    wishes: dict[str, _Entry]


@cache
def _table() -> _Table:
    path = Path(__file__).parent / "data" / "wishes.yaml"
    table = read_table(path, _Table)
    for key, entry in table.wishes.items():
        for step in entry.steps:
            unknown = [kind for kind in (*step.kinds, *((step.near,) if step.near else ())) if kind not in kinds()]
            if unknown or read_act(step.act).kind is ActKind.UNKNOWN or step.state not in ("on", "off", "any"):
                raise DataError(f"{path.name}: wishes.{key}.steps: {step.act} {step.state} {unknown}")
    return table


# ---- what is said


class _Wording(msgspec.Struct, frozen=True):
    """A phrase or a feeling of one wish."""

    word: str
    key: str
    feeling: bool


@cache
def _wordings() -> dict[str, tuple[_Wording, ...]]:
    """All wordings by their first character, so that a sentence is read once."""
    found: dict[str, list[_Wording]] = {}
    for key, entry in _table().wishes.items():
        for words, feeling in ((entry.phrases, False), (entry.feelings, True)):
            for word in words:
                found.setdefault(word[0], []).append(_Wording(word, key, feeling))
    return {first: tuple(wordings) for first, wordings in found.items()}


@lru_cache(maxsize=4096)
def match_wish(text: str) -> Wish | None:
    """The wish in `text`, or None. A question, a negation, and talk about something else are no wish."""
    table = _table()
    best: tuple[int, str] | None = None
    for clause in _CLAUSE.split(text):
        if not clause or clause.endswith(table.question_ends):
            continue
        found = _heaviest(clause, text, table)
        if found is not None and (best is None or found > best) and not _asks(clause, table):
            best = found
    return None if best is None else Wish(best[1], table.wishes[best[1]].label)


def _asks(clause: str, table: _Table) -> bool:
    return any(word in clause for word in table.questions)


def _heaviest(clause: str, text: str, table: _Table) -> tuple[int, str] | None:
    """The longest wording in the clause with its wish; degree and ending count as part of a feeling."""
    wordings = _wordings()
    best: tuple[int, str] | None = None
    for place, character in enumerate(clause):
        for wording in wordings.get(character, ()):
            if not clause.startswith(wording.word, place) or _negated(clause, place, wording.word, table):
                continue
            weight = _felt(clause, place, wording.word, table) if wording.feeling else len(wording.word)
            if weight and (best is None or weight > best[0]) and not _blocked(wording.key, text, table):
                best = weight, wording.key
    return best


def _blocked(key: str, text: str, table: _Table) -> bool:
    return any(word in text for word in table.wishes[key].blocked)


def _felt(clause: str, place: int, feeling: str, table: _Table) -> int:
    """How much of the clause says the feeling (好 + 热 + 死了); 0 when it is not said of the room."""
    if clause.startswith(table.compounds, place):
        return 0
    before, after = clause[:place], clause[place + len(feeling) :]
    degree = max((len(word) for word in table.degrees if before.endswith(word)), default=0)
    ending = max((len(word) for word in table.endings if after.startswith(word)), default=0)
    alone = not before and after in ("", "了", "啊", "呀")
    said = (degree or ending or alone) and _is_said_of_room(after, ending)
    if not said or any(word in clause for word in table.foreign):
        return 0
    return degree + len(feeling) + ending


def _is_said_of_room(after: str, ending: int) -> bool:
    """The feeling must end its clause (好热的天 is about the weather)."""
    rest = after[ending:]
    return rest == "的" or (len(rest) <= 2 and not rest.startswith("的"))


def _negated(clause: str, place: int, word: str, table: _Table) -> bool:
    if word in table.allowed_negations:
        return False
    before = clause[:place]
    return any(before.endswith(negation) for negation in table.negations) or any(
        before.endswith(negation + degree) for negation in ("不", "没", "没有", "别") for degree in table.degrees
    )


# ---- what is done


def plan_wish(
    home: Home, wish: Wish, room: str, *, last: Sequence[WishStep] = (), bound: bool = False
) -> list[WishStep]:
    """What the wish asks for in `room` ("" for no place), in the order to do it; empty when the home can do nothing.

    `bound`: the room was said, and nothing outside it is touched (law 1). `last` is the answer to the same wish before:
    what it switched on counts as on even if the state lags.
    """
    entry = _table().wishes[wish.key]
    scene = _scene(home, entry.scenes)
    if scene is not None:
        return [(QueryIR("执行", name=home.shape.scenes[scene].name), (scene,))]
    begun = frozenset(
        device_id for query, ids in last if query.action == "打开" and not _is_question(query, ids) for device_id in ids
    )
    places = [room]
    if room and not bound and not _has_any(home, entry, room):
        places += [*_rooms_of(home, last), ""]
    for place in places:
        found: list[WishStep] = []
        for step in entry.steps:
            done = _do(home, step, place, begun)
            if done and entry.do == "first":
                return done
            found += done
        if found:
            return found
    return []


def _is_question(query: QueryIR, ids: Sequence[str]) -> bool:
    return query.quantifier is Quantifier.ONE and len(ids) > 1


def _rooms_of(home: Home, last: Sequence[WishStep]) -> list[str]:
    """Where the wish was met before; of several places that were asked about, the one that is on first."""
    devices = [home.shape.devices[one] for _, ids in last for one in ids if one in home.shape.devices]
    devices.sort(key=lambda device: not is_active(home, device))
    return list(dict.fromkeys(device.room for device in devices))


def _has_any(home: Home, entry: _Entry, room: str) -> bool:
    """Whether the room has anything the wish speaks of; only a room that has nothing borrows from the home."""
    wanted = {kind for step in entry.steps for kind in step.kinds}
    return any(device.kind.key in wanted for device in home.shape.by_room.get(room, ()))


def _scene(home: Home, words: Iterable[str]) -> str | None:
    for scene in home.shape.scenes.values():
        if any(word in scene.name for word in words):
            return scene.id
    return None


def _do(home: Home, step: _Step, room: str, begun: frozenset[str]) -> list[WishStep]:
    """The step with the devices it fits, or nothing."""
    act = read_act(step.act)
    query = QueryIR(step.act, step.value)
    fitting = []
    for device in _in_place(home, step, room):
        active = device.id in begun or is_active(home, device)
        if (step.state == "on" and not active) or (step.state == "off" and active) or not home.is_online(device.id):
            continue
        change = change_of(request_of(home, act, value=step.value, name=None, deferred=False), device)
        if not isinstance(change, Change) or (change.note is not None and change.note.code is NoteCode.AT_LIMIT):
            continue
        if step.value is not None and change.state.items() <= home.properties.get(device.id, {}).items():
            continue
        fitting.append(device)
    if not fitting:
        return []
    chosen, sure = _chosen(fitting, step)
    kind_type = chosen[0].type if len({device.type for device in chosen}) == 1 else DeviceType.UNKNOWN
    several = Quantifier.ALL if sure else Quantifier.ONE
    query = msgspec.structs.replace(query, type=kind_type, quantifier=several)
    ids = tuple(device.id for device in chosen)
    steps: list[WishStep] = [(query, ids)]
    if step.also is not None:
        modes = tuple(device.id for device in chosen if _has_mode(home, device, step.also))
        if modes:
            steps.append((msgspec.structs.replace(query, action="设置模式", value=step.also), modes))
    return steps


def _has_mode(home: Home, device: DeviceShape, mode: str) -> bool:
    change = change_of(request_of(home, read_act("设置模式"), value=mode, name=None, deferred=False), device)
    return isinstance(change, Change)


def _in_place(home: Home, step: _Step, room: str) -> list[DeviceShape]:
    """Devices of the step's kinds: everywhere, near a thing, or in the room ("" is the whole home)."""
    everywhere = sorted(
        (device for kind in step.kinds for device in home.shape.of_kind(kind)), key=lambda one: one.index
    )
    if step.room == "home":
        return everywhere
    if step.near is not None:
        rooms = {device.room for device in home.shape.of_kind(step.near)}
        return [device for device in everywhere if device.room in rooms]
    return [device for device in everywhere if not room or device.room == room]


def _chosen(fitting: list[DeviceShape], step: _Step) -> tuple[list[DeviceShape], bool]:
    """The devices to act on, and whether that is sure (False: ask which)."""
    if step.pick == "all" or len(fitting) == 1:
        return fitting, True
    if len({device.room for device in fitting}) == 1:
        for word in (*step.prefer, *_MAIN):
            for device in fitting:
                if word in device.name:
                    return [device], True
        return fitting[:1], True
    return fitting, False
