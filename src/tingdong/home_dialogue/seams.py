"""Clauses of a question without punctuation: 地暖现在几度|热水器烧到几度了, 亮度多少|声音调到十五.

Several orders are read as a whole without punctuation; a question among them is not. So a question is cut where a new
device or, after it, a new act begins behind a complete clause.
"""

from collections.abc import Sequence

from tingdong.commands.reading import Mention, MentionKind
from tingdong.home.questions import is_question
from tingdong.home_dialogue.pauses import pauses

__all__ = ["seams"]

SHORTEST = 8
"""Characters of a sentence that may be two."""
_HEADS = frozenset({MentionKind.NAME, MentionKind.DEVICE, MentionKind.ROOM})
_ACTS = frozenset({MentionKind.ACTION, MentionKind.VALUE})
_QUERY = "查询"


class _ClausePart:
    """The kinds of words that the part holds so far."""

    def __init__(self) -> None:
        self.head = self.acted = self.asked = False
        self.last: Mention | None = None

    def ends_before(self, mention: Mention) -> bool:
        """Whether the mention begins another clause."""
        if mention.kind in _HEADS:
            of_its_room = self.last is not None and self.last.kind is MentionKind.ROOM  # 玄关|感应灯 is one thing
            return self.head and (self.acted or self.asked) and not of_its_room
        return self.asked and (mention.kind in _ACTS or mention.kind is MentionKind.ATTRIBUTE)

    def take(self, mention: Mention) -> None:
        if mention.kind in _HEADS or mention.kind is MentionKind.ATTRIBUTE:
            self.head = True
        elif mention.kind in _ACTS:
            self.acted = True
        elif mention.kind is MentionKind.QUERY and self.head:
            of_attribute = self.last is not None and self.last.kind is MentionKind.ATTRIBUTE
            self.asked = self.asked or mention.value.startswith(_QUERY) or of_attribute
        self.last = mention


def seams(text: str, mentions: Sequence[Mention]) -> list[tuple[int, int]]:
    """The clauses of a sentence without pauses that asks; one where it is only one."""
    whole = [(0, len(text))]
    if len(text) < SHORTEST or not is_question(text):
        return whole
    cuts: list[int] = []
    part = _ClausePart()
    for mention in sorted(mentions, key=lambda one: one.start):
        if mention.kind is MentionKind.FILLER:
            continue
        if part.ends_before(mention) and part.last is not None:
            cut = _behind(part.last, mention, text)
            if not text.startswith(pauses().tying, cut):
                cuts.append(cut)
                part = _ClausePart()
        part.take(mention)
    starts = [0, *cuts]
    return list(zip(starts, [*cuts, len(text)], strict=True))


def _behind(last: Mention, following: Mention, text: str) -> int:
    """Where the clause ends: behind its last mention, and the particles that end it (关了没|把灯打开)."""
    end = last.end
    while end < following.start and text[end] in pauses().after.ends:
        end += 1
    return end
