"""Scores from scikit-learn's cross-validation: its dicts, and the results of a search."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from assay.core.ambiguous_names import matching_definitions
from assay.core.arrays import exact_mean
from assay.core.errors import DataError, UsageError
from assay.engine.measured_names import TABLE
from assay.engine.result import ALL, Result
from assay.engine.scores import Scores
from assay.tasks.inputs.array_columns import is_measure
from assay.tasks.scores.score_tables import TABLE_COLUMNS

_TEST = re.compile(r"test_(.+)")
_UNNAMED_NOTE = (
    "'score' is not the name of a measure, so that its bounds are unknown; name it, as in"
    ' assay.compare(folds, "AUC")'
)
MANY_FOLDS = 100
"""More values of a system are probably predictions."""
_UNNAMED = re.compile(r"(split\d+_test_)score")
_SPLIT = re.compile(r"split(\d+)_test_(.+)")


def as_cross_validation(given: Any) -> Mapping[str, Any] | None:
    """Return ``cv_results_``, or dicts of ``cross_validate`` by system; None for anything else.

    A fitted search has the first, a frame may hold it; arrays of ``cross_val_score`` by system are
    the scores of such dicts.
    """
    if hasattr(given, "cv_results_"):
        given = _named_results(given)
    if hasattr(given, "iterrows") and _is_search(given):
        given = given.to_dict("list")  # a frame of pandas
    if not isinstance(given, Mapping) or not given:
        return None
    if _is_search(given):
        return given
    _refuse_searches(given)
    if "fit_time" in given and _has_tests(given):
        return {"model": given}
    if all(map(_has_tests, given.values())):
        return given
    if any(each in given for each in TABLE_COLUMNS) or not all(map(_is_numbers, given.values())):
        return None
    if all(isinstance(each, str) and is_measure(each) for each in given):
        raise UsageError(
            f"{', '.join(map(repr, given))}: these keys are measures, not systems; give"
            ' {"system": {"test_' + next(iter(given)) + '": […]}, …} or a table of system, unit,'
            " measure and value"
        )
    return {name: {"test_score": folds} for name, folds in given.items()}


def _named_results(search: Any) -> Mapping[str, Any]:
    """Return the results of a fitted search, whose only score has the name of its measure.

    Losses are negated, as in scikit-learn's names: neg_RMSE.
    """
    scoring = getattr(search, "scoring", None)
    name = scoring if isinstance(scoring, str) else getattr(scoring, "name", None)
    if not isinstance(name, str):
        return dict(search.cv_results_)
    kinds = {each.better for each in matching_definitions(name)}
    if kinds == {"lower"} and not name.startswith("neg_"):
        name = f"neg_{name}"
    return {
        f"{found[1]}{name}" if (found := _UNNAMED.fullmatch(key)) else key: values
        for key, values in search.cv_results_.items()
    }


def _is_search(given: Any) -> bool:
    """Return whether a dict or a frame of pandas is ``cv_results_``."""
    if "params" not in given or not any(_SPLIT.fullmatch(str(key)) for key in given):
        return False
    return all(isinstance(each, Mapping) for each in given["params"])


def _refuse_searches(given: Mapping[str, Any]) -> None:
    """Refuse searches by name: the candidates of a search are the systems."""
    for name, each in given.items():
        found = getattr(each, "cv_results_", each)
        if isinstance(found, Mapping) and _is_search(found):
            raise DataError(
                f"'{name}' is a search, whose candidates are the systems: give its `cv_results_`"
                " alone; of several searches give a dict of cross_validate for each best_estimator_"
            )


def refuse_other_splits(several: Iterable[Any]) -> None:
    """Refuse dicts of ``cross_validate`` whose folds test other items: folds are paired."""
    known = [each["indices"]["test"] for each in several if _has_tests(each) and "indices" in each]
    folds = [[np.sort(np.asarray(test)) for test in tests] for tests in known]
    for other in folds[1:]:
        if len(other) == len(folds[0]) and not all(map(np.array_equal, folds[0], other)):
            raise DataError(
                "the systems were tested on different items in the same fold (`indices` differ), so"
                " that their folds cannot be paired; use the same splits for all, such as"
                " cv=KFold(5, shuffle=True, random_state=0)"
            )


def _has_tests(given: Any) -> bool:
    return isinstance(given, Mapping) and any(_TEST.fullmatch(str(key)) for key in given)


def _is_numbers(given: Any) -> bool:
    """Return whether this is an array or a list of two fractions or more; ids are whole numbers."""
    values = np.asarray(given) if hasattr(given, "__len__") else np.empty(0)
    return values.ndim == 1 and len(values) > 1 and values.dtype.kind == "f"


def cross_validation_scores(given: Mapping[str, Any]) -> Scores:
    """Return a value for each fold, measure and system; scikit-learn maximizes them all."""
    values = _search_values(given) if "params" in given else _fold_values(given)
    counts = {len(folds) for folds in values.values()}
    if len(counts) > 1:
        raise DataError(
            f"the systems have different numbers of folds ({', '.join(map(str, sorted(counts)))});"
            " use the same splits for all, such as cv=KFold(5, shuffle=True, random_state=0)"
        )
    if "params" not in given:
        refuse_other_splits(given.values())
    results = tuple(
        Result(
            system=system,
            slice=ALL,
            measure=measure,
            units=tuple(str(fold + 1) for fold in range(len(folds))),
            values=np.asarray(folds, dtype=np.float64),
            reasons=tuple("no number of the scorer" if each != each else None for each in folds),
            value=exact_mean(np.asarray(folds, dtype=np.float64)),
            aggregate="mean",
            unit_kind="fold",
            better="higher",
        )
        for (system, measure), folds in values.items()
    )
    share = _test_share(given)
    said = (_UNNAMED_NOTE,) if any(each.measure == "score" for each in results) else ()
    if max(counts) > MANY_FOLDS:
        said = (
            f"{max(counts)} numbers of each system are taken for the values of as many folds;"
            ' compare predictions as in assay.compare(assay.regression(y, {"one": …, "other": …}))',
            *said,
        )
    return Scores(TABLE, results, {} if share is None else {"test_share": share}, said)


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
