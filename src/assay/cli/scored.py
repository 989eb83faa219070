"""Commands over a task and its inputs, or over saved scores.

``assay compare retrieval qrels.txt a.run b.run`` and ``assay compare scores.parquet`` are the same
command. The arguments of a task are those in the folder ``inputs``, so a new task is known to all
of these commands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from assay.cli.file_kinds import is_table
from assay.cli.output import measure_option, measure_option_with_default
from assay.cli.task_inputs import TaskInputs, inputs_of, task_names

if TYPE_CHECKING:
    from assay.engine.scores import Scores
    from assay.statistics.intervals.unit_intervals import Bootstrap
    from assay.tasks.evidence import TaskEvidence

Options: TypeAlias = list[Callable[[Any], Any]]
"""Decorators that click makes."""


@dataclass(frozen=True)
class ScoreSource:
    """Where the scores of a command come from: the inputs of a task, or saved scores."""

    command: str
    measures: list[str] | None
    """The requested measures; None if none are named."""
    files: tuple[str, ...]
    """The files of the systems, or of the saved scores."""
    read: Callable[[Sequence[str]], TaskEvidence] | None = None
    """Reads the evidence of such files; None if they are saved scores."""

    def evidence(self) -> TaskEvidence | None:
        """Return the evidence of the task; None for saved scores."""
        return None if self.read is None else self.read(self.files)

    def scores(
        self, files: Sequence[str] | None = None, interval: Bootstrap | None = None
    ) -> Scores:
        """Return the scores of the systems, or of other files in their place."""
        used = self.files if files is None else tuple(files)
        if self.read is not None:
            return self.read(used).scores(self.measures, interval=interval)
        from assay.cli.task_hints import add_task_hint
        from assay.core.errors import AssayError
        from assay.tasks.scores.read_scores import read_scores

        try:
            return read_scores(list(used))
        except AssayError as failure:
            raise add_task_hint(failure, self.command, used) from None

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
            and (self.read is not None or is_table(baseline))
        )


def _identity(baseline: str, found: Scores) -> str | Path:
    """Return what two spellings of one baseline share: its name, or the path of its file."""
    return baseline if baseline in found.systems else Path(baseline).resolve()


class ScoredCommand(click.Group):
    """A command whose first argument is a task, or a scores file."""

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
        """Return the tasks."""
        return task_names()

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command for a task."""
        inputs = inputs_of(name)
        return None if inputs is None else self._over_inputs(inputs.of_command(str(self.name)))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Take a first argument that is not a task as a scores file."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        if args[:1] == ["scores"]:
            args = args[1:] or ["--help"]
        if args and inputs_of(args[0]) is None:
            self._refuse_unknown_task(ctx, args[0])
            return "", self._over_files(), args
        return super().resolve_command(ctx, args)

    def _refuse_unknown_task(self, ctx: click.Context, first: str) -> None:
        from assay.core.errors import did_you_mean

        if not first.startswith("-") and not Path(first).exists() and "." not in first:
            tasks = self.list_commands(ctx)
            hint = did_you_mean(first, tasks) or f" The tasks are {', '.join(tasks)}."
            ctx.fail(f"'{first}' is neither a task nor a scores file.{hint}")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of every task, then the tasks."""
        self._over_files().format_options(ctx, formatter)
        with formatter.section("Tasks"):
            formatter.write_text(", ".join(self.list_commands(ctx)))
            formatter.write_text(f"'assay {self.name} TASK --help' shows the inputs of a task.")

    def _over_inputs(self, inputs: TaskInputs) -> click.Command:
        """Return the command over the inputs of a task; its own options win over theirs."""
        taken = _words(_parameters(self.options()))
        params = [param for param in inputs.params() if not taken & _words([param])]
        names = [str(param.name) for param in params]

        def callback(measures: list[str] | None, **given: Any) -> Any:
            own = {name: given.pop(name) for name in names}

            def read(files: Sequence[str]) -> TaskEvidence:
                return inputs.read(**own | {inputs.systems: tuple(files)})

            source = ScoreSource(str(self.name), measures, tuple(own[inputs.systems]), read)
            return self.run(source=source, **given)

        return self._built(inputs.task, callback, [*params, *_parameters([measure_option])])

    def _over_files(self) -> click.Command:
        """Return the command over saved scores."""

        def callback(files: tuple[str, ...], measures: list[str] | None, **given: Any) -> Any:
            return self.run(source=ScoreSource(str(self.name), measures, files), **given)

        argument = click.Argument(["files"], nargs=-1, required=True, metavar="FILE...")
        measure = measure_option_with_default("all that were measured")
        return self._built("", callback, [argument, *_parameters([measure])])

    def _built(
        self, name: str, callback: Callable[..., Any], params: list[click.Parameter]
    ) -> click.Command:
        return click.Command(
            name,
            params=[*params, *_parameters(self.options())],
            callback=callback,
            help=self.help,
            epilog=self.epilog,
        )


def scored_command(
    name: str, options: Callable[[], Options], epilog: str
) -> Callable[[Callable[..., Any]], ScoredCommand]:
    """Declare a function of ``source`` and the options as a command over scores.

    The options are built when they are needed, since some list what the library has.
    """
    return lambda run: ScoredCommand(run, options, name=name, epilog=epilog)


def _parameters(options: Options) -> list[click.Parameter]:
    holder: Any = lambda: None  # noqa: E731 (click adds the options to a function)
    for option in reversed(options):
        holder = option(holder)
    return list(reversed(holder.__click_params__))


def _words(params: Sequence[click.Parameter]) -> set[str]:
    """Return the names of parameters, on the command line and in Python."""
    return {word for param in params for word in (str(param.name), *param.opts)}
