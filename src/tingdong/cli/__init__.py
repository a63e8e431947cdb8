"""The command line (docs/cli.md): arguments outside, one module a job inside; heavy parts are imported when needed."""

from tingdong.cli.app import command_line, main

__all__ = ["command_line", "main"]
