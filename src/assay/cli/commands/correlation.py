"""``assay correlation``."""

from __future__ import annotations

from typing import Any

import click

from assay.cli.inputs.correlation import INPUTS, read
from assay.cli.output import Output, output_options

GROUP = "evaluate"


@click.command(
    "correlation",
    epilog="""\b
Examples:
  assay correlation a.run b.run                                  two runs, query by query
  assay correlation a.run b.run -m "RBO(p=0.9) overlap@10 tauAP" --per-query
  assay correlation leaderboard1.csv leaderboard2.csv            two leaderboards
  assay correlation leaderboard1.csv leaderboard2.csv --inversions
  assay correlation leaderboards.csv --item system --first ap --second ndcg
  assay correlation one.parquet two.parquet --order-by nDCG@10   two saved Scores
  assay correlation scores.parquet --order-by AP --order-by nDCG@10   two measures of one
  assay correlation --qrels one.qrels --qrels two.qrels *.run    the systems under two qrels""",
)
@INPUTS.values
@click.option("--inversions", is_flag=True, help="List the pairs in opposite order instead.")
@output_options
def command(inputs: dict[str, Any], inversions: bool, output: Output) -> None:
    """Compare two orders of the same things.

    A higher number comes first.
    """
    if inversions:
        if len(inputs["files"]) != 2:
            raise click.UsageError("--inversions compares two runs, or two leaderboards")
        output.show_frame(read(**inputs).inversions())
        return
    evidence = INPUTS.read(**inputs)
    output.show(output.scores(evidence))
