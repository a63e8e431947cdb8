"""Questions about past actions: 刚才关了哪几个, 你刚才动了什么 (service.md, Dialogue).

Answered from the ledger: the changes of the last turn that changed anything.
"""

import re

from tingdong.home.kinds import kinds_in
from tingdong.home.model import Deed, Instruct, Plan, ReplyKind
from tingdong.home.reply import tell_deeds
from tingdong.home_dialogue.acting import OFF, ON
from tingdong.home_dialogue.answers import answers
from tingdong.home_dialogue.ending import Ended, passed
from tingdong.home_dialogue.ledger import net, told_change
from tingdong.home_dialogue.outcome import Outcome
from tingdong.home_dialogue.situation import Situation

__all__ = ["recalled"]


def recalled(situation: Situation) -> Ended | None:
    """The turn asks what was done."""
    asked = re.fullmatch(answers().done, situation.text.strip("？?。！! "))
    if asked is None:
        return None
    page = passed(situation)
    entry = next((one for one in reversed(page.ledger) if one.changes), None)
    if entry is None:
        return page, Outcome(ReplyKind.ANSWER, answers().recalled.never, rule="recalled")
    devices, kinds = situation.home.shape.devices, kinds_in(asked["kind"] or "")
    verb = OFF if asked["off"] else ON if asked["on"] else ""
    told: list[tuple[Instruct, Deed]] = []
    for device_id, (before, after) in net(entry.changes).items():
        device = devices.get(device_id)
        if device is None or before == after or (kinds and device.kind.key not in kinds):
            continue
        deed = told_change(device, before, after)
        if verb in ("", deed.verb):
            told.append((Instruct(device_id, after, deed.told(device.label)), deed))
    words = answers().recalled
    plan = Plan(tuple(instruct for instruct, _ in told), (), tuple(deed for _, deed in told))
    text = words.done.format(tell_deeds(situation.home, plan)) if told else words.other
    return page, Outcome(ReplyKind.ANSWER, text, rule="recalled")
