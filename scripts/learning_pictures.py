"""The pictures of the learning tasks, from data of scikit-learn and drawn points.

python scripts/learning_pictures.py [NAME ...] draws all of them, or those that are named.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import assay

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"


def missing_input() -> Any:
    from sklearn.datasets import load_wine

    return assay.learn.missing(load_wine(as_frame=True).frame, "target")


def semi_supervised() -> Any:
    from sklearn.datasets import make_moons

    X, y = make_moons(300, noise=0.08, random_state=0)
    return assay.learn.semisupervised(X, [("circle", "triangle")[each] for each in y])


def density() -> Any:
    import numpy as np

    draw = np.random.default_rng(0)
    ages = np.concatenate([draw.normal(32, 5, 300), draw.normal(62, 9, 500)])
    return assay.learn.density({"age": ages}, bins=(8, 60))


def digits(count: int = 600) -> tuple[Any, Any]:
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    return X[:count], y[:count]


def reduction() -> Any:
    return assay.learn.reduction(*digits(), methods=["pca", "random", "tsne"])


def outliers() -> Any:
    X, y = digits(1797)
    rare = ["eight" if each == 8 else "other" for each in y]
    return assay.learn.outliers(
        X, rare, detectors="isolation-forest,local-outlier-factor,neighbors"
    )


def self_organizing_map() -> Any:
    return assay.learn.som(*digits(), rows=10, columns=10)


def cluster_counts() -> Any:
    from sklearn.datasets import make_blobs

    X, _ = make_blobs(200, centers=4, cluster_std=1.4, random_state=3)
    return assay.learn.clusters(X, counts=range(1, 9))


def preparation() -> Any:
    from sklearn.datasets import load_wine

    return assay.learn.preparation(load_wine(as_frame=True).frame, "target")


def linear_regression() -> Any:
    from sklearn.datasets import load_diabetes

    return assay.learn.regression(load_diabetes(as_frame=True).frame, "target", iterations=100)


LEARNING: dict[str, tuple[Callable[[], Any], str]] = {
    "learn-missing": (missing_input, "shares"),
    "learn-missing-features": (missing_input, "features"),
    "learn-labels": (semi_supervised, "labels"),
    "learn-induction": (semi_supervised, "induction"),
    "learn-partitioning": (semi_supervised, "partitioning"),
    "learn-semisupervised": (semi_supervised, "shares"),
    "learn-density": (density, "models"),
    "learn-few-bins": (density, "few-bins"),
    "learn-many-bins": (density, "many-bins"),
    "learn-likelihood": (density, "likelihood"),
    "learn-pit": (density, "pit"),
    "learn-pca": (reduction, "pca"),
    "learn-tsne": (reduction, "tsne"),
    "learn-components": (reduction, "components"),
    "learn-contrast": (reduction, "contrast"),
    "learn-accuracy": (reduction, "accuracy"),
    "learn-outliers": (outliers, "roc"),
    "learn-contamination": (outliers, "contamination"),
    "learn-u-matrix": (self_organizing_map, "u-matrix"),
    "learn-map": (self_organizing_map, "learning"),
    "learn-silhouette": (cluster_counts, "silhouette"),
    "learn-elbow": (cluster_counts, "elbow"),
    "learn-gap": (cluster_counts, "gap"),
    "learn-stability": (cluster_counts, "stability"),
    "learn-preparation": (preparation, "changes"),
    "learn-loss": (linear_regression, "loss"),
}
"""What computes the result of each picture, and the name of its figure."""


def main(names: list[str]) -> None:
    results: dict[Callable[[], Any], Any] = {}
    for name in names or LEARNING:
        compute, show = LEARNING[name]
        if compute not in results:
            results[compute] = compute()
        results[compute].plot(show=show).save(PICTURES / f"{name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
