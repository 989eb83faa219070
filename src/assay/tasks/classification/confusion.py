"""Confusion matrices: from a matrix that exists already, or from decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import DataError, UsageError, no_rows
from assay.core.names import Measure
from assay.core.phrases import list_phrase
from assay.core.tables import Decisions, Source, Table
from assay.engine.result import Result
from assay.evidence.labels import (
    NEGATIVE_WORDS,
    POSITIVE_WORDS,
    Labels,
    column_order,
    label_order,
    label_values,
    listed_labels,
    positive_class,
    refuse_unlisted,
    similar_label_notes,
)
from assay.evidence.views.confusion import Confusion, Rows, build_confusion
from assay.formats.arrays import text_of
from assay.formats.containers import to_frame
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.classification.method_counts import check_counts, find_methods, read_methods
from assay.tasks.classification.predictions import NEEDS
from assay.tasks.classification.unknown_negatives import (
    known_part,
    without_negatives,
)
from assay.tasks.evidence import Evaluation
from assay.tasks.inputs.array_columns import read_arrays
from assay.tasks.inputs.missing_values import PREDICTION, MissingPolicy, handle_missing
from assay.tasks.inputs.table_columns import select_columns
from assay.tasks.row_evidence import RowEvidence
from assay.tasks.table_evidence import Columns, SystemInput, read_systems
from assay.tasks.table_profiles import apply_profile


@dataclass(frozen=True)
class ConfusionEvidence(RowEvidence[Confusion]):
    """Confusion matrices of one or more classifiers, without their items."""

    task = "classification"
    needs = NEEDS
    profile: str = "assay"
    notes: tuple[str, ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)
    """What the matrices were read from."""

    @property
    def inputs(self) -> Mapping[str, Table]:
        """What the matrices were read from, by system."""
        return self.tables

    def per_class(self) -> pl.DataFrame:
        """Return the rates and the support of each class, by system."""
        return system_classes(self.members)

    def confusion(self) -> Mapping[str, Confusion]:
        """Return the matrices."""
        return self.members

    @classmethod
    def of(cls, matrices: Mapping[str, Confusion], **fields: Any) -> ConfusionEvidence:
        """Take matrices; of two classes one is positive."""
        members = {name: _settle_positive_class(each) for name, each in matrices.items()}
        return cls(members, **fields)

    @classmethod
    def read(
        cls,
        data: Any,
        *,
        rows: Rows | None = None,
        predicted: Columns = None,
        collapse: Sequence[str] = (),
        **columns: Any,
    ) -> ConfusionEvidence:
        """Read matrices or decisions as ``confusion`` does, from one table or several.

        The classes of ``collapse`` become one, and all others another. A table with the columns
        method, tp, fp, fn and tn has a matrix in each row; without tn, measures that need it are
        undefined.
        """
        if rows is None and not columns.get("truth") and (methods := find_methods(data)):
            rows_of = [read_methods(table).items() for table in methods]
            return cls.of({name: each for pairs in rows_of for name, each in pairs})
        systems = read_systems(data, {"predicted": predicted}, "the matrix", "classifier")
        notes: list[str] = []

        def read(system: SystemInput) -> Confusion:
            """Read the matrix of one system, and note what was left out."""
            predicted = system.columns.get("predicted")
            matrix, further = _read_matrix(system.table, rows, predicted=predicted, **columns)
            notes.extend((*similar_label_notes(matrix.labels), *further))
            return _settle_positive_class(matrix.against_rest(collapse) if collapse else matrix)

        found = cls.read_each(systems, read, tables={each.name: each.table for each in systems})
        return replace(found, notes=tuple(notes))

    def configure(self, measures: list[Measure]) -> list[Measure]:
        """Return the measures with the parameters of the profile."""
        return apply_profile(measures, self.profile)

    def evaluate_slice(
        self, system: str, part: str, asked: Sequence[Measure], interval: Bootstrap | None
    ) -> list[Result]:
        """Return the results; where true negatives are not given, without what needs them."""
        if not (matrix := self.members[system]).lacks_negatives:
            return super().evaluate_slice(system, part, asked, interval)
        known = replace(self, members={system: known_part(matrix)})
        return without_negatives(
            asked, lambda each: known.evaluate_slice(system, part, each, interval)
        )

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the profile and the positive class."""
        return {"profile": self.profile, "positive": self.first.positive}

    def warnings(self, evaluation: Evaluation) -> Sequence[str]:
        """Return the notes on items without a class."""
        return self.notes


def _settle_positive_class(matrix: Confusion) -> Confusion:
    if matrix.positive is not None:
        return matrix
    return replace(matrix, positive=positive_class(matrix.labels))


def confusion(
    data: Any,
    y_pred: Any = None,
    *,
    rows: Rows | None = None,
    labels: Labels = None,
    truth: str | None = None,
    predicted: str | None = None,
    weight: str | None = None,
    positive: Any = None,
    missing: MissingPolicy = "error",
) -> Confusion:
    """Return a confusion matrix, from decisions or from a matrix that exists already.

    ``data`` and ``y_pred`` are arrays of true and of predicted classes.
    With ``truth`` and ``predicted`` (and perhaps ``weight``), ``data`` has a row for each item and
    they name its columns; ``missing`` says how to handle items without a class. With ``rows``, it
    is a matrix: ``actual`` or ``predicted`` says which classes are in its rows; a table has the
    labels of the rows in its first column.

    ``labels`` lists all classes in their order, or names the rows of an array. By default decisions
    have the order of an Enum or ordered Categorical column, a matrix that of its rows; classes that
    are numbers are ordered by value.
    """
    if isinstance(y_pred, Mapping):
        named = list_phrase([*map(str, y_pred)])
        raise UsageError(
            f"a confusion matrix is of one classifier, but there is a dict of {named}: give the"
            " classes of one of them, or draw them all with"
            " assay.classification(y, {…}).plot('confusion')"
        )
    if y_pred is not None:
        given = ClassificationColumns(predicted=y_pred, weight=weight)
        data, given = read_arrays(data, given)
        truth, predicted, weight = "truth", str(given.predicted), given.weight
    positive = text_of(positive)
    return _read_matrix(data, rows, labels, truth, predicted, weight, positive, missing)[0]


def _read_matrix(
    data: Any,
    rows: Rows | None = None,
    labels: Labels = None,
    truth: str | None = None,
    predicted: str | None = None,
    weight: str | None = None,
    positive: str | None = None,
    missing: MissingPolicy = "error",
) -> tuple[Confusion, tuple[str, ...]]:
    """Return the matrix, and notes on items without a class."""
    if truth is not None and predicted is not None:
        columns = {"truth": truth, "predicted": predicted, "weight": weight}
        return _count_decisions(data, columns, positive, missing, labels)
    if rows not in ("actual", "predicted"):
        raise UsageError(
            "say which classes are in the rows of the matrix, `rows=actual` or `rows=predicted`;"
            " or name the columns of decisions with `truth` and `predicted`"
        )
    if isinstance(data, np.ndarray) or (isinstance(data, Sequence) and not isinstance(data, str)):
        counts = check_counts(np.asarray(data, dtype=np.float64), Source("the matrix"))
        names = listed_labels(labels) or tuple(str(n) for n in range(len(counts)))
        return Confusion.of(counts if rows == "actual" else counts.T, names, positive), ()
    counts, names = _matrix(data)
    matrix = Confusion.of(counts if rows == "actual" else counts.T, names, positive)
    if labels is not None:
        return matrix.with_labels(labels), ()
    return matrix if label_values(names) is None else matrix.reorder(label_order(names)), ()


def _count_decisions(
    data: Any,
    columns: Mapping[str, str | None],
    positive: str | None,
    missing: MissingPolicy,
    labels: Labels,
) -> tuple[Confusion, tuple[str, ...]]:
    needed = {"truth": ["truth"], PREDICTION: ["predicted"]}
    frame, source = select_columns(data, columns, "the decisions")
    order = listed_labels(labels) or column_order(frame["truth"], frame["predicted"])
    whole = handle_missing(frame, source, needed, missing)
    decisions = Decisions.of(whole.frame, whole.source)
    if labels is not None:
        refuse_unlisted(decisions, ["truth", "predicted"], order)
    return build_confusion(decisions, positive, order), whole.notes


def _matrix(data: Any) -> tuple[Any, tuple[str, ...]]:
    """Return the counts of a table whose first column names the rows, and these names."""
    frame, source = to_frame(data, "the matrix")
    if not frame.columns:
        raise no_rows(source.name)
    names = tuple(map(str, frame[frame.columns[0]].to_list()))
    names = tuple(_answer_columns(names, frame.columns[1:])) or names
    if sorted(names) != sorted(frame.columns[1:]):
        raise DataError(
            f"{source.name}: the labels of the rows ({', '.join(names)}) and of the columns"
            f" ({', '.join(frame.columns[1:])}) are not the same; the first column names the rows"
        )
    if not names:
        raise DataError(f"{source.name}: the matrix has no rows; was it written to the end?")
    body = frame.select(names).cast(pl.Float64, strict=False)
    for column in body:
        if column.null_count():
            row = int(column.is_null().arg_true()[0])
            raise DataError(
                f"{source.place(row)}: the count of '{column.name}' is"
                f" '{frame[column.name][row]}'; a number is expected"
            )
    return check_counts(body.to_numpy(), source), names


def _answer_columns(rows: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Return the columns in the order of the rows, if both have other words for yes and no.

    Rows may be true and false, for example, and columns positive and negative.
    """
    words = dict.fromkeys(POSITIVE_WORDS, True) | dict.fromkeys(NEGATIVE_WORDS, False)
    sides = [[words.get(each.casefold()) for each in side] for side in (rows, columns)]
    if any(each not in ([True, False], [False, True]) for each in sides):
        return []
    return list(columns if sides[0] == sides[1] else reversed(columns))


def system_classes(matrices: Mapping[str, Confusion]) -> pl.DataFrame:
    """Return the rates and the support of each class of several systems."""
    if not matrices:
        raise UsageError("there are no predicted classes, so that no class has rates")
    tables = [
        each.per_class().select(pl.lit(name).alias("system"), pl.all())
        for name, each in matrices.items()
    ]
    return pl.concat(tables, how="vertical_relaxed")  # Weights of one may not be whole.
