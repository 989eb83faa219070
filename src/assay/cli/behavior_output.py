"""How the results of online and laboratory experiments are shown and kept."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.output import print_notes, terminal_width
from assay.cli.standard_output import print_result
from assay.reports.text.result_text import Layout, write


def show_analysis(
    result: Any, format: str, digits: int, quiet: bool, page: str | None = None, show: str = ""
) -> None:
    """Print the warnings and the result of an analysis, and write its page if one is named."""
    print_notes(result.warnings, quiet)
    if page is not None:
        write_page(result, page, quiet)
    print_result(write(result, format, Layout(digits, terminal_width(), show=show)))


def write_page(result: Any, path: str, quiet: bool) -> None:
    """Write the page of a result, and say where it is."""
    from assay.core.output_files import write_text
    from assay.core.phrases import escape_controls
    from assay.reports.pages.report import refuse_foreign_file, render_result

    refuse_foreign_file(path)
    write_text(path, render_result(result))
    if not quiet:
        click.echo(f"The page is in {escape_controls(str(path))}: open it in a browser.", err=True)
