"""Classification beside scikit-learn: the same container for both, best of three, peak memory.

    python bench/classification.py [--small]

``--small`` runs a twentieth of the sizes, to see that it works.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import sklearn.metrics as theirs

import assay
from assay.core.names import measure
from assay.evidence.views.probabilities import build_probabilities
from assay.evidence.views.threshold_table import ThresholdTable
from assay.measures.scores.curves import Outcomes, thresholds

SMALL = 20 if "--small" in sys.argv else 1


def timed(run: Callable[[], Any], times: int = 3) -> float:
    """The shortest of some runs, in seconds."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return min(found)


def peak(run: Callable[[], Any]) -> float:
    """The most memory that NumPy and Python held beyond the input, in MB."""
    tracemalloc.start()
    run()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6


def row(what: str, own: float, other: float, note: str = "") -> None:
    print(f"{what:<58} {own:8.3f} s {other:8.3f} s {other / own:7.1f} ×  {note}")


def report(container: Any) -> Any:
    """What their report has, and more."""
    return assay.classification(
        container, ["ACC", "P", "R", "F", "MCC", "kappa"], predicted="guess", interval=None
    )


def labels(size: int) -> None:
    random = np.random.default_rng(1)
    names = np.asarray(["cat", "dog", "fox", "owl", "yak"], dtype=object)
    truth = names[random.integers(0, len(names), size)]
    guess = np.where(random.random(size) < 0.8, truth, names[random.integers(0, 5, size)])
    arrays = {"truth": truth, "guess": guess}
    frame, panda = pl.DataFrame(arrays), pd.DataFrame(arrays)
    wide = f"{size:,} text labels"
    for what, own, other in (
        ("NumPy object", arrays, (truth, guess)),
        ("Polars / pandas", frame, (panda["truth"], panda["guess"])),
    ):
        row(
            f"confusion matrix, {wide}, {what}",
            timed(lambda own=own: assay.confusion(own, truth="truth", predicted="guess")),
            timed(lambda other=other: theirs.confusion_matrix(*other), 1),
        )
        full = timed(lambda other=other: theirs.classification_report(*other), 1)
        row(f"full report, {wide}, {what}", timed(lambda own=own: report(own)), full)
    sick = {
        "truth": np.where(truth == "cat", "yes", "no"),
        "guess": np.where(guess == "cat", "yes", "no"),
    }
    one = timed(lambda: theirs.classification_report(sick["truth"], sick["guess"]), 1)
    rates = ["TPR", "TNR", "FPR", "FNR", "PPV", "NPV", "FDR", "FOR", "ACC", "F", "MCC", "Jaccard"]
    own = timed(lambda: assay.classification(sick, rates, predicted="guess"))
    row(f"1,000 bootstrap replicates of 12 rates, {wide}", own, one, "theirs: one report")


def scores(size: int) -> None:
    random = np.random.default_rng(2)
    truth = random.random(size) < 0.3
    score = random.normal(size=size) + truth
    area = measure("AUC", "classification")

    def own_area() -> Any:
        return area(ThresholdTable.of(score, truth))

    def own_table() -> Any:
        table = ThresholdTable.of(score, truth)
        sides = table.positives.sum(), table.negatives.sum()
        return {"threshold": table.score} | Outcomes(table.tp[0], table.fp[0], *sides)

    def with_rates() -> Any:
        return thresholds(ThresholdTable.of(score, truth))

    for what, own, other in (
        ("AUC", own_area, lambda: theirs.roc_auc_score(truth, score)),
        (
            "full threshold table",
            own_table,
            lambda: theirs.confusion_matrix_at_thresholds(truth, score),
        ),
    ):
        note = f"memory {peak(own):.0f} MB, theirs {peak(other):.0f} MB"
        row(f"{what}, {size:,} scores", timed(own), timed(other), note)
    print(f"{'the same with eight rates':<58} {timed(with_rates):8.3f} s")


def probabilities(items: int, classes: int) -> None:
    random = np.random.default_rng(3)
    truth = random.integers(0, classes, items)
    matrix = random.random((items, classes))
    matrix /= matrix.sum(axis=1, keepdims=True)
    names = tuple(f"{place:03d}" for place in range(classes))
    frame = pl.DataFrame({"truth": np.asarray(names, dtype=object)[truth]})
    from assay.core.tables import Decisions

    decisions = Decisions.of(frame)
    loss = measure("LogLoss", "classification")

    def own() -> Any:
        return loss(build_probabilities(decisions, matrix, names).by("item"))

    def other() -> Any:
        return theirs.log_loss(truth, matrix)

    note = (
        f"memory {peak(own):.0f} MB, theirs {peak(other):.0f} MB, input {matrix.nbytes / 1e6:.0f}"
    )
    row(f"log-loss, {items:,} × {classes}", timed(own), timed(other), note)


if __name__ == "__main__":
    print(f"{'':<58} {'ours':>10} {'sklearn':>10} {'faster':>9}")
    labels(1_000_000 // SMALL)
    scores(5_000_000 // SMALL)
    probabilities(200_000 // SMALL, 100)
