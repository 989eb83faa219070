"""Figures by name: every function that a module of this folder declares with ``@figure``."""

from __future__ import annotations

import importlib
import pkgutil
import re
from inspect import signature
from typing import Any

from assay.core.errors import unknown_name
from assay.reports.figures.figure import FIGURES, Figure

CLASSIFIER_FIGURES = {"gain": "cumulative-gain", "pr": "precision-recall"}
"""What users of classifiers call figures whose short names belong to rankings."""
_ARRAYS = {"y_score": "score", "y_pred": "predicted"}
"""What ``assay.classification`` calls the arrays of options."""


def figure_kinds() -> list[str]:
    """Return the names of all figures."""
    package = __name__.rpartition(".")[0]
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        importlib.import_module(f"{package}.{module.name}")
    return sorted(FIGURES)


def plot(kind: str, *inputs: Any, **options: Any) -> Figure:
    """Draw a figure by its name: the figures, inputs and options of ``assay plot``.

    The figures of runs (``pr``, ``gain``, ``per-query``, ``scatter``) take a ``RetrievalEvidence``,
    or judgments and runs; with one table ``pr`` and ``gain`` are figures of classifiers.
    ``residuals`` takes a ``RegressionEvidence`` and ``orders`` a ``CorrelationEvidence``. All
    others take a table, and its columns as options, or arrays. The figure shows itself in a
    notebook, has the ``points`` that it shows, and ``save`` writes SVG, PNG or PDF.

    >>> import assay
    >>> data = {"truth": ["no", "no", "yes", "yes"], "p": [0.1, 0.4, 0.35, 0.8]}
    >>> figure = assay.plot("roc", data, truth="truth", score="p", positive="yes")
    >>> figure.title
    'ROC curve, area 0.750'
    """
    known = figure_kinds()
    if len(inputs) == 1 and not hasattr(inputs[0], "task"):
        kind = CLASSIFIER_FIGURES.get(kind, kind)
        options = {_ARRAYS.get(name, name): each for name, each in options.items()}
    if kind not in FIGURES:
        raise unknown_name("figure", kind, known)
    draw = FIGURES[kind]
    try:
        return draw(*inputs, **options)
    except TypeError as failure:
        unknown = re.search(r"unexpected keyword argument '(\w+)'", str(failure))
        if unknown is None or unknown[1] not in options:
            raise
        names = [*signature(draw).parameters][1:]
        raise unknown_name(f"option of the figure '{kind}'", unknown[1], names) from failure
