"""Figures by name: every function that a module of this folder declares with ``@figure``."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from dataclasses import replace
from inspect import signature
from typing import Any

from assay.core.errors import UsageError, did_you_mean, unknown_name
from assay.core.printable import Printable
from assay.formats.arrays import is_array
from assay.formats.decimal_commas import with_decimal_commas, with_decimal_points
from assay.reports.figures.figure import DRAWN_CLASSES, FIGURES, Figure, drawn_figures

CLASSIFIER_FIGURES = {"gain": "cumulative-gain", "pr": "precision-recall"}
"""What users of classifiers call figures whose short names belong to rankings."""
_OTHER_NAMES = {
    "reliability": "calibration",
    "reliability-diagram": "calibration",
    "confusion-matrix": "confusion",
    "threshold": "thresholds",
}
"""What other libraries and commands call a figure."""
_OTHER_OPTIONS = {"n_bins": "bins"}
"""What scikit-learn calls an option of figures."""
_ARRAYS = {"y_score": "score", "y_pred": "predicted"}
"""What ``assay.classification`` calls the arrays of options."""
_OF_VALUES = ("confusion", "residuals")
"""The figures whose second array has predicted values; others of arrays have scores."""


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
    notebook, has the ``points`` that it shows, and ``save`` writes SVG, PNG or PDF. Of scores the
    evidence is drawn that they were computed from; ``system`` names one of several systems.
    ``decimal_comma`` reads tables and runs whose numbers are written as 0,25.

    >>> import assay
    >>> data = {"truth": ["no", "no", "yes", "yes"], "p": [0.1, 0.4, 0.35, 0.8]}
    >>> figure = assay.plot("roc", data, truth="truth", score="p", positive="yes")
    >>> figure.title
    'ROC curve, area 0.750'
    """
    if not isinstance(kind, str):
        raise UsageError("name the figure before its data, as in assay.plot('per-query', scores)")
    if options.pop("decimal_comma", False):
        inputs = _read_decimal_commas(kind, inputs)
    known = figure_kinds()
    kind = kind if kind in known else kind.casefold().replace("_", "-")
    kind = _OTHER_NAMES.get(kind, kind)
    options = {_OTHER_OPTIONS.get(name, name): each for name, each in options.items()}
    inputs, options = _read_inputs(kind, inputs, options)
    if len(inputs) == 1 and getattr(inputs[0], "task", "classification") == "classification":
        kind = CLASSIFIER_FIGURES.get(kind, kind)
    if kind not in FIGURES:
        raise unknown_name("figure", kind, (inputs and drawn_figures(inputs[0])) or known)
    if not inputs:
        raise UsageError(f"the figure '{kind}' needs data, such as assay.plot('{kind}', table)")
    inputs, draw = _drawn_inputs(kind, inputs, options), FIGURES[kind]
    try:
        return draw(*inputs, **options)
    except TypeError as failure:
        unknown = re.search(r"unexpected keyword argument '(\w+)'", str(failure))
        if unknown is None or unknown[1] not in options:
            raise
        names = [*signature(draw).parameters][1:]
        names += ["system"] * hasattr(inputs[0], "members")
        raise UsageError(
            f"the figure '{kind}' has no option '{unknown[1]}'; there are"
            f" {', '.join(names)}.{did_you_mean(unknown[1], names)}"
        ) from failure


def _read_decimal_commas(kind: str, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return tables and runs, as figures read them, with numbers in place of texts like 0,25."""
    if any(isinstance(each, Printable) or hasattr(each, "task") for each in inputs):
        raise UsageError(
            f"`decimal_comma` is for tables and files, but the figure '{kind}' is given a result,"
            " whose numbers are read already; leave it out here"
        )
    ranked = len(inputs) > 1 or kind == "judged"
    read = with_decimal_points if ranked else with_decimal_commas
    return tuple(each if is_array(each) else read(each) for each in inputs)


def _read_inputs(
    kind: str, inputs: tuple[Any, ...], options: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the inputs with true values first, and arrays of predictions as options."""
    if not inputs and "y_true" in options:
        options = dict(options)
        inputs = (options.pop("y_true"),)
    if len(inputs) == 2 and is_array(inputs[0]):
        first, second = inputs
        name = "predicted" if kind in _OF_VALUES else "score"
        inputs, options = (first,), {name: second, **options}
    if len(inputs) == 1 and not hasattr(inputs[0], "task"):
        options = {_ARRAYS.get(name, name): each for name, each in options.items()}
    return inputs, options


def _drawn_inputs(kind: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, ...]:
    """Return the evidence behind scores, and of several systems the one that is named."""
    first: Any
    first, *others = inputs
    origin = getattr(first, "origin", None)
    if origin is not None and not isinstance(first, DRAWN_CLASSES[kind]):
        first = origin
    if isinstance(members := getattr(first, "members", None), Mapping) and "system" in options:
        name = str(options.pop("system"))
        if name not in members:
            raise unknown_name("system", name, members)
        first = replace(first, members={name: members[name]})
    return (first, *others)
