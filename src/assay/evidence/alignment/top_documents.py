"""The documents of lists with their grades, for those who want to look at them."""

from __future__ import annotations

from collections.abc import Collection

import polars as pl

from assay.core.conventions import Conventions
from assay.core.tables import Judgments, Run
from assay.evidence.alignment.run_order import order_run


def list_documents(
    judgments: Judgments,
    run: Run,
    conventions: Conventions,
    queries: Collection[str],
    depth: int | None = None,
) -> pl.DataFrame:
    """Query, place, doc and grade (null if not judged) of the first documents of some queries.

    Without a depth, of all their documents.
    """
    wanted = pl.col("query").is_in(list(queries))
    pieces = [piece.filter(wanted) for piece in run.pieces(rank=conventions.order == "rank")]
    own = Run(pl.concat(pieces), run.source, run.name)
    if own.frame.is_empty():
        return pl.DataFrame(
            schema={"query": pl.String, "place": pl.Int64, "doc": pl.String, "grade": pl.Float64}
        )
    grades = judgments.frame.filter(wanted).group_by("query", "doc").agg(pl.col("grade").max())
    whole = order_run(own, conventions)
    top = whole if depth is None else whole.filter(pl.col("place") <= depth)
    graded = top.join(grades, on=["query", "doc"], how="left", maintain_order="left")
    return graded.select("query", "place", "doc", pl.when(pl.col("grade") >= 0).then("grade"))
