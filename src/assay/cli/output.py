"""The options that all evaluating commands share, and how their result is shown."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.messages import (
    alias_note,
    print_notes,
    print_result,
    print_system_files,
    show_frame,
    terminal_width,
    use_option_names,
    wrap_message,
)
from assay.cli.options import (
    Decorator,
    combine_options,
    confidence_option,
    digits_option,
    format_option,
    interval_option,
    output_option,
    quiet_option,
    resamples_option,
    seed_option,
)
from assay.core.output_files import is_standard_output, is_stream
from assay.reports.text.result_text import Layout, format_names, write
from assay.reports.text.table_text import UNBOUNDED

if TYPE_CHECKING:
    import polars as pl

    from assay.engine.scores import Scores
    from assay.tasks.evidence import TaskEvidence


@dataclass(frozen=True)
class TableOutput:
    """How a user wants to see tables that are not scores."""

    format: str
    digits: int
    quiet: bool

    def show(
        self,
        frames: Mapping[str, pl.DataFrame],
        notes: Iterable[str] = (),
        sources: Mapping[str, str] | None = None,
        legend: Iterable[str] = (),
    ) -> None:
        """Print notes, tables by name, the files of systems, and how to read the columns."""
        print_notes(notes, self.quiet)
        layout = Layout(self.digits, terminal_width(UNBOUNDED))
        click.echo(write(dict(frames), self.format, layout))
        print_system_files(sources or {}, self.format)
        lines = [wrap_message(line) for line in legend]
        if lines and self.format == "table":
            click.echo("\n" + "\n".join(lines))


@dataclass(frozen=True)
class Output:
    """Which measures a user wants, and how to see their scores."""

    measures: list[str] | None
    format: str
    digits: int
    sort: str | None
    per_unit: bool
    save: str | None
    quiet: bool
    confidence: float
    resamples: int
    seed: int
    interval: str

    def scores(self, evidence: TaskEvidence, **settings: Any) -> Scores:
        """Return the scores of the evidence; without intervals with ``--resamples 0``."""
        from assay.statistics.intervals.unit_intervals import Bootstrap

        made = Bootstrap(self.confidence, self.resamples, self.seed, self.interval)
        interval = made if self.resamples else None
        return evidence.scores(self.measures, interval=interval, **settings)

    def show_frame(self, frame: pl.DataFrame) -> None:
        """Print any other table; at full precision unless it is for the eye."""
        show_frame(frame, self.format, self.digits)

    def show(self, scores: Scores) -> None:
        """Print the scores, warnings first and apart, and keep them if asked to.

        They are kept before they are printed: who reads the output may stop early. Where they are
        saved to standard output, nothing else is printed there.
        """
        aliases = alias_note(self.measures or (), scores.task)
        print_notes([*aliases, *scores.warnings], self.quiet)
        if self.save:
            scores.save(Path(self.save))
            if not self.quiet:
                click.echo(f"saved: {self.save}", err=True)
            if is_standard_output(self.save):
                return
        sort = self.sort or (scores.measures[0] if len(scores.systems) > 1 else None)
        room = terminal_width(UNBOUNDED) if self.per_unit else terminal_width()
        layout = Layout(self.digits, room, sort, self.per_unit, notes=False)
        print_result(write(scores, self.format, layout))
        if self.format == "table" and not self.per_unit:
            self._show_more(scores)

    def _show_more(self, scores: Scores) -> None:
        """The notes below a table, and the slices."""
        from assay.reports.text.score_notes import score_notes
        from assay.reports.text.score_tables import slices_text

        said = [wrap_message(use_option_names(note)) for note in score_notes(scores)]
        if said:
            click.echo("\n" + "\n".join(said))
        if scores.slices:
            click.echo("\n" + slices_text(scores, self.digits, terminal_width(UNBOUNDED)))


def _format_hint(path: str) -> str:
    """Return how to print a file with that extension; a table of all units can be read back."""
    ending = Path(path).suffix.removeprefix(".").casefold()
    named = {"md": "markdown", "tex": "latex", "txt": "table"}.get(ending, ending)
    if named not in format_names("Scores"):
        return ""
    units = "--per-unit " if named in ("csv", "tsv") else ""
    return f"; or print with {units}--format {named} > {path}"


def _parquet(ctx: click.Context, option: click.Parameter, path: str | None) -> str | None:
    """Refuse an extension other than that of a Parquet file; a pipe or device needs none."""
    if path is None or Path(path).suffix.casefold() == ".parquet" or is_stream(path):
        return path
    raise click.BadParameter(
        f"'{path}': --save writes a Parquet file, which other commands read: name it"
        f" {Path(path).with_suffix('.parquet')}{_format_hint(path)}"
    )


def measure_option_with_default(default: str) -> Decorator:
    """Return ``-m``: several measures; ``default`` says which are taken if it is left out."""
    return click.option(
        "-m",
        "--measure",
        "measures",
        multiple=True,
        metavar="NAMES",
        callback=lambda context, option, names: list(names) or None,
        help=f"Measures by name, separated by spaces; may be repeated. [default: {default}]",
    )


measure_option = measure_option_with_default("the standard ones; 'assay measures' marks them *")
"""``-m`` with the standard measures; help does not list them, which would read the catalogue."""


def one_measure_option(
    default: str | None = None, help_text: str = "The measure, by its name."
) -> Decorator:
    """Return ``-m`` for one measure; required unless there is a default."""
    # Click takes a default of None as given.
    unless = {"required": True} if default is None else {"default": default}
    return click.option("-m", "--measure", metavar="NAME", help=help_text, **unless)


def _as_one(kind: type, *options: Decorator) -> Decorator:
    """Return options as one decorator; the command takes them as one object ``output``."""

    def decorate(function: Callable[..., Any]) -> Any:
        @functools.wraps(function)
        def called(**given: Any) -> Any:
            values = {field.name: given.pop(field.name) for field in fields(kind)}
            return function(output=kind(**values), **given)

        return combine_options(*options)(called)

    return decorate


table_options = _as_one(TableOutput, format_option("DataFrame"), digits_option, quiet_option)
"""The options of commands that show tables, as one ``output``."""
output_options = _as_one(
    Output,
    measure_option,
    click.option(
        "--per-unit", "--per-query", "per_unit", is_flag=True, help="A row for each unit."
    ),
    format_option("Scores"),
    output_option("--save", callback=_parquet, help="Keep everything in a Parquet file."),
    click.option(
        "--sort", metavar="BY", help="A measure, 'name' or 'given'. [default: the first measure]"
    ),
    digits_option,
    confidence_option(),
    resamples_option(),
    seed_option,
    interval_option,
    quiet_option,
)
"""The options of commands that evaluate, as one ``output``: measures, intervals and format."""
