"""The asynchronous client of the smart-home pipe (service.md, Endpoint). Needs the package `websockets`."""

from tingdong.client.client import Client, ConnectionFailed, Reply
from tingdong.client.conversation import Conversation, apply_instructs

__all__ = ["Client", "ConnectionFailed", "Conversation", "Reply", "apply_instructs"]
