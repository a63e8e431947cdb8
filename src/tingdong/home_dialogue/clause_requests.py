"""The requests of a turn's clauses, gathered and carried out together, each with the words of its own clause."""

import msgspec

from context_retrieval.models import Command, Quantifier, QueryIR
from tingdong.commands.reading import Mention, MentionKind
from tingdong.home.home import HomeSnapshot
from tingdong.home.model import PropertyRole
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.carry import Carried
from tingdong.home_dialogue.clause_kinds import THINGS, Clause
from tingdong.home_dialogue.closing import close
from tingdong.home_dialogue.complete import Job, pointing, sums_up
from tingdong.home_dialogue.ending import Ended
from tingdong.home_dialogue.inquire import about_all, asks
from tingdong.home_dialogue.knowing import knowing
from tingdong.home_dialogue.leaving import RefusedAct
from tingdong.home_dialogue.left_values import carry_left_values
from tingdong.home_dialogue.mentioned import WHERE
from tingdong.home_dialogue.outcome import Fate
from tingdong.home_dialogue.page import Doing, Page
from tingdong.home_dialogue.referents import of_the_list
from tingdong.home_dialogue.said_scope import SaidScope, scope_announced
from tingdong.home_dialogue.situation import Situation
from tingdong.home_dialogue.target import resolve_job

__all__ = ["ClauseRequests"]

MOST_BESIDE_REFUSAL = 1
"""Characters of a bare refusal (先别关) that no mention covers."""


class ClauseRequests:
    """ClauseRequests that wait to be carried out together."""

    def __init__(self, whole: Situation) -> None:
        self._whole = whole
        self._waiting: list[tuple[Clause, Situation]] = []
        self._done: tuple[str, ...] = ()
        self._rooms: tuple[str, ...] = ()
        self._moves: dict[int, tuple[str, ...]] = {}
        self._scope: SaidScope | None = scope_announced(whole)

    @property
    def waits(self) -> bool:
        """Whether there are requests that are not carried out yet."""
        return bool(self._waiting)

    def add(self, clause: Clause, situation: Situation) -> None:
        """Takes a clause; it is planned with those that follow."""
        self._waiting.append((clause, situation))

    def move_to(self, situation: Situation) -> None:
        """201房退房了: the place that is spoken of holds for what follows, and not for what waits already."""
        if rooms := tuple(mention.value for mention in situation.of(MentionKind.ROOM)):
            self._moves[len(self._waiting)] = rooms

    def spoken_of(self, situation: Situation) -> Page:
        """B室的门没锁: the page on which the one thing that the clause tells of is what 它 means; where a room alone
        is said, what was spoken of in that (次卧没让你开，关掉)."""
        self.move_to(situation)
        page = situation.page
        if page.last is not None and not situation.has(*THINGS) and (rooms := situation.rooms_said):
            devices = situation.home.shape.devices
            ids = tuple(i for i in page.last.ids if i in devices and devices[i].room in rooms)
            return msgspec.structs.replace(page, last=msgspec.structs.replace(page.last, ids=ids)) if ids else page
        query = about_all("状态", situation)
        found = resolve_job(Job(query), situation)
        ids = found.entity_ids if found.found else knowing(situation, situation.question)
        if not situation.has(*THINGS) or len(ids) != 1:
            return page
        return msgspec.structs.replace(page, last=Doing((query,), tuple(ids), turn=page.turn))

    def can_go_faster(self, page: Page) -> bool:
        """Whether what was spoken of last has a speed."""
        carried = [mention for _, situation in self._waiting for mention in situation.of(*THINGS)]
        devices = self._whole.home.shape.devices
        ids = page.last.ids if page.last is not None and not carried else ()
        named = {one.value for one in carried[-1:]}
        spoken = [devices[one] for one in ids if one in devices]
        spoken += [device for device in devices.values() if device.plain in named]
        return any(PropertyRole.SPEED in device.by_role for device in spoken)

    def taken_back(self, refusal: RefusedAct, situation: Situation, earlier: list[Clause]) -> list[Clause]:
        """The clauses before it whose request is refused (电视关掉，嗯，电视还是不要关): of the thing named, else the
        last one."""
        if situation.left_beside() > MOST_BESIDE_REFUSAL and not situation.has(*THINGS):
            return []  # 鱼缸别关, of something that no mention covers
        things, places = situation.of(*THINGS), {mention.value for mention in situation.of(MentionKind.ROOM)}
        for clause in reversed([one for one in earlier if one.commands and one.fate is None]):
            if all(
                refusal.is_of(command.action.verb) and _is_about(command, things, places) for command in clause.commands
            ):
                return [clause]
            if not things and not places:
                break
        return []

    def carried_out(self, page: Page, home: HomeSnapshot) -> Ended | None:
        """What the requests gathered so far come to; None where there are none."""
        waiting, moves = self._waiting, self._moves
        self._waiting, self._moves = [], {}
        if not waiting:
            self._rooms = moves.get(0, self._rooms)
            return None
        commands = tuple(command for clause, _ in waiting for command in clause.commands)
        reading = msgspec.structs.replace(self._whole.reading, commands=commands, parts=())
        carried = Carried(Situation(page, reading, home, self._whole.scene, self._whole.spared))
        carried.scope = self._scope
        for place, (clause, situation) in enumerate(waiting):
            self._rooms = moves.get(place, self._rooms)
            before = len(carried.unclear) + len(carried.risky) + len(carried.untimed), len(carried.answers)
            with carried.within(situation):
                for query in situation.orders:
                    self._run(carried, query, situation)
                carry_left_values(carried, situation)
            asked = len(carried.unclear) + len(carried.risky) + len(carried.untimed) > before[0]
            clause.fate = Fate.ASKED if asked else Fate.ANSWERED if len(carried.answers) > before[1] else Fate.DONE
        self._rooms = moves.get(len(waiting), self._rooms)
        self._done, self._scope = (*self._done, *carried.doing.ids), carried.scope
        return close(carried, "requested")

    def _run(self, carried: Carried, query: QueryIR, situation: Situation) -> None:
        if _is_rest(query, situation) and not of_the_list(query, situation, carried.latest):
            carried.run_rest(self._scoped_rest(query, carried, situation), (*self._done, *carried.doing.ids))
            return
        if listed := self._just_listed(query, carried, situation):
            carried.run_job(pointing(query, listed, situation, None))
            return
        own = query.reference is not None or query.include or query.here or query.exclude or situation.has(*WHERE)
        held = carried.scope is not None and carried.scope.holds_for(query, situation)
        if not (own or held or situation.whole_home) and self._rooms and not sums_up(query, situation):
            placed = msgspec.structs.replace(query, include=self._rooms)
            query = placed if carried.is_there(placed) or not self._knows(self._rooms) else query
        if query.include and situation.has(MentionKind.ROOM):
            self._rooms = query.include
        elif query.exclude or situation.whole_home:
            self._rooms = ()
        carried.run(query)

    def _just_listed(self, query: QueryIR, carried: Carried, situation: Situation) -> tuple[str, ...]:
        """哪里的灯还没关，都关一关: what a clause of this turn has listed, where this one only means all of it."""
        told = situation.page.last
        of_this_turn = told if told is not None and told.turn > self._whole.page.turn else None
        last = carried.latest if carried.doing.ids else of_this_turn
        if last is None or last.query is None or len(last.ids) < 2 or asks(query) or not asks(last.query):
            return ()
        means_them = situation.has(MentionKind.ALL) and not situation.has(*THINGS, *WHERE)
        return last.ids if means_them and not query.excluded_names else ()

    def _knows(self, rooms: tuple[str, ...]) -> bool:
        """Whether the home has one of the rooms; a room that it lacks is asked about, and no other is taken for it."""
        names = self._whole.home.shape.catalog.rooms
        return any(names.find(room) for room in rooms)

    def _scoped_rest(self, query: QueryIR, carried: Carried, situation: Situation) -> QueryIR:
        """其他灯关了 after requests in one room stays in it; after several rooms it is the home."""
        devices = situation.home.shape.devices
        rooms = {devices[one].room for one in (*self._done, *carried.doing.ids) if one in devices}
        include = query.include if situation.has(MentionKind.ROOM) and query.include else ()
        said = {mention.value for mention in self._whole.of(MentionKind.ROOM)}
        if not include and len(rooms) == 1 and len(said) < 2 and not situation.whole_home:
            include = (rooms.pop(),)
        return msgspec.structs.replace(query, include=include, quantifier=Quantifier.EXCEPT)


def _is_about(command: Command, things: list[Mention], places: set[str]) -> bool:
    """Whether the request is for no more than what is refused: the thing and the place named, or what it points at."""
    if places and not places.issuperset(command.scope.include):
        return False
    if not things:
        return not places
    target = command.target
    named = any(mention.value == target.name != "*" for mention in things)
    return named or any(
        mention.value == "*" and target.name == "*" and mention.type is target.type for mention in things
    )


def _is_rest(query: QueryIR, situation: Situation) -> bool:
    """Whether it is about all but what was spoken of (其余房间灯全关), and names no exception of its own."""
    if query.name is not None or query.excluded_names or query.exclude or query.reference is not None:
        return False
    others = answers().others
    return any(
        any(word in situation.text[mention.start : mention.end] for word in others)
        for mention in situation.of(MentionKind.EXCEPT)
    )
