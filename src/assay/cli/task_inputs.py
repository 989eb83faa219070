"""The inputs of each task, the same in every command, and commands whose first word is a task."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import Decorator, combine_options, parameters
from assay.core.errors import AssayError, UsageError, did_you_mean

if TYPE_CHECKING:
    from assay.tasks.evidence import TaskEvidence

TASK_COLUMNS: Mapping[str, frozenset[str]] = {
    "classification": frozenset({"truth", "predicted"}),
    "clustering": frozenset({"cluster", "class"}),
    "agreement": frozenset({"item", "assessor", "label"}),
}
"""Columns from which the task of a table is detected."""
FORMATS_WITHOUT_COLUMNS = ("trec", "msmarco", "json")
TABLE_ENDINGS = (".csv", ".tsv", ".tab", ".parquet")


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
    systems: str = "files"
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

        return combine_options(*self.options)(called)

    def params(self) -> list[click.Parameter]:
        """Return the arguments and options as click has them."""
        return parameters(self.options)


def task_names() -> list[str]:
    """Return the tasks that have inputs of their own."""
    package = importlib.import_module("assay.cli.inputs")
    return sorted(module.name for module in pkgutil.iter_modules(package.__path__))


def inputs_of(task: str) -> TaskInputs | None:
    """Return the inputs of a task, or None if there is no such task."""
    if task not in task_names():
        return None
    inputs: TaskInputs = importlib.import_module(f"assay.cli.inputs.{task}").INPUTS
    return inputs


class TaskGroup(click.Group):
    """A command whose first word is a task or a kind of figure; unknown words get a hint."""

    what = "task"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; ``help`` is ``--help``, and an unknown word gets a hint."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            ctx.fail(self._hint(args, {name: self.get_command(ctx, name) for name in known}))
        return super().resolve_command(ctx, args)

    def _hint(self, words: list[str], known: Mapping[str, click.Command | None]) -> str:
        if self.what == "task" and (hint := misplaced_file_hint(words, str(self.name))):
            return hint
        texts = {name: (each.help if each else None) or "" for name, each in known.items()}
        near = did_you_mean(words[0], known, texts)
        return f"'{words[0]}' is not a {self.what}.{near} There are {', '.join(known)}."


def is_table(path: str) -> bool:
    """Whether a file is a table, of scores or a leaderboard; otherwise it is a run."""
    return Path(path.removesuffix(".gz")).suffix.casefold() in TABLE_ENDINGS


def add_task_hint(failure: AssayError, command: str, files: Sequence[str]) -> AssayError:
    """Return the failure to read scores files, with a hint where they are the inputs of a task."""
    task = detect_task(files[0])
    if task is None:
        return failure
    return UsageError(
        f"{files[0]} is not a scores file; name the task before its files:"
        f" assay {command} {task} {' '.join(files)}"
    )


def misplaced_file_hint(words: Sequence[str], command: str = "") -> str:
    """Return what to write where a file takes the place of a task; nothing if it is not a file."""
    if not Path(words[0]).is_file():
        return ""
    task = detect_task(words[0]) or "TASK"
    call = " ".join(word for word in ("assay", command, task, shlex.join(words)) if word)
    return f"'{words[0]}' is a file; name the task before it: {call}"


def detect_task(file: str) -> str | None:
    """Return the task whose input a file is, as far as its content shows it."""
    from assay.formats.containers import open_file, to_frame
    from assay.formats.table_columns import ranks_documents

    try:
        form, opened = open_file(file, None)
        if form.name == "trec" and len(opened.first_row) < 4:
            return None
        if form.name in FORMATS_WITHOUT_COLUMNS:
            return "retrieval" if form.kind(opened) else None
        names = set(to_frame(file, "the table")[0].columns)
    except AssayError:
        return None
    tasks = (task for task, columns in TASK_COLUMNS.items() if columns <= names)
    return "retrieval" if ranks_documents(names) else next(tasks, None)
