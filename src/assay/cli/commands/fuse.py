"""``assay fuse``: several runs to one."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.options import (
    count_option,
    decimal_comma_option,
    files_argument,
    input_format_option,
    order_option,
    output_option,
    policy_option,
    profile_option,
    quiet_option,
)
from assay.cli.standard_output import print_result

GROUP = "files"


def _parse_numbers(text: str | None) -> list[float] | None:
    if text is None:
        return None
    found = []
    for number, part in enumerate(text.split(","), 1):
        try:
            found.append(float(part))
        except ValueError:
            absent = "absent" if not part.strip() else f"'{part.strip()}'"
            raise click.BadParameter(
                f"in '{text}' the weight of run {number} is {absent}; a number for each run is"
                " expected, such as 1,0.5,2",
                param_hint="--weights",
            ) from None
    return found


@click.command(
    epilog="""\b
Examples:
  assay fuse bm25.run dense.run > fused.run
  assay fuse bm25.run dense.run --method mnz --normalize zmuv -o fused.run
  assay fuse bm25.run dense.run --method sum --weights 1,0.5 --depth 100
\b
Methods: sum, mnz, anz, min, max, med (scores), rrf, isr, rbc, borda, condorcet (ranks).
Normalizations, where scores count: none, min-max, max, sum, zmuv, rank.
"""
)
@files_argument("runs", "RUN...")
@click.option("--method", default="rrf", help="How to fuse.")
@click.option("--normalize", default="min-max", help="The scale of scores.")
@click.option("--weights", metavar="NUMBERS", help="A number for each run: 1,0.5,2.")
@click.option("--k", type=float, default=60, help="The constant of rrf.")
@click.option("--p", type=float, default=0.8, help="The persistence of rbc.")
@count_option("--depth", help="Number of documents to keep for each query.")
@profile_option
@order_option
@policy_option
@input_format_option("Format of all files (detected by default).")
@decimal_comma_option
@click.option("--tag", help="The name of the fused run. [default: the method]")
@quiet_option
@output_option("-o", "--output", help="Write to this file.")
def command(
    runs: tuple[str, ...],
    weights: str | None,
    order: str | None,
    policies: dict[str, str],
    tag: str | None,
    quiet: bool,
    output: str | None,
    **given: Any,
) -> None:
    """Fuse several runs into one, written as TREC lines."""
    from assay.core.output_files import write_bytes
    from assay.formats.files.trec import FORMAT
    from assay.fusion.fuse import fuse

    policies |= {} if order is None else {"order": order}
    fused = fuse(list(runs), weights=_parse_numbers(weights), policies=policies, name=tag, **given)
    lines = b"".join(FORMAT.write(fused, fused.frame))
    if output is None:
        print_result(lines.decode(), nl=False)
        return
    write_bytes(output, lines)
    if not quiet:
        queries = fused.frame["query"].n_unique()
        click.echo(
            f"wrote {output}: {len(fused):,} documents for {queries:,} queries,"
            f" {given['method']} of {len(runs)} runs",
            err=True,
        )
