"""Small tables on the command line, in the formats that all commands have."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    import polars as pl

Function = TypeVar("Function", bound=Callable[..., Any])
FORMATS = ("table", "json", "csv", "tsv", "markdown")


def format_options(function: Function) -> Function:
    """``--format`` and ``--digits``."""
    shown = click.option(
        "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True
    )
    digits = click.option("--digits", type=click.IntRange(0, 15), default=4, show_default=True)
    return shown(digits(function))


def note(text: str) -> None:
    """Say on standard error what a user should know of the numbers."""
    click.echo(f"{click.style('note:', fg='yellow')} {text}", err=True)


def show_frames(frames: dict[str, pl.DataFrame], form: str, digits: int) -> None:
    """Tables one below the other; as JSON one object with a list of rows for each."""
    if form == "json":
        plain = {name: _plain(frame) for name, frame in frames.items()}
        click.echo(json.dumps(plain, indent=1, ensure_ascii=False))
        return
    click.echo("\n\n".join(_text(frame, form, digits) for frame in frames.values()))


def _text(frame: pl.DataFrame, form: str, digits: int) -> str:
    from assay.reports.tables import frame_rows, text

    if form in ("csv", "tsv"):
        separator = "," if form == "csv" else "\t"
        return frame.fill_nan(None).write_csv(separator=separator).rstrip("\n")
    rows = frame_rows(frame.columns, list(frame.iter_rows()), digits)
    if form == "markdown":
        head, *body = rows
        lines = [head, ["---"] * len(head), *body]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return text(rows)


def _plain(frame: pl.DataFrame) -> list[dict[str, object]]:
    import polars as pl

    floats = [name for name, dtype in frame.schema.items() if dtype.is_float()]
    return frame.with_columns(pl.col(floats).fill_nan(None)).to_dicts()
