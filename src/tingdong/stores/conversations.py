"""How pages of the front desk are written; apart from the codec, so that who keeps homes' pages loads no front desk."""

from tingdong.desk_turn import CONVERSATION_VERSION, DeskPage
from tingdong.stores.codec import Codec

__all__ = ["CONVERSATIONS"]

CONVERSATIONS: Codec[DeskPage] = Codec(
    "hospital", CONVERSATION_VERSION, DeskPage.encode, DeskPage.decode, latest=DeskPage.latest
)
"""Pages of the front desk."""
