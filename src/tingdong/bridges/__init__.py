"""Bridges to agents (MCP, tools, prompts), platforms and voice assistants (architecture, Layout).

A bridge translates and makes no decisions. Input is validated as in the service; output was validated against the home.
"""

from enum import StrEnum

__all__ = ["Platform"]


class Platform(StrEnum):
    """The platforms whose documents are understood: a row here, and in `platforms` a module of that name (`read` and
    `shown`) and its table."""

    SMARTTHINGS = "smartthings"
    MATTER = "matter"
    HOME_ASSISTANT = "home-assistant"
    MI_HOME = "mi-home"
    TUYA = "tuya"

    @property
    def module(self) -> str:
        """The name of its module and its table."""
        return self.value.replace("-", "_")
