"""Sets of labels to Scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import nan
from typing import Any

import polars as pl

from assay.core.names import measure
from assay.core.progress import shows_progress
from assay.core.tables import Table
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.evidence.views.label_scores import LabelScores
from assay.evidence.views.label_sets import LabelSets
from assay.evidence.views.view import Views
from assay.formats.decimal_commas import with_decimal_commas
from assay.measures.labelsets.label_scores import label_areas
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evidence import Evaluation, Measures
from assay.tasks.inputs.array_columns import slice_arrays, split_arguments
from assay.tasks.inputs.label_arrays import label_set_arrays
from assay.tasks.inputs.label_rows import LabelRows, read_label_rows
from assay.tasks.inputs.list_fields import read_row_systems, slice_rows
from assay.tasks.row_evidence import RowEvidence
from assay.tasks.table_evidence import Columns

NEEDS = {
    LabelSets: "a true and a predicted set of labels for each item",
    LabelScores: "a score of every label for each item (`score`)",
}


@dataclass(frozen=True)
class LabelSetEvidence(RowEvidence[LabelSets]):
    """True sets of labels, and those that one or more systems predicted."""

    task = "labelsets"
    needs = NEEDS
    tables: dict[str, Table] = field(default_factory=dict)
    """The sets of each system as text."""
    scored: dict[str, dict[str, LabelScores]] = field(default_factory=dict)
    """The scores of labels of each system and slice, if there are scores."""
    decided_by: str | None = None
    """How labels were predicted, if scores decided."""

    @classmethod
    def read(
        cls,
        data: Any,
        truth: str = "truth",
        predicted: Columns = None,
        item: str | None = None,
        name: str = "classifier",
        by: Sequence[str] = (),
        score: Columns = None,
    ) -> LabelSetEvidence:
        """Read one table, a sequence of tables, or a dict of name to table.

        Several ``predicted`` columns are several systems; ``name`` is what a system is called that
        nothing else names. ``by`` are fields whose values define slices. A ``score`` is a field
        with the number of every label; without ``predicted`` it decides.
        """
        columns = {"predicted": predicted, "score": score}
        if predicted is None and score is None:
            columns["predicted"] = "predicted"
        systems = read_row_systems(data, columns, "the sets of labels", name)
        read: dict[str, dict[str, LabelRows]] = {}
        for each in systems:
            rows = {ALL: each.table, **(slice_rows(each.table, by) if by else {})}
            read[each.name] = {
                part: read_label_rows(replace(each, table=own), truth, item)
                for part, own in rows.items()
            }
        return cls.read_each(
            systems,
            lambda each: read[each.name][ALL].sets,
            item=item,
            tables={name: rows[ALL].table for name, rows in read.items()},
            parts={
                name: {part: own.sets for part, own in rows.items() if part != ALL}
                for name, rows in read.items()
                if by
            },
            scored={
                name: {part: own.scores for part, own in rows.items() if own.scores is not None}
                for name, rows in read.items()
            },
            decided_by=next(iter(read.values()))[ALL].decided_by,
        )

    def views(self, system: str, slice_name: str = ALL) -> Views:
        """Return the sets of a system, or of one of its slices, and its scores."""
        views = dict(super().views(system, slice_name))
        if slice_name in self.scored[system]:
            views[LabelScores] = lambda: self.scored[system][slice_name]
        return views

    @property
    def inputs(self) -> dict[str, Table]:
        """The sets by system; those of one system alone are called sets."""
        return self.tables if len(self.tables) > 1 else {"sets": next(iter(self.tables.values()))}

    def per_class(self) -> pl.DataFrame:
        """Return the rates and the support of each label, by system; with scores AUC and AP too."""
        tables = []
        for system in self.systems:
            sets = self.views(system)[LabelSets]().by("label")
            rates = {"PPV": "label_P", "TPR": "label_R", "F": "label_F"}
            values = {name: measure(each, self.task)(sets) for name, each in rates.items()}
            table = pl.DataFrame({"label": sets.labels, **values, "support": sets.true})
            if scores := self.scored[system].get(ALL):
                areas = pl.DataFrame({"label": scores.labels, **label_areas(scores)})
                table = table.join(areas, "label", how="full", coalesce=True).sort("label")
            support = pl.col("support").fill_null(0).cast(pl.Int64)
            named = pl.lit(system).alias("system")
            tables.append(
                table.select(
                    named, "label", pl.col(pl.Float64).exclude("support").fill_null(nan), support
                )
            )
        return pl.concat(tables, how="diagonal")

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return the number of labels and items."""
        labels = {label for view in self.members.values() for label in view.labels}
        size = len(self.first.items)
        decided = {"decided_by": self.decided_by} if self.decided_by else {}
        found = {"labels": len(labels), "items": size, "item": self.item, **decided}
        return found | self.slice_sizes()


@shows_progress
def labelsets(
    data: Any,
    y_pred: Any = None,
    measures: Measures = None,
    *,
    y_score: Any = None,
    classes: Sequence[Any] | None = None,
    truth: str = "truth",
    predicted: Columns = None,
    score: Columns = None,
    item: str | None = None,
    name: str = "classifier",
    by: Any = (),
    decimal_comma: bool = False,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Evaluate sets of labels, item by item and label by label.

    A set is a list, or a text whose labels are separated by ``;``, ``|`` or ``,``; an empty list or
    text is an empty set. ``data`` and ``y_pred`` are the true and the predicted sets, as lists of
    labels or as indicators (a row for each item, 1 for each label that it has, in the order of
    ``classes``); several systems are a dict. ``y_score`` has a column of scores for each label, in
    the order of ``classes``; without ``y_pred``, labels with probabilities of at least 0.5 (other
    scores: of at least 0) are predicted. Or ``data`` is a file (JSON lines, CSV, Parquet), a
    frame, a dict of columns or a list of records, or several of these as a sequence or as a dict of
    name to table. Several ``predicted`` columns are several systems; ``score`` names fields with a
    dict of label to score. ``item`` identifies the items, by which systems are paired. ``by`` names
    fields, or holds arrays, whose values define slices. ``decimal_comma`` reads 0,25 as a number.
    """
    y_pred, measures = split_arguments(data, y_pred, measures)
    data = with_decimal_commas(data, decimal_comma)
    if y_pred is not None or y_score is not None:
        arrays = label_set_arrays(data, y_pred, y_score, classes)
        data, truth, predicted, score = arrays.columns, "truth", arrays.predicted, arrays.score
        added = slice_arrays(by, len(data["truth"]))
        data, by = data | added, tuple(added)
    by = [by] if isinstance(by, str) else by
    evidence = LabelSetEvidence.read(data, truth, predicted, item, name, by, score)
    return evidence.scores(measures, interval=interval)
