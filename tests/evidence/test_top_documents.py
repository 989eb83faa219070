"""The first documents of lists, as a page shows them."""

from __future__ import annotations

from assay.core.conventions import Conventions
from assay.evidence.alignment.run_order import list_documents
from assay.formats import containers

QRELS = {"q1": {"a": 2, "b": -1}, "q2": {"c": 0}}
RUN = {"q1": {"a": 1.0, "b": 3.0, "x": 1.0}, "q2": {"c": 1.0}, "q3": {"d": 1.0}}


def _rows(queries: list[str], depth: int = 10) -> list[tuple[object, ...]]:
    judged, run = containers.to_judgments(QRELS), containers.to_run(RUN)
    return list_documents(judged, run, Conventions(), queries, depth).rows()


def test_order_grades_and_what_is_not_judged() -> None:
    """Ties by document, descending; a negative grade is pooled but not judged."""
    assert _rows(["q1"]) == [("q1", 1, "b", None), ("q1", 2, "x", None), ("q1", 3, "a", 2.0)]


def test_depth_and_queries() -> None:
    assert _rows(["q1", "q2"], depth=1) == [("q1", 1, "b", None), ("q2", 1, "c", 0.0)]
    assert _rows(["q9"]) == []
