"""``assay.cross_validate`` beside scikit-learn's, in turns: the median of eleven runs of each.

    python bench/cross_validation.py [--small]

Logistic regression, 20,000 × 50, 10 folds, accuracy, both in one process with the same threads; who
begins changes from turn to turn. ``--small`` runs a twentieth of the items.

The threads of a linear algebra library spin for a while after each model. Work that waits for other
threads then, as a query of Polars does, waits up to 4 ms on two cores: of such work there must be
little, and none for each fold.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate

import assay

SMALL = 20 if "--small" in sys.argv else 1
RUNS = 11


def measured(run: Callable[[], Any]) -> tuple[float, float]:
    """Wall and processor time of one run, in seconds."""
    wall, processor = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - processor


def main() -> None:
    """Run both in turns, and print the medians and their quotient."""
    X, y = make_classification(20_000 // SMALL, 50, random_state=0)
    learner = LogisticRegression()
    runs: dict[str, Callable[[], Any]] = {
        "assay": lambda: assay.cross_validate(learner, X, y, "ACC", cv=10),
        "scikit-learn": lambda: cross_validate(learner, X, y, cv=10, scoring="accuracy"),
    }
    for run in runs.values():  # imports and caches
        run()
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
    for turn in range(RUNS):
        for name in sorted(runs, reverse=turn % 2 == 1):
            times[name].append(measured(runs[name]))
    for kind, what in enumerate(("wall", "processor")):
        own, other = (statistics.median(each[kind] for each in times[name]) for name in runs)
        print(
            f"cross-validation, {what}: assay {own:.3f} s, scikit-learn {other:.3f} s,"
            f" {own / other - 1:+.1%} (at most +5.0% wanted)"
        )


main()
