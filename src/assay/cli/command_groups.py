"""The groups in which ``assay --help`` lists the commands; each command names its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

GROUPS = ("start", "evaluate", "decide", "inspect", "present", "files", "assessors")
"""In the order of the help."""
Command = TypeVar("Command", bound=click.Command)


def in_group(group: str) -> Callable[[Command], Command]:
    """Declare the group of a command."""

    def declare(command: Command) -> Command:
        vars(command)["group"] = group
        return command

    return declare


def group_of(command: click.Command) -> str:
    """Return the group of a command."""
    group: str = vars(command)["group"]
    return group
