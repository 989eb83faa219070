"""``assay check``."""

from __future__ import annotations

import sys
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING

import click

from assay.cli.frames import show_frame
from assay.cli.options import file_format_options, format_option
from assay.cli.wording import in_options, wrapped
from assay.core.wording import counted
from assay.reports.formats import FRAMES

if TYPE_CHECKING:
    from assay.evidence.inspection import Finding

_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}


@click.command(
    "check",
    epilog="""\b
Examples:
  assay check qrels.txt bm25.run dense.run
  assay check qrels.txt runs/*.run.gz --format json
\b
Ends with 1 if something is wrong, with 0 if not.""",
)
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@file_format_options
@format_option(FRAMES)
@click.option("--quiet", is_flag=True, help="Errors only.")
def command(
    qrels: str,
    runs: tuple[str, ...],
    input_format: str | None,
    qrels_format: str | None,
    format: str,
    quiet: bool,
) -> int:
    """Say all that is wrong or suspicious in judgments and runs, with line numbers."""
    from assay.cli.commands.retrieval import command as retrieval
    from assay.tasks.checking import check

    checked = check(qrels, runs, input_format=input_format, qrels_format=qrels_format)
    shown = [
        replace(each, text=in_options(each.text, retrieval))
        for each in checked.findings
        if each.severity == "error" or not quiet
    ]
    if format != "table":
        _show_table(shown, format)
        return int(checked.wrong)
    for each in shown:
        _say(each)
    counts = {kind: checked.count(kind) for kind in ("error", "warning", "note")}
    said = ", ".join(counted(count, kind) for kind, count in counts.items())
    click.echo(f"{said} in {counted(1 + len(runs), 'file')}")
    return int(checked.wrong)


def _say(finding: Finding) -> None:
    """One finding in lines that fit the terminal; elsewhere in one line, to be searched."""
    mark, said = f"{finding.severity}:", finding.text
    if sys.stdout.isatty():
        said = wrapped(said, mark + " ").removeprefix(mark + " ")
    click.echo(f"{click.style(mark, fg=_COLOURS[finding.severity])} {said}")


def _show_table(findings: list[Finding], format: str) -> None:
    import polars as pl

    from assay.evidence.inspection import Finding

    names = [each.name for each in fields(Finding)]
    show_frame(pl.DataFrame([asdict(each) for each in findings], schema=names), format, 4)
