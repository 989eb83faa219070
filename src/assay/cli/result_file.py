"""``-o`` of commands that print a result: it goes to a file, in the format of its extension."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import click

from assay.core.errors import GateFailed
from assay.core.output_files import write_text
from assay.core.phrases import NARROW, escape_controls, wrap_sentence

FORMATS = {
    ".csv": "csv",
    ".html": "html",
    ".json": "json",
    ".md": "markdown",
    ".tex": "latex",
    ".tsv": "tsv",
    ".txt": "table",
    ".xml": "junit",
}
"""The format of files with each extension, unless ``--format`` names another."""


def choose_format(ctx: click.Context, opts: Mapping[str, Any], path: str) -> bool:
    """Set the format of a file by its extension; return whether the output goes to it.

    A Parquet file is one of scores, which ``--save`` writes beside what is printed.
    """
    params = {str(each.name): each for each in ctx.command.params}
    ending = Path(path).suffix.casefold()
    defaults = dict(ctx.default_map or {})
    if ending == ".parquet" and "save" in params and "format" not in opts:
        if opts.get("save") is not None:
            raise click.UsageError(
                f"-o {path} saves the scores as --save does: give one of the two", ctx
            )
        ctx.default_map = defaults | {"save": path}
        return False
    known = getattr(params["format"].type, "choices", ())
    if opts.get("format") is None:
        if FORMATS.get(ending) not in known:
            endings = [each for each, name in FORMATS.items() if name in known]
            endings += [".parquet"] * ("save" in params)
            raise click.BadParameter(
                f"'{path}': name a file that ends in {', '.join(endings)}, or give --format",
                ctx,
                param_hint="--output",
            )
        ctx.default_map = defaults | {"format": FORMATS[ending]}
    return True


@contextmanager
def printed_to(path: str, quiet: bool) -> Iterator[None]:
    """Write what is printed on standard output to a file, also if a gate fails."""
    text, failure = io.StringIO(), None
    with redirect_stdout(text):
        try:
            yield
        except (GateFailed, click.exceptions.Exit) as failed:
            if failed.exit_code != GateFailed.exit_code:
                raise
            failure = failed
    write_text(path, text.getvalue())
    if not quiet:
        for note in _several_tables_notes(escape_controls(path), text.getvalue()):
            said = wrap_sentence(note, NARROW, "note: ").removeprefix("note:")
            click.echo(click.style("note:", fg="yellow") + said, err=True)
        click.echo(f"wrote {escape_controls(path)}", err=True)
    if failure is not None:
        raise failure


def _several_tables_notes(path: str, text: str) -> Iterator[str]:
    """Yield a note on a CSV or TSV file with several tables, which other programs read as one."""
    delimiter = {".csv": ",", ".tsv": "\t"}.get(Path(path).suffix.casefold())
    if delimiter is None or "\n\n" not in text:
        return
    rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    # A row of a single column may be empty; an empty line among others begins a table.
    if len(next(rows)) > 1 and (tables := 1 + list(rows).count([])) > 1:
        yield (
            f"{path} has {tables} tables, with an empty line between them, which other programs"
            " may read as one; --format json (a file x.json) keeps them apart"
        )
