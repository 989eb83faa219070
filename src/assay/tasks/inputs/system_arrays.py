"""Arrays and frames with the predictions, the scores or the probabilities of several systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import UsageError
from assay.formats.arrays import dimensions, is_frame, text_of, to_matrix, to_series


def class_systems(given: Any, truth: pl.Series) -> Any:
    """Return a frame of predicted classes as a column for each system, by name.

    Columns that are named after classes hold probabilities or indicators, which are left to be
    refused.
    """
    if isinstance(given, str | Mapping) or not is_frame(given) or _is_of_classes(given, truth):
        return given
    return frame_systems(given, "y_pred")


def _is_of_classes(frame: Any, truth: pl.Series) -> bool:
    """Return whether columns of a frame have the names of classes, or none of their own."""
    names = tuple(str(text_of(each)) for each in column_names(frame))
    classes = {str(text_of(each)) for each in truth.unique().drop_nulls()}
    return bool(classes.intersection(names)) or names == column_numbers(len(names))


def frame_systems(given: Any, what: str) -> Any:
    """Return a frame of predicted values as a column for each system, by name."""
    if isinstance(given, str | Mapping) or dimensions(given) != 2:
        return given
    if not is_frame(given):
        raise UsageError(
            f"`{what}` has several columns; give a dict of the name of each system to its values"
        )
    return {str(name): given[name] for name in column_names(given)}


def column_names(frame: Any) -> Sequence[Any]:
    """Return the names of the columns of a frame, or of a table of Arrow."""
    return list(frame.column_names if hasattr(frame, "column_names") else frame.columns)


def split_scores(given: Any, truth: pl.Series) -> tuple[Any, Any]:
    """Return the matrices of probabilities, and the columns of scores.

    A frame whose columns are no classes, and do not sum to 1, has a column for each system.
    """
    if given is None or isinstance(given, str):
        return None, given
    if is_frame(given) and dimensions(given) == 2 and not _is_of_classes(given, truth):
        sums = np.asarray(to_matrix(given, "`y_score`")[0], dtype=np.float64).sum(axis=1)
        if not np.allclose(sums, 1, atol=1e-3):
            return None, frame_systems(given, "y_score")
    several = given if isinstance(given, Mapping) else {"": given}
    wide = {
        name: not isinstance(each, str) and dimensions(each) == 2 for name, each in several.items()
    }
    if not any(wide.values()):
        return None, given
    if not all(wide.values()):
        raise UsageError(
            "`y_score` has scores of some systems and probabilities of all classes of others; give"
            " one kind for all"
        )
    return given, None


def refuse_decision_values(matrix: Any) -> None:
    """Refuse scores of several classes that are no probabilities."""
    if matrix.dtype.kind == "f" and ((matrix < -0.5) | (matrix > 1.5)).any():
        raise UsageError(
            "`y_score` has a column for each class, but not probabilities: values lie far outside 0"
            " to 1. Give those of predict_proba, not of decision_function or predict_log_proba"
        )


def refuse_scores(given: Any, truth: pl.Series) -> None:
    """Refuse scores in place of predicted classes."""
    for each in given.values() if isinstance(given, Mapping) else [given]:
        if isinstance(each, str) or is_frame(each) or dimensions(each) == 2:
            continue
        column = to_series(each, "`y_pred`")
        if _has_fractions(column) and not _has_fractions(truth):
            raise UsageError(
                "`y_pred` holds numbers with decimals, not classes; give scores and probabilities"
                " as `y_score`"
            )


def _has_fractions(column: pl.Series) -> bool:
    return column.dtype.is_float() and bool((column.drop_nulls().drop_nans() % 1 != 0).any())


def column_numbers(count: int) -> tuple[str, ...]:
    """Return the names that a frame without names of its own gives to its columns."""
    return tuple(map(str, range(count)))
