"""Judge-next: the unjudged documents that could change the order of two runs the most."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats, Ints
from assay.core.conventions import Conventions
from assay.core.conventions import profile as profile_named
from assay.core.errors import UsageError
from assay.core.names import Measure
from assay.core.names import measure as measure_named
from assay.core.tables import Judgments, Run
from assay.engine.local import measured
from assay.engine.ways import bounded
from assay.evidence.alignment import align
from assay.evidence.holes import Fill, Holes
from assay.evidence.ordering import order
from assay.evidence.rankings import Rankings
from assay.formats import containers
from assay.tasks.assembly import asked_under


def judge_next(
    qrels: Any,
    first: Any,
    second: Any,
    measure: str = "nDCG@10",
    *,
    depth: int = 100,
    count: int | None = 20,
    rel: float | None = None,
    profile: str | Conventions = "assay",
    policies: Mapping[str, str] | None = None,
    input_format: str | None = None,
    qrels_format: str | None = None,
    tell: Callable[[str], None] = lambda note: None,
) -> pl.DataFrame:
    """Unjudged documents, those first whose judgment could move the difference of two runs most.

    For each document within the depth of either list: its ranks, the difference of the runs for
    the query now, and the change of that difference if the document had the best grade.
    ``policies`` and formats are as in ``retrieval``, but lists stay whole. ``tell`` is given what a
    user should know of the runs, and of documents for which no change is defined.
    """
    conventions = profile_named(profile).changed(**(policies or {}))
    _refuse_shorter_lists(conventions)
    judged = containers.judgments(qrels, qrels_format or input_format)
    asked = asked_under(
        [measure_named(measure, "retrieval", conventions.needed)], conventions, rel
    )[0]
    if not bounded(asked):
        raise UsageError(
            f"{asked} cannot say what to judge next: what a better grade does to it is not known;"
            " take one like nDCG@10, P@10 or AP"
        )
    runs = [
        containers.run(given, name, input_format)
        for name, given in (("first", first), ("second", second))
    ]
    alignments = [align(judged, run, conventions) for run in runs]
    for note in dict.fromkeys(note for each in alignments for note in each.warnings):
        tell(note)
    views = _common([each.rankings for each in alignments])
    best = float(judged.frame["grade"].max() or 1)  # type: ignore[arg-type]
    waiting = _waiting(judged, runs, conventions, depth, views[0].queries)
    if waiting.is_empty():
        return waiting.with_columns(now=pl.lit(0.0), change=pl.lit(0.0))
    sides = [
        _with_one_more(view, asked, waiting, column, best)
        for view, column in zip(views, ("rank_first", "rank_second"), strict=True)
    ]
    values = [measured(view, asked, conventions.no_relevant).values for view in views]
    now = (values[0] - values[1])[waiting["number"].to_numpy()]
    found = waiting.drop("number").with_columns(now=now, change=sides[0] - sides[1] - now)
    lost = found.filter(pl.col("change").is_nan())
    if lost.height:
        tell(
            f"{lost.height} documents of {lost['query'].n_unique()} queries are left out: {asked}"
            f" is not defined for these queries ({asked.definition.undefined.truth or 'undefined'})"
        )
    kept = _largest(found.filter(pl.col("change").is_not_nan()))
    return kept if count is None else kept.head(count)


def _refuse_shorter_lists(conventions: Conventions) -> None:
    """What is taken out of the lists is what could be judged."""
    if conventions.unjudged == "drop":
        raise UsageError("without unjudged documents (`unjudged=drop`) there is nothing to judge")
    if conventions.depth is not None:
        raise UsageError(
            "lists are not cut here: `depth` says how far they are searched for documents to judge"
        )


def _common(views: list[Rankings]) -> list[Rankings]:
    """The queries that both have, where those that are not answered are left out."""
    both = set(views[0].queries) & set(views[1].queries)
    return [view.take(np.flatnonzero([query in both for query in view.queries])) for view in views]


def _largest(found: pl.DataFrame) -> pl.DataFrame:
    """The documents that change something, the largest change first."""
    sized = found.with_columns(size=pl.col("change").abs()).filter(pl.col("size") > 0)
    falling = sized.sort(["size", "query", "doc"], descending=[True, False, False])
    return falling.drop("size")


def _waiting(
    judged: Judgments, runs: list[Run], rules: Conventions, depth: int, queries: tuple[str, ...]
) -> pl.DataFrame:
    """The unjudged documents within the depth of a list, with their ranks in both."""
    known = judged.frame.filter(pl.col("grade") >= 0).select("query", "doc")
    numbers = pl.DataFrame({"query": queries, "number": range(len(queries))})
    lists = [order(run, rules).select("query", "doc", rank="place") for run in runs]
    near = pl.concat([each.filter(pl.col("rank") <= depth) for each in lists])
    docs = near.select("query", "doc").unique().join(known, on=["query", "doc"], how="anti")
    for name, each in zip(("rank_first", "rank_second"), lists, strict=True):
        docs = docs.join(each.rename({"rank": name}), on=["query", "doc"], how="left")
    return docs.join(numbers, on="query", how="inner").sort("query", "doc")


def _with_one_more(
    view: Rankings, measure: Measure, waiting: pl.DataFrame, column: str, best: float
) -> Floats:
    """The value of each document's query, had that document the best grade."""
    holes = Holes(view)
    query: Ints = waiting["number"].to_numpy().astype(np.int64)
    rank = waiting[column].fill_null(0).to_numpy().astype(np.int64)
    span = int(view.retrieved.max(initial=0)) + 1
    key = holes.rank.query * span + holes.rank.rank
    place = np.searchsorted(key, query * span + rank) - holes.rank.offsets[query]
    listed = (rank > 0).astype(np.int64)
    one = np.ones(len(query), dtype=np.int64)
    fill = Fill(query, place * listed, (place + 1) * listed, one, best, best)
    return measure(holes.filled(fill))
