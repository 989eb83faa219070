"""Assay tests the quality of anything that ranks, classifies, predicts or groups."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from assay.core.printable import REGISTRY as _REGISTRY
from assay.version import VERSION as __version__

if TYPE_CHECKING:
    from assay.core.catalogue import catalogue as catalogue
    from assay.core.catalogue import define as define
    from assay.core.conventions import Conventions as Conventions
    from assay.core.curves import curve as curve
    from assay.core.errors import AssayError as AssayError
    from assay.core.names import measure as measure
    from assay.engine.scores import Scores as Scores
    from assay.fusion.fuse import fuse as fuse
    from assay.selection.thresholds import threshold as threshold
    from assay.statistics.intervals.unit_intervals import Bootstrap as Bootstrap
    from assay.tasks.agreement import agreement as agreement
    from assay.tasks.classification.classification import classification as classification
    from assay.tasks.classification.confusion import confusion as confusion
    from assay.tasks.classification.robustness import robustness as robustness
    from assay.tasks.clustering.clustering import clustering as clustering
    from assay.tasks.comparison.comparison import compare as compare
    from assay.tasks.correlation.correlation import correlation as correlation
    from assay.tasks.explanation.ranking_explanations import explain_retrieval as explain_retrieval
    from assay.tasks.explanation.table_explanations import (
        explain_classification as explain_classification,
    )
    from assay.tasks.gates.gate import gate as gate
    from assay.tasks.label_sets import labelsets as labelsets
    from assay.tasks.power import power as power
    from assay.tasks.preferences import preferences as preferences
    from assay.tasks.regression.regression import regression as regression
    from assay.tasks.retrieval.holes import holes as holes
    from assay.tasks.retrieval.retrieval import retrieval as retrieval
    from assay.tasks.retrieval.ties import ties as ties
    from assay.tasks.spans import spans as spans

    load = Scores.load

_HOMES = {
    "AssayError": "assay.core.errors",
    "Bootstrap": "assay.statistics.intervals.unit_intervals",
    "Conventions": "assay.core.conventions",
    "Scores": "assay.engine.scores",
    "agreement": "assay.tasks.agreement",
    "catalogue": "assay.core.catalogue",
    "classification": "assay.tasks.classification.classification",
    "clustering": "assay.tasks.clustering.clustering",
    "compare": "assay.tasks.comparison.comparison",
    "confusion": "assay.tasks.classification.confusion",
    "correlation": "assay.tasks.correlation.correlation",
    "curve": "assay.core.curves",
    "define": "assay.core.catalogue",
    "explain_classification": "assay.tasks.explanation.table_explanations",
    "explain_retrieval": "assay.tasks.explanation.ranking_explanations",
    "fuse": "assay.fusion.fuse",
    "gate": "assay.tasks.gates.gate",
    "holes": "assay.tasks.retrieval.holes",
    "labelsets": "assay.tasks.label_sets",
    "measure": "assay.core.names",
    "power": "assay.tasks.power",
    "preferences": "assay.tasks.preferences",
    "regression": "assay.tasks.regression.regression",
    "retrieval": "assay.tasks.retrieval.retrieval",
    "robustness": "assay.tasks.classification.robustness",
    "spans": "assay.tasks.spans",
    "threshold": "assay.selection.thresholds",
    "ties": "assay.tasks.retrieval.ties",
}

_REGISTRY.load = lambda: importlib.import_module("assay.reports.result_text")

__all__ = ["__version__", "load", *_HOMES]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that importing Assay costs nothing."""
    if name == "load":
        return importlib.import_module("assay.engine.scores").Scores.load
    if name not in _HOMES:
        raise AttributeError(f"module 'assay' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
