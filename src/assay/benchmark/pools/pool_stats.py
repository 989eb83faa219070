"""What a pool is made of: sizes, unique contributions, overlap, and what less would have cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
import polars as pl

from assay.benchmark.pools.make_pool import DEPTH
from assay.benchmark.pools.pool import Pool
from assay.benchmark.pools.pooled_runs import PooledRuns
from assay.benchmark.pools.run_table import RunTable
from assay.core.conventions import ReadingOptions, RunSettings
from assay.core.printable import Printable
from assay.core.tables import Judgments, Run
from assay.evidence.alignment.run_order import order_run
from assay.formats.containers import to_judgments, to_runs
from assay.formats.decimal_commas import with_decimal_points
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence

DEPTHS = (1, 5, 10, 20, 50, 100, 200, 500, 1000)
TOP = 10
"""The depth at which the share of judged documents is compared."""


@dataclass(frozen=True, repr=False, eq=False)
class PoolStats(Printable):
    """Tables about a pool."""

    topics: pl.DataFrame
    """A row for each topic: documents, and how many are relevant where judgments are given."""
    runs: pl.DataFrame
    """A row for each run: documents in the pool, and those that no other run has."""
    teams: pl.DataFrame
    """The same for each team: documents that no other team has."""
    overlap: pl.DataFrame
    """A row for each pair of runs: shared documents, and their share of both."""
    depths: pl.DataFrame
    """A row for each smaller depth: documents, relevant ones, and what is lost."""
    fairness: pl.DataFrame
    """A row for each run: the share of its top that is judged, and its score with the pool."""
    notes: tuple[str, ...] = ()


def pool_stats(
    runs: Any,
    depth: int = DEPTH,
    *,
    pool: Any = None,
    qrels: Any = None,
    teams: Any = None,
    measure: str = "AP",
    **options: Unpack[ReadingOptions],
) -> PoolStats:
    """Describe the pool of the runs at a depth; with ``qrels``, its relevant documents too.

    ``pool`` is one that was made: with ``qrels`` its fairness is shown, the scores of the runs with
    the judgments of the pool beside those with all judgments.
    """
    settings = RunSettings.from_options(options)
    table = RunTable.read(teams)
    runs = with_decimal_points(runs, settings.decimal_comma)
    qrels = with_decimal_points(qrels, settings.decimal_comma)
    systems = to_runs(runs, settings.input_format)
    pooled = PooledRuns.read(systems, depth, settings, RunTable(table.teams))
    judged = None if qrels is None else to_judgments(qrels, settings.qrels_format)
    rel = 1.0 if settings.rel is None else settings.rel
    rows = _mark(pooled, judged, rel)
    made = None if pool is None else Pool.read(pool)
    names = pooled.names
    return PoolStats(
        topics=_topics(rows if made is None else _of_pool(made, rows)),
        runs=_contributions(rows, names, "run"),
        teams=_contributions(rows, [table.team(name) for name in names], "team"),
        overlap=_overlap(rows, names),
        depths=_depths(rows, depth, judged, rel),
        fairness=_fairness(made, systems, judged, measure, settings),
        notes=pooled.notes,
    )


def _mark(runs: PooledRuns, judged: Judgments | None, rel: float) -> pl.DataFrame:
    """Return the rows of the runs, with whether each document is relevant (null if unknown)."""
    if judged is None:
        return runs.rows.with_columns(relevant=pl.lit(None, pl.Boolean))
    grades = judged.frame.group_by("query", "doc").agg(relevant=pl.col("grade").max() >= rel)
    return runs.rows.join(grades, on=["query", "doc"], how="left")


def _of_pool(made: Pool, rows: pl.DataFrame) -> pl.DataFrame:
    known = rows.select("query", "doc", "relevant").unique()
    return made.frame.select("query", "doc").join(known, on=["query", "doc"], how="left")


def _topics(rows: pl.DataFrame) -> pl.DataFrame:
    unique = rows.select("query", "doc", "relevant").unique()
    return (
        unique.group_by("query")
        .agg(
            documents=pl.len(),
            relevant=pl.col("relevant").sum(),
            unjudged=pl.col("relevant").is_null().sum(),
        )
        .sort("query")
    )


def _contributions(rows: pl.DataFrame, names: Sequence[str], what: str) -> pl.DataFrame:
    """Return for each run or team its documents, and those that no other has."""
    owners = pl.Series(what, list(names)).gather(rows["run"])
    own = rows.with_columns(owners.alias(what)).select("query", "doc", what, "relevant").unique()
    alone = own.filter(pl.len().over("query", "doc") == 1)
    total = rows.select("query", "doc").n_unique()
    counted = own.group_by(what).agg(
        documents=pl.len(), relevant=pl.col("relevant").sum(), share=pl.len() / total
    )
    single = alone.group_by(what).agg(unique=pl.len(), unique_relevant=pl.col("relevant").sum())
    joined = counted.join(single, on=what, how="left").with_columns(
        pl.col("unique", "unique_relevant").fill_null(0)
    )
    return joined.sort(["unique", what], descending=[True, False])


def _overlap(rows: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Return for each pair of runs how many documents they share."""
    from scipy.sparse import coo_array

    keys = rows.select(pl.struct("query", "doc").rank("dense").alias("key"))["key"].to_numpy()
    number = rows["run"].to_numpy()
    ones = np.ones(len(keys), dtype=np.int64)
    held = coo_array((ones, (number, keys - 1)), shape=(len(names), int(keys.max()))).tocsr()
    shared = np.asarray((held @ held.T).todense())
    first, second = np.triu_indices(len(names), 1)
    sizes = np.diag(shared)
    both = shared[first, second]
    return pl.DataFrame(
        {
            "first": [names[int(place)] for place in first],
            "second": [names[int(place)] for place in second],
            "shared": both,
            "share": both / np.maximum(sizes[first] + sizes[second] - both, 1),
        }
    ).sort(["share", "first", "second"], descending=[True, False, False])


def _depths(rows: pl.DataFrame, depth: int, judged: Judgments | None, rel: float) -> pl.DataFrame:
    """Return what a pool of each smaller depth holds, and what it misses of the whole."""
    best = rows.group_by("query", "doc").agg(pl.col("rank").min(), pl.col("relevant").first())
    known = 0 if judged is None else judged.frame.filter(pl.col("grade") >= rel).height
    found = []
    for each in sorted({*(d for d in DEPTHS if d < depth), depth}):
        part = best.filter(pl.col("rank") <= each)
        relevant = int(part["relevant"].sum() or 0)
        row: dict[str, Any] = {"depth": each, "documents": part.height}
        row["share"] = part.height / best.height
        if judged is not None:
            row |= {
                "relevant": relevant,
                "relevant_share": relevant / known if known else float("nan"),
                "lost": int(best["relevant"].sum() or 0) - relevant,
            }
        found.append(row)
    return pl.DataFrame(found)


def _fairness(
    made: Pool | None,
    systems: Sequence[Run],
    judged: Judgments | None,
    measure: str,
    settings: RunSettings,
) -> pl.DataFrame:
    """Return the scores of all runs with the judgments of a pool, beside those with all."""
    if made is None or judged is None:
        return pl.DataFrame()
    held = made.frame.select("query", "doc")
    kept = judged.frame.join(held, on=["query", "doc"], how="semi")
    partial = Judgments(kept, judged.source)
    runs = {run.name: run for run in systems}
    full = _values(RetrievalEvidence(judgments=judged, runs=runs, settings=settings), measure)
    less = _values(RetrievalEvidence(judgments=partial, runs=runs, settings=settings), measure)
    tops = {name: _judged_share(run, held, settings) for name, run in runs.items()}
    order, new = _ranks(full), _ranks(less)
    rows = [
        {
            "run": name,
            f"judged@{TOP}": tops[name],
            f"{measure} (all)": full[name],
            f"{measure} (pool)": less[name],
            "difference": less[name] - full[name],
            "rank": order[name],
            "new_rank": new[name],
        }
        for name in runs
    ]
    return pl.DataFrame(rows).sort("rank")


def _values(evidence: RetrievalEvidence, measure: str) -> dict[str, float]:
    found = evidence.scores(measure, interval=None)
    return {each.system: each.value for each in found.results}


def _judged_share(run: Run, held: pl.DataFrame, settings: RunSettings) -> float:
    top = order_run(run, settings.conventions).filter(pl.col("place") <= TOP)
    own = top.filter(pl.col("query").is_in(held["query"].unique().to_list()))
    if own.is_empty():
        return float("nan")
    return own.join(held, on=["query", "doc"], how="semi").height / own.height


def _ranks(values: dict[str, float]) -> dict[str, int]:
    ordered = sorted(values, key=lambda name: (-values[name], name))
    return {name: place for place, name in enumerate(ordered, 1)}
