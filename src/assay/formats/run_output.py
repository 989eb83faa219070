"""Writing a run as TREC lines."""

from __future__ import annotations

import polars as pl

from assay.core.tables import Run


def trec_run_lines(run: Run) -> str:
    """The run as lines of: query, Q0, document, rank, score, tag."""
    tag = run.name.replace(" ", "_")
    rank = (
        pl.col("rank")
        if "rank" in run.frame.columns
        else pl.int_range(1, pl.len() + 1).over("query")
    )
    lines = run.frame.select("query", pl.lit("Q0"), "doc", rank, "score", tag=pl.lit(tag))
    return lines.write_csv(separator=" ", include_header=False, quote_style="never")
