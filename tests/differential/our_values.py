"""One number of Assay for a small case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import assay
from assay import measure
from assay.testing import orders

COLUMNS = ("query", "subtopic", "doc", "grade")


def judgments(qrels: Any) -> Any:
    """Return judgments as ``assay.retrieval`` takes them; rows have subtopics."""
    if isinstance(qrels, dict):
        return qrels
    return {name: [row[place] for row in qrels] for place, name in enumerate(COLUMNS)}


def ranked(qrels: Any, run: Any, name: str, **options: Any) -> float:
    """Return a measure of a run."""
    scores = assay.retrieval(judgments(qrels), run, name, interval=None, **options)
    return scores.results[0].value


def classified(data: dict[str, Any], name: str, **options: Any) -> float:
    """Return a measure of predicted classes, or of probabilities in columns ``p_…``."""
    if "predicted" in data:
        options["predicted"] = "predicted"
    else:
        options["probabilities"] = "p_*"
    return assay.classification(data, name, interval=None, **options).results[0].value


def predicted(data: dict[str, Any], name: str, **options: Any) -> float:
    """Return a measure of predicted numbers."""
    return assay.regression(data, name, interval=None, **options).results[0].value


def clustered(pair: tuple[Sequence[int], Sequence[int]], name: str) -> float:
    """Return a measure of classes and clusters."""
    data = {"class": list(map(str, pair[0])), "cluster": list(map(str, pair[1]))}
    return assay.clustering(data, name, classes="class", interval=None).results[0].value


def scattered(data: tuple[Sequence[Sequence[float]], Sequence[int]], name: str) -> float:
    """Return a measure of points in the plane and their clusters."""
    columns = {"x": [x for x, _ in data[0]], "y": [y for _, y in data[0]]}
    table = {**columns, "cluster": list(map(str, data[1]))}
    return assay.clustering(table, name, features=["x", "y"], interval=None).results[0].value


def correlated(pair: tuple[Sequence[float], Sequence[float]], name: str) -> float:
    """Return a rank correlation."""
    return float(measure(name, "correlation")(orders(*pair))[0])
