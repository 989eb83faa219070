"""``assay retrieval``."""

from __future__ import annotations

import click

from assay.cli.output import Output, asked, measure_option, output_options


@click.command(
    "retrieval",
    epilog="""\b
Examples:
  assay retrieval qrels.txt bm25.run dense.run
  assay retrieval qrels.txt bm25.run -m "nDCG@10 AP RR" --per-query
  assay retrieval qrels.txt *.run -m nDCG@10:gain=exp -m "P(rel=2)@5" --format markdown
  assay retrieval qrels.txt bm25.run dense.run --save scores.parquet""",
)
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@measure_option
@click.option("--rel", type=float, help="The least grade that counts as relevant. [default: 1]")
@click.option("--profile", default="assay", show_default=True, help="The conventions to follow.")
@output_options
def command(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    rel: float | None,
    profile: str,
    output: Output,
) -> None:
    """Evaluate rankings: runs against judgments."""
    from assay.tasks.retrieval import retrieval

    scores = retrieval(
        qrels, list(runs), asked(measures), rel=rel, profile=profile, bootstrap=output.bootstrap()
    )
    output.show(scores)
