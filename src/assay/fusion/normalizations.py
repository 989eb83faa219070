"""Normalisations: the scores of a query's list on a scale that lists of other runs share."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

_QUERY = ["run", "query"]
_LARGEST = pl.col("score").abs().max().over(_QUERY)


def _scaled(above: int, exponent: int) -> pl.Expr:
    """Return the scores of a list, times a power of two where the largest is at least 2^above.

    Sums and squares of scores near 1e308 would overflow; their quotients do not depend on the
    scale. A power of two leaves the bits as they are.
    """
    score = pl.col("score")
    return pl.when(2.0**above <= _LARGEST).then(score * 2.0**exponent).otherwise(score)


_SCORE = _scaled(900, -100)
_LOW, _HIGH = _SCORE.min().over(_QUERY), _SCORE.max().over(_QUERY)
_SQUARABLE = _scaled(400, -600)
_SPREAD = _SQUARABLE.std(ddof=0).over(_QUERY)

NORMALIZATIONS: Mapping[str, pl.Expr] = {
    "none": pl.col("score"),
    # Where all scores are equal, each is the best of its list.
    "min-max": pl.when(_HIGH > _LOW).then((_SCORE - _LOW) / (_HIGH - _LOW)).otherwise(1.0),
    # Where the best is not above 0, all are 0: fuse refuses lists with scores below that.
    "max": pl.when(_HIGH > 0).then(_SCORE / _HIGH).otherwise(0.0),
    "sum": pl.when(_HIGH > _LOW)
    .then((_SCORE - _LOW) / (_SCORE - _LOW).sum().over(_QUERY))
    .otherwise(1 / pl.len().over(_QUERY)),
    "zmuv": pl.when(_SPREAD > 0)
    .then((_SQUARABLE - _SQUARABLE.mean().over(_QUERY)) / _SPREAD)
    .otherwise(0.0),
    "rank": 1 - (pl.col("place") - 1) / pl.len().over(_QUERY),
}
"""What each document's score becomes, by name; ``rank`` looks at the place alone."""
