"""Robustness: a classifier's measures as its input goes missing, from a column for each degree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from assay.core.errors import UsageError
from assay.engine.scores import Scores
from assay.evidence.label_order import Labels
from assay.formats.containers import to_frame
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.classification import ClassificationEvidence
from assay.tasks.classification.predictions import ClassificationColumns
from assay.tasks.evidence import Measures
from assay.tasks.inputs.table_columns import Policy


def robustness(
    data: Any,
    predicted: str,
    measures: Measures = None,
    *,
    truth: str = "truth",
    weight: str | None = None,
    positive: str | None = None,
    missing: Policy = "error",
    labels: Labels = None,
    profile: str = "assay",
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate each column of predictions that matches a pattern such as ``guess_*``.

    Each column holds what the classifier predicts when that much of its input is missing. The part
    of its name in place of the star is the degree; degrees that are numbers are sorted by value.
    The result has a system for each degree.
    """
    columns = ClassificationColumns(
        truth=truth,
        weight=weight,
        positive=positive,
        missing=missing,
        labels=labels,
        profile=profile,
    )
    return read_degrees(data, predicted, columns).scores(measures, interval=interval)


def read_degrees(data: Any, pattern: str, columns: ClassificationColumns) -> ClassificationEvidence:
    """Read a system for each column of predictions that matches the pattern."""
    frame, source = to_frame(data[0] if isinstance(data, list) else data, "the decisions")
    by_degree = _columns_by_degree(pattern, frame.columns, source.name)
    given = data if isinstance(data, list) else frame
    found = ClassificationEvidence.read(given, replace(columns, predicted=by_degree))
    return replace(found, degrees=True)


def _columns_by_degree(pattern: str, columns: Sequence[str], where: str) -> dict[str, str]:
    """Return the column of each degree, in the order of the degrees."""
    head, star, tail = pattern.partition("*")
    found = {
        name[len(head) : len(name) - len(tail)]: name
        for name in columns
        if star and name.startswith(head) and name.endswith(tail) and len(name) > len(head + tail)
    }
    if len(found) < 2:
        raise UsageError(
            f"{where}: '{pattern}' matches {len(found)} of the columns"
            f" {', '.join(columns)}; a column for each degree is expected, such as guess_*"
        )
    return {degree: found[degree] for degree in sorted(found, key=_degree_key)}


def _degree_key(degree: str) -> tuple[bool, float, str]:
    try:
        return False, float(degree), degree
    except ValueError:
        return True, 0.0, degree
