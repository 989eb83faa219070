"""Bounds of the mean over queries, some of which judgments may define or undefine.

A query without a known relevant document has no value, so it is not in the mean. A judgment that
finds one adds it, with one of the values that it may then have. A few measures also lose a query by
judgments: PairAccuracy needs relevant and other documents.
"""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.definition import GEOMETRIC_FLOOR
from assay.core.names import Measure
from assay.engine.local import Measurement, aggregate


def extreme_summary(
    measure: Measure, now: Measurement, values: Floats, leaving: Bools, sign: int
) -> float:
    """Return the greatest summary of the values (sign 1), or the least (sign -1).

    Queries that are undefined ``now``, and those that may leave, are in it where that helps: those
    with the most extreme values first, as long as each is beyond the mean so far.
    """
    undefined, without = np.isnan(now.values), np.isnan(values)
    settled = np.where(undefined | without, now.values, values)
    able = np.flatnonzero((undefined | leaving) & ~without)
    settled[leaving] = np.nan
    if not len(able):
        return aggregate(measure, settled, settled, now.view.support)
    falling = able[np.argsort(-sign * values[able], kind="stable")]
    joining = falling[
        : _best_count(measure, now.view.support, settled, values[falling], falling, sign)
    ]
    settled[joining] = values[joining]
    return aggregate(measure, settled, settled, now.view.support)


def _best_count(
    measure: Measure,
    support: Floats | None,
    settled: Floats,
    joining: Floats,
    places: Ints,
    sign: int,
) -> int:
    """Return how many of the values, in their order, make the summary most extreme."""
    if measure.definition.aggregate == "sum":
        return int(np.count_nonzero(sign * joining > 0))
    weight = np.ones(len(settled))
    if measure.average == "weighted" and support is not None:
        weight = support
    if measure.definition.aggregate == "geometric" and measure.average is None:
        settled, joining = (
            np.log(np.maximum(each, GEOMETRIC_FLOOR)) for each in (settled, joining)
        )
    known = ~np.isnan(settled)
    top = np.cumsum(np.append(settled[known] @ weight[known], joining * weight[places]))
    bottom = np.cumsum(np.append(weight[known].sum(), weight[places]))
    with np.errstate(all="ignore"):
        means = sign * top / bottom
    return 0 if np.isnan(means).all() else int(np.nanargmax(means))
