"""One number of another tool for a small case."""

from __future__ import annotations

import importlib
import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def trec_eval(qrels: Any, run: Any, name: str, judged_only: bool = False) -> float:
    """Return the mean over the queries that pytrec_eval evaluates."""
    tool = importlib.import_module("pytrec_eval")
    asked = {name.rpartition("_")[0] if name[-1].isdigit() else name}
    evaluator = tool.RelevanceEvaluator(qrels, asked, judged_docs_only_flag=judged_only)
    return _mean([each[name] for each in evaluator.evaluate(run).values()])


def ir_measures_rows(qrels: Any, run: Any) -> tuple[list[Any], list[Any]]:
    """Return judgments and a run as ir_measures takes them."""
    tool = importlib.import_module("ir_measures")
    judged = [tool.Qrel(q, doc, grade) for q in qrels for doc, grade in qrels[q].items()]
    listed = [tool.ScoredDoc(q, doc, score) for q in run for doc, score in run[q].items()]
    return judged, listed


def ir_measures(qrels: Any, run: Any, name: str) -> float:
    """Return the aggregate of ir_measures."""
    tool = importlib.import_module("ir_measures")
    asked = tool.parse_measure(name)
    return float(tool.calc_aggregate([asked], *ir_measures_rows(qrels, run))[asked])


def ndeval(qrels: Any, run: Any, name: str) -> float:
    """Return the mean over the topics that pyndeval evaluates."""
    tool = importlib.import_module("pyndeval")
    listed = [(q, doc, score) for q in run for doc, score in run[q].items()]
    return _mean([each[name] for each in tool.ndeval(qrels, listed, [name]).values()])


def sklearn_metric(data: dict[str, Any], name: str) -> float:
    """Return a metric of scikit-learn for columns as ``assay.classification`` takes them."""
    metrics = importlib.import_module("sklearn.metrics")
    truth, answer = data["truth"], data.get("predicted")
    classes = [column[2:] for column in data if column.startswith("p_")]
    shares = np.array([data[f"p_{each}"] for each in classes]).T
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name.endswith("_macro"):
            function = getattr(metrics, f"{name.removesuffix('_macro')}_score")
            return float(function(truth, answer, average="macro"))
        if name in ("log_loss", "d2_log_loss_score", "d2_brier_score"):
            return float(getattr(metrics, name)(truth, shares, labels=classes))
        if name == "top_2":
            return float(metrics.top_k_accuracy_score(truth, shares, k=2, labels=classes))
        if name == "roc_auc_ovr":
            areas = metrics.roc_auc_score(truth, shares, labels=classes, multi_class="ovr")
            return float(areas)
        return float(getattr(metrics, name)(truth, answer))


def sklearn_clusters(pair: tuple[Sequence[int], Sequence[int]], name: str) -> float:
    """Return a metric of scikit-learn for classes and clusters."""
    return float(getattr(importlib.import_module("sklearn.metrics"), name)(*pair))


def sklearn_points(data: tuple[Sequence[Sequence[float]], Sequence[int]]) -> float:
    """Return the Davies-Bouldin score of scikit-learn."""
    return float(importlib.import_module("sklearn.metrics").davies_bouldin_score(*data))


def kendalltau(pair: tuple[Sequence[float], Sequence[float]]) -> float:
    """Return scipy's rank correlation."""
    return float(importlib.import_module("scipy.stats").kendalltau(*pair).statistic)
