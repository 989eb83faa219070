"""Commands that go on from Scores: they take a task and its inputs, or files of scores.

``assay compare retrieval qrels.txt a.run b.run`` and ``assay compare scores.parquet`` are the same
command. The arguments of a task are those of its own command, so a new task is taken in by itself.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from assay.cli.output import (
    Output,
    is_task,
    measure_option,
    measure_option_with_default,
    parse_names,
)
from assay.cli.score_input import ScoreSource
from assay.cli.several import Several
from assay.cli.task_inputs import TaskInputs, inputs_of

if TYPE_CHECKING:
    import polars as pl

    from assay.engine.scores import Scores
    from assay.statistics.intervals.unit_intervals import Bootstrap


Options: TypeAlias = list[Callable[[Any], Any]]
"""Decorators that click makes."""


@dataclass(frozen=True)
class Captured(Output):
    """Stands in for the output of a task's command: keeps the scores instead of showing them."""

    caught: list[Scores] = field(default_factory=list)

    def bootstrap(self) -> Bootstrap | None:
        """None: the command makes its own intervals."""
        return None

    def show(self, scores: Scores) -> None:
        """Keep the scores."""
        self.caught.append(scores)

    def show_frame(self, frame: pl.DataFrame) -> None:
        """Refuse a table that is not scores."""
        raise click.UsageError("these options ask for a table, but scores are needed here")

    def say(self, text: str) -> None:
        """Nothing: only the scores are wanted."""

    @classmethod
    def like(cls, task: click.Command) -> Captured:
        """With the task's own defaults."""
        own = [p for p in task.params if p.name in Output.__dataclass_fields__]
        defaults: dict[str, Any] = {str(p.name): _plain_default(p) for p in own}
        # Commands write more than the scores only as a table for a reader.
        return cls(**defaults | {"format": "json", "quiet": True})


class ScoredCommand(click.Group):
    """A command whose first argument is a task, or a file of scores."""

    def __init__(
        self, run: Callable[..., Any], options: Callable[[], Options], **kwargs: Any
    ) -> None:
        super().__init__(
            subcommand_metavar="TASK INPUTS... | FILE...",
            help=run.__doc__,
            no_args_is_help=True,
            **kwargs,
        )
        self.run = run
        self.options = options

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The tasks."""
        from assay.cli.application import application

        return [name for name in application.list_commands(ctx) if _task(name)]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command for a task."""
        inputs = inputs_of(name)
        if inputs is not None:
            return _with_inputs(self, inputs)
        task = _task(name)
        return None if task is None else _with_task(self, task)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A first argument that is no task is a file of scores."""
        if args and self.get_command(ctx, args[0]) is None:
            self._refuse_strangers(ctx, args[0])
            return "", _with_files(self), args
        return super().resolve_command(ctx, args)

    def _refuse_strangers(self, ctx: click.Context, first: str) -> None:
        from assay.core.errors import did_you_mean

        if not first.startswith("-") and not Path(first).exists() and "." not in first:
            tasks = self.list_commands(ctx)
            hint = did_you_mean(first, tasks) or f" The tasks are {', '.join(tasks)}."
            ctx.fail(f"'{first}' is neither a task nor a scores file.{hint}")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options that hold for every task, then the tasks."""
        command = _with_files(self)
        command.format_options(ctx, formatter)
        with formatter.section("Tasks"):
            formatter.write_text(", ".join(self.list_commands(ctx)))
            formatter.write_text(f"'assay {self.name} TASK --help' tells what inputs a task takes.")


def scored_command(
    name: str, options: Callable[[], Options], epilog: str
) -> Callable[[Callable[..., Any]], ScoredCommand]:
    """Declare a function of ``source`` and the options as a command over Scores.

    The options are made when they are needed, since some list what the library knows.
    """
    return lambda run: ScoredCommand(run, options, name=name, epilog=epilog)


def _task(name: str) -> click.Command | None:
    """The command of a task: one that takes the options of the output."""
    from assay.cli.application import application

    if name not in application.list_commands(click.Context(application)):
        return None
    command = importlib.import_module(f"assay.cli.commands.{name}").command
    return command if is_task(command) else None


ONLY_SHOWN = {"--brief", "--arrange", "--residuals", "--matrix"}
"""Options of tasks that shape what these print, and not their scores."""


def _with_task(group: ScoredCommand, task: click.Command) -> click.Command:
    inputs_of = [p for p in task.params if p.name not in Output.__dataclass_fields__]
    taken = _words(_parameters(group))
    # Where both have an option of the same name, the command's own is meant.
    own = [p for p in inputs_of if not taken & _words([p]) and not ONLY_SHOWN & {*p.opts}]
    settled = {str(p.name): _plain_default(p) for p in inputs_of if p not in own}
    evaluate: Any = getattr(task.callback, "__wrapped__", None)
    several = Several.of(own)
    names = [str(p.name) for p in own]

    def scores(inputs: dict[str, Any]) -> Scores:
        kept = Captured.like(task)
        evaluate(output=kept, **inputs)
        return kept.caught[0]

    def callback(**given: Any) -> Any:
        inputs = settled | {name: given.pop(name) for name in names}
        files = several.files

        def make(others: Sequence[str] | None) -> Scores:
            changed = {} if others is None or files is None else {files: tuple(others)}
            return several.scores(inputs | changed, scores)

        given_files = tuple(inputs[files]) if files else ()
        source = ScoreSource(inputs.get("measures", ()), make, given_files, files is not None)
        return group.run(source=source, **given)

    return _built(group, str(task.name), callback, list(several.params))


def _with_inputs(group: ScoredCommand, inputs: TaskInputs) -> click.Command:
    """Return the command over the inputs of a task; its own options win over theirs."""
    taken = _words(_parameters(group))
    params = [param for param in inputs.params() if not taken & _words([param])]
    names = [str(param.name) for param in params]
    measure: Any = measure_option(lambda: None)

    def callback(measures: tuple[str, ...], **given: Any) -> Any:
        own = {name: given.pop(name) for name in names}

        def make(others: Sequence[str] | None) -> Scores:
            changed = {} if others is None else {inputs.systems: tuple(others)}
            return inputs.read(**own | changed).scores(parse_names(measures), interval=None)

        source = ScoreSource(measures, make, tuple(own[inputs.systems]))
        return group.run(source=source, **given)

    return _built(group, inputs.task, callback, [*params, *measure.__click_params__])


def _with_files(group: ScoredCommand) -> click.Command:
    def callback(files: tuple[str, ...], measures: tuple[str, ...], **given: Any) -> Any:
        from assay.cli.task_hints import add_task_hint
        from assay.core.errors import AssayError
        from assay.tasks.scores.read_scores import read_scores

        def make(others: Sequence[str] | None) -> Scores:
            chosen = list(others or files)
            try:
                return read_scores(chosen)
            except AssayError as failure:
                raise add_task_hint(failure, str(group.name), chosen) from None

        return group.run(source=ScoreSource(measures, make, files, saved=True), **given)

    argument = click.Argument(["files"], nargs=-1, required=True, metavar="FILE...")
    measure: Any = measure_option_with_default("all that were measured")(lambda: None)
    return _built(group, "", callback, [argument, *measure.__click_params__])


def _built(
    group: ScoredCommand, name: str, callback: Callable[..., Any], params: list[click.Parameter]
) -> click.Command:
    return click.Command(
        name,
        params=[*params, *_parameters(group)],
        callback=callback,
        help=group.help,
        epilog=group.epilog,
    )


def _parameters(group: ScoredCommand) -> list[click.Parameter]:
    made: Any = lambda: None  # noqa: E731 (click hangs the options onto a function)
    for option in reversed(group.options()):
        made = option(made)
    return list(reversed(made.__click_params__))


def _words(params: Sequence[click.Parameter]) -> set[str]:
    """The names of parameters, as they are typed and as they are handed over."""
    return {word for p in params for word in (str(p.name), *p.opts)}


def _plain_default(param: click.Parameter) -> Any:
    """The default of a parameter; None where there is none, however click says so."""
    if isinstance(param.default, str | int | float | tuple):
        return param.default
    return () if getattr(param, "multiple", False) else None
