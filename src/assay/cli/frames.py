"""Small tables on the command line, in the formats that all of them have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from assay.cli.options import digits_option, format_option
from assay.reports.formats import FRAMES

if TYPE_CHECKING:
    import polars as pl

Function = TypeVar("Function", bound=Callable[..., Any])


def format_options(function: Function) -> Function:
    """``--format`` and ``--digits``."""
    return format_option(FRAMES)(digits_option(function))


def show_frame(frame: pl.DataFrame, format: str, digits: int, signs: bool = False) -> None:
    """Print one table; rounded only where it is for the eye."""
    from assay.reports.frames import Shown

    click.echo(FRAMES[format](Shown(frame, digits, signs)))


def show_frames(frames: Mapping[str, pl.DataFrame], format: str, digits: int) -> None:
    """Tables one below the other; as JSON one object with a list of rows for each."""
    from assay.reports.frames import Shown, together_as_json

    if format == "json":
        click.echo(together_as_json(frames))
        return
    written = [FRAMES[format](Shown(frame, digits)) for frame in frames.values()]
    click.echo("\n\n".join(written))
