"""Short answers to an open question, for clients that show buttons (service.md, Dialogue).

Each is understood as it stands: a room if each option has its own room, else room and name, else 第一个, 第二个 in the
home's order.
"""

from tingdong.home.home import HomeSnapshot
from tingdong.home_dialogue.page import Choice, Pending

__all__ = ["short_answers"]

ALL_OF_THEM, DROP, YES = "都要", "算了", "确认"
MOST_OFFERED = 8
_COUNTED = "一二三四五六七八"


def short_answers(home: HomeSnapshot, pending: Pending | None) -> tuple[str, ...]:
    """What can be said to a question that was just asked; empty when none was (an older one is not offered again)."""
    if pending is None or pending.age:
        return ()
    match pending.choice:
        case Choice.HEARD if len(pending.said) > 1:
            return *(one.text for one in pending.said), DROP
        case Choice.CONFIRM | Choice.HEARD | Choice.UNDO:
            return YES, DROP
        case Choice.WHEN:
            return *pending.options[:MOST_OFFERED], DROP
        case Choice.WHAT:
            return (DROP,)
        case Choice.TIMER:
            return *(f"第{one}个" for one in _COUNTED[: len(pending.options)]), ALL_OF_THEM, DROP
        case Choice.TARGET if len(pending.options) == 1:  # 你是说孵蛋箱吗？
            return YES, DROP
        case Choice.TARGET:
            return *_choices(home, pending.options), ALL_OF_THEM, DROP


def _choices(home: HomeSnapshot, options: tuple[str, ...]) -> tuple[str, ...]:
    devices = [home.shape.devices[option] for option in options[:MOST_OFFERED] if option in home.shape.devices]
    rooms = [device.room for device in devices]
    for words in (rooms, [device.label for device in devices]):
        if all(words) and len(set(words)) == len(words):
            return tuple(words)
    return tuple(f"第{_COUNTED[index]}个" for index in range(len(devices)))
