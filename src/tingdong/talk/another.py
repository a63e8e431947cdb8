"""另外那盏: the one beside what was spoken of, of its kind and in its room."""

from tingdong.commands.reading import MentionKind
from tingdong.talk.answers import answers
from tingdong.talk.page import Doing
from tingdong.talk.situation import Situation

__all__ = ["beside_it", "points_at_another"]


def points_at_another(situation: Situation) -> bool:
    """另外那盏: not the one spoken of; 另外 alone only begins the next clause."""
    before = (situation.text[: mention.start] for mention in situation.of(MentionKind.REFERENCE))
    return any(text.endswith(answers().others) for text in before)


def beside_it(situation: Situation, last: Doing) -> tuple[str, ...]:
    """The one thing of the same kind in the same room; none where there are several."""
    devices = situation.home.shape.devices
    kinds = {(devices[one].room, devices[one].type) for one in last.ids if one in devices}
    found = tuple(
        device.id for device in devices.values() if (device.room, device.type) in kinds and device.id not in last.ids
    )
    return found if len(found) == 1 else ()
