"""Class labels: the positive one, doubtful ones, and the columns with their probabilities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError, missing_column
from assay.core.phrases import decimal_comma_hint
from assay.core.tables import Source
from assay.evidence.label_order import label_order, label_values

MISSING_WORDS = ("nan", "na", "n/a", "null", "none")
"""What programs write where there is nothing; it may be a name all the same."""
POSITIVE_WORDS = ("1", "yes", "true", "positive", "pos", "y", "t", "p", "+", "+1")
Wide: TypeAlias = str | Sequence[str] | Mapping[str, str] | None
"""A pattern such as ``p_*``, the names of the columns, or a class to its column."""


def positive_class(labels: Sequence[str]) -> str | None:
    """The class a yes-or-no question is about; None where there are more than two classes."""
    if not 1 <= len(labels) <= 2:
        return None
    ordered = label_order(labels)
    return next((each for each in ordered if each.casefold() in POSITIVE_WORDS), ordered[-1])


def label_warnings(truth: Iterable[str], predicted: Iterable[str]) -> list[str]:
    """Warnings on labels that differ by case or blanks only, are not shared, or mean nothing."""
    true, said = set(truth), set(predicted)
    warnings = [
        f"the labels {' and '.join(map(repr, group))} differ only by case or blanks:"
        " they are counted as different classes"
        for group in _similar_labels(true | said)
    ]
    warnings += [
        f"the labels {' and '.join(map(repr, group))} are the same number:"
        " they are counted as different classes"
        for group in _same_number(label_order(true | said))
    ]
    if true and said and not true & said:
        doubt = "; is this a score? Then name it with `score`" if _are_fractions(said) else ""
        warnings.append(
            f"no predicted class occurs in the truth: {_first_labels(said)} against"
            f" {_first_labels(true)}{doubt}"
        )
    warnings += [
        f"the label '{each}' reads like a gap; it is counted as a class"
        for each in sorted(true | said)
        if each.casefold() in MISSING_WORDS
    ]
    return warnings


def similar_labels_hint(labels: Iterable[str]) -> str:
    """Return which labels are probably one class; empty if none is."""
    groups = _similar_labels({*labels})
    return "".join(
        f"; {' and '.join(map(repr, group))} differ only by case or spaces" for group in groups
    )


def _are_fractions(labels: set[str]) -> bool:
    """Whether most labels are numbers with a point, as no class is called."""
    return sum(re.fullmatch(r"-?\d*\.\d+", each) is not None for each in labels) > len(labels) / 2


def _similar_labels(labels: set[str]) -> list[list[str]]:
    groups: dict[str, list[str]] = {}
    for label in sorted(labels, key=str.encode):
        groups.setdefault("".join(label.split()).casefold(), []).append(label)
    return [group for group in groups.values() if len(group) > 1]


def _same_number(labels: Sequence[str]) -> list[list[str]]:
    """Return the labels that are the same number in different writing, such as 1 and 01."""
    values = label_values(labels)
    groups: dict[float, list[str]] = {}
    for value, label in zip([] if values is None else values.to_list(), labels, strict=False):
        groups.setdefault(value, []).append(label)
    return [group for group in groups.values() if len(group) > 1]


def _first_labels(labels: set[str]) -> str:
    return ", ".join(sorted(labels, key=str.encode)[:5])


def probability_columns(
    frame: pl.DataFrame, source: Source, given: Any, order: Sequence[str] = ()
) -> dict[str, str]:
    """Return the column of each class, classes in the declared order or the usual one.

    With a pattern, the class is what stands in place of the star.
    """
    if isinstance(given, str):
        head, _, tail = given.partition("*")
        matched = [name for name in frame.columns if fnmatchcase(name, given)]
        found = {name[len(head) : len(name) - len(tail)]: name for name in matched}
    elif isinstance(given, Mapping):
        found = {str(label): str(column) for label, column in given.items()}
    else:
        found = {str(column): str(column) for column in given}
    if len(found) < 2:
        raise UsageError(
            f"{source.name}: '{given}' should name the probabilities of two classes or more"
            f" among {', '.join(frame.columns)}; write for example `probabilities=p_*`"
        )
    if order and (unlisted := [label for label in found if label not in order]):
        raise UsageError(
            f"{source.name}: there are probabilities of {', '.join(unlisted)}, which `labels` does"
            f" not list; it lists {', '.join(order)}"
        )
    return {label: found[label] for label in label_order(found, order) if label in found}


def probability_matrix(frame: pl.DataFrame, source: Source, columns: Mapping[str, str]) -> Floats:
    """Return the probabilities: items × class."""
    if stranger := next((name for name in columns.values() if name not in frame.columns), None):
        raise missing_column(source.name, stranger, frame.columns)
    picked = frame.select(list(columns.values()))
    for name, dtype in picked.schema.items():
        if not dtype.is_numeric():
            hint = decimal_comma_hint(next(iter(picked[name].drop_nulls()), ""))
            raise DataError(f"{source.name}: the probabilities in '{name}' are not numbers{hint}")
    return np.asarray(picked.cast(pl.Float64).to_numpy(), dtype=np.float64)
