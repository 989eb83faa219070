"""Judge-next: the unjudged documents that could change the order of two runs the most."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import polars as pl

from assay.core.arrays import Floats, Ints
from assay.core.conventions import Conventions, ReadingOptions
from assay.core.errors import UsageError
from assay.core.names import Measure
from assay.core.names import measure as measure_named
from assay.core.progress import report_progress, shows_progress
from assay.engine.bounds import has_bounds
from assay.engine.local import measure_view
from assay.engine.scores import Scores
from assay.evidence.alignment.run_order import order_run
from assay.evidence.unjudged.unjudged_documents import Fill, Holes
from assay.evidence.views.rankings import Rankings
from assay.tasks.inputs.array_columns import is_measure, is_one_measure
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence, evidence_of

PAIR = ("first", "second")
"""The columns of the two runs, where there are more than two."""


def judge_next(
    qrels: Any,
    first: Any = None,
    second: Any = None,
    measure: Any = "nDCG@10",
    *,
    depth: int = 100,
    count: int | None = 20,
    tell: Callable[[str], None] = lambda note: None,
    **options: Unpack[ReadingOptions],
) -> pl.DataFrame:
    """Return the unjudged documents whose judgment could change the difference of two runs most.

    ``depth`` is how far each ranking is searched for unjudged documents, ``count`` how many are
    returned. Inputs are as in ``retrieval``; ``tell`` receives what a user should know about them.
    Instead of two runs ``first`` may be any number, a sequence or a dict of name to run: each
    document is listed with the pair of runs that it could change most. The measure may then come
    second, as in ``retrieval``. Scores of rankings that were computed here stand for their
    judgments and runs, as in ``holes``: ``assay.next(scores, "nDCG@10")``.
    """
    if isinstance(qrels, Scores):
        if second is not None or not (first is None or is_one_measure(first)):
            raise UsageError("after Scores, which have their runs, only a measure is expected")
        runs, measure = None, measure if first is None else first
    elif _is_measure_after(first, second):
        runs, measure = first, second
    else:
        runs = first if second is None else {"first": first, "second": second}
        if runs is None:
            raise UsageError("give judgments and two or more runs, or Scores of rankings")
    evidence, _ = evidence_of(qrels, runs, None, options)
    return candidates_of_pairs(evidence, measure, depth, count, tell)


def _is_measure_after(first: Any, second: Any) -> bool:
    """Return whether the second argument after the judgments is a measure, not a second run."""
    if not is_one_measure(second) or (isinstance(second, str) and Path(second).exists()):
        return False
    after_file = isinstance(first, str | Path) and isinstance(second, str)
    return is_measure(second) if after_file else True


@shows_progress
def candidates_of_pairs(
    evidence: RetrievalEvidence,
    measure: str = "nDCG@10",
    depth: int = 100,
    count: int | None = 20,
    tell: Callable[[str], None] = lambda note: None,
) -> pl.DataFrame:
    """Return unjudged documents of two runs or more, each with the pair that it changes most."""
    if len(evidence.systems) < 2:
        raise UsageError("what to judge next needs two or more runs; name another run")
    if len(evidence.systems) == 2:
        return unjudged_candidates(evidence, measure, depth, count, tell)
    told: dict[str, None] = {}
    parts = []
    pairs = [*combinations(evidence.systems, 2)]
    for done, pair in enumerate(pairs):
        report_progress(done, len(pairs))
        own = unjudged_candidates(evidence.subset(pair), measure, depth, None, told.setdefault)
        names = [pl.lit(name).alias(kind) for kind, name in zip(PAIR, pair, strict=True)]
        parts.append(own.select(*names, pl.all()))
    for note in told:
        tell(note)
    found = _largest_changes(pl.concat(parts)).unique(
        ["query", "doc"], keep="first", maintain_order=True
    )
    return found if count is None else found.head(count)


def unjudged_candidates(
    evidence: RetrievalEvidence,
    measure: str = "nDCG@10",
    depth: int = 100,
    count: int | None = 20,
    tell: Callable[[str], None] = lambda note: None,
) -> pl.DataFrame:
    """Return unjudged documents of two runs, the largest possible change of their difference first.

    For each document within the depth of either ranking: its ranks, the difference of the runs for
    the query now, and the change of that difference if the document had the highest grade.
    """
    conventions = evidence.settings.conventions
    _refuse_shorter_lists(conventions)
    found = measure_named(measure, "retrieval", conventions.needed)
    asked = evidence.configure([found])[0]
    if not has_bounds(asked):
        raise UsageError(
            f"{asked} cannot rank documents to judge: the effect of a higher grade on it is not"
            " known; use a measure such as nDCG@10, P@10 or AP"
        )
    alignments = [evidence.alignment(name) for name in evidence.systems]
    for note in dict.fromkeys(note for each in alignments for note in each.warnings):
        tell(note)
    views = _common_queries([each.rankings for each in alignments])
    best = float(evidence.judgments.frame["grade"].max() or 1)  # type: ignore[arg-type]
    waiting = _unjudged_candidates(evidence, depth, views[0].queries)
    if waiting.is_empty():
        return waiting.with_columns(now=pl.lit(0.0), change=pl.lit(0.0))
    sides = [
        _values_if_relevant(view, asked, waiting, column, best)
        for view, column in zip(views, ("rank_in_first", "rank_in_second"), strict=True)
    ]
    values = [measure_view(view, asked, conventions.no_relevant).values for view in views]
    now = (values[0] - values[1])[waiting["number"].to_numpy()]
    changes = waiting.drop("number").with_columns(now=now, change=sides[0] - sides[1] - now)
    lost = changes.filter(pl.col("change").is_nan())
    if lost.height:
        tell(
            f"{lost.height} documents of {lost['query'].n_unique()} queries are left out: {asked}"
            f" is not defined for these queries ({asked.definition.undefined.truth or 'undefined'})"
        )
    kept = _largest_changes(changes.filter(pl.col("change").is_not_nan()))
    return kept if count is None else kept.head(count)


def _refuse_shorter_lists(conventions: Conventions) -> None:
    """What is taken out of the lists is what could be judged."""
    if conventions.unjudged == "drop":
        raise UsageError("without unjudged documents (`unjudged=drop`) there is nothing to judge")
    if conventions.depth is not None:
        raise UsageError(
            "lists are not cut here: `depth` says how far they are searched for documents to judge"
        )


def _common_queries(views: list[Rankings]) -> list[Rankings]:
    """Return the queries that both have, where those that are not answered are left out."""
    both = set(views[0].queries) & set(views[1].queries)
    return [view.take(np.flatnonzero([query in both for query in view.queries])) for view in views]


def _largest_changes(found: pl.DataFrame) -> pl.DataFrame:
    """Return the documents that change something, the largest change first."""
    sized = found.with_columns(size=pl.col("change").abs()).filter(pl.col("size") > 0)
    falling = sized.sort(["size", "query", "doc"], descending=[True, False, False])
    return falling.drop("size")


def _unjudged_candidates(
    evidence: RetrievalEvidence, depth: int, queries: tuple[str, ...]
) -> pl.DataFrame:
    """Return the unjudged documents within the depth of a ranking, with their ranks in both."""
    rules, runs = evidence.settings.conventions, evidence.runs.values()
    known = evidence.judgments.frame
    if rules.negative_grades == "unjudged":
        known = known.filter(pl.col("grade") >= 0)
    known = known.select("query", "doc")
    numbers = pl.DataFrame({"query": queries, "number": range(len(queries))})
    lists = [order_run(run, rules).select("query", "doc", rank="place") for run in runs]
    near = pl.concat([each.filter(pl.col("rank") <= depth) for each in lists])
    docs = near.select("query", "doc").unique().join(known, on=["query", "doc"], how="anti")
    for name, each in zip(("rank_in_first", "rank_in_second"), lists, strict=True):
        docs = docs.join(each.rename({"rank": name}), on=["query", "doc"], how="left")
    return docs.join(numbers, on="query", how="inner").sort("query", "doc")


def _values_if_relevant(
    view: Rankings, measure: Measure, waiting: pl.DataFrame, column: str, best: float
) -> Floats:
    """Return the value of each document's query, had that document the best grade."""
    holes = Holes(view)
    query: Ints = waiting["number"].to_numpy().astype(np.int64)
    rank = waiting[column].fill_null(0).to_numpy().astype(np.int64)
    span = int(view.retrieved.max(initial=0)) + 1
    key = holes.rank.query * span + holes.rank.rank
    place = np.searchsorted(key, query * span + rank) - holes.rank.offsets[query]
    listed = (rank > 0).astype(np.int64)
    one = np.ones(len(query), dtype=np.int64)
    fill = Fill(query, place * listed, (place + 1) * listed, one, best, best)
    return measure(holes.fill_grades(fill))
