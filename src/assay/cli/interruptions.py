"""How a command that did not come to its end is described."""

from __future__ import annotations


def describe_interruption(cause: BaseException | None) -> tuple[str, int]:
    """Return what ended the command, and the exit code."""
    if not isinstance(cause, EOFError):
        return "interrupted", 130
    if "marshal" in str(cause):  # Python reads a module.
        return "a file of compiled Python (.pyc) is cut; remove the folders __pycache__", 1
    return "standard input ended where an answer was expected", 1
