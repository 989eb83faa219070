"""The value of new rankings from a log, with its sensitivity to clipping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from assay.behavior.clicks.fit_clicks import fit_lists
from assay.behavior.clicks.fitted_model import ClickModel
from assay.behavior.clicks.list_builder import ListBuilder
from assay.behavior.counterfactual.estimators import (
    ESTIMATORS,
    METHODS,
    Matches,
    effective_size,
    new_ranks,
    session_error,
)
from assay.behavior.counterfactual.propensities import (
    KEY,
    examination_by_rank,
    shown_propensities,
)
from assay.behavior.logs.click_log import ClickLog, open_log
from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError, unknown_name
from assay.core.phrases import quantity
from assay.core.printable import Printable
from assay.formats.containers import to_runs

ALONE = (
    "ips, snips and dr assume that a click depends on the document and its rank alone: if users"
    " stop when they are satisfied, the value of a better ranking is too high"
)
"""What the estimators from propensities assume."""
CLIPS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


@dataclass(frozen=True, eq=False, repr=False)
class CounterfactualValue(Printable):
    """Clicks per list of new rankings, estimated from a log."""

    values: pl.DataFrame
    """system, method, value, se, low, high, effective, largest_weight, never_shown, lists."""
    sensitivity: pl.DataFrame
    """system, method, clip, value, clipped: the value if weights are limited."""
    notes: tuple[str, ...] = ()


def counterfactual(
    log: Any,
    runs: Any,
    methods: str | Sequence[str] = METHODS,
    *,
    depth: int = 10,
    propensities: Any = None,
    model: Any = None,
    clip: float | None = None,
    missing: float = 0.05,
    confidence: float = 0.95,
) -> CounterfactualValue:
    """Estimate the clicks per list of new rankings from the log of another one.

    ``methods`` are ips (inverse propensity scoring), snips (self-normalized), dr (doubly robust)
    and position (position-based). The first three need documents that the log shows at their new
    ranks at random, with ``propensities`` (query, doc, rank, probability) or else the shares in the
    log; position needs the examination of each rank, from a PBM (``model``; by default fitted to
    the log). Weights above ``clip`` are limited. An estimate is refused if more than a share
    ``missing`` of the new results was never shown where it must have been. The log is read in
    pieces; the impressions of the queries of the rankings are kept in memory.
    """
    names = _method_names(methods, depth, clip)
    opened = open_log(log)
    rankings = [(run, new_ranks(run.frame, depth)) for run in to_runs(runs)]
    asked = pl.concat([new.select("query") for _, new in rankings]).unique()
    read = _read(opened, asked, depth, model)
    estimates, sensitivity = [], []
    notes = opened.findings.notes()
    for run, new in rankings:
        logged = read.rows.join(new.select("query").unique(), on="query", how="semi")
        if not logged.height:
            raise DataError(f"{run.source.name}: no query of the run is in the log")
        left = read.queries - logged["query"].n_unique()
        if left:
            notes.append(
                f"{quantity(left, 'query')} of the log without results in {run.name}:"
                " their lists are excluded"
            )
        for name in names:
            found = _estimate(
                logged, new, name, read.model, propensities, clip, missing, confidence
            )
            estimates.append({"system": run.name, "method": name, **found[0]})
            sensitivity += [{"system": run.name, "method": name, **each} for each in found[1]]
    if set(names) - {"position"}:
        notes.append(ALONE)
    notes.append(
        f"the log itself has {read.clicks / read.lists:.4f} clicks per list in its first"
        f" {depth} results"
    )
    return CounterfactualValue(pl.DataFrame(estimates), pl.DataFrame(sensitivity), tuple(notes))


class _LogPart(NamedTuple):
    """The impressions of the queries of the new rankings, and what the whole log has."""

    rows: pl.DataFrame
    model: ClickModel
    queries: int
    lists: int
    clicks: int


def _read(log: ClickLog, asked: pl.DataFrame, depth: int, model: Any) -> _LogPart:
    """Read a log in pieces; only impressions of the queries that are asked for are kept."""
    builder = ListBuilder()
    kept, queries = [], []
    lists = clicks = 0
    for piece in log.pieces():
        columns = piece.select("list", "session", "query", "rank", "doc", "click")
        rows = columns.with_columns(click=(pl.col("click") > 0).cast(pl.Int64))
        kept.append(rows.join(asked, on="query", how="semi", maintain_order="left"))
        queries.append(rows.select("query").unique())
        lists += rows["list"].n_unique()
        clicks += int(rows.filter(pl.col("rank") <= depth)["click"].sum())
        if model is None:
            builder.add(rows)
    used = fit_lists(builder.build(), "pbm", errors=False) if model is None else model
    fitted = used if isinstance(used, ClickModel) else ClickModel.load(used)
    return _LogPart(pl.concat(kept), fitted, pl.concat(queries).n_unique(), lists, clicks)


def _method_names(methods: str | Sequence[str], depth: int, clip: float | None) -> list[str]:
    """Return the methods; refuse unknown ones and limits that are not above 0."""
    names = [methods] if isinstance(methods, str) else list(methods)
    for name in names:
        if name not in METHODS:
            raise unknown_name("method", name, METHODS)
    if depth < 1 or (clip is not None and clip <= 0):
        raise UsageError("the depth and the largest weight are above 0")
    return names


def _estimate(
    rows: pl.DataFrame,
    new: pl.DataFrame,
    method: str,
    model: ClickModel,
    propensities: Any,
    clip: float | None,
    missing: float,
    confidence: float,
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the estimate of one method, and its values under other limits of the weights."""
    numbered = rows.with_columns(number=pl.col("list").rle_id().cast(pl.Int64))
    if method == "position":
        matches, never = _by_position(numbered, new, model)
    else:
        matches, never = _by_rank(numbered, new, model, propensities, method == "dr")
    _require_overlap(method, matches, never, missing)
    session = numbered.unique("number", maintain_order=True).sort("number")["session"]
    units = session.rank("dense").cast(pl.Int64).to_numpy() - 1
    estimator = ESTIMATORS[method]
    weight = matches.clipped(clip)
    part = estimator(matches, weight)
    value, error = float(part.mean()), session_error(part, units)
    half = NormalDist().inv_cdf(0.5 + confidence / 2) * error
    row = {
        "value": value,
        "se": error,
        "low": value - half,
        "high": value + half,
        "effective": effective_size(weight),
        "largest_weight": float(weight.max()),
        "never_shown": never,
        "lists": matches.lists,
    }
    others = []
    for limit in (*CLIPS, None):
        limited = matches.clipped(limit)
        others.append(
            {
                "clip": np.inf if limit is None else limit,
                "value": float(estimator(matches, limited).mean()),
                "clipped": float((matches.weight > limited).mean()),
            }
        )
    return row, others


def _by_position(rows: pl.DataFrame, new: pl.DataFrame, model: ClickModel) -> tuple[Matches, float]:
    """Return clicks weighted by the examination of the new rank over that of the logged one."""
    depth = max(int(rows["rank"].max() or 1), int(new["new_rank"].max() or 1))  # type: ignore[arg-type]
    examined = examination_by_rank(model, depth)
    joined = rows.join(new, on=["query", "doc"], how="inner")
    then = examined[joined["rank"].to_numpy() - 1]
    now = examined[joined["new_rank"].to_numpy() - 1]
    joined = joined.filter(pl.Series(then > 0))
    weight = now[then > 0] / then[then > 0]
    shown = rows.select("query", "doc").unique()
    return _matches(rows, joined, weight), _never_shown(rows, new, shown, ["query", "doc"])


def _by_rank(
    rows: pl.DataFrame, new: pl.DataFrame, model: ClickModel, propensities: Any, predict: bool
) -> tuple[Matches, float]:
    """Return impressions at their new ranks, weighted by the inverse of their propensities."""
    known = shown_propensities(rows, propensities)
    wanted = new.rename({"new_rank": "rank"})
    joined = rows.join(wanted, on=KEY, how="inner").join(known, on=KEY, how="inner")
    joined = joined.with_columns(new_rank=pl.col("rank"))
    weight = 1 / joined["probability"].to_numpy()
    never = _never_shown(rows, wanted, known.select(KEY), KEY)
    if not predict:
        return _matches(rows, joined, weight), never
    depth = int(wanted["rank"].max() or 1)  # type: ignore[arg-type]
    examined = examination_by_rank(model, depth)
    mean = float(np.average(model.value("attractiveness"), weights=model.pairs["impressions"]))
    liked = model.pairs.select("query", "doc", "attractiveness")
    predicted = _predict(wanted, liked, mean, examined)
    direct = predicted.group_by("query").agg(pl.col("predicted").sum())
    lists = rows.unique("number", maintain_order=True).sort("number").select("query")
    totals = lists.join(direct, on="query", how="left", maintain_order="left")["predicted"]
    own = joined.join(
        predicted.select(*KEY, "predicted"), on=KEY, how="left", maintain_order="left"
    )
    return (
        _matches(rows, joined, weight, own["predicted"].to_numpy(), totals.to_numpy()),
        never,
    )


def _predict(
    wanted: pl.DataFrame, liked: pl.DataFrame, mean: float, examined: Floats
) -> pl.DataFrame:
    """Return the new results with the click probability of a position-based model."""
    joined = wanted.join(liked, on=["query", "doc"], how="left", maintain_order="left")
    attracted = joined["attractiveness"].fill_null(mean).to_numpy()
    chance = attracted * examined[joined["rank"].to_numpy() - 1]
    return joined.with_columns(predicted=pl.Series(chance))


def _matches(
    rows: pl.DataFrame,
    joined: pl.DataFrame,
    weight: Floats,
    predicted: Floats | None = None,
    direct: Floats | None = None,
) -> Matches:
    lists = int(rows["number"].max() or 0) + 1  # type: ignore[arg-type]
    return Matches(
        lists,
        joined["number"].to_numpy(),
        joined["new_rank"].to_numpy() - 1,
        joined["click"].to_numpy().astype(np.float64),
        weight,
        np.zeros(len(weight)) if predicted is None else predicted,
        np.zeros(lists) if direct is None else direct,
    )


def _never_shown(
    rows: pl.DataFrame, new: pl.DataFrame, shown: pl.DataFrame, key: list[str]
) -> float:
    """Return the share of new results, weighted by the lists of their query, without support."""
    lists = rows.group_by("query").agg(lists=pl.col("number").n_unique())
    counted = new.join(lists, on="query", how="inner")
    lost = counted.join(shown, on=key, how="anti")
    total = float(counted["lists"].sum())
    return float(lost["lists"].sum()) / total if total else 1.0


def _require_overlap(method: str, matches: Matches, never: float, missing: float) -> None:
    """Refuse a log that says too little of the new results."""
    if never > missing:
        where = "at all" if method == "position" else "at their new ranks"
        raise DataError(
            f"{method}: {never:.1%} of the new results were never shown {where}, so that nothing is"
            f" known of them; randomize the log, use another method, or allow it with `missing`"
        )
    if not len(matches.weight):
        raise DataError(
            f"{method}: no list of the log has a query of the new ranking; check that both name"
            " queries and documents alike"
        )
