"""Words of the language around the tasks, as a domain file gives them (hospital.md, Segments)."""

from __future__ import annotations

from msgspec import Struct, field

from tingdong.front_desk.model import CueKind

Words = str
"""Templates (`lexicon.expand`) separated by white space."""


class CueRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Words that act on the dialogue: `phrases` anywhere in a clause, `starts` at its start, `whole` ones only when the
    clause says nothing else."""

    kind: CueKind
    phrases: Words = ""
    starts: Words = ""
    whole: Words = ""


class Markers(Struct, frozen=True, forbid_unknown_fields=True):
    """Words of the language around the tasks (hospital.md, Segments).

    `connectives` open a new task wherever they stand, `weak_connectives` at the start of a clause only, neither where
    one of `not_connectives` stands. `openers` (a name before `greetings` among them), `politeness`, `pronouns` and
    `endings` are trimmed from the edges of a segment (`pronouns` not before `keeps_pronoun`). `closers` may end a
    question. Nothing is looked for inside `opaque` words, and nothing shorter inside words of the `covering` signals.
    A directory name counts as one after `before_name` or before `after_name`, any name after `name_leads`;
    `surname_said` stands before a surname that tells who is meant, `surname_half` behind one of which the rest is not
    known (姓宋的, 唐什么的大夫), not where it is the speaker's (`surname_own`);
    `rare_surnames` are words besides and count only before a given name and a title, `numerals_in_name` are given names
    by themselves (张三) and no part of one; a number with a unit of time is no length
    of time after `not_length`. `said_for` lists characters that are said for another at the end of what acts on the
    dialogue (办好咯 for 办好了). `broad` values give way to another of their kind (胃药 to its name). Words of
    `around_answer` may stand around what answers a question (有没有后天的). What only tells with a word of `history` is
    no task (以前得过). Nothing but `courtesies` is no request (谢谢，再见);
    a place of the directory is known without its last character too, if that is one of `place_endings` (耳鼻喉),
    and where one of `place_classes` stands before it, with two characters (普外);
    `weekdays` name the days from Monday on; words of `either` ask whether and deny nothing (有冇).
    A key of `misheard` that begins a clause, or stands behind a character of `misheard_behind`, is heard as its value
    before one of `misheard_before` (布挂骨科了).
    """

    connectives: Words
    weak_connectives: Words = ""
    not_connectives: Words = ""
    openers: Words = ""
    greetings: Words = ""
    politeness: Words = ""
    pronouns: Words = ""
    keeps_pronoun: Words = ""
    endings: Words = ""
    particles: str = ""
    negators: str = ""
    denials: Words = ""
    either: Words = ""
    repairs: Words = ""
    not_length: Words = ""
    misheard: dict[str, str] = {}
    misheard_behind: str = ""
    misheard_before: Words = ""
    closers: Words = ""
    opaque: Words = ""
    covering: tuple[str, ...] = ()
    titles: Words = ""
    surnames: str = ""
    rare_surnames: str = ""
    compound_surnames: Words = ""
    name_leads: Words = ""
    surname_said: Words = ""
    surname_half: Words = ""
    surname_own: Words = ""
    not_in_name: str = ""
    numerals_in_name: str = ""
    said_for: dict[str, str] = {}
    broad: Words = ""
    around_answer: Words = ""
    history: Words = ""
    courtesies: Words = ""
    place_endings: str = ""
    place_classes: str = ""
    weekdays: Words = ""
    before_name: Words = ""
    after_name: Words = ""
    cues: tuple[CueRule, ...] = ()


class Refusing(Struct, frozen=True, forbid_unknown_fields=True):
    """How a request is refused (hospital.md, Segments, 先不): a word of `markers`, words of `between`, and what is
    refused.

    Refused are the words of a signal of `wishes`, or of `objects` after one of `verbs` or after a marker that takes an
    object (`with_object`), and a verb that ends the clause; words of `tails` go with it. Markers inside `not_markers`
    count for nothing (要不, 特别), nor does a clause with a signal of `unless`, nor one that asks, by a signal of
    `asking` (不挂号能看吗); words of `without` say what is to be done instead, and may ask it (不挂号直接缴费可以吗).
    Words of `behind` refuse what stands before them in their clause (挂号就免了); one of `unasked` takes back a task
    that was not asked for (没说要挂), and none that only tells something.
    """

    markers: Words = ""
    with_object: Words = ""
    not_markers: Words = ""
    between: Words = ""
    verbs: Words = ""
    tails: Words = ""
    behind: Words = ""
    without: Words = ""
    unasked: Words = ""
    wishes: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    asking: tuple[str, ...] = ()


class Pointing(Struct, frozen=True, forbid_unknown_fields=True):
    """How open tasks are spoken of (hospital.md, Frames, M2 and M3).

    Words of one row of `alike` mean the same (爸 老爷子). `exchange` stands in a request for one thing in place of
    another (换骨科); `same` says that a second task has the times of the first, `same_day` its day alone. What has a
    word of `done_first` in it or right behind it (等交完了再挂) is not done; nor is what `once` makes the time of
    something that is asked for (交完了给我开发票), unless one of `already` stands before it.
    """

    alike: tuple[Words, ...] = ()
    exchange: Words = ""
    same: Words = ""
    same_day: Words = ""
    done_first: Words = ""
    once: Words = ""
    already: Words = ""


class Operating(Struct, frozen=True, forbid_unknown_fields=True):
    """What is done to tasks that are open (`operating`, hospital.md, Ops).

    A clause with one of `stands` tells of a booking (我挂的是骨科), with one of `arranged` of one that was made
    elsewhere (公众号上约好了): neither asks for one, nor does one of `opinions` (我妹说看中医) while what to book is
    the question; one with `suits` asks whether somebody who is booked is right, and books nothing (看他对不对路). What
    is done already with one of `elsewhere` (在别的医院约上了) is wanted here no more. A stretch
    with a signal of `in_force` asks whether an appointment stands, and one of `had` before it tells which; behind
    that one of `usable` asks it as well (还能用吗). What has one of `was` and none of `now` tells of the past
    (去年查出糖尿病), and one of `done` behind it goes on with that. One of `belongs` before somebody, and nothing but
    one of `theirs` behind them, says whose the task is that stands before it (李四那个是我的); words of `that_one`
    tell that one is meant. `later` and `earlier` move a day by a length of time told in a unit of `days`; a day that
    begins with one of `weekdays` is told in the week of the day that is held. One of `refuses` before one of `undoes`
    gives up the question that asks for that (号别退了), and one of `back` before somebody or some place takes up what
    was given up (还是眼科). What ends with one of `stays` is left as it is, one of `another` asks for somebody else
    who is not named, and what stands behind one of `instead` replaces what is given up before it. The rows of
    `counts` count two tasks, three, and so on; of `others` none of them is the speaker's own; `rest` are all but what
    is named, or has the focus. What is asked for first comes before all else where it is to be answered
    (`answer_first`), or where one of `then` opens what comes after it. What names somebody with one of `whether`, and
    has no signal of `wanted`, asks about a booking and does not ask for it: it replaces none that misses
    nothing. A clause with one of `supposed`, unless it is one of `courteous` (可以的话) or `as_for` behind
    what it names (骨科的话), speaks of a case that may
    come and changes nothing.
    """

    stands: Words = ""
    arranged: Words = ""
    opinions: Words = ""
    elsewhere: Words = ""
    suits: Words = ""
    in_force: tuple[str, ...] = ()
    usable: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    whether: Words = ""
    wanted: tuple[str, ...] = ()
    had: Words = ""
    was: Words = ""
    done: Words = ""
    now: Words = ""
    answer_first: Words = ""
    then: Words = ""
    belongs: Words = ""
    theirs: Words = ""
    that_one: Words = ""
    later: Words = ""
    earlier: Words = ""
    refuses: Words = ""
    undoes: Words = ""
    back: Words = ""
    stays: Words = ""
    another: Words = ""
    instead: Words = ""
    weekdays: Words = ""
    days: dict[str, int] = {}
    counts: tuple[Words, ...] = ()
    others: Words = ""
    rest: Words = ""
    supposed: Words = ""
    as_for: Words = ""
    courteous: Words = ""


class Unmeant(Struct, frozen=True, forbid_unknown_fields=True):
    """What is named and still no value of its kind: one of `words` alone (高不高), or what stands right before one of
    `behind` (青霉素过敏)."""

    words: Words = ""
    behind: Words = ""


class Folk(Struct, frozen=True, forbid_unknown_fields=True):
    """The people of a turn (`people`): who a task is for, and who is only spoken to or named.

    `speaker_name` is what the speaker is called among others. The speaker is told by `me` with a time, an ailment
    (`ails`) or others beside, and by a phrase of `speaker` (我自己, 我那个) that is none of `not_speaker`. `others`
    are pronouns but inside `not_others`; `men` and `women` end the names of either. `own` tells whose somebody is
    and is no part of the name; a child with one of `of` before another of the family names that one (娃他奶奶).
    `both` are words for two, `titled` names that take a surname (王大爷), `broad` words mean whichever member is in
    play (老人家).

    A task is for whoever stands behind one of `introduced` or `settled` (给我妈, 是我妈), before one of `after`, or
    has a signal of `told_of` in their clause, or one of `parts` right behind; not for who does what one of `behind`
    says (送我来) or has one of `owned` (我老伴的单位), comes along by a word of `company` (后天才得空带我来), or does
    what `been` says is over, nor for who is spoken to: one of `address` at the edge of a clause, behind `hail`, before
    one of `called`. Behind `denied`, unless that is one of `either`, stands who is not meant, and before one of
    `corrected` who was.
    One of `with` before somebody and one of `alike` behind them says that another has their time as well, of
    `alike_day` their day.
    `joins` stand between people who are listed, `owns` behind whoever has something, `lets` in words that hand
    a task on (换我自己去). Whom one of `busy` and `introduced` leads to behind a time keeps the speaker busy, where
    none of `visits` follows (我周三要带孙子), and behind a verb that is none of `minds` anything does. What says for
    whom a booking is ends with one of `explains` (给我爸挂的); who does one of `stays_away` is none of those who
    come (孙子不看病).
    """

    speaker_name: str = ""
    me: Words = ""
    speaker: Words = ""
    not_speaker: Words = ""
    identity: Words = ""
    others: Words = ""
    not_others: Words = ""
    men: Words = ""
    women: Words = ""
    own: Words = ""
    children: Words = ""
    of: Words = ""
    both: dict[str, Words] = {}
    titled: Words = ""
    broad: dict[str, Words] = {}
    introduced: Words = ""
    settled: Words = ""
    after: Words = ""
    seeks: Words = ""
    lately: Words = ""
    owns: Words = ""
    told_of: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    ails: tuple[str, ...] = ()
    behind: Words = ""
    owned: Words = ""
    company: Words = ""
    been: Words = ""
    address: Words = ""
    hail: Words = ""
    called: Words = ""
    denied: Words = ""
    either: Words = ""
    corrected: Words = ""
    with_: Words = field(default="", name="with")
    alike: Words = ""
    alike_day: Words = ""
    joins: Words = ""
    lets: Words = ""
    busy: Words = ""
    minds: Words = ""
    visits: Words = ""
    explains: Words = ""
    stays_away: Words = ""


class Correcting(Struct, frozen=True, forbid_unknown_fields=True):
    """Words by which a value is meant or not, beside another of its kind (hospital.md, Segments, 改成).

    A clause between two values that is one of `whole`, has one of `anywhere`, or opens the later one with one of
    `starts`, takes the first back. Words of `turned_down` behind a value say that it will not do (周三不行); one with
    `otherwise` before it (没有就周五) or `as_well` behind it (周五也行) is for the case that another cannot be had.
    What stands right behind one of `settling` is what is meant (那就周五). Two values with one of `or_else` between
    them and none of `settled` behind, or listed before one of `which`, are asked about (骨科还是外科, 李四和王五哪个
    好). `also` stands in a request for another task beside one of its kind (眼科也要), `again` in one for the same
    thing once more (给他也挂一个), `along` in one that adds a thing to
    those asked about (跟头孢一块儿吃), `several` in one that counts its tasks (挂两个号) and
    `each_one` before each of them (一个), `joins` between things that are
    listed (骨科和眼科), `each` before values that are for all tasks (都周五).
    """

    whole: Words = ""
    anywhere: Words = ""
    starts: Words = ""
    turned_down: Words = ""
    otherwise: Words = ""
    as_well: Words = ""
    settling: Words = ""
    or_else: Words = ""
    which: Words = ""
    settled: Words = ""
    also: Words = ""
    again: Words = ""
    along: Words = ""
    several: Words = ""
    each_one: Words = ""
    joins: Words = ""
    each: Words = ""
