"""The page of each task."""

from __future__ import annotations

import importlib

from assay.engine.scores import Scores
from assay.reports.pages.saved_scores import saved_scores_page
from assay.tasks.evidence import TaskEvidence

PAGES = {
    "AgreementEvidence": "agreement",
    "ClassificationEvidence": "classification",
    "ClusteringEvidence": "clustering",
    "CorrelationEvidence": "correlation",
    "RegressionEvidence": "regression",
    "RetrievalEvidence": "retrieval",
}
"""The module with the page of each kind of evidence; its function ends with ``_page``."""


def task_page(evidence: TaskEvidence | None, scores: Scores, title: str | None = None) -> str:
    """Return the page of a task; without a page of its own, or without evidence, of the scores."""
    name = PAGES.get(type(evidence).__name__)
    if name is None:
        return saved_scores_page(scores, title)
    function = getattr(importlib.import_module(f"assay.reports.pages.{name}"), f"{name}_page")
    page: str = function(evidence, scores, **({} if title is None else {"title": title}))
    return page
