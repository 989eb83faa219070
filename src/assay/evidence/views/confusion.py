"""Confusion: how often each true class was taken for each predicted one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
import polars as pl

from assay.core.arrays import Bools, Floats, Ints, ratio
from assay.core.errors import DataError
from assay.core.frozen_dataclass import dataclass, replace
from assay.core.map_ahead import map_columns
from assay.core.printable import Printable
from assay.core.tables import Decisions
from assay.evidence.column_values import (
    check_weights,
    effective_size,
    label_codes,
    pooled_effective_size,
)
from assay.evidence.labels import Labels, label_order, listed_labels, merge_orders, unknown_class
from assay.evidence.views import confusion_tables
from assay.evidence.views.view import NamedSets

Rows: TypeAlias = Literal["actual", "predicted"]
"""Which classes are in the rows of a written matrix."""
_OTHERS = {"rest": "others"}
"""What all other classes are called, if the positive class has their usual name, rest."""


@dataclass(frozen=True, repr=False, eq=False)
class Confusion(Printable, NamedSets):
    """Confusion matrices with truth in rows, one per unit, all over the same labels."""

    task: ClassVar[str] = "classification"

    names: Sequence[str]
    labels: tuple[str, ...]
    matrix: Floats
    """Units × true class × predicted class."""
    positive: str | None = None
    """The class that a yes-or-no question is about."""
    effective: float | None = None
    """How many items of equal weight the matrix is worth; None where it counts items."""

    @classmethod
    def of(
        cls,
        matrix: Floats,
        labels: tuple[str, ...],
        positive: str | None = None,
        effective: float | None = None,
    ) -> Self:
        """Return one matrix with truth in rows."""
        if matrix.shape != (len(labels), len(labels)):
            raise DataError(
                f"a confusion matrix of {len(labels)} labels has as many rows and columns;"
                f" this one is {' × '.join(map(str, matrix.shape))}"
            )
        if positive is not None and positive not in labels:
            raise unknown_class(labels, positive, "the positive class")
        return cls(("all",), labels, matrix[None, :, :].astype(np.float64), positive, effective)

    @property
    def items(self) -> Floats:
        """How many items each matrix counts, by weight if there are weights."""
        return self.matrix.sum(axis=(1, 2))

    @property
    def support(self) -> Floats:
        """The number of items whose actual class is this one."""
        return self.matrix[:, 0, :].sum(axis=1)

    @property
    def cells(self) -> Floats:
        """The counts of the first matrix, row after row."""
        return self.matrix[0].ravel()

    def by(self, unit: str | None) -> Self:
        """``class``: each class against the rest, or only the positive one where it is named.

        ``every class`` is each class whether or not one is positive.
        """
        if unit == "class" and self.positive is not None:
            return self.collapse((self.positive,))
        if unit in ("class", "every class"):
            return self.collapse(self.labels)
        return super().by(unit)

    @property
    def lacks_negatives(self) -> bool:
        """Whether the true negatives are not known."""
        return bool(np.isnan(self.matrix).any())

    def collapse(self, classes: str | Sequence[str]) -> Self:
        """Return a 2 × 2 matrix for each class against all others; one class or several."""
        chosen = _known_classes(self.labels, classes)
        index = [self.labels.index(name) for name in chosen]
        total = self.items[:, None]
        hit = self.matrix[:, index, index]
        true = self.matrix.sum(axis=2)[:, index]
        said = self.matrix.sum(axis=1)[:, index]
        cells = np.stack((hit, true - hit, said - hit, total - true - said + hit), axis=-1)
        name = chosen[0] if len(chosen) == 1 else "positive"
        return replace(
            self,
            names=chosen * len(self.names),
            labels=(name, _OTHERS.get(name, "rest")),
            matrix=cells.reshape(-1, 2, 2),
            positive=name,
        )

    def against_rest(self, classes: str | Collection[str]) -> Self:
        """Return one 2 × 2 matrix whose positive class is any of the classes, taken together."""
        chosen = _known_classes(self.labels, classes)
        name = "+".join(label for label in self.labels if label in chosen)
        inside = np.asarray([label in chosen for label in self.labels], dtype=np.float64)
        sides = np.stack((inside, 1 - inside))
        merged = np.einsum("ai,uij,bj->uab", sides, self.matrix, sides)
        return replace(self, labels=(name, _OTHERS.get(name, "rest")), matrix=merged, positive=name)

    def reorder(self, labels: Sequence[str]) -> Self:
        """Return the same matrix with its classes in another order; further ones are empty."""
        return replace(self, labels=tuple(labels), matrix=self._spread(tuple(labels)))

    def with_labels(self, labels: Labels) -> Self:
        """Return the matrix over the listed classes, in that order; every class must be listed."""
        order = listed_labels(labels)
        if unlisted := [label for label in self.labels if label not in order]:
            raise DataError(
                f"the matrix has the classes {', '.join(unlisted)}, which `labels` does not list;"
                f" it lists {', '.join(order)}"
            )
        return self.reorder(order)

    def negate(self) -> Self:
        """Return the 2 × 2 matrix of the classifier that always predicts the opposite."""
        if len(self.labels) != 2:
            raise DataError(
                f"only a yes-or-no question can be negated, not {len(self.labels)} classes"
            )
        return replace(self, matrix=self.matrix[:, :, ::-1])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        """Return the matrix for NumPy, actual classes in rows; all of several matrices."""
        counts = self.matrix[0] if len(self.names) == 1 else self.matrix
        return np.array(counts, dtype=dtype)

    def confusions(self) -> pl.DataFrame:
        """Return the mistakes, the most frequent first, and their share of the actual class."""
        return confusion_tables.frequent_confusions(
            self.matrix[0], self.labels, weighted=self.effective is not None
        )

    def frame(self, rows: Rows = "actual", normalize: str | None = None) -> pl.DataFrame:
        """Return the (first) matrix as a table, with truth or predictions in rows.

        ``normalize`` divides by the items of the actual or predicted class, or by all.
        """
        return confusion_tables.matrix_frame(self.matrix[0], self.labels, rows, normalize)

    def per_class(self) -> pl.DataFrame:
        """Return the rates and the support of each class; ACC is that against all others.

        A rate without items is NaN, and then F is too. Support is whole without weights.
        """
        counts = self.matrix[0]
        right, support, said = counts.diagonal(), counts.sum(axis=1), counts.sum(axis=0)
        items = counts.sum() + 0 * right
        precision, recall = ratio(right, said), ratio(right, support)
        f = ratio(2 * right, support + said)
        whole = self.effective is None and ((support % 1 == 0) & (support < 2**53)).all()
        return pl.DataFrame(
            {
                "class": self.labels,
                "PPV": precision,
                "TPR": recall,
                "F": np.where(np.isnan(precision) | np.isnan(recall), np.nan, f),
                "ACC": ratio(items - support - said + 2 * right, items),
                "prevalence": ratio(support, items),
                "support": support.astype(np.int64) if whole else support,
            }
        )

    @property
    def tp(self) -> Floats:
        """True positives of each 2 × 2 unit."""
        return self.matrix[:, 0, 0]

    @property
    def fn(self) -> Floats:
        """False negatives of each 2 × 2 unit."""
        return self.matrix[:, 0, 1]

    @property
    def fp(self) -> Floats:
        """False positives of each 2 × 2 unit."""
        return self.matrix[:, 1, 0]

    @property
    def tn(self) -> Floats:
        """True negatives of each 2 × 2 unit."""
        return self.matrix[:, 1, 1]

    def reweight(self, counts: Floats) -> Self:
        """Return one matrix for each row of counts, whose entries are the cells row after row."""
        size = len(self.labels)
        names = ("all",) * len(counts)
        matrix = counts.reshape(-1, size, size).astype(np.float64)
        return replace(self, names=names, matrix=matrix, effective=None)

    def ideal(self) -> Self:
        """Return every item put into its true class."""
        return replace(self, matrix=self.matrix.sum(axis=2)[:, :, None] * np.eye(len(self.labels)))

    def __add__(self, other: Self) -> Self:
        """Return the counts of both, over the labels of both."""
        labels = merge_orders(self.labels, other.labels)
        return replace(
            self,
            labels=labels,
            matrix=self._spread(labels) + other._spread(labels),
            positive=self.positive or other.positive,
            effective=pooled_effective_size(
                float(self.items[0]), self.effective, float(other.items[0]), other.effective
            ),
        )

    def _spread(self, labels: tuple[str, ...]) -> Floats:
        index = [labels.index(label) for label in self.labels]
        spread = np.zeros((len(self.names), len(labels), len(labels)))
        spread[:, np.asarray(index)[:, None], index] = self.matrix
        return spread


def _known_classes(labels: Sequence[str], classes: str | Collection[str]) -> tuple[str, ...]:
    """Return the names of one class or of several; refuse one that does not occur."""
    chosen = (classes,) if isinstance(classes, str) else tuple(classes)
    for name in chosen:
        if name not in labels:
            raise unknown_class(labels, name, "the class")
    return chosen


@dataclass(frozen=True)
class ConfusionCells:
    """The cell of the confusion matrix that each row is counted in."""

    labels: tuple[str, ...]
    cell: Ints
    """The number of the true class times the number of labels, plus that of the predicted one."""

    @classmethod
    def of(cls, decisions: Decisions, labels: Sequence[str] = ()) -> Self:
        """Return the cells over ``labels``, then those that occur besides."""
        columns = decisions.frame["truth"], decisions.frame["predicted"]
        names = tuple(labels)
        truth, predicted = map_columns(lambda each: _known_codes(each, names), columns)
        if truth is None or predicted is None:
            names = label_order([label for each in columns for label in each.unique()], labels)
            truth, predicted = (label_codes(each, names) for each in columns)
        return cls(names, np.add(np.multiply(truth, len(names), out=truth), predicted, out=truth))

    def count(self, positive: str | None, rows: Bools | None = None) -> Confusion:
        """Return the confusion matrix of all rows, or of some."""
        size = len(self.labels)
        chosen = self.cell if rows is None else self.cell[rows]
        counts = np.bincount(chosen, minlength=size**2).astype(np.float64)
        return Confusion.of(counts.reshape(size, size), self.labels, positive)


def _known_codes(column: pl.Series, names: Sequence[str]) -> Ints | None:
    """Return the place of each label among the names; None if one is not among them."""
    codes = column.cast(pl.Enum(list(names)), strict=False)
    return None if codes.null_count() else codes.to_physical().to_numpy().astype(np.int64)


def build_confusion(
    decisions: Decisions, positive: str | None = None, labels: Sequence[str] = ()
) -> Confusion:
    """Return the confusion matrix of the decisions over ``labels``, then those that occur besides.

    ``labels`` keep their order; the others are in the usual one.
    """
    weights = check_weights(decisions)
    cells = ConfusionCells.of(decisions, labels)
    if weights is None:
        return cells.count(positive)
    matrix = confusion_tables.weighted_counts(decisions, weights, cells.labels)
    return Confusion.of(matrix, cells.labels, positive, effective_size(weights))
