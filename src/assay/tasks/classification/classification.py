"""Classification: decisions, scores and probabilities to Scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import polars as pl

from assay.core.catalogue import catalogue
from assay.core.errors import UsageError
from assay.core.names import Measure
from assay.core.progress import shows_progress
from assay.engine.scores import Scores
from assay.evidence.labels import Labels
from assay.evidence.views.confusion import Confusion
from assay.evidence.views.probabilities import Probabilities
from assay.evidence.views.threshold_table import ThresholdTable
from assay.formats.arrays import text_of
from assay.formats.containers import to_frame
from assay.formats.decimal_commas import with_decimal_commas
from assay.formats.spark_frames import is_spark_frame
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.classification_columns import ClassificationColumns
from assay.tasks.classification.confusion import ConfusionEvidence, system_classes
from assay.tasks.classification.predictions import NEEDS, ClassPredictions, read_predictions
from assay.tasks.classification.probability_columns import Wide
from assay.tasks.evidence import Measures, TaskEvidence
from assay.tasks.inputs.array_columns import read_arrays, split_arguments
from assay.tasks.inputs.missing_values import MissingPolicy
from assay.tasks.table_evidence import Columns, TableEvidence, read_systems, read_table

if TYPE_CHECKING:
    from assay.tasks.inputs.data_in_parts import Engine


@dataclass(frozen=True)
class ClassificationEvidence(TableEvidence[ClassPredictions]):
    """True classes, and what one or more classifiers predicted."""

    task = "classification"
    needs = NEEDS
    table_name = "decisions"
    truth: str = "truth"
    """The column of the true classes."""
    score: Columns = None
    """The column of the scores, if it was named."""
    degrees: bool = False
    """Whether the systems are one classifier with more and more of its input missing."""

    @classmethod
    def read(
        cls, data: Any, columns: ClassificationColumns | None = None
    ) -> ClassificationEvidence:
        """Read the columns of one table, a sequence of tables, or a dict of name to table."""
        used = columns or ClassificationColumns()
        answers, read = used.system_columns, partial(read_table, columns=used.needed)
        systems = read_systems(data, answers, "the decisions", used.name, read)
        return cls.read_each(
            systems,
            partial(read_predictions, columns=used),
            split=used.describe_split() if used.split else {},
            **{
                name: getattr(used, name)
                for name in ("item", "profile", "missing", "truth", "score")
            },
        )

    def missing_input(self, measure: Measure) -> str:
        """Return what a measure needs; with more classes, its average over them."""
        needed, views = super().missing_input(measure), self.first.views()
        average = f"{measure.definition.name}_OvR"
        known = {each.name for each in catalogue().of_task(self.task)}
        if ThresholdTable in views or Probabilities not in views or average not in known:
            return needed
        return f"two classes; {average} is its average over more, each class against the rest"

    def binary_tables(self) -> dict[str, tuple[str, ThresholdTable]]:
        """Return the positive class and the counts at each score, by name.

        Systems with scores have one table each; if there are none, each class that has
        probabilities has one, against the other classes.
        """
        found = {
            name: (str(member.positive), member.thresholds)
            for name, member in self.members.items()
            if member.thresholds is not None
        }
        several = len(self.members) > 1
        return found or {
            f"{name}: {label}" if several else label: (label, table)
            for name, member in self.members.items()
            for label, table in member.against_rest().items()
        }

    def per_class(self) -> pl.DataFrame:
        """Return the rates and the support of each class, by system."""
        return system_classes(self.confusion())

    def confusion(self) -> dict[str, Confusion]:
        """Return the matrix of each system that has decisions."""
        found = {name: member.confusion for name, member in self.members.items()}
        return {name: each for name, each in found.items() if each is not None}

    def choices(self, member: ClassPredictions) -> dict[str, Any]:
        """Return the positive class, how scores decide, and the declared order of the labels."""
        return {
            "positive": member.positive,
            "threshold": "at or above",
            "decided_at": member.threshold,
            **({"decided_by": member.decided} if member.decided else {}),
            "labels": member.order or None,
            **({"degrees": "share of the input that is missing"} if self.degrees else {}),
        }


@shows_progress
def classification(
    data: Any,
    y_pred: Any = None,
    measures: Measures = None,
    *,
    y_score: Any = None,
    classes: Sequence[Any] | None = None,
    truth: str = "truth",
    predicted: Columns = None,
    score: Columns = None,
    probabilities: Wide | Sequence[Wide] = None,
    item: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
    by: Any = (),
    split: str | None = None,
    splits: Any = None,
    fold: str | int | None = None,
    missing: MissingPolicy = "error",
    threshold: float | None = None,
    labels: Labels = None,
    profile: str = "assay",
    name: str = "classifier",
    decimal_comma: bool = False,
    engine: Engine = "local",
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate the decisions, the scores or the probabilities of classifiers, or several of these.

    ``data`` holds the true classes, beside an array of predicted classes (``y_pred``), of scores or
    of probabilities (``y_score``: a column, or a row for each item with the classes that
    ``classes`` names), or a dict of these by the names of the systems. Or it is a path, a frame or
    a dict of columns, or several of these as a sequence or as a dict of name to table; then the
    other arguments name its columns, the second one may list the measures, and several columns of
    one kind are several systems. A confusion matrix is taken too. With two classes the rates are
    those of the positive one; with more, of each class against the rest, averaged. ``by`` names
    columns whose values define slices: a list has each column alone, and "a,b" crosses two.
    ``item`` identifies the items, by which classifiers are paired; by default their row numbers do.
    At or above a ``threshold`` a score predicts positive. ``labels`` lists all classes in their
    order, which weighted kappa depends on; by default an Enum or ordered Categorical column sets
    it, numbers are ordered by value and words by name. ``split`` names the part of ``splits`` (a
    table of item and split) that is evaluated, in one ``fold`` if there are folds. ``weight`` (or
    ``sample_weight``) weighs items; ``decimal_comma`` reads numbers such as 0,25;
    ``engine="streaming"`` reads a file in parts.
    """
    y_pred, measures = split_arguments(data, y_pred, measures)
    columns = ClassificationColumns(
        truth=truth,
        predicted=predicted if y_pred is None else y_pred,
        score=score if y_score is None else y_score,
        probabilities=probabilities,
        item=item,
        weight=sample_weight if weight is None else weight,
        positive=text_of(positive),
        by=by,
        split=split,
        splits=splits,
        fold=fold,
        missing=missing,
        threshold=threshold,
        labels=labels,
        profile=profile,
        name=name,
    )
    read = _read_evidence if engine == "local" else partial(_read_parts, engine=engine)
    return read(data, columns, decimal_comma, classes, measures).scores(measures, interval=interval)


def _read_parts(
    data: Any, columns: ClassificationColumns, decimal_comma: bool, *_: Any, engine: str
) -> TaskEvidence:
    """Return the evidence of a file that is read in parts."""
    from assay.tasks.classification.classes_in_parts import read_classes
    from assay.tasks.inputs.data_in_parts import require_file

    require_file(data, engine, decimal_comma, columns)
    return read_classes(data, columns)


def _read_evidence(
    data: Any,
    columns: ClassificationColumns,
    decimal_comma: bool,
    classes: Sequence[Any] | None,
    measures: Measures,
) -> TaskEvidence:
    """Return the evidence of a matrix, a table or arrays; Spark counts equal rows of its frames."""
    data = with_decimal_commas(data, decimal_comma)
    if isinstance(data, Confusion):
        matrix = data if columns.labels is None else data.with_labels(columns.labels)
        return ConfusionEvidence.of({columns.name: matrix}, profile=columns.profile)
    if is_spark_frame(data):
        from assay.tasks.classification.counted_classes import can_count_classes, count_classes

        if can_count_classes(columns, measures):
            return count_classes(data, columns)
    table, named = read_arrays(data, columns, classes)
    return ClassificationEvidence.read(table, named)


def robustness(
    data: Any,
    predicted: str,
    measures: Measures = None,
    *,
    truth: str = "truth",
    weight: str | None = None,
    positive: str | None = None,
    missing: MissingPolicy = "error",
    labels: Labels = None,
    profile: str = "assay",
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate each column of predictions that matches a pattern such as ``guess_*``.

    Each column holds what the classifier predicts when that much of its input is missing. The part
    of its name in place of the star is the degree; degrees that are numbers are sorted by value.
    The result has a system for each degree.
    """
    columns = ClassificationColumns(
        truth=truth,
        weight=weight,
        positive=positive,
        missing=missing,
        labels=labels,
        profile=profile,
    )
    return read_degrees(data, predicted, columns).scores(measures, interval=interval)


def read_degrees(data: Any, pattern: str, columns: ClassificationColumns) -> ClassificationEvidence:
    """Read a system for each column of predictions that matches the pattern."""
    frame, source = to_frame(data[0] if isinstance(data, list) else data, "the decisions")
    by_degree = _columns_by_degree(pattern, frame.columns, source.name)
    given = data if isinstance(data, list) else frame
    found = ClassificationEvidence.read(given, replace(columns, predicted=by_degree))
    return replace(found, degrees=True)


def _columns_by_degree(pattern: str, columns: Sequence[str], where: str) -> dict[str, str]:
    """Return the column of each degree, in the order of the degrees."""
    head, star, tail = pattern.partition("*")
    found = {
        name[len(head) : len(name) - len(tail)]: name
        for name in columns
        if star and name.startswith(head) and name.endswith(tail) and len(name) > len(head + tail)
    }
    if len(found) < 2:
        raise UsageError(
            f"{where}: '{pattern}' matches {len(found)} of the columns"
            f" {', '.join(columns)}; a column for each degree is expected, such as guess_*"
        )
    return {degree: found[degree] for degree in sorted(found, key=_degree_key)}


def _degree_key(degree: str) -> tuple[bool, float, str]:
    try:
        return False, float(degree), degree
    except ValueError:
        return True, 0.0, degree
