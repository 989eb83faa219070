"""``assay check``."""

from __future__ import annotations

import sys
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING

import click

from assay.cli.options import file_format_options, format_option
from assay.cli.output import show_result, use_option_names, wrap_message
from assay.core.phrases import escape_controls, quantity

if TYPE_CHECKING:
    from assay.evidence.data_findings import DataFinding

GROUP = "files"

_COLORS = {"error": "red", "warning": "yellow", "note": "cyan"}


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
@format_option("DataFrame")
@click.option("--quiet", is_flag=True, help="Errors only.")
def command(
    qrels: str,
    runs: tuple[str, ...],
    input_format: str | None,
    qrels_format: str | None,
    format: str,
    quiet: bool,
) -> int:
    """Check judgments and runs for errors, with line numbers."""
    from assay.cli.commands.retrieval import command as retrieval
    from assay.tasks.check_files import check

    checked = check(qrels, runs, input_format=input_format, qrels_format=qrels_format)
    shown = [
        replace(each, text=use_option_names(each.text, retrieval))
        for each in checked.findings
        if each.severity == "error" or not quiet
    ]
    if format != "table":
        _print_finding_table(shown, format)
        return int(checked.has_errors)
    for each in shown:
        _print_finding(each)
    counts = {kind: checked.count(kind) for kind in ("error", "warning", "note")}
    said = ", ".join(quantity(count, kind) for kind, count in counts.items())
    click.echo(f"{said} in {quantity(1 + len(runs), 'file')}")
    return int(checked.has_errors)


def _print_finding(finding: DataFinding) -> None:
    """One finding in lines that fit the terminal; elsewhere in one line, to be searched."""
    mark, said = f"{finding.severity}:", escape_controls(finding.text)
    if sys.stdout.isatty():
        said = wrap_message(said, mark + " ").removeprefix(mark + " ")
    click.echo(f"{click.style(mark, fg=_COLORS[finding.severity])} {said}")


def _print_finding_table(findings: list[DataFinding], format: str) -> None:
    import polars as pl

    from assay.evidence.data_findings import DataFinding

    names = [each.name for each in fields(DataFinding)]
    show_result(pl.DataFrame([asdict(each) for each in findings], schema=names), format, 4)
