"""Small tables on the command line, in the formats that all of them have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from assay.cli.options import digits_option, format_option
from assay.cli.terminal import print_result, terminal_width
from assay.reports.text.result_text import Layout, write
from assay.reports.text.table_text import UNBOUNDED

if TYPE_CHECKING:
    import polars as pl

Function = TypeVar("Function", bound=Callable[..., Any])


def format_options(function: Function) -> Function:
    """``--format`` and ``--digits``."""
    return format_option("DataFrame")(digits_option(function))


def show_frame(frame: pl.DataFrame, format: str, digits: int, signs: bool = False) -> None:
    """Print one table; rounded only where it is for the eye."""
    layout = Layout(digits, terminal_width(UNBOUNDED), signs=signs)
    print_result(write(frame, format, layout))


def show_frames(frames: Mapping[str, pl.DataFrame], format: str, digits: int) -> None:
    """Print tables one below the other; as JSON one object with a list of rows for each."""
    print_result(write(dict(frames), format, Layout(digits, terminal_width(UNBOUNDED))))
