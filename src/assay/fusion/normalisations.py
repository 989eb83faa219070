"""Normalisations: the scores of a query's list on a scale that lists of other runs share."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

_QUERY = ["run", "query"]
_SCORE = pl.col("score")
_LOW, _HIGH = _SCORE.min().over(_QUERY), _SCORE.max().over(_QUERY)
_SPREAD = _SCORE.std(ddof=0).over(_QUERY)

NORMALISATIONS: Mapping[str, pl.Expr] = {
    "none": _SCORE,
    # Where all scores are equal, each is the best of its list.
    "min-max": pl.when(_HIGH > _LOW).then((_SCORE - _LOW) / (_HIGH - _LOW)).otherwise(1.0),
    # Where the best is not above 0, all are 0: fuse refuses lists with scores below that.
    "max": pl.when(_HIGH > 0).then(_SCORE / _HIGH).otherwise(0.0),
    "sum": pl.when(_HIGH > _LOW)
    .then((_SCORE - _LOW) / (_SCORE - _LOW).sum().over(_QUERY))
    .otherwise(1 / pl.len().over(_QUERY)),
    "zmuv": pl.when(_SPREAD > 0)
    .then((_SCORE - _SCORE.mean().over(_QUERY)) / _SPREAD)
    .otherwise(0.0),
    "rank": 1 - (pl.col("place") - 1) / pl.len().over(_QUERY),
}
"""What each document's score becomes, by name; ``rank`` looks at the place alone."""
