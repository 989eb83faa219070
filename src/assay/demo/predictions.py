"""The other tasks of the demo: classes, clusters, numbers and two assessors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.demo.images import Floats, Images, write_table


def write_predictions(path: Path, images: Images) -> Path:
    """Write the predictions of a classifier of ten digits, of a binary one, and of a tree."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    known, held_out = images.halves
    model = LogisticRegression(max_iter=1000).fit(images.pixels[known] / 16, images.digits[known])
    probabilities: Floats = model.predict_proba(images.pixels[held_out] / 16)
    tree = DecisionTreeClassifier(random_state=0).fit(images.pixels[known], images.digits[known])
    labels, p_eight = images.digits[held_out], probabilities[:, 8]
    table = {
        "item": images.ids[held_out],
        "label": labels,
        "guess": probabilities.argmax(axis=1),
        "p": _significant(probabilities.max(axis=1)),
        "is_eight": _yes_or_no(labels == 8),
        "p_eight": _significant(p_eight),
        "says_eight": _yes_or_no(p_eight >= 0.5),
        "tree": tree.predict(images.pixels[held_out]),
    }
    return write_table(path, table)


def write_clusters(path: Path, images: Images) -> Path:
    """Write ten clusters of all images, and their digits."""
    from sklearn.cluster import KMeans

    clusters = KMeans(n_clusters=10, n_init=5, random_state=0).fit_predict(images.pixels)
    return write_table(path, {"item": images.ids, "c": clusters, "digit": images.digits})


def write_values(path: Path, images: Images) -> Path:
    """Write the mean ink of the lower half of an image, predicted from its upper half."""
    from sklearn.linear_model import Ridge

    known, held_out = images.halves
    upper, ink = images.pixels[:, :32], images.pixels[:, 32:].mean(axis=1)
    guesses = Ridge(alpha=1.0).fit(upper[known], ink[known]).predict(upper[held_out])
    table = {"item": images.ids[held_out], "y": ink[held_out], "yhat": _significant(guesses)}
    return write_table(path, table)


def write_ratings(path: Path, images: Images) -> Path:
    """Write the labels of two different classifiers, as two assessors of the same images."""
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    known, held_out = images.halves
    assessors: dict[str, Any] = {
        "bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    ratings = [
        (item, name, label)
        for name, model in assessors.items()
        for item, label in zip(
            images.ids[held_out],
            model.fit(images.pixels[known], images.digits[known]).predict(images.pixels[held_out]),
            strict=True,
        )
    ]
    items, names, labels = zip(*sorted(ratings), strict=True)
    return write_table(path, {"item": items, "assessor": names, "label": labels})


def _yes_or_no(answers: NDArray[np.bool_]) -> list[str]:
    return ["yes" if answer else "no" for answer in answers]


def _significant(numbers: Floats) -> list[str]:
    """Return seven significant digits, so that tiny probabilities remain different."""
    return [f"{number:.7g}" for number in numbers]
