"""The inputs of each task, the same in every command, and commands whose first word is a task.

``assay compare retrieval qrels.txt a.run b.run`` and ``assay compare scores.parquet`` are the same
command. The arguments of a task are those of its own command, so a new task is known to all of
these commands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from assay.cli.application import command_module, command_names
from assay.cli.options import (
    column_option,
    decimal_comma_option,
    files_argument,
    measure_option,
    measure_option_with_default,
)
from assay.cli.output import Output, output_options
from assay.cli.parameters import Decorator, combine_options, one_argument, parameters
from assay.cli.task_detection import add_task_hint, are_saved, is_table, misplaced_file_hint
from assay.core.errors import AssayError, did_you_mean
from assay.core.frozen_dataclass import dataclass, field, replace

if TYPE_CHECKING:
    from assay.engine.scores import Scores
    from assay.statistics.intervals.unit_intervals import Bootstrap
    from assay.tasks.evidence import TaskEvidence


@dataclass(frozen=True)
class TaskInputs:
    """How the inputs of a task are given on the command line, and how they are read.

    The file of the command of a task has one, as ``INPUTS``; commands that take a task find them
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

    def of_command(self, command: str) -> TaskInputs:
        """Return the inputs with the options that a command has further."""
        return replace(self, options=[*self.options, *self.further.get(command, ())])

    def __call__(self, function: Callable[..., Any]) -> Any:
        """Decorate a command that takes what was read as ``evidence``."""
        return one_argument("evidence", self.read, self.options)(function)

    def values(self, function: Callable[..., Any]) -> Any:
        """Decorate a command that takes the values as ``inputs`` and reads them itself."""
        return one_argument("inputs", dict, self.options)(function)

    def command(self, summary: str, examples: str) -> click.Command:
        """Return the command of a task that needs nothing of its own: it shows the scores."""

        @click.command(self.task, help=summary, epilog=examples)
        @self
        @output_options
        def command(evidence: TaskEvidence, output: Output) -> None:
            """Evaluate the systems, and show their scores."""
            output.show(output.scores(evidence))

        return command


def task_names() -> list[str]:
    """Return the tasks: the commands that declare inputs of their own."""
    return [name for name in command_names() if inputs_of(name) is not None]


def inputs_of(task: str) -> TaskInputs | None:
    """Return the inputs of a task, or None if there is no such task."""
    inputs: TaskInputs | None = getattr(command_module(task), "INPUTS", None)
    return inputs if inputs is not None and inputs.task == task else None


class TaskGroup(click.Group):
    """A command whose first word is a task or a kind of figure; unknown words get a hint."""

    what = "task"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; ``help`` is ``--help``, and an unknown word gets a hint."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            known = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
            ctx.fail(self._hint(args, known))
        return super().resolve_command(ctx, args)

    def _hint(self, words: list[str], known: Mapping[str, click.Command | None]) -> str:
        if self.what == "task" and (hint := misplaced_file_hint(words, str(self.name))):
            return hint
        texts = {name: (each.help if each else None) or "" for name, each in known.items()}
        near = did_you_mean(words[0], known, texts)
        return f"'{words[0]}' is not a {self.what}.{near} There are {', '.join(known)}."


def _read_saved(**given: Any) -> Any:
    """Saved scores have no evidence."""


SAVED_SCORES = TaskInputs(
    "",
    [
        files_argument(),
        column_option("--system-column", help="Column of the systems in a table of scores."),
        column_option("--unit-column", help="Column of the units in a table of scores."),
        decimal_comma_option,
    ],
    _read_saved,
)
"""Files of scores in place of the inputs of a task."""
SCORE_COLUMNS = ("system_column", "unit_column", "decimal_comma")
"""The options of a table of scores."""


@dataclass(frozen=True)
class ScoreSource:
    """Where the scores of a command come from: the inputs of a task, or saved scores."""

    command: str
    measures: list[str] | None
    """The requested measures; None if none are named."""
    inputs: TaskInputs
    values: Mapping[str, Any]
    """The values of the inputs."""

    @property
    def files(self) -> tuple[str, ...]:
        """The files of the systems, or of the saved scores."""
        return tuple(self.values[self.inputs.systems])

    @property
    def saved(self) -> bool:
        """Whether the files are saved scores."""
        return self.inputs is SAVED_SCORES

    def evidence(self, files: Sequence[str] | None = None) -> TaskEvidence:
        """Return the evidence of the systems, or of other files in their place."""
        own = self.files if files is None else tuple(files)
        return self.inputs.read(**{**self.values, self.inputs.systems: own})

    def scores(
        self, files: Sequence[str] | None = None, interval: Bootstrap | None = None
    ) -> Scores:
        """Return the scores of the systems, or of other files, also saved ones, in their place."""
        if not self.saved and not (files and are_saved(files)):
            return self.evidence(files).scores(self.measures, interval=interval)
        from assay.tasks.scores.read_scores import ScoreColumns, read_scores

        try:
            names = SCORE_COLUMNS if self.saved else ()
            columns = {name.removesuffix("_column"): self.values[name] for name in names}
            return read_scores(list(files or self.files), ScoreColumns(**columns))
        except AssayError as failure:
            raise add_task_hint(failure, self.command, files or self.files) from None

    def read_with_baselines(self, *baselines: str | None) -> tuple[Scores, list[str]]:
        """Return the scores of all systems, and the names of the baselines among them.

        A baseline that is a file of its own is evaluated too.
        """
        from assay.tasks.scores.read_scores import merge_scores

        found = self.scores()
        named = list({_identity(each, found): each for each in baselines if each}.values())
        apart = {each: self.scores([each]) for each in named if self._is_another_file(each, found)}
        if not apart:
            return found, named
        whole = merge_scores([found, *apart.values()])
        # Systems keep their order, but those with the name of another are renamed.
        names = iter(whole.systems[len(found.systems) :])
        renamed = {each: [next(names) for _ in own.systems] for each, own in apart.items()}
        return whole, [name for each in named for name in renamed.get(each, [each])]

    def _is_another_file(self, baseline: str, found: Scores) -> bool:
        """Whether a baseline is a file that the scores did not come from."""
        known = (*self.files, *(found.conventions.get("sources") or {}).values())
        return (
            baseline not in found.systems
            and Path(baseline).is_file()
            and Path(baseline).resolve() not in {Path(each).resolve() for each in known}
            and (not self.saved or is_table(baseline))
        )


def _identity(baseline: str, found: Scores) -> str | Path:
    """Return what two spellings of one baseline share: its name, or the path of its file."""
    return baseline if baseline in found.systems else Path(baseline).resolve()


OwnOptions: TypeAlias = Sequence[Decorator] | Callable[[], Sequence[Decorator]]
"""The options of a command; a function builds those that list what the library has."""


class ScoredCommand(click.Group):
    """A command whose first argument is a task, or a scores file."""

    def __init__(self, run: Callable[..., Any], options: OwnOptions, **kwargs: Any) -> None:
        super().__init__(
            subcommand_metavar="TASK INPUTS... | FILE...",
            help=run.__doc__,
            no_args_is_help=True,
            **kwargs,
        )
        self.run = run
        self.options = options

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the tasks, and subcommands of other kinds."""
        return [*task_names(), *self.commands]

    def get_command(self, ctx: click.Context, name: str) -> click.Command:
        """Return the command over the inputs of a task, or else over saved scores."""
        if name in self.commands:
            return self.commands[name]
        inputs = inputs_of(name)
        if inputs is None:
            return self._over(SAVED_SCORES, measure_option_with_default("all that were measured"))
        return self._over(inputs.of_command(str(self.name)), measure_option)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Take a first argument that is not a task as a scores file."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        if args[:1] == ["scores"]:
            args = args[1:] or ["--help"]
        if args and args[0] not in self.commands and inputs_of(args[0]) is None:
            self._refuse_unknown_task(ctx, args[0])
            return "", self.get_command(ctx, args[0]), args
        return super().resolve_command(ctx, args)

    def _refuse_unknown_task(self, ctx: click.Context, first: str) -> None:
        if not first.startswith("-") and not Path(first).exists() and "." not in first:
            tasks = task_names()
            hint = did_you_mean(first, tasks) or f" The tasks are {', '.join(tasks)}."
            ctx.fail(f"'{first}' is neither a task nor a scores file.{hint}")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of every task, then the tasks."""
        self.get_command(ctx, "").format_options(ctx, formatter)
        with formatter.section("Tasks"):
            formatter.write_text(", ".join(task_names()))
            formatter.write_text(f"'assay {self.name} TASK --help' shows the inputs of a task.")

    def _over(self, inputs: TaskInputs, measure: Decorator) -> click.Command:
        """Return the command over these inputs; its own options win over theirs."""
        # A new object: click keeps the options as an attribute of what it decorates.
        options = self.options() if callable(self.options) else self.options
        called = combine_options(*options)(partial(self.run))
        own: list[click.Parameter] = list(reversed(called.__click_params__))
        taken = {word for each in own for word in (each.name, *each.opts)}
        every = parameters(inputs.options)
        params = [each for each in every if taken.isdisjoint((each.name, *each.opts))]
        names = [str(each.name) for each in params]
        has_slices = any(each.name == "by" for each in every) and "by" not in names

        def callback(measures: list[str] | None, **given: Any) -> Any:
            """Run the command on the scores that its arguments name."""
            values = {name: given.pop(name) for name in names}
            if has_slices:
                values["by"] = ()
                if given.get("slice_by") and given.get("units") is None:  # a column of the task
                    values["by"], given["slice_by"] = (given["slice_by"],), None
            source = ScoreSource(str(self.name), measures, inputs, values)
            return called(source=source, **given)

        return click.Command(
            inputs.task,
            params=[*params, *parameters([measure]), *own],
            callback=callback,
            help=self.help,
            epilog=self.epilog,
        )


def scored_command(
    name: str, options: OwnOptions, epilog: str
) -> Callable[[Callable[..., Any]], ScoredCommand]:
    """Declare a function of a `ScoreSource` and the options as a command over scores."""
    return lambda run: ScoredCommand(run, options, name=name, epilog=epilog)
