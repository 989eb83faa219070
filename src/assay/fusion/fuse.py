"""Fusion: several runs to one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import polars as pl

from assay.core.conventions import Conventions
from assay.core.conventions import profile as profile_named
from assay.core.errors import DataError, UsageError, unknown_name
from assay.core.phrases import list_phrase, quantity
from assay.core.progress import report_progress, shows_progress
from assay.core.tables import Run, Source
from assay.engine.result import natural_key
from assay.evidence.alignment.run_order import order_run
from assay.formats.containers import to_runs
from assay.formats.decimal_commas import with_decimal_points
from assay.fusion.fusion_methods import NORMALIZATIONS, find_method, find_normalization


@shows_progress
def fuse(
    runs: Any,
    method: str = "rrf",
    *,
    normalize: str = "min-max",
    weights: Sequence[float] | Mapping[str, float] | None = None,
    k: float = 60,
    p: float = 0.8,
    depth: int | None = None,
    profile: str | Conventions = "assay",
    policies: Mapping[str, str] | None = None,
    input_format: str | None = None,
    name: str | None = None,
    decimal_comma: bool = False,
) -> Run:
    """Return one run from several, by descending fused score (ties by descending document id).

    ``normalize`` puts scores on one scale if the method uses them; ``weights`` has a number for
    each run, in their order or by name; ``k`` is for rrf, ``p`` for rbc. Each list is first ordered
    by the conventions of the profile, or by other ``policies``. A query that some runs do not
    answer is fused from the others. Queries are in natural order: q2 before q10. ``decimal_comma``
    reads scores such as 0,25.
    """
    fusion = find_method(method)
    normalize = find_normalization(normalize)
    systems = to_runs(with_decimal_points(runs, decimal_comma), input_format)
    factors = _read_weights(weights, systems)
    if not 0 <= k < math.inf:
        raise UsageError(f"k is {k}: a finite number from 0 is expected")
    if not 0 <= p < 1:
        raise UsageError(f"p is {p}: a number from 0 to below 1 is expected")
    rules = profile_named(profile).change(**(policies or {}))
    stacked = _stack_lists(systems, factors, rules)
    infinite = "infinite; write a finite number, or leave the document out of the run"
    _refuse_scores(stacked, systems, pl.col("score").is_infinite(), infinite)
    if fusion.by_score:
        advice = "leave it out (`nan_scores=drop`), or fuse by ranks, as rrf does"
        nan = f"not a number (NaN); {advice}"
        _refuse_scores(stacked, systems, pl.col("score").is_nan(), nan)
        if normalize == "max":
            _refuse_without_positive(stacked, systems)
        stacked = stacked.with_columns(score=NORMALIZATIONS[normalize])
    rows = stacked.with_columns(points=fusion.points({"k": k, "p": p}))
    fused = fusion.combined(rows)
    _refuse_overflow(fused)
    queries = sorted(fused["query"].unique().to_list(), key=natural_key)
    places = pl.col("query").replace_strict(queries, range(len(queries)), return_dtype=pl.Int64)
    fused = fused.sort([places, "score", "doc"], descending=[False, True, True])
    place = pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over("query")
    ranked = fused.with_columns(rank=place).select("query", "doc", "score", "rank")
    if depth is not None:
        ranked = ranked.filter(pl.col("rank") <= depth)
    return Run(ranked, Source("the fused run"), name=name or method)


def _stack_lists(
    systems: Sequence[Run], weights: Sequence[float], rules: Conventions
) -> pl.DataFrame:
    """Return the rows of all lists by query and document."""
    parts = []
    for number, (run, weight) in enumerate(zip(systems, weights, strict=True)):
        report_progress(f"ordering {run.name}")
        columns = ("query", "doc", pl.col("score").cast(pl.Float64), "place", "row")
        own = {"run": pl.lit(number), "weight": pl.lit(float(weight))}
        parts.append(order_run(run, rules).select(*columns, **own))
    report_progress(f"joining {len(parts)} runs")
    stacked = pl.concat(parts).sort("query", "doc", "run")
    return stacked if rules.depth is None else stacked.filter(pl.col("place") <= rules.depth)


def _refuse_scores(
    stacked: pl.DataFrame, systems: Sequence[Run], condition: pl.Expr, what: str
) -> None:
    """Refuse the first row that meets the condition, with its line."""
    rows = stacked.filter(condition).sort("run", "row").select("run", "row", "query", "doc")
    for number, row, query, doc in rows.iter_rows():
        raise DataError(
            f"{systems[number].source.place(row)}: the score of document {doc} for query {query}"
            f" is {what}"
        )


def _refuse_overflow(fused: pl.DataFrame) -> None:
    """Refuse scores that overflow, as 1e308 + 1e308."""
    infinite = fused.filter(~pl.col("score").is_finite()).sort("query", "doc")
    for query, doc in infinite.select("query", "doc").rows():
        raise UsageError(
            f"the fused score of document {doc} for query {query} is too large for a number; put"
            " the scores on one scale (`normalize=min-max`), or give smaller weights"
        )


def _refuse_without_positive(stacked: pl.DataFrame, systems: Sequence[Run]) -> None:
    """Refuse lists with negative scores whose best score is not above 0."""
    ends = stacked.group_by("run", "query").agg(
        best=pl.col("score").max(), least=pl.col("score").min()
    )
    lost = ends.filter((pl.col("best") <= 0) & (pl.col("least") < 0)).sort("run", "query")
    for number, query, score in lost.select("run", "query", "best").iter_rows():
        raise UsageError(
            f"{systems[number].name}: the best score of query {query} is {score:g}, and max divides"
            " by the best score, which must be above 0; normalize by min-max, zmuv or rank"
        )


def _read_weights(
    given: Sequence[float] | Mapping[str, float] | None, systems: Sequence[Run]
) -> Sequence[float]:
    if len(systems) < 2:
        raise UsageError("one run alone cannot be fused: give two or more")
    if given is None:
        return [1.0] * len(systems)
    if isinstance(given, Mapping):
        names = [run.name for run in systems]
        for name in given:
            if name not in names:
                raise unknown_name("run", str(name), names)
        if lacking := [name for name in names if name not in given]:
            raise UsageError(f"there is no weight of {list_phrase(lacking)}; 0 leaves a run out")
        given = [given[name] for name in names]
    if len(given) != len(systems):
        named = ", ".join(run.name for run in systems)
        raise UsageError(
            f"{quantity(len(given), 'weight')} for {len(systems)} runs: give one for each, in their"
            f" order ({named})"
        )
    for number, (weight, run) in enumerate(zip(given, systems, strict=True), 1):
        if not _is_weight(weight):
            raise UsageError(
                f"{run.source.name}: the weight of {run.name} is {weight} (number {number}): a"
                " number from 0 is expected; with 0 a run does not count"
            )
    if not any(given):
        raise UsageError(
            "all weights are 0, so that no run counts: give one of them a weight above 0"
        )
    return given


def _is_weight(weight: Any) -> bool:
    return isinstance(weight, Real) and math.isfinite(weight) and float(weight) >= 0
