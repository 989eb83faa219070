"""``assay convert``."""

from __future__ import annotations

import click

from assay.cli.options import choice_option, decimal_comma_option, input_format_option, quiet_option
from assay.cli.output import print_notes
from assay.cli.parameters import OutputArgument
from assay.core.phrases import quantity

GROUP = "files"


@click.command(
    "convert",
    epilog="""\b
Examples:
  assay convert bm25.run bm25.parquet
  assay convert qrels/test.tsv qrels.txt
  assay convert results.json dense.run.gz --kind run
  assay convert bm25.run - --output-format jsonl | head
\b
The format to write follows from the end of the name:
  .run .txt .trec   trec        .tsv       beir
  .csv              csv         .msmarco   msmarco
  .json             json        .jsonl     jsonl
  .parquet          parquet     and .gz or .zst after it""",
)
@click.argument("given", metavar="IN")
@click.argument("out", cls=OutputArgument, metavar="OUT")
@choice_option(
    "--kind", ["run", "qrels"], default=None, help="Content. [default: detected from the file]"
)
@input_format_option("Format of IN (detected by default).")
@decimal_comma_option
@click.option(
    "--output-format", metavar="NAME", help="Format of OUT. [default: by the file extension]"
)
@quiet_option
def command(
    given: str,
    out: str,
    kind: str | None,
    input_format: str | None,
    output_format: str | None,
    decimal_comma: bool,
    quiet: bool,
) -> None:
    """Write judgments or a run in another format."""
    from assay.formats.conversion import convert

    table, notes = convert(
        given,
        out,
        kind,  # type: ignore[arg-type]
        input_format,
        output_format,
        decimal_comma=decimal_comma,
    )
    print_notes(notes, quiet)
    if not quiet:
        click.echo(f"{quantity(len(table), 'row')} written to {out}", err=True)
