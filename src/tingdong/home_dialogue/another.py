"""另外那盏: the one beside what was spoken of, of its kind and in its room."""

from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.page import Doing
from tingdong.home_dialogue.situation import Situation

__all__ = ["beside_it", "points_at_another"]


def points_at_another(situation: Situation) -> bool:
    """Whether it is not the one spoken of."""
    return situation.says(answers().another)


def beside_it(situation: Situation, last: Doing) -> tuple[str, ...]:
    """The one thing of the same kind in the same room; none where there are several."""
    devices = situation.home.shape.devices
    kinds = {(devices[one].room, devices[one].type) for one in last.ids if one in devices}
    found = tuple(
        device.id for device in devices.values() if (device.room, device.type) in kinds and device.id not in last.ids
    )
    return found if len(found) == 1 else ()
