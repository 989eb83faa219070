"""What to do about missing input: integrate over it, impute it, or drop incomplete items."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from assay.core.arrays import Floats
from assay.selection.learning_tasks.item_table import ItemTable, encode_categories
from assay.selection.learning_tasks.joint_gaussian import fit_joint_gaussian
from assay.selection.learning_tasks.naive_bayes import fit_naive_bayes

NEIGHBORS = 5
Predictions = tuple[Any, int]
"""The prediction for each item, and how many of these are only the most frequent answer."""
Predict = Callable[[Floats], Predictions]


def _integrate(train: ItemTable) -> Predict:
    if train.task == "classification":
        model = fit_naive_bayes(train.features, train.truth, train.category_counts)
        return lambda features: (model.predict(features), 0)
    joint = fit_joint_gaussian(train.matrix(), train.truth)
    return lambda features: (joint.predict(_encode(train, features)), 0)


def _impute_mean(train: ItemTable) -> Predict:
    """Fill in the mean, and the most frequent category."""
    usual = _usual_values(train)
    inner = _learn(train, np.where(np.isnan(train.features), usual, train.features))
    return lambda features: (inner(np.where(np.isnan(features), usual, features)), 0)


def _impute_neighbors(train: ItemTable) -> Predict:
    """Fill in the mean of the nearest items; a category is the most frequent among them."""
    from sklearn.impute import KNNImputer
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(train.matrix())
    imputer = KNNImputer(n_neighbors=NEIGHBORS).fit(scaler.transform(train.matrix()))

    def fill(features: Floats) -> Floats:
        """Return the features with the missing ones filled in."""
        found = scaler.inverse_transform(
            imputer.transform(scaler.transform(_encode(train, features)))
        )
        return np.where(np.isnan(features), _decode(train, found), features)

    inner = _learn(train, fill(train.features))
    return lambda features: (inner(fill(features)), 0)


def _drop(train: ItemTable) -> Predict:
    """Train on complete items alone; an item with missing input gets the most frequent answer."""
    complete = ~np.isnan(train.features).any(axis=1)
    if train.task == "classification":
        classes, counts = np.unique(train.truth, return_counts=True)
        usual = classes[np.argmax(counts)]
        usable = len(np.unique(train.truth[complete])) > 1
    else:
        usual, usable = train.truth.mean(), int(complete.sum()) > train.matrix().shape[1]
    inner = None
    if usable:
        kept = train.take(np.flatnonzero(complete))
        inner = _learn(kept, kept.features)

    def predict(features: Floats) -> Predictions:
        """Return the predictions, and how many are the most frequent answer."""
        known = ~np.isnan(features).any(axis=1) & (inner is not None)
        answers = np.full(len(features), usual, dtype=np.asarray(train.truth).dtype)
        if inner is not None and known.any():
            answers[known] = inner(features[known])
        return answers, int((~known).sum())

    return predict


LEARNERS: Mapping[str, Callable[[ItemTable], Predict]] = {
    "integrate": _integrate,
    "impute-mean": _impute_mean,
    "impute-neighbors": _impute_neighbors,
    "drop": _drop,
}
"""What to do about missing input. The model behind all is the same: naive Bayes for classes, a
linear one for numbers."""


def hide(features: Floats, share: float, order: Floats) -> Floats:
    """Return the features with a share of the values missing; larger shares hide those and more.

    ``order`` has a random number between 0 and 1 for each value.
    """
    return np.where(order < share, np.nan, features)


def unknown_feature(train: ItemTable) -> str | None:
    """Return a feature that has no value left to train on."""
    empty = np.flatnonzero(np.isnan(train.features).all(axis=0))
    return train.names[int(empty[0])] if len(empty) else None


def _learn(train: ItemTable, features: Floats) -> Callable[[Floats], Any]:
    """Train the model on complete features, and return what predicts."""
    if train.task == "classification":
        return fit_naive_bayes(features, train.truth, train.category_counts).predict
    from sklearn.linear_model import LinearRegression

    model = LinearRegression().fit(_encode(train, features), train.truth)
    return lambda given: model.predict(_encode(train, given))


def _encode(train: ItemTable, features: Floats) -> Floats:
    return encode_categories(features, train.names, train.categories)


def _decode(train: ItemTable, matrix: Floats) -> Floats:
    """Return columns of 0 and 1 as the most likely category again."""
    columns, start = [], 0
    for name in train.names:
        width = len(train.categories.get(name, (name,)))
        part = matrix[:, start : start + width]
        columns.append(part.argmax(axis=1) if name in train.categories else part[:, 0])
        start += width
    return np.column_stack(columns).astype(np.float64)


def _usual_values(train: ItemTable) -> Floats:
    """Return the mean of each feature, or its most frequent category."""
    usual = np.nanmean(train.features, axis=0)
    for place in np.flatnonzero(train.category_counts).tolist():
        column = train.features[:, place]
        usual[place] = np.bincount(column[~np.isnan(column)].astype(np.int64)).argmax()
    return usual
