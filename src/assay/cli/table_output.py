"""Small tables on the command line, in the formats that all of them have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from assay.cli.options import digits_option, format_option
from assay.cli.terminal import terminal_width
from assay.reports.output_formats import FRAME_WRITERS

if TYPE_CHECKING:
    import polars as pl

Function = TypeVar("Function", bound=Callable[..., Any])


def format_options(function: Function) -> Function:
    """``--format`` and ``--digits``."""
    return format_option(FRAME_WRITERS)(digits_option(function))


def show_frame(frame: pl.DataFrame, format: str, digits: int, signs: bool = False) -> None:
    """Print one table; rounded only where it is for the eye."""
    from assay.reports.text.table_text import UNBOUNDED, FrameLayout

    click.echo(
        FRAME_WRITERS[format](FrameLayout(frame, digits, signs, width=terminal_width(UNBOUNDED)))
    )


def show_frames(frames: Mapping[str, pl.DataFrame], format: str, digits: int) -> None:
    """Tables one below the other; as JSON one object with a list of rows for each."""
    from assay.reports.text.table_text import UNBOUNDED, FrameLayout, frames_json

    if format == "json":
        click.echo(frames_json(frames))
        return
    written = [
        FRAME_WRITERS[format](FrameLayout(frame, digits, width=terminal_width(UNBOUNDED)))
        for frame in frames.values()
    ]
    click.echo("\n\n".join(written))
