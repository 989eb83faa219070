"""Given points of precision and recall: interpolated, summarized and read in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats, exact_mean
from assay.core.errors import DataError, missing_column, no_rows
from assay.core.printable import Printable
from assay.core.tables import convert_column
from assay.formats.containers import to_frame
from assay.measures.rankings.precision_recall_curves import ELEVEN, interpolate

LOW_END, HIGH_END = 0.2, 0.8
"""The ends of a curve: recalls up to the one and from the other on."""


@dataclass(frozen=True, repr=False, eq=False)
class PrecisionRecallPoints(Printable):
    """Points of precision and recall of one method or several, and what they amount to."""

    summary: pl.DataFrame
    """A row for each method: 11-point average, area, E, break-even point, the best F."""
    interpolated: pl.DataFrame
    """A row for each recall 0, 0.1 … 1, with a column for each method."""
    points: Any
    """The points as given, by method: arrays of recall and precision, by rising recall."""
    notes: tuple[str, ...] = ()


def pr(data: Any) -> PrecisionRecallPoints:
    """Evaluate given points of precision and recall, of one method or several.

    ``data`` is a table with the columns precision and recall, and method where there are several.
    The interpolated precision at a recall is the largest at that recall or any higher one; 0 beyond
    the last point.

    >>> import assay
    >>> found = assay.pr({"precision": [0.5, 0.4, 0.375], "recall": [0.25, 0.5, 0.75]})
    >>> found.interpolated["points"].to_list()[:6]
    [0.5, 0.5, 0.5, 0.4, 0.4, 0.4]
    """
    points = _read_points(data)
    curves = {name: interpolate(p.tolist(), r.tolist()) for name, (r, p) in points.items()}
    rows = [
        {
            "method": name,
            "11pt_avg": exact_mean(curves[name].tolist()),
            "area": _area(*each),
            "E": 1 - _least_distance(*each) / np.sqrt(2),
            "break_even": float(np.minimum(*each).max()),
            "best_F": float(_harmonic(*each).max()),
        }
        for name, each in points.items()
    ]
    notes = [
        f"{name}: {line}" if len(points) > 1 else line
        for name, each in points.items()
        for line in read_precision_recall(*each)
    ]
    interpolated = pl.DataFrame({"recall": list(ELEVEN), **curves})
    return PrecisionRecallPoints(pl.DataFrame(rows), interpolated, points, tuple(notes))


def _read_points(data: Any) -> dict[str, tuple[Floats, Floats]]:
    """Return recall and precision of each method, by rising recall."""
    frame, source = to_frame(data, "the points")
    for name in ("precision", "recall"):
        if name not in frame.columns:
            raise missing_column(source.name, name, frame.columns)
    if frame.is_empty():
        raise no_rows(source.name)
    columns = {
        name: convert_column(frame, name, pl.Float64(), source).to_numpy()
        for name in ("recall", "precision")
    }
    for name, values in columns.items():
        bad = np.flatnonzero(~((values >= 0) & (values <= 1)))
        if len(bad):
            row = int(bad[0])
            raise DataError(
                f"{source.place(row)}: the {name} is {values[row]:g}; a number from 0 to 1 is"
                " expected"
            )
    names = ["points"] * frame.height
    if "method" in frame.columns:
        names = frame["method"].cast(pl.String).fill_null("").to_list()
    found = {}
    for name in dict.fromkeys(names):
        rows = np.asarray([each == name for each in names])
        recall, precision = columns["recall"][rows], columns["precision"][rows]
        order = np.lexsort((-precision, recall))
        found[name] = (recall[order], precision[order])
    return found


def _harmonic(recall: Floats, precision: Floats) -> Floats:
    total = recall + precision
    return np.divide(2 * recall * precision, total, out=np.zeros_like(total), where=total > 0)


def _least_distance(recall: Floats, precision: Floats) -> float:
    return float(np.hypot(1 - recall, 1 - precision).min())


def _area(recall: Floats, precision: Floats) -> float:
    """Return the area below the interpolated step curve: Σ P_interp(r_k) (r_k − r_{k−1})."""
    best = np.maximum.accumulate(precision[::-1])[::-1]
    return float((best * np.diff(recall, prepend=0.0)).sum())


def read_precision_recall(recall: Floats, precision: Floats) -> list[str]:
    """Return what the two ends of a precision-recall curve mean, in words."""
    best = np.maximum.accumulate(precision[::-1])[::-1]
    found = recall > 0
    if not found.any():
        share = "little of what is relevant" if precision.any() else "nothing relevant"
        return [f"no point has a recall above 0: {share} is found"]
    first, last = float(best[found][0]), float(best[-1])
    start = (
        f"near recall 0 (to {LOW_END:g}) the precision is {first:.2f}:"
        + (" a first answer can be relied on" if first >= 0.9 else
           " some of the first hits are wrong" if first >= 0.5 else
           " most of the first hits are wrong")
    )  # fmt: skip
    end = float(recall[-1])
    if end < HIGH_END:
        return [start, f"the curve ends at recall {end:.2f}: {1 - end:.0%} of what is relevant is"
                " never found, so it does not serve searches for everything"]  # fmt: skip
    return [
        start,
        f"near recall 1 (at {end:.2f}) the precision is {last:.2f}: of what is retrieved to"
        f" find everything, {1 - last:.0%} is not relevant",
    ]
