"""The options that all evaluating commands share, and how their result is shown."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from assay.cli.file_options import OutputOption
from assay.cli.measure_aliases import alias_note
from assay.cli.messages import use_option_names, wrap_message
from assay.cli.options import (
    confidence_option,
    digits_option,
    format_option,
    interval_option,
    print_notes,
    quiet_option,
    resamples_option,
    seed_option,
)
from assay.cli.table_output import show_frame
from assay.cli.terminal import print_result, terminal_width
from assay.reports.text.result_text import Layout, format_names, write

if TYPE_CHECKING:
    import polars as pl

    from assay.engine.scores import Scores
    from assay.statistics.intervals.unit_intervals import Bootstrap

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Output:
    """How a user wants to see Scores."""

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

    def bootstrap(self) -> Bootstrap | None:
        """The intervals that the user wants; none with ``--resamples 0``."""
        from assay.statistics.intervals.unit_intervals import Bootstrap

        made = Bootstrap(self.confidence, self.resamples, self.seed, self.interval)
        return made if self.resamples else None

    def with_sort(self, sort: str) -> Output:
        """The same output in another order of systems."""
        return dataclasses.replace(self, sort=sort)

    def say(self, text: str) -> None:
        """Print what else there is to say of the scores."""
        click.echo(text)

    def show_frame(self, frame: pl.DataFrame) -> None:
        """Print any other table; at full precision unless it is for the eye."""
        show_frame(frame, self.format, self.digits)

    def show(self, scores: Scores) -> None:
        """Print the scores, warnings first and apart, and keep them if asked to.

        They are kept before they are printed: who reads the output may stop early.
        """
        from assay.reports.text.table_text import UNBOUNDED

        asked_for = click.get_current_context().params.get("measures") or ()
        print_notes([*alias_note(asked_for, scores.task), *scores.warnings], self.quiet)
        if self.save:
            scores.save(Path(self.save))
            if not self.quiet:
                click.echo(f"saved: {self.save}", err=True)
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
        from assay.reports.text.table_text import UNBOUNDED

        said = [wrap_message(use_option_names(note)) for note in score_notes(scores)]
        if said:
            click.echo("\n" + "\n".join(said))
        if scores.slices:
            click.echo("\n" + slices_text(scores, self.digits, terminal_width(UNBOUNDED)))


def _format_hint(path: str) -> str:
    """How to have a file of that ending, by printing; a table of all units can be read back."""
    ending = Path(path).suffix.removeprefix(".").casefold()
    named = {"md": "markdown", "tex": "latex", "txt": "table"}.get(ending, ending)
    if named not in format_names("Scores"):
        return ""
    units = "--per-unit " if named in ("csv", "tsv") else ""
    return f"; or print with {units}--format {named} > {path}"


def _parquet(ctx: click.Context, option: click.Parameter, path: str | None) -> str | None:
    """Refuse another ending than that of a Parquet file."""
    if path is not None and Path(path).suffix.casefold() != ".parquet":
        raise click.BadParameter(
            f"'{path}': a Parquet file is written, that other commands read: name it"
            f" {Path(path).stem}.parquet{_format_hint(path)}"
        )
    return path


def measure_option(function: Function) -> Function:
    """``-m``: which measures; the standard ones of the task if left out.

    Help does not list these: the catalogue would have to be read for that.
    """
    return measure_option_with_default("the standard ones; 'assay measures' marks them *")(function)


def measure_option_with_default(left_out: str) -> Callable[[Function], Function]:
    """``-m``, where something else than the standard measures is taken if it is left out."""
    return click.option(
        "-m",
        "--measure",
        "measures",
        multiple=True,
        metavar="NAMES",
        callback=lambda context, option, names: list(names) or None,
        help=f"Measures by name, separated by spaces; may be repeated. [default: {left_out}]",
    )


def one_measure_option(
    default: str | None = None, help_text: str = "The measure, by its name."
) -> Callable[[Function], Function]:
    """``-m`` where one measure is meant; required unless there is a default."""
    # Click takes a default of None as given.
    unless = {"required": True} if default is None else {"default": default, "show_default": True}
    return click.option("-m", "--measure", metavar="NAME", help=help_text, **unless)


def output_options(function: Function) -> Function:
    """The options on how the result is shown; the command takes them as one ``output``."""

    def wrapped(**given: Any) -> Any:
        chosen = {name: given.pop(name) for name in Output.__dataclass_fields__}
        return function(output=Output(**chosen), **given)

    result: Any = functools.wraps(function)(wrapped)
    for option in reversed(_OPTIONS):
        result = option(result)
    return result


_OPTIONS: list[Callable[[Any], Any]] = [
    click.option(
        "--per-unit", "--per-query", "per_unit", is_flag=True, help="A row for each unit."
    ),
    format_option("Scores"),
    click.option(
        "--save",
        cls=OutputOption,
        metavar="FILE",
        callback=_parquet,
        help="Keep everything in a Parquet file.",
    ),
    click.option(
        "--sort", metavar="BY", help="A measure, 'name' or 'given'. [default: the first measure]"
    ),
    digits_option,
    confidence_option(),
    resamples_option(),
    seed_option,
    interval_option,
    quiet_option,
]
