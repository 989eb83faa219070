"""Scores from scikit-learn's cross-validation: its dicts, and the results of a search."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from assay.core.arrays import exact_mean
from assay.core.errors import DataError
from assay.engine.result import ALL, Result
from assay.engine.scores import TABLE, Scores

_TEST = re.compile(r"test_(.+)")
_SPLIT = re.compile(r"split(\d+)_test_(.+)")


def is_cross_validation(given: Any) -> bool:
    """Return whether this is ``cv_results_``, or dicts of ``cross_validate`` by system."""
    if not isinstance(given, Mapping) or not given:
        return False
    if "params" in given and any(_SPLIT.fullmatch(str(key)) for key in given):
        return True
    return all(
        isinstance(each, Mapping) and any(_TEST.fullmatch(str(key)) for key in each)
        for each in given.values()
    )


def cross_validation_scores(given: Mapping[str, Any]) -> Scores:
    """Return a value for each fold, measure and system; scikit-learn maximizes them all."""
    values = _search_values(given) if "params" in given else _fold_values(given)
    counts = {len(folds) for folds in values.values()}
    if len(counts) > 1:
        raise DataError(
            f"the systems have different numbers of folds ({', '.join(map(str, sorted(counts)))});"
            " use the same splits for all, such as cv=KFold(5, shuffle=True, random_state=0)"
        )
    results = tuple(
        Result(
            system=system,
            slice=ALL,
            measure=measure,
            units=tuple(str(fold + 1) for fold in range(len(folds))),
            values=np.asarray(folds, dtype=np.float64),
            reasons=tuple("the scorer failed" if each != each else None for each in folds),
            value=exact_mean(np.asarray(folds, dtype=np.float64)),
            aggregate="mean",
            unit_kind="fold",
            better="higher",
        )
        for (system, measure), folds in values.items()
    )
    share = _test_share(given)
    return Scores(TABLE, results, {} if share is None else {"test_share": share})


def _test_share(given: Mapping[str, Any]) -> float | None:
    """Return test items over training items, by the indices of the folds; None without them.

    ``cross_validate(…, return_indices=True)`` keeps the indices.
    """
    shares = set()
    for scored in given.values():
        indices = scored.get("indices") if isinstance(scored, Mapping) else None
        if not indices or not all(len(each) for each in indices["train"]):
            return None
        tested, trained = (sum(map(len, indices[part])) for part in ("test", "train"))
        shares.add(tested / trained)
    return shares.pop() if len(shares) == 1 else None


def _fold_values(given: Mapping[str, Any]) -> dict[tuple[str, str], list[float]]:
    """Return the values of each fold from dicts of ``cross_validate``."""
    return {
        (str(system), found[1]): [float(each) for each in folds]
        for system, scored in given.items()
        for key, folds in scored.items()
        if (found := _TEST.fullmatch(str(key)))
    }


def _search_values(given: Mapping[str, Any]) -> dict[tuple[str, str], list[float]]:
    """Return the values of each fold from ``cv_results_``: a system for each candidate."""
    varying = {
        key
        for params in given["params"]
        for key, value in params.items()
        if any(other.get(key) != value for other in given["params"])
    }
    names = [
        ", ".join(f"{key}={params[key]}" for key in sorted(varying) if key in params) or "candidate"
        for params in given["params"]
    ]
    columns = [(int(m[1]), m[2], key) for key in given if (m := _SPLIT.fullmatch(str(key)))]
    found: dict[tuple[str, str], list[float]] = {}
    for _, measure, key in sorted(columns):
        for name, value in zip(names, given[key], strict=True):
            found.setdefault((name, measure), []).append(float(value))
    return found
