"""The command line (docs/cli.md): arguments here, one module per command; heavy parts are imported on demand."""

from tingdong.cli.app import command_line, main

__all__ = ["command_line", "main"]
