"""Assay tests the quality of anything that ranks, classifies, predicts or groups."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

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
    from assay.statistics.intervals import Bootstrap as Bootstrap
    from assay.tasks.agreement import agreement as agreement
    from assay.tasks.classification import classification as classification
    from assay.tasks.clustering import clustering as clustering
    from assay.tasks.comparison import compare as compare
    from assay.tasks.confusion import confusion as confusion
    from assay.tasks.correlation import correlation as correlation
    from assay.tasks.explanation import explain_retrieval as explain_retrieval
    from assay.tasks.explanation_of_tables import explain_classification as explain_classification
    from assay.tasks.gates import gate as gate
    from assay.tasks.holes import holes as holes
    from assay.tasks.labelsets import labelsets as labelsets
    from assay.tasks.power import power as power
    from assay.tasks.preferences import preferences as preferences
    from assay.tasks.regression import regression as regression
    from assay.tasks.retrieval import retrieval as retrieval
    from assay.tasks.robustness import robustness as robustness
    from assay.tasks.spans import spans as spans
    from assay.tasks.ties import ties as ties

    load = Scores.load

_HOMES = {
    "AssayError": "assay.core.errors",
    "Bootstrap": "assay.statistics.intervals",
    "Conventions": "assay.core.conventions",
    "Scores": "assay.engine.scores",
    "agreement": "assay.tasks.agreement",
    "catalogue": "assay.core.catalogue",
    "classification": "assay.tasks.classification",
    "clustering": "assay.tasks.clustering",
    "compare": "assay.tasks.comparison",
    "confusion": "assay.tasks.confusion",
    "correlation": "assay.tasks.correlation",
    "curve": "assay.core.curves",
    "define": "assay.core.catalogue",
    "explain_classification": "assay.tasks.explanation_of_tables",
    "explain_retrieval": "assay.tasks.explanation",
    "fuse": "assay.fusion.fuse",
    "gate": "assay.tasks.gates",
    "holes": "assay.tasks.holes",
    "labelsets": "assay.tasks.labelsets",
    "measure": "assay.core.names",
    "power": "assay.tasks.power",
    "preferences": "assay.tasks.preferences",
    "regression": "assay.tasks.regression",
    "retrieval": "assay.tasks.retrieval",
    "robustness": "assay.tasks.robustness",
    "spans": "assay.tasks.spans",
    "threshold": "assay.selection.thresholds",
    "ties": "assay.tasks.ties",
}

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
