"""Fitted estimators by name, and what they and their held-out items must be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.core.errors import UsageError
from assay.core.phrases import quantity
from assay.formats.system_names import number_duplicates


def require_usable(name: str, estimator: Any) -> None:
    """Raise an error for what cannot predict, cannot yet, or groups items instead."""
    if isinstance(estimator, type) or not hasattr(estimator, "predict"):
        raise UsageError(
            f"{name} is not an estimator, with a method `predict`; for predictions that you have"
            " use assay.classification or assay.regression, for runs assay.retrieval(qrels, runs)"
        )
    from sklearn.base import is_clusterer
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    if type(estimator).__module__.partition(".")[0] != "sklearn":
        return  # Others need not mark that they are fitted.
    if is_clusterer(estimator):
        raise UsageError(
            f"{name} groups items, and the numbers of its clusters are not classes; use"
            " assay.clustering(y, estimator.predict(X))"
        )
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        raise UsageError(
            f"{name} is not fitted: call fit on training data first; X and y here are held out"
        ) from None


def require_one_task(regressors: Mapping[str, bool]) -> None:
    """Raise an error if some estimators are regressors and others are not."""
    if len(set(regressors.values())) > 1:
        names = [name for name, regressor in regressors.items() if regressor]
        raise UsageError(
            f"{', '.join(names)} predicts numbers, the others classes: evaluate classifiers and"
            " regressors in two calls"
        )


def require_rows(items: Any, truth: Any) -> None:
    """Raise an error if there are not as many items as true values."""
    rows, values = _length(items), _length(truth)
    if rows is not None and values is not None and rows != values:
        raise UsageError(
            f"X has {quantity(rows, 'row')} and y {quantity(values, 'value')}; give the same items"
            " in the same order"
        )


def _length(given: Any) -> int | None:
    """Return the number of rows; None where that is not known."""
    shape = getattr(given, "shape", None)
    if shape:
        return int(shape[0])
    return len(given) if hasattr(given, "__len__") else None


def require_one_target(truth: Any) -> None:
    """Raise an error if a regression has several numbers for each item."""
    shape: tuple[int, ...] = getattr(truth, "shape", ())
    if len(shape) == 2 and shape[1] > 1:
        raise UsageError(
            f"y has {shape[1]} columns: evaluate each target alone, as in"
            " assay.regression(y[:, 0], estimator.predict(X)[:, 0])"
        )


def estimators_by_name(given: Any) -> Mapping[str, Any]:
    """Return estimators by name; without a name that of the class, numbered where two have it."""
    if isinstance(given, Mapping):
        return given
    several = given if isinstance(given, list | tuple) else [given]
    names = number_duplicates([type(each).__name__ for each in several])
    return dict(zip(names, several, strict=True))


def known_columns(estimator: Any, items: Any, by: Any) -> Any:
    """Return the items without the columns of slices that the estimator was not fitted on."""
    fitted = getattr(estimator, "feature_names_in_", None)
    names = [by] if isinstance(by, str) else by
    if fitted is None or not isinstance(names, list | tuple):
        return items
    extra = {each for each in names if isinstance(each, str)}.difference(fitted)
    return items[[each for each in items.columns if each not in extra]] if extra else items
