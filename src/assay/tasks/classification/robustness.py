"""Robustness: a classifier's measures as its features go missing, from a column for each degree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.core.errors import UsageError
from assay.engine.scores import Scores
from assay.evidence.label_order import Labels
from assay.formats.containers import to_frame
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.predictions import read_predictions
from assay.tasks.evaluation import Measures
from assay.tasks.inputs.missing_values import Policy


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
    bootstrap: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """The measures for each column of predictions that matches a pattern such as ``guess_*``.

    Each column holds what the classifier says when that much of its input is missing. What stands
    in place of the star is the degree; degrees that are numbers are put in their order. The result
    has a system for each degree.
    """
    frame, source = to_frame(data, "the decisions")
    parts = []
    for degree, column in _columns_by_degree(predicted, frame.columns, source.name).items():
        answers = read_predictions(
            frame,
            truth=truth,
            predicted=column,
            weight=weight,
            positive=positive,
            missing=missing,
            labels=labels,
        )
        own = answers.scores(measures, profile=profile, name=degree, bootstrap=bootstrap)
        parts.append(own)
    first = parts[0]
    return Scores(
        task=first.task,
        results=tuple(result for part in parts for result in part.results),
        conventions=first.conventions | {"degrees": "share of the input that is missing"},
        warnings=tuple(dict.fromkeys(each for part in parts for each in part.warnings)),
    )


def _columns_by_degree(pattern: str, columns: Sequence[str], where: str) -> dict[str, str]:
    """The column of each degree, in the order of the degrees."""
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
