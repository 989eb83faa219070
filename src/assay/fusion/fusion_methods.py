"""Fusion methods: the points of a document in each list, how they combine, and normalizations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import unknown_name

FusionSettings = Mapping[str, float]
_PLACE = pl.col("place")
_POINTS = pl.col("points")


@dataclass(frozen=True)
class FusionMethod:
    """The points of a document in a list, and their combination over lists."""

    about: str
    points: Callable[[FusionSettings], pl.Expr]
    combined: Callable[[pl.DataFrame], pl.DataFrame]
    by_score: bool = False
    """Whether scores are used; then they are normalized."""


def _combine_by(expression: pl.Expr) -> Callable[[pl.DataFrame], pl.DataFrame]:
    return lambda rows: rows.group_by("query", "doc", maintain_order=True).agg(score=expression)


_LARGE, _SHRINK = 2.0**900, 2.0**-200
"""Points from which sums are scaled, and by how much."""
_SCALE = (
    pl.when((pl.col("score").abs() * _SHRINK * pl.col("weight")).max().over("query", "doc") >= 1)
    .then(_SHRINK)
    .otherwise(1.0)
)


def _combined_scores(expression: pl.Expr) -> Callable[[pl.DataFrame], pl.DataFrame]:
    """Return how weighted scores are combined; large scores of a document are scaled.

    So a sum is finite if the result is. A power of two leaves the bits as they are.
    """

    def combined(rows: pl.DataFrame) -> pl.DataFrame:
        """Return the combined scores, scaled where they are large."""
        if rows.filter(_POINTS.abs() >= _LARGE).is_empty():
            return _combine_by(expression)(rows)
        scaled = rows.with_columns(scale=_SCALE).with_columns(
            points=pl.col("score") * pl.col("scale") * pl.col("weight")
        )
        return scaled.group_by("query", "doc", maintain_order=True).agg(
            score=expression / pl.col("scale").first()
        )

    return combined


def _weight_points(_: FusionSettings) -> pl.Expr:
    return pl.col("score") * pl.col("weight")


def _borda(rows: pl.DataFrame) -> pl.DataFrame:
    """Return points by rank; documents that a list does not have share its remaining points."""
    candidates = pl.col("doc").n_unique().over("query")
    listed = pl.len().over("run", "query")
    rest = pl.col("weight") * (candidates - listed + 1) / 2
    counted = rows.with_columns(own=pl.col("weight") * (candidates - _PLACE + 1), rest=rest)
    totals = (
        counted.unique(["run", "query"], maintain_order=True)
        .group_by("query", maintain_order=True)
        .agg(total=pl.col("rest").sum())
    )
    points = counted.group_by("query", "doc", maintain_order=True).agg(
        own=pl.col("own").sum(), rest=pl.col("rest").sum()
    )
    joined = points.join(totals, on="query", how="left", maintain_order="left")
    return joined.select("query", "doc", score=pl.col("own") + pl.col("total") - pl.col("rest"))


def _condorcet(rows: pl.DataFrame) -> pl.DataFrame:
    """Return how many other documents most lists rank below each document; a draw is half."""
    parts = rows.partition_by("query", maintain_order=True)
    return pl.concat([_pairwise_wins(part) for part in parts])


def _pairwise_wins(rows: pl.DataFrame) -> pl.DataFrame:
    docs = rows["doc"].unique().sort()
    balance = np.zeros((len(docs), len(docs)))
    for own in rows.partition_by("run", maintain_order=True):
        place: Floats = np.full(len(docs), np.inf)
        place[docs.search_sorted(own["doc"]).to_numpy()] = own["place"].to_numpy()
        with np.errstate(invalid="ignore"):
            below = np.nan_to_num(np.sign(place[None, :] - place[:, None]))
        balance += own["weight"][0] * below
    wins = (np.sign(balance) + 1) / 2
    return pl.DataFrame(
        {"query": [rows["query"][0]] * len(docs), "doc": docs, "score": wins.sum(axis=1) - 0.5}
    )


def _score_points(method: pl.Expr, about: str) -> FusionMethod:
    return FusionMethod(about, _weight_points, _combined_scores(method), by_score=True)


METHODS: Mapping[str, FusionMethod] = {
    "sum": _score_points(_POINTS.sum(), "the sum of the scores"),
    "mnz": _score_points(_POINTS.sum() * pl.len(), "the sum, times the number of lists"),
    "anz": _score_points(_POINTS.mean(), "the mean over the lists that have the document"),
    "min": _score_points(_POINTS.min(), "the lowest score"),
    "max": _score_points(_POINTS.max(), "the highest score"),
    "med": _score_points(_POINTS.median(), "the median score"),
    "rrf": FusionMethod(
        "1 / (k + rank), summed",
        lambda settings: pl.col("weight") / (settings["k"] + _PLACE),
        _combine_by(_POINTS.sum()),
    ),
    "isr": FusionMethod(
        "1 / rank², summed, times the number of lists",
        lambda _: pl.col("weight") / (_PLACE.cast(pl.Float64) ** 2),
        _combine_by(_POINTS.sum() * pl.len()),
    ),
    "rbc": FusionMethod(
        "(1 − p) p^(rank − 1), summed",
        lambda settings: (
            pl.col("weight") * (1 - settings["p"]) * pl.lit(settings["p"]) ** (_PLACE - 1)
        ),
        _combine_by(_POINTS.sum()),
    ),
    "borda": FusionMethod("points by rank, as in an election", lambda _: pl.lit(0.0), _borda),
    "condorcet": FusionMethod("documents beaten in most lists", lambda _: pl.lit(0.0), _condorcet),
}
"""All methods by name."""


def find_method(name: str) -> FusionMethod:
    """Return the method of that name, in any case and with or without Comb before it."""
    method = METHODS.get(name.casefold().removeprefix("comb"))
    if method is None:
        raise unknown_name("method", name, METHODS)
    return method


_QUERY = ["run", "query"]
_LARGEST = pl.col("score").abs().max().over(_QUERY)


def _scale_scores(above: int, exponent: int) -> pl.Expr:
    """Return the scores of a list, times a power of two where the largest is at least 2^above.

    Sums and squares of scores near 1e308 would overflow; their quotients do not depend on the
    scale. A power of two leaves the bits as they are.
    """
    score = pl.col("score")
    return pl.when(2.0**above <= _LARGEST).then(score * 2.0**exponent).otherwise(score)


_SCORE = _scale_scores(900, -100)
_LOW, _HIGH = _SCORE.min().over(_QUERY), _SCORE.max().over(_QUERY)
_SQUARABLE = _scale_scores(400, -600)
_SPREAD = _SQUARABLE.std(ddof=0).over(_QUERY)

NORMALIZATIONS: Mapping[str, pl.Expr] = {
    "none": pl.col("score"),
    # If all scores are equal, each is the best of its list.
    "min-max": pl.when(_HIGH > _LOW).then((_SCORE - _LOW) / (_HIGH - _LOW)).otherwise(1.0),
    # If the best is not above 0, all are 0: fuse refuses lists with negative scores.
    "max": pl.when(_HIGH > 0).then(_SCORE / _HIGH).otherwise(0.0),
    "sum": pl.when(_HIGH > _LOW)
    .then((_SCORE - _LOW) / (_SCORE - _LOW).sum().over(_QUERY))
    .otherwise(1 / pl.len().over(_QUERY)),
    "zmuv": pl.when(_SPREAD > 0)
    .then((_SQUARABLE - _SQUARABLE.mean().over(_QUERY)) / _SPREAD)
    .otherwise(0.0),
    "rank": 1 - (pl.col("place") - 1) / pl.len().over(_QUERY),
}
"""The normalized score of a document, by name; ``rank`` uses the rank alone."""
_OTHER_NORMALIZATIONS = {"minmax": "min-max", "min_max": "min-max", "zscore": "zmuv"}


def find_normalization(name: str) -> str:
    """Return the normalization of that name, also as other tools write it."""
    found = _OTHER_NORMALIZATIONS.get(name, name)
    if found not in NORMALIZATIONS:
        raise unknown_name("normalization", name, NORMALIZATIONS)
    return found
