"""What commands print: results, notes and messages; the options on results as one ``output``.

The library names an argument in backticks, as in `missing=drop`. Here it becomes the option of the
command that was called: --missing drop; or --policy nan_scores=drop where it is a policy.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import (
    confidence_option,
    count_option,
    digits_option,
    format_option,
    interval_option,
    measure_option,
    quiet_option,
    resamples_option,
    result_file_option,
    save_option,
    seed_option,
)
from assay.cli.parameters import Decorator, one_argument
from assay.cli.standard_output import print_result
from assay.core.errors import AssayError
from assay.core.frozen_dataclass import dataclass, replace
from assay.core.output_files import is_standard_output
from assay.core.phrases import NARROW, UNBOUNDED, escape_controls, shorten, wrap_sentence
from assay.reports.text.result_text import Layout, write

if TYPE_CHECKING:
    import polars as pl

    from assay.engine.scores import Scores
    from assay.statistics.intervals.unit_intervals import Bootstrap
    from assay.tasks.evidence import TaskEvidence

DEFAULT_WIDTH = 120
READER_FORMATS = ("table", "markdown")
"""Formats in which a second table may follow the first."""
_ARGUMENT = re.compile(r"`(\w+)(?:=([^`]*))?`")
_DEPTH = re.compile(r"[._]\d[\d.]*$")


def terminal_width(elsewhere: int = DEFAULT_WIDTH) -> int:
    """Return the columns of the terminal, or of the variable COLUMNS."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit():
        return shutil.get_terminal_size((100, 24)).columns
    return elsewhere


def print_text(text: str = "", nl: bool = True, **style: Any) -> None:
    """Print text for readers; control characters of ids and labels are shown as escapes."""
    click.echo(click.style(escape_controls(text), **style), nl=nl)


def show_result(result: Any, format: str, digits: int) -> None:
    """Print a result in an output format; numbers are rounded only in formats for readers."""
    TableOutput(format, digits, quiet=True).show_result(result)


def use_option_names(text: str, command: click.Command | None = None) -> str:
    """Replace arguments by options: of this command, or of the one that is running."""
    if "`" not in text:
        return text
    context = click.get_current_context(silent=True)
    called = command or (context.command if context else None)
    params = {str(param.name): param for param in called.params} if called else {}
    return _ARGUMENT.sub(partial(_option_name, params), text)


def _option_name(params: dict[str, click.Parameter], found: re.Match[str]) -> str:
    name, choice = found.groups()
    if isinstance(param := params.get(name), click.Option):
        word = max(param.opts, key=len)
        # Three dots stand for a value that the user knows.
        quoted = choice if choice in (None, "…") else shlex.quote(choice)
        return word if quoted is None else f"{word} {quoted}"
    written = name if choice is None else f"{name}={choice}"
    policy = choice is not None and name not in params and "policies" in params
    return f"--policy {written}" if policy else written


def clean_message(text: str) -> str:
    """Return a message that quotes data, at most 900 characters and without control characters."""
    return escape_controls(shorten(text))


def wrap_message(text: str, first: str = "") -> str:
    """Return prose in lines that fit the terminal."""
    return wrap_sentence(text, terminal_width(NARROW), first)


def print_notes(notes: Iterable[str], quiet: bool = False) -> None:
    """Print notes on standard error, apart from the result."""
    width = terminal_width(NARROW)
    for note in () if quiet else notes:
        text = wrap_sentence(clean_message(use_option_names(note)), width, "note: ")
        click.echo(click.style("note:", fg="yellow") + text.removeprefix("note:"), err=True)


def print_saved(path: str, quiet: bool) -> None:
    """Print on standard error where something was saved."""
    if not quiet:
        click.echo(f"saved: {escape_controls(path)}", err=True)


def print_system_files(sources: Mapping[str, str], format: str = "table") -> None:
    """Print below a table which file each system came from, where its name does not show it."""
    if format not in READER_FORMATS or len(sources) < 2:
        return  # The table of one system does not have its name.
    from assay.reports.text.score_notes import system_file_notes

    for note in system_file_notes({"sources": sources}):
        print_text("\n" + wrap_message(note))


@contextmanager
def progress_bar(label: str, quiet: bool) -> Iterator[Callable[..., None] | None]:
    """Show a bar on standard error for the share that is done; None if that is no terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=1000, label=label, file=sys.stderr) as bar:

        def update(done: float, of: float = 1) -> None:
            """Move the bar; back to the start where another round begins."""
            place = round(1000 * done / max(of, 1))
            bar.pos = 0 if place < bar.pos else bar.pos
            bar.update(place - bar.pos)

        yield update


def alias_note(words: Sequence[str], scores: Scores) -> list[str]:
    """Return a note on measures that were named as other tools name them.

    Names that the scores have, or that differ in form or case alone, are not mentioned.
    """
    from assay.core.name_search import split_names
    from assay.core.names import measure

    task, shown = scores.task, {each.measure for each in scores.results}
    replaced = {}
    for name in (each for word in words for each in split_names(word) if each not in shown):
        head = re.split(r"[@(:]", name.rpartition(f"{task}.")[2], maxsplit=1)[0]
        try:
            known = measure(name, task)
        except AssayError:
            continue
        own = known.definition.name.casefold()
        if own not in (head.casefold(), _DEPTH.sub("", head).casefold()):
            replaced[name] = f"{name} is {known.name}"
    return [f"{', '.join(replaced.values())} here"] if replaced else []


@dataclass(frozen=True)
class TableOutput:
    """How a user wants to see results that are not scores."""

    format: str
    digits: int
    quiet: bool

    def show_result(self, result: Any, notes: Iterable[str] = (), **layout: Any) -> None:
        """Print notes, and a result in the chosen format."""
        print_notes(notes, self.quiet)
        width = terminal_width(UNBOUNDED)
        print_result(write(result, self.format, Layout(self.digits, width, **layout)))

    def show(
        self,
        frames: Mapping[str, pl.DataFrame],
        notes: Iterable[str] = (),
        sources: Mapping[str, str] | None = None,
        legend: Iterable[str] = (),
    ) -> None:
        """Print notes, tables by name, the files of systems, and how to read the columns."""
        self.show_result(dict(frames), notes)
        print_system_files(sources or {}, self.format)
        lines = [wrap_message(line) for line in legend]
        if lines and self.format == "table":
            print_text("\n" + "\n".join(lines))


def interval_of_options(
    confidence: float, resamples: int, seed: int, method: str
) -> Bootstrap | None:
    """Return the interval of these options; None for ``--interval none`` and ``--resamples 0``."""
    from assay.statistics.intervals.unit_intervals import Bootstrap

    if method == "none":
        return None
    made = Bootstrap(confidence, resamples, seed, method)
    return made if resamples else None


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
    min_size: int

    def scores(self, evidence: TaskEvidence, **settings: Any) -> Scores:
        """Return the scores of the evidence, with or without intervals."""
        interval = interval_of_options(self.confidence, self.resamples, self.seed, self.interval)
        return evidence.scores(self.measures, interval=interval, **settings)

    def show_frame(self, frame: pl.DataFrame) -> None:
        """Print any other table."""
        show_result(frame, self.format, self.digits)

    def show(self, scores: Scores) -> None:
        """Print the scores, warnings first and apart, and keep them if asked to.

        They are saved before they are printed, since a pipe may be closed early. Where they are
        saved to standard output, nothing else is printed there.
        """
        aliases = alias_note(self.measures or (), scores)
        print_notes([*aliases, *scores.warnings], self.quiet)
        if self.save:
            scores.save(Path(self.save))
            print_saved(self.save, self.quiet)
            if is_standard_output(self.save):
                return
        sort = self.sort or (scores.measures[0] if len(scores.systems) > 1 else None)
        room = terminal_width(UNBOUNDED) if self.per_unit else terminal_width()
        layout = Layout(self.digits, room, sort, self.per_unit, notes=False)
        if self.format != "table" or self.per_unit:
            print_result(write(scores, self.format, layout))
            return
        from assay.reports.text.score_tables import ScoresText

        shown = ScoresText(scores, layout)
        table, notes = shown.table(), shown.notes()
        blocks = [table, "\n".join(wrap_message(use_option_names(note)) for note in notes)]
        if scores.slices:
            from assay.reports.text.slice_tables import slices_text

            width = terminal_width(UNBOUNDED)
            blocks.append(slices_text(scores, replace(layout, width=width), self.min_size))
        click.echo(escape_controls("\n\n".join(filter(None, blocks))))


def result_options(kind: str) -> Decorator:
    """Return the options of commands that show a type of result, as one ``output``."""
    options = [format_option(kind), result_file_option, digits_option, quiet_option]
    return one_argument("output", TableOutput, options)


table_options = result_options("DataFrame")
output_options = one_argument(
    "output",
    Output,
    [
        measure_option,
        click.option(
            "-q", "--per-unit", "--per-query", "per_unit", is_flag=True, help="A row for each unit."
        ),
        format_option("Scores"),
        result_file_option,
        save_option,
        click.option(
            "--sort",
            metavar="BY",
            help="A measure, 'name' or 'given'. [default: the first measure]",
        ),
        digits_option,
        confidence_option(),
        resamples_option(),
        seed_option,
        interval_option,
        count_option("--min-size", default=5, help="Smallest slice in gaps and worst slices."),
        quiet_option,
    ],
)
"""The options of commands that evaluate, as one ``output``: measures, intervals and format."""
