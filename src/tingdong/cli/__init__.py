"""The command line (docs/cli.md): typer outside, one module a job inside; heavy parts are imported when needed."""

from tingdong.cli.app import app, main

__all__ = ["app", "main"]
