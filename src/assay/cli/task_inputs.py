"""The arguments and options from which a task reads its evidence, the same in every command."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import click

if TYPE_CHECKING:
    from assay.tasks.evidence import TaskEvidence

Decorator: TypeAlias = Callable[[Any], Any]
"""An argument or an option, as click declares them."""


@dataclass(frozen=True)
class TaskInputs:
    """How the inputs of a task are given on the command line, and how they are read.

    Each file of the folder ``inputs`` has one, as ``INPUTS``; commands that take a task find them
    there.
    """

    task: str
    options: Sequence[Decorator]
    """The arguments and options, in the order in which help shows them."""
    read: Callable[..., TaskEvidence]
    """Takes their values by name."""
    systems: str
    """The argument that names the files of the systems."""
    further: Mapping[str, Sequence[Decorator]] = field(default_factory=dict)
    """Options of single commands, by the name of the command."""
    summary: str = ""
    """What the command of the task does, for a task without a file in ``commands``."""
    examples: str = ""
    """Commands to paste, shown below the options."""

    def of_command(self, command: str) -> TaskInputs:
        """Return the inputs with the options that a command has further."""
        return replace(self, options=[*self.options, *self.further.get(command, ())])

    def __call__(self, function: Callable[..., Any]) -> Any:
        """Decorate a command that takes what was read as ``evidence``."""

        @functools.wraps(function)
        def called(inputs: dict[str, Any], **given: Any) -> Any:
            """Call the command with what was given."""
            return function(evidence=self.read(**inputs), **given)

        return self.values(called)

    def values(self, function: Callable[..., Any]) -> Any:
        """Decorate a command that takes the values as ``inputs`` and reads them itself."""
        names = [str(param.name) for param in self.params()]

        @functools.wraps(function)
        def called(**given: Any) -> Any:
            """Call the command with what was given."""
            return function(inputs={name: given.pop(name) for name in names}, **given)

        return self._decorate(called)

    def params(self) -> list[click.Parameter]:
        """Return the arguments and options as click has them."""
        made: Any = self._decorate(lambda: None)
        return list(reversed(made.__click_params__))

    def _decorate(self, function: Any) -> Any:
        for option in reversed(self.options):
            function = option(function)
        return function


def task_names() -> list[str]:
    """Return the tasks that have inputs of their own."""
    package = importlib.import_module("assay.cli.inputs")
    return sorted(each.name for each in pkgutil.iter_modules(package.__path__))


def inputs_of(task: str) -> TaskInputs | None:
    """Return the inputs of a task, or None if there is no such task."""
    if task not in task_names():
        return None
    found: TaskInputs = importlib.import_module(f"assay.cli.inputs.{task}").INPUTS
    return found
