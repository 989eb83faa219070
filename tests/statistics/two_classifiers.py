"""Two classifiers of the same items, for tests of their comparison."""

from __future__ import annotations

import numpy as np
import polars as pl

import assay

RANDOM = np.random.default_rng(11)
SIZE = 150
TRUTH = RANDOM.random(SIZE) < 0.4
LATENT = RANDOM.normal(size=SIZE) + 1.2 * TRUTH
SCORES = {"a": LATENT + RANDOM.normal(0, 1.5, SIZE), "b": LATENT + RANDOM.normal(0, 0.7, SIZE)}
NAMES = np.asarray([f"i{n:03}" for n in range(SIZE)])


def frame(name: str, order: np.ndarray | None = None) -> pl.DataFrame:
    rows = np.arange(SIZE) if order is None else order
    return pl.DataFrame(
        {
            "id": NAMES[rows],
            "truth": np.where(TRUTH, "yes", "no")[rows],
            "predicted": np.where(SCORES[name] > 0.6, "yes", "no")[rows],
            "score": SCORES[name][rows],
            "kind": np.where(rows % 3 == 0, "x", "y"),
        }
    )


def evaluated(data: object, name: str, measures: str = "MCC AUC F ACC", **more: object) -> object:
    columns = {"predicted": "predicted", "score": "score", "positive": "yes", "item": "id"}
    return assay.classification(data, measures, name=name, interval=None, **(columns | more))


def both(measures: str = "MCC AUC F ACC", **more: object) -> list[object]:
    shuffled = RANDOM.permutation(SIZE)
    return [
        evaluated(frame("a"), "a", measures, **more),
        evaluated(frame("b", shuffled), "b", measures, **more),
    ]
